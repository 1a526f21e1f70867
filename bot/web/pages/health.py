"""Is everything working? One line a part."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.web import context
from bot.web.health import probed
from bot.web.visitors import Admin

router = APIRouter(include_in_schema=False)


@router.get("/health")
async def show(request: Request, visitor: Admin) -> Response:
    """Look at every part."""
    found = context.of(request)
    return found.page("health.html", visitor, parts=await probed(found, visitor.language))
