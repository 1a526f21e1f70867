"""HTML as sites write it: tabs and expanders, text that is hidden or struck out by a class."""

from __future__ import annotations

import time

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


def sections(html: str) -> list[tuple[str, str]]:
    return [
        (section.heading, section.text) for section in load(f"<h1>Rent</h1>{html}<p>Heated.</p>").sections
    ]


_TABS_AS_TOOLS_WRITE_THEM = {
    "MkDocs Material": '<style>.tabbed-block{display:none}</style><div class="tabbed-set tabbed-alternate"><input id="t1" type="radio">'
    '<input id="t2" type="radio"><div class="tabbed-labels"><label for="t1">Bern</label><label for="t2">Genf</label></div>'
    '<div class="tabbed-content"><div class="tabbed-block"><p>1100</p></div><div class="tabbed-block"><p>1450</p></div></div></div>',
    "older Material": '<div class="tabbed-set"><input id="t1" type="radio"><label for="t1">Bern</label><div class="tabbed-content">1100</div>'
    '<input id="t2" type="radio"><label for="t2">Genf</label><div class="tabbed-content">1450</div></div>',
    "Sphinx design": '<div class="sd-tab-set docutils"><input id="s0" type="radio"><label class="sd-tab-label" for="s0">Bern</label>'
    '<div class="sd-tab-content">1100</div><input id="s1" type="radio"><label class="sd-tab-label" for="s1">Genf</label>'
    '<div class="sd-tab-content">1450</div></div>',
    "Sphinx tabs": '<div class="sphinx-tabs"><div role="tablist"><button aria-controls="p0" id="t0" role="tab">Bern</button>'
    '<button aria-controls="p1" id="t1" role="tab">Genf</button></div><div aria-labelledby="t0" id="p0" role="tabpanel">1100</div>'
    '<div aria-labelledby="t1" hidden="true" id="p1" role="tabpanel">1450</div></div>',
    "VitePress": '<div class="vp-code-group"><div class="tabs"><input type="radio" id="a"><label data-title="x" for="a">Bern</label>'
    '<input type="radio" id="b"><label for="b">Genf</label></div><div class="blocks"><div class="language-sh active"><p>1100</p></div>'
    '<div class="language-sh"><p>1450</p></div></div></div>',
    "VuePress": '<div class="theme-code-group"><div class="theme-code-group__nav"><ul class="theme-code-group__ul"><li><button>Bern</button></li>'
    '<li><button>Genf</button></li></ul></div><div class="theme-code-block">1100</div><div class="theme-code-block">1450</div></div>',
    "Docusaurus": '<div><ul role="tablist" class="tabs"><li role="tab">Bern</li><li role="tab">Genf</li></ul>'
    '<div class="margin-top--md"><div role="tabpanel">1100</div><div role="tabpanel" hidden>1450</div></div></div>',
    "Asciidoctor": '<div class="tabs is-loading"><div class="content"><div class="tablist"><ul><li id="b" class="tab"><p>Bern</p></li>'
    '<li id="g" class="tab"><p>Genf</p></li></ul></div><div id="b--panel" class="tabpanel" aria-labelledby="b">1100</div>'
    '<div id="g--panel" class="tabpanel" aria-labelledby="g">1450</div></div></div>',
    "Element": '<div class="el-tabs"><div class="el-tabs__header"><div role="tablist"><div role="tab">Bern</div><div role="tab">Genf</div>'
    '</div></div><div class="el-tabs__content"><div role="tabpanel">1100</div><div role="tabpanel" style="display: none;">1450</div></div></div>',
    "Radix, ids of React": '<div role="tablist"><button role="tab" aria-controls="r-:r1:-a">Bern</button><button role="tab" '
    'aria-controls="r-:r1:-b">Genf</button></div><div role="tabpanel" id="r-:r1:-b" hidden>1450</div><div role="tabpanel" id="r-:r1:-a">1100</div>',
    "jQuery UI": '<div id="tabs"><ul><li><a href="#tabs-1">Bern</a></li><li><a href="#tabs-2">Genf</a></li></ul>'
    '<div id="tabs-1">1100</div><div id="tabs-2" style="display:none">1450</div></div>',
    "Bootstrap 3": '<ul class="nav nav-tabs"><li class="active"><a data-toggle="tab" href="#a">Bern</a></li><li><a data-toggle="tab" href="#b">'
    'Genf</a></li></ul><div class="tab-content"><div id="a" class="tab-pane active">1100</div><div id="b" class="tab-pane">1450</div></div>',
    "Bootstrap 5": '<ul class="nav nav-tabs"><li><button data-bs-toggle="pill" data-bs-target="#a">Bern</button></li><li><button '
    'data-bs-toggle="pill" data-bs-target="#b">Genf</button></li></ul><style>.tab-pane{display:none}</style>'
    '<div class="tab-content"><div id="a" class="tab-pane">1100</div><div id="b" class="tab-pane">1450</div></div>',
    "script": '<div class="tab"><button class="tablinks" onclick="openCity(event,\'Bern\')">Bern</button><button class="tablinks" '
    'onclick="openCity(event,\'Genf\')">Genf</button></div><div id="Bern" class="tabcontent">1100</div>'
    '<div id="Genf" class="tabcontent" style="display:none">1450</div>',
    "Semantic UI": '<div class="ui tabular menu"><a class="item" data-tab="x">Bern</a><a class="item" data-tab="y">Genf</a></div>'
    '<div class="ui tab segment" data-tab="x">1100</div><div class="ui tab segment" data-tab="y">1450</div>',
    "no script": '<div class="tabset"><input type="radio" id="t1"><label for="t1">Bern</label><input type="radio" id="t2"><label for="t2">Genf'
    '</label><div class="tab-panels"><section class="tab-panel">1100</section><section class="tab-panel">1450</section></div></div>',
    "Docsify": '<div class="docsify-tabs"><button class="docsify-tabs__tab" data-tab="x">Bern</button><div class="docsify-tabs__content">1100'
    '</div><button class="docsify-tabs__tab" data-tab="y">Genf</button><div class="docsify-tabs__content">1450</div></div>',
    "Elementor": '<div role="tablist"><div id="d1" role="tab" aria-controls="c1">Bern</div><div id="d2" role="tab" aria-controls="c2">Genf</div>'
    '</div><div><div role="tab" aria-controls="c1">Bern</div><div id="c1" role="tabpanel">1100</div>'
    '<div role="tab" aria-controls="c2">Genf</div><div id="c2" role="tabpanel" hidden>1450</div></div>',
    "filled late": '<div role="tablist"><button role="tab" aria-controls="a">Bern</button><button role="tab" aria-controls="b">Genf</button></div>'
    '<div role="tabpanel" id="a">1100<template>Row</template></div><div role="tabpanel" id="b" hidden><template><p>1450</template></div>',
    "details": "<details open><summary>Bern</summary>1100</details><details><summary>Genf</summary>1450</details>",
}  # fmt: skip


