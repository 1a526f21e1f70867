from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import checks

ANSWERS = {
    "en": "FxStore needs Java 17 or later, and the server has to be restarted after the update.",
    "ru": "Для FxStore нужна Java 17 или новее, и после обновления сервер надо перезапустить.",
    "ko": "FxStore에는 Java 17 이상이 필요하며 업데이트 후에는 서버를 다시 시작해야 합니다.",
    "zh": "FxStore 需要 Java 17 或更高版本，更新之后必须重新启动服务器。",
    "id": "FxStore membutuhkan Java 17 atau lebih baru, dan server harus dimulai ulang setelah pembaruan.",
    "es": "FxStore necesita Java 17 o posterior, y hay que reiniciar el servidor después de la actualización.",
}


def _kinds(text: str, language: str, asked: str = "") -> dict[str, str]:
    found = checks.run(text, language=language, asked=asked)
    return {finding.kind: finding.severity for finding in found}


@pytest.mark.parametrize("expected", ANSWERS)
@pytest.mark.parametrize("written", ANSWERS)
def test_an_answer_in_another_language_is_critical(written: str, expected: str) -> None:
    kinds = _kinds(ANSWERS[written], expected)
    assert kinds == ({} if written == expected else {"wrong_language": "critical"})


ENGLISH = ("I do not know.", "FxStore needs Java 17 or newer [1].", "The documents do not say it.")
OF_THREE_WORDS = (
    "The server needs Java.",
    "FxStore is down.",
    "Docker does it.",
    "Saya tidak tahu.",
    "Look at the logs.",
)
"""They are seen where the alphabet is another."""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *product(["ru", "ko", "zh", "id", "es", "de"], ENGLISH),
        *product(["ru", "ko", "zh"], OF_THREE_WORDS),
    ],
)
def test_a_few_foreign_words_are_critical_too_where_they_are_the_whole_answer(
    language: str, text: str
) -> None:
    assert _kinds(text, language) == {"wrong_language": "critical"}


TITLES = {
    "en": "Which novel did she write?",
    "ru": "Какой роман написала Маргарет Митчелл?",
    "ko": "마거릿 미첼이 쓴 소설은 무엇입니까?",
    "zh": "这首歌叫什么？",
    "id": "Apa judul filmnya?",
    "es": "¿Qué novela escribió?",
}
OTHERS = {"ru": "Что делать, если сервер не отвечает?", "ko": "회사 정책이 뭐예요?", "zh": "怎么用谷歌？"}
title = st.builds(
    "{} {} {} {}.".format,
    st.sampled_from(["Gone", "Notes", "Lord", "One hundred", "Ende", "Cien"]),
    st.sampled_from(["with", "of", "in", "und", "de", "dan", "under"]),
    st.sampled_from(["the", "a", "la", "der"]),
    st.sampled_from(["wind", "rings", "dragon tattoo", "silence"]),
)


@given(title, st.sampled_from(["ru", "ko", "zh"]), st.sampled_from(sorted(TITLES)))
def test_a_title_is_no_other_language_when_one_was_asked_for(text: str, language: str, asked: str) -> None:
    assert _kinds(text, language, asked=TITLES[asked]) == {}
    assert _kinds(text, language, asked=OTHERS[language]) == {"wrong_language": "critical"}


@given(
    title,
    st.sampled_from(["is", "do", "not", "we", "has", "I", "no", "it"]),
    st.sampled_from(["ru", "ko", "zh"]),
)
def test_a_sentence_is_no_title_whatever_was_asked_for(text: str, word: str, language: str) -> None:
    first, rest = text.split(" ", 1)
    assert _kinds(f"{first} {word} {rest}", language, asked=TITLES[language]) == {
        "wrong_language": "critical"
    }


def test_words_of_the_question_may_be_the_answer() -> None:
    text = "Run the linter in the container."
    assert _kinds(text, "ru") == {"wrong_language": "critical"}
    assert _kinds(text, "ru", asked="Что сначала: run the tests или run the linter in the container?") == {}


@pytest.mark.parametrize(
    "text",
    [
        "pip install -e .",
        "cp -r a b .",
        "git clone --depth 1 --branch main .",
        "docker compose up -d.",
        "make test and make lint.",
        "docs/how/to/use/the/app.md",
        "/etc/in/the/a/is.conf.",
    ],
)
@pytest.mark.parametrize("language", ["ru", "ko", "zh", "es"])
def test_a_command_or_a_path_is_no_other_language(language: str, text: str) -> None:
    assert _kinds(text, language) == {}


def test_commands_of_a_chat_are_words_of_their_sentence() -> None:
    assert _kinds("Ask about your documents. /help lists the commands, Ctrl-D leaves.", "id") == {
        "wrong_language": "critical"
    }


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("ru", "Запустите API через Docker Compose и откройте React DevTools.", id="ru-terms"),
        pytest.param(
            "ru", "Сервер пишет «the server is not able to open the file and will stop».", id="ru-quote"
        ),
        pytest.param("ru", "Запустите:\n```\nwhat is the state of the server and how\n```", id="ru-code"),
        pytest.param("ru", "Java 17", id="ru-only-a-name"),
        pytest.param("ru", "The Lord of the Rings.", id="ru-a-title"),
        pytest.param("ru", "docker compose up", id="ru-a-command"),
        pytest.param("es", "npm run build.", id="es-a-command"),
        pytest.param("id", "No lo sé.", id="too-little-to-be-sure"),
        pytest.param("ru", "SMSка пришла, VPNом пользуйтесь, CEO согласен.", id="ru-compounds-with-acronyms"),
        pytest.param("en", "The page Настройка has more, and so has Помощь.", id="en-names"),
        pytest.param("en", "The word for water is “вода” (水) in Russian.", id="en-quoted-words"),
        pytest.param("en", "水", id="en-a-sign-alone"),
        pytest.param("en", "The angle α is 5 µm from β.", id="en-symbols"),
        pytest.param("en", "Tous pour un", id="en-a-motto"),
        pytest.param("ko", "Docker Compose로 API 서버(東京)를 시작하세요.", id="ko-terms"),
        pytest.param("zh", "请在 Settings 页面打开 Webhook，然后点击 Save。", id="zh-terms"),
        pytest.param("id", "Klik Settings, lalu pilih Webhook dan simpan.", id="id-terms"),
        pytest.param("es", "Abre Settings, elige Webhook y guarda.", id="es-terms"),
        pytest.param("es", "Los estados: open, closed, running, waiting, stopped, failed", id="es-states"),
        pytest.param("ja", "サーバーを再起動してください。設定は自動的に保存されます。", id="ja"),
        pytest.param(
            "ms", "Anda perlu memulakan semula pelayan selepas kemas kini itu dan tunggu.", id="malay"
        ),
        pytest.param("", ANSWERS["ko"], id="unknown-language"),
    ],
)
def test_terms_names_quotes_and_code_are_no_other_language(language: str, text: str) -> None:
    assert _kinds(text, language) == {}


