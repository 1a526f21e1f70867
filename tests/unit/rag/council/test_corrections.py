from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.council.corrections import find_objection

ORIGINAL = "FxStore needs Java 17 or newer, and older versions do not start it [1]. Ask Olga for a key [2]."
BETTER = "FxStore needs Java 17 or newer [1]. Ask Olga Petrova for a key [2]."
PROMPT = "You previously answered a question. Your peers reviewed your answer. Write the corrected response and nothing else."


@pytest.mark.parametrize(
    ("corrected", "given_", "reason"),
    [
        (BETTER, {}, None),
        (ORIGINAL, {}, None),
        (None, {}, "empty"),
        ("", {}, "empty"),
        (" \n\u200b", {}, "empty"),
        (BETTER, {"finish_reason": "length"}, "cut_off"),
        (BETTER, {"is_refusal": True}, "refused"),
        (f"{BETTER} {PROMPT}", {}, "echo"),
        ("Для FxStore нужна Java 17 или новее [1]. Ключ выдаёт Ольга [2].", {}, "other_language"),
        ("FxStore 需要 Java 17 或更高版本 [1]，旧版本无法启动。钥匙请找奥尔加 [2]。", {}, "other_language"),
        ("Java 17 [1] [2].", {}, "too_short"),
        (
            "FxStore needs Java 17 or newer, and older ones do not start it [1]. Ask Olga.",
            {},
            "lost_citation",
        ),
    ],
    ids=[
        "better",
        "the same",
        "null",
        "empty",
        "invisible",
        "cut off",
        "refusal",
        "echo",
        "Russian",
        "Chinese",
        "short",
        "citation",
    ],
)
def test_correction_replaces_the_original_only_if_nothing_speaks_against_it(
    corrected: str | None, given_: dict[str, Any], reason: str | None
) -> None:
    assert find_objection(ORIGINAL, corrected, holding_citations=(1, 2), prompt=PROMPT, **given_) == reason


def test_citation_that_does_not_hold_may_go() -> None:
    without = "FxStore needs Java 17 or newer, and older versions do not start it [1]. Ask Olga."
    assert find_objection(ORIGINAL, without, holding_citations=(1,)) is None


def test_original_that_quotes_the_instructions_may_still_quote_them() -> None:
    quoting = f"The prompt is: {PROMPT}"
    assert find_objection(quoting, f"{quoting} It has three sentences.", prompt=PROMPT) is None


@given(st.text(max_size=300), st.text(max_size=300))
def test_answer_never_objects_to_itself_and_any_text_is_read(original: str, corrected: str) -> None:
    find_objection(original, corrected)
    assert find_objection(original, original) in {None, "empty"}
