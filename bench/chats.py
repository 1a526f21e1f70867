"""Simulates many people who ask at once, and collects the outcome of each question."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.telegram.chats import Chat, Message
from tests.telegram.server import FakeTelegram

_FACTS = (
    ("Payroll", "On which port does the payroll server listen", "The payroll server listens on port {}."),
    ("Invoices", "How many days are invoices kept", "Invoices are kept for {} days, and then shredded."),
    ("Archive", "Which room is the archive in", "The archive is in room {}, behind the kitchen."),
    ("Lift", "How many kilograms does the lift carry", "The lift carries {} kilograms and one bicycle."),
    ("Tickets", "Which number has the last open ticket", "The last open ticket has the number {}."),
    ("Parking", "What does a parking permit cost", "A parking permit costs {} euros, paid in May."),
    ("Screens", "After how many seconds does a screen lock", "A screen locks after {} idle seconds."),
    ("Theatre", "How many seats has the theatre", "The theatre has {} seats and no cloakroom."),
    ("Reception", "Which extension has the reception", "The reception has the extension {} all day."),
    ("Water", "How many litres does the water tank hold", "The water tank holds {} litres."),
    ("Travel", "What is the limit for travel expenses", "The limit for travel expenses is {} euros a year."),
    ("Cables", "How many metres of cable are in stock", "In stock are {} metres of cable, most of it grey."),
)
_FIRST_NUMBER = 1207
_BESIDE = "Ask the office manager for what is not said here, and tell her when something has changed."
_HELLO = "Hello, how are you?"
WELL = "Hello! I am well, thank you. What would you like to know?"
"""The answer to small talk."""


def corpus(folder: Path) -> None:
    for number, (title, _question, said) in enumerate(_FACTS):
        text = f"# {title}\n\n{said.format(_FIRST_NUMBER + number)} {_BESIDE}\n"
        (folder / f"{title.lower()}.md").write_text(text)


def fact(asked: str) -> str:
    """What the documents say to the last question about them in a text; empty for a text without one."""
    places = [asked.rfind(question) for _title, question, _said in _FACTS]
    found = places.index(max(places))
    return _FACTS[found][2].format(_FIRST_NUMBER + found) if places[found] >= 0 else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run.

    Args:
        waits: Seconds from each answered question to its complete answer.
        signs: Seconds until each chat saw the first sign of life.
        calls: Calls that changed something in these chats.
        doubled: Answers beyond the first to a question.
        reordered: Chats whose answers are not in the order of the questions.
    """

    waits: tuple[float, ...]
    signs: tuple[float, ...]
    seconds: float
    calls: int
    lost: int
    doubled: int
    reordered: int


def asked(
    telegram: FakeTelegram, people: int, each: int, is_whole: Callable[[Message], bool], seconds: float
) -> Outcome:
    """Let people ask at once, small talk and what the documents say, and wait for whole answers."""
    began = telegram.clock.now()
    persons = [telegram.user(f"Person {number}", language_code="en") for number in range(people)]
    chats = [telegram.private(person) for person in persons]
    for turn in range(each):
        for number, (person, chat) in enumerate(zip(persons, chats, strict=True)):
            person.says(chat, _question(number, turn)[0])
    deadline = time.monotonic() + seconds
    waiting = chats
    while waiting and time.monotonic() < deadline:
        time.sleep(0.2)
        with telegram.world.lock:
            waiting = [chat for chat in waiting if sum(map(is_whole, chat.answers)) < each]
    # A duplicate answer would come a little later.
    time.sleep(1.0)
    # The words by which the answers in a chat are known, in their order; no two are the same.
    marks = {
        chat.id: [_question(number, turn)[1] for turn in range(each)] for number, chat in enumerate(chats)
    }
    with telegram.world.lock:
        return _outcome(telegram, chats, marks, is_whole, began)


def _question(number: int, turn: int) -> tuple[str, str]:
    """A question, and the word by which its answer is known; both numbers are counted from 0.

    No two chats ask in the same words, so that nothing is answered from what is kept of another question.
    """
    found = (number + turn) % len(_FACTS)
    if turn % 3 == 2:
        return _HELLO, WELL.partition("!")[0]
    asker = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    return f"{_FACTS[found][1]}, {asker} asks?", str(_FIRST_NUMBER + found)


def _outcome(
    telegram: FakeTelegram,
    chats: Sequence[Chat],
    marks: Mapping[int, Sequence[str]],
    is_whole: Callable[[Message], bool],
    began: float,
) -> Outcome:
    changes = [call for call in telegram.requests if call.chat_id in marks and call.ok and call.at >= began]
    signs: dict[int, float] = {}
    whole: dict[tuple[int, str], float] = {}
    for call in changes:
        assert call.chat_id is not None  # it is in `marks`
        signs.setdefault(call.chat_id, call.at - began)
        if call.method in {"sendMessage", "editMessageText"}:
            # The last that was said of it: before, it is a draft.
            said = [(call.chat_id, mark) for mark in marks[call.chat_id] if mark in call.text]
            whole |= dict.fromkeys(said, call.at - began)
    lost = doubled = reordered = 0
    waits = []
    for chat in chats:
        found = _answers(chat, marks[chat.id], is_whole)
        first = list(dict.fromkeys(found))
        lost += len(set(marks[chat.id]) - set(found))
        doubled += len(found) - len(first)
        reordered += first != [mark for mark in marks[chat.id] if mark in found]
        waits += [whole[chat.id, mark] for mark in first if mark]
    return Outcome(
        tuple(waits), tuple(signs.values()), max(waits, default=0.0), len(changes), lost, doubled, reordered
    )


def _answers(chat: Chat, marks: Sequence[str], is_whole: Callable[[Message], bool]) -> list[str]:
    texts = [message.text for message in chat.answers if is_whole(message)]
    return [min((mark for mark in marks if mark in text), key=text.find, default="") for text in texts]
