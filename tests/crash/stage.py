"""A bot that is killed, the people around it, and a model that marks each answer with its question."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from tests.crash.bots import Bot, living, until
from tests.support.interviews import attentive_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent
from tests.telegram.server import FakeTelegram

PLACEHOLDER = "⏳"
"""What a message begins with that has not become an answer; the only trace that a kill may leave."""


class Model:
    """Drafts nonsense, writes from passages, and marks each answer with the question's number.

    Questions that say "slowly" wait for the gate.
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
        mark, text = self.question(chat, how)
        self.say(chat, text, ago=ago)
        return mark

    def question(self, chat: Chat, how: str = "") -> tuple[str, str]:
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
        # The mark is in no document, so what is not confirmed is quoted below an answer, in its last message.
        said = re.compile(rf"asked as {mark}\b(?!\.”)")
        return [message for message in self.marks[mark].answers if said.search(message.text)]

    def answered(self, mark: str) -> list[Message]:
        found = until(lambda: self.answers(mark), lambda: self.told(mark))
        until(lambda: found[0].buttons, lambda: self.told(mark))
        return found

    def told(self, mark: str) -> str:
        return f"{mark}: {self.marks[mark].texts[-8:]}\n{self.bot.log[-4000:]}"


Outcome = Callable[[], object]
"""Sees that what had to come of a story came."""

Story = Callable[[Stage, Callable[[], None]], Outcome]
"""Does something with a bot, and calls what arms the kill before it."""


@contextmanager
def opened_stage(corpus: Path, folder: Path, **variables: str) -> Iterator[Stage]:
    """Start a bot over a corpus, with Ann, her private chat, and a group of hers."""
    model = Model()
    with FakeTelegram() as telegram, FakeOpenAI(model, hearing=lambda said: Say(said.decode())) as server:
        ann = telegram.user("Ann", language_code="en")
        given = {"THINKTWICE_ADMINS": str(ann.id), "THINKTWICE_VOICE__BASE_URL": server.base_url, **variables}
        bot = Bot(telegram, server, folder, corpus, given)
        with living(bot):
            chat, group = telegram.private(ann), telegram.group("Team", [ann])
            yield Stage(bot, telegram, model, ann, chat, group, chat)
            model.gate.set()


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


def said_once(stage: Stage, chat: Chat, words: str) -> None:
    """See that a reply came, and no second one."""

    def found() -> list[Message]:
        return [message for message in chat.answers if words in message.text]

    until(found, lambda: f"{chat.texts[-5:]}\n{stage.bot.log[-3000:]}")
    stage.wait_until_quiet()
    assert len(found()) == 1, chat.texts


def finals(stage: Stage, chat: Chat) -> list[str]:
    """Return the marks of the answers in a chat, in the order in which they appeared."""
    found: dict[str, None] = {}
    for request in stage.telegram.requests:
        if request.chat_id != chat.id or request.method not in {"sendMessage", "editMessageText"}:
            continue
        if marks := re.findall(r"asked as (q\d+q)", str(request.params.get("text", ""))):
            found.setdefault(marks[0])
    return list(found)
