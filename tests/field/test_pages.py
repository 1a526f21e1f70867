"""HTML as sites write it: tabs and expanders, text that is hidden or struck out by a class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.loaders.html import load_html
from rag.reasons import Reason


def load(html: str) -> Content:
    return load_html(html.encode(), TextLimit(100_000))


def text_of(html: str) -> str:
    return "\n".join(section.text for section in load(html).sections)


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(
            '<ul role="tablist"><li role="tab">Bus</li><li role="tab">Ferry</li></ul>'
            '<div role="tabpanel">From bay 2.</div><div role="tabpanel" hidden>From pier 9.</div>',
            id="tab panels",
        ),
        pytest.param(
            '<style>.pane{display:none} .pane.active{display:block}</style><a href="#a">Bus</a><a href="#b">Ferry</a>'
            '<div class="pane active" id="a">From bay 2.</div><div class="pane" id="b">From pier 9.</div>',
            id="panes of a style sheet",
        ),
        pytest.param(
            'From bay 2.<div class="expand-container"><span class="expand-control-text">More</span>'
            '<div class="expand-content" style="display: none; opacity: 0">From pier 9.</div></div>',
            id="expander",
        ),
        pytest.param(
            'From bay 2.<button aria-controls="q7" aria-expanded="false">Ferry?</button><p id="q7" hidden>From pier 9.</p>',
            id="button that names it",
        ),
        pytest.param(
            'From bay 2.<button data-bs-toggle="x" data-bs-target="#more">Ferry</button>'
            '<style>.x1{display:none}</style><div class="x1" id="more">From pier 9.</div>',
            id="target of a button",
        ),
        pytest.param(
            "From bay 2.<a onclick=\"show('ferry')\">Ferry</a><div id=ferry style='display:none'>From pier 9.</div>",
            id="script of a link",
        ),
        pytest.param("From bay 2.<details><summary>Ferry</summary>From pier 9.</details>", id="details"),
    ],
)  # fmt: skip
def test_what_a_control_opens_is_content(html: str) -> None:
    content = load(html)
    text = text_of(html)
    assert "From bay 2." in text
    assert "From pier 9." in text
    assert content.notes == ()


def test_each_panel_stands_below_the_words_of_its_tab() -> None:
    html = (
        '<div role="tablist"><button role="tab">Day pass</button><button role="tab">Month pass</button></div>'
        '<div role="tabpanel"><p>Costs 8 EUR.</p></div><div role="tabpanel" hidden><p>Costs 71 EUR.</p></div>'
    )
    assert text_of(html) == "Day pass:\nCosts 8 EUR.\n\nMonth pass:\nCosts 71 EUR."


def test_other_hidden_text_is_left_out_and_counted() -> None:
    html = (
        "<style>.gone{display:none} @media print{p{display:none}} #sheet .w{visibility:hidden}</style>"
        '<p>Seen.</p><p class="gone">One.</p><p hidden>Two.</p><div id="sheet"><b class="w">Three.</b></div>'
        '<p class="gone"> </p>'
    )
    assert text_of(html) == "Seen."
    assert load(html).notes == (Reason("html-hidden", {"count": 3}),)


@pytest.mark.parametrize(
    ("head", "old"),
    [
        ("<style>.k7 { color: red; text-decoration: line-through }</style>", '<span class="k7">{}</span>'),
        ("<style>.none, b.k7{text-decoration-line:line-through;}</style>", '<b class="k7">{}</b>'),
        ("", '<span class="line-through">{}</span>'),
        ("", '<span class="strikethrough other">{}</span>'),
        ("", "<s>{}</s>"),
        ("", "<del>{}</del>"),
        ("", '<span style="text-decoration:line-through">{}</span>'),
    ],
)
@pytest.mark.parametrize(
    "around", ["<p>{}</p>", "<h2>{}</h2>", "<table><tr><td>{}<td>x</table>", "<ul><li>{}</ul>"]
)
def test_struck_out_text_is_gone_and_glues_no_numbers(head: str, old: str, around: str) -> None:
    html = head + around.format(
        f"A berth is {old.format('18')}23 EUR, or 4{old.format('x')}7 for mem{old.format('y')}bers"
    )
    content = load(html)
    text = "\n".join(f"{section.heading}\n{section.text}" for section in content.sections)
    assert "A berth is 23 EUR, or 4 7 for members" in text


@given(
    st.lists(
        st.sampled_from(
            [
                "{",
                "}",
                "<style>",
                "</style>",
                ".a",
                ":hover",
                "@media x",
                "display:none",
                "<p class=a>",
                "a, ,b",
                ";",
                "*",
                "[",
            ]
        ),
        max_size=25,
    )
)
def test_any_style_sheet_is_read(parts: list[str]) -> None:
    load(f"<p>Shown.</p>{''.join(parts)}")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        pytest.param("<p>It holds 10<sup>6</sup> on 4 m<sup>2</sup>.</p>", "It holds 10⁶ on 4 m².", id="raised"),
        pytest.param('<p>Cut by 5 cm<a href="#n1">1</a> or 8.</p>', "Cut by 5 cm or 8.", id="the number of a note"),
        pytest.param('<p>Rent is 40<sup><a href="#n1">[1]</a></sup> EUR.</p>', "Rent is 40 EUR.", id="a raised one"),
        pytest.param('<p>See chapter <a href="#c3">3</a>.</p>', "See chapter 3.", id="the number of a chapter"),
        pytest.param("<ol start=4><li>Lock it.<li><p>Ring.</p></ol>", "4. Lock it.\n5. Ring.", id="numbered steps"),
        pytest.param(
            "<table><caption>Dues of 2026</caption><tr><th>Who<th>EUR<tr><td>Adults<td>40</table>",
            "Dues of 2026\n\n| Who | EUR |\n| --- | --- |\n| Adults | 40 |",
            id="name of a table",
        ),
    ],
)  # fmt: skip
def test_numbers_and_names_are_read_as_they_are_seen(html: str, text: str) -> None:
    assert text_of(html) == text
