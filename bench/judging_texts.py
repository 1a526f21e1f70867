"""The texts that the measurements of `bench.judging` run on, by the corpus that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.layer_effects import Text
from bench.sets import DRAFTS, HANDBOOKS, SHARED, WRITTEN
from bot.evaluate import rows, stream

_TALK = 24


@dataclass(frozen=True, slots=True)
class Ground:
    """Texts and the corpus that their questions are about.

    Args:
        name: Name of the corpus.
        corpus: Its files.
        texts: What the model wrote: drafts, then answers from passages.
        is_own: It ships with the repository, and so do the replies of reviewer and critic to its texts.
    """

    name: str
    corpus: tuple[Path, ...]
    texts: tuple[Text, ...]
    is_own: bool


def grounds() -> Iterator[Ground]:
    """Every corpus that is there, with what was written about it."""
    texts = recorded()
    own = tuple(text for text in texts if text.set in {"handbooks", "everyday"})
    yield Ground("handbooks", HANDBOOKS, own, is_own=True)
    trivia = SHARED / "eval" / "retrievalqa" / "corpus.jsonl"
    others = tuple(text for text in texts if text.set == "retrievalqa")
    if others and trivia.exists():
        yield Ground("retrievalqa", (trivia,), others, is_own=False)


def recorded() -> tuple[Text, ...]:
    """Every recorded text."""
    return tuple(text for path in (DRAFTS, WRITTEN) if path.exists() for text in rows.read(path, Text).rows)


def small_talk() -> tuple[rows.LabelledQuestion, ...]:
    """Some of the shipped messages that are no questions, in every language."""
    return tuple(stream.spread([row for row in stream.everyday() if row.kind == "small_talk"], _TALK))
