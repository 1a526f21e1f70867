"""The entry point of the answer engine; `rag` shows how to use it."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeAlias

from rag.council import workflow as council
from rag.errors import BudgetExhaustedError, InputError, ModelError, OperatorError
from rag.events import Answered, Event
from rag.evidence import Gatherer, bank, scoring
from rag.knowledge import indexing
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import SyncReport, sync
from rag.language.same_question import is_same_question
from rag.language.visible import message_text
from rag.loop import workflow
from rag.loop.composing import TEXTS
from rag.models import roles
from rag.models.chat import ChatModel
from rag.prompting.library import PromptLibrary
from rag.reasons import Reason
from rag.runs.run import Corpus, Run, RunStep, Tools
from rag.runs.work import Work
from rag.settings import Budget, Council, Critique, Models, Prices, Review, SelfCorrection, Settings
from rag.steps.classify import classify
from rag.steps.verify import covers
from rag.texts import ENGLISH
from rag.values import Answer, DocumentSet, Question
from rag.verifier.opening import OpenVerifier, open_verifier

StrPath: TypeAlias = str | Path

GivenAnswers: TypeAlias = Callable[[], Mapping[str, str]]
"""Returns the question of each document that was written as the answer to one, by the key of its file."""


def preload() -> None:
    """Load the phrases and catalogues, so that the first question does not wait for them; blocking."""
    for language in TEXTS.languages:
        TEXTS.text("no-model", language)
    ENGLISH.text("no-model")
    for language in bank.languages():
        bank.pairs(language)
    scoring.preload()
    classify(Question("Which Java does FxStore need?"))


class AnswerEngine:
    """Answers questions from a corpus and checks its own answers.

    `open` creates an engine from a folder of documents and the name of a model. The constructor takes the
    parts instead:

    Args:
        prompts: None: the shipped ones.
        documents: The documents that `sync` indexes; without them, `sync` is not available.
        given_answers: See `GivenAnswers`; the oldest first. Such a document alone answers its question.
        verifier: Gives each question the verifier that reads passages; default: as `model_settings` say.
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
        index: Callable[..., SyncReport] | None = None,
        given_answers: GivenAnswers | None = None,
        verifier: OpenVerifier | None = None,
    ) -> None:
        self._index = index
        self._given_answers = given_answers
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
            verifier=verifier or open_verifier(model_settings or Models()),
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
        """Open an engine over documents, and close it at the end.

        Args:
            folder: Folder of the indexes and of the embedded model; created if needed.
            corpus: Files and folders to answer from, indexed or updated first. Without them, the engine
                answers from what was indexed in `folder` before.
            model: Name of the model of every role without one of its own: `embedded`, `openai:NAME`,
                `ollama:NAME`; empty: as in the settings.
            on_progress: Called with the progress of indexing, in another thread.

        Raises:
            ThinkTwiceError: A setting, the folder or the corpus cannot be used.
        """
        settings = settings or Settings()
        models = roles.with_environment(settings.models, model)
        settings = settings.model_copy(update={"models": models})
        (home,) = _expand_paths(folder)
        paths = _expand_paths(corpus)
        index = partial(sync, home, paths, settings.knowledge, settings.models)
        prompts = await asyncio.to_thread(PromptLibrary, settings.prompts)
        async with aclosing(roles.RoleModels(settings.models, home, settings.council)) as chat:
            await chat.join()
            if paths:
                await indexing.index_in_thread(lambda report: index(on_progress=report), on_progress)
            base = await asyncio.to_thread(KnowledgeBase.open, home, settings.knowledge, settings.models)
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
                    index,
                )
            finally:
                await asyncio.to_thread(base.close)

    @property
    def question_characters(self) -> int:
        """Maximum number of characters of a question."""
        return self.tools.budget.question_characters

    async def answer(self, question: Question | str, *, run_step: RunStep | None = None) -> Answer:
        """Answer a question.

        Raises:
            InputError: The question is empty, too long or not text.
            ThinkTwiceError: The knowledge base or the configuration is broken.
        """
        accepted_question = self._accept(question)
        tools = await self._tools_for(accepted_question)
        answer = await workflow.answer(Run(accepted_question, tools, run_step))
        return replace(answer, documents=accepted_question.documents)

    async def stream(
        self, question: Question | str, *, run_step: RunStep | None = None
    ) -> AsyncIterator[Event]:
        """Answer a question and yield events; the last one is `Answered`.

        Ending the iteration early cancels the work. Raises the errors of `answer`.
        """
        accepted_question = self._accept(question)
        tools = await self._tools_for(accepted_question)
        events = _stream_events(
            lambda emit: workflow.answer(Run(accepted_question, tools, run_step, emit, is_streaming=True)),
            accepted_question.documents,
        )
        async with aclosing(events):
            async for event in events:
                yield event

    async def council(
        self, question: Question | str, *, run_step: RunStep | None = None
    ) -> AsyncIterator[Event]:
        """Let the council answer a question and yield events; the last one is `Answered`.

        Ending the iteration early cancels the work. Also raises the errors of `answer`.

        Raises:
            InputError: The council has no members.
            ModelError: No member answered.
        """
        if not self.tools.council.members:
            raise InputError(Reason("council-no-seats"))
        accepted_question = self._accept(question)
        tools = council.with_budget(await self._tools_for(accepted_question))
        events = _stream_events(
            lambda emit: council.hold(Run(accepted_question, tools, run_step, emit)),
            accepted_question.documents,
        )
        async with aclosing(events):
            async for event in events:
                yield event

    def open_interview_work(self, run_step: RunStep | None = None) -> Work:
        """Return what one turn of an interview asks the models with; see `rag.interview.workflow`."""
        # Imported here: questions need none of it, and it brings the libraries of JSON Schema along.
        from rag.interview import workflow as interview

        return Work(interview.with_budget(self.tools), run_step)

    async def covers(self, text: str, documents: DocumentSet | None = None) -> bool:
        """Whether a text is a question that the documents clearly cover, according to the verifier.

        Raises:
            KnowledgeError: The knowledge base cannot be read.
        """
        try:
            question = self._accept(Question(text, documents=documents))
        except InputError:
            return False
        tools = await self._tools_for(question)
        classification = classify(question, tools.corpus)
        if classification.intent == "small_talk" or tools.corpus.is_empty:
            return False
        probe = await tools.corpus.search(classification.queries)
        try:
            found = await covers(Run(question, tools), classification, [hit.passage for hit in probe.hits])
        except (ModelError, BudgetExhaustedError, OperatorError):
            return False  # not clearly
        return found.value

    async def sync(
        self, *, rebuild: bool = False, on_progress: indexing.OnProgress | None = None
    ) -> SyncReport:
        """Update the knowledge base with the files of the corpus; questions are answered meanwhile.

        Args:
            on_progress: Called with the progress, in another thread. If it raises, the work stops, and
                nothing is lost.

        Raises:
            TypeError: The engine was created without documents; `open` creates one with documents.
            KnowledgeBusyError: Another process is indexing.
            ThinkTwiceError: The corpus or the knowledge base cannot be used.
        """
        if (index := self._index) is None:
            raise TypeError(
                "this engine has no documents to bring up to date: make it with AnswerEngine.open"
            )
        return await indexing.index_in_thread(
            lambda report: index(rebuild=rebuild, on_progress=report), on_progress
        )

    async def _tools_for(self, question: Question) -> Tools:
        documents = await self._given_answer(question) or question.documents
        if documents is None:
            return self.tools
        return replace(self.tools, corpus=self.tools.corpus.within(documents))

    async def _given_answer(self, question: Question) -> DocumentSet | None:
        """Return the document that was written as the answer to this very question, the newest of several.

        Older documents on the same matter are not even searched, so that none of them can contradict it. One
        that is not indexed yet, or outside of the question's documents, counts for nothing.
        """
        known = self._given_answers() if self._given_answers is not None else {}
        allowed = question.documents
        for file in reversed([*known]):
            is_allowed = allowed is None or allowed.holds(file)
            if not is_allowed or not is_same_question(question.text, known[file]):
                continue
            only = DocumentSet((file,))
            if (await self.tools.corpus.within(only).search([question.text], 1)).hits:
                return only
        return None

    def _accept(self, question: Question | str) -> Question:
        if isinstance(question, str):
            question = Question(question)
        text = accepted(question.text, self.question_characters)
        limit = self.tools.self_correction.history_limit
        return replace(question, text=text, history=question.history[-limit:] if limit else ())