@pytest.mark.parametrize("tabs", _TABS_AS_TOOLS_WRITE_THEM.values(), ids=_TABS_AS_TOOLS_WRITE_THEM.keys())
def test_each_panel_is_a_section_below_the_words_of_its_tab(tabs: str) -> None:
    found = sections(tabs)
    assert sorted(found[:2]) == [("Rent > Bern", "1100"), ("Rent > Genf", "1450")]
    assert found[2:] == [("Rent", "Heated.")]


def test_groups_of_tabs_stand_beside_and_within_each_other() -> None:
    def group(*panels: tuple[str, str]) -> str:
        tabs = "".join(f'<button role="tab">{label}</button>' for label, _ in panels)
        return f'<div role="tablist">{tabs}</div>' + "".join(
            f'<div role="tabpanel" hidden>{text}</div>' for _, text in panels
        )

    inner = group(("Summer", "8:00"), ("Winter", "<h2>Late</h2>10:00"))
    assert sections(
        f"<h2>Towns</h2>{group(('Bern', f'By bus.{inner}On foot.'), ('Genf', '1450'))}{inner}"
    ) == [
        ("Rent > Towns > Bern", "By bus."),
        ("Rent > Towns > Bern > Summer", "8:00"),
        ("Rent > Towns > Bern > Winter > Late", "10:00"),
        ("Rent > Towns > Bern", "On foot."),
        ("Rent > Towns > Genf", "1450"),
        ("Rent > Towns > Summer", "8:00"),
        ("Rent > Towns > Winter > Late", "10:00"),
        ("Rent > Towns", "Heated."),
    ]


