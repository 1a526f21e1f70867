from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import checks
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.steps.continuation import cut_unfinished, end_text, join_texts
from rag.values import Question
from tests.support.loop import QUESTION, engine, purposes, scripted

FENCE = "```"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        pytest.param("It needs Java 17. Install it wi", "It needs Java 17.", id="half a sentence goes"),
        pytest.param("First install the pack", "First install the", id="half a word of a lone sentence goes"),
        pytest.param("Install", "", id="nothing to go on from"),
        pytest.param("", "", id="empty"),
        pytest.param("Steps.\n\n1. Open it.\n2.", "Steps.\n\n1. Open it.", id="list marker without content"),
        pytest.param("| a | b |\n| 1 | 2 |\n| 3", "| a | b |\n| 1 | 2 |", id="half a table row"),
        pytest.param(
            f"Run this:\n{FENCE}bash\nmake\nmake ins",
            f"Run this:\n{FENCE}bash\nmake",
            id="open code block keeps its whole lines",
        ),
        pytest.param("安装 Java 17。然后运行", "安装 Java 17。", id="Chinese"),
        pytest.param("首先安装软件包并且配置", "首先安装软件包并且配置", id="Chinese without an end"),
        pytest.param("Нужна Java 17. Установи", "Нужна Java 17.", id="Russian"),
        pytest.param("자바 17이 필요합니다. 먼저 설", "자바 17이 필요합니다.", id="Korean"),
    ],
)
def test_unfinished_end_is_taken_back(text: str, start: str) -> None:
    assert cut_unfinished(text) == start


@pytest.mark.parametrize(
    ("start", "rest", "whole"),
    [
        pytest.param("It needs Java 17.", "Install it.", "It needs Java 17. Install it.", id="sentence"),
        pytest.param(
            "First install the", "the package.", "First install the package.", id="a word said twice"
        ),
        pytest.param(
            "It needs Java 17.",
            "It needs Java 17. Install it.",
            "It needs Java 17. Install it.",
            id="written all over",
        ),
        pytest.param(
            "Нужна версия 17. Сначала откройте настройки.",
            "Нужна версия 17. Откройте настройки, затем нажмите кнопку.",
            "Нужна версия 17. Откройте настройки, затем нажмите кнопку.",
            id="written all over in other words",
        ),
        pytest.param(
            "有两种方法可以安装这个软件。打开设置。",
            "有两种方法可以安装这个软件。先打开设置，然后点击按钮。",
            "有两种方法可以安装这个软件。先打开设置，然后点击按钮。",
            id="written all over in other words in Chinese",
        ),
        pytest.param(
            "Open the settings. Press the button. Then wait for it.",
            "Open the settings. Done.",
            "Open the settings. Press the button. Then wait for it. Open the settings. Done.",
            id="a sentence that comes again is not written all over",
        ),
        pytest.param(
            "It is old. It needs Java 17.",
            "It needs Java 17. Install it.",
            "It is old. It needs Java 17. Install it.",
            id="last sentence repeated",
        ),
        pytest.param("1. Open it.", "2. Close it.", "1. Open it.\n2. Close it.", id="list goes on"),
        pytest.param("Do this.", "- Open it.", "Do this.\n\n- Open it.", id="list begins"),
        pytest.param(
            "Do as in section 1.",
            "1. Open it.",
            "Do as in section 1.\n\n1. Open it.",
            id="list begins with the number before it",
        ),
        pytest.param(
            "Do this.\n1. Open it.",
            "1. Open it.\n2. Close it.",
            "Do this.\n1. Open it.\n2. Close it.",
            id="list item repeated",
        ),
        pytest.param(
            "安装 Java 17。", "然后运行它。", "安装 Java 17。然后运行它。", id="no space in Chinese"
        ),
        pytest.param("Choose a plan", ", then pay.", "Choose a plan, then pay.", id="comma"),
        pytest.param("The plan is a", "another day", "The plan is a another day", id="no overlap in a word"),
        pytest.param("One.", "  \n ", "One.", id="nothing came"),
        pytest.param(
            f"{FENCE}bash\nmake",
            f"{FENCE}bash\nmake install\n{FENCE}",
            f"{FENCE}bash\nmake\nmake install\n{FENCE}",
            id="code block opened again",
        ),
        pytest.param(
            f"{FENCE}bash\nmake",
            f"make install\n{FENCE}\nDone.",
            f"{FENCE}bash\nmake\nmake install\n{FENCE}\nDone.",
            id="code goes on",
        ),
    ],
)
def test_parts_are_put_together_without_doubling(start: str, rest: str, whole: str) -> None:
    assert join_texts(start, rest) == whole


