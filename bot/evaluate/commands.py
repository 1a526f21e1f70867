"""``thinktwice evaluate``: quality on labelled sets, as tables and as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.app import engine
from bot.documents.corpus import corpus_paths
from bot.evaluate import grading, measurement_setup, rows, stream
from bot.evaluate.answers import Answered, AnswerReport, answer_row
from bot.evaluate.recording import FOLDER, Recording, Work, fingerprint, program_files
from bot.evaluate.retrieval import RetrievalReport, Searched, has_gold, search_row
from bot.evaluate.rows import AnyRow, LabelledDraft, LabelledQuestion, LabelledSet
from bot.evaluate.systems import SYSTEMS, SystemName, systems, without_model
from bot.evaluate.tables import tables
from bot.evaluate.verdicts import Judged, VerdictReport, judge_row
from bot.settings.tree import Settings
from bot.terminal.index import Bars
from rag.engine import AnswerEngine
from rag.errors import InputError
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.store import FILE_NAME as KNOWLEDGE
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary

T = TypeVar("T")
_DECIDING = {"self_correction", "review", "critique", "budget", "models", "knowledge", "prompts"}
"""Names of the sections of the settings that change an answer: other values begin a new recording."""
_GROUP_FIGURES = (
    "rows", "right", "right_briefly", "wrong", "wrong_verified", "refused_rightly", "refused_wrongly",
    "refused_or_left_open", "used_documents", "calls",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Output:
    """Options of a measurement; `report` is the folder that the figures are written into, as JSON."""

    as_json: bool = False
    report: Path | None = None
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Measurement:
    """What is measured: on which rows, with which models and options.

    Args:
        use_model: Models are asked, and started before the first row.
        facts: Further options that affect a row's result.
    """

    labelled: Path
    settings: Settings
    output: Output
    use_model: bool = False
    facts: Mapping[str, object] | None = None

    def run(self, kind: type[T], work: Callable[[KnowledgeBase, AnswerEngine], Work[T]]) -> tuple[T, ...]:
        """Measure, with progress on standard error; after Ctrl-C, say how to continue."""
        done: list[tuple[int, int]] = []
        try:
            return asyncio.run(self._measure(kind, work, done))
        except KeyboardInterrupt:
            count, total = done[-1] if done else (0, 0)
            tell(
                f"stopped after {count} of {total}; they are kept: the same command with --resume goes on"
                if count
                else "stopped before anything was measured"
            )
            raise

    async def _measure(
        self,
        kind: type[T],
        work: Callable[[KnowledgeBase, AnswerEngine], Work[T]],
        done: list[tuple[int, int]],
    ) -> tuple[T, ...]:
        settings = measurement_setup.unhurried(self.settings)
        console = Console(stderr=True)
        models = RoleModels(settings.models, settings.data_dir, settings.council)
        indexed = partial(
            measurement_setup.indexed, settings.corpus, settings.data_dir, settings.knowledge, settings.models
        )
        try:
            with Bars(console) as bars:
                async with indexed(bars) as base:
                    bars.stop()
                    if self.use_model:  # so that the first row's time does not include the start
                        await models.join()
                        await models.start()
                    answering = engine(settings, models, base, PromptLibrary(settings.prompts))
                    with self._recording(kind, settings, base) as recording, _progress(console, done) as tick:
                        return await recording.complete(work(base, answering), tick)
        finally:
            await models.aclose()

    def _recording(self, kind: type[T], settings: Settings, base: KnowledgeBase) -> Recording[T]:
        own_prompts = settings.prompts.folder
        name = fingerprint(
            [self.labelled, *program_files(), *(sorted(own_prompts.glob("*.md")) if own_prompts else ())],
            {"use_model": self.use_model, **(self.facts or {})},
            settings.model_dump(mode="json", include=_DECIDING),
            [str(path.resolve()) for path in settings.corpus],
            asdict(base.stats()),
            version("thinktwice"),
        )
        path = settings.data_dir / FOLDER / f"{kind.__name__.lower()}-{name}.jsonl"
        recording = Recording(path, kind, resume=self.output.resume)
        if self.output.resume:
            tell(
                f"going on with {len(recording.done)} results that are there"
                if recording.done
                else "there is nothing to go on with for this set, corpus, model, settings and version"
            )
        return recording

    def show(
        self, kind: str, figures: dict[str, Any], columns: Mapping[str, Any], size: str, *of_groups: str
    ) -> int:
        """Print the figures, as tables or as one JSON object, and write them into the folder of the report.

        Raises:
            InputError: nothing can be written there.
        """
        if skipped := len(figures["malformed"]):
            size += f" ({skipped} lines skipped)"
        if self.output.as_json:
            print(json.dumps(figures, ensure_ascii=False))  # noqa: T201 - the command's output
        else:
            model = f"model {self.settings.models.named('draft')}" if self.use_model else "no model"
            corpus = ", ".join(map(str, self.settings.corpus))
            today = datetime.now().astimezone().date().isoformat()
            console = Console()
            subtitle = f"{self.labelled}, {size}; corpus {corpus}; {model}; {today}\n"
            console.print(subtitle, highlight=False, markup=False, soft_wrap=True)
            for table in tables(kind, columns, of_groups):
                console.print(table, "")
        if self.output.report is not None:  # last, so that a full disk does not cost the figures
            path = self.output.report / f"{kind}.json"
            with _written(self.output.report):
                path.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
            tell(f"report: {path}")
        return 0


def measure_verdicts(labelled: Path, overrides: dict[str, object], *, use_model: bool, output: Output) -> int:
    """Run the evaluation of drafts on labelled drafts and report how often it is right.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings, found = _begin(labelled, LabelledDraft, overrides, output)
    measurement = Measurement(labelled, settings, output, use_model)

    def work(base: KnowledgeBase, answering: AnswerEngine) -> Work[Judged]:
        judge = partial(judge_row, corpus=base, tools=answering.tools, use_model=use_model)
        return [(str(number), partial(judge, row)) for number, row in enumerate(found.rows)]

    figures = VerdictReport(measurement.run(Judged, work), found.malformed).to_json()
    return measurement.show("verdicts", figures, {"value": figures}, f"{len(found.rows)} drafts")


