"""Inline thinking is taken out, however the pieces are cut."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.thinking import ThinkingFilter, without_thinking


@pytest.mark.parametrize(
    ("reply", "visible"),
    [
        pytest.param("Java 17.", "Java 17.", id="nothing to take out"),
        pytest.param("<think>hm, 11?</think>\n\nJava 17.", "Java 17.", id="block in front"),
        pytest.param("\n <think></think>Java 17.", "Java 17.", id="white space and an empty block"),
        pytest.param("<think>hm, 11? or", "", id="never finished thinking"),
        pytest.param("<think>hm</think>  \n", "", id="nothing after the thinking"),
        pytest.param("hm, 11?</think>\nJava 17.", "Java 17.", id="the template wrote the opening tag"),
        pytest.param("Use <think>x</think> tags.", "Use <think>x</think> tags.", id="a text about the tags"),
        pytest.param("<thinking> is a word", "<thinking> is a word", id="another tag"),
        pytest.param("<thi", "<thi", id="a reply that ends like a tag begins"),
        pytest.param("", "", id="empty"),
    ],
)
def test_visible_part_of_a_reply(reply: str, visible: str) -> None:
    assert without_thinking(reply) == visible


texts = st.lists(st.sampled_from(["<think>", "</think>", "<th", "ink>", " ", "\n", "да", "答", "<", "x"]))


@given(texts, st.lists(st.integers(0, 40)))
def test_cuts_make_no_difference(parts: list[str], cuts: list[int]) -> None:
    reply = "".join(parts)
    whole = ThinkingFilter()
    expected = whole.feed(reply) + whole.finish()
    edges = [0, *sorted(min(cut, len(reply)) for cut in cuts), len(reply)]
    cut = ThinkingFilter()
    pieces = [cut.feed(reply[start:end]) for start, end in itertools.pairwise(edges)]
    assert "".join(pieces) + cut.finish() == expected


@given(st.text(), st.text())
def test_thinking_never_reaches_the_reader(thought: str, answer: str) -> None:
    thought = thought.replace("</think>", "")
    assert without_thinking(f"<think>{thought}</think>{answer}") == answer.lstrip()


@given(st.text().filter(lambda text: "think>" not in text))
def test_text_without_tags_stays_as_it_is(text: str) -> None:
    assert without_thinking(text) == text
