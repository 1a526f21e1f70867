"""Caches what was read in recent texts.

The checks of one answer ask the same of the same few texts: question, draft and carrying sentence are read by
up to ten of them each, and again for the next version of the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

_TEXTS: Final = 512
_LONGEST: Final = 4000
"""Characters of a text that is kept, as of the longest text that is embedded; it bounds the memory."""

P = ParamSpec("P")
T = TypeVar("T")


def cache_recent(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
    """Cache a pure function of a text and further hashable arguments.

    Args:
        function: Returns something immutable, because all callers get the same object.
    """
    cached: Callable[..., Any] = lru_cache(maxsize=_TEXTS)(function)

    @wraps(function)
    def read(text: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        find: Callable[..., T] = cached if len(text) <= _LONGEST else function
        return find(text, *args, **kwargs)

    return read