def test_tabs_without_a_panel_do_not_move_the_labels_of_others() -> None:
    tabs = "".join(
        f'<a role="tab" aria-controls="p{number}">{town}</a> ' for number, town in enumerate("ABC")
    )
    html = f'<div role="tablist">{tabs}</div><p role="none">x</p><div role="tabpanel" id="p2">1450</div>'
    assert sections(html) == [("Rent", "A B\nx"), ("Rent > C", "1450"), ("Rent", "Heated.")]
    shown = '<ul role="tablist"><li role="tab">A</li><li role="tab" aria-selected="true">B</li></ul>'
    assert ("Rent > B", "1450") in sections(f'{shown}<div><div role="tabpanel">1450</div></div>')


def test_expanders_nested_without_end_lose_no_words_and_make_no_endless_headings() -> None:
    read = load(
        "".join(f"<details><summary>Step {number}</summary>" for number in range(300)) + "Done."
    ).sections
    assert "Step 299\nDone." in read[-1].text
    assert max(len(section.heading) for section in read) < 300


def test_rows_of_tabs_nested_without_end_are_read_in_time() -> None:
    begin = time.monotonic()
    assert "Rent 40" in text_of('<div role="tablist"><a role="tab">' * 1500 + "Rent 40")
    assert time.monotonic() - begin < 10


def test_words_of_a_tab_that_are_struck_out_or_hidden_are_no_label() -> None:
    html = (
        '<ul role="tablist"><li role="tab"><s>Old</s>New<i hidden>x</i></li></ul><div role="tabpanel">1</div>'
    )
    assert sections(html)[0] == ("Rent > New", "1")


def test_heading_that_is_a_button_heads_what_it_opens() -> None:
    html = '<h2><button data-bs-target="#c">Genf</button></h2><div id="c" class="collapse">1450</div>'
    assert sections(html)[0] == ("Rent > Genf", "1450\nHeated.")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param('<p><a href="#a">A</a> <a href="#b">B</a></p><div id="a">1</div><div id="b">2</div>', id="contents"),
        pytest.param('<ul><li><a href="#a">A</a></li><li><a href="#b">B</a></li></ul><section id="a">1</section><section id="b">2</section>', id="list of contents"),
        pytest.param('<p>One<a href="#n1">A</a>, two<a href="#n2">B</a>.</p><ol><li id="n1">1</li><li id="n2">2</li></ol>', id="notes"),
        pytest.param('<p>The <a href="#m">A</a> and <a href="#n">B</a></p><div id="m" hidden>1</div><div id="n" hidden>2</div>', id="windows that words open"),
        pytest.param('<form><label for="y">A</label><label for="n">B</label><div>1</div><div>2</div></form>', id="form"),
        pytest.param('<ul class="nav-tabs"><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul><div>1</div><div>2</div>', id="other pages"),
        pytest.param('<div class="tab-pane">A B<button>Copy</button><pre>1</pre><button>Copy</button><pre>2</pre></div>', id="buttons that copy"),
    ],
)  # fmt: skip
def test_links_and_buttons_that_are_no_tabs_stay_where_they_are(html: str) -> None:
    found = sections(html)
    assert {heading for heading, _ in found} == {"Rent"}
    assert all(word in found[0][1] for word in "AB12")


