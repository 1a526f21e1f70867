"""Measures how often the label *verified* tells an answer from a false one out of the same passage.

Both texts of a pair go through the whole check in two forms: as a draft that was written without documents,
and as a text that was written from passages and cites the passage that contains it. The label is the one that
the product would give. Instead of asking the writer, the text is repeated unchanged, which is the worst case.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.evaluate import figures
from bot.evaluate.holder import marked, with_holder
from bot.evaluate.measurement_setup import Tick
from bot.evaluate.recording import Recording
from bot.evaluate.rows import LabelledPair, Malformed
from rag.errors import InputError
from rag.knowledge.search import KnowledgeBase, SearchResult
from rag.language.detect import detect
from rag.loop import composing
from rag.loop.checking import check_text
from rag.loop.state import State
from rag.runs.run import Run, Tools
from rag.steps.classify import classify
from rag.values import Classification, Draft, Label, Question, Verdict


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The result of the check for one text in one form.

    Args:
        label: The label that a reader would see.
        verdict: The final verdict.
        calls: Model calls.
        tokens: Tokens of these calls.
        milliseconds: Time of classification, comparison and embeddings, without search and models.
    """

    label: Label
    verdict: Verdict
    calls: int
    tokens: int
    milliseconds: float

    @property
    def is_verified(self) -> bool:
        """Whether it is labelled verified."""
        return self.label == "verified"


@dataclass(frozen=True, slots=True)
class CheckedPair:
    """The two texts of a pair in one form."""

    right: CheckedText
    wrong: CheckedText


@dataclass(frozen=True, slots=True)
class Contrasted:
    """The result for one pair.

    Args:
        row: The pair.
        draft: Its texts as drafts that were written without documents.
        written: Its texts as answers that were written from passages and cite one.
    """

    row: LabelledPair
    draft: CheckedPair
    written: CheckedPair

    @property
    def texts(self) -> tuple[CheckedText, ...]:
        """All four checked texts."""
        return (self.draft.right, self.draft.wrong, self.written.right, self.written.wrong)


