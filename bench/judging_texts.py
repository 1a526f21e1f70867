"""The texts that `bench.judging` measures, grouped by corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.layer_effects import Text
from bench.recorded_model import NotRecordedError, RecordedModel, Records
from bench.sets import DRAFTS, HANDBOOKS, QUESTIONS, SHARED, WRITTEN, passages
from bot.evaluate import rows, stream
from bot.evaluate.rows import LabelledQuestion
from rag.engine import AnswerEngine
from rag.loop.run import Corpus, Run
from rag.models.chat import ChatModel
from rag.steps.classify import classify
from rag.steps.draft import draft

_TALK = 24
TRIVIA = "trivia"
"""Public questions that no document covers, so that the critic reads what the model wrote."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Texts and the corpus that their questions are about.

    Args:
        name: Name of the corpus.
        corpus: Its files.
        texts: Texts by the model: drafts, then answers from passages.
        is_own: It ships with the repository, together with the replies of reviewer and critic to its texts.
        asked: Name of a set and a question, whose drafts are replies in the record like any other.
    """

    name: str
    corpus: tuple[Path, ...]
    texts: tuple[Text, ...]
    is_own: bool
    asked: tuple[tuple[str, LabelledQuestion], ...] = ()


def grounds() -> Iterator[Ground]:
    """Every available corpus with the texts about it."""
    texts = recorded()
    own = _with_passages(texts, {"handbooks", "everyday"}, HANDBOOKS)
    yield Ground("handbooks", HANDBOOKS, own, is_own=True, asked=tuple(_asked(own)))
    trivia = SHARED / "eval" / "retrievalqa" / "corpus.jsonl"
    if trivia.exists():
        others = _with_passages(texts, {"retrievalqa"}, (trivia,))
        yield Ground("retrievalqa", (trivia,), others, is_own=False)


def _with_passages(texts: Iterable[Text], sets: Collection[str], corpus: Sequence[Path]) -> tuple[Text, ...]:
    """The texts of some sets, with the passages of the corpus that they were written from."""
    known = passages(corpus)
    return tuple(
        text.model_copy(update={"read": tuple(known[key] for key in text.shown or ())})
        for text in texts
        if text.set in sets
    )


def recorded() -> tuple[Text, ...]:
    """Every recorded text, without the passages themselves."""
    return tuple(text for path in (DRAFTS, WRITTEN) if path.exists() for text in rows.read(path, Text).rows)


def small_talk() -> tuple[LabelledQuestion, ...]:
    """Some of the shipped messages that aren't questions, in every language."""
    return tuple(stream.spread([row for row in stream.everyday() if row.kind == "small_talk"], _TALK))


def _asked(texts: Iterable[Text]) -> Iterator[tuple[str, LabelledQuestion]]:
    """Questions with gold answers that have no text yet; first those that a critic reads."""
    trivia = SHARED / "eval" / "retrievalqa" / "questions.jsonl"
    if trivia.exists():
        for row in rows.read(trivia, LabelledQuestion).rows:
            yield TRIVIA, row.model_copy(update={"kind": "general"})
    known = {text.id for text in texts}
    for row in rows.read(QUESTIONS, LabelledQuestion).rows:
        if row.id not in known:
            yield "handbooks", row


async def drafted(
    name: str, row: LabelledQuestion, corpus: Corpus, records: Records, beyond: ChatModel | None = None
) -> Text | None:
    """The model's draft for a question; None if it is not in the record.

    Args:
        name: Name of the set of the question.
        row: The question.
        corpus: The knowledge base that it is asked beside.
        records: Replies that are known.
        beyond: The model to ask when it is not known.
    """
    run = Run(row.asked(), AnswerEngine(RecordedModel(records, beyond), corpus).tools)
    try:
        said = await draft(run, classify(run.question))
    except NotRecordedError:
        return None
    (call,) = said.calls
    return Text.model_validate(
        {
            **row.model_dump(),
            "set": name,
            "text": said.value.text,
            "finish_reason": said.value.finish_reason,
            "model": said.value.model,
            "input_tokens": call.input_tokens,
            "output_tokens": call.output_tokens,
        }
    )
