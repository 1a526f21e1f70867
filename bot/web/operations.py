"""Routes for monitoring: is the program alive, and how is it doing?"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bot.service.keys import NOBODY
from bot.web import context, metrics
from bot.web.visitors import Admin
from rag.errors import ThinkTwiceError

router = APIRouter(include_in_schema=False)

_PATIENCE_SECONDS: Final = 5.0
_PAGE_BYTES: Final = 4096


@router.get("/healthz")
async def is_alive(request: Request) -> Response:
    """Say whether questions can be taken in: the database answers, the disk takes what is written, and work
    can be recorded. Tells nothing else.
    """
    found = context.of(request)
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await found.parts.users.get(NOBODY)
            await asyncio.to_thread(_write, found.parts.settings.data_dir)
    except (ThinkTwiceError, TimeoutError):
        return PlainTextResponse("the database does not answer\n", 503)
    except OSError:
        return PlainTextResponse("the data folder cannot be written\n", 503)
    if found.jobs.trouble is not None:
        return PlainTextResponse("no work can be recorded\n", 503)
    return PlainTextResponse("ok\n")


def _write(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(_PAGE_BYTES))
        file.flush()
        os.fsync(file.fileno())


@router.get("/metrics")
async def show_metrics(request: Request, _visitor: Admin) -> Response:
    """The figures for Prometheus, which shows the token of an administrator."""
    return Response(await metrics.collected(context.of(request)), media_type=CONTENT_TYPE_LATEST)
