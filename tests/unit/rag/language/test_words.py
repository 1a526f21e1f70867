import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from rag.language import words
from rag.language.words import content_terms, locate_words, query_terms, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("retries", "retry", id="english-inflection"),
        pytest.param("the team's", "the team", id="english-possessive"),
        pytest.param("настройки", "настройку", id="russian-inflection"),
        pytest.param("счёт", "счет", id="russian-yo"),
        pytest.param("CAFÉ", "cafe", id="accents-and-case"),
        pytest.param("1,000", "1000", id="comma-groups"),
        pytest.param("1\u202f000", "1000", id="space-groups"),
        pytest.param("1.000", "1000", id="dot-groups"),
        pytest.param("1,5", "1.5", id="decimal-comma"),
        pytest.param("12,345.67", "12.345,67", id="groups-and-decimals"),
        pytest.param("１２３", "123", id="full-width-digits"),
        pytest.param("007", "7", id="leading-zeros"),
        pytest.param("max_retries", "maxRetries", id="snake-and-camel"),
        pytest.param("max_retries", "max retries", id="snake-and-words"),
        pytest.param("--data-dir", "data dir", id="flag"),
        pytest.param("v1.2.3", "1.2.3", id="version"),
        pytest.param("1.2.3", "1.2", id="version-prefix"),
        pytest.param("THINKTWICE_MODEL", "thinktwice_model", id="environment-variable"),
        pytest.param("FxStore", "fxstore", id="camel-and-plain"),
        pytest.param("FxStore", "fx store", id="camel-and-words"),
        pytest.param("HTTPServer", "http server", id="acronym-and-word"),
        pytest.param("FxStore를", "FxStore", id="identifier-with-korean-particle"),
        pytest.param("e-mail", "email", id="hyphen"),
        pytest.param("sha256", "sha-256", id="letters-and-digits"),
        pytest.param("10GB", "10 GB", id="number-with-unit"),
        pytest.param("settings.yaml", "the file settings", id="file-name"),
        pytest.param("数据目录", "目录", id="chinese"),
        pytest.param("猫", "黑猫", id="chinese-single-character"),
        pytest.param("데이터를", "데이터", id="korean"),
        pytest.param("값을", "값", id="korean-one-syllable-noun"),
        pytest.param("データベース", "データ", id="japanese"),
        pytest.param("ข้อมูล", "ฐานข้อมูล", id="thai"),
    ],
)
def test_spellings_of_the_same_thing_find_each_other(one: str, other: str) -> None:
    assert set(terms(one)) & set(terms(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("1.5", "15", id="decimal-is-no-integer"),
        pytest.param("1,500", "1.5", id="groups-are-no-decimal"),
        pytest.param("3.1", "3.10", id="versions-keep-their-zeros"),
        pytest.param("数据", "目录", id="chinese"),
        pytest.param("กิน", "กน", id="thai-vowels-count"),
    ],
)
def test_different_things_do_not_meet(one: str, other: str) -> None:
    assert not set(terms(one)) & set(terms(other))


def test_terms_stand_in_reading_order_with_repeats() -> None:
    assert terms("red blue red") == ["red", "blue", "red"]


def test_two_numbers_beside_each_other_stay_findable() -> None:
    assert {"12", "300"} <= set(terms("in room 12 300 people"))


@pytest.mark.parametrize(
    ("document", "language", "question"),
    [
        pytest.param("las configuraciones guardadas", "es", "¿cuál es la configuración?", id="spanish"),
        pytest.param("pengaturan disimpan", "id", "bagaimana mengatur?", id="indonesian"),
        pytest.param("die Einstellungen", "de", "welche Einstellung?", id="german"),
    ],
)
def test_question_of_unknown_language_finds_the_stems_of_the_corpus(
    document: str, language: str, question: str
) -> None:
    assert not set(query_terms(question)) & set(terms(document, language))
    assert set(query_terms(question, [language, "en"])) & set(terms(document, language))


def test_query_names_each_term_once_without_function_words() -> None:
    assert query_terms("What is the data of the data?") == ["data"]


