from __future__ import annotations

import pytest

from rag import checks

ANSWER = {
    "en": "FxStore needs Java 17 or later.",
    "ru": "Для FxStore нужна Java 17 или новее.",
    "ko": "FxStore에는 Java 17 이상이 필요합니다.",
    "zh": "FxStore 需要 Java 17 或更高版本。",
    "id": "FxStore membutuhkan Java 17 atau lebih baru.",
    "es": "FxStore necesita Java 17 o posterior.",
}


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "Sure! ", ""),
        ("en", "Sure, here is the answer: ", ""),
        ("en", "Certainly!\n\nHere's the corrected answer to your question:\n", ""),
        ("en", "Based on the provided passages, ", ""),
        ("en", "**Answer:** ", ""),
        ("en", "As an AI language model developed by Example Labs, ", ""),
        ("en", "", " I hope this helps! Let me know if you have any other questions. 😊"),
        ("en", "", "\n\nIf you have any further questions, feel free to ask!"),
        ("ru", "Конечно! Вот ответ на ваш вопрос: ", ""),
        ("en", "Happy to help! ", "\n\nIs there anything else I can help you with?"),
        ("en", "Absolutely! Here's what I found:\n\n", " I'm here if you need anything."),
        (
            "en",
            "Here is the corrected version of the answer:\n\n",
            " Feel free to ask if anything is unclear.",
        ),
        ("ru", "Отличный вопрос! ", " Надеюсь, это поможет!"),
        ("ru", "С радостью помогу! ", "\n\nМогу ли я ещё чем-нибудь помочь?"),
        ("ru", "Вот что мне удалось найти:\n\n", " Пишите, если что-то непонятно."),
        ("ru", "Вот исправленный вариант ответа:\n\n", ""),
        ("ko", "기꺼이 도와드리겠습니다! ", " 궁금한 점이 더 있으면 편하게 물어보세요."),
        ("ko", "확인한 내용은 다음과 같습니다:\n\n", "\n\n더 도와드릴 일이 있을까요?"),
        ("ko", "수정된 답변은 다음과 같습니다:\n\n", ""),
        ("zh", "很高兴为您解答！", "如有不清楚的地方，欢迎继续提问。"),
        ("zh", "以下是我找到的内容：\n\n", "\n\n还有什么我可以帮您的吗？"),
        ("id", "Dengan senang hati! ", " Jangan ragu bertanya jika masih ada yang kurang jelas."),
        ("id", "Berikut hasil yang saya temukan:\n\n", "\n\nApakah ada hal lain yang bisa saya bantu?"),
        ("id", "Berikut versi jawaban yang sudah diperbaiki:\n\n", ""),
        ("es", "¡Con mucho gusto! ", "\n\n¿Hay algo más en lo que pueda ayudarte?"),
        ("es", "Esto es lo que encontré:\n\n", " Estoy aquí para lo que necesites."),
        ("es", "Aquí tienes la versión corregida de la respuesta:\n\n", ""),
        ("ru", "Как языковая модель, ", "\nЕсли у вас есть ещё вопросы, не стесняйтесь спрашивать."),
        ("ko", "물론입니다! 다음은 답변입니다: ", ""),
        ("ko", "AI 언어 모델로서, ", " 도움이 되셨기를 바랍니다!"),
        ("ko", "답변: ", " 추가 질문이 있으시면 언제든지 말씀해 주세요."),
        ("zh", "好的，以下是回答：", ""),
        ("zh", "作为一个AI语言模型，", "希望这对您有帮助！"),
        ("zh", "好问题！", "如果您还有其他问题，请随时告诉我。"),
        ("id", "Tentu! Berikut jawabannya: ", ""),
        ("id", "Sebagai model bahasa AI, ", " Semoga membantu!"),
        ("id", "Jawaban: ", " Jika ada pertanyaan lain, silakan tanyakan."),
        ("es", "¡Claro! Aquí tienes la respuesta: ", ""),
        ("es", "Como modelo de lenguaje, ", " ¡Espero que esto te ayude!"),
        ("es", "Respuesta: ", " Si tienes más preguntas, no dudes en consultarme."),
        ("en", "Let me walk you through it: ", "\n\nPlease message me if anything is unclear."),
        ("en", "I have gone through all the files. ", ""),
        ("ru", "Позвольте пояснить. ", " Сообщите, если что-то неясно."),
        ("ko", "자세히 안내해 드리겠습니다. ", "\n\n더 자세한 설명이 필요하시면 알려 주세요."),
        ("zh", "请让我为您说明一下：", "若需要进一步说明，请随时联系我。"),
        ("id", "Izinkan saya menjelaskan. ", " Kabari saya bila masih ada yang kurang."),
        ("es", "Permítame aclararlo. ", "\n\nAvíseme si algo no queda claro."),
        ("en", "<think>\nJava 11? No.\n</think>\n\n", ""),
        ("en", "Java 11? No.\n</think>\n\n", ""),
        ("en", "<answer>\n", "\n</answer>"),
        ("en", "", "<|im_end|>"),
        ("ru", "", "\n</passages>\n</question>"),
        ("en", "### Response:\n", "</s>"),
        ("en", "", "\nUser: And 4.0?\nAssistant: Java 21."),
    ],
)
def test_what_is_no_part_of_the_answer_is_taken_away(language: str, before: str, after: str) -> None:
    text = f"{before}{ANSWER[language]}{after}"
    findings = checks.run(text, language=language)
    assert {finding.severity for finding in findings} == {"fixable"}
    assert {finding.kind for finding in findings} <= {"leftover", "thoughts"}
    assert checks.repair(text, findings) == ANSWER[language]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("en", "Sure!", id="en-yes"),
        pytest.param("en", "Of course not.", id="en-of-course-not"),
        pytest.param("en", "Sure, you can use it in groups.", id="en-part-of-the-sentence"),
        pytest.param("en", "You're welcome! Let me know if you need more.", id="en-small-talk"),
        pytest.param("en", "Here is the list of formats:\n- PDF\n- DOCX", id="en-lead-in"),
        pytest.param("en", "I am an AI assistant that answers from documents.", id="en-who-are-you"),
        pytest.param("en", "If you have any questions, contact the support desk.", id="en-advice"),
        pytest.param("en", "Here's what I found in the logs.", id="en-a-finding"),
        pytest.param("es", "Con mucho gusto.", id="es-politeness-alone"),
        pytest.param("ko", "설치 순서는 다음과 같습니다.\n1. 저장소를 복제합니다.", id="ko-lead-in"),
        pytest.param("zh", "以下是支持的格式：\n- PDF\n- DOCX", id="zh-lead-in"),
        pytest.param("id", "Berikut adalah daftar formatnya:\n- PDF\n- DOCX", id="id-lead-in"),
        pytest.param("ru", "Вот список форматов:\n- PDF\n- DOCX", id="ru-lead-in"),
        pytest.param("en", "User: can read.\nAdmin: can write.", id="en-roles"),
        pytest.param("en", "Connect with ssh <user>@host and wait.", id="en-parameter"),
        pytest.param("en", "The tag `<think>` holds thoughts, `TODO` marks work.", id="en-code"),
        pytest.param("ru", "Конечно, можно.", id="ru-part-of-the-sentence"),
        pytest.param("ko", "물론입니다!", id="ko-yes"),
        pytest.param("zh", "当然可以！", id="zh-yes"),
        pytest.param("id", "Tentu saja bisa.", id="id-part-of-the-sentence"),
        pytest.param("es", "¡Claro!", id="es-yes"),
        pytest.param("ko", "휴가는 20일입니다. 자세한 내용은 인사팀에 문의해 주세요.", id="ko-whom-to-ask"),
        pytest.param("ko", "휴가는 20일입니다. 궁금한 점은 인사팀에 문의해 주세요.", id="ko-whom-to-ask-too"),
        pytest.param("ko", "한도는 이십일입니다. 다른 질문은 고객센터로 문의해 주세요.", id="ko-centre"),
        pytest.param("ru", "Приходите к девяти. Сообщите, если опоздаете.", id="ru-instruction"),
        pytest.param("ru", "Приходите к девяти. Напишите, если опаздываете.", id="ru-instruction-too"),
        pytest.param("en", "The limit is a month. Don't hesitate to contact HR.", id="en-whom-to-ask"),
        pytest.param("en", "It takes a month. Feel free to ask your manager.", id="en-whom-to-ask-too"),
        pytest.param("es", "El límite es un mes. No dude en consultar con Recursos Humanos.", id="es-whom"),
        pytest.param(
            "id", "Batasnya satu bulan. Jika ada pertanyaan, silakan hubungi bagian gaji.", id="id-whom"
        ),
        pytest.param("zh", "限额是每人每月。如果有问题，请随时联系人事部。", id="zh-whom-to-ask"),
        pytest.param("zh", "每人两台显示器。需要更多设备，请告知行政部。", id="zh-whom-to-tell"),
    ],
)
def test_an_answer_is_not_taken_for_a_leftover(language: str, text: str) -> None:
    assert [finding for finding in checks.run(text, language=language) if finding.kind == "leftover"] == []