@pytest.mark.parametrize(
    ("html", "heading", "words"),
    [
        pytest.param(
            '<a href="#content">Skip to content</a> <a href="#search">Skip to search</a><div id="search" style="display:none">'
            '<input></div><div id="content"><h1>Fees</h1>Adults pay 40.</div>', "Fees", ["Adults pay 40."], id="skip links",
        ),
        pytest.param(
            '<a class="skip-link" href="#content">Content</a><a class="skip-link" href="#search">Search</a>'
            '<div id="search" hidden>Find</div><div id="content">Adults pay 40.</div>', "Rent", ["Adults pay 40."], id="skip links by class",
        ),
        pytest.param(
            '<ul><li><a href="#a">Prices</a></li><li><a href="#b">Staff</a></li></ul><section id="a"><h2>Fees</h2>Adults pay 40.</section>'
            '<section id="b" hidden><h2>Staff</h2>Call 12.</section>', "Rent", ["Prices", "Staff"], id="contents with a hidden target",
        ),
        pytest.param(
            '<ul role="tablist"><li role="tab">Basic</li><li role="tab">Pro</li></ul><div>We sell two plans.</div><div>Prices are below.</div>',
            "Rent", ["Basic", "Pro", "We sell two plans.", "Prices are below."], id="tabs before other text",
        ),
        pytest.param(
            '<ul class="tabs-list"><li>Dogs are not allowed.</li><li>Cats are.</li></ul><div>Opening hours: 9-17</div><div>Phone: 12</div>',
            "Rent", ["Dogs are not allowed.", "Cats are.", "Opening hours: 9-17", "Phone: 12"], id="list before other text",
        ),
        pytest.param(
            '<ul role="tablist"><li role="tab">Basic</li></ul><div>We sell plans.</div>', "Rent", ["Basic", "We sell plans."], id="one tab",
        ),
    ],
)  # fmt: skip
def test_ordinary_navigation_is_no_row_of_tabs(html: str, heading: str, words: list[str]) -> None:
    found = sections(html)
    assert {each for each, _ in found} <= {"Rent", "Fees", "Rent > Fees", "Rent > Staff"}
    text = "\n".join(text for each, text in found if each.endswith(heading))
    assert all(word in text for word in words)


@pytest.mark.parametrize(
    "html",
    [
        pytest.param('<div><a href="#a">Bern</a><a href="#b">Genf</a></div><div id="a">1100</div><div id="b" hidden>1450</div>', id="links"),
        pytest.param(
            '<ul class="tabs"><li><a href="#a">Bern</a></li><li><a href="#b">Genf</a></li></ul>'
            '<div id="a"><h6></h6>1100</div><div id="b" hidden>1450</div>', id="links that are called tabs",
        ),
        pytest.param(
            '<ul role="tablist"><li role="tab">Bern</li><li role="tab">Genf</li></ul><div>1100</div><div hidden>1450</div>', id="hidden but for one",
        ),
        pytest.param(
            '<ul role="tablist"><li role="tab">Bern</li><li role="tab">Genf</li></ul><div class="panel">1100</div><div class="my-panel">1450</div>',
            id="called panels",
        ),
    ],
)  # fmt: skip
def test_tabs_are_known_by_what_they_hide_or_are_called(html: str) -> None:
    assert sections(html) == [("Rent > Bern", "1100"), ("Rent > Genf", "1450"), ("Rent", "Heated.")]


def test_other_hidden_text_is_left_out_and_counted() -> None:
    html = (
        "<style>.gone{display:none} @media print{p{display:none}} #sheet .w{visibility:hidden}</style>"
        '<p>Seen.</p><p class="gone">One.</p><p hidden>Two.</p><div id="sheet"><b class="w">Three.</b></div>'
        '<p class="gone"> </p>'
    )
    assert text_of(html) == "Seen."
    assert load(html).notes == (Reason("html-hidden", {"count": 3}),)


@pytest.mark.parametrize(
    "rule",
    [
        ".x:after{content:'.';display:block;visibility:hidden;height:0}",
        ".x::-webkit-details-marker{display:none}",
        ".x::before{text-decoration:line-through}",
        ".x:before{visibility:hidden}",
        "h2::before, .x::after{display:none}",
        ".x::first-letter{font-size:0}",
        ".x:first-line{color:transparent}",
        ".x::marker{font-size:0}",
        ".x::placeholder{opacity:0;color:transparent}",
        ".x::slotted(p){display:none}",
        ".x:hover, .x:focus, .x:active, .x:target, .x:checked, .x:not(.x){display:none}",
    ],
)
def test_rule_for_a_part_or_another_state_of_an_element_does_not_hide_it(rule: str) -> None:
    html = f"<style>{rule}</style><h2 class=x>Fees</h2><div class=x>Adults pay 40.</div><ul><li class=x>Dogs</ul>"
    assert sections(html)[-1] == ("Rent > Fees", "Adults pay 40.\n- Dogs\n\nHeated.")
    assert load(html).notes == ()


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
