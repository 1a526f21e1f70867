"""What may happen to a fleet: kills at random, a database that is away or slow, two versions, a full disk."""

from __future__ import annotations

import random
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.crash.bots import until
from tests.crash.double import CLOCK, NEWER
from tests.crash.test_fleet import Fleet, running_fleet
from tests.support.disks import mounted
from tests.support.postgres import PostgresServer
from tests.support.slow_socket import SlowSocket

pytestmark = pytest.mark.timeout(300)

APART: tuple[dict[str, str], ...] = ({}, {CLOCK: "300"}, {CLOCK: "-300"})
"""Clocks of three machines, five minutes apart each."""


def ask_all(fleet: Fleet, times: int = 1) -> None:
    for _ in range(times):
        for chat in fleet.chats:
            fleet.ask(chat)


# ---- kills


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(
    ("seed", "rounds", "chats"),
    [
        pytest.param(1, 2, 8, id="four kills"),
        pytest.param(2, 16, 60, id="32 kills under 60 chats", marks=pytest.mark.soak),
    ],
)
def test_kills_at_random_lose_and_double_nothing_though_clocks_are_minutes_apart(
    tmp_path: Path, postgres: PostgresServer, seed: int, rounds: int, chats: int
) -> None:
    dice = random.Random(seed)
    names = [f"Person {number}" for number in range(chats)]
    with running_fleet(tmp_path, postgres.new_database(), names=names, own=APART) as fleet:
        for _ in range(rounds):
            # A third kill might make a dead letter of an innocent question, as it should.
            for _ in range(2):
                for chat in dice.sample(fleet.chats, chats // 2):
                    fleet.ask(chat)
                # Killed in the middle of the work, the machine that leads as well as the others.
                victim = dice.choice(fleet.machines)
                moment = len(victim.passed()) + dice.randrange(150)
                deadline = time.monotonic() + dice.uniform(0.5, 4.0)
                until(lambda: len(victim.passed()) >= moment or time.monotonic() > deadline)  # noqa: B023
                victim.kill()
                victim.start()
            fleet.wait_for_answers()
        assert sum(machine.kills for machine in fleet.machines) == 2 * rounds
        fleet.every_answer_came_once_and_in_order()


def test_machine_that_comes_back_at_once_leaves_its_sent_answer_to_another_one(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """Another machine takes the job up, and must know that the answer may have been sent."""
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        for point in ("after send 1", "recorded send 1", "after send 1"):
            for machine in fleet.machines:
                machine.kill_at(point)
            fleet.ask(fleet.chats[0])
            until(lambda: [one for one in fleet.machines if one.is_killed()], lambda: fleet.chats[0].texts)
            for machine in fleet.machines:
                machine.kill_at("")
            for machine in fleet.machines:
                if machine.has_ended():
                    machine.start()
            fleet.every_answer_came_once_and_in_order()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_machine_that_slept_for_a_minute_sends_nothing_for_work_that_others_took_over(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        fleet.model.gate.clear()
        for chat in fleet.chats:
            fleet.ask(chat, " slowly")
        fleet.wait_until_all_are_begun()
        sleeper = fleet.leader()
        assert sleeper.process is not None
        sleeper.process.send_signal(signal.SIGSTOP)
        fleet.model.gate.set()
        for _ in range(12):
            ask_all(fleet)
            time.sleep(5)
        sleeper.process.send_signal(signal.SIGCONT)
        until(sleeper.has_ended, lambda: sleeper.log)
        assert "declared this one dead" in sleeper.whole_log
        sleeper.start()
        ask_all(fleet)
        fleet.every_answer_came_once_and_in_order()


# ---- the database


@contextmanager
def own_server() -> Iterator[PostgresServer]:
    """A server that only one test uses, because it is going to be stopped."""
    with PostgresServer() as server:
        yield server


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("end", "seconds"),
    [
        pytest.param("stop", 3.0, id="stopped for a moment"),
        pytest.param("stop", 20.0, id="stopped for 20 seconds", marks=pytest.mark.soak),
        pytest.param("kill", 0.0, id="killed", marks=pytest.mark.soak),
        pytest.param("kill", 20.0, id="killed and away for 20 seconds", marks=pytest.mark.soak),
    ],
)
def test_database_that_goes_away_loses_and_doubles_nothing(tmp_path: Path, end: str, seconds: float) -> None:
    with own_server() as postgres, running_fleet(tmp_path, postgres.new_database()) as fleet:
        ask_all(fleet)
        fleet.wait_for_answers()
        fleet.model.gate.clear()
        for chat in fleet.chats:
            fleet.ask(chat, " slowly")
        fleet.wait_until_all_are_begun()
        getattr(postgres, end)()
        fleet.model.gate.set()
        # Telegram keeps what nobody takes in.
        ask_all(fleet)
        time.sleep(seconds)
        postgres.start()
        ask_all(fleet)
        fleet.every_answer_came_once_and_in_order()
        # A machine that could record no heartbeat must not end: no other machine could declare it dead.
        assert not [machine for machine in fleet.machines if machine.has_ended()], fleet.machines[0].log


def test_slow_database_makes_a_fleet_slow_and_nothing_else(tmp_path: Path, postgres: PostgresServer) -> None:
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        url = fleet.machines[0].variables["THINKTWICE_DATABASE_URL"]
        with SlowSocket(postgres.socket, seconds=0.1) as slow:
            # One machine has a slow way to the database, 100 ms a message, and may well lead.
            machine = fleet.machines[0]
            assert machine.stop() == 0
            machine.variables["THINKTWICE_DATABASE_URL"] = re.sub(r"host=.*", f"host={slow.folder}", url)
            machine.start()
            ask_all(fleet, 2)
            fleet.every_answer_came_once_and_in_order()
            assert slow.delayed > 20
            assert "declared this one dead" not in machine.whole_log
            assert machine.stop() == 0


# ---- versions


def test_two_versions_run_side_by_side(tmp_path: Path, postgres: PostgresServer) -> None:
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        ask_all(fleet)
        upgraded, *others = fleet.machines
        assert upgraded.stop() == 0
        upgraded.variables[NEWER] = "99.0"
        upgraded.start()
        ask_all(fleet, 2)
        # A machine of the older version that is started again works on the newer database.
        others[0].kill()
        others[0].start()
        ask_all(fleet)
        fleet.people[0].says(fleet.chats[0], "/health")
        (shown,) = until(lambda: [text for text in fleet.chats[0].texts if "✔ machines: " in text])
        assert "99.0" in shown
        # The newer one dies, and the older ones go on with what it began.
        fleet.model.gate.clear()
        for chat in fleet.chats:
            fleet.ask(chat, " slowly")
        fleet.wait_until_all_are_begun()
        upgraded.kill()
        fleet.model.gate.set()
        fleet.every_answer_came_once_and_in_order()


# ---- documents


def test_two_syncs_at_once_index_a_document_once(tmp_path: Path, postgres: PostgresServer) -> None:
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        corpus = fleet.machines[0].corpus
        (corpus / "tea.md").write_text("# Tea\n\nTea is served at four. Coffee all day.\n", encoding="utf-8")
        before = [machine.passed().count("passages embedded") for machine in fleet.machines]
        chat, admin = fleet.chats[0], fleet.people[0]
        group = fleet.telegram.group("Admins", fleet.people)
        admin.says(chat, "/reindex")
        admin.says(group, "/reindex")
        # One of the two is told that the other is at it.
        told = until(
            lambda: [text for one in (chat, group) for text in one.texts if "new: 1" in text],
            lambda: (chat.texts, group.texts),
        )
        assert len(told) == 1
        assert any("already being read" in text for one in (chat, group) for text in one.texts)
        after = [machine.passed().count("passages embedded") for machine in fleet.machines]
        assert sum(after) - sum(before) == 1


# ---- a full disk


@pytest.mark.soak
def test_machine_whose_disk_is_full_still_answers_and_catches_up(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        machine = fleet.machines[2]
        assert machine.stop() == 0
        with small_disk(machine.folder / "data") as fill:
            machine.start()
            ask_all(fleet)
            fleet.wait_for_answers()
            filler = fill()
            fleet.people[0].sends_file(
                fleet.chats[0], "tea.md", b"# Tea\n\nTea is at four.\n", caption="/add"
            )
            until(lambda: "Added tea.md" in fleet.chats[0].texts[-1], lambda: fleet.chats[0].texts)
            ask_all(fleet, 2)
            fleet.wait_for_answers()
            assert not machine.has_ended()
            filler.unlink()
            ask_all(fleet)
            fleet.every_answer_came_once_and_in_order()
            until(lambda: (machine.folder / "data/documents/tea.md").exists(), lambda: machine.log[-2000:])
            assert machine.stop() == 0


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[], Path]]:
    """A folder on a disk of its own; what it yields fills the disk up and returns the file that did it."""
    folder.mkdir(exist_ok=True)
    for kept in folder.iterdir():
        shutil.rmtree(kept) if kept.is_dir() else kept.unlink()

    def fill() -> Path:
        filler = folder / "filler"
        with filler.open("wb", buffering=0) as written, suppress(OSError):
            while True:
                written.write(bytes(4096))
        return filler

    with mounted(folder, "-t tmpfs -o size=64m,mode=700 tmpfs"):
        yield fill
