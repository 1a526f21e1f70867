"""The application: routers, errors, assets, and the guard in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final, cast

import structlog
from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from bot.settings import addresses
from bot.web import agents, api, context, interview_api, openai_api, operations, sessions
from bot.web.context import Context, Entry
from bot.web.errors import ConsoleError, status_of
from bot.web.guard import MOST_BYTES, Guard
from bot.web.pages import (
    chat,
    conversations,
    documents,
    health,
    interview,
    passed,
    people,
    quality,
    statistics,
    tokens,
)
from bot.web.visitors import FOR_PROGRAMS, rate_limit_key, visitor_of, wanted_language
from rag.errors import InputError, OperatorError

_log = structlog.get_logger(__name__)

PAGES: Final[tuple[tuple[APIRouter, Entry | None], ...]] = (
    (sessions.router, None),
    (chat.router, None),
    (interview.router, Entry("/interviews", "web-nav-interviews")),
    (documents.router, Entry("/documents", "web-nav-documents", "admins")),
    (people.router, Entry("/people", "web-nav-people", "admins")),
    (conversations.router, Entry("/conversations", "web-nav-conversations", "admins")),
    (passed.router, Entry("/passed", "web-nav-passed", "experts")),
    (statistics.router, Entry("/statistics", "web-nav-statistics", "admins")),
    (quality.router, Entry("/quality", "web-nav-quality", "admins")),
    (health.router, Entry("/health", "web-nav-health", "admins")),
    (tokens.router, Entry("/tokens", "web-nav-tokens", "admins")),
)
"""Every page with its place in the navigation, if it has one."""

_DESCRIPTION: Final = (
    "Order runs and follow them. A program shows a token, which an administrator makes in the console, "
    "in the header `Authorization: Bearer …`; it may do what that administrator may."
)


def application(found: Context, routes: Mapping[str, ASGIApp] | None = None) -> ASGIApp:
    """Return the console; `routes` are applications by path that have locks of their own: the webhook."""
    settings = found.parts.settings
    app = application_without_guard(found, routes or {})
    guarded = Guard(
        app,
        hosts=addresses.hosts(settings.console),
        most_requests=settings.console.requests_per_minute,
        is_encrypted=addresses.is_encrypted(settings.console),
        most_bytes=lambda path: (
            documents.most_bytes(settings) if path == documents.UPLOAD_PATH else MOST_BYTES
        ),
        rate_limit_key=rate_limit_key,
        open_paths=routes or (),
    )
    if not settings.console.trusted_proxies:
        return guarded
    # Theirs and ours describe the same protocol by different types.
    return cast(
        "ASGIApp", ProxyHeadersMiddleware(cast("Any", guarded), list(settings.console.trusted_proxies))
    )


def application_without_guard(found: Context, routes: Mapping[str, ASGIApp]) -> FastAPI:
    """Return the same without what every request meets first; tests read its table of routes."""
    app = FastAPI(
        title="Think Twice",
        summary="Answers from documents that were checked before anyone relies on them.",
        description=_DESCRIPTION,
        openapi_url="/api/openapi.json",
        # These pages load their scripts from another host.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.context = found
    app.routes.extend(Route(path, endpoint, methods=["POST"]) for path, endpoint in routes.items())
    app.include_router(api.router)
    app.include_router(interview_api.router)
    app.include_router(openai_api.router)
    app.include_router(agents.router)
    app.include_router(operations.router)
    for router, _ in PAGES:
        app.include_router(router)
    app.mount("/static", _Assets(directory=context.STATIC))
    app.add_exception_handler(ConsoleError, _on_console_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RequestValidationError, _on_bad_request)
    app.add_exception_handler(InputError, _on_input_error)
    app.add_exception_handler(OperatorError, _on_operator_error)
    return app


class _Assets(StaticFiles):
    """Files of ours; their addresses change with what they hold."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        reply = await super().get_response(path, scope)
        reply.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return reply


async def _on_console_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ConsoleError)  # registered for it
    return await _told(request, error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # registered for it
    known = error.status_code if error.status_code in {400, 404, 405, 413} else 400
    return await _told(request, ConsoleError(error.status_code, f"web-error-{known}"))


async def _on_bad_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # registered for it
    if not request.url.path.startswith(FOR_PROGRAMS):
        return await _told(request, ConsoleError(404, "web-error-404"))
    # Not what was sent: it may be large, and no text at all.
    faults = [
        {"field": ".".join(str(part) for part in fault["loc"][1:]), "message": fault["msg"]}
        for fault in error.errors()
    ]
    return await _told(request, ConsoleError(422, "web-error-422"), faults)


async def _on_input_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, InputError)  # registered for it
    return await _replied(request, status_of(error), error.reason.code, partial(context.words, error.reason))


async def _on_operator_error(request: Request, error: Exception) -> Response:
    _log.error("a request could not be carried out", path=request.url.path, reason=str(error))
    return await _told(request, ConsoleError(503, "web-error-503"))


async def _told(
    request: Request, error: ConsoleError, faults: list[dict[str, str]] | None = None
) -> Response:
    def say(language: str) -> str:
        return context.TEXTS.text(error.message, language, **error.values)

    return await _replied(request, error.status, error.message, say, faults)


async def _replied(
    request: Request,
    status: int,
    code: str,
    say: Callable[[str], str],
    faults: list[dict[str, str]] | None = None,
) -> Response:
    try:
        visitor = await visitor_of(request)
    except OperatorError:
        visitor = None
    language = visitor.language if visitor else wanted_language(request.headers)
    message = say(language)
    if request.url.path.startswith(FOR_PROGRAMS):
        body: dict[str, object] = {"code": code, "message": message}
        if faults:
            body["faults"] = faults
        headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
        return JSONResponse({"error": body}, status, headers)
    found = context.of(request)
    # People without a role see the error page without navigation.
    shown = visitor if visitor and visitor.role != "none" else None
    return found.page(
        "error.html",
        shown,
        status=status,
        language=language,
        message=message,
        has_bot=found.parts.settings.has_bot,
    )
