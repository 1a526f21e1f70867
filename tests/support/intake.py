"""What records updates, with doubles of what it uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

from bot.clock import utcnow
from bot.service.admission import Reception
from bot.service.incoming import Me, Place, Sender
from bot.telegram.inbound.inbox import Intake, Rules
from bot.telegram.services import Services


def build_intake(
    queue: object,
    me: Me,
    rules: Rules,
    chats: object,
    reception: object,
    clock: Callable[[], datetime] = utcnow,
    role: Callable[[Sender, Place], Awaitable[str]] | None = None,
    **options: Any,
) -> Intake:
    """Return an intake that records in `queue`; everybody may ask, unless `role` says otherwise."""

    async def member(_sender: Sender, _place: Place) -> str:
        return "member"

    if not hasattr(queue, "together"):
        queue.together = nullcontext  # type: ignore[attr-defined]  # doubles need no transactions
    services = SimpleNamespace(
        jobs=queue,
        me=me,
        clock=clock,
        limits=SimpleNamespace(refuses=lambda *_: False),
        parts=SimpleNamespace(chats=chats, access=SimpleNamespace(role=role or member)),
    )
    return Intake(cast("Services", services), rules, cast("Reception", reception), **options)
