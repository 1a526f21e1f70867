"""Numbers in words, written by num2words (and, in Chinese, by a few lines here) and read back."""

import random
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from rag.language import numerals
from rag.language.units import missing, units

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


def numbers_in(text: str, language: str = "") -> list[set[str]]:
    """The values that each number of a text may have, without measures."""
    return [
        {reading.partition(" ")[0] for reading in unit.readings}
        for unit in units(text, language)
        if unit.kind == "number"
    ]


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


@pytest.mark.parametrize(
    ("language", "number", "written"),
    [
        ("es", 23_000, "veintitres mil"),
        ("es", 26_021, "veintiseis mil veintiún"),
        ("es", 21_031, "veintiún mil treinta y una"),
        ("es", 531_700, "quinientas treinta y un mil setecientas"),
        ("es", 900, "novecientas"),
        ("es", 2_300_000_000, "dos mil trescientos millones"),
        ("es", 16, "diez y seis"),
        ("en", 2_705, "two thousand seven hundred five"),
        ("en", 2_705, "two-thousand-seven-hundred-and-five"),
        ("en", 2_500, "twenty-five hundred"),
        ("en", 1_984, "nineteen eighty-four"),
        ("en", 2_023, "twenty twenty-three"),
        ("en", 205, "two hundred\nand five"),
        ("en", 24, "two dozen"),
        ("en", 500_000, "five lakh"),
        ("ru", 2_850, "двумя тысячами восемьюстами пятьюдесятью"),
        ("ru", 3_043, "трёх тысяч сорока трёх"),
        ("ru", 3_043, "трех ты\u0301сяч сорока трех"),
        ("ru", 1_945, "тысяча девятьсот сорок пятый"),
        ("ru", 500, "пять сотен"),
        ("id", 1_200_000, "sejuta dua ratus ribu"),
        ("ko", 25, "스물다섯 개"),
        ("zh", 25, "廿五个"),
        ("zh", 2_800, "两千八百个"),
        ("zh", 12_000, "一万二"),
        ("zh", 350, "三百五"),
        ("zh", 305, "三百〇五"),
        ("zh", 123_000, "壹拾贰萬叁仟"),
        ("zh", 101, "一零一"),
    ],
)
def test_other_writing_of_a_number_is_read(language: str, number: int, written: str) -> None:
    for form in ("NFC", "NFD") if language in {"es", "ru"} else ("NFC",):
        assert numbers_in(f"x {unicodedata.normalize(form, written)}", language) == [{str(number)}]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("half a million", "500000"),
        ("a half million", "500000"),
        ("one and a half million", "1500000"),
        ("a million and a half", "1500000"),
        ("three and a quarter million", "3250000"),
        ("a quarter of a million", "250000"),
        ("half a dozen", "6"),
        ("2 and a half million", "2500000"),
        ("two point five million", "2500000"),
        ("zero point five six", "0.56"),
        ("setengah juta", "500000"),
        ("satu setengah juta", "1500000"),
        ("seperempat juta", "250000"),
        ("dua koma lima", "2.5"),
        ("пол миллиона", "500000"),
        ("пол-миллиона", "500000"),
        ("полмиллиона", "500000"),
        ("полтора миллиона", "1500000"),
        ("полторы сотни", "150"),
        ("два с половиной миллиона", "2500000"),
        ("четверть миллиона", "250000"),
        ("две целых пять десятых миллиона", "2500000"),
        ("medio millón", "500000"),
        ("dos millones y medio", "2500000"),
        ("un cuarto de millón", "250000"),
        ("tres punto uno cuatro", "3.14"),
        ("三点五万", "35000"),
        ("2½", "2.5"),
        ("천이백삼십사 점 오 육", "1234.56"),
    ],
)
def test_half_is_part_of_its_number(written: str, number: str) -> None:
    assert numbers_in(f"x {written}") == [{number}]


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("two hours and a half", "2.5 h"),
        ("tres años y medio", "3.5 year"),
        ("пять часов с половиной", "5.5 h"),
        ("两个半小时", "2.5 h"),
        ("三年半", "3.5 year"),
        ("2시간 반", "2.5 h"),
        ("3년 반", "3.5 year"),
        ("百分之三点五", "3.5 %"),
    ],
)
def test_half_behind_what_is_counted_is_part_of_the_number(written: str, normal: str) -> None:
    assert [unit.normal for unit in units(f"x {written}")] == [normal]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("3 million", "3000000"),
        ("2 million 500 thousand", "2500000"),
        ("2,5 mil millones", "2500000000"),
        ("2.5 тысячи", "2500"),
        ("2 тысячи 500", "2500"),
        ("3 тыс. рублей", "3000"),
        ("1,2 juta", "1200000"),
        ("3 万", "30000"),
        ("3万5千", "35000"),
        ("2亿3000万", "230000000"),
        ("5만", "50000"),
        ("1만 2천 명", "12000"),
        ("3만5천원", "35000"),
        ("3천5백만 원", "35000000"),
        ("2억 3천만 원", "230000000"),
        ("25조 원", "25000000000000"),
        ("제25조", "25"),
        ("5천여 명", "5000"),
        ("minus five degrees", "-5"),
        ("минус 5 градусов", "-5"),
        ("零下三十度", "-30"),
        ("영하 5도", "-5"),
    ],
)
def test_digits_and_words_are_one_number(written: str, number: str) -> None:
    assert numbers_in(f"x {written}") == [{number}]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("five and ten files", [{"5"}, {"10"}]),
        ("between one hundred and two hundred files", [{"100"}, {"200"}]),
        ("between one hundred and ten and one hundred and twenty", [{"110"}, {"120"}]),
        ("entre treinta y cuarenta días", [{"30"}, {"40"}]),
        ("пять-шесть дней", [{"5"}, {"6"}]),
        ("between two and three thousand", [{"2"}, {"3000"}]),
        ("in 2023 two servers failed", [{"2023"}, {"2"}]),
        ("2 million 2023 models", [{"2000000"}, {"2023"}]),
        ("two or three thousand", [{"2", "2000"}, {"3000"}]),
        ("5-6 тысяч", [{"5", "5000"}, {"6000"}]),
        ("ten minus five", [{"10"}, {"5"}]),
        ("오십일 동안", [{"50"}]),
        ("오십일 정도", [{"51", "50"}]),
    ],
)
def test_numbers_side_by_side_are_told_apart(text: str, values: list[set[str]]) -> None:
    assert numbers_in(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "two-thirds of them", "several thousand rows", "a few hundred rows", "the twenty-second floor",
        "twenty one-hour talks", "two hundred five hundred thousand six", "one two three", "the twenty-fifth of May",
        "nineteen oh-five", "twenty-odd files", "seven thousand, six hundredth",
        "dos tercios", "miles de filas", "varios millones",
        "несколько тысяч рублей", "две трети", "две и пять десятых", "сто́ит дорого", "двадцать пятого мая",
        "ratusan orang", "beberapa juta", "dua-duanya", "tiga perempat", "keseratus dua", "kedua puluh lima",
        "几十万人", "十几个人", "两三天", "三三两两", "三分之二", "3分之2", "二三十", "五四运动", "单位：万元",
        "삼분의 이", "3분의 2", "수천 명", "몇백 개", "오후 세 시 삼십 분", "십이월 이십오일", "만 일", "백 두 번째", "천구백 마흔다섯 번째",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_no_number(text: str) -> None:
    assert numbers_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "one of them said so", "on second thoughts, no one knows", "half of the users", "once in a while",
        "first of all, the second half", "hundreds of people, thousands of users, millions of rows",
        "es una guía de uso", "una vez más, uno a uno", "el medio ambiente y media hora", "cientos de archivos",
        "satu sama lain", "salah satu contoh", "ribuan file, jutaan baris", "kedua orang itu", "setengah jam",
        "один из них, одна из причин", "с одной стороны", "стоит задача", "в семью пришли", "пол в комнате",
        "сорока села на окно", "тысячи людей, сотни файлов",
        "이 문서는 중요하다", "이 일은 어렵다", "일이 많다", "이번 주에 한다", "사이에 있다", "사회는 변한다",
        "구조를 바꾼다", "조사 결과", "천사가 있다", "만일 비가 오면", "이만 마치겠습니다", "네 생각이 맞다",
        "열 전달 계수", "이 시간에 회의", "오류가 발생", "일본 회사", "이상이 없다", "이 분은 의사다", "이사 준비",
        "십자가와 육아", "세종 때", "세대 차이", "열대 지방", "세부 사항", "이 원칙은",
        "一般来说", "万一失败", "千万不要", "三明治很好吃", "一个用户", "十分重要", "万事如意", "四川和五台山",
        "三心二意", "七上八下", "第一", "四周都是山", "二手车", "两岸", "千方百计", "十全十美", "百万富翁",
        "独一无二", "一半", "上千人", "三天两头",
    ],
)  # fmt: skip
def test_word_that_looks_like_a_number_is_none(text: str) -> None:
    assert numbers_in(text) == []


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("3 분야", "3"), ("5 원칙", "5"), ("10주년", "10"), ("2020 일본 회사", "2020"), ("三年级", "3"),
        ("3분이다", "3 min"), ("5원씩", "5 krw"), ("이 개월", "2 month"), ("삼십오 일", "35 day"), ("삼십오일", "35 day"),
    ],
)  # fmt: skip
def test_measure_ends_where_its_word_ends(text: str, normal: str) -> None:
    assert [unit.normal for unit in units(text)] == [normal]


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
    plain = numerals.plain_digits(text)
    found = numerals.numerals(plain, language, liberal=liberal)
    assert found == numerals.numerals(plain, language, liberal=liberal)
    end = 0
    for numeral in found:
        assert end <= numeral.start < numeral.end <= len(plain)
        end = numeral.end
        assert all(float(reading) is not None for reading in numeral.normal.replace(" day", "").split("|"))
    if found and liberal:
        assert numerals.has_words(plain) or numerals.digits(plain) is not None


@given(mixtures, st.sampled_from(LANGUAGES))
def test_text_states_the_facts_that_are_found_in_it(text: str, language: str) -> None:
    found = units(text, language, with_names=False)
    for unit in found:
        assert unit.text == text[unit.start : unit.end]
    assert numerals.plain_digits(numerals.plain_digits(text)) == numerals.plain_digits(text)


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
        pytest.param(lambda n: "반½" * n, id="halves"),
    ],
)
def test_huge_text_is_read_in_one_go(grow: Callable[[int], str]) -> None:
    text = grow(30_000)  # squared work would outlast the limit of a test
    numerals.numerals(text, liberal=True)
    numerals.has_words(text)