async def test_paragraph_that_is_written_anew_stays_a_paragraph(verdict_of: dict[str, Any]) -> None:
    verdict_of["It needs Java.\n\nThat is"] = "cut"
    model = scripted(draft="It needs Java.\n\nThat is", **{"continue": "That is all."})
    assert (await engine(model).answer(QUESTION)).text == "It needs Java.\n\nThat is all."


words = st.lists(
    st.sampled_from(["one", "two", "three", "four", "Java", "17", "порт", "сервер", "서버가"]),
    min_size=1,
    max_size=8,
)
sentences = st.lists(words.map(lambda found: " ".join([*found, "end."])), min_size=1, max_size=5)


@given(sentences, sentences)
def test_continuation_that_repeats_the_end_is_the_same_as_one_that_does_not(
    first: list[str], second: list[str]
) -> None:
    start, rest = " ".join([*first, "Now it is over."]), " ".join(["Then", *second])
    assert join_texts(start, rest) == f"{start} {rest}"
    assert join_texts(start, f"Now it is over. {rest}") == f"{start} {rest}"


@given(st.text(max_size=80), st.text(max_size=80))
def test_joining_never_loses_the_beginning(start: str, rest: str) -> None:
    assert join_texts(start, rest).lstrip().startswith(start.strip()[:12])


@given(st.text(max_size=120))
def test_what_is_kept_is_a_beginning_of_the_text(text: str) -> None:
    assert text.startswith(cut_unfinished(text))


async def test_cut_text_is_written_on_and_checked_like_any_other(verdict_of: dict[str, Any]) -> None:
    verdict_of.update({"It needs Java. And more": "cut", "It needs Java. That is all.": "cited"})
    model = scripted(draft="It needs Java. And more", **{"continue": "That is all."})
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "continue"]
    assert (answer.text, answer.label, answer.retries) == ("It needs Java. That is all.", "verified", 1)


async def test_model_goes_on_with_its_own_words_before_it(verdict_of: dict[str, Any]) -> None:
    verdict_of.update({"It needs Java 11.": "hallucination", "It needs Java. And": "cut"})
    model = scripted(regenerate="It needs Java. And", **{"continue": "That is all."})
    await engine(model).answer(QUESTION)
    writing, going_on = model.requests[1:3]
    assert going_on.instructions == writing.instructions
    assert going_on.messages[:-2] == writing.messages, "what the server has read already"
    assert (going_on.messages[-2].role, going_on.messages[-2].text) == ("assistant", "It needs Java.")
    assert (going_on.role, going_on.purpose) == ("writer", "continue")


async def test_text_that_is_cut_again_is_written_anew(verdict_of: dict[str, Any]) -> None:
    verdict_of.update({"One. Two": "cut", "One. Three": "cut"})
    model = scripted(draft=["One. Two", "It is 3."], **{"continue": "Three"})
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "continue", "draft"]
    assert answer.text == "It is 3."


async def test_text_that_is_cut_at_its_token_limit_is_found_and_finished() -> None:
    def reply(request: ChatRequest) -> Reply:
        return "Hamlet is by Shakespeare. He was an" if request.purpose == "draft" else "English poet."

    model = ScriptedModel(reply)
    answer = await engine(model).answer(Question("Who wrote Hamlet?"))
    assert "continue" in purposes(model)
    texts = [request.messages[-2].text for request in model.requests if request.purpose == "continue"]
    assert texts == ["Hamlet is by Shakespeare."]
    assert not checks.run(answer.text, language="en")


@pytest.mark.parametrize("reply", ["", ".", " \n"])
async def test_text_that_the_model_has_nothing_to_add_to_is_whole(
    verdict_of: dict[str, Any], reply: str
) -> None:
    verdict_of["The head of finance approves all travel expenses"] = "cut"
    model = scripted(draft="The head of finance approves all travel expenses", **{"continue": reply})
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "continue"]
    assert answer.text == "The head of finance approves all travel expenses."


@pytest.mark.parametrize(
    ("text", "ended"),
    [("It is so", "It is so."), ("就是这样", "就是这样。"), ("It is so.", "It is so."), ("```\nx", "```\nx")],
)
def test_end_is_put_where_it_is_missing(text: str, ended: str) -> None:
    assert end_text(text) == ended
