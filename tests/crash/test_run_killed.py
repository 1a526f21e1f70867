"""A bot that is killed at every point, and at random: what was accepted is answered, once, and in order.

Every step of every kind of work is killed twice: when its effect is there and its outcome is not recorded yet,
and when it has just been recorded, which is before the next one. The table below says which story passes which
steps; a step that nobody has put there fails the first test.
"""

from __future__ import annotations

import ast
import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from bot.service import answering, apologies, interviews, listening, stopping, web_interviews
from bot.telegram import access_requests, digest
from bot.telegram import interviews as interview_chats
from bot.telegram.buttons import answers as answer_buttons
from bot.telegram.buttons import dispatch as buttons
from bot.telegram.buttons import explanations
from bot.telegram.commands import dispatch
from bot.telegram.commands import interviews as interview_commands
from bot.telegram.inbound import membership
from bot.telegram.outbound import messages, notes
from rag import council, interview
from rag.loop import STEPS as ENGINE_STEPS
from tests.conftest import REPOSITORY
from tests.crash.bots import Bot, living, until
from tests.support.interviews import FACTS, attentive_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.chats import Chat, Message
from tests.telegram.faults import Gate
from tests.telegram.people import Person, Sent
from tests.telegram.record import Request
from tests.telegram.server import FakeTelegram

DOCUMENTS = {
    "java.md": "# FxStore\n\n## Requirements\n\nFxStore needs Java 17. Older versions of Java do not start it.\n",
    "leave.md": "# Leave\n\nEverybody has 28 days of paid leave a year. Ask Dana Whitfield for approval.\n",
    "backup.md": "# Backup\n\nThe backup of the archive server runs every night at 02:30 and takes 40 minutes.\n",
}

PLACEHOLDER = "⏳"
"""What a message begins with that has not become an answer; the only trace that a kill may leave."""


class Model:
    """Drafts nonsense, writes from passages, and marks each answer with the question's number.

    Attributes:
        gate: Questions that say "slowly" wait for it.
    """

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, request: Recorded) -> Behaviour:
        asked = json.dumps(request.body["messages"][-1], ensure_ascii=False)
        mark = (re.findall(r"q\d+q", asked) or ["q0q"])[-1]
        if "slowly" in asked:
            self.gate.wait(30)
        if "response_format" in request.body:
            if "<last_message>" in asked or "What had to be collected" in asked:
                return Say(attentive_text(str(request.body["messages"][-1]["content"])))
            name = request.body["response_format"].get("json_schema", {}).get("name", "")
            reply = TYPED.get(name, TYPED[""])
            # A judge that is asked finds the nonsense: whether one is asked must not matter here.
            is_nonsense = name == "Judgement" and "Java 8" in asked
            if name == "ReviewReply" and "in doubt" in asked:
                reply = DOUBT
            return Say({**reply, "answer_quality": "hallucination"} if is_nonsense else reply)
        if "You read one passage" in str(request.body["messages"]):
            # The second reading. Without a mark: an answer that quotes it would count as two answers.
            return Say("Java 17" if "FxStore needs Java 17" in asked else "not stated")
        if "kettle" in asked:
            return _about_kettles(asked, mark)
        if "You keep the memory of a conversation" in str(request.body["messages"]):
            return Say("The user asks about FxStore.")
        if "<passage>" not in asked:
            return Say(f"FxStore needs Java 8, as {mark} says.")
        if "in vain" in asked:
            return Say("The documents do not say that.")
        written = f"FxStore needs Java 17 [1]. It is asked as {mark}."
        return Say(f"{written} {MORE}" if "at length" in asked else written)


MORE = " ".join(
    f"Older versions do not start the {part} of the {place} [1]."
    for part, place in product(
        ("door", "lamp", "bell", "fan", "lock", "pump", "lift", "gate", "clock", "stove", "radio", "mill"),
        ("hall", "shop", "yard", "cellar", "office", "kitchen", "stable", "garage", "attic", "tower"),
    )
)
"""More than one message holds, and never the same twice."""

KETTLE = "A kettle is a vessel for boiling water, and it stands on the stove until it sings"

