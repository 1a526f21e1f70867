"""Questions that come in, come again, are edited, stopped and answered in any order, with kills in between."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.conversations.memory import ConversationMemory
from bot.jobs.values import Job, JobState
from bot.service.admission import Reception
from bot.service.errors import StorageError
from bot.service.incoming import Asked, Me, Message, Place, Sender
from bot.service.messenger import Messenger
from bot.service.runs import Runs
from bot.service.stopping import Stopping
from bot.service.stores import Stores
from bot.storage.answered import StoredAnswers
from bot.storage.asks import Asks
from bot.storage.chats import Chats
from bot.storage.database import FILE_NAME, open_database
from bot.storage.document_sets import StoredDocumentSets
from bot.storage.notices import Notices
from bot.storage.run_events import StoredRuns
from bot.storage.spent import Spent
from bot.storage.users import Users
from bot.telegram.ids import to_peer
from bot.telegram.inbound.inbox import Rules, answer_job_id
from tests.support.channel import Limits, Rights, direct
from tests.support.intake import build_intake

ME = Me(7, "thinktwice_bot")
PLACE = Place(to_peer(-5), "group")
ANN = Sender(to_peer(3), "person", "Ann")
START = datetime(2026, 5, 1, tzinfo=UTC)


class Silent:
    """A channel that shows nothing."""

    async def acknowledge(self, *_given: object) -> None:
        """Nothing shows that a question waits."""

    async def retract(self, *_given: object, **_more: object) -> None:
        """Nothing was shown."""


class Work:
    """The record of work: jobs by id, of which some are over."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.over: set[str] = set()
        self.is_full = False

    @property
    def waiting(self) -> list[str]:
        left = [job for job in self.jobs.values() if job.id not in self.over]
        return [job.id for job in sorted(left, key=lambda job: job.order)]

    async def submit(self, job: Job) -> bool:
        if self.is_full:
            raise StorageError("the disk is full", is_passing=True)
        return self.jobs.setdefault(job.id, job) is job

    async def state(self, job_id: str) -> JobState | None:
        return "waiting" if job_id in self.jobs else None

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        return tuple(job.payload for job in self.jobs.values() if (job.person, job.lane) == (person, lane))

    async def cancel(self, job_id: str) -> bool:
        is_waiting = job_id in self.waiting
        self.over.add(job_id)
        return is_waiting


async def _made_once(folder: Path) -> None:
    async with open_database(folder):
        pass


_TEMPLATE = tempfile.TemporaryDirectory(prefix="admission-")


