from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.jobs.values import MOST, Job, JobState
from bot.service.admission import REFUSAL, Admission
from bot.service.errors import StorageError
from bot.service.incoming import (
    Asked,
    Commanded,
    Ignored,
    Incoming,
    Me,
    Message,
    Migrated,
    Overheard,
    Place,
    Presence,
    Pressed,
    Sender,
    StoppedWatching,
    Unreadable,
)
from bot.service.keys import PeerId
from bot.service.people import Ask, AskId
from bot.telegram.ids import to_peer
from bot.telegram.inbound.inbox import (
    EDIT,
    LATE,
    PART,
    UPDATE,
    Intake,
    Rules,
    UpdateRoute,
    choose_route,
    order,
)
from rag.runs.run import RunStep
from tests.support.intake import build_intake

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ME = Me(7, "thinktwice_bot", "Think Twice")
PLACE = Place(to_peer(5), "private")
ANN = Sender(to_peer(5), "person", "Ann")
RULES = Rules(timedelta(hours=1))
YOUNG, OLD_COMMAND, OLD = timedelta(seconds=30), timedelta(seconds=61), timedelta(minutes=61)


ADMITTED = Admission(
    Ask(AskId(1), "tg:7:1", to_peer(5), None, 3, to_peer(5), "queued", "", NOW), "en", waiting=1
)


def message(text: str = "text", *, is_edit: bool = False) -> Message:
    return Message(1, PLACE, ANN, 3, text, NOW, is_edit=is_edit)


@pytest.mark.parametrize(
    ("incoming", "age", "expected"),
    [
        (Asked(message(), "q", "private"), YOUNG, "lane"),
        (Asked(message(), "q", "private"), OLD_COMMAND, "lane"),
        (Asked(message(), "q", "private"), OLD, "late"),
        (Asked(message(is_edit=True), "q", "private"), YOUNG, "at once"),
        (Asked(message(is_edit=True), "q", "private"), OLD, "dropped"),
        (Commanded(message(), "stop"), YOUNG, "at once"),
        (Commanded(message(), "reset"), YOUNG, "lane"),
        (Commanded(message(), "remove", "all.md"), OLD_COMMAND, "late"),
        (Commanded(message(), "dance"), OLD_COMMAND, "dropped"),
        (Overheard(message()), YOUNG, "dropped"),
        (Unreadable(message()), YOUNG, "at once"),
        (Unreadable(message()), OLD, "dropped"),
        (Pressed(1, PLACE, ANN, 3, "c", "why:1"), OLD, "at once"),
        (StoppedWatching(1, PLACE), OLD, "at once"),
        (Presence(1, PLACE, is_active=False), OLD, "at once"),
        (Migrated(1, to_peer(-5), to_peer(-100)), OLD, "at once"),
        (Ignored(1, "nothing"), YOUNG, "dropped"),
    ],
    ids=[
        "question", "question that waited a little", "old question", "edit", "old edit", "command",
        "ordered command", "old command", "old command of another bot", "overheard", "picture", "old picture", "button", "draft stopped",
        "blocked", "migrated", "ignored",
    ],
)  # fmt: skip
def test_route_of_an_update(incoming: Incoming, age: timedelta, expected: UpdateRoute) -> None:
    assert choose_route(incoming, RULES, age)[0] == expected


@pytest.mark.parametrize(
    ("overheard", "age", "expected"),
    [
        (message("Which Java?"), YOUNG, "lane"),
        (message("需要哪个版本？"), YOUNG, "lane"),
        (message("Which Java?"), OLD, "dropped"),
        (message("I had soup."), YOUNG, "dropped"),
        (message("Which Java?", is_edit=True), YOUNG, "dropped"),
    ],
    ids=["question", "question in Chinese", "old question", "talk", "edit"],
)
def test_overheard_message_is_recorded_when_it_may_be_answered(
    overheard: Message, age: timedelta, expected: UpdateRoute
) -> None:
    listening = Rules(timedelta(hours=1), hears_plain_questions=True)
    assert choose_route(Overheard(overheard), listening, age)[0] == expected


@given(st.integers())
def test_order_is_a_number_that_the_queue_takes(update_id: int) -> None:
    assert 1 <= order(update_id) <= MOST


@given(st.integers(1, MOST - 1))
def test_later_updates_come_later(update_id: int) -> None:
    assert order(update_id) < order(update_id + 1)


