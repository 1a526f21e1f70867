"""Places that addresses can point at, from the loader to the passage."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.documents import Document, Section
from rag.knowledge.loaders.content import Outline
from rag.knowledge.loaders.markdown import load_markdown
from rag.knowledge.splitter import split
from rag.settings import Knowledge
from rag.values import Anchor, Passage, PassageId


def passage(text: str, *anchors: tuple[int, str], url: str = "https://example.org/a.pdf") -> Passage:
    places = tuple(Anchor(start, name) for start, name in anchors)
    return Passage(PassageId("p"), "A", "Utilities", text, url=url, anchors=places)


def test_quote_is_opened_on_its_own_page() -> None:
    found = passage("One. Two.", (0, "page=7"), (5, "page=8"))
    assert found.address_of("One.") == "https://example.org/a.pdf#page=7"
    assert found.address_of("Two.") == "https://example.org/a.pdf#page=8"
    assert (found.section_of("One."), found.section_of("Two.")) == (
        "Utilities (page 7)",
        "Utilities (page 8)",
    )


def test_without_an_address_there_is_none() -> None:
    assert passage("One.", (0, "page=7"), url="").address_of("One.") == ""


def test_markdown_sections_have_the_names_that_github_gives_them() -> None:
    text = "---\nurl: https://wiki.example.org/guide\n---\n# Set-up: *now*\na\n## Ports {#p}\nb\n# Set-up: now\nc\n"
    content = load_markdown(text)
    assert content.url == "https://wiki.example.org/guide"
    names = [[anchor.name for anchor in section.anchors] for section in content.sections]
    assert names == [["set-up-now"], ["p"], ["set-up-now-1"]]


def test_anchor_points_at_the_line_that_follows_it() -> None:
    outline = Outline()
    outline.heading(1, "A", "a")
    outline.line("")
    outline.line("one  ")
    outline.anchor("b")
    outline.line("two")
    (section,) = outline.sections()
    assert [(section.text[anchor.start :], anchor.name) for anchor in section.anchors] == [
        ("one\ntwo", "a"),
        ("two", "b"),
    ]


@given(
    st.lists(
        st.tuples(st.text(alphabet="ab. \n|-", max_size=200), st.integers(0, 5)), min_size=1, max_size=12
    )
)
def test_passages_know_the_page_that_their_words_are_on(pages: list[tuple[str, int]]) -> None:
    outline = Outline()
    for number, (text, breaks) in enumerate(pages):
        outline.anchor(f"page={number}")
        outline.line(f"word{number} {text}")
        for _ in range(breaks):
            outline.line("")
    document = Document("k", "K", outline.sections())
    for chunk in split(document, Knowledge(chunk_tokens=32)):
        found = Passage(PassageId("p"), "K", "", chunk.text, url="https://x.org/", anchors=chunk.anchors)
        for number in range(len(pages)):
            if f"word{number} " in chunk.text:
                assert found.address_of(f"word{number} ").endswith(f"#page={number}")


def test_introduction_and_its_subsection_keep_their_own_places() -> None:
    document = Document(
        "k",
        "K",
        (
            Section("A", "Intro.", (Anchor(0, "a"),)),
            Section("A > B", "Text.", (Anchor(0, "b"),)),
        ),
    )
    (chunk,) = split(document, Knowledge())
    assert [(chunk.text[anchor.start :], anchor.name) for anchor in chunk.anchors] == [
        ("Intro.\n\nText.", "a"),
        ("Text.", "b"),
    ]
