"""``thinktwice evaluate interview``: how well interviews collect what a person knows."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.app import interview_engine
from bot.evaluate.mission_model import scripted_engine
from bot.evaluate.mission_report import MissionReport, dump_json, to_line, to_lines
from bot.evaluate.missions import MissionRow, Played, load_rows, play
from bot.service.mission_packs import MissionPacks
from bot.settings.tree import Settings
from rag.prompting.library import PromptLibrary


def measure_missions(
    path: Path,
    overrides: dict[str, object],
    *,
    is_scripted: bool = False,
    limit: int | None = None,
    as_json: bool = False,
) -> int:
    """Play missions and report what came of them.

    Args:
        path: The missions, JSON Lines.
        overrides: Settings that were given as options.
        is_scripted: The model is scripted from the missions as well; nothing is asked of any server.
        limit: How many missions, from the first.
        as_json: Print one JSON object and nothing else.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the missions, a pack or a setting cannot be used.
    """
    settings = Settings.load(**overrides)
    report = asyncio.run(_measure(settings, load_rows(path)[:limit], is_scripted=is_scripted))
    print(dump_json(report) if as_json else "\n".join(to_lines(report)))  # noqa: T201 - the output
    return 0


async def _measure(settings: Settings, rows: tuple[MissionRow, ...], *, is_scripted: bool) -> MissionReport:
    packs = await asyncio.to_thread(MissionPacks.load, settings.interviews.packs)
    played: list[Played] = []
    if is_scripted:
        prompts = await asyncio.to_thread(PromptLibrary, settings.prompts)
        for row in rows:
            mission = packs.find(row.pack)
            played.append(await play(row, mission, scripted_engine(row, mission, prompts)))
        return MissionReport(tuple(played), "a scripted model")
    async with interview_engine(settings) as engine:
        for number, row in enumerate(rows, 1):
            played.append(await play(row, packs.find(row.pack), engine))
            print(f"{number}/{len(rows)} {to_line(played[-1])}", file=sys.stderr)  # noqa: T201 - how far it is
    return MissionReport(tuple(played), settings.models.named("interviewer"))
