"""``thinktwice evaluate``: quality on labelled sets, as tables and as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.app import engine
from bot.documents.corpus import corpus_paths
from bot.evaluate import (
    answers,
    contrast,
    grading,
    measurement_setup,
    retrieval,
    rows,
    stream,
    tables,
    verdicts,
)
from bot.evaluate.measurement_setup import MeasurementSetup
from bot.evaluate.recording import Recording
from bot.evaluate.rows import AnyRow, LabelledDraft, LabelledPair, LabelledQuestion, LabelledSet, Malformed
from bot.evaluate.systems import SYSTEMS, SystemName, systems, without_model
from bot.settings.tree import Settings
from bot.terminal.index import Bars
from rag.errors import InputError
from rag.knowledge.store import FILE_NAME as KNOWLEDGE
from rag.models.chat import ModelRole
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary
from rag.settings import BUNDLED

T = TypeVar("T")
Measure = Callable[[MeasurementSetup], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class Output:
    """Options of a measurement.

    Args:
        as_json: Print one JSON object instead of tables.
        report: Folder that the figures are written into, as JSON.
        resume: Continue a measurement that was stopped.
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
    settings, found = begun(labelled, LabelledDraft, overrides, output)
    judged = measured(settings, judging(labelled, found.rows, use_model=use_model, resume=output.resume))
    report = verdicts.VerdictReport(judged, found.malformed)
    subtitle = describe(settings, labelled, size_of(found, "drafts", len(judged)), use_model=use_model)
    show("verdicts", report.to_json(), tables.of_verdicts, subtitle, output)
    return 0


def measure_contrast(
    labelled: Path,
    overrides: dict[str, object],
    *,
    limit: int | None,
    split: str,
    use_model: bool,
    output: Output,
) -> int:
    """Check both texts of labelled pairs and report how many of each are called verified.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set, the corpus or the model cannot be used.
    """
    settings, found = begun(labelled, LabelledPair, overrides, output)
    if not use_model:
        bundled = settings.models.model_copy(update={"verifier": BUNDLED})
        settings = settings.model_copy(update={"models": bundled})
    found = rows.of_split(found, split)
    pairs = stream.spread(found.rows, len(found.rows) if limit is None else limit)
    facts = {"limit": limit, "split": split}

    async def measure(on: MeasurementSetup) -> tuple[contrast.Contrasted, ...]:
        if settings.models.verifier != BUNDLED:
            await readied(on)
        with opened_recording(on, contrast.Contrasted, labelled, facts, resume=output.resume) as recording:
            return await contrast.measure(pairs, on.base, on.engine.tools, recording, on.tick)

    report = contrast.ContrastReport(measured(settings, measure), found.malformed)
    size = size_of(found, "pairs", len(pairs))
    subtitle = describe(settings, labelled, size, use_model=True, role="verifier")
    show("contrast", report.to_json(), tables.of_contrast, subtitle, output)
    return 0


