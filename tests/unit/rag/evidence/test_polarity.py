from __future__ import annotations

import pytest

from rag.evidence import polarity


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
