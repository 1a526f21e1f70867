"""The composition root: settings in, running parts out. Nothing else builds them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.corpus import OnProgress, knowledge_folder, update
from bot.settings import Settings
from rag.engine import AnswerEngine, preload
from rag.errors import KnowledgeBusyError, ModelError, ThinkTwiceError
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import Progress
from rag.models import embedded
from rag.models.roles import ROLES, RoleModels, weights
from rag.prompts import PromptLibrary

if TYPE_CHECKING:
    from bot.conversations.memory import ConversationMemory


_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class App:
    """The running parts."""

    settings: Settings
    knowledge: KnowledgeBase
    models: RoleModels
    prompts: PromptLibrary
    engine: AnswerEngine


@asynccontextmanager
async def running(
    settings: Settings, on_progress: OnProgress | None = None, *, is_lasting: bool = True
) -> AsyncIterator[App]:
    """Build the parts, with the knowledge base up to date, and close them in the end.

    Args:
        settings: What to build.
        on_progress: Told how far the indexing is.
        is_lasting: Many questions will come, so that bringing up Chroma pays off.

    Raises:
        ThinkTwiceError: a setting, the data folder, the database or the corpus cannot be used.
    """
    prompts = await asyncio.to_thread(PromptLibrary, settings.prompts)
    folder = await asyncio.to_thread(knowledge_folder, settings)
    models = RoleModels(settings.models, settings.data_dir)
    # The model client takes seconds to import and the embedded model to load: meanwhile we index.
    joining = asyncio.create_task(_joined(models, settings))
    warming = asyncio.create_task(_started(models, joining))
    try:
        try:
            await _updated(settings, folder, on_progress)
        except (KnowledgeBusyError, ModelError) as exc:
            # Another process indexes, or the embedding server is away: the previous generation answers.
            _log.warning("the documents were not brought up to date", reason=str(exc))
        knowledge = await asyncio.to_thread(
            KnowledgeBase.open,
            folder,
            settings.knowledge,
            settings.models,
            use_chroma=is_lasting,
        )
        try:
            engine = AnswerEngine(
                models=models,
                corpus=knowledge,
                prompts=prompts,
                self_correction=settings.self_correction,
                budget=settings.budget,
                model_settings=settings.models,
                review=settings.review,
                critique=settings.critique,
                prices=settings.prices,
            )
            if is_lasting:
                # A chat must not stand still while another one's first question reads a file.
                await asyncio.to_thread(preload)
            await asyncio.wait({joining})
            yield App(settings, knowledge, models, prompts, engine)
        finally:
            await asyncio.to_thread(knowledge.close)
    finally:
        warming.cancel()
        await asyncio.gather(joining, warming, return_exceptions=True)
        await models.aclose()


async def _updated(settings: Settings, folder: Path, on_progress: OnProgress | None) -> None:
    """Sync in a thread; whoever stops waiting (Ctrl-C) ends it with its next step."""
    is_left = threading.Event()

    def report(progress: Progress) -> None:
        if is_left.is_set():
            raise InterruptedError
        if on_progress is not None:
            on_progress(progress)

    try:
        await asyncio.to_thread(update, settings, folder, on_progress=report)
    finally:
        is_left.set()


async def _joined(models: RoleModels, settings: Settings) -> None:
    """Put the embedded model's file in its place when it is needed and its packages are installed."""
    if embedded.NAME not in {models.name(role) for role in ROLES}:
        return
    file = weights(settings.models, settings.data_dir)
    if file.problem() and file.pieces():
        await asyncio.to_thread(file.pull)


async def _started(models: RoleModels, joining: asyncio.Task[None]) -> None:
    """Load what the first call needs; a failure is told by that call, where it can be answered to."""
    await asyncio.wait({joining})
    if not joining.cancelled() and (failure := joining.exception()) is not None:
        _log.warning("the embedded model was not put together", reason=str(failure))
    with suppress(ThinkTwiceError):
        await models.start()


@asynccontextmanager
async def conversation_memory(app: App) -> AsyncIterator[ConversationMemory]:
    """Open the conversations of the data folder.

    Raises:
        OperatorError: the database cannot be used.
    """
    # Imported here: a single question needs no database of conversations, and they are slow to load.
    from bot.conversations.memory import ConversationMemory
    from bot.conversations.summaries import ModelSummaries
    from bot.storage.conversations import StoredConversations
    from bot.storage.database import open_database

    async with open_database(app.settings.data_dir) as database:
        memory = ConversationMemory(
            StoredConversations(database),
            ModelSummaries(app.models, app.prompts),
            app.settings.self_correction.history_limit,
        )
        try:
            yield memory
        finally:
            await memory.aclose()
