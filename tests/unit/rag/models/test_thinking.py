"""Inline thinking is taken out, however the pieces are cut."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.thinking import ThinkingFilter


def without_thinking(reply: str) -> str:
    """The visible part of a complete reply."""
    filtered = ThinkingFilter()
    return filtered.feed(reply) + filtered.finish()


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
        pytest.param("`<thinking>` is a word", "`<thinking>` is a word", id="a tag in quotes"),
        pytest.param(
            "Close it with </think> too.", "Close it with </think> too.", id="a closing tag in prose"
        ),
        pytest.param("Write:\n```\nx\n</think>\n```", "Write:\n```\nx\n</think>\n```", id="in code"),
        pytest.param(
            "<details><summary>Price</summary>9</details>",
            "<details><summary>Price</summary>9</details>",
            id="details of an answer",
        ),
        pytest.param("analysis of the data", "analysis of the data", id="a word that begins a channel"),
        pytest.param("Thought: tea is hot.", "Thought: tea is hot.", id="a thought that is all of it"),
        pytest.param("## Thinking\nIt is hard.", "## Thinking\nIt is hard.", id="a text about thinking"),
        pytest.param(
            "Thinking hard, I say 17.", "Thinking hard, I say 17.", id="a word that begins a thought"
        ),
        pytest.param(
            "## Thoughts\nAnna likes it.\n\n## Response\nBo replied.",
            "## Thoughts\nAnna likes it.\n\n## Response\nBo replied.",
            id="a report with a heading for thoughts",
        ),
        pytest.param(
            "**Thoughts:**\nAnna likes it.\n\n**Response:**\nBo replied.",
            "**Thoughts:**\nAnna likes it.\n\n**Response:**\nBo replied.",
            id="a report with thoughts behind a colon",
        ),
        pytest.param("{Answer} is a field.", "{Answer} is a field.", id="a field of a template"),
        pytest.param("<think>hm</think>{Answer}\n17.", "17.", id="a mark of the answer"),
        pytest.param("Thought: hm </think> 17.", "17.", id="a thought with the end of another mark"),
        pytest.param("<think>hm</think><answer>17.</answer>", "17.", id="the answer in tags"),
        pytest.param("<think>hm</think>It is <output>", "It is <output>", id="a tag in an answer"),
        pytest.param("<response>5</response>", "<response>5</response>", id="an element of an answer"),
        pytest.param("<thi", "<thi", id="a reply that ends like a tag begins"),
        pytest.param("", "", id="empty"),
    ],
)
def test_visible_part_of_a_reply(reply: str, visible: str) -> None:
    assert without_thinking(reply) == visible


_THOUGHT = "Okay, hm. 99 days? Let me look."
_ANSWER = "It takes 45 days [1]."
_DRESSES = (
    "<thinking>\n{}\n</thinking>\n\n",
    "<THINK>{}</THINK>",
    '<reasoning effort="low">{}</reasoning>',
    "<thought>{}</thought>\n",
    "<seed:think>{}</seed:think>",
    "[THINK]{}[/THINK]",
    "◁think▷{}◁/think▷",
    "<think>{}</think>\n<think>{}</think>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "<|channel|>analysis<|message|>{}<|channel|>commentary<|message|>{}<|channel|>final <|constrain|>text<|message|>",
    "analysis{}assistantfinal",
    "<|channel>thought\n{}\n<channel|>",
    "<unused94>thought\n{}<unused95>",
    "<|START_THINKING|>{}<|END_THINKING|><|START_RESPONSE|>",
    "<|begin_of_thought|>\n{}\n<|end_of_thought|>\n\n<|begin_of_solution|>",
    '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> {}\n</details>\n',
    "<details><summary>Thinking</summary>{}</details>\n",
    "Here is my thought process:\n{}\n\nHere is my response:\n",
    "```thinking\n{}\n```\n\n",
    "**Thinking:** {}\n\n**Answer:** ",
    "**Thinking**\n{}\n\n**Final Answer**\n",
    "## Thought process\n{}\n## Answer\n\n",
    "Thought: {}\nFinal Answer: ",
    "Thoughts: {}\nAnswer: ",
    "<|thinking|>{}<|/thinking|>",
    "<thought_process>{}</thought_process>\n",
    "<internal_monologue>{}</internal_monologue>\n",
    "<think>{}</think> {Solution} ",
    "<think>{}</think>\n<|begin_of_box|>",
    "<think>{}</think>\n<answer>",
)
_UNMARKED = (
    "{}\n</think>\n\n",
    "{}</think>",
    "{}[/THINK]",
    "{}</reasoning>\n",
    "{}<channel|>",
    "{}<|end|><|start|>assistant<|channel|>final<|message|>",
)


@pytest.mark.parametrize("dress", [*_DRESSES, *_UNMARKED])
@pytest.mark.parametrize("length", [1, 2, 5, 17, 1000])
def test_thinking_in_any_dress_is_in_no_piece(dress: str, length: int) -> None:
    reply = dress.replace("{}", _THOUGHT) + _ANSWER
    visible = ThinkingFilter()
    pieces = [visible.feed(reply[start : start + length]) for start in range(0, len(reply), length)]
    assert "".join([*pieces, visible.finish()]).strip() == _ANSWER
    assert visible.is_unmarked is (dress in _UNMARKED)


@pytest.mark.parametrize("dress", _DRESSES)
def test_marked_thinking_needs_no_holding_back(dress: str) -> None:
    reply = dress.replace("{}", _THOUGHT) + _ANSWER
    visible = ThinkingFilter(holds=False)
    pieces = [visible.feed(letter) for letter in reply]
    assert "".join(pieces).strip() == _ANSWER


_IN_THE_MIDDLE = (
    "<think>{}</think>",
    "<thinking>{}</thinking>",
    "<thought>{}</thought>",
    '<reasoning effort="low">{}</reasoning>',
    "<THINK>{}</THINK>",
    "[THINK]{}[/THINK]",
    "◁think▷{}◁/think▷",
    "<|START_THINKING|>{}<|END_THINKING|>",
    "<|channel>thought{}<channel|>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "<|end|><|start|>assistant<|channel|>analysis<|message|>{}<|channel|>final<|message|>",
)
_WORDS = st.text("abcdefgh 0123456789,.äжя\n", min_size=1, max_size=60)


@given(
    before=_WORDS.filter(str.strip),
    dress=st.sampled_from(_IN_THE_MIDDLE),
    after=_WORDS,
    is_closed=st.booleans(),
    separator=st.sampled_from(["\n", "\n\n", ". ", "! ", " [1]. ", ""]),
    holds=st.booleans(),
    length=st.integers(1, 30),
)
def test_thinking_in_the_middle_of_an_answer_is_in_no_piece(
    before: str, dress: str, after: str, is_closed: bool, separator: str, holds: bool, length: int
) -> None:
    opened, _, closed = dress.partition("{}")
    hidden = "SECRET thoughts of the model, ninety-nine of them"
    rest = f"{closed}{after}" if is_closed else ""
    reply = f"{before}{separator}{opened}{hidden}{rest}"
    visible = ThinkingFilter(holds=holds)
    pieces = [visible.feed(reply[start : start + length]) for start in range(0, len(reply), length)]
    shown = "".join([*pieces, visible.finish()])
    assert "SECRET" not in shown
    assert "think" not in shown.casefold()
    expected = f"{before}{separator}{after if is_closed else ''}"
    assert "".join(shown.split()) == "".join(expected.split())
    assert shown == without_thinking(reply)


_TAGS = ("<think>", "</think>", "<thinking>", "[THINK]", "<|channel|>analysis", "◁think▷", "<think>x</think>")
_ABOUT_TAGS = (
    "Use the `{}` mark.",
    "Write:\n```html\n{}\nand some more words behind it\n```\nThat is all.",
    "    {} in a block of code",
    'It is called "{}".',
)


@given(st.sampled_from(_TAGS), st.sampled_from(_ABOUT_TAGS), st.integers(1, 30), st.booleans())
def test_mark_in_code_or_in_quotes_stays(tag: str, text: str, length: int, holds: bool) -> None:
    reply = f"So it is:\n{text.replace('{}', tag)}"
    visible = ThinkingFilter(holds=holds)
    pieces = [visible.feed(reply[start : start + length]) for start in range(0, len(reply), length)]
    assert "".join([*pieces, visible.finish()]) == reply


@pytest.mark.parametrize(
    "reply",
    [
        "The <think> element is no element of HTML.",
        "The tags <think> and </think> mark what the model thinks before it answers.",
        "Models mark it. <think> opens the thought and </think> closes it.",
        "It opens with (<think>) or <think>, and ends with </think>.",
        "Use <think>x</think> tags in the template, and <thinking> in the other.",
        "使用<think>标签。",
        "Wrap the words in <think>your words</think>",
        "See [1], [THINK] and [2].",
        "See [Reasoning](reasoning.md), which says what it is, why it is and how it is done.",
        "It says [reasoning] where the reasons are, and so do all of the other pages of it.",
        "The file holds:\n<analysis>\nall that was measured in the year\n</analysis>",
    ],
)
@pytest.mark.parametrize("length", [1, 3, 1000])
def test_prose_about_the_marks_stays(reply: str, length: int) -> None:
    for holds in (True, False):
        visible = ThinkingFilter(holds=holds)
        pieces = [visible.feed(reply[start : start + length]) for start in range(0, len(reply), length)]
        assert "".join([*pieces, visible.finish()]) == reply


@pytest.mark.parametrize("end", ["<|return|>", "<|end|>", "<|end|><|start|>assistant<|channel|>commentary"])
def test_tokens_behind_the_answer_are_not_shown(end: str) -> None:
    reply = f"<|channel|>final<|message|>{_ANSWER}{end}"
    visible = ThinkingFilter(holds=False)
    assert "".join(visible.feed(letter) for letter in reply) + visible.finish() == _ANSWER


@pytest.mark.parametrize(
    "hostile",
    [
        "<" * 100_000,
        "x</think" * 20_000,
        "<details " + "a" * 100_000,
        "a <channel" * 20_000,
        "</think> " * 20_000,
    ],
)
def test_hostile_reply_takes_no_longer_than_its_length(hostile: str) -> None:
    assert len(without_thinking(hostile)) <= len(hostile)


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
    answer = answer.replace("<", "")
    assert without_thinking(f"<think>{thought}</think>{answer}") == answer.lstrip()


@given(st.text().map(lambda text: text.replace("<", "")))
def test_text_without_tags_stays_as_it_is(text: str) -> None:
    assert without_thinking(text) == text
