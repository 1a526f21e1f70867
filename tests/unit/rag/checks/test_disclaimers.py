from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.checks import disclaimers


@pytest.mark.parametrize(
    "text",
    [
        "The note on the door says that it is closed on Monday.",
        "Consult the handbook, section 3.",
        "В заметке сказано, что сервер перезапускается в 9:00.",
        "서버는 9시에 다시 시작됩니다.",
        "服务器九点重启，请先保存文件。",
        "Server dinyalakan ulang pukul 9.",
        "El servidor se reinicia a las 9.",
        "`please note` is a label.",
    ],
)
def test_plain_answers_are_no_disclaimers(text: str) -> None:
    assert disclaimers.count(text) == 0


def test_each_disclaimer_counts() -> None:
    assert disclaimers.count("As an AI language model, I cannot guarantee it. Please verify it.") == 3


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert disclaimers.count(text) >= 0
