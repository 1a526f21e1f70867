"""Builds the engine with its models and its knowledge base from the settings.

`bot.parts` adds the stores that channels share, and the `wiring` of each channel adds its own parts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from bot.documents.corpus import Spend, knowledge_folder
from bot.documents.given_answers import Corrections
from bot.documents.library import Library
from bot.documents.shared import SharedDocuments, open_shared, uploads_folder
from bot.documents.watching import Watcher
from bot.service.errors import StorageError
from bot.settings.tree import Settings
from bot.storage import data_folder
from rag import prices
from rag.engine import AnswerEngine, preload
from rag.errors import KnowledgeBusyError, ModelError, ThinkTwiceError
from rag.knowledge.asked_languages import AskedLanguages
from rag.knowledge.indexing import OnProgress
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sources import grouped
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary

if TYPE_CHECKING:
    from bot.conversations.memory import ConversationMemory
    from bot.service.interview_ports import Engine
    from bot.service.interviews import Interviews
    from bot.statistics.values import Circumstances
    from bot.storage.answered import StoredAnswers
    from bot.storage.database import Database
    from rag.interview.engine import InterviewEngine
    from rag.knowledge.sync import SyncReport
    from rag.models.chat import ChatModel
    from rag.values import Answer, ModelCall


_FOLLOW_SECONDS = 2.0  # between two looks for what other machines have changed
_RETRY_SECONDS = 30.0  # until another indexing has ended, or the embedding server is back
_LOGGED = 20  # failed files that get a line of their own
_NAMED = 5

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class App:
    """The running engine, its models and its knowledge base, which lies in `folder`.

    `watch` keeps it in step with its documents until cancelled.
    """

    settings: Settings
    knowledge: KnowledgeBase
    models: RoleModels
    prompts: PromptLibrary
    engine: AnswerEngine
    folder: Path
    library: Library
    watch: Callable[[], Coroutine[Any, Any, None]]


@asynccontextmanager
async def running(
    settings: Settings,
    on_progress: OnProgress | None = None,
    *,
    is_lasting: bool = True,
    waits_for_documents: bool = True,
    spend: Spend | None = None,
) -> AsyncIterator[App]:
    """Build the parts, with the knowledge base up to date, and close them in the end.

    Args:
        is_lasting: Many questions will come, so that bringing up Chroma pays off.
        waits_for_documents: Index first. Otherwise what was indexed before answers, if there is any, and the
            documents are brought up to date while questions are answered.
        spend: Told how many tokens of documents a server has embedded.

    Raises:
        ThinkTwiceError: a setting, the data folder, the database or the corpus cannot be used.
    """
    await asyncio.to_thread(data_folder.check_data, settings)
    prompts = await asyncio.to_thread(PromptLibrary, settings.prompts)
    shared = open_shared(settings)
    if shared is not None:
        await _copy_from_others(shared)
    if shared is not None and not waits_for_documents:
        folder = settings.data_dir  # a machine of a fleet serves what all share
    elif (folder := await asyncio.to_thread(knowledge_folder, settings)) != settings.data_dir:
        shared = None
    models = RoleModels(settings.models, settings.data_dir, settings.council)
    # The model client takes seconds to import and the embedded model to load: meanwhile we index.
    joining = asyncio.create_task(models.join())
    warming = asyncio.create_task(_started(models, joining))
    background = [joining, warming]
    try:
        library = Library(settings, folder, spend=spend, shared=shared)
        tell = _tell_unread if is_lasting else _tell_unread_briefly
        bring_up_to_date = partial(_brought_up_to_date, library, tell, on_progress)
        if waits_for_documents or not await asyncio.to_thread(_can_answer, settings, folder):
            await bring_up_to_date()
        else:
            background.append(asyncio.create_task(_run_in_background(bring_up_to_date())))
        is_asked_otherwise, loop = asyncio.Event(), asyncio.get_running_loop()

        def note_other_language() -> None:
            if is_lasting:
                loop.call_soon_threadsafe(is_asked_otherwise.set)
            else:
                _log.warning(
                    "the embedding of the documents knows only English: the next command embeds them for "
                    "other languages, so ask again"
                )

        is_chosen = settings.knowledge.embedding == "auto"
        asked = AskedLanguages(folder, note_other_language) if is_chosen else None
        knowledge = await asyncio.to_thread(
            KnowledgeBase.open,
            folder,
            settings.knowledge,
            settings.models,
            use_chroma=is_lasting,
            asked=asked,
        )
        if is_lasting:
            again = _embed_for_other_languages(is_asked_otherwise, bring_up_to_date)
            background.append(asyncio.create_task(_run_in_background(again)))
        try:
            if is_lasting:
                # A chat must not stand still while another one's first question reads a file.
                await asyncio.to_thread(preload)
            if is_lasting and shared is not None:
                background.append(asyncio.create_task(_follow(shared, knowledge)))
            await asyncio.wait({joining})
            answering = engine(settings, models, knowledge, prompts)
            watch = Watcher(settings, library, partial(_brought_up_to_date, library, _tell_changes)).run
            yield App(settings, knowledge, models, prompts, answering, folder, library, watch)
        finally:
            await asyncio.to_thread(knowledge.close)
    finally:
        for task in background[1:]:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await models.aclose()


def engine(
    settings: Settings, models: ChatModel, knowledge: KnowledgeBase, prompts: PromptLibrary
) -> AnswerEngine:
    """The loop as the settings say."""
    return AnswerEngine(
        models=models,
        corpus=knowledge,
        prompts=prompts,
        self_correction=settings.self_correction,
        budget=settings.budget,
        model_settings=settings.models,
        review=settings.review,
        critique=settings.critique,
        prices=settings.prices,
        council=settings.council,
        given_answers=Corrections(uploads_folder(settings)).questions,
    )


def _can_answer(settings: Settings, folder: Path) -> bool:
    try:
        opened = KnowledgeBase.open(folder, settings.knowledge, settings.models, use_chroma=False)
        with closing(opened) as knowledge:
            return not knowledge.is_empty
    except ThinkTwiceError:
        # Indexed with another embedding, for one: indexing says what to do, or does it.
        return False


async def _embed_for_other_languages(
    is_asked: asyncio.Event, bring_up_to_date: Callable[[], Coroutine[Any, Any, bool]]
) -> None:
    await is_asked.wait()
    _log.info("the documents are embedded for other languages; questions are answered meanwhile")
    while not await bring_up_to_date():  # noqa: ASYNC110 - another indexing or a server that is away tells nothing
        await asyncio.sleep(_RETRY_SECONDS)


async def _run_in_background(work: Coroutine[Any, Any, object]) -> None:
    try:
        await work
    except ThinkTwiceError as exc:
        _log.error("the documents were not brought up to date", reason=str(exc))
    except Exception:  # noqa: BLE001 - the outermost edge of this work
        # Nobody waits for this work, so nobody else would tell.
        _log.exception("the documents were not brought up to date")


async def _copy_from_others(shared: SharedDocuments) -> None:
    """Copy what other machines have changed; while the database is away, the last copy answers."""
    try:
        await asyncio.to_thread(shared.refresh)
    except StorageError as exc:
        if not exc.is_passing:
            raise
        _log.warning("what other machines know was not copied", reason=str(exc))


async def _follow(shared: SharedDocuments, knowledge: KnowledgeBase) -> None:
    """Swap to each new generation; searches that are at work finish with the one that they began with."""
    # A generation may also be copied by an update of the documents, before this begins, or by a list of them.
    followed = None
    while True:
        await asyncio.sleep(_FOLLOW_SECONDS)
        try:
            await _copy_from_others(shared)
            if shared.version != followed:
                followed = shared.version
                await asyncio.to_thread(knowledge.refresh)
        except ThinkTwiceError as exc:
            _log.error("a new generation of the documents cannot be used", reason=str(exc))


async def _brought_up_to_date(
    library: Library, tell: Callable[[SyncReport], None], on_progress: OnProgress | None = None
) -> bool:
    try:
        report = await library.sync("", on_progress=on_progress)
    except (KnowledgeBusyError, ModelError) as exc:
        # Another process indexes, or the embedding server is away: the previous generation answers.
        _log.warning("the documents were not brought up to date", reason=str(exc))
    except StorageError as exc:
        if not exc.is_passing:
            raise
        _log.warning("the documents were not brought up to date", reason=str(exc))
    else:
        tell(report)
        return True
    return False


def _tell_unread(report: SyncReport) -> None:
    """Log which files answers cannot use: those that failed, and those of kinds that nobody reads."""
    for failure in report.failed[:_LOGGED]:
        _log.warning("a file was not read", file=failure.path, reason=str(failure.reason))
    if len(report.failed) > _LOGGED:
        _log.warning("more files were not read", files=len(report.failed) - _LOGGED)
    for group in grouped(report.skipped):
        _log.warning(
            "files were skipped", count=group.files, files=group.named(_NAMED), reason=str(group.reason)
        )


def _tell_changes(report: SyncReport) -> None:
    if report.has_news:
        _log.info(
            "changed documents were read", added=report.added, changed=report.changed, removed=report.removed
        )
        _tell_unread(replace(report, skipped=()))


def _tell_unread_briefly(report: SyncReport) -> None:
    """Log how many files answers cannot use, for a command that answers once, and only if it is news."""
    unread = {failure.path for failure in report.failed} | {skipped.path for skipped in report.skipped}
    if unread and report.has_news:
        _log.warning("some files are not read; `thinktwice index` says which, and why", files=len(unread))


async def _started(models: RoleModels, joining: asyncio.Task[None]) -> None:
    """Load what the first call needs; a failure is told by that call, where it can be answered to."""
    await asyncio.wait({joining})
    if not joining.cancelled() and (failure := joining.exception()) is not None:
        _log.warning("the embedded model was not put together", reason=str(failure))
    with suppress(ThinkTwiceError):
        await models.start()


def opened_database(settings: Settings) -> AbstractAsyncContextManager[Database]:
    """The database that the settings name, open while the context lasts.

    Raises:
        OperatorError: it cannot be used; what concerns its content, on entering.
    """
    # Imported here and below: a question is answered without a database, and they are slow to load.
    from bot.storage.database import open_database

    data_folder.check_data(settings)
    return open_database(settings.data_dir, settings.database_url.get_secret_value())


@asynccontextmanager
async def conversation_memory(app: App, database: Database) -> AsyncIterator[ConversationMemory]:
    """The conversations of a database; summaries in the making are stopped in the end."""
    from bot.conversations.memory import ConversationMemory
    from bot.conversations.summaries import ModelSummaries, of_conversation
    from bot.service import keys
    from bot.storage.answered import StoredAnswers
    from bot.storage.conversations import StoredConversations
    from bot.storage.spent import Spent

    answers, spent = StoredAnswers(database), Spent(database)

    async def spend(call: ModelCall) -> None:
        try:
            named = replace(call, model=call.model or app.settings.models.named(call.role))
            usage = prices.usage(app.settings.prices, [named])
            await answers.spend("summarize", usage)
            chat_id, user_id = keys.payers(of_conversation.get())
            await spent.add(usage.tokens, chat_id=chat_id, user_id=user_id)
        except ThinkTwiceError as exc:
            _log.warning("a summary is missing in the statistics", reason=str(exc))

    memory = ConversationMemory(
        StoredConversations(database),
        ModelSummaries(app.models, app.prompts, spend),
        app.settings.self_correction.history_limit,
    )
    try:
        yield memory
    finally:
        await memory.aclose()


@asynccontextmanager
async def interview_engine(settings: Settings) -> AsyncIterator[InterviewEngine]:
    """The engine of interviews, which asks models but reads no documents.

    Raises:
        ThinkTwiceError: a setting or the prompts cannot be used.
    """
    from rag.interview.engine import InterviewEngine
    from rag.models.calls import ModelTools

    prompts = await asyncio.to_thread(PromptLibrary, settings.prompts)
    async with aclosing(RoleModels(settings.models, settings.data_dir, settings.council)) as models:
        await models.join()
        yield InterviewEngine(
            ModelTools(
                models=models,
                prompts=prompts,
                budget=settings.budget,
                model_settings=settings.models,
                council=settings.council,
                prices=settings.prices,
            )
        )


async def stored_interviews(settings: Settings, engine: Engine, database: Database) -> Interviews:
    """The interviews of a database, with the packs that the settings name."""
    from bot.service.interviews import Interviews
    from bot.service.mission_packs import MissionPacks
    from bot.storage.interviews import StoredInterviews

    packs = await asyncio.to_thread(MissionPacks.load, settings.interviews.packs)
    return Interviews(engine, StoredInterviews(database), packs, settings.interviews)


async def write_down(answers: StoredAnswers, answer: Answer, circumstances: Circumstances) -> None:
    """Add an answer to the statistics; when that fails, a line in the log says so, and nothing else."""
    try:
        await answers.record(answer, circumstances)
    except ThinkTwiceError as exc:
        _log.warning("the answer is missing in the statistics", reason=str(exc))
