from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.asciidoc import load_asciidoc

GUIDE = """\
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


def test_titles_are_sections_and_comments_are_left_out() -> None:
    content = load_asciidoc(GUIDE)
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


def test_sections_have_the_names_by_which_addresses_point_at_them() -> None:
    names = [[anchor.name for anchor in section.anchors] for section in load_asciidoc(GUIDE).sections]
    assert names == [["_guide"], ["java"], ["_ports_and_hosts"], ["раздел"]]


@given(st.text(alphabet="ab =-~.+/\n[]#:|*Ж漢\t`", max_size=300))
def test_any_text_is_read_and_words_outside_comments_stay(text: str) -> None:
    shown = " ".join(f"{section.heading} {section.text}" for section in load_asciidoc(text).sections)
    if not any(mark in text for mark in ("//", "[", ":", "#")):
        for word in "".join(character if character in "abЖ漢" else " " for character in text).split():
            assert word in shown
