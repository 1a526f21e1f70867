"""``thinktwice evaluate calibrate``: the effect of thresholds, by labelled drafts and by ratings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bot.evaluate import calibration, commands, rows, tables
from bot.evaluate.calibration import Calibration
from bot.evaluate.feedback import Opinion, Scored, stored_opinions
from bot.evaluate.rows import LabelledDraft
from bot.settings.names import PREFIX
from bot.settings.tree import Settings
from bot.storage.answered import StoredAnswers
from bot.storage.database import FILE_NAME, open_database
from rag.errors import InputError


def calibrate(
    labelled: Path | None,
    overrides: dict[str, object],
    *,
    feedback: Path | None,
    scores: Path | None,
    tolerance: float,
    resume: bool,
    as_json: bool,
) -> int:
    """Show the effect of thresholds on labelled drafts, scores and feedback, and suggest one; change nothing.

    Returns:
        0.

    Raises:
        ThinkTwiceError: there is no data, or a file cannot be used.
    """
    settings = commands.settings_of(overrides)
    opinions = _opinions(feedback, settings)
    scored: tuple[Scored, ...] = ()
    if labelled is None and scores is None and not opinions:
        raise InputError(
            "there is nothing to calibrate by: nobody has yet pressed a button below an answer that was "
            "found adequate or scored, so give labelled drafts, --scores or --feedback"
        )
    if scores is not None:
        given = rows.read(scores, Scored)
        commands.tell_malformed(scores, given.malformed)
        scored = given.rows
    confident = {"feedback": calibration.of_confidences(opinions)}
    if labelled is not None:
        drafts = rows.read(labelled, LabelledDraft)
        commands.tell_malformed(labelled, drafts.malformed)
        judged = commands.measured(
            settings, commands.judging(labelled, drafts.rows, use_model=False, resume=resume)
        )
        commands.tell(commands.describe(settings, labelled, f"{len(judged)} drafts"))
        confident["labelled drafts"] = calibration.of_drafts(judged)
    current = {
        "self_correction.evaluation_threshold": settings.self_correction.evaluation_threshold,
        "critique.threshold": settings.critique.threshold,
    }
    cases = {
        "self_correction.evaluation_threshold": {name: found for name, found in confident.items() if found},
        "critique.threshold": calibration.of_scores(scored, opinions),
    }
    found = [
        calibration.calibrate(setting, current[setting], of, tolerance) for setting, of in cases.items() if of
    ]
    _show_calibrations(found, as_json=as_json)
    return 0


def _opinions(feedback: Path | None, settings: Settings) -> tuple[Opinion, ...]:
    """Ratings by readers: from a file, or else from the buttons below the bot's own answers."""
    if feedback is not None:
        said = rows.read(feedback, Opinion)
        commands.tell_malformed(feedback, said.malformed)
        return said.rows
    if not (settings.database_url.get_secret_value() or (settings.data_dir / FILE_NAME).exists()):
        return ()  # nothing was ever asked; do not create a database by looking
    return asyncio.run(_rated(settings))


async def _rated(settings: Settings) -> tuple[Opinion, ...]:
    async with open_database(settings.data_dir, settings.database_url.get_secret_value()) as database:
        return await stored_opinions(StoredAnswers(database))


def _show_calibrations(found: Sequence[Calibration], *, as_json: bool) -> None:
    if as_json:
        shown = {one.setting: one.to_json() for one in found}
        print(json.dumps(shown, ensure_ascii=False))  # noqa: T201 - the command's output
        return
    console = Console()
    for one in found:
        console.print(tables.of_calibration(one))
        if one.proposed is None:
            console.print(f"Nothing is proposed: {one.reason}.", highlight=False)
        else:
            change = "as it is" if one.proposed == one.current else f"now {one.current:g}"
            sentence = f"Proposed: {one.setting} = {one.proposed:g} ({change}): {one.reason}."
            console.print(sentence, highlight=False, soft_wrap=True)
        console.print()
    wanted = " ".join(
        f"{PREFIX}{one.setting.replace('.', '__').upper()}={one.proposed:g}"
        for one in found
        if one.proposed not in {None, one.current}
    )
    console.print(
        f"Nothing was changed; to follow, set {wanted}." if wanted else "Nothing was changed.",
        highlight=False,
        soft_wrap=True,
    )
