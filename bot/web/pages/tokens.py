"""Tokens of programs: made, shown once, revoked."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.settings import addresses
from bot.web import context
from bot.web.errors import ConsoleError, not_found
from bot.web.visitors import Admin, AdminPosted, RowNumber, Visitor, confirm

router = APIRouter(include_in_schema=False)


@router.get("/tokens")
async def show(request: Request, visitor: Admin) -> Response:
    """List the tokens, without their secrets."""
    return await _page(request, visitor)


@router.post("/tokens")
async def make(request: Request, post: AdminPosted) -> Response:
    """Make a token, and show it this once."""
    name = post.text("name").strip()
    if not name:
        raise ConsoleError(422, "web-token-nameless")
    made = await context.of(request).parts.logins.token(post.visitor.user_id, name)
    return await _page(request, post.visitor, made)


@router.post("/tokens/{token_id}/revoke")
async def revoke(request: Request, post: AdminPosted, token_id: RowNumber) -> Response:
    """Make a token worthless."""
    if not post.is_sure:
        return confirm(request, post, "web-token-sure", post.text("name"), "/tokens")
    if not await context.of(request).parts.logins.revoke(token_id):
        raise not_found()
    return context.see("/tokens")


async def _page(request: Request, visitor: Visitor, made: str = "") -> Response:
    found = context.of(request)
    tokens = [
        (token, (await found.parts.users.get(token.user_id)).name)
        for token in await found.parts.logins.tokens()
    ]
    base = addresses.base(found.parts.settings.console)
    return found.page("tokens.html", visitor, tokens=tokens, made=made, base=base)
