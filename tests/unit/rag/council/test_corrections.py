from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.council.corrections import find_objection

ORIGINAL = "FxStore needs Java 17 or newer, and older versions do not start it [1]. Ask Olga for a key [2]."
BETTER = "FxStore needs Java 17 or newer [1]. Ask Olga Petrova for a key [2]."
WITHOUT_OLGA = "FxStore needs Java 17 or newer, and older versions do not start it [1]. Ask Olga."
RUSSIAN = "Для FxStore нужна Java 17 или новее [1]. Ключ выдаёт Ольга [2]."
CHINESE = "FxStore 需要 Java 17 或更高版本 [1]，旧版本无法启动。钥匙请找奥尔加 [2]。"
PROMPT = "You previously answered a question. Your peers reviewed your answer. Write the corrected response and nothing else."


@pytest.mark.parametrize(
    ("corrected", "given_", "reason"),
    [
        pytest.param(BETTER, {}, None, id="better"),
        pytest.param(ORIGINAL, {}, None, id="the same"),
        pytest.param(None, {}, "empty", id="null"),
        pytest.param("", {}, "empty", id="empty"),
        pytest.param(" \n\u200b", {}, "empty", id="invisible"),
        pytest.param(BETTER, {"finish_reason": "length"}, "cut_off", id="cut off"),
        pytest.param(BETTER, {"is_refusal": True}, "refused", id="refusal"),
        pytest.param(f"{BETTER} {PROMPT}", {}, "echo", id="echo"),
        pytest.param(RUSSIAN, {}, "other_language", id="Russian"),
        pytest.param(CHINESE, {}, "other_language", id="Chinese"),
        pytest.param("Java 17 [1] [2].", {}, "too_short", id="short"),
        pytest.param(WITHOUT_OLGA, {}, "lost_citation", id="citation"),
    ],
)
def test_correction_replaces_the_original_only_if_nothing_speaks_against_it(
    corrected: str | None, given_: dict[str, Any], reason: str | None
) -> None:
    assert find_objection(ORIGINAL, corrected, holding_citations=(1, 2), prompt=PROMPT, **given_) == reason


def test_citation_that_does_not_hold_may_go() -> None:
    assert find_objection(ORIGINAL, WITHOUT_OLGA, holding_citations=(1,)) is None


def test_original_that_quotes_the_instructions_may_still_quote_them() -> None:
    quoting = f"The prompt is: {PROMPT}"
    assert find_objection(quoting, f"{quoting} It has three sentences.", prompt=PROMPT) is None


@given(st.text(max_size=300), st.text(max_size=300))
def test_answer_never_objects_to_itself_and_any_text_is_read(original: str, corrected: str) -> None:
    find_objection(original, corrected)
    assert find_objection(original, original) in {None, "empty"}
