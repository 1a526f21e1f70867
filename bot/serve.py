"""``thinktwice run``: every channel that is set up, until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.logs import setup
from bot.settings import addresses
from bot.settings.tree import Settings
from bot.storage import data_folder
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.reasons import Reason

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from bot.app import App
    from bot.jobs.runner import Jobs
    from bot.jobs.values import Work
    from bot.matrix.channel import MatrixChannel
    from bot.parts import Parts
    from bot.service.access import Access
    from bot.service.owner_claim import Claim
    from bot.storage.database import Database
    from bot.telegram.connection import Client
    from bot.telegram.wiring import TelegramChannel
    from bot.web.wiring import Console
    from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

_UPKEEP_SECONDS: Final = 3600.0


class DatabaseAwayError(ThinkTwiceError):
    """The database cannot be reached: starting the bot again later may help."""


def run(overrides: dict[str, object]) -> int:
    """Serve every channel that is set up until SIGTERM or SIGINT."""
    setup.configure(logging.INFO, is_dated=True)
    # python-telegram-bot then gives pauses as durations, as its next version will.
    os.environ.setdefault("PTB_TIMEDELTA", "1")
    settings = addresses.choose_port(Settings.load(**overrides))
    setup.configure(logging.INFO, is_dated=True, is_json=settings.log_format == "json")
    # Its loop is the cheaper one; there is none for Windows.
    make_loop = import_module("uvloop").new_event_loop if find_spec("uvloop") else None
    try:
        with asyncio.Runner(loop_factory=make_loop) as runner:
            runner.run(_serve(settings))
    except InputError as exc:
        # Nobody types anything here: a path that does not exist stands in the settings, and a service that
        # starts again and again does not mend it.
        raise OperatorError(exc.reason) from exc
    return 0


async def _serve(settings: Settings) -> None:
    from bot.telegram import startup
    from bot.telegram.connection import open_bot

    # Without a messenger and without the console there would be nothing to do: then, too, a token is missing.
    token = settings.telegram.token.get_secret_value()
    if settings.matrix.homeserver or settings.matrix.token.get_secret_value():
        from bot.matrix import connection

        connection.check_settings(settings.matrix)
    if token or not (settings.matrix.homeserver or settings.console.enabled):
        startup.check_settings(settings.telegram)
    data_folder.create_folder(settings.data_dir)
    stop = _stop_signal()
    bot = open_bot(token, settings.telegram.api_url) if token else None
    working = asyncio.create_task(_work(settings, bot))
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            _log.info("stopping")
            working.cancel()
        with suppress(asyncio.CancelledError):
            await working
    finally:
        stopped.cancel()
        if bot is not None:
            await bot.shutdown()


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


async def _work(settings: Settings, bot: Client | None) -> None:
    from bot.app import running
    from bot.jobs.runner import Jobs, opened
    from bot.parts import open_parts
    from bot.serve_fleet import DOCUMENTS, ROOMS, join_fleet, name_machine
    from bot.serve_http import listening
    from bot.serve_telegram import start_telegram
    from bot.service.fence import Fence
    from bot.service.limits import tell_nobody
    from bot.service.owner_claim import Claim
    from bot.storage import bots
    from bot.storage.spent import Spent
    from bot.telegram import startup
    from bot.telegram.wiring import open_telegram
    from bot.web.wiring import console

    me = await startup.fetch_account(bot, hears=bool(settings.voice.base_url)) if bot else None
    if me is not None:
        _log.info("the token works", bot=f"@{me.username}")
    if settings.access.mode == "groups":
        _log.warning("whoever adds the bot to a group lets that group read the documents: access.mode=groups")
    folder = settings.data_dir
    claim = Claim(_shared_secret(settings))
    troubles: asyncio.Queue[Reason | None] = asyncio.Queue()
    fence = Fence()
    machine = name_machine(settings)
    async with AsyncExitStack() as stack:
        stack.enter_context(data_folder.alone_in(folder))
        database = await stack.enter_async_context(_reached_database(settings))
        if not await stack.enter_async_context(database.alone(machine)):
            raise data_folder.AlreadyRunningError(
                f"another bot with the name '{machine}' works on this database: stop it, or, when "
                "this is the same bot on another machine, give it another name (THINKTWICE_INSTANCE)"
            )
        jobs = Jobs(database, folder, troubles.put_nowait, fence=fence)
        fleet = await stack.enter_async_context(join_fleet(database, machine, jobs, fence))
        if me is not None:
            await bots.assign(database, me)
        app = await stack.enter_async_context(
            running(settings, waits_for_documents=False, spend=Spent(database).add)
        )
        parts = await stack.enter_async_context(open_parts(app, database, claim))
        channel: TelegramChannel | None = None
        if bot is not None and me is not None:
            channel = await stack.enter_async_context(open_telegram(parts, bot, me, jobs, fence))
        matrix: MatrixChannel | None = None
        if settings.matrix.homeserver:
            from bot.matrix.channel import MatrixChannel
            from bot.matrix.connection import open_homeserver

            homeserver = await stack.enter_async_context(open_homeserver(settings.matrix))
            _log.info("the token works", bot=homeserver.me.id)
            tell = channel.notes.tell if channel else tell_nobody
            matrix = MatrixChannel(parts, homeserver, jobs, tell)
        web = (
            console(parts, jobs, channel.notes.tell, channel.role_changed)
            if channel
            else console(parts, jobs)
        )
        await stack.enter_async_context(
            opened(
                jobs,
                _works(web, channel, matrix),
                machine,
                grace_seconds=settings.grace_seconds,
                most_at_work=settings.limits.answers_at_work,
                events=parts.runs,
            )
        )
        data_folder.note_databases(folder)
        # What is loaded stays, so the collector need not go through it again and again.
        gc.freeze()
        await _tell_state(app, parts.access, claim)
        forget = channel.forget if channel else partial(_forget, parts, jobs)
        passed = parts.passed_questions(jobs)
        works = [_prune_hourly(settings, jobs, (forget, passed.remind), database)]
        works += [_watch(fleet.heartbeats), fleet.lead(DOCUMENTS, app.watch)] if fleet else [app.watch()]
        if matrix is not None:
            works.append(fleet.lead(ROOMS, matrix.run) if fleet else matrix.run())
        updates: ASGIApp | None = None
        if bot is not None and channel is not None:
            updates, of_telegram = await start_telegram(parts, bot, channel, fleet, troubles)
            works += of_telegram
        async with listening(settings, web, updates):
            if channel is None:
                _log.info("ready", console=addresses.base(settings.console))
            await _run_until_failure(*works)


def _works(web: Console, channel: TelegramChannel | None, matrix: MatrixChannel | None) -> Mapping[str, Work]:
    """Return the work for each kind of job; a failed job is reported to the channel that it came from."""
    from bot.jobs.values import FAILED
    from bot.web.interviews import INTERVIEW
    from bot.web.reindexing import INDEX
    from bot.web.runs import PERSON, RUN

    async def failed(payload: str, run_step: RunStep) -> None:
        kind = json.loads(payload)["kind"]
        if kind == INDEX:
            return  # its failure is in the log, and on /health
        if kind in {RUN, PERSON, INTERVIEW}:
            await web.runs.give_up(payload)
        elif matrix is not None and kind in matrix.works:
            await matrix.give_up(payload, run_step)
        elif channel is not None:
            await channel.works[FAILED](payload, run_step)

    # A bot on Telegram also tells those who know, and brings replies to its chats.
    works = {**web.works, **(channel.works if channel else {}), **(matrix.works if matrix else {})}
    return works | {FAILED: failed}


@asynccontextmanager
async def _reached_database(settings: Settings) -> AsyncIterator[Database]:
    """A server that is away, as after a start of the machine, is no mistake in the settings."""
    from bot.app import opened_database
    from bot.service.errors import StorageError

    async with AsyncExitStack() as stack:
        try:
            database = await stack.enter_async_context(opened_database(settings))
        except StorageError as exc:
            if exc.is_passing and settings.database_url.get_secret_value():
                raise DatabaseAwayError(exc.reason) from exc
            raise
        yield database


async def _run_until_failure(*works: Coroutine[Any, Any, None]) -> None:
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _shared_secret(settings: Settings) -> str:
    """Return what only the machines of a fleet know; empty for a machine that is alone."""
    database = settings.database_url.get_secret_value()
    token = settings.telegram.token.get_secret_value() or settings.matrix.token.get_secret_value()
    return f"{token}\n{database}" if database and token else ""


async def _tell_state(app: App, access: Access, claim: Claim) -> None:
    """Say who the bot is and what is left to do; what is missing does not keep it from running."""
    from rag.models import embedded
    from rag.models.roles import ROLES, weights

    if app.knowledge.is_empty:
        _log.warning(
            "there are no documents, so nothing can be looked up: set THINKTWICE_CORPUS or send files"
        )
    if embedded.NAME in {app.models.name(role) for role in ROLES}:
        problem = await asyncio.to_thread(weights(app.settings.models, app.settings.data_dir).problem)
        if problem:
            _log.warning("there is no model, so answers only quote the documents", reason=str(problem))
    if await access.is_claimable():
        # In the sentence, not in a field: it is to be copied as it stands.
        _log.warning(f"nobody owns this bot yet: write to it in a private chat and send /claim {claim.code}")


async def _forget(parts: Parts, jobs: Jobs) -> None:
    """What is left behind without Telegram: no work of it waits for a file that was put aside."""

    async def is_at_work(_number: int) -> bool:
        return False

    await parts.forget(jobs)
    await parts.library.sweep(is_at_work)


async def _watch(task: asyncio.Task[None]) -> None:
    """Wait for a task without ending it; its error is raised."""
    await asyncio.shield(task)


async def _prune_hourly(
    settings: Settings, jobs: Jobs, hourly: Sequence[Callable[[], Awaitable[None]]], database: Database
) -> None:
    from bot.storage.conversations import StoredConversations

    conversations = StoredConversations(database)
    while True:
        try:
            forgotten = await jobs.prune(timedelta(days=settings.keep_work_days))
            for each in hourly:
                await each()
            if settings.keep_conversations_days:
                await conversations.prune(timedelta(days=settings.keep_conversations_days))
        except ThinkTwiceError as exc:
            _log.warning("what is old was not forgotten", reason=str(exc))
        else:
            _log.debug("finished work forgotten", jobs=forgotten)
        await asyncio.sleep(_UPKEEP_SECONDS)
