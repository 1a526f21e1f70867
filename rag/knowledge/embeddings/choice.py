"""Which bundled embedding suits a corpus.

`minilm` is four to ten times as fast and at home in English only; `multilingual` knows a hundred languages.
A wrong choice costs far more on one side: an English model finds next to nothing in a Russian page, the
multilingual one is only slower. So a tenth of other languages is enough to choose it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Bundled = Literal["minilm", "multilingual"]

_FOREIGN_SHARE = 0.10
# Going back needs less than half of that: a page more or less must not embed the corpus anew each time.
_FOREIGN_SHARE_TO_RETURN = 0.05


def choose(characters: Mapping[str, int], current: str = "") -> Bundled:
    """Choose by the languages of the corpus.

    Args:
        characters: Length of the corpus' texts by ISO 639-1 code.
        current: The embedding the corpus has now, or an empty string.
    """
    total = sum(characters.values())
    foreign = total - characters.get("en", 0)
    limit = _FOREIGN_SHARE_TO_RETURN if current == "multilingual" else _FOREIGN_SHARE
    return "multilingual" if total and foreign / total >= limit else "minilm"
