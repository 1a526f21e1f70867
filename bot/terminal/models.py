"""``thinktwice models``: which models are configured, which answer, and where the embedded one is."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from bot.settings.operator_words import in_operator_words
from bot.settings.tree import Settings
from rag.models.roles import ModelStatus, RoleModels, weights
from rag.prices import SEATED_ROLES
from rag.reasons import Reason
from rag.verifier import opening


def show(overrides: dict[str, object], *, as_json: bool) -> int:
    """List each role's model and the verifier, their addresses, and whether they answer.

    Returns:
        0 when every role has a model that answers and the verifier can be used, else 4.

    Raises:
        ThinkTwiceError: a setting names a model or an address that cannot be used.
    """
    settings = Settings.load(**overrides)
    statuses = asyncio.run(_statuses(settings))
    if as_json:
        rows = [
            {**asdict(status), "reason": in_operator_words(str(status.reason or ""))} for status in statuses
        ]
        print(json.dumps(rows, ensure_ascii=False))  # noqa: T201
    else:
        console = Console()
        for (name, address, reachable, reason), roles in _by_model(statuses, settings).items():
            mark, style = ("✔", "green") if reachable else ("✘", "red")
            console.print(
                Text.assemble((f"{mark} ", style), (name, "bold"), f" at {address}"), soft_wrap=True
            )
            console.print(Text(f"    for {', '.join(roles)}", style="dim"))
            if reason:
                console.print(Text(f"    → {in_operator_words(str(reason))}", style="yellow"), soft_wrap=True)
    return 0 if all(status.reachable for status in statuses) else 4


def _by_model(
    statuses: list[ModelStatus], settings: Settings
) -> dict[tuple[str, str, bool, Reason | None], list[str]]:
    """Roles by model: most installations have one model for all of them. A seat is named with its model."""
    roles: dict[tuple[str, str, bool, Reason | None], list[str]] = {}
    for status in statuses:
        seat = settings.council.seats.get(status.name) if status.role in SEATED_ROLES else None
        name = status.name if seat is None else f"{status.name} ({seat.model})"
        key = (name, status.address, status.reachable, status.reason)
        roles.setdefault(key, []).append(status.role)
    return roles


async def _statuses(settings: Settings) -> list[ModelStatus]:
    models = RoleModels(settings.models, settings.data_dir, settings.council)
    try:
        return [*await models.describe(is_tried=True), await opening.describe(models, settings.models)]
    finally:
        await models.aclose()


def pull(overrides: dict[str, object]) -> int:
    """Join or fetch the embedded model's file and check its hash.

    Raises:
        ThinkTwiceError: the pieces are missing and no URL is set, the hash differs, the disk is full.
    """
    settings = Settings.load(**overrides)
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as progress:
        task = progress.add_task("embedded model")
        path = weights(settings.models, settings.data_dir).pull(
            settings.models.embedded_url,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    console.print(f"The embedded model is ready: {path}", highlight=False, soft_wrap=True)
    return 0