TYPED: dict[str, dict[str, object]] = {
    "": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "other words"},
    "Reading": {"intent": "question", "question": "What is a kettle?"},
    "ReviewReply": {"status": "fixed", "issues": [], "patched_answer": f"{KETTLE}. Then tea is made."},
    "CritiqueReply": {
        "accuracy": 0.2,
        "helpfulness": 0.2,
        "completeness": 0.2,
        "issues": ["The answer does not say what is done with the water afterwards."],
        "suggestions": ["Say that tea is made with the water."],
    },
    "OpinionReply": {"agreement": 1.0},
    "RefinementReply": {"answer": f"{KETTLE}. Then tea is made with the water."},
}
"""What models reply to forms, by the name of the form."""

DOUBT: dict[str, object] = {
    "status": "flag_to_judge",
    "issues": [{"type": "logic", "severity": "complex", "description": "It may be another Java."}],
}
"""What a reviewer in doubt replies: the judge is asked about what the evidence found right."""


def _about_kettles(asked: str, mark: str) -> Behaviour:
    """Matters that are in no document, which a careful bot looks at again and again."""
    if "cut" in asked and "continue" not in asked.casefold():
        return Say(f"{KETTLE}, and", finish_reason="length")
    return Say(f"{KETTLE}. It is asked as {mark}.")


@dataclass
class Stage:
    """A bot and the people around it."""

    bot: Bot
    telegram: FakeTelegram
    model: Model
    ann: Person
    private: Chat
    group: Chat
    admins: Chat
    number: int = 0
    marks: dict[str, Chat] = field(default_factory=dict)

    def ask(self, chat: Chat, how: str = "", ago: float = 0.0) -> str:
        """Ask something; return the mark that its answer carries."""
        mark, text = self.question(chat, how)
        self.say(chat, text, ago=ago)
        return mark

    def question(self, chat: Chat, how: str = "") -> tuple[str, str]:
        """The text of a new question, and its mark."""
        self.number += 1
        mark = f"q{self.number}q"
        self.marks[mark] = chat
        return mark, f"Which Java does FxStore need{how}, {mark}?"

    def say(self, chat: Chat, text: str, ago: float = 0.0) -> Sent:
        said = text if chat.kind == "private" else f"@thinktwice_bot {text}"
        return self.ann.says(chat, said, ago=ago)

    def wait_until_quiet(self) -> None:
        """Wait until nothing has been passed for a moment: all work is over."""
        passed = Path(f"{self.bot.points}.passed")
        until(lambda: not passed.exists() or time.time() - passed.stat().st_mtime > 0.4)

    def begun(self, chat: Chat) -> Message:
        """Ask something whose answer waits for the gate; return the message that is to become the answer."""
        # Otherwise it might be told that it waits, in a message that is only a notice.
        self.wait_until_quiet()
        self.model.gate.clear()
        last = chat.last_message_id
        self.ask(chat, " slowly")

        def placeholders() -> list[Message]:
            return [m for m in chat.answers if m.message_id > last and m.text.startswith(PLACEHOLDER)]

        return until(placeholders, lambda: self.bot.log[-3000:])[-1]

    def answers(self, mark: str) -> list[Message]:
        return [message for message in self.marks[mark].answers if f"asked as {mark}" in message.text]

    def answered(self, mark: str) -> list[Message]:
        """Wait for the answer, and for the work behind it to be over."""
        found = until(lambda: self.answers(mark), lambda: self.told(mark))
        until(lambda: found[0].buttons, lambda: self.told(mark))
        return found

    def told(self, mark: str) -> str:
        return f"{mark}: {self.marks[mark].texts[-8:]}\n{self.bot.log[-4000:]}"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@contextmanager
def opened_stage(corpus: Path, folder: Path, **variables: str) -> Iterator[Stage]:
    model = Model()
    with FakeTelegram() as telegram, FakeOpenAI(model, hearing=lambda said: Say(said.decode())) as server:
        ann = telegram.user("Ann", language_code="en")
        given = {"THINKTWICE_ADMINS": str(ann.id), "THINKTWICE_VOICE__BASE_URL": server.base_url, **variables}
        bot = Bot(telegram, server, folder, corpus, given)
        with living(bot):
            chat, group = telegram.private(ann), telegram.group("Team", [ann])
            yield Stage(bot, telegram, model, ann, chat, group, chat)
            model.gate.set()


