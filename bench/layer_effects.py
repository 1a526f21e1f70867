"""What reviewer and critic make of texts that a model really wrote: the same question with and without them.

Each text is given to the loop in the place of the model's first words. What happens then is the product: the
cascade, the layer that is measured, the comparison that may refuse its work. Replies come from a record. The
texts are a writer's, and no passage is read a second time: that is another layer, measured by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bench.recorded_model import NotRecordedError, RecordedModel, Records, StartedModel
from bench.shown_passages import ShownPassages
from bot.evaluate import gold, grading
from bot.evaluate.rows import LabelledQuestion
from rag.engine import AnswerEngine
from rag.errors import ThinkTwiceError
from rag.loop.run import Corpus
from rag.models.chat import ChatModel, Completion
from rag.settings import Budget, Critique, Review, SelfCorrection
from rag.steps.critique import CritiqueReply, RefinementReply, scored
from rag.steps.review import ReviewReply
from rag.values import Answer, FinishReason, Mode, Passage, Usage

Layer = Literal["reviewer", "critic"]
Grade = Literal["wrong", "declined", "right"]

_GRADES: tuple[Grade, ...] = ("wrong", "declined", "right")
_STEPS: dict[Layer, str] = {"reviewer": "review", "critic": "critique"}
_RETRIES: dict[Layer, int] = {"reviewer": 1, "critic": 0}
"""The reviewer may send a text back once. A critic reads what would be sent: corrections are over."""

_PATIENT = 3600.0
"""No call fails because the machine that records is busy."""

# The critic is also shown what is too short for it in the product: right answers are mostly short, and what
# it makes of right answers is the question.


class Text(LabelledQuestion):
    """A text that a model wrote, as ``bench/record_drafts.py`` keeps it.

    Args:
        shown: The keys of the passages that it was written from; None when it was written without.
        read: These passages; `bench.judging_texts` finds them in the corpus.
    """

    set: str
    text: str
    finish_reason: FinishReason = "stop"
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    shown: tuple[str, ...] | None = None
    read: tuple[Passage, ...] = ()

    @property
    def given(self) -> tuple[str, Completion]:
        """The text as the reply to the step that wrote it."""
        said = Completion(
            self.text, self.finish_reason, self.input_tokens, self.output_tokens, self.model, 0.0
        )
        return ("draft" if self.shown is None else "regenerate"), said


@dataclass(frozen=True, slots=True)
class Effect:
    """What a layer did to one text.

    Args:
        row: The text and what is right.
        before: The answer without the layer.
        after: The answer with it.
        proposed: The versions that the layer wrote, whether they were taken or not.
        scores: What the critic gave the text and, after it, the versions.
        is_asked: The layer was asked and could be read.
    """

    row: Text
    before: Answer
    after: Answer
    proposed: tuple[str, ...]
    scores: tuple[float, ...]
    is_asked: bool

    @property
    def is_changed(self) -> bool:
        """The reader gets another text."""
        return self.before.text != self.after.text

    @property
    def step(self) -> int:
        """By how many grades the answer is better; negative: worse."""
        return difference(self.row, self.before.text, self.after.text)

    @property
    def would_be(self) -> tuple[int, ...]:
        """The same for every version that was proposed, had it been taken at its word."""
        return tuple(difference(self.row, self.before.text, text) for text in self.proposed)

    @property
    def added(self) -> Usage:
        """What the layer cost: tokens and recorded seconds."""
        with_it, without = self.after.usage, self.before.usage
        return Usage(
            calls=with_it.calls - without.calls,
            input_tokens=with_it.input_tokens - without.input_tokens,
            output_tokens=with_it.output_tokens - without.output_tokens,
            seconds=with_it.seconds - without.seconds,
        )


def graded(row: LabelledQuestion, text: str) -> Grade:
    """Whether a text gives a gold answer, declines, or says something else."""
    if gold.holds(text, row.answers):
        return "right"
    return "declined" if grading.declines(text, row.lang) else "wrong"


def difference(row: LabelledQuestion, before: str, after: str) -> int:
    """By how many grades the second text is better than the first."""
    return _GRADES.index(graded(row, after)) - _GRADES.index(graded(row, before))


async def effect(
    row: Text, layer: Layer, corpus: Corpus, records: Records, beyond: ChatModel | None = None
) -> Effect | None:
    """Answer with and without a layer; None when this text is no matter of the layer.

    Args:
        row: The text.
        layer: Which one.
        corpus: The knowledge base that the question is about.
        records: Replies that are known.
        beyond: The model to ask for others; it may be asked a dozen times.

    Raises:
        NotRecordedError: a reply is not known and there is no model to ask.
        ThinkTwiceError: the model behind does not answer.
    """
    if row.finish_reason != "stop":
        return None  # A text that was cut off is written on, or anew, before anybody reviews it.
    first = await _answer(row, layer, corpus, RecordedModel(records), "quick", retries=0)
    if not _is_matter_of(layer, first):
        return None
    retries = _RETRIES[layer]
    before = await _answer(row, layer, corpus, RecordedModel(records, beyond), "balanced", retries)
    asked = RecordedModel(records, beyond)
    after = await _answer(row, layer, corpus, asked, "careful", retries)
    steps = [line for line in after.trace if line.step == _STEPS[layer]]
    return Effect(
        row=row,
        before=before,
        after=after,
        proposed=_proposed(asked.completions),
        scores=_scores(asked.completions),
        is_asked=any(line.model for line in steps),
    )


async def effects(
    texts: Sequence[Text], layer: Layer, corpus: Corpus, records: Records
) -> tuple[list[Effect], int]:
    """The effects on those texts that the layer was asked about, and how many are not in the record."""
    found: list[Effect] = []
    missing = 0
    for row in texts:
        try:
            one = await effect(row, layer, corpus, records)
        except NotRecordedError:
            missing += 1
        else:
            if one is not None and one.is_asked:
                found.append(one)
    return found, missing


def _is_matter_of(layer: Layer, first: Answer) -> bool:
    """Whether the layer can have anything to say of a text, by what checks and evidence say."""
    if layer == "reviewer":
        return first.verdict.quality in {"adequate", "unchecked"}
    return first.label in {"general", "unverified"}


def _proposed(completions: Sequence[tuple[str, Completion]]) -> tuple[str, ...]:
    texts: list[str] = []
    for _, completion in completions:
        if isinstance(completion.parsed, ReviewReply) and completion.parsed.status == "fixed":
            texts.append(completion.parsed.patched_answer.strip())
        elif isinstance(completion.parsed, RefinementReply):
            texts.append(completion.parsed.answer.strip())
    return tuple(filter(None, texts))


def _scores(completions: Sequence[tuple[str, Completion]]) -> tuple[float, ...]:
    replies = (completion.parsed for _, completion in completions)
    return tuple(scored(reply).score for reply in replies if isinstance(reply, CritiqueReply))


async def _answer(
    row: Text, layer: Layer, corpus: Corpus, model: ChatModel, mode: Mode, retries: int
) -> Answer:
    engine = AnswerEngine(
        StartedModel([row.given], model),
        corpus if row.shown is None else ShownPassages(corpus, row.read),
        self_correction=SelfCorrection(
            mode=mode,
            max_retries=retries,
            answer_from="writer",
            second_reading="never",
            fast_path="always" if row.shown is None else "never",
            judge_patience_seconds=_PATIENT,
        ),
        budget=Budget(calls=50, tokens=1_000_000, seconds=_PATIENT),
        review=Review(enabled=layer == "reviewer", patience_seconds=_PATIENT),
        critique=Critique(enabled=layer == "critic", patience_seconds=_PATIENT, shortest_characters=0),
    )
    answer = await engine.answer(row.asked())
    if answer.failure is not None:
        raise ThinkTwiceError(f"no model answered: {answer.failure.reason}")
    return answer