@dataclass(frozen=True, slots=True)
class ContrastReport:
    """The figures of a run.

    Args:
        contrasted: Every pair that was checked.
        malformed: Lines that could not be read.
    """

    contrasted: tuple[Contrasted, ...]
    malformed: tuple[Malformed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The figures as an object for machines: shares of the pairs; `decided_free` is one of the texts."""
        texts = [text for one in self.contrasted for text in one.texts]
        # The words of a written text were already embedded for the draft, so its time would look too good.
        drafts = [text for one in self.contrasted for text in (one.draft.right, one.draft.wrong)]
        return {
            **_figures(self.contrasted),
            "by_kind": _by(self.contrasted, lambda row: row.kind or "none"),
            "by_language": _by(self.contrasted, lambda row: row.lang or detect(row.question)),
            "decided_free": round(figures.mean([text.calls == 0 for text in texts]), 4),
            "tokens": sum(text.tokens for text in texts),
            "calls": sum(text.calls for text in texts),
            "ms": figures.spread([text.milliseconds for text in drafts]),
            "malformed": [{"line": fault.line, "reason": fault.reason} for fault in self.malformed],
        }


async def measure(
    pairs: Sequence[LabelledPair],
    corpus: KnowledgeBase,
    tools: Tools,
    recording: Recording[Contrasted],
    *,
    use_model: bool,
    on_progress: Tick | None = None,
) -> tuple[Contrasted, ...]:
    """Check both texts of every pair, in both forms.

    Args:
        pairs: The rows of a set.
        corpus: The knowledge base of the set.
        tools: What the steps work with; their corpus is `corpus`.
        recording: Earlier results; each new pair is stored at once.
        use_model: Check as the settings say; otherwise in mode ``quick``, which calls no model.
        on_progress: Called before the first and after every pair.

    Raises:
        InputError: A pair names a passage that is not in the corpus.
    """
    await _refuse_another_corpus(pairs, corpus)
    found: list[Contrasted] = []
    for position, row in enumerate(pairs):
        if on_progress:
            on_progress(position, len(pairs))
        contrasted = recording.done.get(str(position))
        if contrasted is None:
            contrasted = await contrast_row(row, corpus, tools, use_model=use_model)
            recording.add(str(position), contrasted)
        found.append(contrasted)
    if on_progress:
        on_progress(len(pairs), len(pairs))
    return tuple(found)


async def contrast_row(
    row: LabelledPair, corpus: KnowledgeBase, tools: Tools, *, use_model: bool
) -> Contrasted:
    """Check both texts of one pair, in both forms."""
    asked = row.asked() if use_model else replace(row.asked(), mode="quick")
    started = time.perf_counter()
    classification = classify(asked, corpus)
    await corpus.embed_texts([classification.standalone])  # timed here, because the search would cache it
    spent = time.perf_counter() - started
    probe = await corpus.search(classification.queries) if classification.intent != "small_talk" else None
    await tools.evidence.prepare(classification)  # once per language; in the product a model writes meanwhile
    passages = await corpus.retrieve(classification.queries)
    document = [passage for source in row.passages for passage in await corpus.document(source)]
    case = _Case(asked, classification, probe, tools, spent)

    async def written(text: str) -> CheckedText:
        shown, number = with_holder(passages, document, row.question, text)
        return await case.check(Draft(marked(text, number), shown))

    return Contrasted(
        row,
        draft=CheckedPair(await case.check(Draft(row.right)), await case.check(Draft(row.wrong))),
        written=CheckedPair(await written(row.right), await written(row.wrong)),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """A question in the state that the workflow has when it checks a text.

    Args:
        question: What was asked.
        classification: Its classification.
        probe: The result of its search.
        tools: What the steps work with.
        spent: Seconds that reading and embedding the question took.
    """

    question: Question
    classification: Classification
    probe: SearchResult | None
    tools: Tools
    spent: float

    async def check(self, text: Draft) -> CheckedText:
        """Check a text as the first one of its question, and label it."""
        run = Run(self.question, self.tools)
        state = State(self.classification, probe=self.probe)
        if text.passages:
            state.has_searched = True
            state.tried = self.classification.queries
            state.passages = text.passages
            state.shown = frozenset(passage.id for passage in text.passages)
        started = time.perf_counter()
        candidate = await check_text(run, state, text)
        seconds = time.perf_counter() - started
        state.candidates.append(candidate)
        usage = run.ledger.usage()
        return CheckedText(
            label=composing.label_candidate(state, candidate),
            verdict=candidate.verdict,
            calls=usage.calls,
            tokens=usage.tokens,
            milliseconds=(self.spent + max(0.0, seconds - usage.seconds)) * 1000,
        )


async def _refuse_another_corpus(pairs: Iterable[LabelledPair], corpus: KnowledgeBase) -> None:
    for source in dict.fromkeys(source for row in pairs for source in row.passages):
        if not await corpus.document(source):
            raise InputError(
                f"the pairs name the passage {source!r}, which the corpus does not hold: give the corpus "
                "that they were made from as --corpus"
            )


def _figures(found: Sequence[Contrasted]) -> dict[str, Any]:
    return {
        "rows": len(found),
        **_verified(one.draft for one in found),
        "written": _verified(one.written for one in found),
    }


def _verified(pairs: Iterable[CheckedPair]) -> dict[str, float]:
    found = list(pairs)
    return {
        "right_verified": round(figures.mean([one.right.is_verified for one in found]), 4),
        "wrong_verified": round(figures.mean([one.wrong.is_verified for one in found]), 4),
    }


def _by(found: Sequence[Contrasted], key: Callable[[LabelledPair], str]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Contrasted]] = defaultdict(list)
    for one in found:
        groups[key(one.row)].append(one)
    return {name: _figures(members) for name, members in sorted(groups.items())}
