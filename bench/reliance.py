"""How reliable labels are: pairs of a right and a false answer, and natural questions; without a chat model.

Contrast pairs are claims that the verifier checks one by one. False answers about our handbooks go through
the whole check of the loop, as texts that were written from the pages that the search found and cite the one
that holds them. Natural questions are answered by quoting. Every folder is its own corpus.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from bench import pairs, sets
from bench.pairs import LabelledPair, marked, with_holder
from bench.sets import DATA, SHARED
from bot.evaluate import answers, figures, measurement_setup, rows, stream
from bot.evaluate.answers import Answered, AnswerReport
from bot.evaluate.rows import LabelledQuestion
from bot.evaluate.systems import without_model
from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.loop import composing
from rag.loop.checking import check_text
from rag.loop.state import State
from rag.loop.verification import read_passages
from rag.models.scripted import ScriptedModel
from rag.runs.run import Run, Tools
from rag.settings import Knowledge, Models
from rag.steps.classify import classify
from rag.values import Draft, Label, Question
from rag.verifier.bundled import BundledReader

_SAMPLE = 40
"""Number of pairs of a contrast set in every run of the tests."""
_LANGUAGES = ("en", "ru", "es", "zh", "it", "pt", "ja")
_OF_ANSWERABLE = ("right", "right_briefly", "refused_wrongly")

Kind = Literal["false answers", "contrast", "natural"]
AnyQuestionRow = TypeVar("AnyQuestionRow", LabelledPair, LabelledQuestion)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are measured together.

    Args:
        most: Maximum number of rows, evenly chosen; 0 means all.
        is_quick: Measured by every run of the tests.
        most_wrong: Maximum share of false answers that are called verified.
    """

    name: str
    kind: Kind
    folders: tuple[Path, ...]
    most: int = 0
    is_quick: bool = True
    most_wrong: float = 1.0


def groups() -> list[Group]:
    """Every group; those of the shared folder may be missing."""
    parts = {"fitting": handbooks("a"), "fitting later": handbooks("c"), "held out": handbooks("b")}
    found = [
        Group(f"false answers {part}", "false answers", folders, most_wrong=0.15)
        for part, folders in parts.items()
    ]
    every = (*handbooks("a"), *handbooks("b"), *handbooks("c"))
    found += [Group(f"natural {folder.name}", "natural", (folder,)) for folder in every]
    for language in _LANGUAGES:
        folders = (SHARED / "eval" / "contrast" / language,)
        found += [
            Group(f"contrast {language} sample", "contrast", folders, most=_SAMPLE, most_wrong=0.15),
            Group(f"contrast {language}", "contrast", folders, is_quick=False, most_wrong=0.1),
        ]
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


async def measured(group: Group, data_dir: Path) -> dict[str, Any]:
    """The figures of a group.

    Returns:
        ``rows`` that were measured, ``figures`` that the gate compares, and ``counts`` of the rows behind
        those figures that rest on others.
    """
    match group.kind:
        case "natural":
            return _natural(await answered_rows(group, data_dir))
        case "false answers":
            return _false_answers(await labelled_rows(group, data_dir))
        case "contrast":
            return await _contrast(group)


async def answered_rows(group: Group, data_dir: Path) -> list[Answered]:
    def on(base: KnowledgeBase) -> Callable[[LabelledQuestion], Awaitable[Answered]]:
        system = without_model(engine(base))["self"]
        return lambda row: answers.answer_row(row, "self", system, base.rarity)

    return await _each(group, "questions.jsonl", LabelledQuestion, on, data_dir)


@dataclass(frozen=True, slots=True)
class LabelledAnswers:
    """The labels of the two answers of a pair."""

    row: LabelledPair
    right: Label
    wrong: Label


