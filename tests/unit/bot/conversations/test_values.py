from __future__ import annotations

from bot.clock import utcnow
from bot.conversations.values import Message


def test_question_is_a_turn_without_passages() -> None:
    turn = Message("user", "hi", utcnow(), "Ann").as_turn()
    assert (turn.role, turn.text, turn.author, turn.passages) == ("user", "hi", "Ann", ())


def test_answer_that_is_known_by_its_label_alone_keeps_it_in_its_turn() -> None:
    turn = Message("assistant", "hello", utcnow(), label="unverified").as_turn()
    assert (turn.label, turn.passages) == ("unverified", ())


def test_clock_has_a_time_zone() -> None:
    assert utcnow().utcoffset() is not None