def test_what_the_question_names_is_no_leftover() -> None:
    text = "It ends with </question> on a line of its own."
    assert checks.run(text, language="en") != ()
    assert checks.run(text, language="en", asked="What does </question> do?") == ()


def test_repair_keeps_what_the_question_names_and_takes_the_rest() -> None:
    text = "Sure! It ends with </question> on a line of its own."
    findings = checks.run(text, language="en", asked="What does </question> do?")
    assert checks.repair(text, findings) == "It ends with </question> on a line of its own."


def test_nothing_but_thoughts_is_an_answer_to_write_again() -> None:
    text = "<think>Java 11? Java 17?"
    (finding,) = checks.run(text, language="en")
    assert (finding.kind, finding.severity) == ("thoughts", "critical")
    assert checks.repair(text, (finding,)) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("en", "The port is open. Let me know if you do not see it.", id="en-closer"),
        pytest.param("en", "Here's what I know not to be true: it is closed on Monday.", id="en-opener"),
        pytest.param("en", "Here's what I found in 2 of them: it is closed on Monday.", id="en-figure"),
        pytest.param("ru", "Порт открыт. Дайте знать, если он не виден.", id="ru-closer"),
        pytest.param("zh", "端口已打开。如果有3台没有打开，请随时告诉我。", id="zh-closer"),
    ],
)
def test_politeness_that_states_something_stays(language: str, text: str) -> None:
    assert checks.run(text, language=language) == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Call [insert number] to book a room.", id="en"),
        pytest.param("The badge costs [insert 20 or 30 euros], as always.", id="with-figures"),
        pytest.param("Write to [TODO: address] or call.", id="todo-in-brackets"),
        pytest.param("Guests may enter.\nTODO: not on Sundays", id="todo-on-a-line"),
        pytest.param("Звоните по номеру [укажите номер] утром.", id="ru"),
        pytest.param("请拨打[请输入号码]联系客服。", id="zh"),
        pytest.param("문의는 [번호 입력]로 하세요.", id="ko"),
        pytest.param("Hubungi [masukkan nomor] sekarang.", id="id"),
        pytest.param("Llame al [inserte número] ahora.", id="es"),
    ],
)
def test_a_text_with_a_field_that_was_not_filled_in_is_written_again(text: str) -> None:
    findings = checks.run(text, language="")
    assert [(found.kind, found.severity) for found in findings] == [("leftover", "critical")]
    assert checks.repair(text, findings) == text


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("See the TODO list in the wiki.", ""),
        ("Mark it with a TODO, then go on.", ""),
        ("- [ ] TODO list\n- done", ""),
        ("A card goes from left to right:\n- TODO\n- In progress\n- Done", ""),
        ("Open [here][1] or [click here], then [the page].", ""),
        ("Set `[insert]` first.", ""),
        ("The status is TODO, then DOING, then DONE.", ""),
        ("Press the button [Start here] to begin.", ""),
        ("The [Your orders] tab lists them.", "Open the tab [Your orders]."),
        ("Нажмите кнопку [Вставить], чтобы добавить текст.", "Кнопка [Вставить] добавляет текст."),
        ("Инструкция лежит [здесь].", ""),
        ("点击【您的订单】查看。", "点击【您的订单】。"),
    ],
)
def test_what_is_about_notes_and_buttons_is_no_gap(text: str, known: str) -> None:
    assert checks.run(text, language="", known=known) == ()


