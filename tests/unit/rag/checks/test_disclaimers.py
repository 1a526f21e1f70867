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
        "`I cannot guarantee it` is a label.",
        "Badges may not be lent to guests.",
        "Please note that the office is closed on Monday.",
        "Please consult your manager before you travel.",
        "Обратите внимание: офис закрыт в понедельник.",
        "请注意，办公室周一关闭。",
        "Harap perhatikan bahwa kantor tutup hari Senin.",
        "Tenga en cuenta que la oficina cierra los lunes.",
        "마감일에 유의하세요.",
        "访客无法确认订单，公司不能保证退款。",
        "회사는 환불을 보장하지 않습니다.",
        "Гости не могут подтвердить бронь.",
        "Tamu tidak dapat memastikan pesanan.",
        "Los invitados no pueden confirmar una reserva.",
        "Guests cannot confirm a booking.",
    ],
)
def test_plain_answers_are_no_disclaimers(text: str) -> None:
    assert disclaimers.count(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "It is nine. I cannot verify this.",
        "В девять. Я не могу подтвердить это.",
        "九点。我无法确认。",
        "九点，无法保证这一点。",
        "아홉 시입니다. 정보의 정확성을 보장할 수 없습니다.",
        "아홉 시입니다. 정확하지 않을 수 있습니다.",
        "Pukul sembilan. Saya tidak dapat memastikan hal ini.",
        "A las nueve. No puedo confirmarlo.",
    ],
)
def test_doubt_about_the_own_answer_is_a_disclaimer(text: str) -> None:
    assert disclaimers.count(text) == 1


def test_each_disclaimer_counts() -> None:
    assert disclaimers.count("As an AI language model, I cannot guarantee it. Please verify it.") == 3


def test_a_warning_that_the_documents_give_is_a_fact() -> None:
    warning = "Consult a doctor before you start."
    assert disclaimers.count(warning) == 1
    assert disclaimers.count(warning, known=f"Safety. {warning}") == 0


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert disclaimers.count(text) >= 0
