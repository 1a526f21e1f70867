"""Builds the Telegram channel: the handlers of jobs, and the parts that they need."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from telegram import Bot

from bot.jobs.personal import PersonalJobs
from bot.jobs.runner import Jobs
from bot.jobs.values import FAILED, Work
from bot.parts import ANSWERS_ARE_KNOWN, Parts
from bot.service.access import Access
from bot.service.admission import REFUSAL, Reception
from bot.service.answering import Answering
from bot.service.apologies import Apologies
from bot.service.explanations import Explanations
from bot.service.fence import Fence
from bot.service.incoming import (
    Asked,
    Commanded,
    Me,
    Migrated,
    Overheard,
    Place,
    Presence,
    Pressed,
    Sender,
    StoppedWatching,
    Unreadable,
)
from bot.service.interview_deletion import InterviewDeletion
from bot.service.keys import PeerId
from bot.service.limits import Limits
from bot.service.passed_questions import PASSED, REPLIED
from bot.service.stopping import Stopping
from bot.service.voice_questions import Listening
from bot.settings import addresses
from bot.settings.sections import Voice
from bot.settings.tree import Settings
from bot.storage.access_requests import StoredAccessRequests
from bot.storage.asks import Asks
from bot.storage.confirmations import Confirmations
from bot.storage.passed_questions import StoredPassedQuestions
from bot.storage.privacy import Privacy
from bot.storage.sent_messages import SentMessages
from bot.storage.write_ahead_logs import erase_from_logs
from bot.telegram.access_requests import REQUEST, AccessRequests
from bot.telegram.buttons.dispatch import Buttons
from bot.telegram.buttons.explanations import Showing
from bot.telegram.commands import COMMANDS
from bot.telegram.commands.dispatch import Commands
from bot.telegram.digest import DIGEST, Digest
from bot.telegram.inbound.inbox import EDIT, LATE, PART, UPDATE, Intake, Rules, answer_job_id, job_id
from bot.telegram.inbound.lanes import Lanes
from bot.telegram.inbound.membership import Presences
from bot.telegram.inbound.router import Dispatch, Edits, Failures, Handler
from bot.telegram.interviews import Interviewing, InterviewScreen
from bot.telegram.menus import Menus
from bot.telegram.messenger import TelegramMessenger
from bot.telegram.outbound.notes import NOTE, Notes
from bot.telegram.outbound.rate_limits import Rates, overall
from bot.telegram.outbound.sender import Delivery
from bot.telegram.passed_questions import Experts
from bot.telegram.services import Services
from rag.models.transcription import Transcriber


@dataclass(frozen=True, slots=True)
class TelegramChannel:
    """The running channel.

    Args:
        works: The handlers of jobs, by kind.
        intake: Records updates.
        notes: Tells the admins.
        menus: Sends the menus to Telegram.
        token_lost: Set when Telegram no longer accepts the token.
        role_changed: Called with the id of a person whose role has changed, to update the person's menu.
        digest: Sends the weekly digest.
        forget: Deletes expired notices, confirmations, arrivals, interviews and half-added files.
    """

    works: Mapping[str, Work]
    intake: Intake
    notes: Notes
    menus: Menus
    token_lost: asyncio.Event
    role_changed: Callable[[PeerId], Awaitable[None]]
    digest: Digest
    forget: Callable[[], Awaitable[None]]


@asynccontextmanager
async def open_telegram(
    parts: Parts, bot: Bot, me: Me, jobs: Jobs, fence: Fence | None = None
) -> AsyncIterator[TelegramChannel]:
    """Build the channel; nothing is sent or received yet.

    Args:
        parts: The parts shared with the other channels.
        bot: The client.
        me: The bot's own account.
        jobs: Records and cancels jobs; need not be open yet.
        fence: Closed while other machines may declare this one dead.
    """
    app, settings, database = parts.app, parts.settings, parts.database
    asks = Asks(database)
    async with Menus(bot) as menus:
        users, chats, notices, access = parts.users, parts.chats, parts.notices, parts.access
        memory, answers, library, spent = parts.memory, parts.answers, parts.library, parts.spent
        lanes = Lanes(chats)
        rates = Rates(overall=overall(settings.telegram.messages_per_second))
        delivery = Delivery(bot, chats, SentMessages(database), rates=rates, fence=fence)
        notes = Notes(me, delivery, users, access, jobs)
        access_requests = AccessRequests(
            StoredAccessRequests(database),
            delivery,
            users,
            access,
            notices,
            jobs,
            settings.telegram.token.get_secret_value(),
            timedelta(days=settings.access.request_days),
            timedelta(minutes=settings.access.notice_minutes),
        )
        digest = Digest(me, settings.digest, settings.zone, answers, access, delivery, jobs)
        passed = parts.passed_questions(jobs)
        hosts = settings.telegram.link_hosts
        messenger = TelegramMessenger(delivery, asks, link_hosts=hosts, passed=passed)
        work_id = partial(answer_job_id, me)
        limits = Limits(parts.arrivals, spent, notices, settings.limits, notes.tell)
        stores = parts.stores(asks)
        reception = Reception(stores, messenger, access, limits, work_id, parts.councils)
        stopping = Stopping(stores, messenger, jobs, access)
        showing = Showing(Explanations(stores), delivery, library, me.username)
        answering = Answering(app.engine, stores, messenger, reception, stopping.abandon)
        interviews = parts.interviews
        screen = InterviewScreen(interviews, delivery, access)
        interviewing = Interviewing(
            interviews, screen, stores, access, limits, delivery, answering, app.engine.covers, work_id
        )
        experts = Experts(
            passed,
            StoredPassedQuestions(database),
            delivery,
            users,
            chats,
            access,
            work_id,
            interviewing,
        )
        intake = Intake(
            jobs,
            me,
            build_rules(settings),
            lanes,
            reception,
            is_stranger=partial(_is_stranger, access),
            is_refused=limits.refuses,
            is_for_others=partial(_is_for_others, experts, interviewing),
            together=jobs.together,
        )
        apologies = Apologies(stores, messenger, answering, jobs.recorded, work_id)
        personal_jobs = PersonalJobs(jobs)
        services = Services(
            me=me,
            settings=settings,
            delivery=delivery,
            chats=chats,
            users=users,
            asks=asks,
            confirmations=Confirmations(database),
            access=access,
            access_requests=access_requests,
            limits=limits,
            memory=memory,
            answers=answers,
            privacy=Privacy(database),
            personal_jobs=personal_jobs,
            library=library,
            document_sets=parts.document_sets,
            passed=passed,
            jobs=jobs,
            showing=showing,
            stopping=stopping,
            interviews=interviews,
            interview_deletion=InterviewDeletion(
                interviews, parts.runs, personal_jobs, partial(erase_from_logs, settings.data_dir)
            ),
            spent=spent,
            screen=screen,
            models=app.models.describe,
            backlog=partial(_count_backlog, bot),
            machines=parts.machines,
            console_link=partial(_make_console_link, parts) if settings.console.enabled else None,
            role_changed=partial(_follow_role, menus, access),
        )
        presences = Presences(chats, access, stopping)
        transcriber = _open_transcriber(settings.voice)
        asking: Handler = experts
        if transcriber is not None:
            asking = Listening(
                transcriber.transcribe,
                delivery.download,
                delivery.typing,
                settings.voice.max_seconds,
                spent,
                experts,
            )
        handlers: dict[type, Handler] = {
            Asked: asking,
            Overheard: answering.overhear,
            Unreadable: reception.turn_down,
            Pressed: Buttons(services),
            StoppedWatching: stopping.stop_draft,
            Presence: presences.note_change,
            Migrated: presences.migrate,
            Commanded: Commands(services),
        }
        works: dict[str, Work] = {
            UPDATE: Dispatch(me, handlers),
            PART: intake.join,
            EDIT: Edits(me, intake, stopping),
            LATE: notes.reply_too_late,
            REFUSAL: reception.tell,
            NOTE: notes.send_alert,
            REQUEST: access_requests.tell,
            PASSED: experts.tell,
            REPLIED: experts.bring,
            DIGEST: digest.send,
            FAILED: Failures(me, apologies, notes),
        }
        try:
            yield TelegramChannel(
                works,
                intake,
                notes,
                menus,
                delivery.token_lost,
                services.role_changed,
                digest,
                partial(_forget, parts, me, jobs),
            )
        finally:
            await reception.aclose()
            if transcriber is not None:
                await transcriber.aclose()


def _open_transcriber(voice: Voice) -> Transcriber | None:
    if not voice.base_url:
        return None
    key = voice.api_key.get_secret_value()
    return Transcriber(voice.base_url, voice.model, key, voice.timeout_seconds)


def build_rules(settings: Settings) -> Rules:
    """Build the rules for incoming updates from the settings."""
    return Rules(
        max_age=timedelta(minutes=settings.telegram.max_age_minutes),
        commands={command.name for command in COMMANDS},
        ordered={command.name for command in COMMANDS if command.is_ordered},
        hears_plain_questions=settings.access.answer_plain_questions,
    )


async def _count_backlog(bot: Bot) -> int:
    return (await bot.get_webhook_info()).pending_update_count


async def _make_console_link(parts: Parts, user_id: PeerId) -> str:
    return addresses.link(parts.settings.console, await parts.logins.link(user_id))


async def _follow_role(menus: Menus, access: Access, user_id: PeerId) -> None:
    admins = {admin.id for admin in await access.admins()}
    menus.follow_role(user_id, is_admin=user_id in admins)


async def _is_stranger(access: Access, place: Place, sender: Sender) -> bool:
    return await access.role(sender, place) == "none"


async def _is_for_others(experts: Experts, interviewing: Interviewing, asked: Asked) -> bool:
    """Return whether a message may be no question to the bot, but a reply to a person or an interview."""
    return await experts.is_reply(asked) or await interviewing.is_for_interview(asked)


async def _forget(parts: Parts, me: Me, jobs: Jobs) -> None:
    await parts.forget(jobs)
    await Confirmations(parts.database).prune()
    await SentMessages(parts.database).prune(ANSWERS_ARE_KNOWN)
    waits = timedelta(days=parts.settings.access.request_days)
    await StoredAccessRequests(parts.database).prune(max(waits, ANSWERS_ARE_KNOWN))
    # Files last: if their folder cannot be written, the personal data above is deleted all the same.
    await parts.library.sweep(lambda update_id: jobs.is_at_work(job_id(me, update_id)))