def test_a_note_is_an_answer_where_the_question_names_it() -> None:
    assert checks.run("It begins so:\nTODO: write", language="en", asked="What does TODO: write mean?") == ()


def test_politeness_with_a_figure_in_it_stays() -> None:
    text = "FxStore needs Java 17 or later. Let me know if 17 is too new."
    assert checks.run(text, language="en") == ()


def test_the_sentence_after_a_removed_clause_begins_with_a_capital() -> None:
    text = "It is closed. As an AI language model, we cannot open it."
    assert checks.repair(text, checks.run(text, language="en")) == "It is closed. We cannot open it."


@pytest.mark.parametrize(
    ("language", "asked", "said", "left"),
    [
        pytest.param(
            "id",
            "Berapa hari dalam satu minggu?",
            "Berapa hari dalam satu minggu? -> 7 hari.",
            "7 hari.",
            id="id",
        ),
        pytest.param("zh", "谢谢用英语怎么说？", "谢谢用英语怎么说？ -> Thank you.", "Thank you.", id="zh"),
        pytest.param("en", "who owns the key", "Who owns the key? → Anna owns it.", "Anna owns it.", id="en"),
    ],
)
def test_question_that_a_model_repeats_before_an_arrow_goes(
    language: str, asked: str, said: str, left: str
) -> None:
    assert checks.repair(said, checks.run(said, language=language, asked=asked)) == left


def test_answer_that_is_only_the_question_is_written_again() -> None:
    said = "Почему осенью листья желтеют?"
    (found,) = checks.run(said, language="ru", asked=said)
    assert (found.kind, found.severity, str(found.description)) == (
        "leftover",
        "critical",
        "the question repeated",
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("How are you?", "How are you? I am fine.", id="it goes on without an arrow"),
        pytest.param("Hi there!", "Hi there!", id="a greeting"),
        pytest.param("Is map -> list right?", "Map -> list is right.", id="an arrow of its own"),
        pytest.param("", "Yes -> no.", id="nothing was asked"),
    ],
)
def test_what_is_no_echo_stays(asked: str, said: str) -> None:
    assert checks.run(said, language="en", asked=asked) == ()
