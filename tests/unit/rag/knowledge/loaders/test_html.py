from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.html import load_html


def load(html: str | bytes, limit: int = 100_000) -> Content:
    return load_html(html.encode() if isinstance(html, str) else html, TextLimit(limit))


def sections(html: str | bytes) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in load(html).sections]


def test_headings_become_paths_and_the_title_is_the_pages() -> None:
    html = "<title>Guide – Team</title><h1>Guide</h1><p>Hi.<h2>Set-up</h2><p>One.<h3>Web<b>hook</b></h3>Two."
    assert load(html).title == "Guide – Team"
    assert sections(html) == [
        ("Guide", "Hi."),
        ("Guide > Set-up", "One."),
        ("Guide > Set-up > Webhook", "Two."),
    ]


def test_title_heads_a_page_without_a_heading_of_its_own() -> None:
    assert sections("<title>Leave</title><p>Two weeks.") == [("Leave", "Two weeks.")]


@pytest.mark.parametrize(
    "part",
    [
        "<script>secret()</script>",
        "<style>.secret{}</style>",
        "<nav>secret</nav>",
        "<div role=navigation>secret</div>",
        "<footer>secret</footer>",
        "<noscript>secret</noscript>",
        "<template><p>secret</template>",
        "<!-- secret -->",
        "<p hidden>secret</p>",
        '<p style="color:red; DISPLAY: none">secret</p>',
        '<span style="font-size:0">secret</span>',
        '<span style="opacity: 0">secret</span>',
        '<span style="opacity:0.0; color:red">secret</span>',
        '<span style="color: transparent">secret</span>',
        '<span style="position:absolute; left:-9999px">secret</span>',
        '<span style="text-indent:-9999px">secret</span>',
        '<span style="clip: rect(0, 0, 0, 0)">secret</span>',
        '<span style="clip-path: inset(50%)">secret</span>',
        '<span style="visibility:hidden">secret</span>',
        "<select><option>secret</select>",
        "<del>secret</del>",
        "<s>secret</s>",
        '<span style="text-decoration: red line-through">secret</span>',
        "<table><tr><td>a</td><td hidden>secret</td><td>b</td></tr></table>",
    ],
)
def test_what_a_reader_does_not_see_is_left_out(part: str) -> None:
    text = " ".join(text for _, text in sections(f"<body><p>Shown.</p>{part}<p>Also.</p>"))
    assert "Shown." in text
    assert "Also." in text
    assert "secret" not in text


def test_main_part_is_read_without_what_is_around_it() -> None:
    assert sections("<body><header>Menu</header><main><h1>A</h1><p>x</main><aside>Ads</aside>") == [
        ("A", "x")
    ]


def test_lists_lines_and_code_keep_their_form() -> None:
    html = "<ul><li>one<li>two <b>bold</b></ul><p>a<br>b</p><pre>if x:\n    # y\n</pre>"
    assert sections(html) == [("", "- one\n- two bold\n\na\nb\n\n```\nif x:\n    # y\n```")]


def test_table_becomes_rows_below_its_head() -> None:
    html = "<table><tr><th>App<th>Needs</tr><tr><td>Fx|Store<td>Java\n17</tr></table>"
    assert sections(html) == [("", "| App | Needs |\n| --- | --- |\n| Fx\\|Store | Java 17 |")]


def test_table_of_one_column_becomes_its_lines() -> None:
    assert sections("<table><tr><td>Fx<tr><td>Store</table>") == [("", "Fx\nStore")]


def test_table_that_only_places_parts_of_a_page_is_no_table() -> None:
    html = "<table><tr><td><h1>A</h1><p>x</p></td><td><table><tr><td>1<td>2</table></td></tr></table>"
    assert sections(html) == [("A", "x\n\n| 1 | 2 |\n| --- | --- |")]


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<p>Отпуск — 年假".encode(), id="utf-8 undeclared"),
        pytest.param('<meta charset="windows-1251"><p>Отпуск — 年假'.encode(), id="wrong declaration"),
        pytest.param("<p>Отпуск — 年假".encode("utf-16"), id="utf-16"),
        pytest.param('<meta charset="gb18030"><p>Отпуск — 年假'.encode("gb18030"), id="declared"),
        pytest.param("<p>&#1054;тпуск &mdash; 年假".encode(), id="entities"),
    ],
)
def test_encoding_is_found(html: bytes) -> None:
    assert sections(html) == [("", "Отпуск — 年假")]


def test_deep_nesting_does_not_lose_the_text() -> None:
    text = " ".join(text for _, text in sections("<div>" * 5000 + "deep" + "</div>" * 5000 + "<p>after"))
    assert "after" in text


def test_page_without_text_has_no_section() -> None:
    assert sections("<body><script>x</script><img src=a.png>") == []


@given(st.text())
def test_any_text_is_read_or_a_clear_failure(text: str) -> None:
    with suppress(DocumentError):
        load(f"<p>{text}")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("<p>It lifts.<o:p></o:p></p>", id="saved by Word"),
        pytest.param('<p xml:lang="en" @click="x" :class="y">It lifts.</p>', id="attributes with signs"),
        pytest.param('<xi:include xmlns:xi="urn:x" href="x"/><p>It lifts.</p>', id="inclusion"),
        pytest.param("<div>" * 3_000 + "It lifts." + "</div>" * 3_000, id="nested deeply"),
        pytest.param("<style>e|a, [e|b] {display:none}</style><p>It lifts.", id="style of other names"),
    ],
)
def test_page_with_names_that_no_tree_takes_is_read(page: str) -> None:
    assert "It lifts." in load_html(page.encode(), TextLimit(1_000_000)).sections[0].text


@pytest.mark.parametrize("action", ["@click", "x-on:click", "ng-click", "onclick"])
@pytest.mark.parametrize("panel", ["lift", "2-lift"])
def test_hidden_text_that_a_control_of_any_script_opens_is_read(action: str, panel: str) -> None:
    page = (
        f"<button {action}=\"open('{panel}')\">More</button>"
        f'<div id="{panel}" style="display:none">It lifts.</div><div style="display:none">Never shown.</div>'
    )
    read = load_html(page.encode(), TextLimit(1_000_000)).sections
    assert [section.text for section in read] == ["It lifts."]