async def labelled_rows(group: Group, data_dir: Path) -> list[LabelledAnswers]:
    """Label both answers of every pair, as if a writer had given them and cited the page that holds them."""

    def on(base: KnowledgeBase) -> Callable[[LabelledPair], Awaitable[LabelledAnswers]]:
        tools = engine(base).tools

        async def measure(row: LabelledPair) -> LabelledAnswers:
            found = await base.retrieve(classify(row.asked(), base).queries)
            pages = [passage for source in row.passages for passage in await base.document(source)]

            async def label(text: str) -> Label:
                shown, number = with_holder(found, pages, row.question, text)
                return await labelled(row.asked(), Draft(marked(text, number), shown), base, tools)

            return LabelledAnswers(row, await label(row.right), await label(row.wrong))

        return measure

    return await _each(group, "false_answers.jsonl", LabelledPair, on, data_dir)


async def labelled(question: Question, written: Draft, base: KnowledgeBase, tools: Tools) -> Label:
    """The label of an answer that was written from passages, as the loop gives it in mode quick."""
    run = Run(replace(question, mode="quick"), tools)
    state = State(classify(question, base), passages=written.passages, has_searched=True)
    state.probe = await base.search(state.classification.queries)
    await read_passages(run, state, [hit.passage for hit in state.probe.hits])
    await read_passages(run, state, written.passages)
    candidate = await check_text(run, state, written)
    state.candidates.append(candidate)
    return composing.label_candidate(state, candidate)


def engine(base: KnowledgeBase) -> AnswerEngine:
    """The product without a chat model; a script without replies stands for it, so a call is an error."""
    return AnswerEngine(ScriptedModel({}), base)


async def _each(
    group: Group,
    name: str,
    kind: type[AnyQuestionRow],
    on: Callable[[KnowledgeBase], Callable[[AnyQuestionRow], Awaitable[Found]]],
    data_dir: Path,
) -> list[Found]:
    found: list[Found] = []
    for folder in group.folders:
        labelled = rows.read(folder / name, kind).rows
        corpus = [folder / "corpus.jsonl"]
        async with measurement_setup.indexed(corpus, data_dir, Knowledge(), Models()) as base:
            measure = on(base)
            found += [await measure(row) for row in stream.spread(labelled, group.most or len(labelled))]
    return found


async def _contrast(group: Group) -> dict[str, Any]:
    """Check the pairs of a group; their passages are read as they are, without an index."""
    reader = BundledReader()
    found = []
    for folder in group.folders:
        known = sets.passages([folder / "corpus.jsonl"])
        labelled = rows.read(folder / "pairs.jsonl", LabelledPair).rows
        for row in stream.spread(labelled, group.most or len(labelled)):
            passages = [known[source] for source in row.passages]
            found.append(await pairs.scores(row, passages, reader))
    return {"rows": len(found), "figures": pairs.shares(found)}


def _false_answers(found: Sequence[LabelledAnswers]) -> dict[str, Any]:
    classes: dict[str, list[LabelledAnswers]] = defaultdict(list)
    for one in found:
        classes[one.row.kind].append(one)
    return {
        "rows": len(found),
        "figures": _verified(found),
        "by_class": {name: {"rows": len(of), **_verified(of)} for name, of in sorted(classes.items())},
    }


def _verified(found: Sequence[LabelledAnswers]) -> dict[str, float]:
    return {
        "right_verified": round(figures.mean([one.right == "verified" for one in found]), 4),
        "wrong_verified": round(figures.mean([one.wrong == "verified" for one in found]), 4),
    }


def _natural(found: Sequence[Answered]) -> dict[str, Any]:
    whole = AnswerReport(tuple(found)).to_json()["systems"]["self"]
    measured: dict[str, float] = {"wrong_verified": whole["wrong_verified"]}
    counts: dict[str, int] = {}
    if answerable := whole["answerable"]:
        measured |= {name: answerable[name] for name in _OF_ANSWERABLE}
        counts |= dict.fromkeys(_OF_ANSWERABLE, answerable["rows"])
    if (left_open := whole["refused_or_left_open"]) is not None:
        measured["refused_or_left_open"] = left_open
        counts["refused_or_left_open"] = len(found) - counts.get("right_briefly", 0)
    return {"rows": len(found), "figures": measured, "counts": counts}
