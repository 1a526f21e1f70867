"""Three machines on one PostgreSQL database are one bot, whatever happens to one of them.

They are real processes with data folders of their own, and share a database, a Telegram server and a model.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.crash.bots import Bot, until
from tests.crash.stage import Model
from tests.support.documents import write_documents
from tests.support.postgres import PostgresServer
from tests.support.servers import FakeOpenAI
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person
from tests.telegram.server import FakeTelegram

pytestmark = pytest.mark.timeout(240)

POLLS = re.compile(r"this machine leads +lease=telegram-updates")


@dataclass
class Fleet:
    """Machines, and the chats that they answer in.

    Attributes:
        people: Whom the private chats belong to.
        marks: The chat of each question, by the mark that its answer carries.
    """

    machines: list[Bot]
    telegram: FakeTelegram
    model: Model
    server: FakeOpenAI
    chats: list[Chat]
    people: list[Person]
    marks: dict[str, Chat] = field(default_factory=dict)

    def ask(self, chat: Chat, how: str = "") -> str:
        mark = f"q{len(self.marks) + 1}q"
        self.marks[mark] = chat
        self.people[self.chats.index(chat)].says(chat, f"Which Java does FxStore need{how}, {mark}?")
        return mark

    def answers(self, mark: str) -> list[Message]:
        return [one for one in self.marks[mark].answers if f"asked as {mark}" in one.text]

    def wait_until_all_are_begun(self) -> None:
        """Wait until a model was asked about every question."""

        def asked() -> bool:
            requests = json.dumps([request.body for request in self.server.requests])
            return all(mark in requests for mark in self.marks)

        until(asked, lambda: self.told(next(iter(self.marks))))

    def wait_for_answers(self) -> None:
        for mark in self.marks:
            # Behind kills there is much to catch up on; what was killed twice is carried out alone.
            until(
                lambda mark=mark: self.answers(mark),  # type: ignore[misc]
                lambda mark=mark: self.told(mark),  # type: ignore[misc]
                seconds=60 + len(self.marks) / 2,
            )

    def told(self, mark: str) -> str:
        logs = "\n".join(machine.whole_log[-3000:] for machine in self.machines)
        return f"{mark}: {self.marks[mark].texts[-8:]}\n{logs}"

    def every_answer_came_once_and_in_order(self) -> None:
        self.wait_for_answers()
        assert {mark: len(self.answers(mark)) for mark in self.marks} == dict.fromkeys(self.marks, 1)
        for chat in self.chats:
            asked = [mark for mark, own in self.marks.items() if own is chat]
            assert sorted(asked, key=lambda mark: self.answers(mark)[0].message_id) == asked

    def leader(self) -> Bot:
        """Return the machine that asks Telegram for updates."""
        leaders = [one for one in self.machines if POLLS.search(one.whole_log) and not one.has_ended()]
        return until(lambda: leaders[-1:])[0]


@pytest.fixture
def fleet(tmp_path: Path, postgres: PostgresServer) -> Iterator[Fleet]:
    with running_fleet(tmp_path, postgres.new_database()) as running:
        yield running


@contextmanager
def running_fleet(
    folder: Path,
    url: str,
    size: int = 3,
    *,
    names: Sequence[str] = ("Ann", "Ben", "Cas", "Dan"),
    own: Sequence[Mapping[str, str]] = ({}, {}, {}),
) -> Iterator[Fleet]:
    """Run machines on a database.

    Args:
        folder: Where they keep what they keep.
        url: Address of the database.
        size: Number of machines.
        names: People, each with a private chat; the first one is an administrator.
        own: Settings of each machine.
    """
    corpus = folder / "corpus"
    corpus.mkdir()
    write_documents(corpus)
    model = Model()
    with FakeTelegram() as telegram, FakeOpenAI(model) as server, ExitStack() as stack:
        people = [telegram.user(name, language_code="en") for name in names]
        machines = []
        for number in range(size):
            place = folder / f"machine{number}"
            place.mkdir()
            variables = {
                "THINKTWICE_ADMINS": str(people[0].id),
                "THINKTWICE_DATABASE_URL": url,
                "THINKTWICE_CONSOLE__ENABLED": "0",
                **own[number],
            }
            machine = Bot(telegram, server, place, corpus, variables)
            machines.append(machine)
            machine.start()
            stack.callback(machine.kill)
        yield Fleet(
            machines, telegram, model, server, [telegram.private(person) for person in people], people
        )
        model.gate.set()


def test_machines_share_the_questions_and_one_asks_for_updates(fleet: Fleet) -> None:
    for _ in range(3):
        for chat in fleet.chats:
            fleet.ask(chat)
    fleet.every_answer_came_once_and_in_order()
    assert sum(bool(POLLS.search(machine.whole_log)) for machine in fleet.machines) == 1
    assert not any("another program asks" in machine.whole_log for machine in fleet.machines)
    fleet.people[0].says(fleet.chats[0], "/health")
    (shown,) = until(lambda: [text for text in fleet.chats[0].texts if "✔ machines: " in text])
    assert shown.count("last heartbeat") == 3


def test_machine_that_is_stopped_hands_its_work_over(fleet: Fleet) -> None:
    fleet.model.gate.clear()
    for chat in fleet.chats:
        fleet.ask(chat, " slowly")
    fleet.wait_until_all_are_begun()
    assert fleet.leader().stop() == 0
    fleet.model.gate.set()
    for chat in fleet.chats:
        fleet.ask(chat)
    fleet.every_answer_came_once_and_in_order()


def test_work_of_a_killed_machine_goes_on_elsewhere_and_another_one_polls(fleet: Fleet) -> None:
    fleet.model.gate.clear()
    for chat in fleet.chats:
        fleet.ask(chat, " slowly")
    fleet.wait_until_all_are_begun()
    leader = fleet.leader()
    at_work = [machine for machine in fleet.machines if "before draft" in machine.passed()]
    for machine in {id(one): one for one in (leader, at_work[0])}.values():
        machine.kill()
    fleet.model.gate.set()
    for chat in fleet.chats:
        fleet.ask(chat)
    fleet.every_answer_came_once_and_in_order()
    assert fleet.leader() is not leader


def test_machine_that_slept_sends_nothing_for_work_that_others_took_over(fleet: Fleet) -> None:
    fleet.model.gate.clear()
    for chat in fleet.chats:
        fleet.ask(chat, " slowly")
    fleet.wait_until_all_are_begun()
    # The answers wait for the others to take its work over; one without work would not be missed by then.
    sleeper = next(machine for machine in fleet.machines if "before draft" in machine.passed())
    assert sleeper.process is not None
    sleeper.process.send_signal(signal.SIGSTOP)
    fleet.model.gate.set()
    fleet.wait_for_answers()
    sleeper.process.send_signal(signal.SIGCONT)
    # The others declared it dead; it ends and sends nothing more.
    until(sleeper.has_ended, lambda: sleeper.log)
    assert "declared this one dead" in sleeper.whole_log
    sleeper.start()
    for chat in fleet.chats:
        fleet.ask(chat)
    fleet.every_answer_came_once_and_in_order()