def test_query_of_function_words_alone_keeps_them() -> None:
    assert query_terms("who is it?") == ["who", "is", "it"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        pytest.param("How do I change the folder?", ["chang", "folder"], id="en"),
        pytest.param("Как изменить папку?", ["измен", "папк"], id="ru"),
        pytest.param("¿Dónde está la carpeta?", ["carpeta"], id="es"),
        pytest.param("di mana folder itu?", ["folder"], id="id"),
        pytest.param("如何设置目录", ["设置", "置目", "目录"], id="zh"),
        pytest.param("猫是什么", ["猫"], id="zh-one-character"),
        pytest.param("폴더를 어떻게 설정합니까", ["폴더", "설정"], id="ko"),
        pytest.param("フォルダの設定", ["フォ", "ォル", "ルダ", "ダの", "の設", "設定"], id="ja"),
    ],
)
def test_content_terms_leave_function_words_out(text: str, content: list[str]) -> None:
    assert content_terms(text) == content


def test_content_terms_are_terms_of_the_text_so_that_both_compare() -> None:
    text = "폴더를 설정합니다. 값은 Set the folders. Папки. 如何设置目录。設定する"
    assert set(content_terms(text)) <= set(terms(text))


@given(st.text())
def test_every_term_is_alphanumeric_and_stable(text: str) -> None:
    found = terms(text)
    # Not `str.isalnum`: Python knows an older Unicode than the library that reads the text.
    assert all(regex.fullmatch(r"[\p{L}\p{M}\p{N}]+", term) for term in found)
    assert terms(text) == found


@given(st.text(), st.sampled_from(["", "en", "ru", "es", "id", "zh", "ko", "th", "xx"]))
def test_a_question_finds_the_text_it_quotes(text: str, language: str) -> None:
    assert set(query_terms(text, [language])) <= set(terms(text, language)) | set(terms(text))


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from([",", " ", "\u00a0", "'"]))
def test_grouped_number_gives_the_plain_number(number: int, separator: str) -> None:
    assert str(number) in terms(f"{number:,}".replace(",", separator))


@given(st.text(alphabet="aB1 ,.'_-0923x%\n"))
def test_ascii_text_gives_the_terms_it_has_beside_other_characters(text: str) -> None:
    assert terms(text) == terms(f"{text} ¶")


@given(st.text(), st.sampled_from(["en", "ru", "es", "id", "zh", "ko"]))
def test_words_stand_where_they_say(text: str, language: str) -> None:
    plain = unicodedata.normalize("NFKC", text)
    for word in locate_words(plain, language):
        assert plain[word.start : word.end] == word.text


@pytest.mark.parametrize(
    ("text", "language"),
    [("The printer stands in room 4", "en"), ("Принтер стоит в комнате", "ru"), ("打印机在四楼的房间", "zh")],
)
def test_placed_words_have_the_content_terms_of_the_text(text: str, language: str) -> None:
    found = [term for word in locate_words(text, language) for term in word.terms]
    assert set(found) == set(content_terms(text, language))


@pytest.mark.parametrize(
    "text",
    [
        ".".join(map(str, range(1, 1200))),
        ",".join(f"0.{number}" for number in range(1000)),
        "v" + ".".join(["12"] * 2000),
        "a1" * 2000,
        "QmFzZTY0" * 500,
        "字" * 4000,
    ],
    ids=["a dotted number", "a vector", "a version", "letters and digits", "base64", "Chinese"],
)
def test_terms_of_a_text_are_not_much_longer_than_the_text(text: str) -> None:
    assert sum(map(len, terms(text))) <= 5 * len(text)
    assert sum(map(len, query_terms(text, ["en", "de"]))) <= 15 * len(text)


def test_a_version_is_found_by_its_first_four_prefixes() -> None:
    assert terms("1.2.3.4.5.6.7") == ["1d2", "1d2d3", "1d2d3d4", "1d2d3d4d5"]


def test_long_tokens_are_not_remembered() -> None:
    before = words._cached_terms.cache_info().currsize
    for number in range(100):
        terms(f"{number}." * 50 + "7")
        terms("字" * 100 + str(number))
    assert words._cached_terms.cache_info().currsize <= before + 100  # the numbers behind the characters
