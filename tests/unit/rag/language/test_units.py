import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.units import Unit, matches, missing, units


def only(text: str, language: str = "") -> Unit:
    (unit,) = units(text, language)
    return unit


@pytest.mark.parametrize(
    ("kind", "spellings"),
    [
        pytest.param(
            "number",
            [
                "1,000", "1 000", "1\u202f000", "1.000", "1000", "１０００",
                "a thousand",
            ],
            id="thousand",
        ),
        pytest.param(
            "number",
            [
                "1.5M", "1.5 million", "1 500 000", "1,5 млн", "150万",
                "1,5 juta",
            ],
            id="million",
        ),
        pytest.param(
            "number",
            ["5 %", "5%", "five percent", "пять процентов", "5 процентов", "百分之五", "5 persen", "5퍼센트"],
            id="percent",
        ),
        pytest.param(
            "number",
            [
                "uses five", "пяти", "cinco", "lima", "五个", "다섯 개", "5", "٥",
            ],
            id="five",
        ),
        pytest.param(
            "number",
            [
                "twenty-five", "двадцать пять", "veinticinco",
                "dua puluh lima", "二十五", "25",
            ],
            id="25",
        ),
        pytest.param(
            "number",
            [
                "$20", "20 USD", "20 dollars", "20 долларов", "20美元",
            ],
            id="money",
        ),
        pytest.param(
            "number",
            [
                "10 GB", "10GB", "10 гигабайт", "10-gigabyte",
            ],
            id="bytes",
        ),
        pytest.param(
            "number",
            [
                "30 seconds", "30 s", "30 секунд", "30 detik", "30秒", "30초",
            ],
            id="seconds",
        ),
        pytest.param(
            "date",
            [
                "7 Feb 2023", "February 7, 2023", "Feb. 7th, 2023", "2023-02-07", "2023/02/07", "02/07/2023",
                "7 февраля 2023", "7 de febrero de 2023", "7 Februari 2023", "2023年2月7日", "2023년 2월 7일",
            ],
            id="date",
        ),
        pytest.param("date", ["February 2023", "Feb 2023", "февраль 2023", "2023年2月"], id="month"),
        pytest.param("date", ["on Monday", "понедельник", "星期一", "월요일", "lunes"], id="weekday"),
        pytest.param("time", ["9:00 AM", "09:00", "9 a.m.", "9 утра", "上午9点", "오전 9시"], id="time"),
        pytest.param("time", ["9 PM", "21:00", "9:00 p.m.", "下午9点"], id="evening"),
        pytest.param("code", ["v1.2.3", "1.2.3"], id="version"),
        pytest.param("code", ["max_retries", "`max_retries`", "MAX_RETRIES"], id="identifier"),
        pytest.param("code", ["https://a.example/x", "http://www.a.example/x/"], id="address"),
        pytest.param("name", ["by John Smith", "by John Smith's"], id="name"),
        pytest.param("name", ["в Москве", "в Москву"], id="russian-name"),
    ],
)  # fmt: skip
def test_spellings_of_one_fact_are_equal(kind: str, spellings: list[str]) -> None:
    first = only(spellings[0])
    assert first.kind == kind
    for spelling in spellings:
        unit = only(spelling)
        assert matches(first, unit), (spelling, unit)
        assert matches(unit, first), (spelling, unit)


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        pytest.param("17", "version 11", id="number"),
        pytest.param("5 %", "5 files", id="percent-is-no-count"),
        pytest.param("5 GB", "5 MB", id="measure"),
        pytest.param("5 EUR", "5 USD", id="currency"),
        pytest.param("7 Feb 2025", "7 Feb 2023", id="year"),
        pytest.param("7 Feb 2023", "in Feb 2023", id="more-precise-than-the-source"),
        pytest.param("9:07 AM", "at 9:00 AM", id="minute"),
        pytest.param("9:00 PM", "at 9:00 AM", id="evening"),
        pytest.param("for John Brown", "for John Smith", id="name"),
        pytest.param("五月十六日", "5月19日", id="day-in-han"),
        pytest.param("10天", "提前10个工作日", id="working-days"),
        pytest.param("2850米", "全长2850千米", id="metres-are-no-kilometres"),
        pytest.param("`--data`", "use --data-dir", id="flag"),
        pytest.param("v1.2.4", "v1.2.3", id="version"),
        pytest.param("three times", "two times", id="words"),
        pytest.param("по вторникам", "по понедельникам", id="weekday"),
        pytest.param("$10", "A budget limits a question to 10 model calls.", id="a-count-is-no-price"),
        pytest.param("10 seconds", "At most 10 model calls and 300 seconds.", id="a-count-is-no-duration"),
        pytest.param("It costs $10.", "It costs 10 €.", id="another-currency"),
    ],
)
def test_fact_that_the_source_does_not_state_is_missing(claimed: str, source: str) -> None:
    facts = units(claimed)
    assert facts
    assert missing(facts, source) == facts


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        pytest.param("Feb 2023", "on 7 Feb 2023", id="less-precise-date"),
        pytest.param("7 Feb 2023", "the 2023 meeting was on February 7", id="date-in-parts"),
        pytest.param("it was 2023", "on 7 Feb 2023", id="year-as-a-number"),
        pytest.param("10 GB", "size in GB: 10", id="measure-elsewhere"),
        pytest.param("$10", "| plan | price in $ |\n| --- | --- |\n| small | 10 |", id="symbol-in-a-heading"),
        pytest.param("40 minutes", "Duration (minutes): 40", id="word-before-the-number"),
        pytest.param("10 %", "10-20 %", id="range"),
        pytest.param("1 retry", "one retry", id="one"),
        pytest.param("в 1853 году", "пожар 11 марта 1853 года", id="year-of-a-date"),
        pytest.param("это было в 1948-м", "в 1948 году", id="year-with-an-ending"),
        pytest.param("二〇一五年", "2015年", id="year-in-han"),
        pytest.param("15 января 1850 года", "родилась 3 (15) января 1850 года", id="two-calendars"),
        pytest.param("двадцатью двумя главами", "имеет 22 главы", id="russian-instrumental"),
        pytest.param("две тысячи восемьсот пятьдесят километров", "2850 км", id="russian-hundreds"),
        pytest.param("полторы тысячи рублей", "1500 рублей", id="one-and-a-half"),
        pytest.param("5个工作日", "в течение пяти рабочих дней", id="working-days"),
        pytest.param("31 день", "31 календарный день отпуска", id="calendar-days"),
        pytest.param("660 градусов Цельсия", "плавится при 660 °C", id="degrees"),
        pytest.param("两千八百五十公里", "全长2850千米", id="kilometres-in-han"),
        pytest.param("五月十九日", "5月19日", id="day-in-han"),
        pytest.param("上午九点半", "9:30", id="time-in-han"),
        pytest.param("30天", "三十日冷静期", id="days-in-han"),
        pytest.param("3 files", "три файла", id="across-languages"),
        pytest.param("by Smith", "John Smith wrote", id="part-of-a-name"),
        pytest.param("the Data Folder", "the data folder", id="name-in-lower-case"),
        pytest.param("Java 17", "Java17 is needed", id="number-in-code"),
        pytest.param("uses FxStore", "a fxstore file", id="case"),
        pytest.param("`run --fast`", "run it with --fast", id="command-in-pieces"),
        pytest.param("4:00", "4:00:00", id="less-precise-time"),
    ],
)
def test_fact_that_the_source_states_in_other_words_is_found(claimed: str, source: str) -> None:
    facts = units(claimed)
    assert facts
    assert missing(facts, source) == []


