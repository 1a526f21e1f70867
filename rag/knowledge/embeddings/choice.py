"""Chooses the bundled embedding that suits a corpus and the people who ask.

`minilm` is four to ten times as fast, but only for English; `multilingual` knows a hundred languages. One
mistake is worse than the other: an English model finds almost nothing in a Russian page or for a Russian
question, while the multilingual one is only slower. So a tenth of other languages in the corpus, or a few
questions in them, are enough to choose `multilingual`. It stays until everything is read again, and for good
once such questions were asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Bundled = Literal["minilm", "multilingual"]

_FOREIGN_SHARE = 0.10


def choose(characters: Mapping[str, int], current: str = "", *, is_asked_otherwise: bool = False) -> Bundled:
    """Choose the bundled embedding by the languages of the documents and of the questions about them.

    Args:
        characters: Length of the corpus' texts by ISO 639-1 code.
        current: The current embedding of the corpus; empty if there is none, or everything is read again.
        is_asked_otherwise: People ask in languages that `minilm` does not know.
    """
    if is_asked_otherwise or current == "multilingual":
        return "multilingual"
    total = sum(characters.values())
    foreign = total - characters.get("en", 0)
    return "multilingual" if total and foreign / total >= _FOREIGN_SHARE else "minilm"
