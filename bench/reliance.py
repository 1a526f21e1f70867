"""How reliable labels are: pairs of a right and a false answer, and natural questions.

Contrast pairs and false answers are labelled as the product labels them, without a model and, where a
reader's replies are recorded, with a second reading but no judge; natural questions are answered by quoting.
Every folder is its own corpus. A row without a recorded reading is left out and counted.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from bench.recorded_model import NotRecordedError, RecordedModel, Records
from bench.sets import DATA, SHARED
from bot.evaluate import answers, contrast, measurement_setup, rows
from bot.evaluate.answers import Answered, AnswerReport
from bot.evaluate.contrast import Contrasted, ContrastReport
from bot.evaluate.rows import LabelledPair, LabelledQuestion
from bot.evaluate.systems import without_model
from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.models.chat import ChatModel
from rag.models.scripted import ScriptedModel
from rag.settings import Knowledge, Models, SelfCorrection

READINGS = DATA / "readings.jsonl"
"""What the embedded model read in the passages of our handbooks and of the samples of contrast pairs;
``bench/record_readings.py`` made it."""

_PATIENCE_SECONDS = 600.0
_SAMPLE = 40
"""Number of pairs of a contrast set in every run of the tests, with only their own passages: embedding whole
corpora takes minutes."""

_SAMPLES = {"sample": 0, "second sample": 3, "third sample": 5}
"""For each sample of a contrast set, the index of its first pair. People read the pairs of the first two
samples while they wrote the rules that compare a reading with an answer; nobody read those of the third."""

_ENOUGH_RECORDED = 0.9
_OF_ANSWERABLE = ("right", "right_briefly", "refused_wrongly")

Kind = Literal["false answers", "contrast", "natural"]
AnyQuestionRow = TypeVar("AnyQuestionRow", LabelledPair, LabelledQuestion)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are measured together.

    Args:
        name: Its name in the committed figures.
        kind: Type of its rows.
        folders: Their folders, each with the corpus of its rows.
        has_reader: Measured with the recorded reader; otherwise without any model.
        most: Maximum number of rows, evenly chosen, with only the passages that they name; 0 means all.
        first: Index of the row that is chosen first; another one gives another sample.
        is_quick: Measured by every run of the tests.
        most_wrong: Maximum share of false answers labelled verified, in either form.
    """

    name: str
    kind: Kind
    folders: tuple[Path, ...]
    has_reader: bool = False
    most: int = 0
    first: int = 0
    is_quick: bool = True
    most_wrong: float = 1.0


def groups() -> list[Group]:
    """Every group; those of the shared folder may be missing."""
    parts = {"fitting": handbooks("a"), "fitting later": handbooks("c"), "held out": handbooks("b")}
    found = [
        Group(f"false answers {part}", "false answers", folders, most_wrong=0.35)
        for part, folders in parts.items()
    ]
    found += [
        Group(f"false answers {part} with reader", "false answers", folders, has_reader=True, most_wrong=0.15)
        for part, folders in parts.items()
    ]
    for folder in (*handbooks("a"), *handbooks("b"), *handbooks("c")):
        found.append(Group(f"natural {folder.name}", "natural", (folder,)))
        found.append(Group(f"natural {folder.name} with reader", "natural", (folder,), has_reader=True))
    for language in ("en", "ru", "es", "zh"):
        folder = SHARED / "eval" / "contrast" / language
        found.append(
            Group(f"contrast {language} sample", "contrast", (folder,), most=_SAMPLE, most_wrong=0.15)
        )
        for name, first in _SAMPLES.items():
            found.append(
                Group(
                    f"contrast {language} {name} with reader",
                    "contrast",
                    (folder,),
                    has_reader=True,
                    most=_SAMPLE,
                    first=first,
                    is_quick=False,
                    most_wrong=0.1,
                )
            )
        found.append(Group(f"contrast {language}", "contrast", (folder,), is_quick=False, most_wrong=0.1))
    return found


def available(wanted: Iterable[Group]) -> Iterator[Group]:
    """Yield the groups whose folders are there, and print the names of the others."""
    for group in wanted:
        missing = [folder for folder in group.folders if not folder.is_dir()]
        if missing:
            print(f"skipped {group.name}: {missing[0]} is not there")
        else:
            yield group


def handbooks(part: str) -> tuple[Path, ...]:
    """The handbooks of a part: ``a`` and ``c`` to fit on, ``b`` held out."""
    return tuple(sorted((DATA / "questions").glob(f"*-{part}")))


async def measured(group: Group, data_dir: Path, records: Records) -> dict[str, Any]:
    """The figures of a group.

    Args:
        group: What is measured.
        data_dir: Where the indexes go.
        records: The reader's replies.

    Returns:
        ``rows`` that were measured, ``figures`` that the gate compares, and ``counts`` of the rows behind
        those figures that rest on others. With a reader also ``unrecorded`` rows and, under ``figures``, the
        share that is ``recorded``; it stands alone where too much is missing, because the rows that are left
        are those that need no reading.
    """
    model = RecordedModel(records) if group.has_reader else None
    if group.kind == "natural":
        answered, left_out = await answered_rows(group, data_dir, model)
        found = _natural(answered)
    else:
        contrasted, left_out = await contrasted_rows(group, data_dir, model)
        found = _pairs(contrasted, by_class=group.kind == "false answers")
    if not group.has_reader:
        return found
    count = found["rows"] + left_out
    recorded = {"recorded": round(found["rows"] / count, 4)}
    if recorded["recorded"] < _ENOUGH_RECORDED:
        found = {"rows": found["rows"], "figures": {}}
    counts = {**found.get("counts", {}), "recorded": count}
    return {**found, "figures": {**found["figures"], **recorded}, "counts": counts, "unrecorded": left_out}


