"""Puts the Telegram channel together: which part takes in which update, and carries out which job."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from telegram import Bot

from bot.jobs.runner import Jobs
from bot.jobs.values import FAILED, Work
from bot.parts import ANSWERS_ARE_KNOWN, Parts
from bot.service.admission import REFUSAL, Reception
from bot.service.answering import Answering
from bot.service.apologies import Apologies
from bot.service.fence import Fence
from bot.service.incoming import (
    Asked,
    Commanded,
    Me,
    Migrated,
    Overheard,
    Presence,
    Pressed,
    StoppedWatching,
    Unreadable,
)
from bot.service.keys import PeerId
from bot.service.passed_questions import PASSED, REPLIED
from bot.service.voice_questions import Listening
from bot.settings.sections import Voice
from bot.storage.access_requests import StoredAccessRequests
from bot.storage.confirmations import Confirmations
from bot.storage.sent_messages import SentMessages
from bot.telegram.access_requests import REQUEST
from bot.telegram.buttons.dispatch import Buttons
from bot.telegram.commands.dispatch import Commands
from bot.telegram.digest import DIGEST, Digest
from bot.telegram.inbound.inbox import EDIT, LATE, PART, UPDATE, Intake, Rules, answer_job_id, job_id
from bot.telegram.inbound.router import Handler, Presences, Router
from bot.telegram.interviews import Interviewing
from bot.telegram.menus import Menus
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
        role_changed: Called with the id of a person whose role has changed, to update the person's menu.
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
    """Build the channel; nothing is sent or received yet."""
    settings, access = parts.settings, parts.access
    rates = Rates(overall=overall(settings.telegram.messages_per_second))
    delivery = Delivery(bot, parts.chats, SentMessages(parts.database), rates=rates, fence=fence)
    async with Menus(bot) as menus:
        services = Services(parts, bot, me, jobs, delivery, menus)
        stores, messenger, stopping = services.stores, services.messenger, services.stopping
        work_id = partial(answer_job_id, me)
        reception = Reception(stores, messenger, access, services.limits, work_id, parts.councils)
        answering = Answering(parts.app.engine, stores, messenger, reception, stopping.abandon)
        interviewing = Interviewing(services, answering)
        experts = Experts(services, interviewing)
        rules = Rules(
            timedelta(minutes=settings.telegram.max_age_minutes), settings.access.answer_plain_questions
        )
        intake = Intake(services, rules, reception, partial(_is_for_others, experts, interviewing))
        transcriber = _open_transcriber(settings.voice)
        asking: Handler = experts
        if transcriber is not None:
            asking = Listening(
                transcriber.transcribe,
                delivery.download,
                delivery.typing,
                settings.voice.max_seconds,
                parts.spent,
                experts,
            )
        presences = Presences(services)
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
        apologies = Apologies(stores, messenger, answering, jobs.recorded, work_id)
        router, notes, digest = (
            Router(services, intake, apologies, handlers),
            services.notes,
            Digest(services),
        )
        works: dict[str, Work] = {
            UPDATE: router.handle,
            PART: intake.join,
            EDIT: router.edit,
            LATE: notes.reply_too_late,
            REFUSAL: reception.tell,
            NOTE: notes.send_alert,
            REQUEST: services.access_requests.tell,
            PASSED: experts.tell,
            REPLIED: experts.bring,
            DIGEST: digest.send,
            FAILED: router.give_up,
        }
        forget = partial(_forget, parts, me, jobs)
        try:
            yield TelegramChannel(
                works, intake, notes, menus, delivery.token_lost, services.role_changed, digest, forget
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