def measure_retrieval(labelled: Path, overrides: dict[str, object], *, output: Output) -> int:
    """Search for labelled questions and report where the answers were found.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings, found = _begin(labelled, LabelledQuestion, overrides, output)
    useful = [row for row in found.rows if has_gold(row)]
    if not useful:
        raise InputError(f"{labelled} does not say where an answer is: give the rows `passages` or `answers`")
    measurement = Measurement(labelled, settings, output)

    def work(base: KnowledgeBase, _answering: AnswerEngine) -> Work[Searched]:
        return [(str(number), partial(search_row, row, base)) for number, row in enumerate(useful)]

    searched = measurement.run(Searched, work)
    figures = RetrievalReport(searched, len(found.rows) - len(useful), found.malformed).to_json()
    columns = {"last message alone": {**figures, "with_history": []}}
    if "with_history" in figures:
        columns["follow-ups with their history"] = figures["with_history"]
    return measurement.show("retrieval", figures, columns, f"{len(useful)} questions", "rows")


def measure_answers(
    labelled: Path,
    overrides: dict[str, object],
    *,
    limit: int | None,
    compared: str | None,
    use_model: bool,
    output: Output,
) -> int:
    """Let the systems answer the same mixed questions and report their results and costs.

    Raises:
        ThinkTwiceError: the set, the corpus, a system's name or the model cannot be used.
    """
    names = _system_names(compared, use_model=use_model)
    settings, found = _begin(labelled, LabelledQuestion, overrides, output)
    ungraded = sum(not grading.can_grade(row) for row in found.rows)
    if ungraded == len(found.rows):
        raise InputError(
            f"{labelled} does not say what is right: give the rows `answers`, a `sentence` or a `reference`"
        )
    questions = stream.mixed(found, limit)
    measurement = Measurement(labelled, settings, output, use_model, {"limit": limit})

    def work(base: KnowledgeBase, answering: AnswerEngine) -> Work[Answered]:
        asked = systems(answering) if use_model else without_model(answering)
        # The systems take turns, so that an early end leaves a fair comparison.
        return [
            (f"{number} {name}", partial(answer_row, row, name, asked[name], base.rarity))
            for number, row in enumerate(questions)
            for name in names
        ]

    figures = AnswerReport(measurement.run(Answered, work), ungraded, found.malformed).to_json()
    columns = {
        name: {**one, "answerable": [], "by_answer": {"answerable": one["answerable"] or {}}}
        for name, one in figures["systems"].items()
    }
    for name, saved in figures["tokens_saved"].items():
        columns[name]["tokens_saved"] = saved
    return measurement.show("answers", figures, columns, f"{len(questions)} questions", *_GROUP_FIGURES)


def _begin(
    labelled: Path, kind: type[AnyRow], overrides: dict[str, object], output: Output
) -> tuple[Settings, LabelledSet[AnyRow]]:
    """If the settings name no corpus, they get the one that the bot answers from. The folder of the report is
    checked before the measurement starts.
    """
    settings = Settings.load(**overrides)
    if "corpus" not in settings.model_fields_set and (settings.data_dir / KNOWLEDGE).exists():
        settings = settings.model_copy(update={"corpus": corpus_paths(settings)})
    found = rows.read(labelled, kind)
    for fault in found.malformed:
        tell(f"{labelled}, line {fault.line} was skipped: {fault.reason}")
    if output.report is not None:
        with _written(output.report), tempfile.TemporaryFile(dir=output.report):
            pass
    return settings, found


@contextmanager
def _progress(console: Console, done: list[tuple[int, int]]) -> Iterator[Callable[[int, int], None]]:
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

        def tick(count: int, total: int) -> None:
            done.append((count, total))
            progress.update(task, completed=count, total=total)

        yield tick


def _system_names(compared: str | None, *, use_model: bool) -> Sequence[SystemName]:
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
    return [name for name in SYSTEMS if name in wanted]


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(
            f"the report cannot be written to {folder} ({error.strerror}): give another folder as --report"
        ) from error


def tell(sentence: str) -> None:
    """Print a message to standard error."""
    with suppress(BrokenPipeError):
        print(f"thinktwice: {sentence}", file=sys.stderr)  # noqa: T201 - standard output is for figures
