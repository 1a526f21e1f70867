"""Made-up texts with the word frequencies of a natural language, the same in every run."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

_SYLLABLES = [a + b for a, b in itertools.product("bdfgklmnprstvz", "aeiou")]


class Writer:
    """Writes texts from a vocabulary in which the n-th word is n times as rare as the first."""

    def __init__(self, seed: int = 1, words: int = 20_000) -> None:
        self._random = random.Random(seed)
        self._words = [
            "".join(self._random.choices(_SYLLABLES, k=self._random.randint(1, 4))) for _ in range(words)
        ]
        self._cumulative = list(itertools.accumulate(1 / (rank + 1) for rank in range(words)))

    def text(self, words: int) -> str:
        """Return a text of the given number of words, in sentences of twelve words."""
        drawn = self._random.choices(self._words, cum_weights=self._cumulative, k=words)
        return " ".join(
            " ".join(drawn[start : start + 12]).capitalize() + "." for start in range(0, len(drawn), 12)
        )


def write_corpus(folder: Path, passages: int, words: int = 120) -> Path:
    """Write Markdown files that are split into about the given number of passages; return their folder."""
    writer = Writer()
    folder.mkdir(parents=True)
    for number in range(0, passages, 10):
        sections = (
            f"## {writer.text(3)}\n\n{writer.text(words)}\n" for _ in range(min(10, passages - number))
        )
        (folder / f"page{number}.md").write_text(f"# {writer.text(2)}\n\n" + "\n".join(sections), "utf-8")
    return folder