def test_facts_can_be_compared_without_the_text_of_the_source() -> None:
    claimed = units("FxStore needs 17 GB, said John Smith")
    assert missing(claimed, units("It was John Smith: FxStore wants 11 GB")) == [claimed[1]]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The answer is here.", id="first-word"),
        pytest.param("one of the ways", id="one"),
        pytest.param("1. first\n2) second", id="list-numbers"),
        pytest.param("It works [1][2, 3].", id="citation-markers"),
        pytest.param("# Getting Started Quickly", id="heading"),
        pytest.param("DO NOT PANIC", id="shouting"),
        pytest.param("he may march", id="verbs"),
        pytest.param("and so I've done", id="contraction"),
        pytest.param("这是一个非常好的功能，十分有用", id="chinese-phrases"),
        pytest.param("한국에서 세계로", id="korean-syllables"),
        pytest.param("- **Note:** Use it and/or not", id="label"),
        pytest.param("Well-known, e.g. here (see below)", id="abbreviation"),
    ],
)
def test_text_without_facts_has_no_units(text: str) -> None:
    assert units(text) == []


def test_russian_family_is_not_the_number_seven() -> None:
    assert units("Он содержит семью", "ru") == []


def test_decimal_comma_follows_the_language() -> None:
    assert only("1,500", "ru").readings == ("1500", "1.5")
    assert only("1,500", "en").readings == ("1500",)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("run `thinktwice index` now", ["thinktwice index"], id="inline-code"),
        pytest.param("`17` files", [], id="number-between-backticks"),
        pytest.param("file.txt를 snake_case가", ["file.txt", "snake_case"], id="korean-particles"),
        pytest.param("room A23a, gpt-5-mini, 3f2a", ["a23a", "gpt-5-mini", "3f2a"], id="designators"),
        pytest.param("see https://a.example/b?c=1.", ["a.example/b?c=1"], id="address-at-the-end"),
        pytest.param("mail to a.b@c.org, /etc/hosts", ["a.b@c.org", "/etc/hosts"], id="mail-and-path"),
        pytest.param("--data-dir=/tmp/x and -v", ["--data-dir=/tmp/x"], id="flag-with-value"),
        pytest.param("GitHub, FxStore and SQLite", ["github", "fxstore", "sqlite"], id="camel-case"),
    ],
)
def test_code_is_found_in_prose(text: str, codes: list[str]) -> None:
    assert [unit.normal for unit in units(text) if unit.kind == "code"] == codes


