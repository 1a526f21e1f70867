from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.content import Content
from rag.knowledge.loaders.titled import load_asciidoc, load_rst

GUIDE = """\
.. _top:

=====
Guide
=====

Welcome to ``FxStore``.

.. A comment,
   over two lines.

Set-up
======

.. _java-version:

Java
----

See :ref:`the ports <ports>` and :doc:`install`.

.. note:: Java 17 is needed.

Ports
-----

8443::

    Not a heading
    -------------

Описание
========

Текст.
"""


def test_underlined_titles_are_sections_in_the_order_of_their_marks() -> None:
    content = load_rst(GUIDE)
    assert content.title == "Guide"
    assert [(section.heading, section.text) for section in content.sections] == [
        ("Guide", "Welcome to ``FxStore``."),
        ("Guide > Set-up > Java", "See the ports and install.\n\n.. note:: Java 17 is needed."),
        ("Guide > Set-up > Ports", "8443::\n\n    Not a heading\n    -------------"),
        ("Guide > Описание", "Текст."),
    ]


def test_sections_have_the_names_by_which_addresses_point_at_them() -> None:
    names = [[anchor.name for anchor in section.anchors] for section in load_rst(GUIDE).sections]
    assert names == [["top"], ["java-version"], ["ports"], []]


@pytest.mark.parametrize(
    "text",
    [
        "Text.\n\n----\n\nMore.",
        "=====  =====\nApp    Java\n=====  =====\nFx     17\n=====  =====",
        "A long line of text that is no title\n---\n",
        "First line of a paragraph\nlast line\n=========",
    ],
)
def test_transitions_tables_and_paragraphs_are_no_titles(text: str) -> None:
    assert [section.heading for section in load_rst(text).sections] == [""]


@pytest.mark.parametrize(
    "kept",
    [".. image:: plan.png", ".. [1] A footnote.", ".. |x| replace:: y", ".. _site: https://example.org"],
)
def test_what_is_no_comment_stays(kept: str) -> None:
    assert kept in load_rst(f"Text.\n\n{kept}\n").sections[0].text


MANUAL = """\
= Guide
:toc: left

Welcome.

// A comment.
////
A longer
== comment
////

== Set-up

[#java]
=== Java version

Java 17 is needed.

----
== not a heading
// kept
----

|===
|App |Java
|===

Ports and hosts
---------------

8443.

[[раздел]]
== Описание

Текст.
"""


def test_titles_of_asciidoc_are_sections_and_comments_are_left_out() -> None:
    content = load_asciidoc(MANUAL)
    assert content.title == "Guide"
    assert [(section.heading, section.text) for section in content.sections] == [
        ("Guide", "Welcome."),
        (
            "Guide > Set-up > Java version",
            "Java 17 is needed.\n\n----\n== not a heading\n// kept\n----\n\n|===\n|App |Java\n|===",
        ),
        ("Guide > Ports and hosts", "8443."),
        ("Guide > Описание", "Текст."),
    ]


def test_sections_of_asciidoc_have_the_names_by_which_addresses_point_at_them() -> None:
    names = [[anchor.name for anchor in section.anchors] for section in load_asciidoc(MANUAL).sections]
    assert names == [["_guide"], ["java"], ["_ports_and_hosts"], ["раздел"]]


@pytest.mark.parametrize(("load", "marks"), [(load_rst, ".`"), (load_asciidoc, "/[:#")])
@given(text=st.text(alphabet="ab .:_`<>=-~+/\n[]|*#Ж漢\t", max_size=300))
def test_any_text_is_read_and_words_outside_comments_stay(
    load: Callable[[str], Content], marks: str, text: str
) -> None:
    shown = " ".join(f"{section.heading} {section.text}" for section in load(text).sections)
    if not set(marks) & set(text):
        for word in "".join(character if character in "abЖ漢" else " " for character in text).split():
            assert word in shown