@pytest.fixture(scope="module")
def stage(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with opened_stage(
        corpus,
        tmp_path_factory.mktemp("bot"),
        THINKTWICE_BUDGET__QUESTION_CHARACTERS="500",
        THINKTWICE_ACCESS__ANSWER_PLAIN_QUESTIONS="true",
    ) as opened:
        yield opened
        # At the end of its life, whichever stories it was told: workers share them out.
        every_question_was_answered_once(opened)


def every_question_was_answered_once(stage: Stage) -> None:
    """Look at all that a bot was asked in its life, so that a late second answer is seen as well."""
    stage.wait_until_quiet()
    found = {mark: len(stage.answers(mark)) for mark in stage.marks}
    lost = [mark for mark, count in found.items() if not count]
    doubled = [mark for mark, count in found.items() if count > 1]
    left = [
        m.text
        for chat in {chat.id: chat for chat in stage.marks.values()}.values()
        for m in chat.answers
        if m.text.startswith(PLACEHOLDER)
    ]
    assert (lost, doubled) == ([], [])
    assert len(left) <= stage.bot.kills


@pytest.fixture(scope="module")
def careful(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A bot that looks twice at everything."""
    with opened_stage(
        corpus,
        tmp_path_factory.mktemp("careful"),
        THINKTWICE_SELF_CORRECTION__MODE="careful",
        THINKTWICE_SELF_CORRECTION__FAST_PATH="auto",
        THINKTWICE_CRITIQUE__RECURSIVE="true",
    ) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _ready_for_the_next(request: pytest.FixtureRequest) -> Iterator[None]:
    if "stage" in request.fixturenames:
        opened: Stage = request.getfixturevalue("stage")
        # Chats of its own: what was said before may lead the engine another way, and in a group the bot may
        # write twenty messages a minute, and keeps to it.
        opened.ann = opened.telegram.user("Ann", language_code="en")
        opened.private = opened.telegram.private(opened.ann)
        opened.group = opened.telegram.group("Team", [opened.ann])
    yield
    for name in {"stage", "careful"} & set(request.fixturenames):
        stage: Stage = request.getfixturevalue(name)
        stage.model.gate.set()
        stage.bot.kill_at("")
        if stage.bot.has_ended():
            stage.bot.start()


# ---- the stories: each does something, arms the kill before it, and returns what must come of it

Outcome = Callable[[], object]
Story = Callable[[Stage, Callable[[], None]], Outcome]


def asks_alone(stage: Stage, arm: Callable[[], None]) -> Outcome:
    arm()
    mark = stage.ask(stage.private)
    return lambda: stage.answered(mark)


def asks_aloud(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A voice message; what the server of transcriptions hears is what the recording holds."""
    arm()
    mark, text = stage.question(stage.private)
    stage.ann.speaks(stage.private, text.encode())
    return lambda: stage.answered(mark)


def asks_in_the_group(stage: Stage, arm: Callable[[], None]) -> Outcome:
    arm()
    mark = stage.ask(stage.group)
    return lambda: stage.answered(mark)


def asks_for_much(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The answer has two messages."""
    arm()
    mark = stage.ask(stage.private, " at length")

    def whole() -> None:
        (first,) = until(lambda: stage.answers(mark), lambda: stage.told(mark))

        def second() -> list[Message]:
            after = [message for message in stage.private.answers if message.message_id > first.message_id]
            return [message for message in after if message.buttons and "Older versions do" in message.text]

        assert len(until(second, lambda: stage.told(mark))) == 1

    return whole


def asks_too_much(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A question that is refused only when it is read."""
    arm()
    said = stage.say(stage.group, "word " * 150)

    def refused() -> list[Message]:
        return [m for m in stage.group.replies_to(said.message_id) if "characters" in m.text]

    return lambda: until(refused, lambda: stage.bot.log[-3000:])


def is_overheard(stage: Stage, arm: Callable[[], None]) -> Outcome:
    arm()
    mark, text = stage.question(stage.group)
    stage.ann.says(stage.group, text)
    return lambda: stage.answered(mark)


def loses_the_placeholder(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The bot's message is deleted before it becomes the answer."""
    placeholder = stage.begun(stage.group)
    mark = f"q{stage.number}q"
    with stage.telegram.world.lock:
        placeholder.deleted = True
    arm()
    stage.model.gate.set()
    return lambda: stage.answered(mark)


def stops(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.begun(stage.group)
    mark = f"q{stage.number}q"
    arm()
    said = stage.ann.says(stage.group, "/stop@thinktwice_bot")

    def stopped() -> None:
        def replies() -> list[Message]:
            found = stage.group.replies_to(said.message_id)
            return [message for message in found if not message.text.startswith(PLACEHOLDER)]

        until(replies, lambda: stage.bot.log[-3000:])
        stage.model.gate.set()
        stage.wait_until_quiet()
        assert len(replies()) == 1
        assert not stage.answers(mark)
        del stage.marks[mark]

    return stopped


def asks_anonymously(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """Whoever may not ask gets a reason instead of an answer."""
    arm()
    stage.telegram.anonymous_admin(stage.group).says(
        stage.group, "@thinktwice_bot Which Java does FxStore need?"
    )
    return lambda: _said_once(stage, stage.group, "cannot tell who you are")


def asks_why(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.answered(stage.ask(stage.private))
    stage.wait_until_quiet()
    arm()
    stage.ann.says(stage.private, "/why")
    return lambda: _said_once(stage, stage.private, "The first draft did not hold up")


def _said_once(stage: Stage, chat: Chat, words: str) -> None:
    """See that a reply came, and no second one."""

    def found() -> list[Message]:
        return [message for message in chat.answers if words in message.text]

    until(found, lambda: f"{chat.texts[-5:]}\n{stage.bot.log[-3000:]}")
    stage.wait_until_quiet()
    assert len(found()) == 1, chat.texts


def edits(stage: Stage, arm: Callable[[], None]) -> Outcome:
    before, text = stage.question(stage.private)
    said = stage.say(stage.private, text)
    stage.answered(before)
    del stage.marks[before]
    mark, text = stage.question(stage.private)
    arm()
    stage.ann.edits(said, text)
    return lambda: stage.answered(mark)


def presses(verb: str) -> Story:
    def story(stage: Stage, arm: Callable[[], None]) -> Outcome:
        # The kill must strike the press: the answer is over, and so is what the story before has left behind.
        stage.wait_until_quiet()
        earlier = len(stage.bot.passed())
        (answer,) = stage.answered(stage.ask(stage.private))
        until(
            lambda: "recorded remember" in stage.bot.passed()[earlier:],
            lambda: f"{stage.bot.passed()[earlier:]}\n{stage.bot.log[-3000:]}",
        )
        before = len(stage.private.presses)
        arm()
        stage.ann.presses(answer, verb)

        def pressed() -> None:
            until(lambda: stage.private.presses[before:], lambda: stage.bot.log[-3000:])
            if verb == "why":
                _said_once(stage, stage.private, "The first draft did not hold up")

        return pressed

    return story


def presses_in_vain(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """Telegram does not take what a press does: the presser is told so."""
    (answer,) = stage.answered(stage.ask(stage.private))
    stage.wait_until_quiet()
    stage.telegram.fail_next(
        "editMessageReplyMarkup",
        status=400,
        description="Bad Request: cursed",
        chat_id=stage.private.id,
        times=1000,
    )
    before, notes = len(stage.private.presses), len(_warnings(stage))
    arm()
    stage.ann.presses(answer, "useful")

    def told() -> None:
        def alerts() -> list[str]:
            return [press.alert or "" for press in stage.private.presses[before:]]

        def found() -> list[str]:
            return [text for text in (*alerts(), *stage.private.texts) if text.startswith("Sorry")]

        until(found, lambda: stage.bot.log[-3000:])
        # The admins are told of it too, and that note must not be taken for one of the next story.
        until(lambda: len(_warnings(stage)) > notes, lambda: stage.bot.log[-3000:])
        stage.wait_until_quiet()
        assert len(_warnings(stage)) == notes + 1, stage.admins.texts[-5:]

    return told


def blocks(stage: Stage, arm: Callable[[], None]) -> Outcome:
    person = stage.telegram.user("Bob")
    chat = stage.telegram.private(person)
    stage.model.gate.clear()
    person.says(chat, "Which Java does FxStore need slowly?")
    until(lambda: chat.all_drafts or chat.answers)
    arm()
    person.blocks()

    def gone() -> None:
        until(lambda: stage.bot.passed()[-1:] == ["recorded abandon"], lambda: stage.bot.log[-3000:])
        stage.model.gate.set()
        assert not [message for message in chat.answers if "Java 17" in message.text]

    return gone


def cannot_be_written_to(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A chat turns out to be gone when the answer is there."""
    person = stage.telegram.user("Eve")
    chat = stage.telegram.private(person)
    stage.telegram.fail_next(
        "sendMessage",
        status=403,
        description="Forbidden: bot was blocked by the user",
        chat_id=chat.id,
        times=1000,
    )
    arm()
    person.says(chat, "Which Java does FxStore need?")
    return lambda: until(
        lambda: stage.bot.passed()[-1:] == ["recorded give up"], lambda: stage.bot.log[-3000:]
    )


def moves(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A group gets another id while a question is at work there, and the next one comes under the new id."""
    group = stage.telegram.group("Moving", [stage.ann], basic=True)
    stage.begun(group)
    waited = f"q{stage.number}q"
    arm()
    moved = stage.marks[waited] = stage.telegram.migrate(group, stage.ann)
    mark = stage.ask(moved)

    def goes_on() -> None:
        stage.model.gate.set()
        stage.answered(waited)
        stage.answered(mark)
        assert [found for found in _finals(stage, moved) if found in {waited, mark}] == [waited, mark]

    return goes_on


def asks_while_it_is_down(stage: Stage, arm: Callable[[], None]) -> Outcome:
    person = stage.telegram.user("Old")
    chat = stage.telegram.private(person)
    stage.bot.kill()
    for _ in range(3):
        person.says(chat, "Which Java does FxStore need?", ago=7200)
    mark = stage.ask(stage.private, ago=600)
    arm()
    stage.bot.start()

    def told() -> None:
        _said_once(stage, chat, "was offline")
        stage.answered(mark)
        texts = [message.text for message in chat.answers if "was offline" not in message.text]
        assert [text for text in texts if not text.startswith(PLACEHOLDER)] == []

    return told


def fails(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """Telegram takes no answer in a chat: people there get an apology, and the admin a note."""
    person = stage.telegram.user("Kim")
    chat = stage.telegram.group("Cursed", [person])
    stage.telegram.fail_next(
        "editMessageText",
        status=400,
        description="Bad Request: cursed",
        chat_id=chat.id,
        times=1000,
        where=lambda request: "Sorry" not in request.params["text"],
    )
    # What went wrong in the story before is told in the same words.
    stage.wait_until_quiet()
    notes, written = len(_warnings(stage)), stage.bot.passed().count("recorded send 1")
    arm()
    person.says(chat, "@thinktwice_bot Which Java does FxStore need?")

    def told() -> None:
        _said_once(stage, chat, "Sorry")
        # A note that a killed process has sent stands there already: its double would come now, or not at all.
        until(
            lambda: len(_warnings(stage)) > notes and stage.bot.passed().count("recorded send 1") > written,
            lambda: stage.bot.log[-3000:],
        )
        stage.wait_until_quiet()
        assert len(_warnings(stage)) == notes + 1, stage.admins.texts[-5:]

    return told


def _warnings(stage: Stage) -> list[Message]:
    return [message for message in stage.admins.answers if message.text.startswith("⚠️")]


def tells_the_admins(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The same, and the kill comes while the note is written."""
    # Until the apology is there, whose steps have the same names.
    with stage.telegram.hold("sendMessage", chat_id=stage.admins.id) as gate:
        outcome = fails(stage, lambda: None)
        until(lambda: gate.waiting, lambda: stage.bot.log[-3000:])
        arm()
    return outcome


def kills_the_bot(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The bot dies of a question each time: the message that was to become the answer apologises."""
    stage.wait_until_quiet()
    stage.bot.kill_at("after draft")
    mark, text = stage.question(stage.group)
    said = stage.say(stage.group, text)
    for is_last in (False, False, True):
        until(stage.bot.is_killed, lambda: stage.bot.log[-3000:])
        stage.bot.kills += 1
        if is_last:
            arm()
        stage.bot.start()

    def told() -> None:
        _said_once(stage, stage.group, "Sorry")
        assert [message.text[:5] for message in stage.group.replies_to(said.message_id)] == ["Sorry"]
        del stage.marks[mark]

    return told


def dies_of_its_answer(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The bot dies three times when Telegram took the answer and that was not recorded yet: the answer stays."""
    mark, text = stage.question(stage.group)

    def held(*, after: bool) -> AbstractContextManager[Gate]:
        def is_the_answer(request: Request) -> bool:
            return f"asked as {mark}" in str(request.params.get("text"))

        return stage.telegram.hold("editMessageText", after=after, where=is_the_answer)

    with held(after=True) as gate:
        said = stage.say(stage.group, text)
        until(lambda: gate.waiting, lambda: stage.told(mark))
        stage.bot.kill()
    for _ in range(2):
        with held(after=False) as gate:
            stage.bot.start()
            until(lambda: gate.waiting, lambda: stage.told(mark))
            stage.bot.kill()
    arm()
    stage.bot.start()

    def told() -> None:
        until(lambda: stage.answers(mark), lambda: stage.told(mark))
        stage.wait_until_quiet()
        (answer,) = stage.group.replies_to(said.message_id)
        first = next(number for number, text in enumerate(answer.edits) if mark in text)
        assert all(mark in text for text in answer.edits[first:]), answer.edits

    return told


def is_too_late(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The old question is all that waits, so the kill comes while its notice is written."""
    person = stage.telegram.user("Old")
    chat = stage.telegram.private(person)
    stage.bot.kill()
    person.says(chat, "Which Java does FxStore need?", ago=7200)
    arm()
    stage.bot.start()
    return lambda: _said_once(stage, chat, "was offline")


def says_all_to_an_interview(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.say(stage.private, "/interview bug_report")
    until(lambda: any("Which product" in text for text in stage.private.texts), lambda: stage.bot.log[-3000:])
    stage.wait_until_quiet()
    arm()
    stage.say(stage.private, f"{', '.join(FACTS.values())}; it is a blocker")

    def complete() -> list[Message]:
        return [message for message in stage.private.answers if "Everything is there." in message.text]

    def came_once() -> None:
        until(complete, lambda: f"{stage.private.texts}{stage.bot.log[-3000:]}")
        stage.wait_until_quiet()
        assert len(complete()) == 1
        (summary,) = (m.text for m in stage.private.answers if "settled" in m.text.splitlines()[0])
        assert summary.startswith("Bug report: 7 of 7 settled")

    return came_once


def exports_an_interview(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.say(stage.private, "/interview bug_report")
    until(lambda: any("Which product" in text for text in stage.private.texts), lambda: stage.bot.log[-3000:])
    stage.wait_until_quiet()
    arm()
    stage.say(stage.private, "/export")

    def files() -> list[str]:
        attached = [message.attachment.get("document") for message in stage.private.answers]
        return [str(document["file_name"]).rpartition(".")[2] for document in attached if document]

    def came_once() -> None:
        until(lambda: "html" in files(), lambda: f"{files()}{stage.bot.log[-3000:]}")
        stage.wait_until_quiet()
        assert files() == ["json", "html"]

    return came_once


STORIES: dict[Story, tuple[str, ...]] = {
    asks_alone: (
        "admit", "recall", "placeholder", "classify", "draft", "probe", "evaluate", "retrieve", "regenerate",
        "evaluate 2", "answer", "send 1", "tidy", "remember",
    ),
    asks_aloud: ("listen", "answer"),
    asks_in_the_group: ("placeholder", "deliver 1"),
    asks_for_much: ("send 1", "send 2"),
    asks_too_much: ("fail",),
    is_overheard: ("overhear",),
    loses_the_placeholder: ("resend 1",),
    stops: ("find", "stop 1", "send 1"),
    asks_anonymously: ("send 1",),
    edits: ("withdraw", "placeholder", "deliver 1"),
    presses("useful"): ("find", "rate", "mark", "reply"),
    presses_in_vain: ("alert",),
    presses("why"): ("look up", "send 1", "reply"),
    asks_why: ("look up", "send 1"),
    blocks: ("presence", "abandon"),
    cannot_be_written_to: ("give up",),
    moves: ("migrate",),
    asks_while_it_is_down: ("late", "admit"),
    is_too_late: ("late", "send 1"),
    fails: ("apologise", "admins", "deliver 101", "send 1"),
    tells_the_admins: ("send 1",),
    kills_the_bot: ("find", "deliver 101"),
    dies_of_its_answer: ("find", "remember"),
    says_all_to_an_interview: (
        "interview route", "interview log", "interpret", "gate check", "interview append",
        "interview summary", "send 1",
    ),
    exports_an_interview: ("document 1", "document 2"),
}  # fmt: skip
"""The steps that each story passes."""

CAREFUL: dict[str, tuple[str, ...]] = {
    "What is a kettle": ("cover", "draft", "review", "compare", "critique", "second_opinion", "refine"),
    "What is a kettle that is cut": ("continue",),
    "Which Java does FxStore need in doubt": ("judge",),
    "Which Java does FxStore need in vain": ("rewrite", "retrieve 2", "choose", "read"),
    "and which Java does it need": ("standalone",),
}
"""The steps of the engine that a careful bot passes for a question; one with "and" goes on a conversation."""

ELSEWHERE = {
    "obey", "look", "open", "carry out", "index", "fetch", "keep", "confirm", "take", "picture", "clear",
    "count", "menus", "meanwhile", "request", "shown", "marked", "welcome", "digest", "interview begin",
    "interview find", "interview close", "extract",
}  # fmt: skip
"""Steps of commands, of requests for access, of the digest, and of small models in interviews: they are killed
at each of their steps in tests of their own, without a process; those of the console in
tests/crash/test_web_interview_killed.py."""

MOMENTS = ("after", "recorded")


def kind(name: str) -> str:
    """The name of a step without its number."""
    return re.sub(r" \d+$", "", name)


def test_every_step_has_a_story() -> None:
    told = {kind(step) for steps in (*STORIES.values(), *CAREFUL.values()) for step in steps}
    listed = {
        *ENGINE_STEPS, *answering.STEPS, *apologies.STEPS, *notes.STEPS, *membership.STEPS,
        *buttons.STEPS, *answer_buttons.STEPS,
        *explanations.STEPS, *stopping.STEPS, *messages.STEPS, *dispatch.STEPS,
        *interview.STEPS, *interviews.STEPS, *interview_chats.STEPS, *interview_commands.STEPS,
        *web_interviews.STEPS, *listening.STEPS, *access_requests.STEPS, *digest.STEPS,
    }  # fmt: skip
    assert told | ELSEWHERE == listed
    assert not told & ELSEWHERE


def _named_steps(path: Path) -> Iterator[str]:
    """The names that a module's source gives to steps."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called not in {"run_step", "step", "do"}:
            continue
        match node.args[0]:
            case ast.Constant(value=str(name)):
                yield kind(name)
            case ast.JoinedStr(values=[ast.Constant(value=str(name)), *_]):
                yield name.strip()


def test_every_step_in_the_code_is_listed() -> None:
    named = {
        name
        for folder in ("bot/service", "bot/telegram", "rag")
        for path in (REPOSITORY / folder).rglob("*.py")
        for name in _named_steps(path)
    }
    listed = {kind(step) for steps in (*STORIES.values(), *CAREFUL.values()) for step in steps} | ELSEWHERE
    # Councils are killed in tests/crash/test_council_killed.py.
    assert named <= {*listed, *council.STEPS, *interview.STEPS}
    assert {"classify", "deliver", "apologise", "remember"} <= named


def survived(stage: Stage, point: str, act: Callable[[Callable[[], None]], Outcome]) -> None:
    """Let a bot be killed at a point, start it again, and see that what had to come of it came."""
    outcome = act(lambda: stage.bot.kill_at(point))
    until(
        stage.bot.is_killed, lambda: f"never at {point}: {stage.bot.passed()[-40:]}\n{stage.bot.log[-3000:]}"
    )
    stage.bot.kills += 1
    stage.bot.restart()
    outcome()


@pytest.mark.parametrize(
    ("story", "point"),
    [
        pytest.param(story, point, id=f"{story.__name__} {point}")
        for story, steps in STORIES.items()
        for point in (
            *(f"{moment} {step}" for step in steps for moment in MOMENTS),
            *(
                ("before update is recorded", "after update is recorded", "taken")
                if story is asks_alone
                else ()
            ),
        )
    ],
)
def test_kill_at_a_point_changes_nothing_in_what_comes_of_it(stage: Stage, story: Story, point: str) -> None:
    survived(stage, point, partial(story, stage))


@pytest.mark.parametrize(
    ("question", "point"),
    [
        pytest.param(question, f"after {step}", id=f"after {step}")
        for question, steps in CAREFUL.items()
        for step in steps
    ],
)
def test_kill_in_a_careful_answer_costs_no_answer(careful: Stage, question: str, point: str) -> None:
    # A person of their own: what was said before may lead the engine another way.
    person = careful.telegram.user("Pat", language_code="en")
    chat = careful.telegram.private(person)

    before = int(question.startswith("and"))

    def final() -> list[Message]:
        return [message for message in chat.answers if len(message.buttons) == 2]

    def seen() -> str:
        return f"{chat.texts[-3:]}{careful.bot.log[-3000:]}"

    def act(arm: Callable[[], None]) -> Outcome:
        if before:
            person.says(chat, "What is FxStore, q0q?")
            until(final, seen)
            careful.wait_until_quiet()
        arm()
        person.says(chat, f"{question}, q1q?")
        return lambda: until(lambda: len(final()) > before, seen)

    survived(careful, point, act)
    careful.wait_until_quiet()
    assert len(final()) == 1 + before
    texts = [m.text for m in chat.answers if not m.text.startswith(PLACEHOLDER)]
    assert len(set(texts)) == len(texts)


# ---- at random


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("seed", "rounds"),
    [
        pytest.param(1, 1, id="for a moment"),
        *(pytest.param(seed, 5, id=f"seed {seed}", marks=pytest.mark.soak) for seed in range(1, 5)),
    ],
)
def test_kills_at_random_lose_and_double_nothing_and_keep_the_order(
    corpus: Path, tmp_path: Path, seed: int, rounds: int
) -> None:
    dice = random.Random(seed)
    with opened_stage(corpus, tmp_path) as stage:
        people = [stage.telegram.user(f"Person {number}") for number in range(4)]
        chats = [stage.telegram.private(person) for person in people]
        chats.append(stage.telegram.group("Crowd", people))
        asked: dict[int, list[str]] = {chat.id: [] for chat in chats}
        for _ in range(rounds):
            for _ in range(6):
                # Seldom the group: a bot may write twenty messages a minute there, and keeps to it.
                (chat,) = dice.choices(chats, weights=[4, 4, 4, 4, 1])
                person = dice.choice(people) if chat.kind != "private" else people[chats.index(chat)]
                mark, text = stage.question(chat)
                asked[chat.id].append(mark)
                person.says(chat, text if chat.kind == "private" else f"@thinktwice_bot {text}")
            # A third kill might make a dead letter of an innocent question, as it should.
            for _ in range(2):
                moment = len(stage.bot.passed()) + dice.randrange(300)
                deadline = time.monotonic() + dice.uniform(0.05, 1.5)
                until(lambda: len(stage.bot.passed()) >= moment or time.monotonic() > deadline)  # noqa: B023
                stage.bot.kill()
                stage.bot.start()
            for mark in stage.marks:
                until(lambda: stage.answers(mark), lambda: f"seed {seed}, {stage.told(mark)}")  # noqa: B023
        stage.wait_until_quiet()
        found = {mark: len(stage.answers(mark)) for mark in stage.marks}
        doubled = [mark for mark, count in found.items() if count > 1]
        assert not doubled, f"seed {seed}"
        for chat in chats:
            finished = [mark for mark in _finals(stage, chat) if mark in asked[chat.id]]
            assert finished == asked[chat.id], f"seed {seed}"


def _finals(stage: Stage, chat: Chat) -> list[str]:
    """The marks of the answers in a chat, in the order in which they appeared."""
    found: dict[str, None] = {}
    for request in stage.telegram.requests:
        if request.chat_id != chat.id or request.method not in {"sendMessage", "editMessageText"}:
            continue
        if marks := re.findall(r"asked as (q\d+q)", str(request.params.get("text", ""))):
            found.setdefault(marks[0])
    return list(found)
