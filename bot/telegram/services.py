"""The running parts that the bot's commands, buttons and notes use, in one value."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from telegram import Bot

from bot.clock import utcnow
from bot.service.explanations import Explanations
from bot.service.interview_deletion import InterviewDeletion
from bot.service.keys import PeerId
from bot.service.stopping import Stopping
from bot.storage.confirmations import Confirmations
from bot.storage.write_ahead_logs import erase_from_logs
from bot.talk.desk import Desk
from bot.telegram.access_requests import AccessRequests
from bot.telegram.buttons.explanations import Showing
from bot.telegram.interviews import InterviewScreen
from bot.telegram.messenger import TelegramMessenger
from bot.telegram.outbound.notes import Notes

if TYPE_CHECKING:
    from bot.jobs.runner import Jobs
    from bot.parts import Parts
    from bot.service.incoming import Me
    from bot.telegram.menus import Menus
    from bot.telegram.outbound.sender import Delivery


class Services(Desk):
    """The running parts."""

    def __init__(
        self,
        parts: Parts,
        bot: Bot,
        me: Me,
        jobs: Jobs,
        delivery: Delivery,
        menus: Menus,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self.notes = Notes(self)
        super().__init__(parts, jobs, self.notes.tell)
        self.me = me
        self.delivery = delivery
        self.menus = menus
        self.clock = clock
        self.started_at = utcnow()
        self.confirmations = Confirmations(parts.database, clock=clock)
        self.passed = parts.passed_questions(jobs)
        hosts = parts.settings.telegram.link_hosts
        self.messenger = TelegramMessenger(delivery, self.asks, link_hosts=hosts, passed=self.passed)
        self.stopping = Stopping(self.stores, self.messenger, jobs, parts.access)
        self.showing = Showing(Explanations(self.stores), delivery, parts.library, me.username)
        self.screen = InterviewScreen(self)
        self.access_requests = AccessRequests(self)
        self.interview_deletion = InterviewDeletion(
            parts.interviews,
            parts.runs,
            self.personal_jobs,
            partial(erase_from_logs, parts.settings.data_dir),
        )
        self._bot = bot

    async def backlog(self) -> int:
        """Return how many updates wait at Telegram; raises `TelegramError`."""
        return (await self._bot.get_webhook_info()).pending_update_count

    async def role_changed(self, user_id: PeerId) -> None:
        """Update the menu of a person whose role has changed."""
        admins = {admin.id for admin in await self.parts.access.admins()}
        self.menus.follow_role(user_id, is_admin=user_id in admins)
