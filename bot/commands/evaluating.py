"""``thinktwice evaluate``: quality on labelled sets, as tables, as JSON, as a page."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.commands.indexing import Bars
from bot.evaluate import answers, grading, ground, retrieval, rows, stream, tables, verdicts
from bot.evaluate.ground import Ground
from bot.evaluate.page import Page
from bot.evaluate.recording import Recording
from bot.evaluate.rows import LabelledDraft, LabelledQuestion, Malformed
from bot.evaluate.systems import SYSTEMS, SystemName, systems
from bot.settings import Settings
from rag.errors import InputError
from rag.models.roles import RoleModels

T = TypeVar("T")
Measure = Callable[[Ground], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class Output:
    """How a measurement runs and what it leaves.

    Args:
        as_json: Print one JSON object instead of tables.
        report: Folder for a page with plots.
        resume: Go on with a measurement that was stopped.
    """

    as_json: bool = False
    report: Path | None = None
    resume: bool = False


def measure_verdicts(labelled: Path, overrides: dict[str, object], *, use_model: bool, output: Output) -> int:
    """Run the evaluation of drafts on labelled drafts and report how often it is right.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings = Settings.load(**overrides)
    found = rows.read(labelled, LabelledDraft)
    tell_malformed(labelled, found.malformed)
    judged = measured(settings, judging(labelled, found.rows, use_model=use_model, resume=output.resume))
    report = verdicts.VerdictReport(judged, found.malformed)
    _show(report.to_json(), tables.of_verdicts, output)
    if output.report is not None:
        from bot.evaluate import pages
        from bot.evaluate.ablation import ablation

        losses = ablation(judged, settings.self_correction.evaluation_threshold)
        subtitle = _subtitle(settings, labelled, f"{len(judged)} drafts", use_model=use_model)
        _write(output.report, "verdicts", pages.of_verdicts(report, losses, subtitle), report.to_json())
    return 0


