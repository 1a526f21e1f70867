"""``thinktwice evaluate council``: whether several models answer better than the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from bot.evaluate import commands, grading, rows, stream, tables
from bot.evaluate.commands import Output
from bot.evaluate.council import MAX_WORSE_SHARE, CouncilReport, CouncilResult, measure
from bot.evaluate.measurement_setup import MeasurementSetup
from bot.evaluate.rows import LabelledQuestion
from rag.errors import InputError
from rag.reasons import Reason
from rag.values.council import Seat


def measure_council(
    labelled: Path,
    overrides: dict[str, object],
    *,
    limit: int | None,
    split: str,
    output: Output,
) -> int:
    """Compare the best member with the council, without and with self-correction.

    Returns:
        0.

    Raises:
        ThinkTwiceError: there are no members, or the set, the corpus or a model cannot be used.
    """
    settings, found = commands.begun(labelled, LabelledQuestion, overrides, output)
    if not settings.council.members:
        raise InputError(Reason("council-no-seats"))
    found = rows.of_split(found, split)
    asked = [row for row in found.rows if grading.can_grade(row)]
    if not asked:
        raise InputError(
            f"{labelled} does not say what is right: give the rows `answers`, a `sentence` or a `reference`"
        )
    questions = stream.spread(asked, len(asked) if limit is None else limit)
    facts = {"limit": limit, "split": split, "council": settings.council.model_dump(mode="json")}

    async def measured(on: MeasurementSetup) -> tuple[CouncilResult, ...]:
        await commands.readied(on)
        with commands.opened_recording(on, CouncilResult, labelled, facts, resume=output.resume) as recording:
            return await measure(questions, on.engine, on.base.rarity, recording, on.tick)

    report = CouncilReport(
        commands.measured(settings, measured),
        tuple(Seat(name) for name in dict.fromkeys(settings.council.members)),
        len(found.rows) - len(asked),
        found.malformed,
    )
    members = ", ".join(settings.council.members)
    size = commands.size_of(found, "questions", len(questions))
    subtitle = f"{commands.describe(settings, labelled, size, use_model=True)}; council {members}"
    commands.show("council", report.to_json(), of_council, subtitle, output)
    return 0


def of_council(report: Mapping[str, Any]) -> list[Table]:
    """The three systems side by side, each member, and what the corrections did."""
    systems = {
        f"best member ({report['best_member']})": report["systems"]["best_member"],
        "without correction": report["systems"]["council_without_correction"],
        "council": report["systems"]["council"],
    }
    whole = tables.comparison(f"answers to {report['rows']} questions", systems)
    members = tables.comparison("members, by themselves", report["members"])
    made = report["corrections"]
    effects = tables.pairs(
        "corrections",
        {
            **{name: made[name] for name in ("made", "changed", "better", "worse", "same")},
            f"worse (at most {MAX_WORSE_SHARE:.0%})": made["worse_share"],
            **{f"kept: {reason}": count for reason, count in made["fallbacks"].items()},
            "reviews": report["reviews"]["asked"],
            **{f"abstained: {reason}": count for reason, count in report["reviews"]["abstained"].items()},
        },
    )
    return [whole, members, effects]
