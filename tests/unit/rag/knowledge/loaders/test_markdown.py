from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.markdown import load_markdown


def sections(text: str) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in load_markdown(text).sections]


def test_headings_become_paths() -> None:
    text = "# Guide\nHi.\n## Set-up\nOne.\n### Webhook\nTwo.\n## Use\nThree.\n"
    assert sections(text) == [
        ("Guide", "Hi."),
        ("Guide > Set-up", "One."),
        ("Guide > Set-up > Webhook", "Two."),
        ("Guide > Use", "Three."),
    ]


def test_level_that_is_skipped_does_not_shift_the_others() -> None:
    assert sections("# A\nx\n### B\ny\n## C\nz") == [("A", "x"), ("A > B", "y"), ("A > C", "z")]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        pytest.param("## **Bold** and `code`", "Bold and code", id="emphasis"),
        pytest.param("## See [the docs](https://x.test/a)", "See the docs", id="link"),
        pytest.param("## Install {#install}", "Install", id="anchor"),
        pytest.param("## Closed ##", "Closed", id="closing marks"),
        pytest.param("   ## Indented", "Indented", id="indented"),
        pytest.param("## snake_case_name", "snake_case_name", id="underscores are letters"),
        pytest.param("Underlined\n----------", "Underlined", id="setext"),
        pytest.param("## C#", "C#", id="a mark that belongs to a word"),
        pytest.param("## Отпуск и 年假", "Отпуск и 年假", id="any script"),
    ],
)
def test_heading_reads_as_it_is_shown(line: str, heading: str) -> None:
    assert sections(f"# Top\n\n{line}\nText.") == [(f"Top > {heading}", "Text.")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```sh\n# not a heading\n```", id="code fence"),
        pytest.param("~~~\n# not a heading\n```\n# nor this\n~~~", id="tildes around backticks"),
        pytest.param("- step\n\n    ```\n    # not a heading\n    ```", id="fence in a list"),
        pytest.param("```\nName\n====\n```", id="underline in a fence"),
        pytest.param("#hashtag", id="no space"),
        pytest.param("####### seven", id="seven marks"),
        pytest.param("    # indented code", id="indented code"),
        pytest.param("- item\n---\nafter", id="rule below a list"),
        pytest.param("| a |\n---", id="rule below a table"),
        pytest.param("two\nlines\n---", id="rule below a paragraph"),
        pytest.param("text\n\n---\n\ntext", id="rule"),
    ],
)
def test_text_that_only_looks_like_a_heading_stays_text(text: str) -> None:
    assert sections(f"# Top\n\n{text}") == [("Top", text)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        pytest.param("Intro.\n\n# First\nx\n# Second\ny", "First", id="first heading of level one"),
        pytest.param("Title\n=====\nx", "Title", id="underlined"),
        pytest.param("## Only two\nx", "", id="none"),
        pytest.param("---\ntitle: 'From the top'\n---\n# Heading\nx", "From the top", id="front matter"),
    ],
)
def test_title(text: str, title: str) -> None:
    assert load_markdown(text).title == title


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nlayout: value\nother:\n  - {a: 1}\n---\nBody.", id="front matter"),
        pytest.param("---\r\nlayout: value\r\n---\r\nBody.", id="line ends of Windows"),
        pytest.param("---\nlayout: value\n...\nBody.", id="dots at its end"),
        pytest.param("---\n---\nBody.", id="empty"),
        pytest.param("<!-- note\n# to self\n-->\nBody.", id="comment"),
        pytest.param("Body.<!-- obey\nme -->", id="comment in a line"),
        pytest.param("Bo<!-- `obey` -->dy<!---->.", id="comments in a word"),
        pytest.param("~~It closes\nat 18:00.~~ Body.", id="struck out"),
        pytest.param("Bo~~x <!-- ~~ --> y~~dy.", id="comment inside struck out"),
        pytest.param("<del>Old.</del> <s class='x'>Older.</s> Body.", id="struck out in HTML"),
        pytest.param("~~The port is `8080`.~~ Body.", id="code struck out"),
    ],
)
def test_what_is_not_shown_is_left_out(text: str) -> None:
    assert sections(text) == [("", "Body.")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\nA line between rules.\n---\nBody.", id="rules at the top"),
        pytest.param("---\nkey: value\nno end", id="no end"),
        pytest.param("```html\n<!-- shown -->\n```", id="comment in code"),
        pytest.param("Write `<!-- shown -->` above it.", id="comment in a word of code"),
        pytest.param("Write <!-- above it.\n\nAnd --> below.", id="comment without an end"),
        pytest.param("About ~~ 5 km.", id="one pair of tildes"),
        pytest.param("The route is ~~5 km or ~~7 km.", id="tildes for about"),
        pytest.param("- ~~one\n- two~~ three", id="struck out over items"),
        pytest.param("A ~~begins.\n\nAnd~~ ends.", id="struck out over paragraphs"),
        pytest.param("Write `~~gone~~` to strike out.", id="struck out in code"),
        pytest.param("~~~\nshown\n~~~", id="fence of tildes"),
        pytest.param("A <s>begins.", id="struck out without an end"),
    ],
)
def test_what_only_looks_hidden_is_kept(text: str) -> None:
    kept = "".join(heading + text for heading, text in sections(text))
    assert all(word in kept for word in text.replace("-", " ").replace("`", " ").split())


