from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.evidence import bank, statements

REFUSALS = {
    "en-plain": "I don't have that information.",
    "en-documentation": "I'm not sure; you would need to check the documentation.",
    "en-details": "Unfortunately I can't say without more details.",
    "en-access": "I do not have access to specific data about this.",
    "en-sorry": "I'm sorry, but I am unable to assist you with that.",
    "en-clarify": "Could you tell me more about what you mean?",
    "ru-plain": "К сожалению, у меня нет такой информации.",
    "ru-documents": "Не уверен, вам стоит проверить документацию.",
    "ru-cannot": "Я не могу точно ответить на этот вопрос.",
    "ru-we": "Мы не знаем, кто ведёт это расписание.",
    "ru-unknown": "Боюсь, мне об этом ничего не известно.",
    "ru-cannot-say": "К сожалению, без подробностей сказать не могу.",
    "en-beyond": "I'm afraid this is outside what I know.",
    "zh-cannot-say": "抱歉，这个问题我答不上来。",
    "zh-traditional": "很抱歉，我無法回答這個問題。",
    "zh-plain": "抱歉，我没有这方面的信息。",
    "zh-documents": "我不确定，您可以查阅相关文档。",
    "zh-cannot": "没有更多细节，我无法回答。",
    "es-plain": "Lo siento, no tengo esa información.",
    "es-cannot": "No puedo responder sin más detalles.",
    "es-we": "No sabemos quién lleva el calendario.",
    "es-ignoring": "Desconozco ese dato.",
    "id-plain": "Maaf, saya tidak memiliki informasi tersebut.",
    "ko-plain": "죄송하지만 그 정보는 알 수 없습니다.",
    "ko-failed": "이 질문에 대한 정보를 제공하지 못했습니다.",
}

ANSWERS = {
    "en-number": "FxStore needs Java 17.",
    "en-negation": "You do not need a licence for the server.",
    "en-no": "No, guests are not allowed on Sundays.",
    "en-contact": "Lost cards are blocked by the security desk on 4-17.",
    "ru-number": "Для запуска нужна Java 17.",
    "ru-others-failed": "Они не нашли новых доказательств.",
    "ru-scientists-failed": "Учёные не нашли следов воды.",
    "ru-negation": "Гости не входят без сопровождения.",
    "zh-number": "云帆平台需要Java 17。",
    "zh-negation": "员工不得自行购买机票。",
    "es-number": "La garantía dura dos años.",
    "ko-number": "보증 기간은 2년입니다.",
}


@pytest.mark.parametrize("text", REFUSALS.values(), ids=REFUSALS)
def test_text_that_declines_is_recognised(text: str) -> None:
    assert statements.read(text, "").declining >= 0.5


@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
def test_answer_is_not_taken_for_a_refusal(text: str) -> None:
    assert statements.read(text, "").declining == 0.0


def test_answer_with_a_reservation_is_mostly_an_answer() -> None:
    text = "The service listens on port 8443; it can be moved in prichal.env. I'm not sure about 9000."
    assert 0.0 < statements.read(text, "en").declining < 0.5


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("As far as I know, it is 8443.", "8443."),
        ("The answer is Java 17.", "java 17."),
        ("I think the warranty ends in May.", "the warranty ends in may."),
        ("Насколько я знаю, это Ангара.", "ангара."),
        ("据我所知，是陈立新。", "陈立新。"),
        ("La respuesta es Madrid.", "madrid."),
        ("제가 알기로는 서울입니다.", "서울."),
        ("Yes.", "yes."),
    ],
    ids=["en-know", "en-answer", "en-think", "ru", "zh", "es", "ko", "nothing-else"],
)
def test_opening_is_taken_off_and_the_answer_stays(sentence: str, answer: str) -> None:
    assert statements.remove_opening(bank.fold(sentence)) == answer


def test_citation_markers_claim_nothing() -> None:
    assert (
        statements.read("The port is 8443 [2].", "en").terms
        == statements.read("The port is 8443.", "en").terms
    )


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    read = statements.read(text, "")
    assert 0.0 <= read.declining <= 1.0
    assert len(set(read.terms)) == len(read.terms)


@given(st.text(max_size=80))
def test_nothing_is_put_into_a_sentence(text: str) -> None:
    folded = bank.fold(text)
    rest = iter(folded)
    assert all(character in rest for character in statements.remove_opening(folded))


@pytest.mark.parametrize(
    "text",
    [
        "The documents do not say it.",
        "Документы этого не говорят.",
        "Los documentos no lo dicen.",
        "Dokumen tidak menyebutkannya.",
        "문서에는 나와 있지 않습니다.",
        "文档没有说明。",
    ],
)
def test_sentence_that_the_writer_is_asked_for_declines_in_every_language(text: str) -> None:
    assert statements.read(text, "").declining == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "I do not know the default port.",
        "I'm not sure who keeps it.",
        "Я не знаю, кто это.",
        "No sé qué puerto usa.",
        "Saya tidak tahu.",
        "그 내용은 모르겠습니다.",
        "我不知道你们的会议是几点。",
    ],
)
def test_speaker_who_says_not_to_know_is_told(text: str) -> None:
    assert statements.read(text, "").ignorant == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "Guests may not know the password.",
        "Гость не знает пароля.",
        "No se admite efectivo.",
        "Tamu tidak boleh masuk.",
        "손님은 들어갈 수 없습니다.",
        "访客不知道密码。",
    ],
)
def test_rule_that_others_do_not_know_or_may_not_is_no_ignorance_of_the_speaker(text: str) -> None:
    assert statements.read(text, "").ignorant == 0.0