@given(st.one_of(st.text(), st.text(alphabet="aB1 ,.:%$-/`_万百五年月\n[]Яя'")))
def test_units_are_ordered_stretches_of_any_text(text: str) -> None:
    position = 0
    for unit in units(text):
        assert unit.start >= position
        assert unit.text == text[unit.start : unit.end]
        assert unit.normal
        assert matches(unit, unit)
        position = unit.end
    assert missing(units(text), text) == []


@given(
    st.integers(min_value=0, max_value=10**13),
    st.sampled_from(["{:,}", "{:_}", "{}"]),
    st.sampled_from([",", ".", " ", "\u00a0", "'"]),
)
def test_whole_number_is_read_back_from_any_grouping(number: int, form: str, separator: str) -> None:
    text = form.format(number).replace(",", separator).replace("_", separator)
    assert str(number) in only(text).readings


@given(st.decimals(min_value=1000, max_value=10**9, places=2), st.booleans())
def test_decimal_is_read_back_in_both_styles(number: object, continental: bool) -> None:
    text = f"{number:,}"
    if continental:
        text = text.translate(str.maketrans(",.", ".,"))
    expected = f"{number:f}".rstrip("0").rstrip(".")
    assert expected in only(text).readings


@given(
    st.dates(min_value=dt.date(1000, 1, 1), max_value=dt.date(2999, 12, 31)),
    st.sampled_from(
        [
            "{y:04}-{m:02}-{d:02}",
            "{y}/{m}/{d}",
            "{d}.{m:02}.{y}",
            "{m}/{d}/{y}",
            "{y}年{m}月{d}日",
            "{y}년 {m}월 {d}일",
            "{d} {name} {y}",
            "{name} {d}, {y}",
            "{short} {d}, {y}",
            "{d} {short}. {y}",
        ]
    ),
)
def test_date_is_read_back_from_any_form(day: dt.date, form: str) -> None:
    name = day.strftime("%B")
    text = form.format(y=day.year, m=day.month, d=day.day, name=name, short=name[:3])
    assert day.isoformat() in only(text).readings


@given(st.times(), st.booleans())
def test_time_is_read_back_in_both_clocks(time: dt.time, twelve: bool) -> None:
    text = time.strftime("%I:%M %p") if twelve else time.strftime("%H:%M")
    assert only(text).normal == time.strftime("%H:%M")


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("из дома можно работать 3 дня в неделю", "3 day"),
        ("не более 1 дня", "1 day"),
        ("раз в 3 дня", "3 day"),
        ("1.25 дня отпуска", "1.25 day"),
        ("в 3 часа дня", "15:00"),
        ("в 10 часов утра", "10:00"),
        ("до 3 дня", "15:00"),
        ("в 2:30 дня", "14:30"),
        ("с 12 дня", "12:00"),
    ],
)
def test_russian_days_are_no_hours_of_the_afternoon(text: str, normal: str) -> None:
    assert [fact.normal for fact in units(text, "ru")] == [normal]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("三个小时", "3 h"),
        ("3個小時", "3 h"),
        ("四个钟头", "4 h"),
        ("两个礼拜", "2 week"),
        ("30分鐘", "30 min"),
        ("20块钱", "20 cny"),
        ("3个周末", "3"),
        ("三块石头", "3"),
    ],
)
def test_chinese_measures_may_have_a_counter_before_them(text: str, normal: str) -> None:
    assert [fact.normal for fact in units(text, "zh")] == [normal]
