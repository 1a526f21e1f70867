"""Numbers in words are read in every way of writing them, and words that only look like numbers are not."""

import unicodedata

import pytest

from rag.language.units import units
from tests.support.number_words import numbers_in


@pytest.mark.parametrize(
    ("language", "number", "written"),
    [
        ("es", 23_000, "veintitres mil"),
        ("es", 26_021, "veintiseis mil veintiún"),
        ("es", 21_031, "veintiún mil treinta y una"),
        ("es", 531_700, "quinientas treinta y un mil setecientas"),
        ("es", 900, "novecientas"),
        ("es", 2_300_000_000, "dos mil trescientos millones"),
        ("en", 2_705, "two thousand seven hundred five"),
        ("en", 2_705, "two-thousand-seven-hundred-and-five"),
        ("en", 2_500, "twenty-five hundred"),
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
    ("written", "normal"),
    [
        ("two hours and a half", "2.5 h"),
        ("tres años y medio", "3.5 year"),
        ("пять часов с половиной", "5.5 h"),
        ("两个半小时", "2.5 h"),
        ("三年半", "3.5 year"),
        ("2시간 반", "2.5 h"),
        ("3년 반", "3.5 year"),
    ],
)
def test_half_behind_what_is_counted_is_part_of_the_number(written: str, normal: str) -> None:
    assert [unit.normal for unit in units(f"x {written}")] == [normal]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("3 million", "3000000"),
        ("2,5 mil millones", "2500000000"),
        ("2.5 тысячи", "2500"),
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
        ("between two and three thousand", [{"2"}, {"3000"}]),
        ("in 2023 two servers failed", [{"2023"}, {"2"}]),
        ("2 million 2023 models", [{"2000000"}, {"2023"}]),
        ("two or three thousand", [{"2", "2000"}, {"3000"}]),
        ("5-6 тысяч", [{"5", "5000"}, {"6000"}]),
    ],
)
def test_numbers_side_by_side_are_told_apart(text: str, values: list[set[str]]) -> None:
    assert numbers_in(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "two-thirds of them", "several thousand rows", "a few hundred rows", "the twenty-second floor",
        "two hundred five hundred thousand six", "one two three", "the twenty-fifth of May",
        "nineteen oh-five", "twenty-odd files", "seven thousand, six hundredth",
        "dos tercios", "miles de filas", "varios millones",
        "несколько тысяч рублей", "две трети", "две и пять десятых", "сто́ит дорого", "двадцать пятого мая",
        "ratusan orang", "beberapa juta", "keseratus dua", "kedua puluh lima",
        "几十万人", "十几个人", "两三天", "三三两两", "二三十", "五四运动", "单位：万元",
        "수천 명", "몇백 개", "십이월 이십오일",
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
        ("3분이다", "3 min"), ("5원씩", "5 krw"), ("삼십오 일", "35 day"),
    ],
)  # fmt: skip
def test_measure_ends_where_its_word_ends(text: str, normal: str) -> None:
    assert [unit.normal for unit in units(text)] == [normal]
