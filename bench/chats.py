"""Simulates many people who ask at once, and collects the outcome of each question."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.telegram.chats import Chat, Message
from tests.telegram.server import FakeTelegram

MARK = re.compile(r"\bq[a-j]+n[a-j]+q\b")
"""Mark that identifies a question; its answer contains the same mark.

It has letters in the place of digits: the small talk with the mark ``q80n1q`` was taken for a question about
the server that the documents call silent for 80 seconds, and was answered by a quotation without the mark.
"""

_LETTERS = str.maketrans("0123456789", "abcdefghij")

PARTS = (
    "payroll", "billing", "search", "export", "backup", "login", "report", "mail", "queue", "cache",
    "archive", "calendar", "catalogue", "contract", "customer", "delivery", "invoice", "ledger", "licence",
)  # fmt: skip


def facts(part: str) -> tuple[int, int]:
    """The number of records and the port that the documents state for a server."""
    number = PARTS.index(part)
    return 7 * number + 21, 8000 + number


def corpus(folder: Path) -> None:
    """Write a document about each server."""
    for part in PARTS:
        keeps, port = facts(part)
        (folder / f"{part}.md").write_text(
            f"# The {part} server\n\nThe {part} server listens on port {port} and keeps {keeps} records.\n\n"
            f"It is restarted when it has been silent for {keeps + 3} seconds. Ask its owner for access.\n"
        )


@dataclass(frozen=True, slots=True)
class Load:
    """The questions of a run.

    Args:
        chats: Private chats, one per person.
        each: Questions in each.
        began: When the first was asked, in seconds of the server's clock.
    """

    chats: tuple[Chat, ...]
    each: int
    began: float

    def marks(self, number: int) -> list[str]:
        """The marks of the questions of a chat, in their order."""
        return [mark(number, turn) for turn in range(self.each)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run.

    Args:
        waits: Seconds from each answered question to its complete answer.
        signs: Seconds until each chat saw the first sign of life.
        seconds: Seconds until the last answer.
        calls: Calls that changed something in these chats.
        lost: Questions without an answer.
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


def asked(telegram: FakeTelegram, chats: int, each: int) -> Load:
    """Let `chats` people ask at once: small talk, and what the documents say."""
    people = [telegram.user(f"Person {number}", language_code="en") for number in range(chats)]
    load = Load(tuple(telegram.private(person) for person in people), each, telegram.clock.now())
    for turn in range(each):
        for number, (person, chat) in enumerate(zip(people, load.chats, strict=True)):
            person.says(chat, _question(number, turn))
    return load


def mark(number: int, turn: int) -> str:
    """The mark of a chat's question; both are counted from 0."""
    return f"q{number}n{turn}q".translate(_LETTERS)


def _question(number: int, turn: int) -> str:
    part = PARTS[(number + turn) % len(PARTS)]
    if (number + turn) % 3 == 0:
        return f"Hello, how are you, {mark(number, turn)}?"
    if (number + turn) % 3 == 1:
        return f"How many records does the {part} server keep, {mark(number, turn)}?"
    return f"On which port does the {part} server listen, {mark(number, turn)}?"


def settled(
    telegram: FakeTelegram, load: Load, is_whole: Callable[[Message], bool], seconds: float
) -> Outcome:
    """Wait until every question has its answer or the time is up, and collect the outcome.

    Args:
        telegram: The server.
        load: What was asked.
        is_whole: Whether a message is a complete answer.
        seconds: How long to wait.
    """
    deadline = time.monotonic() + seconds
    open_chats = list(load.chats)
    while open_chats and time.monotonic() < deadline:
        time.sleep(0.2)
        with telegram.world.lock:
            open_chats = [chat for chat in open_chats if len(_answers(chat, is_whole)) < load.each]
    # A duplicate answer would come a little later.
    time.sleep(1.0)
    with telegram.world.lock:
        return _outcome(telegram, load, is_whole)


def _outcome(telegram: FakeTelegram, load: Load, is_whole: Callable[[Message], bool]) -> Outcome:
    ids = {chat.id for chat in load.chats}
    changes = [
        call for call in telegram.requests if call.chat_id in ids and call.ok and call.at >= load.began
    ]
    signs: dict[int, float] = {}
    whole: dict[str, float] = {}
    for call in changes:
        assert call.chat_id is not None  # it is in `ids`
        signs.setdefault(call.chat_id, call.at - load.began)
        if call.method in {"sendMessage", "editMessageText"}:
            # The last that was said of it: before, it is a draft.
            whole |= dict.fromkeys(MARK.findall(call.text), call.at - load.began)
    lost = doubled = reordered = 0
    waits = []
    for number, chat in enumerate(load.chats):
        wanted = load.marks(number)
        found = _answers(chat, is_whole)
        first = list(dict.fromkeys(found))
        lost += len(set(wanted) - set(found))
        doubled += len(found) - len(first)
        reordered += first != [mark for mark in wanted if mark in found]
        waits += [whole[mark] for mark in first]
    return Outcome(
        tuple(waits), tuple(signs.values()), max(waits, default=0.0), len(changes), lost, doubled, reordered
    )


def _answers(chat: Chat, is_whole: Callable[[Message], bool]) -> list[str]:
    """The marks of the answers in a chat, from top to bottom."""
    return [mark for message in chat.answers if is_whole(message) for mark in MARK.findall(message.text)[:1]]