class Queue:
    """Keeps jobs by id."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.cancelled: list[str] = []
        self.is_full = False

    async def submit(self, job: Job) -> bool:
        if self.is_full:
            raise StorageError("the disk is full", is_passing=True)
        is_new = job.id not in self.jobs
        self.jobs.setdefault(job.id, job)
        return is_new

    async def state(self, job_id: str) -> JobState | None:
        return "waiting" if job_id in self.jobs else None

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        return tuple(job.payload for job in self.jobs.values() if (job.person, job.lane) == (person, lane))

    async def cancel(self, job_id: str) -> bool:
        self.cancelled.append(job_id)
        return True


def update(update_id: int, text: str = "Which Java?", ago: float = 0.0, **fields: Any) -> dict[str, Any]:
    sent = {
        "message_id": update_id,
        "date": int(NOW.timestamp() - ago),
        "chat": {"id": 5, "type": "private", "first_name": "Ann"},
        "from": {"id": 5, "is_bot": False, "first_name": "Ann"},
        "text": text,
    }
    kind = "edited_message" if "edit_date" in fields else "message"
    return {"update_id": update_id, kind: {**sent, **fields}}


class Chats:
    """Which chats were others at first."""

    def __init__(self, **first: int) -> None:
        self.first = {to_peer(int(number)): to_peer(old) for number, old in first.items()}

    async def first_id(self, chat_id: PeerId) -> PeerId:
        return self.first.get(chat_id, chat_id)


class Door:
    """Lets every question in, unless a test says otherwise, and keeps which questions were acknowledged as waiting."""

    def __init__(self, admission: Admission | None = ADMITTED) -> None:
        self.admission = admission
        self.admitted: list[Asked] = []
        self.acknowledged: list[int] = []

    async def admit(self, asked: Asked) -> Admission | None:
        self.admitted.append(asked)
        return self.admission

    def acknowledge(self, asked: Asked) -> None:
        self.acknowledged.append(asked.message.message_id)


def made(queue: Queue, door: Door | None = None, now: datetime = NOW, chats: Chats | None = None) -> Intake:
    return build_intake(queue, ME, RULES, chats or Chats(), door or Door(), lambda: now)


async def test_question_is_one_job_of_its_lane_however_often_it_comes() -> None:
    queue, door = Queue(), Door()
    intake = made(queue, door)
    for _ in range(3):
        await intake.take(update(41), is_backlog=False)
    (job,) = queue.jobs.values()
    assert (job.id, job.kind, job.lane, job.order) == ("tg:7:41", UPDATE, "5:0", 41)
    assert json.loads(job.payload) == update(41)
    assert door.acknowledged == [update(41)["message"]["message_id"]]


async def test_question_that_need_not_wait_is_not_acknowledged() -> None:
    queue, door = Queue(), Door(replace(ADMITTED, waiting=0))
    await made(queue, door).take(update(41), is_backlog=False)
    assert list(queue.jobs) == ["tg:7:41"]
    assert door.acknowledged == []


async def test_question_is_decided_on_before_its_work_is_recorded() -> None:
    queue, door = Queue(), Door()
    queue.is_full = True
    with pytest.raises(StorageError):
        await made(queue, door).take(update(41), is_backlog=False)
    assert [asked.text for asked in door.admitted] == ["Which Java?"]


@pytest.mark.parametrize(
    ("refusal", "kinds"), [("Too many questions.", [REFUSAL]), ("", [])], ids=["told", "told a moment ago"]
)
async def test_refused_question_never_gets_a_turn(refusal: str, kinds: list[str]) -> None:
    queue, door = Queue(), Door(Admission(None, "en", refusal=refusal))
    for _ in range(2):
        await made(queue, door).take(update(41), is_backlog=False)
    assert [job.kind for job in queue.jobs.values()] == kinds
    assert [json.loads(job.payload)["text"] for job in queue.jobs.values()] == [refusal] * len(kinds)
    assert door.acknowledged == []


async def test_question_that_needs_no_answer_any_more_is_no_work() -> None:
    queue = Queue()
    await made(queue, Door(None)).take(update(41), is_backlog=False)
    assert queue.jobs == {}


async def test_every_job_is_known_by_the_person_whose_words_it_holds() -> None:
    queue = Queue()
    intake = made(queue)
    press = {"id": "1", "from": update(46)["message"]["from"], "chat_instance": "c", "data": "why:1"}
    press["message"] = {**update(45)["message"], "from": {"id": 7, "is_bot": True, "first_name": "T"}}
    for raw in (
        update(41),
        update(42, edit_date=int(NOW.timestamp())),
        update(43, ago=7200),
        update(44, "/help", entities=[{"type": "bot_command", "offset": 0, "length": 5}]),
        {"update_id": 46, "callback_query": press},
    ):
        await intake.take(raw, is_backlog=raw["update_id"] == 43)
    assert [job.kind for job in queue.jobs.values()] == [UPDATE, EDIT, LATE, UPDATE, UPDATE]
    assert {job.person for job in queue.jobs.values()} == {ANN.id}


async def test_ids_that_start_again_lower_are_accepted() -> None:
    queue = Queue()
    intake = made(queue)
    for update_id in (900_000, 12, 13):
        await intake.take(update(update_id), is_backlog=False)
    assert list(queue.jobs) == ["tg:7:900000", "tg:7:12", "tg:7:13"]


async def test_edit_is_a_job_beside_the_lane() -> None:
    queue = Queue()
    await made(queue).take(update(42, edit_date=int(NOW.timestamp())), is_backlog=False)
    (job,) = queue.jobs.values()
    assert (job.id, job.kind, job.lane) == ("tg:7:42", EDIT, "")


async def test_old_questions_of_a_chat_get_one_notice() -> None:
    queue = Queue()
    intake = made(queue)
    for number in range(5):
        await intake.take(update(50 + number, ago=7200), is_backlog=True)
    await intake.take(update(60, ago=600), is_backlog=True)
    assert [job.kind for job in queue.jobs.values()] == [LATE, UPDATE]


async def test_live_question_is_young_whatever_the_clock_says() -> None:
    queue = Queue()
    await made(queue, now=NOW + timedelta(hours=2)).take(update(61), is_backlog=False)
    await made(queue, now=NOW - timedelta(hours=2)).take(update(62), is_backlog=True)
    assert [job.kind for job in queue.jobs.values()] == [UPDATE, UPDATE]


async def test_what_cannot_be_recorded_is_not_accepted_and_comes_again() -> None:
    queue, door = Queue(), Door()
    intake = made(queue, door)
    queue.is_full = True
    with pytest.raises(StorageError):
        await intake.take(update(63), is_backlog=False)
    assert door.acknowledged == []
    queue.is_full = False
    await intake.take(update(63), is_backlog=False)
    assert list(queue.jobs) == ["tg:7:63"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters()), inner, max_size=4),
    max_leaves=20,
)


@given(
    st.dictionaries(
        st.sampled_from(["update_id", "message", "edited_message", "callback_query", "my_chat_member", "x"]),
        JSON
        | st.fixed_dictionaries(
            {}, optional={"chat": JSON, "from": JSON, "text": JSON, "date": JSON, "message_id": JSON}
        ),
    )
)
async def test_no_update_however_broken_raises(raw: dict[str, Any]) -> None:
    queue = Queue()
    await made(queue).take(raw, is_backlog=True)
    for job in queue.jobs.values():
        job.payload.encode("utf-8")


async def test_half_a_surrogate_pair_is_recorded_as_a_character() -> None:
    queue = Queue()
    await made(queue).take(update(70, "a\ud83d b"), is_backlog=False)
    (job,) = queue.jobs.values()
    assert json.loads(job.payload)["message"]["text"] == "a\ufffd b"


_COMMAND: dict[str, Any] = {"entities": [{"type": "bot_command", "offset": 0, "length": 4}]}


def in_group(update_id: int, chat_id: int, **fields: Any) -> dict[str, Any]:
    kind = "supergroup" if chat_id < -1_000_000_000_000 else "group"
    chat = {"id": chat_id, "type": kind, "title": "Team"}
    return update(update_id, "/ask Which Java?", chat=chat, **_COMMAND, **fields)


async def test_question_after_a_move_waits_behind_those_before_it() -> None:
    queue, old, new = Queue(), -77, -1_000_000_000_077
    intake = made(queue)
    await intake.take(in_group(1, old), is_backlog=False)
    moved = in_group(2, old, migrate_to_chat_id=new)
    del moved["message"]["text"], moved["message"]["entities"]
    await intake.take(moved, is_backlog=False)
    await intake.take(in_group(3, new), is_backlog=False)
    # After a restart it is known from what is kept.
    restarted = made(queue, chats=Chats(**{str(new): old}))
    await restarted.take(in_group(4, new), is_backlog=False)
    lanes = [job.lane for job in queue.jobs.values()]
    assert lanes == ["-77:0", "", "-77:0", "-77:0"]


@pytest.mark.parametrize(
    ("ago", "is_taken"),
    [
        pytest.param(300, True, id="two clocks"),
        pytest.param(3600, False, id="nobody was reached for an hour"),
    ],
)
async def test_command_that_comes_in_live_is_old_only_beyond_what_clocks_differ(
    ago: float, is_taken: bool
) -> None:
    queue = Queue()
    command = update(80, "/foo", ago=ago, **_COMMAND)
    await made(queue).take(command, is_backlog=True, tolerance=timedelta(minutes=10))
    assert bool(queue.jobs) is is_taken


async def test_what_strangers_send_is_recorded_a_little_of() -> None:
    queue = Queue()
    known = {ANN}

    async def role(sender: Sender, _place: Place) -> str:
        return "member" if sender.id in {one.id for one in known} else "none"

    intake = build_intake(queue, ME, RULES, Chats(), Door(), lambda: NOW, role)
    for update_id in range(100, 150):
        await intake.take(update(update_id, "/why", **_COMMAND), is_backlog=False)
    assert len(queue.jobs) == 50
    known.clear()
    for update_id in range(200, 250):
        await intake.take(update(update_id, "/why", **_COMMAND), is_backlog=False)
    assert len(queue.jobs) == 70


LONG = " ".join(["word"] * 600)


async def joined(intake: Intake, queue: Queue, update_id: int, run_step: RunStep | None = None) -> None:
    """Carry out the job of a part."""

    async def direct(_name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
        return await work()

    await intake.join(queue.jobs[f"tg:7:{update_id}:{PART}"].payload, run_step or direct)


def joining(queue: Queue, door: Door | None = None) -> Intake:
    return build_intake(queue, ME, RULES, Chats(), door or Door(), lambda: NOW, join_seconds=0.0)


async def test_parts_are_recorded_each_and_become_one_question() -> None:
    queue, door = Queue(), Door()
    intake = joining(queue, door)
    for number, text in ((41, LONG), (42, "Why?"), (43, "And how?")):
        await intake.take(update(number, text), is_backlog=False)
    assert [(job.id, job.kind) for job in queue.jobs.values()] == [
        ("tg:7:41:part", PART),
        ("tg:7:42:part", PART),
        ("tg:7:43", UPDATE),
    ]
    assert queue.jobs["tg:7:41:part"].lane == queue.jobs["tg:7:42:part"].lane
    await joined(intake, queue, 41)
    assert [asked.text for asked in door.admitted] == ["And how?", f"{LONG}\nWhy?"]
    assert queue.jobs["tg:7:41"].kind == UPDATE
    assert queue.cancelled == ["tg:7:42:part"]


async def test_parts_that_were_joined_before_a_kill_are_joined_again_as_they_were() -> None:
    queue, door = Queue(), Door()
    intake = joining(queue, door)
    for number, text in ((41, LONG), (42, "Why?")):
        await intake.take(update(number, text), is_backlog=False)
    record: dict[str, Any] = {}

    async def recorded(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
        if name not in record:
            record[name] = await work()
        return record[name]

    for _ in range(2):
        await joined(intake, queue, 41, recorded)
        # The job of the second part is cancelled; it waits no more.
        del queue.jobs["tg:7:42:part"]
        queue.jobs["tg:7:42:part"] = Job("tg:7:42:part", PART, "")
    assert {asked.text for asked in door.admitted} == {f"{LONG}\nWhy?"}
    assert queue.cancelled == ["tg:7:42:part"] * 2
    assert "tg:7:42" not in queue.jobs


async def test_part_that_comes_again_without_the_part_before_it_is_no_question_of_its_own() -> None:
    queue, door = Queue(), Door()
    intake = joining(queue, door)
    for number, text in ((41, LONG), (42, "Why?")):
        await intake.take(update(number, text), is_backlog=False)
    # A new process knows nothing of the first part, which was confirmed.
    await joining(queue, door).take(update(42, "Why?"), is_backlog=True)
    assert list(queue.jobs) == ["tg:7:41:part", "tg:7:42:part"]
    assert door.admitted == []