async def contrasted_rows(
    group: Group, data_dir: Path, model: ChatModel | None, end: float = math.inf
) -> tuple[list[Contrasted], int]:
    """Label both texts of every pair, and count the pairs that are left out.

    Args:
        group: The pairs.
        data_dir: Where the indexes go.
        model: The reader; None: no model is asked.
        end: No row is begun after that moment of the monotonic clock.

    Raises:
        ModelError: the model behind the records does not answer.
    """
    name = "pairs.jsonl" if group.kind == "contrast" else "false_answers.jsonl"

    def on(base: KnowledgeBase) -> Callable[[LabelledPair], Awaitable[Contrasted]]:
        tools = engine(model, base).tools
        return lambda row: contrast.contrast_row(row, base, tools, use_model=model is not None)

    return await _each(group, name, LabelledPair, on, data_dir, end)


async def answered_rows(
    group: Group, data_dir: Path, model: ChatModel | None, end: float = math.inf
) -> tuple[list[Answered], int]:
    """Answer every question, and count those that are left out; arguments are those of `contrasted_rows`."""

    def on(base: KnowledgeBase) -> Callable[[LabelledQuestion], Awaitable[Answered]]:
        asked = engine(model, base)
        system = asked.answer if model is not None else without_model(asked)["self"]
        return lambda row: answers.answer_row(row, "self", system, base.rarity)

    return await _each(group, "questions.jsonl", LabelledQuestion, on, data_dir, end)


def engine(model: ChatModel | None, base: KnowledgeBase) -> AnswerEngine:
    """The product of which only the reader is asked: it reads documents first and has no judge."""
    settings = SelfCorrection(
        fast_path="never", answer_from="reader", judge=False, reader_patience_seconds=_PATIENCE_SECONDS
    )
    return AnswerEngine(model or ScriptedModel({}), base, self_correction=settings)


async def _each(
    group: Group,
    name: str,
    kind: type[AnyQuestionRow],
    on: Callable[[KnowledgeBase], Callable[[AnyQuestionRow], Awaitable[Found]]],
    data_dir: Path,
    end: float,
) -> tuple[list[Found], int]:
    found: list[Found] = []
    left_out = 0
    for folder in group.folders:
        every, corpus = rows.read(folder / name, kind).rows, folder / "corpus.jsonl"
        labelled = chosen(every, group.most, group.first)
        if group.most:
            corpus = named_passages(corpus, labelled, data_dir / "evaluate" / group.name.replace(" ", "-"))
        async with measurement_setup.indexed([corpus], data_dir, Knowledge(), Models()) as base:
            measure = on(base)
            for row in labelled:
                if time.monotonic() > end:
                    return found, left_out
                try:
                    found.append(await measure(row))
                except NotRecordedError:
                    left_out += 1
    return found, left_out


def chosen(found: Sequence[AnyQuestionRow], most: int, first: int = 0) -> Sequence[AnyQuestionRow]:
    """Rows of a set, evenly chosen from index `first` on; all of them when `most` is 0."""
    if not most or len(found) <= most:
        return found
    return [found[(first + number * len(found) // most) % len(found)] for number in range(most)]


def named_passages(corpus: Path, labelled: Sequence[LabelledPair | LabelledQuestion], into: Path) -> Path:
    """Write the passages of a corpus that rows name, and return the file."""
    wanted = {name for row in labelled for name in row.passages}
    lines = corpus.read_text(encoding="utf-8").splitlines()
    into.mkdir(parents=True, exist_ok=True)
    path = into / "corpus.jsonl"
    kept = [line for line in lines if str(json.loads(line)["id"]) in wanted]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path


def _pairs(found: Sequence[Contrasted], *, by_class: bool) -> dict[str, Any]:
    report = ContrastReport(tuple(found)).to_json()
    measured: dict[str, Any] = {"rows": len(found), "figures": _labels(report) if found else {}}
    if by_class:
        measured["by_class"] = {
            name: {"rows": one["rows"], **_labels(one)} for name, one in report["by_kind"].items()
        }
    return measured


def _labels(found: Mapping[str, Any]) -> dict[str, float]:
    return {
        f"{form}_{share}": part[share]
        for form, part in (("draft", found), ("written", found["written"]))
        for share in ("right_verified", "wrong_verified")
    }


def _natural(found: Sequence[Answered]) -> dict[str, Any]:
    if not found:
        return {"rows": 0, "figures": {}}
    whole = AnswerReport(tuple(found)).to_json()["systems"]["self"]
    figures: dict[str, float] = {"wrong_verified": whole["wrong_verified"]}
    counts: dict[str, int] = {}
    if answerable := whole["answerable"]:
        figures |= {name: answerable[name] for name in _OF_ANSWERABLE}
        counts |= dict.fromkeys(_OF_ANSWERABLE, answerable["rows"])
    if (left_open := whole["refused_or_left_open"]) is not None:
        figures["refused_or_left_open"] = left_open
        counts["refused_or_left_open"] = len(found) - counts.get("right_briefly", 0)
    return {"rows": len(found), "figures": figures, "counts": counts}