def measure_retrieval(labelled: Path, overrides: dict[str, object], *, output: Output) -> int:
    """Search for labelled questions and report where the answers were found.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings, found = begun(labelled, LabelledQuestion, overrides, output)
    useful = sum(map(retrieval.has_gold, found.rows))
    if not useful:
        raise InputError(f"{labelled} does not say where an answer is: give the rows `passages` or `answers`")

    async def measure(on: MeasurementSetup) -> tuple[retrieval.Searched, ...]:
        with opened_recording(on, retrieval.Searched, labelled, {}, resume=output.resume) as recording:
            return await retrieval.measure(found.rows, on.base, recording, on.tick)

    searched = measured(settings, measure)
    report = retrieval.RetrievalReport(searched, len(found.rows) - useful, found.malformed)
    subtitle = describe(settings, labelled, size_of(found, "questions", useful))
    show("retrieval", report.to_json(), tables.of_retrieval, subtitle, output)
    return 0


def measure_answers(
    labelled: Path,
    overrides: dict[str, object],
    *,
    limit: int | None,
    split: str,
    compared: str | None,
    use_model: bool,
    output: Output,
) -> int:
    """Let the systems answer the same mixed questions and report their results and costs.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set, the corpus, a system's name or the model cannot be used.
    """
    names = _system_names(compared, use_model=use_model)
    settings, found = begun(labelled, LabelledQuestion, overrides, output)
    found = rows.of_split(found, split)
    ungraded = sum(not grading.can_grade(row) for row in found.rows)
    if ungraded == len(found.rows):
        raise InputError(
            f"{labelled} does not say what is right: give the rows `answers`, a `sentence` or a `reference`"
        )
    questions = stream.mixed(found, limit)
    facts = {"limit": limit, "split": split, "use_model": use_model, "everyday": len(stream.everyday())}

    async def measure(on: MeasurementSetup) -> tuple[answers.Answered, ...]:
        if use_model:
            await readied(on)
        answering = systems(on.engine) if use_model else without_model(on.engine)
        asked = {name: system for name, system in answering.items() if name in names}
        with opened_recording(on, answers.Answered, labelled, facts, resume=output.resume) as recording:
            return await answers.measure(questions, asked, on.base.rarity, recording, on.tick)

    answered = measured(settings, measure)
    report = answers.AnswerReport(answered, ungraded, found.malformed)
    size = size_of(found, "questions", len(questions))
    subtitle = describe(settings, labelled, size, use_model=use_model)
    show("answers", report.to_json(), tables.of_answers, subtitle, output)
    return 0


def settings_of(overrides: dict[str, object]) -> Settings:
    """The settings; if they name no corpus, they get the one that the bot answers from."""
    settings = Settings.load(**overrides)
    if "corpus" in settings.model_fields_set or not (settings.data_dir / KNOWLEDGE).exists():
        return settings
    return settings.model_copy(update={"corpus": corpus_paths(settings)})


def begun(
    labelled: Path, kind: type[AnyRow], overrides: dict[str, object], output: Output
) -> tuple[Settings, LabelledSet[AnyRow]]:
    """Check the set and the report folder before the measurement starts."""
    settings = settings_of(overrides)
    found = rows.read(labelled, kind)
    tell_malformed(labelled, found.malformed)
    if output.report is not None:
        with _written(output.report), tempfile.TemporaryFile(dir=output.report):
            pass
    return settings, found


def judging(
    labelled: Path, drafts: Sequence[LabelledDraft], *, use_model: bool, resume: bool
) -> Measure[tuple[verdicts.Judged, ...]]:
    """The measurement that judges labelled drafts, kept row by row."""

    async def measure(on: MeasurementSetup) -> tuple[verdicts.Judged, ...]:
        if use_model:
            await readied(on)
        facts = {"use_model": use_model}
        with opened_recording(on, verdicts.Judged, labelled, facts, resume=resume) as recording:
            return await verdicts.measure(
                drafts, on.base, on.engine.tools, recording, use_model=use_model, on_progress=on.tick
            )

    return measure


async def readied(on: MeasurementSetup) -> None:
    """Load the models now, so that the first question's time does not include the start.

    Raises:
        ThinkTwiceError: a model cannot run here.
    """
    await on.models.join()
    await on.models.start()


def opened_recording(
    on: MeasurementSetup, kind: type[T], labelled: Path, facts: dict[str, Any], *, resume: bool
) -> Recording[T]:
    """Open the recording of a measurement, and say how much of it is there."""
    recording = on.recording(kind, labelled, facts, resume=resume)
    if resume:
        tell(
            f"going on with {len(recording.done)} results that are there"
            if recording.done
            else "there is nothing to go on with for this set, corpus, model, settings and version"
        )
    return recording


def measured(settings: Settings, measure: Measure[T]) -> T:
    """Measure, with progress on standard error; after Ctrl-C, say how to continue."""
    done: list[tuple[int, int]] = []
    try:
        return asyncio.run(_run_measurement(settings, measure, done))
    except KeyboardInterrupt:
        rows_done, total = done[-1] if done else (0, 0)
        tell(
            f"stopped after {rows_done} of {total}; they are kept: the same command with --resume goes on"
            if rows_done
            else "stopped before anything was measured"
        )
        raise


async def _run_measurement(settings: Settings, measure: Measure[T], done: list[tuple[int, int]]) -> T:
    """Index the corpus of the set and measure on it, however slow the machine is."""
    settings = measurement_setup.unhurried(settings)
    console = Console(stderr=True)
    models = RoleModels(settings.models, settings.data_dir, settings.council)
    try:
        with Bars(console) as bars:
            async with measurement_setup.indexed(
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
                    disable=not console.is_terminal,  # it would leave empty lines in a log
                ) as progress:
                    task = progress.add_task("measuring", total=None)

                    def tick(rows_done: int, total: int) -> None:
                        done.append((rows_done, total))
                        progress.update(task, completed=rows_done, total=total)

                    answering = engine(settings, models, base, PromptLibrary(settings.prompts))
                    return await measure(MeasurementSetup(settings, base, models, answering, tick))
    finally:
        await models.aclose()


def _system_names(compared: str | None, *, use_model: bool) -> tuple[SystemName, ...]:
    if compared is None:
        return SYSTEMS if use_model else ("self",)
    wanted = [name.strip() for name in compared.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in SYSTEMS]
    if unknown or not wanted:
        named = " and ".join(map(repr, unknown)) or "nothing"
        raise InputError(
            f"--systems names {named}, which is no system that is known: give some of {','.join(SYSTEMS)}"
        )
    if not use_model and wanted != ["self"]:
        raise InputError("without a model only the system self answers: leave out --systems or --no-model")
    return tuple(name for name in SYSTEMS if name in wanted)


def show(
    kind: str,
    figures: dict[str, Any],
    layout: Callable[[dict[str, Any]], list[Table]],
    subtitle: str,
    output: Output,
) -> None:
    """Print the figures, as tables or as one JSON object, and write them into the folder of the report.

    Raises:
        InputError: nothing can be written there.
    """
    if output.as_json:
        print(json.dumps(figures, ensure_ascii=False))  # noqa: T201 - the command's output
    else:
        console = Console()
        console.print(subtitle, highlight=False, markup=False, soft_wrap=True)
        console.print()
        for table in layout(figures):
            console.print(table)
            console.print()
    if output.report is not None:  # last, so that a full disk does not cost the figures
        path = output.report / f"{kind}.json"
        with _written(output.report):
            path.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        tell(f"report: {path}")


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    """Write into the existing folder of a report.

    Raises:
        InputError: nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(
            f"the report cannot be written to {folder} ({error.strerror}): give another folder as --report"
        ) from error


def size_of(found: LabelledSet[AnyRow], kind: str, count: int) -> str:
    """Return how many rows were used, and how many lines could not be used."""
    skipped = len(found.malformed)
    return f"{count} {kind}" + (f" ({skipped} lines skipped)" if skipped else "")


def describe(
    settings: Settings, labelled: Path, size: str, *, use_model: bool = False, role: ModelRole = "draft"
) -> str:
    """Describe the measurement: the set, the corpus, the model of a role and the time."""
    model = f"model {settings.models.named(role)}" if use_model else "no model"
    today = datetime.now().astimezone().date().isoformat()
    corpus = ", ".join(str(path) for path in settings.corpus)
    return f"{labelled}, {size}; corpus {corpus}; {model}; {today}"


def tell_malformed(path: Path, malformed: Sequence[Malformed]) -> None:
    """Name the lines of a set that were skipped."""
    for fault in malformed:
        tell(f"{path}, line {fault.line} was skipped: {fault.reason}")


def tell(sentence: str) -> None:
    """Print a message to standard error."""
    with suppress(BrokenPipeError):
        print(f"thinktwice: {sentence}", file=sys.stderr)  # noqa: T201 - standard output is for figures
