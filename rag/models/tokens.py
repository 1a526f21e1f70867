"""Estimate the number of tokens of a text.

Needed for servers that leave out `usage` and for models in tests, which also have to stay within the budget.
The estimate must not be far too low for any script: a Chinese text has about one token per character, an
English one a quarter of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import ceil

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
