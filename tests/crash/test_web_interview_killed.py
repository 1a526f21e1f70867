"""A console that is killed while it changes an interview: the change goes on, and is there once."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.crash.bots import Bot, living, until
from tests.support.interviews import FACTS, attentive_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.server import FakeTelegram

LINK = re.compile(r"http://127\.0\.0\.1:\d+/login/[\w-]+")
EVERYTHING = f"{', '.join(FACTS.values())}; it is a blocker"
"""What completes the report of a bug."""

AT_WORK = "Your answer is being worked on"

SAYING = ("interview begin", "admit", "interview log", "interpret", "gate check", "interview append")
SHORT = {
    "before interview is recorded", "after interview is recorded", "after interpret", "recorded interpret",
    "after interview append", "recorded interview append",
}  # fmt: skip


@dataclass
class Model:
    """Notes every fact that is said; while the gate is closed, its replies wait."""

    gate: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)

    def __call__(self, request: Recorded) -> Behaviour:
        shown = str(request.body["messages"][-1]["content"])
        self.asked.set()
        self.gate.wait(60)
        return Say(attentive_text(shown))


@dataclass
class Console:
    """A program with a console, and a person who has logged in."""

    bot: Bot
    model: Model
    client: httpx.Client

    @property
    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="(\w+)"', self.client.get("/").text)
        assert found is not None
        return found[1]

    def send(self, path: str, key: str, **body: Any) -> httpx.Response:
        headers = {"X-CSRF-Token": self.csrf, "Idempotency-Key": key}
        return self.client.post(f"/api/session{path}", json=body, headers=headers)

    def state(self, session: str) -> dict[str, Any]:
        state: dict[str, Any] = self.client.get(f"/api/session/{session}").json()["state"]
        return state

    def survives(self, point: str) -> None:
        """Wait until the program was killed at a point, and start it again."""
        until(
            self.bot.is_killed, lambda: f"never at {point}: {self.bot.passed()[-20:]}\n{self.bot.log[-3000:]}"
        )
        self.bot.kills += 1
        self.bot.restart()


def said(state: dict[str, Any]) -> list[str]:
    return [turn["text"] for turn in state["dialogue"]["history"] if turn["role"] == "user"]


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    corpus = tmp_path_factory.mktemp("corpus")
    (corpus / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    model = Model()
    model.gate.set()
    with FakeTelegram() as telegram, FakeOpenAI(model) as server:
        ann = telegram.user("Ann", language_code="en")
        variables = {
            "THINKTWICE_ADMINS": str(ann.id),
            "THINKTWICE_CONSOLE__ENABLED": "true",
            "THINKTWICE_CONSOLE__PORT": port,
            "THINKTWICE_CONSOLE__REQUESTS_PER_MINUTE": "1000000",
            "THINKTWICE_INTERVIEWS__SESSIONS_PER_DAY": "1000",
        }
        bot = Bot(telegram, server, tmp_path_factory.mktemp("bot"), corpus, variables)
        with living(bot):
            chat = telegram.private(ann)
            ann.says(chat, "/console")
            link = until(lambda: [found for text in chat.texts if (found := LINK.search(text))])[0][0]
            base = link.partition("/login")[0]
            with closing(httpx.Client(base_url=base, trust_env=False, timeout=60)) as client:
                assert client.post(link).status_code == 303
                yield Console(bot, model, client)
            model.gate.set()


@pytest.mark.parametrize(
    "point",
    [
        pytest.param(point, id=point, marks=() if point in SHORT else pytest.mark.soak)
        for point in (
            "before interview is recorded",
            "after interview is recorded",
            *(f"{moment} {step}" for step in SAYING for moment in ("after", "recorded")),
        )
    ],
)
def test_kill_in_a_turn_neither_loses_nor_doubles_it(console: Console, point: str) -> None:
    keys = [uuid4().hex, uuid4().hex]
    is_first = "begin" in point
    if is_first:
        console.bot.kill_at(point)
        with suppress(httpx.TransportError):
            console.send("", keys[0], pack="bug_report", initial_message=EVERYTHING)
        console.survives(point)
    begun = console.send("", keys[0], pack="bug_report", initial_message=EVERYTHING if is_first else "2.1")
    assert begun.status_code == 201, begun.text
    session = begun.json()["session_id"]
    if not is_first:
        console.bot.kill_at(point)
        with suppress(httpx.TransportError):
            console.send(f"/{session}", keys[1], message=EVERYTHING)
        console.survives(point)
        if point != "before interview is recorded":
            # Nobody asks again, and it goes on.
            until(
                lambda: said(console.state(session)) == ["2.1", EVERYTHING], lambda: console.bot.log[-3000:]
            )
        replies = [console.send(f"/{session}", keys[1], message=EVERYTHING) for _ in range(2)]
        assert [reply.status_code for reply in replies] == [200, 200]
        assert replies[0].content == replies[1].content
        assert replies[0].json()["state"] == console.state(session)
    state = console.state(session)
    assert said(state) == [EVERYTHING] if is_first else ["2.1", EVERYTHING]
    assert state["meta"]["state_version"] == len(said(state))
    assert (state["meta"]["status"], state["domain"]["severity"]) == ("ready", "blocker")


@pytest.mark.parametrize(
    "point", ["after interview append", "after interview close", "recorded interview close"]
)
def test_kill_while_an_interview_is_finished_ends_it_once(console: Console, point: str) -> None:
    begun = console.send("", uuid4().hex, pack="bug_report", initial_message=EVERYTHING).json()
    path = f"/interviews/{begun['session_id']}"
    form = {"csrf": console.csrf, "key": uuid4().hex}
    console.bot.kill_at(point)
    with suppress(httpx.TransportError):
        console.client.post(f"{path}/finish", data=form)
    console.survives(point)
    assert console.client.post(f"{path}/finish", data=form).status_code == 303
    assert "This interview is finished." in console.client.get(path).text
    version = begun["state"]["meta"]["state_version"]
    assert console.state(begun["session_id"])["meta"]["state_version"] == version + 1


def test_kill_in_the_middle_of_a_model_call_shows_on_the_page_and_the_turn_goes_on(console: Console) -> None:
    begun = console.send("", uuid4().hex, pack="bug_report").json()
    session = begun["session_id"]
    path = f"/interviews/{session}"
    form = {"csrf": console.csrf, "key": uuid4().hex, "message": EVERYTHING}
    console.model.gate.clear()
    console.model.asked.clear()

    def post() -> None:
        with suppress(httpx.TransportError), httpx.Client(trust_env=False, timeout=60) as other:
            other.cookies = console.client.cookies
            other.post(f"{console.client.base_url}{path}", data=form)

    waiting = threading.Thread(target=post)
    waiting.start()
    try:
        until(console.model.asked.is_set, lambda: console.bot.log[-3000:])
        console.bot.kill()
        console.bot.start()
        page = console.client.get(path).text
        # What was said is seen, and nothing else can be said meanwhile.
        assert (AT_WORK in page, EVERYTHING in page, "<textarea" in page) == (True, True, False)
        assert said(console.state(session)) == []
        console.model.gate.set()
        until(lambda: AT_WORK not in console.client.get(path).text, lambda: console.bot.log[-3000:])
    finally:
        console.model.gate.set()
        waiting.join()
    assert said(console.state(session)) == [EVERYTHING]
    # The browser sends its form again.
    assert console.client.post(path, data=form).status_code == 303
    assert said(console.state(session)) == [EVERYTHING]
    assert "Everything is there." in console.client.get(path).text
