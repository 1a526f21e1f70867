from __future__ import annotations

import pickle

import pytest

from rag import errors
from rag.errors import BudgetExhaustedError, ModelError, ThinkTwiceError
from rag.knowledge.chroma import ChromaBusyError
from rag.values import ModelCall


def _all(kind: type[ThinkTwiceError]) -> list[type[ThinkTwiceError]]:
    return [kind, *(deeper for child in kind.__subclasses__() for deeper in _all(child))]


KINDS = [kind for kind in _all(ThinkTwiceError) if kind.__module__ == errors.__name__]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_one_sentence_with_an_exit_code(kind: type[ThinkTwiceError]) -> None:
    error = kind("tokens", 5, 4) if kind is BudgetExhaustedError else kind()
    assert str(error)
    assert "\n" not in str(error)
    assert error.exit_code in range(1, 126)


@pytest.mark.parametrize("kind", [*KINDS, ChromaBusyError])
def test_every_error_survives_being_recorded(kind: type[ThinkTwiceError]) -> None:
    error = kind("tokens", 120, 100) if kind is BudgetExhaustedError else kind("what happened")
    error.spent = (ModelCall("judge", "small", 10, 2, 0.5, calls=2),)
    if isinstance(error, ModelError):
        error.calls, error.input_tokens, error.output_tokens = 2, 100, 20
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert vars(again) == vars(error)
