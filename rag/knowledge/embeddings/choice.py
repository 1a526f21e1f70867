"""Chooses the bundled embedding that suits a corpus.

`minilm` is four to ten times as fast, but only for English; `multilingual` knows a hundred languages. One
mistake is worse than the other: an English model finds almost nothing in a Russian page, while the
multilingual one is only slower. So a tenth of other languages is enough to choose `multilingual`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Bundled = Literal["minilm", "multilingual"]

_FOREIGN_SHARE = 0.10
# Going back needs less than half of that, so that one page more or less does not embed the corpus again.
_FOREIGN_SHARE_TO_RETURN = 0.05


def choose(characters: Mapping[str, int], current: str = "") -> Bundled:
    """Choose by the languages of the corpus.

    Args:
        characters: Length of the corpus' texts by ISO 639-1 code.
        current: The current embedding of the corpus, or an empty string.
    """
    total = sum(characters.values())
    foreign = total - characters.get("en", 0)
    limit = _FOREIGN_SHARE_TO_RETURN if current == "multilingual" else _FOREIGN_SHARE
    return "multilingual" if total and foreign / total >= limit else "minilm"
