"""A call of a tool that a model writes as its text is no answer; JSON and code that were asked for are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.tool_calls import CallHold, is_call

_OBJECT = '{"name": "search_documents", "parameters": {"query": "tea"}}'
CALLS = {
    "llama": _OBJECT,
    "llama with a type": '{"type": "function", "name": "search", "parameters": {"query": "tea"}}',
    "two of llama": f"{_OBJECT}; {_OBJECT}",
    "openai": '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]}',
    "langchain": '{"action": "search", "action_input": "tea"}',
    "a list": '[{"name": "search", "arguments": {"query": "tea"}}]',
    "written like Python": "{'name': 'search', 'arguments': {'query': 'tea'}}",
    "gemma": '```tool_code\nprint(search_documents(query="tea"))\n```',
    "llama 4": '[search_documents(query="tea"), search_mail()]',
    "react": 'Action: search\nAction Input: {"query": "tea"}',
    "react with a thought": 'Thought: I have to look.\nAction: search\nAction Input: {"query": "tea"}\nObservation:',
    "phi": 'functools[{"name": "search", "arguments": {"query": "tea"}}]',
    "minimax": '<minimax:tool_call>\n<invoke name="search">\n</invoke>\n</minimax:tool_call>',
    "hermes": '<tool_call>{"name": "search"}</tool_call>',
    "nemotron": '<TOOLCALL>[{"name": "search"}]</TOOLCALL>',
    "mistral": '[TOOL_CALLS]search{"query": "tea"}',
    "claude": '<function_calls>\n<invoke name="search">',
    "glm": "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>tea</arg_value>\n</tool_call>",
    "code of llama": "<|python_tag|>import math\nprint(math.pi)",
    "react with a bare input": 'Action: search\nInput: {"query": "tea"}',
    "an input that is an object": '{"name": "search", "input": {"query": "tea"}}',
    "behind a sentence": f"I'll search the documents.\n\n<tool_call>\n{_OBJECT}\n</tool_call>",
    "behind an announcement": f"Let me look that up:\n<tool_call>\n{_OBJECT}\n</tool_call>",
    "JSON behind a sentence": f"I will look it up. {_OBJECT}",
    "behind a Chinese sentence": f"我来查一下。<tool_call>{_OBJECT}</tool_call>",
}
ANSWERS = {
    "prose": "Tea is served at 16:20 [1].",
    "JSON in a fence": f"```json\n{_OBJECT}\n```",
    "JSON behind a colon": f"Here is the object that you asked for:\n{_OBJECT}",
    "a person": '{"name": "Anna", "parameters": {"age": 7}}',
    "other names": '{"name": "search", "parameters": {}, "price": 3}',
    "a definition": '{"name": "search", "parameters": {"type": "object", "properties": {}}}',
    "a name and an age": '{"name": "anna", "age": 7}',
    "a text about the tag": "Qwen writes `<tool_call>` in front of a call, and `</tool_call>` behind it.",
    "an example of the tag": "Write it so:\n```\n<tool_call>{}</tool_call>\n```",
    "the tag explained": f"Like this.\n<tool_call>{_OBJECT}</tool_call>\nThe name stands first.",
    "a citation": "[1] says so.",
    "a link": "[tea](https://example.com) is served.",
    "a list of numbers": "[1, 2, 3]",
    "a list of points": "[Point(x=1), Point(x=2)]",
    "a comprehension": "[f(x) for x in y]",
    "code": "```python\nprint(1)\n```",
    "a call that was asked for": 'search_documents(query="tea")',
    "the tag of Qwen": "<tool_call> is the tag in which Qwen models write a call of a tool.",
    "both tags of Qwen": "<tool_call> and </tool_call> are the tags of a call.",
    "the tag of Qwen in Chinese": "<tool_call>是一个标签。",
    "the token of Mistral": "[TOOL_CALLS] is the token in front of a call of Mistral.",
    "a tag and a comma": "<tool_call>, <think>: these are tags.",
    "an index in Python": "functools[singledispatch] is not valid Python.",
    "a test case": "Test case 1.\nAction: Login\nInput: user name and password\nExpected: the start page.",
    "a name and a drink": '{"name": "anna", "input": "tea"}',
    "an action in prose": "Action: Call the office.\nInput: none.",
    "behind an answer": f"One.\n\nTwo.\n\nThree.\n\n{_OBJECT}",
    "empty": "",
}


@pytest.mark.parametrize("reply", CALLS.values(), ids=CALLS)
def test_call_is_no_answer(reply: str) -> None:
    assert is_call(reply)


@pytest.mark.parametrize("reply", ANSWERS.values(), ids=ANSWERS)
def test_answer_is_no_call(reply: str) -> None:
    assert not is_call(reply)


def streamed(reply: str, size: int) -> tuple[str, str]:
    hold = CallHold()
    shown = "".join(hold.feed(reply[at : at + size]) for at in range(0, len(reply), size))
    return shown, hold.finish()


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("reply", CALLS.values(), ids=CALLS)
def test_nothing_of_a_call_is_shown(reply: str, size: int) -> None:
    shown, rest = streamed(reply, size)
    assert shown + rest == reply
    assert not set("<{[`") & set(shown)
    assert "Action" not in shown


@pytest.mark.parametrize("reply", ["prose", "a citation", "a link", "code", "a text about the tag"])
def test_prose_is_shown_as_it_comes(reply: str) -> None:
    shown, rest = streamed(ANSWERS[reply], 1)
    assert (shown, rest) == (ANSWERS[reply], "")


_PARTS = st.sampled_from(
    [*"{}[]<>`.: \n", "name", "tool_call", "Action: x", '"', "```", "functools", "parameters"]
)


@given(st.one_of(st.text(), st.lists(_PARTS).map("".join)), st.integers(1, 9))
def test_no_text_is_lost_in_the_hold(reply: str, size: int) -> None:
    assert "".join(streamed(reply, size)) == reply
    is_call(reply)


@pytest.mark.parametrize(
    "hostile", ["[" * 100_000, "{'name':" * 20_000, "Action: a\n" * 20_000, "\n" * 100_000]
)
def test_hostile_reply_is_read_at_once(hostile: str) -> None:
    assert not is_call(hostile)
