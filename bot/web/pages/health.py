"""Is everything working? One line a part."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.health import HealthCheck
from bot.service.keys import NOBODY
from bot.web import context
from bot.web.visitors import Admin

router = APIRouter(include_in_schema=False)


@router.get("/health")
async def show(request: Request, visitor: Admin) -> Response:
    """Look at every part."""
    found = context.of(request)
    check = HealthCheck(
        database=lambda: found.parts.users.get(NOBODY),
        jobs=found.jobs,
        library=found.parts.library,
        models=found.models,
        data_dir=found.parts.settings.data_dir,
        started_at=found.started_at,
        clock=found.clock,
        language=visitor.language,
        machines=found.parts.machines,
    )
    return found.page("health.html", visitor, parts=await check.look())