async def _stream_events(
    begin: Callable[[Callable[[Event], None]], Coroutine[Any, Any, Answer]], documents: DocumentSet | None
) -> AsyncGenerator[Event, None]:
    """Yield the events of some work, then its answer; ending early cancels the work."""
    events: asyncio.Queue[Event | None] = asyncio.Queue()
    work = asyncio.create_task(begin(events.put_nowait))
    work.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (event := await events.get()) is not None:
            yield event
        yield Answered(replace(await work, documents=documents))
    finally:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({work})


def _expand_paths(paths: StrPath | Sequence[StrPath]) -> tuple[Path, ...]:
    """Return paths with ``~`` replaced by the home folder, because no shell does it here."""
    listed = (paths,) if isinstance(paths, str | Path) else paths
    return tuple(Path(path).expanduser() for path in listed)


def accepted(text: str, limit: int) -> str:
    """Return the visible text of a question; reject invalid text before any model is called.

    Raises:
        InputError: It is empty, too long or not text.
    """
    text = text.strip()
    if not text:
        raise InputError(Reason("question-empty"))
    if len(text) > limit:
        raise InputError(Reason("question-too-long", {"characters": len(text), "limit": limit}))
    # Format characters (joiners in emoji, direction marks) are text; control characters are not.
    controls = sum(unicodedata.category(character) == "Cc" for character in text if not character.isspace())
    is_broken = any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in text)
    if is_broken or controls * 10 > len(text):
        raise InputError(Reason("question-unreadable"))
    if not (seen := message_text(text)):
        raise InputError(Reason("question-invisible"))
    return seen
