"""Markers in a text are kept where their passages carry the claim, and dropped where they do not."""

import pytest
import regex
from hypothesis import example, given

from rag.evidence.citations import CitedText, verify
from rag.evidence.marker_styles import read_markers
from rag.language.sentences import markers_pattern
from rag.values import Passage, PassageId
from tests.support.cited_passages import ANSWERS, PASSAGES, SETUP, check, code_of


def renumbered(cited: CitedText) -> list[Passage]:
    by_id = {passage.id: passage for passage in PASSAGES}
    return [by_id[citation.passage] for citation in cited.citations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The team has 12 members [2].", "The team has 12 members [1].", id="renumbered"),
        pytest.param(
            "The team has 12 members [2]. FxStore needs Java 17 [1]. It runs on port 8080 [1].",
            "The team has 12 members [1]. FxStore needs Java 17 [2]. It runs on port 8080 [2].",
            id="in-order-of-appearance",
        ),
        pytest.param("FxStore needs Java 17【1】.", "FxStore needs Java 17[1].", id="full-width-brackets"),
        pytest.param(
            "FxStore needs Java 17 ［1］.", "FxStore needs Java 17 [1].", id="full-width-square-brackets"
        ),
        pytest.param(
            "FxStore needs Java 17 [1, 2].", "FxStore needs Java 17 [1].", id="list-keeps-what-holds"
        ),
        pytest.param("FxStore needs Java 17 [1-3].", "FxStore needs Java 17 [1].", id="range"),
        pytest.param("FxStore needs Java 17 [2][1].", "FxStore needs Java 17 [1].", id="side-by-side"),
        pytest.param("FxStore needs Java 17 [1][1].", "FxStore needs Java 17 [1].", id="repeated"),
        pytest.param(
            "The team has 12 members [2], and FxStore runs on port 8080 [1].",
            "The team has 12 members [1], and FxStore runs on port 8080 [2].",
            id="each-part-its-own",
        ),
        pytest.param("默认位置是 /var/data【3】。", "默认位置是 /var/data[1]。", id="chinese"),
        pytest.param("Бот хранит историю 30 дней [4].", "Бот хранит историю 30 дней [1].", id="russian"),
        pytest.param(
            "The bot keeps it for 30 days [4].", "The bot keeps it for 30 days [1].", id="across-languages"
        ),
        pytest.param(
            "FxStore needs Java 17 [1].\n\nSources: [1], [2]", "FxStore needs Java 17 [1].", id="source-line"
        ),
        pytest.param(
            "FxStore needs Java 17 [1].\n\n**Sources:**\n[1] setup.md\n[2] x",
            "FxStore needs Java 17 [1].",
            id="source-list",
        ),
    ],
)
def test_marker_that_holds_is_kept(text: str, expected: str) -> None:
    assert verify(text, PASSAGES).text == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("FxStore needs Java 17 [1].", id="holds"),
        pytest.param("FxStore needs Java 17. [1]", id="behind-the-full-stop"),
        pytest.param("FxStore needs Java 17.\n\n[1]", id="in-a-line-of-its-own"),
        pytest.param("[1] says that FxStore needs Java 17.", id="in-front"),
        pytest.param("The team has 12 members and FxStore runs on port 8080 [1][2].", id="carried-together"),
        pytest.param("- Java 17 for FxStore [1]\n- port 8080 [1]", id="list"),
        pytest.param("FxStore требует Java 17 [1].", id="across-scripts"),
        pytest.param("In setup.md: FxStore needs Java 17 [1].", id="document"),
    ],
)
def test_marker_that_holds_stays_where_it_is(text: str) -> None:
    assert verify(text, PASSAGES).text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("FxStore needs Java 11 [1].", "FxStore needs Java 11.", id="number"),
        pytest.param("Founded on February 7, 2025 [2].", "Founded on February 7, 2025.", id="date"),
        pytest.param(
            "The founder of the team is Ann Lee [2].",
            "The founder of the team is Ann Lee.",
            id="name",
        ),
        pytest.param("Install FxStore with `--slow` [1].", "Install FxStore with `--slow`.", id="code"),
        pytest.param("FxStore needs Java 17 [9].", "FxStore needs Java 17.", id="no-such-passage"),
        pytest.param("FxStore needs Java 17 [0].", "FxStore needs Java 17.", id="zero"),
        pytest.param("Bananas are yellow fruit [1].", "Bananas are yellow fruit.", id="content"),
        pytest.param("Бот хранит историю 90 дней [4].", "Бот хранит историю 90 дней.", id="russian"),
        pytest.param(
            "The bot keeps it for 90 days [4].", "The bot keeps it for 90 days.", id="across-languages"
        ),
        pytest.param("备份每 48 小时进行一次[3]。", "备份每 48 小时进行一次。", id="chinese"),
        pytest.param("So [1] it is Java 11.", "So it is Java 11.", id="no-double-space"),
        pytest.param("It is Java 11 [1] , yes.", "It is Java 11 , yes.", id="text-stays"),
        pytest.param("[1] It needs Java 11.", "It needs Java 11.", id="in-front"),
    ],
)
def test_marker_that_does_not_hold_is_dropped(text: str, expected: str) -> None:
    cited = verify(text, PASSAGES)
    assert cited.text == expected
    assert cited.citations == ()


