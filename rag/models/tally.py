"""Counts tokens beside the replies that come back: embeddings by a server, and calls that were cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from rag.values import ModelCall


@dataclass
class EmbeddedTokens:
    """The number of tokens that servers have embedded."""

    tokens: int = 0


_embedded: ContextVar[EmbeddedTokens | None] = ContextVar("embedded", default=None)


@contextmanager
def count_embeddings() -> Iterator[EmbeddedTokens]:
    """Count the tokens that servers embed for the work inside, also in threads that the work waits for."""
    token = _embedded.set(found := EmbeddedTokens())
    try:
        yield found
    finally:
        _embedded.reset(token)


def count_embedding(tokens: int) -> None:
    """Count tokens that a server has embedded."""
    if (found := _embedded.get()) is not None:
        found.tokens += tokens


def give_up(error: asyncio.CancelledError, call: ModelCall) -> None:
    """Note with a cancellation which call it has cut off."""
    error.spent = (*given_up(error), call)  # type: ignore[attr-defined]  # asyncio's error has no such field


def given_up(error: asyncio.CancelledError) -> tuple[ModelCall, ...]:
    """Return the calls that a cancellation has cut off."""
    return getattr(error, "spent", ())