def measure_retrieval(labelled: Path, overrides: dict[str, object], *, output: Output) -> int:
    """Search for labelled questions and report where the answers were found.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings = Settings.load(**overrides)
    found = rows.read(labelled, LabelledQuestion)
    tell_malformed(labelled, found.malformed)
    useful = sum(map(retrieval.has_gold, found.rows))
    if not useful:
        raise InputError(f"{labelled} does not say where an answer is: give the rows `passages` or `answers`")

    async def measure(on: Ground) -> tuple[retrieval.Searched, ...]:
        with _recording(on, retrieval.Searched, labelled, {}, resume=output.resume) as recording:
            return await retrieval.measure(found.rows, on.base, recording, on.tick)

    searched = measured(settings, measure)
    report = retrieval.RetrievalReport(searched, len(found.rows) - useful, found.malformed)
    _show(report.to_json(), tables.of_retrieval, output)
    if output.report is not None:
        from bot.evaluate import pages

        page = pages.of_retrieval(report, _subtitle(settings, labelled, f"{useful} questions"))
        _write(output.report, "retrieval", page, report.to_json())
    return 0


def measure_answers(
    labelled: Path, overrides: dict[str, object], *, limit: int | None, compared: str, output: Output
) -> int:
    """Let the systems answer the same mixed questions and report what came out and what it cost.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set, the corpus, a system's name or the model cannot be used.
    """
    names = _system_names(compared)
    settings = Settings.load(**overrides)
    found = rows.read(labelled, LabelledQuestion)
    tell_malformed(labelled, found.malformed)
    ungraded = sum(not grading.can_grade(row) for row in found.rows)
    if ungraded == len(found.rows):
        raise InputError(f"{labelled} does not say what is right: give the rows `answers` or a `reference`")
    questions = stream.mixed(found, limit)
    facts = {"limit": limit, "everyday": len(stream.everyday())}

    async def measure(on: Ground) -> tuple[answers.Answered, ...]:
        await _readied(on)
        asked = {name: system for name, system in systems(on.engine).items() if name in names}
        with _recording(on, answers.Answered, labelled, facts, resume=output.resume) as recording:
            return await answers.measure(questions, asked, on.base.rarity, recording, on.tick)

    answered = measured(settings, measure)
    report = answers.AnswerReport(answered, ungraded, found.malformed)
    _show(report.to_json(), tables.of_answers, output)
    if output.report is not None:
        from bot.evaluate import pages

        subtitle = _subtitle(settings, labelled, f"{len(questions)} questions", use_model=True)
        _write(output.report, "answers", pages.of_answers(report, subtitle), report.to_json())
    return 0


def judging(
    labelled: Path, drafts: Sequence[LabelledDraft], *, use_model: bool, resume: bool
) -> Measure[tuple[verdicts.Judged, ...]]:
    """The measurement that judges labelled drafts, kept row by row."""

    async def measure(on: Ground) -> tuple[verdicts.Judged, ...]:
        if use_model:
            await _readied(on)
        facts = {"use_model": use_model}
        with _recording(on, verdicts.Judged, labelled, facts, resume=resume) as recording:
            return await verdicts.measure(
                drafts, on.base, on.engine.tools, recording, use_model=use_model, on_progress=on.tick
            )

    return measure


async def _readied(on: Ground) -> None:
    """Load the models now: the first question's seconds shall not be those of a start.

    Raises:
        ThinkTwiceError: a model cannot run here.
    """
    from bot.app import joined

    await joined(on.models, on.settings)
    await on.models.start()


def _recording(
    on: Ground, kind: type[T], labelled: Path, facts: dict[str, Any], *, resume: bool
) -> Recording[T]:
    recording = on.recording(kind, labelled, facts, resume=resume)
    if resume:
        _tell(
            f"going on with {len(recording.done)} results that are there"
            if recording.done
            else "there is nothing to go on with for this set, corpus, model, settings and version"
        )
    return recording


def measured(settings: Settings, measure: Measure[T]) -> T:
    """Measure, with progress on standard error; Ctrl-C says how to go on."""
    done: list[tuple[int, int]] = []
    try:
        return asyncio.run(_on_its_ground(settings, measure, done))
    except KeyboardInterrupt:
        if done:
            rows_done, total = done[-1]
            _tell(
                f"stopped after {rows_done} of {total}; they are kept: the same command with --resume goes on"
            )
        raise


async def _on_its_ground(settings: Settings, measure: Measure[T], done: list[tuple[int, int]]) -> T:
    """Index the corpus of the set and measure on it, however slow the machine is."""
    settings = ground.unhurried(settings)
    console = Console(stderr=True)
    models = RoleModels(settings.models, settings.data_dir)
    try:
        with Bars(console) as bars:
            async with ground.indexed(
                settings.corpus, settings.data_dir, settings.knowledge, settings.models, bars
            ) as base:
                bars.stop()
                with Progress(
                    TextColumn("{task.description}"),
                    BarColumn(),
                    MofNCompleteColumn(),
                    TimeRemainingColumn(),
                    console=console,
                    transient=True,
                ) as progress:
                    task = progress.add_task("measuring", total=None)

                    def tick(rows_done: int, total: int) -> None:
                        done.append((rows_done, total))
                        progress.update(task, completed=rows_done, total=total)

                    return await measure(
                        Ground(settings, base, models, ground.engine(settings, models, base), tick)
                    )
    finally:
        await models.aclose()


def _system_names(compared: str) -> tuple[SystemName, ...]:
    wanted = [name.strip() for name in compared.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in SYSTEMS]
    if unknown or not wanted:
        named = " and ".join(map(repr, unknown)) or "nothing"
        raise InputError(
            f"--systems names {named}, which is no system that is known: give some of {','.join(SYSTEMS)}"
        )
    return tuple(name for name in SYSTEMS if name in wanted)


def _show(figures: dict[str, Any], layout: Callable[[dict[str, Any]], list[Table]], output: Output) -> None:
    if output.as_json:
        print(json.dumps(figures, ensure_ascii=False))  # noqa: T201 - the command's output
        return
    console = Console()
    for table in layout(figures):
        console.print(table)
        console.print()


def _write(folder: Path, name: str, page: Page, figures: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.html"
    path.write_text(page.to_html(), encoding="utf-8")
    text = json.dumps(figures, ensure_ascii=False, indent=2) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    _tell(f"report: {path}")


def _subtitle(settings: Settings, labelled: Path, size: str, *, use_model: bool = False) -> str:
    models = RoleModels(settings.models, settings.data_dir)
    model = f"model {models.name('draft')}" if use_model else "no model"
    today = datetime.now().astimezone().date().isoformat()
    corpus = ", ".join(str(path) for path in settings.corpus)
    return f"{labelled}, {size}; corpus {corpus}; {model}; {today}"


def tell_malformed(path: Path, malformed: Sequence[Malformed]) -> None:
    """Name the lines of a set that were skipped."""
    for fault in malformed:
        _tell(f"{path}, line {fault.line} was skipped: {fault.reason}")


def _tell(sentence: str) -> None:
    with suppress(BrokenPipeError):
        print(f"thinktwice: {sentence}", file=sys.stderr)  # noqa: T201 - standard output is for figures
