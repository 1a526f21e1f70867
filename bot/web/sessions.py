"""Logging in with a one-time link, and out.

The link leads to a page with a button: a messenger that looks at it for a preview must not use it up.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.settings import addresses
from bot.web import context
from bot.web.errors import ConsoleError
from bot.web.visitors import COOKIE, Posted, session_in, wanted_language

router = APIRouter(include_in_schema=False)


@router.get("/login/{secret}")
async def ask_to_log_in(request: Request, secret: str) -> Response:
    """Show the button; whether the link is good is seen when it is pressed."""
    language = wanted_language(request.headers)
    return context.of(request).page("login.html", None, language=language, secret=secret)


@router.post("/login/{secret}")
async def log_in(request: Request, secret: str) -> Response:
    """Open a session for whoever has a good link."""
    parts = context.of(request).parts
    session = await parts.logins.open_session(secret)
    if session is None:
        raise ConsoleError(403, "web-error-link")
    reply = context.see("/")
    reply.set_cookie(
        COOKIE,
        session,
        max_age=round(parts.logins.session_lifetime.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=addresses.is_encrypted(parts.settings.console) or request.url.scheme == "https",
    )
    return reply


@router.post("/logout")
async def log_out(request: Request, _post: Posted) -> Response:
    """End the session."""
    await context.of(request).parts.logins.close_session(session_in(request.headers))
    reply = context.see("/")
    reply.delete_cookie(COOKIE)
    return reply