@pytest.mark.parametrize(
    "asked",
    [
        "How do you say this in Korean?",
        "Translate it, please",
        "Переведи на корейский",
        "한국어로 번역해줘",
        "翻译成韩文",
        "Terjemahkan ke bahasa Korea",
        "Tradúcelo, por favor",
    ],
)
def test_a_translation_that_was_asked_for_is_right(asked: str) -> None:
    assert _kinds(ANSWERS["ko"], "en", asked) == {}


def test_a_script_that_the_question_uses_may_be_in_the_answer() -> None:
    text = "The word 需要 means that something is needed."
    assert _kinds(text, "en") == {"stray_characters": "critical"}
    assert _kinds(text, "en", asked="What does 需要 mean?") == {}


@pytest.mark.parametrize(
    ("language", "text", "repaired"),
    [
        pytest.param("ru", "Запустите cервер.", "Запустите сервер.", id="latin-c-in-a-russian-word"),
        pytest.param("en", "Install Jаva 17.", "Install Java 17.", id="cyrillic-a-in-an-english-word"),
    ],
)
def test_look_alike_letters_are_exchanged(language: str, text: str, repaired: str) -> None:
    findings = checks.run(text, language=language)
    assert [(finding.kind, finding.severity) for finding in findings] == [("stray_characters", "fixable")]
    assert checks.repair(text, findings) == repaired


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("en", "The port is не open.", id="a-denial"),
        pytest.param("en", "The limit is 3 万 requests.", id="a-figure"),
        pytest.param("zh", "端口не开放。", id="a-denial-in-chinese"),
        pytest.param("ru", "Для этого需要 настроить сервер.", id="han-in-russian"),
        pytest.param("en", "Restart the 서버 now.", id="hangul-in-english"),
        pytest.param("ko", "서버를 重启 다시 시작하세요.", id="han-in-korean"),
        pytest.param("id", "Batasnya 3 тыс permintaan sehari.", id="cyrillic-in-indonesian"),
        pytest.param("es", "El límite es de 3 만 solicitudes.", id="hangul-in-spanish"),
    ],
)
def test_foreign_words_are_never_taken_out_but_the_text_is_written_again(language: str, text: str) -> None:
    findings = checks.run(text, language=language)
    assert [(found.kind, found.severity) for found in findings] == [("stray_characters", "critical")]
    assert checks.repair(text, findings) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("ru", "Для этого необходимо 重新启动服务器 и подождать.", id="a-phrase"),
        pytest.param("en", "The 服务 must 需要 be の restarted 한 now, please.", id="strays-all-over"),
        pytest.param("en", "They say 日本語です and mean it.", id="a-word-in-two-scripts"),
        pytest.param("en", "The λόγος of it is what they mean.", id="a-greek-word"),
    ],
)
def test_more_than_stray_letters_mean_writing_again(language: str, text: str) -> None:
    assert _kinds(text, language) == {"wrong_language": "critical"}


def test_one_sentence_of_a_long_answer_is_told_to_the_judge_with_its_place() -> None:
    slip = "This is what the server has to do before it can be started again."
    text = f"{(ANSWERS['ru'] + ' ') * 5}{slip}"
    (finding,) = [one for one in checks.run(text, language="ru") if one.kind != "repetition"]
    assert (finding.kind, finding.severity) == ("wrong_language", "complex")
    assert text[finding.start : finding.end] == slip


def test_foreign_word_of_a_passage_may_be_copied_and_another_one_not() -> None:
    known = "The screen 재고 shows what is in stock, and it is opened from the menu."
    text = "Open the screen 재고 from the menu."
    assert checks.run(text, language="en", known=known) == ()
    assert checks.run(text.replace("재고", "서버"), language="en", known=known) != ()


@pytest.mark.parametrize("expected", ["sv", "cs", "tr", "pl"])
def test_short_english_sentence_is_seen_and_a_short_one_of_the_language_is_none(expected: str) -> None:
    own = {
        "sv": ("Kontoret har en reception.", "Det kostar 12 euro."),
        "cs": ("Platba trvá pouze den.", "Zeptejte se vedoucího."),
        "tr": ("Ofis saat dokuzda açık.", "Anahtar alt katta duruyor."),
        "pl": ("Zapytaj swojego lidera.", "To kosztuje 12 euro."),
    }
    for text in ("The office opens at nine.", "Ask your team lead.", "Returns take 45 days."):
        assert _kinds(text, expected) == {"wrong_language": "critical"}, text
    assert [_kinds(text, expected) for text in own[expected]] == [{}, {}]
