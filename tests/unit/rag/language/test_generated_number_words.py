"""Numbers that are written in words by code, or mixed from number words at random, are read without harm."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from rag.language.numbers import find_numbers, plain_digits
from rag.language.units import missing, units
from tests.support.number_words import numbers_in

LANGUAGES = ("en", "es", "ru", "id", "ko", "zh", "pt")
SENTENCES = {
    "en": "It cost about {} dollars in total.",
    "es": "Cuesta unos {} euros en total.",
    "pt": "Custa cerca de {} euros no total.",
    "ru": "Это стоит около {} рублей.",
    "id": "Harganya sekitar {} rupiah saja.",
    "ko": "가격은 {} 원이다.",
    "zh": "价格是{}美元左右。",
}


def write_chinese(number: int) -> str:
    """A cardinal number below 10**16 by the rules of the primary school."""
    digits = "零一二三四五六七八九"
    if number == 0:
        return digits[0]
    groups: list[str] = []
    for size, name in ((10**12, "万亿"), (10**8, "亿"), (10**4, "万"), (1, "")):
        group = number // size % 10_000
        if not group:
            continue
        written, gap = "", False
        for power, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit = group // power % 10
            if digit:
                written += ("零" if gap and written else "") + digits[digit] + sign
            gap = not digit
        groups.append(("零" if groups and group < 1000 else "") + written + name)
    written = "".join(groups)
    return written[1:] if written.startswith("一十") else written


def write(number: int, language: str) -> str:
    return write_chinese(number) if language == "zh" else num2words(number, lang=language)


def sample() -> list[int]:
    chance = random.Random(11)
    large = [chance.randrange(10**5, 10**12) for _ in range(150)]
    round_ones = [chance.randrange(1, 1000) * 10**zeros for zeros in (3, 4, 6, 8, 9) for _ in range(20)]
    return sorted({*range(130), *range(130, 10_001, 29), *large, *round_ones, *(10**k for k in range(13))})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("known", [True, False], ids=["language known", "language unknown"])
def test_number_in_words_is_read_right_or_not_at_all(language: str, known: bool) -> None:
    unread = 0
    for number in sample():
        text = SENTENCES[language].format(write(number, language))
        values = numbers_in(text, language if known else "")
        assert not values or values == [{str(number)}] or (len(values) == 1 and str(number) in values[0]), (
            text
        )
        unread += not values
    # One and zero are more often something else; a single Chinese character needs a counter.
    assert unread <= 12


@pytest.mark.parametrize("language", LANGUAGES)
def test_bare_number_is_never_read_as_another_one(language: str) -> None:
    for number in sample():
        text = write(number, language)
        values = numbers_in(text, language)
        assert not values or (len(values) == 1 and str(number) in values[0]), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_source_states_the_number_that_it_writes_in_words(language: str) -> None:
    for number in sample()[20::5]:
        source = SENTENCES[language].format(write(number, language))
        assert missing(units(f"x {number}"), source) == [], source
        assert missing(units(f"x {number + 1}"), source), source


WORDS = [
    "one",
    "two",
    "twenty",
    "five",
    "hundred",
    "thousand",
    "million",
    "half",
    "quarter",
    "a",
    "and",
    "of",
    "point",
    "dozen",
    "second",
    "third",
    "fifth",
    "between",
    "uno",
    "dos",
    "treinta",
    "mil",
    "millones",
    "millón",
    "medio",
    "y",
    "de",
    "veintitrés",
    "una",
    "dua",
    "puluh",
    "belas",
    "ratus",
    "ribu",
    "seribu",
    "setengah",
    "koma",
    "perempat",
    "два",
    "сорок",
    "сто",
    "тысяч",
    "тысяча",
    "полтора",
    "половиной",
    "с",
    "целых",
    "десятых",
    "пятый",
    "две",
    "일",
    "이",
    "십",
    "백",
    "천",
    "만",
    "억",
    "조",
    "이십",
    "세",
    "열두",
    "개",
    "원",
    "점",
    "오",
    "반",
    "제",
    "3만",
    "2천",
    "一",
    "两",
    "三",
    "十",
    "百",
    "千",
    "万",
    "亿",
    "零",
    "点",
    "分之",
    "个半",
    "廿",
    "年",
    "3",
    "2.5",
    "1,000",
    "½",
    "-",
    ",",
    "%",
]

mixtures = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(["", " ", "-", ", ", "\n", "\u0301"])), max_size=14
).map(lambda pairs: "".join(word + gap for word, gap in pairs))


@given(mixtures, st.sampled_from(["", *LANGUAGES]), st.booleans())
def test_any_row_of_number_words_is_read_without_harm(text: str, language: str, liberal: bool) -> None:
    plain = plain_digits(text)
    found = find_numbers(plain, language, liberal=liberal)
    assert found == find_numbers(plain, language, liberal=liberal)
    end = 0
    for numeral in found:
        assert end <= numeral.start < numeral.end <= len(plain)
        end = numeral.end
        for reading in numeral.normal.split("|"):
            assert float(reading.partition(" ")[0]) is not None


@given(mixtures, st.sampled_from(LANGUAGES))
def test_text_states_the_facts_that_are_found_in_it(text: str, language: str) -> None:
    found = units(text, language, with_names=False)
    for unit in found:
        assert unit.text == text[unit.start : unit.end]
    assert plain_digits(plain_digits(text)) == plain_digits(text)


@pytest.mark.parametrize("language", ["en", "es", "id", "pt", "ru"])
def test_decimal_in_words_is_read_right_or_not_at_all(language: str) -> None:
    chance = random.Random(3)
    for _ in range(100):
        number = round(chance.random() * 10 ** chance.randrange(1, 6), 2)
        written = num2words(number, lang=language)
        expected = f"{number:.2f}".rstrip("0").rstrip(".")
        assert numbers_in(written, language) in ([{expected}], []), written


@pytest.mark.parametrize("language", ["en", "es", "id", "ko", "pt", "ru"])
@pytest.mark.parametrize("form", ["ordinal", "year"])
def test_ordinals_and_years_are_read_right_or_not_at_all(language: str, form: str) -> None:
    for number in range(2, 2100, 7):
        if (language, form) == ("ko", "ordinal") and number >= 100:
            break  # num2words cannot write all of them
        values = numbers_in(num2words(number, lang=language, to=form), language)
        assert not values or (len(values) == 1 and str(number) in values[0])


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from(LANGUAGES))
def test_every_number_in_words_is_read_right_or_not_at_all(number: int, language: str) -> None:
    values = numbers_in(SENTENCES[language].format(write(number, language)), language)
    assert not values or (len(values) == 1 and str(number) in values[0])


@pytest.mark.parametrize(
    "grow",
    [
        pytest.param(lambda n: "one hundred and " * n, id="and"),
        pytest.param(lambda n: "twenty-" * n, id="hyphens"),
        pytest.param(lambda n: "mil millones " * n, id="scales"),
        pytest.param(lambda n: "сто-" * n, id="russian"),
        pytest.param(lambda n: "一千万" * n, id="han"),
        pytest.param(lambda n: "만 이천" * n, id="hangul"),
        pytest.param(lambda n: "3만 2천 " * n, id="mixed"),
        pytest.param(lambda n: "1" * n + "万", id="digits"),
        pytest.param(lambda n: "1,111" * n, id="groups"),
        pytest.param(lambda n: "twenty second " * n, id="measures"),
        pytest.param(lambda n: "三个" * n, id="counters"),
        pytest.param(lambda n: "반½" * n, id="halves"),
    ],
)
def test_huge_text_is_read_in_one_go(grow: Callable[[int], str]) -> None:
    text = grow(30_000)  # squared work would outlast the limit of a test
    find_numbers(text, liberal=True)
