from __future__ import annotations

import pytest

from rag.evidence import polarity
from rag.evidence.directions import directions, gives_beginning


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        pytest.param("yes.", "may guests print?", "yes", id="bare yes"),
        pytest.param("no, they may not.", "may guests print?", "no", id="no and a sentence"),
        pytest.param("guests may print.", "may guests print?", "yes", id="affirmed"),
        pytest.param("guests may not print.", "may guests print?", "no", id="denied"),
        pytest.param(
            "guests may not print without a badge.",
            "may guests print without a badge?",
            "no",
            id="denied beside a denial of the question",
        ),
        pytest.param("smoking is forbidden.", "is smoking forbidden?", "yes", id="a denial affirmed"),
        pytest.param("los invitados no pueden imprimir.", "¿pueden los invitados imprimir?", "no", id="es"),
        pytest.param("гостям нельзя печатать.", "можно ли гостям печатать?", "no", id="ru"),
        pytest.param("tamu tidak boleh mencetak.", "bolehkah tamu mencetak?", "no", id="id"),
        pytest.param("访客不能打印。", "访客可以打印吗？", "no", id="zh"),
        pytest.param("访客可以打印。", "访客可以打印吗？", "yes", id="zh affirmed"),
        pytest.param("손님은 인쇄할 수 없습니다.", "손님도 인쇄할 수 있나요?", "no", id="ko"),
    ],
)
def test_statement_answers_yes_or_no(text: str, question: str, expected: str) -> None:
    assert polarity.answers(text, question) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("more than 6 hours", {"up"}),
        ("postgresql 14 or older", {"down"}),
        ("no earlier than 12:00", {"up"}),
        ("not more than 5", {"down"}),
        ("не позже полудня", {"down"}),
        ("тяжелее 20 кг", {"up"}),
        ("superior a 20 kg", {"up"}),
        ("kurang dari 20 kg", {"down"}),
        ("15 或更低版本", {"down"}),
        ("20kg 초과", {"up"}),
        ("twelve", set()),
    ],
)
def test_direction_of_a_comparison_is_known(text: str, expected: set[str]) -> None:
    assert directions(text) == expected


def test_beginning_is_told_from_an_end() -> None:
    assert gives_beginning("from 11:00 on")
    assert not gives_beginning("until 11:00")
