"""How reliable labels are: pairs of a right and a false answer, and natural questions; without a chat model.

Contrast pairs are claims that the verifier checks one by one. False answers about our handbooks go through
the whole check of the loop, as texts that were written from the pages that the search found and cite the one
that holds them. Natural questions are answered by quoting. Every folder is its own corpus.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from bench import pairs, sets
from bench.pairs import LabelledPair, marked, with_holder
from bench.sets import Set
from bot.evaluate import answers, measurement_setup, rows, stream
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

_OF_ANSWERABLE = ("right", "right_briefly", "refused_wrongly")

AnyQuestionRow = TypeVar("AnyQuestionRow", LabelledPair, LabelledQuestion)
Verified = tuple[bool, bool]
"""Whether the right and the wrong answer of a pair are called verified."""


async def natural(one: Set, data_dir: Path) -> dict[str, Any]:
    """Ask the questions of a set without a chat model; return each share, and of how many rows it is."""
    found: list[Answered] = []
    async for row, answering, base in _asked(one, LabelledQuestion, data_dir):
        system = without_model(answering)["self"]
        found.append(await answers.answer_row(row, "self", system, base.rarity))
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


async def false_answers(one: Set, data_dir: Path) -> dict[str, Any]:
    """Label both answers of every pair, as if a writer had given them and cited the page that holds them."""
    classes: dict[str, list[Verified]] = defaultdict(list)
    async for row, answering, base in _asked(one, LabelledPair, data_dir):
        found = await base.retrieve(classify(row.asked(), base).queries)
        pages = [passage for source in row.passages for passage in await base.document(source)]
        labels: list[Label] = []
        for text in (row.right, row.wrong):
            shown, number = with_holder(found, pages, row.question, text)
            draft = Draft(marked(text, number), shown)
            labels.append(await labelled(row.asked(), draft, base, answering.tools))
        classes[row.kind].append((labels[0] == "verified", labels[1] == "verified"))
    every = [pair for of in classes.values() for pair in of]
    return {
        "rows": len(every),
        "figures": pairs.verified(every),
        "by_class": {name: {"rows": len(of), **pairs.verified(of)} for name, of in sorted(classes.items())},
    }


async def contrast(one: Set, _data_dir: Path) -> dict[str, Any]:
    """Check the pairs of a set; their passages are read as they are, without an index."""
    reader = BundledReader()
    known = sets.passages(one.corpus)
    found = [
        await pairs.scores(row, [known[source] for source in row.passages], reader)
        for path in one.rows
        for row in _chosen(one, path, LabelledPair)
    ]
    return {"rows": len(found), "figures": pairs.shares(found)}


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


async def _asked(
    one: Set, kind: type[AnyQuestionRow], data_dir: Path
) -> AsyncIterator[tuple[AnyQuestionRow, AnswerEngine, KnowledgeBase]]:
    """Yield the rows of each corpus with the product about it."""
    for corpus, path in zip(one.corpus, one.rows, strict=True):
        async with measurement_setup.indexed([corpus], data_dir, Knowledge(), Models()) as base:
            answering = engine(base)
            for row in _chosen(one, path, kind):
                yield row, answering, base


def _chosen(one: Set, path: Path, kind: type[AnyQuestionRow]) -> list[AnyQuestionRow]:
    labelled = rows.read(path, kind).rows
    return stream.spread(labelled, one.most or len(labelled))
