"""A rejected parameter changes exactly one thing in the next request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.dialect import REASONING, Dialect, with_room_for_thinking, without


@pytest.mark.parametrize(
    ("tried", "rejected", "expected"),
    [
        pytest.param(Dialect(), "response_format", Dialect(json_schema=False), id="schema by name"),
        pytest.param(
            Dialect(), "failed to parse grammar", Dialect(json_schema=False), id="schema by message"
        ),
        pytest.param(
            Dialect(),
            "Unsupported value: 'temperature' does not support 0 with this model.",
            Dialect(temperature=False),
            id="temperature",
        ),
        pytest.param(
            Dialect(),
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            Dialect(max_completion_tokens=True),
            id="new name of the limit",
        ),
        pytest.param(
            Dialect(max_completion_tokens=True),
            "Unrecognized request argument supplied: max_completion_tokens",
            Dialect(),
            id="old name of the limit",
        ),
        pytest.param(
            Dialect(reasoning_effort="low"), "unknown field reasoning_effort", Dialect(), id="reasoning"
        ),
        pytest.param(Dialect(temperature=False), "temperature", None, id="was not even sent"),
        pytest.param(Dialect(), "the image is too large", None, id="about something else"),
        pytest.param(Dialect(), "", None, id="no reason"),
    ],
)
def test_next_dialect_leaves_out_what_was_rejected(
    tried: Dialect, rejected: str, expected: Dialect | None
) -> None:
    assert without(tried, rejected) == expected


def test_a_model_that_thinks_gets_room_once() -> None:
    roomy = with_room_for_thinking(Dialect())
    assert roomy is not None
    assert roomy.thinking_tokens >= 1000
    assert with_room_for_thinking(roomy) is None


@given(st.text())
def test_any_rejection_gives_another_dialect_or_none(message: str) -> None:
    assert without(REASONING, message) != REASONING
