from __future__ import annotations

import pickle

import pytest

from rag import errors
from rag.errors import BudgetExhaustedError, ThinkTwiceError


def _all(kind: type[ThinkTwiceError]) -> list[type[ThinkTwiceError]]:
    return [kind, *(deeper for child in kind.__subclasses__() for deeper in _all(child))]


@pytest.mark.parametrize(
    "kind", [kind for kind in _all(ThinkTwiceError) if kind.__module__ == errors.__name__]
)
def test_every_error_is_one_sentence_with_an_exit_code(kind: type[ThinkTwiceError]) -> None:
    error = kind("tokens", 5, 4) if kind is BudgetExhaustedError else kind()
    assert str(error)
    assert "\n" not in str(error)
    assert error.exit_code in range(1, 126)


def test_errors_survive_being_recorded() -> None:
    error = BudgetExhaustedError("tokens", 120, 100)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.limit, again.allowed) == (str(error), "tokens", 100)
