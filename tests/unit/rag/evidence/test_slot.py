"""Where an answer stands among the question's words."""

from __future__ import annotations

import cProfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import evidence
from rag.evidence import slot
from tests.unit.rag.evidence.asked import asked

PRIZES = (
    "The chemist Ivan Petrov discovered the salt in Tula in 1871. "
    "His pupil Olga Sidorova, who had come from Kazan, sold the patent in 1880 for 300 roubles."
)
LANGUAGES = st.sampled_from(["en", "ru", "es", "id", "ko", "zh"])


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("Who discovered the salt?", "Ivan Petrov", "Olga Sidorova"),
        ("Who discovered the salt?", "It was Ivan Petrov.", "It was Olga Sidorova."),
        ("In which year was the salt discovered?", "1871", "1880"),
        ("In which year was the salt discovered?", "The salt was discovered in 1871.", "In 1880."),
        ("For how much was the patent sold?", "300 roubles", "1871"),
        ("Where was the salt discovered?", "Tula", "Kazan"),
    ],
)
def test_answer_in_the_question_s_sentence_leads(question: str, right: str, wrong: str) -> None:
    material = asked(question, PRIZES)
    one, other = (evidence.compare(material, draft).signals for draft in (right, wrong))
    assert one["slot_lead"] > 0 > other["slot_lead"]
    assert one["slot_near"] > other["slot_near"]


def test_nearer_value_of_the_same_kind_is_a_rival() -> None:
    text = "The service Pier needs Java 17 and, since the spring, PostgreSQL 15."
    material = asked("Which Java does Pier need?", text)
    one, other = (evidence.compare(material, draft).signals for draft in ("17", "15"))
    assert one["slot_rival"] < 0 < other["slot_rival"]
    assert one["slot_nearest"] > other["slot_nearest"]


def test_value_in_words_is_found_where_it_stands_in_figures() -> None:
    found = evidence.compare(
        asked("How long are backups kept?", "Backups are kept for 35 days."), "thirty-five"
    )
    assert found.signals["slot_near"] > 0.3


def test_answer_that_stands_nowhere_has_no_place() -> None:
    found = evidence.compare(asked("Who discovered the salt?", PRIZES), "Marco Rossi")
    assert slot.NOWHERE.items() <= found.signals.items()
    assert not evidence.is_unambiguous(found, "en")


@given(st.text(max_size=80), st.text(max_size=300), st.text(max_size=80))
def test_signals_of_any_text_are_bounded(question: str, text: str, draft: str) -> None:
    signals = evidence.compare(asked(question, text), draft).signals
    assert all(-1.0001 <= signals[name] <= 1.0001 for name in slot.NOWHERE)


@given(st.text(max_size=400))
def test_question_of_any_text_seeks_something_or_nothing(question: str) -> None:
    assert set(slot.asked_kinds(question).values()) <= {0.0, 1.0}


def test_work_grows_with_an_endless_sentence_and_not_with_its_square() -> None:
    def work(times: int) -> int:
        """Return how many calls of functions a comparison makes."""
        profile = cProfile.Profile()
        profile.runcall(
            evidence.compare,
            asked("Which port is open?", "port word 5 " * times),
            "port word 5 " * (times // 10),
        )
        return sum(row.callcount for row in profile.getstats())

    work(100)
    # Ten times the text is at most some twenty times the work, whatever else the machine does.
    assert work(3_000) < 20 * work(300)
