from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.documents import Chunk, Document, Section
from rag.knowledge.splitter import measure, split
from rag.settings import Knowledge

SETTINGS = Knowledge(chunk_tokens=40)

SENTENCE = "The server restarts every night at three. "
CHINESE = "年假需要提前两周申请，并由主管批准。"
THAI = "พนักงานต้องยื่นคำขอลาพักร้อนล่วงหน้าสองสัปดาห์"


def cut(*sections: tuple[str, str], key: str = "guide.md", size: int = 40) -> tuple[Chunk, ...]:
    document = Document(key, "Guide", tuple(Section(heading, text) for heading, text in sections))
    return split(document, Knowledge(chunk_tokens=size))


def visible(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param("two words", 2, id="spaced"),
        pytest.param("два слова", 2, id="cyrillic"),
        pytest.param("휴가는 두 주 전에", 4, id="korean has spaces"),
        pytest.param("年假需要提前", 3, id="half of six chinese characters"),
        pytest.param("休暇です", 2, id="kana counts like han"),
        pytest.param("Java 版本", 2, id="a word and half of two characters"),
        pytest.param("x" * 100, 5, id="a long string is several words"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_size_is_words_or_half_the_characters_of_a_script_without_spaces(text: str, size: int) -> None:
    assert measure(text) == size


def test_section_of_one_and_a_half_sizes_stays_whole() -> None:
    text = " ".join(["word"] * 60)
    assert [chunk.text for chunk in cut(("A", text))] == [text]


def test_section_above_one_and_a_half_sizes_is_cut_into_even_passages() -> None:
    text = " ".join(f"w{n}." for n in range(70))
    sizes = [measure(chunk.text) for chunk in cut(("A", text))]
    assert sum(sizes) == 70
    assert all(30 <= size <= 40 for size in sizes)


def test_passages_end_with_sentences() -> None:
    chunks = cut(("A", SENTENCE * 20))
    assert len(chunks) > 2
    assert all(chunk.text.startswith("The server") and chunk.text.endswith("three.") for chunk in chunks)


@pytest.mark.parametrize(
    ("sentence", "end"),
    [pytest.param(CHINESE, "。", id="chinese"), pytest.param(THAI + " ", "สัปดาห์", id="thai")],
)
def test_text_without_spaces_between_words_is_cut_at_its_sentences(sentence: str, end: str) -> None:
    chunks = cut(("A", sentence * 20))
    assert len(chunks) > 2
    assert all(chunk.text.endswith(end) for chunk in chunks)
    assert all(measure(chunk.text) <= 60 for chunk in chunks)


def test_mark_is_not_cut_off_its_letter() -> None:
    text = "e\u0301" * 3000
    assert not any(chunk.text.startswith("\u0301") for chunk in cut(("A", text)))


def test_passage_does_not_cross_a_heading() -> None:
    chunks = cut(("A", "alpha " * 20), ("B", "beta " * 20))
    assert [(chunk.heading, set(chunk.text.split())) for chunk in chunks] == [
        ("A", {"alpha"}),
        ("B", {"beta"}),
    ]


def test_line_that_introduces_a_subsection_goes_with_it() -> None:
    chunks = cut(("Set-up", "You need three things."), ("Set-up > Java", "Java 17 or newer."))
    assert [(chunk.heading, chunk.text) for chunk in chunks] == [
        ("Set-up > Java", "You need three things.\n\nJava 17 or newer.")
    ]
    lead = chunks[0].text[: chunks[0].lead]
    assert (lead, chunks[0].lead_heading) == ("You need three things.", "Set-up")


def test_lines_that_introduce_one_after_the_other_stand_under_the_path_that_they_share() -> None:
    (chunk,) = cut(("A", "One."), ("A > B", "Two."), ("A > B > C", "Three."))
    assert (chunk.text[: chunk.lead], chunk.lead_heading) == ("One.\n\nTwo.", "A")
    assert chunk.heading == "A > B > C"


def test_only_the_first_passage_of_a_section_holds_its_introduction() -> None:
    chunks = cut(("A", "Read this."), ("A > B", SENTENCE * 12))
    assert len(chunks) > 1
    assert chunks[0].text.startswith("Read this.")
    assert [(chunk.lead, chunk.lead_heading) for chunk in chunks] == [
        (len("Read this."), "A"),
        *[(0, "")] * (len(chunks) - 1),
    ]


@pytest.mark.parametrize("following", ["Webhook", "Set-up and more", "Set"])
def test_short_section_is_not_joined_to_a_section_that_is_not_below_it(following: str) -> None:
    chunks = cut(("Set-up", "Short."), (following, "Other."))
    assert [chunk.heading for chunk in chunks] == ["Set-up", following]


def test_code_block_is_not_cut() -> None:
    code = "```sh\n" + "\n\n".join(f"run step {n}" for n in range(10)) + "\n```"
    chunks = cut(("A", f"{SENTENCE * 6}\n\n{code}\n\n{SENTENCE * 6}"))
    assert len(chunks) > 2
    assert [code in chunk.text for chunk in chunks].count(True) == 1


def test_code_block_larger_than_a_passage_is_cut_between_lines() -> None:
    lines = [f"run step {n} now" for n in range(60)]
    chunks = cut(("A", "```sh\n" + "\n".join(lines) + "\n```"))
    found = [line for chunk in chunks for line in chunk.text.split("\n")]
    assert found == ["```sh", *lines, "```"]


def test_rows_of_a_table_stay_whole_and_remember_its_head() -> None:
    head = "| App | Needs |\n| --- | --- |"
    rows = [f"| App {n} | Java {n} and a database |" for n in range(30)]
    chunks = cut(("A", "\n".join([head, *rows])))
    assert len(chunks) > 2
    assert all(chunk.text.startswith(head) for chunk in chunks)
    assert [row for chunk in chunks for row in chunk.text.split("\n")[2:]] == rows


def test_line_that_announces_a_list_goes_with_it() -> None:
    steps = "\n".join(f"- do thing number {n} and wait" for n in range(4))
    chunks = cut(("A", f"{SENTENCE * 5}\n\nThen do this:\n\n{steps}"))
    assert chunks[-1].text.startswith("Then do this:\n\n- do thing number 0")


def test_small_rest_is_joined_to_the_passage_before() -> None:
    text = "\n\n".join([" ".join(["word"] * 33)] * 2 + ["The end."])
    assert [measure(chunk.text) for chunk in cut(("A", text))] == [33, 35]


def test_equal_texts_get_different_ids_and_equal_documents_equal_ones() -> None:
    sections = (("A", "Yes."), ("B", "Yes."), ("A", "Yes."))
    chunks = cut(*sections)
    assert len({chunk.id for chunk in chunks}) == 3
    assert cut(*sections) == chunks
    assert not {chunk.id for chunk in chunks} & {chunk.id for chunk in cut(*sections, key="other.md")}


def test_change_of_one_section_keeps_the_ids_of_the_others() -> None:
    before = cut(("A", "One."), ("B", "Two."), ("C", "Three."))
    after = cut(("A", "One."), ("B", "Changed."), ("C", "Three."))
    assert [old.id == new.id for old, new in zip(before, after, strict=True)] == [True, False, True]


def test_document_of_blanks_has_no_passages() -> None:
    assert cut(("A", " \n\n "), ("B", "")) == ()


lines = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["", "```", "~~~", "- item", "1. item:", "Note:", "# x", "    code", SENTENCE * 12, CHINESE * 9]
    ),
    st.sampled_from("ab年ไ🙂é").map(lambda letter: letter * 400),
)
texts = st.lists(lines, max_size=12).map("\n".join)
headings = st.sampled_from(["", "A", "A > B", "A > B > C", "D"])


@given(st.lists(st.tuples(headings, texts.filter(lambda text: "|" not in text)), max_size=5))
def test_every_character_stands_in_one_passage_in_order(sections: list[tuple[str, str]]) -> None:
    chunks = cut(*sections)
    assert visible("".join(chunk.text for chunk in chunks)) == visible("".join(text for _, text in sections))


rows = st.lists(
    st.text(st.characters(exclude_characters="\n\r|\\"), max_size=30), min_size=1, max_size=4
).map(lambda cells: f"| {' | '.join(cells)} |")


@given(
    st.lists(st.tuples(headings, st.lists(st.one_of(lines, rows), max_size=30).map("\n".join)), max_size=4)
)
def test_passages_are_bounded_numbered_and_have_ids_of_their_own(sections: list[tuple[str, str]]) -> None:
    chunks = cut(*sections)
    assert all(0 < measure(chunk.text) <= 60 or not visible(chunk.text) for chunk in chunks)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert cut(*sections) == chunks
