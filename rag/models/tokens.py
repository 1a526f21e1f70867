"""Count tokens where no reply counts them: estimates, embeddings by a server, calls that were cut off.

Servers that leave out `usage` and models in tests also have to stay within the budget. The estimate must not
be far too low for any script: a Chinese text has about one token per character, an English one a quarter.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import ceil

from rag.values import ModelCall

_ASCII_TOKENS_PER_CHARACTER = 0.25
_OTHER_ALPHABET_TOKENS_PER_CHARACTER = 0.4
_DENSE_TOKENS_PER_CHARACTER = 1.0
# Han, kana, Hangul, Thai, Lao, Khmer and Myanmar: scripts without spaces or with one syllable per character.
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff]"
)
_MESSAGE_OVERHEAD = 4
"""Tokens that a chat template adds around one message."""


def estimate_tokens(text: str) -> int:
    """Return the estimated tokens of `text`; 0 only if it is empty."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    dense = 0 if ascii_characters == len(text) else len(_DENSE.findall(text))
    other = len(text) - ascii_characters - dense
    return ceil(
        ascii_characters * _ASCII_TOKENS_PER_CHARACTER
        + other * _OTHER_ALPHABET_TOKENS_PER_CHARACTER
        + dense * _DENSE_TOKENS_PER_CHARACTER
    )


def estimate_prompt_tokens(texts: Iterable[str]) -> int:
    """Return the estimated tokens of a prompt made of these messages, including the chat template."""
    return sum(estimate_tokens(text) + _MESSAGE_OVERHEAD for text in texts)


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
