"""The one public door of the answer engine.

    async with AnswerEngine.open("data", corpus="handbook", model="ollama:qwen3:8b") as engine:
        answer = await engine.answer("Which Java do we need?")

`stream` does the same and tells what happens meanwhile.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from rag import quoting
from rag.council import workflow as council
from rag.errors import InputError
from rag.events import Answered, Event
from rag.evidence import Gatherer, bank, scoring
from rag.knowledge import indexing
from rag.knowledge.search import KnowledgeBase
from rag.language.visible import message_text
from rag.loop import workflow
from rag.loop.composing import TEXTS
from rag.loop.run import Corpus, Run, RunStep, Tools
from rag.loop.work import Work
from rag.models import roles
from rag.models.chat import ChatModel
from rag.prompting.library import PromptLibrary
from rag.settings import Budget, Council, Critique, Models, Prices, Review, SelfCorrection, Settings
from rag.steps.classify import classify
from rag.steps.evaluate import covers
from rag.texts import ENGLISH
from rag.values import Answer, Question

if TYPE_CHECKING:
    from rag.knowledge.sync import SyncReport

StrPath: TypeAlias = str | Path


def preload() -> None:
    """Read the phrases and catalogues that the first question would otherwise wait for; blocking."""
    for language in TEXTS.languages:
        TEXTS.text("no-model", language)
    ENGLISH.text("no-model")
    for language in bank.languages():
        bank.phrasing(language)
    scoring.preload()
    quoting.preload()
    classify(Question("Which Java does FxStore need?"))


class AnswerEngine:
    """Answers questions from a corpus and checks its own answers.

    `open` makes one from a folder of documents and the name of a model. An engine of other parts is made of
    these:

    Args:
        models: Answers chat requests by role.
        corpus: The knowledge base.
        prompts: The prompts; the shipped ones when left out.
        self_correction: How answers are checked and corrected.
        budget: What one question may cost.
        model_settings: Names of models, and lengths of replies.
        review: How an answer is reviewed in mode `careful`.
        critique: How an answer that is not verified is scored and refined there.
        prices: What models cost.
        council: Which models sit in the council.
        documents: What `sync` brings up to date; without it, the corpus is somebody else's business.

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
        council: Council | None = None,
        documents: indexing.Documents | None = None,
    ) -> None:
        self._documents = documents
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
            council=council or Council(),
        )

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        folder: StrPath,
        *,
        corpus: StrPath | Sequence[StrPath] = (),
        model: str = "",
        settings: Settings | None = None,
        on_progress: indexing.OnProgress | None = None,
    ) -> AsyncIterator[Self]:
        """Open an engine over documents, and close it in the end.

        Args:
            folder: Where the indexes, and the embedded model if it is used, are kept; it is made if needed.
            corpus: Files and folders to answer from; they are indexed first, or brought up to date. Without
                them, what was indexed in `folder` before answers.
            model: Name of the model that does every job without one of its own: `embedded`, `openai:NAME`,
                `ollama:NAME`; empty: as the settings say.
            settings: Everything else.
            on_progress: Told how far the indexing is, in another thread.

        Raises:
            ThinkTwiceError: a setting, the folder or the corpus cannot be used.
        """
        settings = settings or Settings()
        if model:
            models = settings.models.model_copy(update={"default": model})
            settings = settings.model_copy(update={"models": models})
        (home,) = _expanded(folder)
        documents = indexing.Documents(home, _expanded(corpus), settings.knowledge, settings.models)
        prompts = await asyncio.to_thread(PromptLibrary, settings.prompts)
        async with aclosing(roles.RoleModels(settings.models, documents.folder, settings.council)) as chat:
            await chat.join()
            if documents.paths:
                await documents.sync(on_progress)
            base = await asyncio.to_thread(
                KnowledgeBase.open, documents.folder, settings.knowledge, settings.models
            )
            try:
                yield cls(
                    chat,
                    base,
                    prompts,
                    settings.self_correction,
                    settings.budget,
                    settings.models,
                    settings.review,
                    settings.critique,
                    settings.prices,
                    settings.council,
                    documents,
                )
            finally:
                await asyncio.to_thread(base.close)

    @property
    def question_characters(self) -> int:
        """Characters that a question may have."""
        return self.tools.budget.question_characters

    async def answer(self, question: Question | str, *, run_step: RunStep | None = None) -> Answer:
        """Answer a question.

        Args:
            question: What was asked; a `Question` also says what was said before it.
            run_step: Carries out each step; a durable runner records what it returns.

        Raises:
            InputError: the question is empty, too long or no text.
            ThinkTwiceError: the knowledge base or the set-up is broken.
        """
        return await workflow.answer(Run(self._accept(question), self.tools, run_step))

    async def stream(
        self, question: Question | str, *, run_step: RunStep | None = None
    ) -> AsyncIterator[Event]:
        """Answer a question and yield events; the last one is `Answered`.

        Leaving the iteration early cancels the work. Raises as `answer` does.
        """
        accepted_question = self._accept(question)
        events = _streamed(
            lambda emit: workflow.answer(
                Run(accepted_question, self.tools, run_step, emit, is_streaming=True)
            )
        )
        async with aclosing(events):
            async for event in events:
                yield event

    async def council(
        self, question: Question | str, *, run_step: RunStep | None = None
    ) -> AsyncIterator[Event]:
        """Let the council answer a question and yield events; the last one is `Answered`.

        Leaving the iteration early cancels the work. Raises as `answer` does.

        Raises:
            InputError: the council has no members.
            ModelError: no member answered.
        """
        if not self.tools.council.members:
            raise InputError("the council has no members: name some in the setting council.members")
        tools = council.with_budget(self.tools)
        accepted_question = self._accept(question)
        events = _streamed(lambda emit: council.hold(Run(accepted_question, tools, run_step, emit), emit))
        async with aclosing(events):
            async for event in events:
                yield event

    def open_interview_work(self, run_step: RunStep | None = None) -> Work:
        """Return what one turn of an interview asks this engine's models with; see `rag.interview.workflow`.

        Args:
            run_step: Carries out each step; a durable runner records what it returns.
        """
        # Imported here: questions need none of it, and it brings the libraries of JSON Schema along.
        from rag.interview import workflow as interview

        return Work(interview.with_budget(self.tools), run_step)

    async def covers(self, text: str) -> bool:
        """Whether a text is a question that the documents clearly cover; no model is asked.

        Raises:
            KnowledgeError: the knowledge base cannot be read.
        """
        try:
            question = self._accept(text)
        except InputError:
            return False
        reading = classify(question)
        if reading.intent == "small_talk" or self.tools.corpus.is_empty:
            return False
        probe = await self.tools.corpus.search(reading.queries)
        return (await covers(Run(question, self.tools), reading, probe)).value

    async def sync(
        self, *, rebuild: bool = False, on_progress: indexing.OnProgress | None = None
    ) -> SyncReport:
        """Bring the knowledge base up to date with the files of the corpus; questions are answered meanwhile.

        Args:
            rebuild: Read and embed everything again.
            on_progress: Told how far it is, in another thread; what it raises ends the work, and nothing is
                lost.

        Raises:
            TypeError: the engine was made without documents; `open` makes one that has them.
            KnowledgeBusyError: another process is indexing.
            ThinkTwiceError: the corpus or the knowledge base cannot be used.
        """
        if self._documents is None:
            raise TypeError(
                "this engine has no documents to bring up to date: make it with AnswerEngine.open"
            )
        return await self._documents.sync(on_progress, rebuild=rebuild)

    def _accept(self, question: Question | str) -> Question:
        """The question, found to be one, with the window of its history."""
        if isinstance(question, str):
            question = Question(question)
        text = accepted(question.text, self.question_characters)
        limit = self.tools.self_correction.history_limit
        return replace(question, text=text, history=question.history[-limit:] if limit else ())


async def _streamed(
    begin: Callable[[Callable[[Event], None]], Coroutine[Any, Any, Answer]],
) -> AsyncGenerator[Event, None]:
    """Yield the events of some work, and then its answer; leaving early cancels the work."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    work = asyncio.create_task(begin(events.put_nowait))
    work.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        yield Answered(await work)
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({work})


def _expanded(paths: StrPath | Sequence[StrPath]) -> tuple[Path, ...]:
    """Paths in which ``~`` is the home folder: no shell expands it in a program."""
    listed = (paths,) if isinstance(paths, str | Path) else paths
    return tuple(Path(path).expanduser() for path in listed)


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