class Admissions(RuleBasedStateMachine):
    """One group, in which one person asks."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        template = Path(_TEMPLATE.name)
        if not (template / FILE_NAME).exists():
            self.runner.run(_made_once(template))
        self.folder = Path(tempfile.mkdtemp(prefix="admission-"))
        shutil.copy(template / FILE_NAME, self.folder / FILE_NAME)
        self.stack = AsyncExitStack()
        database = self.runner.run(self.stack.enter_async_context(open_database(self.folder)))
        self.asks, chats, self.work = Asks(database), Chats(database), Work()
        messenger = cast("Messenger", Silent())
        stores = Stores(
            cast("ConversationMemory", None),
            self.asks,
            chats,
            Users(database),
            StoredAnswers(database),
            Notices(database),
            Runs(StoredRuns(database)),
            StoredDocumentSets(database),
            Spent(database),
            database.together,
            database.after_commit,
        )
        self.reception = Reception(stores, messenger, Rights(), Limits(), partial(answer_job_id, ME))
        self.stopping = Stopping(stores, messenger, self.work, Rights())
        self.intake = build_intake(self.work, ME, Rules(timedelta(days=9)), chats, self.reception)
        self.updates = 0
        self.newest: dict[int, Asked] = {}
        self.by_job: dict[str, Asked] = {}
        self.unrecorded: list[Asked] = []
        self.stopped: set[int] = set()
        self.answered: list[tuple[int, str]] = []

    def made(self, message_id: int, *, is_edit: bool) -> Asked:
        self.updates += 1
        text = f"question {self.updates}?"
        sent_at = START + timedelta(seconds=self.updates)
        message = Message(self.updates, PLACE, ANN, message_id, text, sent_at, is_edit=is_edit)
        asked = Asked(message, text, "mention")
        self.newest[message_id] = asked
        self.by_job[answer_job_id(ME, asked)] = asked
        self.stopped.discard(message_id)
        return asked

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    def take(self, asked: Asked) -> None:
        try:
            self.run(self.intake.admit(asked, "{}"))
        except StorageError:
            self.unrecorded.append(asked)

    @rule()
    def ask(self) -> None:
        self.take(self.made(len(self.newest) + 1, is_edit=False))

    @rule()
    def ask_and_be_killed_before_the_work_is_recorded(self) -> None:
        self.work.is_full = True
        self.ask()
        self.work.is_full = False

    @precondition(lambda self: self.newest)
    @rule(data=st.data())
    def update_comes_again(self, data: st.DataObject) -> None:
        self.take(data.draw(st.sampled_from(sorted(self.by_job.values(), key=lambda a: a.message.update_id))))

    @rule()
    def what_was_not_recorded_comes_again(self) -> None:
        again, self.unrecorded = self.unrecorded, []
        for asked in again:
            self.take(asked)

    @precondition(lambda self: self.newest and not self.unrecorded)
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        edited = self.made(data.draw(st.sampled_from(sorted(self.newest))), is_edit=True)
        assert self.run(self.stopping.withdraw(edited, direct))
        self.take(edited)

    @precondition(lambda self: self.newest and not self.unrecorded)
    @rule(data=st.data())
    def stop(self, data: st.DataObject) -> None:
        message_id = data.draw(st.sampled_from(sorted(self.newest)))
        ask = self.run(self.asks.find_by_message(PLACE.chat_id, message_id))
        if self.run(self.stopping.stop(ask, PLACE)):
            self.stopped.add(message_id)

    @precondition(lambda self: self.work.waiting)
    @rule(kills=st.integers(0, 2))
    def turn_comes(self, kills: int) -> None:
        job_id = self.work.waiting[0]
        asked = self.by_job[job_id]
        for _ in range(kills):
            self.run(self.reception.begin(asked))
        admission = self.run(self.reception.begin(asked))
        if admission is not None:
            assert admission.ask is not None
            assert (admission.ask.workflow_id, admission.ask.is_open) == (job_id, True)
            self.run(self.asks.set_answered(admission.ask.id, job_id))
            self.answered.append((asked.message.message_id, asked.text))
        self.work.over.add(job_id)

    @precondition(lambda self: self.work.over)
    @rule(data=st.data())
    def work_that_is_over_goes_on_for_a_moment(self, data: st.DataObject) -> None:
        asked = self.by_job[data.draw(st.sampled_from(sorted(self.work.over)))]
        assert self.run(self.reception.begin(asked)) is None

    @invariant()
    def open_rows_say_who_waits(self) -> None:
        rows = self.run(self.asks.open_in(PLACE.chat_id, None))
        coming = {answer_job_id(ME, asked) for asked in self.unrecorded}
        assert {row.workflow_id for row in rows} - coming == set(self.work.waiting) - coming

    def teardown(self) -> None:
        try:
            self.what_was_not_recorded_comes_again()
            while self.work.waiting:
                self.turn_comes(0)
            assert self.run(self.asks.open_in(PLACE.chat_id, None)) == ()
            for message_id, asked in self.newest.items():
                times = self.answered.count((message_id, asked.text))
                assert times == (message_id not in self.stopped), "each last text is answered once"
        finally:
            self.run(self.reception.aclose())
            self.run(self.stack.aclose())
            self.runner.close()
            shutil.rmtree(self.folder)


Admissions.TestCase.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)
TestAdmissions = Admissions.TestCase


async def test_question_that_is_not_kept_is_not_acknowledged(tmp_path: Path) -> None:
    told: list[object] = []

    class Showing(Silent):
        async def acknowledge(self, *given: object) -> None:
            told.append(given)

    async with open_database(tmp_path) as database:
        stores = cast("Stores", SimpleNamespace(after_commit=database.after_commit))
        reception = Reception(stores, cast("Messenger", Showing()), Rights(), Limits(), str)
        asked = Asked(Message(1, PLACE, ANN, 3, "Why?", START), "Why?", "mention")
        with suppress(StorageError):
            async with database.together():
                reception.acknowledge(asked)
                raise StorageError("the disk is full")
        await asyncio.sleep(0)
        assert told == []
        async with database.together():
            reception.acknowledge(asked)
            await asyncio.sleep(0)
            assert told == []
        await asyncio.sleep(0)
        assert told == [(PLACE, 3)]
