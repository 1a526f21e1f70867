"""Caches what was read in recent texts.

The checks of one answer ask the same of the same few texts: question, draft and carrying sentence are read by
up to ten of them each, and again for the next version of the answer. What is read in a text can take seventy
times the room of the text, so these caches are bounded in characters and not only, as `functools.lru_cache`
is, in texts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

_CHARACTERS: Final = 2_048_000
"""Characters of all texts that one cache knows, at the most."""
_LONGEST: Final = 4000
"""A text of more characters is never embedded, so its reading is not kept."""

PASSAGE_CHARACTERS: Final = 8000
"""The largest passages have about this many characters, see `knowledge.chunk_tokens`."""

P = ParamSpec("P")
T = TypeVar("T")


def cache_recent(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
    """Cache a pure function of a text and further hashable arguments, for texts that may be embedded.

    The function returns something immutable, because all callers get the same object.
    """
    return cache_up_to(_LONGEST)(function)


def cache_up_to(
    longest: int,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Cache as `cache_recent` does; a text of more characters than `longest` is read each time."""

    def decorate(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        cached: Callable[..., Any] = lru_cache(maxsize=_CHARACTERS // longest)(function)

        @wraps(function)
        def read(text: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            characters = len(text)
            for value in (*args, *kwargs.values()):
                if isinstance(value, str):
                    characters += len(value)
            find: Callable[..., T] = cached if characters <= longest else function
            return find(text, *args, **kwargs)

        return read

    return decorate