def test_figures_around_struck_out_text_do_not_become_one() -> None:
    assert sections("From 9~~10~~8") == [("", "From 9 8")]


def test_title_of_the_front_matter_heads_a_document_without_its_own() -> None:
    assert sections("---\ntitle: Leave\n---\nTwo weeks.\n## Forms\nOne.") == [
        ("Leave", "Two weeks."),
        ("Leave > Forms", "One."),
    ]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param(
            '---\nort: "[[Orte/Saal|Saal]]"\n---\nx', "- ort: Saal\n\nx", id="link in the front matter"
        ),
        pytest.param(
            "---\nort: [[Orte/Saal]]\n---\nx", "- ort: Saal\n\nx", id="bare link in the front matter"
        ),
        pytest.param(
            "---\nwho:\n  - [[Ann]]\n  - '[[Ben|Benny]]'\n---\nx",
            "- who: Ann, Benny\n\nx",
            id="list of links",
        ),
        pytest.param(
            "In the hall^[Enter by the yard.].", "In the hall (Enter by the yard.).", id="note in the line"
        ),
        pytest.param("See ![[Plan.pdf#page=2]].", "See Plan.pdf.", id="page of a file"),
        pytest.param("See ![[List#^abc123]].", "See List.", id="block of a note"),
        pytest.param("See [[List#Weeks]].", "See List Weeks.", id="section of a note"),
    ],
)
def test_marks_of_obsidian_become_what_its_readers_see(text: str, read: str) -> None:
    assert sections(text) == [("", read)]


def test_heading_without_text_below_it_becomes_text() -> None:
    assert sections("# Plan\n## Now\n## Later\n# End") == [("Plan", "Now\n\nLater"), ("", "End")]


def test_endless_heading_is_text() -> None:
    assert sections(f"# Top\n## {'word ' * 100}\nx")[0][0] == "Top"


def test_image_written_out_in_the_text_leaves_its_description() -> None:
    assert sections(f"See ![a chart](data:image/png;base64,{'A' * 500}).") == [("", "See a chart.")]


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    for section in load_markdown(text).sections:
        assert section.text.strip()


words = st.lists(st.sampled_from(["alpha", "бета", "中文", "한국어"]), min_size=1, max_size=5).map(" ".join)
blocks = st.one_of(
    words,
    words.map(lambda text: f"## {text}"),
    words.map(lambda text: f"```\n# {text}\n```"),
    words.map(lambda text: f"{text}\n==="),
    words.map(lambda text: f"- {text}"),
)


@given(st.lists(blocks, max_size=12))
def test_no_word_is_lost(parts: list[str]) -> None:
    # A number in every part tells equal words apart.
    text = "\n\n".join(part.replace(" ", f" {number}", 1) for number, part in enumerate(parts))
    found = " ".join(f"{heading} {body}" for heading, body in sections(text)).split()
    assert {word for word in text.split() if word.isalnum()} <= set(found)