def test_dropping_a_marker_widens_the_claim_of_the_next() -> None:
    """A reader takes the one marker left as covering both halves, so it must."""
    assert verify("It needs Java 11 [1], and has 12 members [2].", PASSAGES).citations == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\nx = a[1]\n```", id="code-block"),
        pytest.param("Use `a[1]` here.", id="inline-code"),
        pytest.param("See [1](https://a.example).", id="link"),
        pytest.param("See [[1]](https://a.example).", id="bracketed-link"),
        pytest.param("A note[^1].\n\n[^1]: The note.", id="footnote"),
        pytest.param("In the year [2023] it was.", id="no-marker"),
        pytest.param("SOURCE", id="word-that-could-head-a-list"),
    ],
)
def test_what_is_no_marker_is_left_alone(text: str) -> None:
    cited = verify(text, PASSAGES)
    assert cited.text == text
    assert cited.citations == ()


def skeleton(text: str) -> str:
    """Return the text without markers, without what stands between two of them, and without empty brackets."""
    rest = regex.sub(rf"{markers_pattern()}|[\[［【][\d\s,;，、–—-]+[\]］】]|\s", "", text)
    return regex.sub(r"[(（](?R)*+[)）]", "", rest)


@example("([0])")
@given(ANSWERS)
def test_verifying_keeps_the_words_and_the_code_and_numbers_without_gaps(text: str) -> None:
    cited = verify(text, PASSAGES)
    check(cited)
    assert code_of(cited.text) == code_of(text)
    if "Sources" not in text:  # a list of sources at the end is taken out
        assert skeleton(text) == skeleton(cited.text)


@given(ANSWERS)
def test_verifying_twice_changes_nothing(text: str) -> None:
    once = verify(text, PASSAGES)
    twice = verify(once.text, renumbered(once))
    assert twice.text == once.text


@given(ANSWERS)
def test_without_passages_no_marker_survives(text: str) -> None:
    cited = verify(text, ())
    assert cited.citations == ()
    assert verify(cited.text, ()).text == cited.text


@pytest.mark.parametrize(
    "list_of_markers", ["[1], [2]", "[1]; [2]", "[1] and [2]", "[1], [2], [7]", "[1] и [2]", "[1]、[2]"]
)
@pytest.mark.parametrize("end", [" {markers}.", ". {markers}"], ids=["inside", "behind"])
def test_markers_with_commas_between_are_read_together_and_leave_no_comma(
    list_of_markers: str, end: str
) -> None:
    passages = [
        Passage(PassageId("a"), "guide.md", "", "FxStore needs Java 17."),
        Passage(PassageId("b"), "cats.md", "", "Cats sleep all day."),
    ]
    cited = verify("FxStore needs Java 17" + end.format(markers=list_of_markers), passages)
    assert [citation.passage for citation in cited.citations] == ["a"]
    assert cited.text in {"FxStore needs Java 17 [1].", "FxStore needs Java 17. [1]"}


@pytest.mark.parametrize(
    ("claim", "passage", "is_confirmed"),
    [
        pytest.param(
            "We need Java 17 [1].",
            "The service needs Java 21. Java 17 is no longer supported.",
            False,
            id="denied",
        ),
        pytest.param(
            "The service needs Java 21 [1].",
            "The service needs Java 21. Java 17 is no longer supported.",
            True,
            id="affirmed",
        ),
        pytest.param(
            "Java 17 is not supported [1].",
            "The service needs Java 21. Java 17 is no longer supported.",
            True,
            id="both deny",
        ),
        pytest.param(
            "The service needs Java 17 [1].",
            "The service needs Java 17 and does not start with 11.",
            True,
            id="another clause denies",
        ),
        pytest.param(
            "It makes 2 corrections [1].", "It makes no more than 2 corrections.", True, id="a limit"
        ),
        pytest.param(
            "Сервису нужна Java 17 [1].",
            "Сервису нужна Java 21. Java 17 больше не поддерживается.",
            False,
            id="denied in Russian",
        ),
    ],
)
def test_fact_that_a_passage_only_denies_is_not_confirmed_by_it(
    claim: str, passage: str, is_confirmed: bool
) -> None:
    cited = verify(claim, [Passage(PassageId("a"), "guide.md", "", passage)])
    assert bool(cited.citations) is is_confirmed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Гости едят бананы [1].", "Гости едят бананы.", id="no-figure-no-name"),
        pytest.param("Нужен FxStore [1].", "Нужен FxStore [1].", id="name"),
    ],
)
def test_marker_across_languages_needs_more_than_its_number(text: str, expected: str) -> None:
    assert verify(text, [SETUP]).text == expected


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("It takes 45 days (1).", "It takes 45 days [1]."),
        ("It takes 45 days. (1) Paint stays.", "It takes 45 days. [1] Paint stays."),
        ("45天（周末除外）(1)。", "45天（周末除外）[1]。"),
        ("It takes 45 days¹.", "It takes 45 days[1]."),
        ("It takes 45 days.²", "It takes 45 days.[2]"),
        (r"It takes 45 days \[1\].", "It takes 45 days [1]."),
        ("It takes 45 days [^1].", "It takes 45 days [1]."),
        ("It takes 45 days【1†L1-L3】.", "It takes 45 days[1]."),
        ("It takes 45 days【2†source】.", "It takes 45 days[2]."),
        ("It takes 45 days [Source 1].", "It takes 45 days [1]."),
        ("It takes 45 days (Passage 2).", "It takes 45 days [2]."),
        ("It takes 45 days<sup>1</sup>.", "It takes 45 days [1]."),
        ("It takes 45 days <sup>[1]</sup>.", "It takes 45 days [1]."),
        ("It takes 45 days <cite>Source 1</cite>.", "It takes 45 days [1]."),
        ('It takes 45 days <ref id="2"/>.', "It takes 45 days [2]."),
        ("It takes <co: 1>45 days</co: 1>.", "It takes 45 days [1]."),
        ("It takes 45 days \ue200cite\ue202turn0file1\ue201.", "It takes 45 days [1]."),
        ("It takes 45 days【1:0†source】.", "It takes 45 days[1]."),
        ("It takes 45 days [[1]](#1).", "It takes 45 days [1]."),
        ("It takes 45 days [[1]](https://example.org/a).", "It takes 45 days [1]."),
        ("It takes 45 days [[2]].", "It takes 45 days [2]."),
        ("It takes 45 days [1](passage-1).", "It takes 45 days [1]."),
        ("It takes 45 days [^1^].", "It takes 45 days [1]."),
        ("It takes 45 days [1]^.", "It takes 45 days [1]."),
        ("It takes 45 days $^{[1]}$.", "It takes 45 days [1]."),
        ("It takes 45 days [#1].", "It takes 45 days [1]."),
        ("It takes 45 days [citation:1].", "It takes 45 days [1]."),
        ("It takes 45 days [source_1].", "It takes 45 days [1]."),
        ("It takes 45 days [Passage: 1].", "It takes 45 days [1]."),
        ("It takes 45 days [P1].", "It takes 45 days [1]."),
        ("It takes 45 days [Source 1, Source 2].", "It takes 45 days [1, 2]."),
        ("It takes 45 days [Sources 1-3].", "It takes 45 days [1-3]."),
        ("It takes 45 days (see passage 1).", "It takes 45 days [1]."),
        ("Es dauert 45 Tage (Quelle 1).", "Es dauert 45 Tage [1]."),
        ("Son 45 días (Fuente: 1).", "Son 45 días [1]."),
        ("45 gün sürer [Kaynak 1].", "45 gün sürer [1]."),
        ("45天（来源：1）。", "45天[1]。"),
        ("45일 걸립니다 [출처 1].", "45일 걸립니다 [1]."),
        ("Это занимает 45 дней [Источник 1].", "Это занимает 45 дней [1]."),
        ("According to passage 1, it takes 45 days.", "According to [1], it takes 45 days."),
        ("It takes 12 members[^2].\n\n[^2]: team.md", "It takes 12 members[2]."),
        ("Java 17[^1].\n\n[^1]: Set-up > Java\n[^3]: 数据.md", "Java 17[1]."),
    ],
)
def test_marker_of_another_style_is_read(written: str, read: str) -> None:
    assert read_markers(written, PASSAGES[:3]) == read


@pytest.mark.parametrize(
    "text",
    [
        "Two parts: (1) open it; (2) close it.",
        "(1) Open it.\n(2) Close it.",
        "The hall has 20 m² and 3 m³.",
        "See article 5 (2).",
        "Call f(1).",
        "It takes 45 days (9).",
        "It takes 45 days [1], in two steps (2).",
        "A note[^1].\n\n[^1]: A footnote.",
        "A note[^9].\n\n[^9]: setup.md",
        "See [the first part](#1) and [2](https://example.org/2).",
        "Water is H<sub>2</sub>O, and the hall has 20 m<sup>2</sup>x.",
        "Attach document 2 to the form.",
        "(a+b)² = a² + 2ab + b²",
        "sin² x + cos² x, and 5 metres²",
        "Upload passport (doc 1), photo (doc 2) and payslip (doc 3).",
        "Send (documents 1-3) to the office.",
        "It is issue [#2].",
        "Read chapter [2](ch2.md), call [1](tel:123), see [3](/path/page).",
        "[P1] priority tickets are answered in an hour.",
        "The rooms [A1] and [B2] are open.",
        "Use `a[^1]` and `f (1)`.",
        "See [1](https://example.org).",
        "Founded (1987).",
    ],
)
def test_what_is_no_marker_stays(text: str) -> None:
    assert read_markers(text, PASSAGES[:3]) == text


@pytest.mark.parametrize(
    "hostile",
    [
        "(1" * 50_000,
        "【1†" * 30_000,
        "[^" * 50_000,
        "[1] " * 25_000,
        "article 5 " * 10_000 + "(2)",
        "\n[^1]:" * 30_000 + "x",
        "<sup>" * 30_000,
        "<co: 1>" * 20_000,
        "[Source 1, " * 20_000,
        "[[9]](" * 20_000,
        "according to " * 20_000,
    ],
)
def test_hostile_text_has_no_markers(hostile: str) -> None:
    assert read_markers(hostile, PASSAGES[:3])[:100] == hostile[:100]
