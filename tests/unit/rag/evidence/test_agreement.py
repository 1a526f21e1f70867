from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.evidence.agreement import compare_answers, find_answering_sentence

PASSAGE = "Pier listens on port 8443. Backups are kept for 35 days by Olga Vetrova in Bergen."
QUESTION = "What do the documents say about the service?"
LANGUAGES = st.sampled_from(["en", "ru", "es", "id", "ko", "zh", ""])
PIECES = st.sampled_from(
    [
        "port", "8443", "35 days", "Olga Vetrova", "не", "только", "трех", "张三", "百分之五", "35일", "김민수",
        "(IPCC)", "/etc/app.conf", "1.20", "no", "yes", "at least", "before", ".", ",", "、", "？", "\n", "- ", "[1]", "`", "**",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=12).map(" ".join))


class Case(NamedTuple):
    language: str
    passage: str
    question: str
    answer: str
    reading: str
    expected: str


def _cases() -> list[object]:
    blocks = yaml.safe_load(Path(__file__).with_name("agreement.yaml").read_text(encoding="utf-8"))
    return [
        pytest.param(
            Case(block["language"], block["passage"], block["question"], *row),
            id=f"{block['name']}: {row[0]} / {row[1]}",
        )
        for block in blocks
        for row in block["rows"]
    ]


@pytest.mark.parametrize("case", _cases())
def test_reading_is_compared_with_the_answer(case: Case) -> None:
    found = compare_answers(
        case.answer,
        case.reading,
        question=case.question,
        passage=case.passage,
        language=case.language,
    )

    assert found == case.expected


@pytest.mark.parametrize(
    ("answer", "question", "sentence"),
    [
        pytest.param("Port 8443.", "Which port?", "Port 8443.", id="the only one"),
        pytest.param(
            "You asked for the port. It is 8443.", "Which port does it use?", "It is 8443.", id="not an echo"
        ),
        pytest.param(
            "Pier is written in Java. It listens on 8443.",
            "On how many ports does it listen?",
            "It listens on 8443.",
            id="a fact where an amount is asked for",
        ),
        pytest.param(
            "Yes. Guests may print in the lobby.",
            "May guests print?",
            "Yes. Guests may print in the lobby.",
            id="yes and its sentence",
        ),
        pytest.param(
            "The crew were:\n- White\n- Chaffee\n\nThey trained in Houston.",
            "Who were the crew?",
            "The crew were:\n- White\n- Chaffee",
            id="a list and the line before it",
        ),
        pytest.param(
            "# Ports\n\nIt listens on 8443.",
            "Which port is used?",
            "It listens on 8443.",
            id="a heading answers nothing",
        ),
        pytest.param("", "Which port?", "", id="nothing"),
    ],
)
def test_sentence_that_answers_is_found(answer: str, question: str, sentence: str) -> None:
    assert find_answering_sentence(answer, question, "en") == sentence


@given(answer=TEXTS, reading=TEXTS, question=TEXTS, passage=TEXTS, language=LANGUAGES)
@settings(deadline=None)
def test_any_texts_are_compared(
    answer: str, reading: str, question: str, passage: str, language: str
) -> None:
    found = compare_answers(answer, reading, question=question, passage=passage, language=language)

    assert found in {"agrees", "differs", "undecided"}


@given(answer=TEXTS, question=TEXTS, passage=TEXTS, language=LANGUAGES)
@settings(deadline=None)
def test_empty_reading_never_agrees_or_differs(
    answer: str, question: str, passage: str, language: str
) -> None:
    assert compare_answers(answer, "", question=question, passage=passage, language=language) == "undecided"


@given(
    text=st.lists(
        st.sampled_from(["8443", "35 days", "Olga Vetrova", "Bergen", "blue", "harbor", "archive"]),
        min_size=1,
        max_size=4,
        unique=True,
    ).map(" ".join)
)
@settings(deadline=None)
def test_text_that_says_something_agrees_with_itself(text: str) -> None:
    assert compare_answers(text, text, question=QUESTION, passage=PASSAGE, language="en") == "agrees"


@given(
    one=st.sampled_from(["8443", "35 days", "35", "35 weeks", "Olga Vetrova", "Vetrova", "Bergen", "May 2020", "2020"]),
    other=st.sampled_from(["8443", "35 days", "35", "35 weeks", "Olga Vetrova", "Vetrova", "Bergen", "May 2020", "2020"]),
)  # fmt: skip
@settings(deadline=None)
def test_short_texts_agree_in_both_directions(one: str, other: str) -> None:
    there, back = (
        compare_answers(first, second, question=QUESTION, passage=PASSAGE, language="en")
        for first, second in ((one, other), (other, one))
    )

    assert there == back


@given(number=st.integers(min_value=2, max_value=10_000), other=st.integers(min_value=2, max_value=10_000))
@settings(deadline=None)
def test_other_number_never_agrees(number: int, other: int) -> None:
    found = compare_answers(
        f"It is kept for {number} days.",
        f"{other} days",
        question="How long is it kept?",
        passage=f"It is kept for {other} days.",
        language="en",
    )

    assert found == ("agrees" if number == other else "differs")


@pytest.mark.parametrize(
    "piece",
    [
        "a ",
        "张",
        "(a) ",
        "1, ",
        "- a\n",
        "не ",
        "A ",
        "и ",
        "and ",
        "`",
        "[1]",
        "35 ",
        "김 ",
        "(",
        "yes. ",
    ],
)
def test_huge_texts_are_compared_quickly(piece: str) -> None:
    huge = piece * 50_000
    started = time.perf_counter()

    compare_answers(huge, huge, question=huge, passage=huge, language="en")

    assert time.perf_counter() - started < 5.0  # a tenth of it on an idle machine
