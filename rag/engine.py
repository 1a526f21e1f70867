"""The one public door of the answer engine.

    engine = AnswerEngine(models=..., corpus=..., prompts=...)
    answer = await engine.answer(Question("Which Java does FxStore need?"))

`stream` does the same and tells what happens meanwhile.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace

from rag import quoting
from rag.errors import InputError
from rag.events import Answered, Event
from rag.evidence import Gatherer, bank, scoring
from rag.language.visible import message_text
from rag.loop import workflow
from rag.loop.composing import TEXTS
from rag.loop.run import Corpus, Run, RunStep, Tools
from rag.models.chat import ChatModel
from rag.prompting.library import PromptLibrary
from rag.settings import Budget, Critique, Models, Prices, Review, SelfCorrection
from rag.steps.classify import classify
from rag.values import Answer, Question


def preload() -> None:
    """Read the phrases and catalogues that the first question would otherwise wait for; blocking."""
    for language in TEXTS.languages:
        TEXTS.text("no-model", language)
    for language in bank.languages():
        bank.phrasing(language)
    scoring.preload()
    quoting.preload()
    classify(Question("Which Java does FxStore need?"))


class AnswerEngine:
    """Answers questions from a corpus and checks its own answers.

    Args:
        models: Answers chat requests by role.
        corpus: The knowledge base.
        prompts: The prompts; the shipped ones when left out.
        self_correction: How answers are checked and corrected.
        budget: What one question may cost.
        model_settings: Lengths of replies.
        review: How an answer is reviewed in mode `careful`.
        critique: How an answer that is not verified is scored and refined there.
        prices: What models cost.

    Attributes:
        tools: What the steps work with.
    """

    def __init__(
        self,
        models: ChatModel,
        corpus: Corpus,
        prompts: PromptLibrary | None = None,
        self_correction: SelfCorrection | None = None,
        budget: Budget | None = None,
        model_settings: Models | None = None,
        review: Review | None = None,
        critique: Critique | None = None,
        prices: Prices | None = None,
    ) -> None:
        self.tools = Tools(
            models=models,
            corpus=corpus,
            evidence=Gatherer(corpus),
            prompts=prompts or PromptLibrary(),
            self_correction=self_correction or SelfCorrection(),
            budget=budget or Budget(),
            model_settings=model_settings or Models(),
            review=review or Review(),
            critique=critique or Critique(),
            prices=prices or Prices(),
        )

    async def answer(self, question: Question, *, run_step: RunStep | None = None) -> Answer:
        """Answer a question.

        Args:
            question: What was asked, with its history.
            run_step: Carries out each step; a durable runner records what it returns.

        Raises:
            InputError: the question is empty, too long or no text.
            ThinkTwiceError: the knowledge base or the set-up is broken.
        """
        return await workflow.answer(Run(self._windowed(question), self.tools, run_step))

    async def stream(self, question: Question, *, run_step: RunStep | None = None) -> AsyncIterator[Event]:
        """Answer a question and yield events; the last one is `Answered`.

        Leaving the iteration early cancels the work. Raises as `answer` does.
        """
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        emit: Callable[[Event], None] = events.put_nowait
        run = Run(self._windowed(question), self.tools, run_step, emit, is_streaming=True)
        work = asyncio.create_task(workflow.answer(run))
        work.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            yield Answered(await work)
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait({work})

    def _windowed(self, question: Question) -> Question:
        """The question, found to be one, with the window of its history."""
        text = accepted(question.text, self.tools.budget.question_characters)
        limit = self.tools.self_correction.history_limit
        return replace(question, text=text, history=question.history[-limit:] if limit else ())


def accepted(text: str, limit: int) -> str:
    """Return what a reader sees of a question; refuse what is none, before anything is paid.

    Args:
        text: What was typed.
        limit: Characters at the most.

    Raises:
        InputError: it is empty, too long or no text.
    """
    text = text.strip()
    if not text:
        raise InputError("the question is empty: type what you want to know")
    if len(text) > limit:
        raise InputError(
            f"the question has {len(text):,} characters and may have {limit:,}: "
            "ask in fewer words, or put the text into the documents (budget.question_characters)"
        )
    # Format characters (joiners in emoji, marks of direction) are text; control characters are not.
    controls = sum(unicodedata.category(character) == "Cc" for character in text if not character.isspace())
    is_broken = any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in text)
    if is_broken or controls * 10 > len(text):
        raise InputError("the question is not readable text: send it as plain text")
    if not (seen := message_text(text)):
        raise InputError("the question is empty: it holds only characters that nobody sees")
    return seen
