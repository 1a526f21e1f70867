"""What the evidence rules know about human languages; the words are data (``bank.yaml``)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import regex
import yaml

from rag.language.han import simplified

FALLBACK = "en"
"""The language whose phrases are used for languages without their own block."""


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How one language declines, opens an answer, asks for a task, and so on.

    Args:
        refusals: Sentences that decline, to be compared by meaning.
        pairs: Questions with their right answers: examples of "about the same thing".
        everyday: Questions that anybody can answer from common knowledge.
        particular: Questions that need knowledge of this person, place, product or team.
    """

    refusals: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    everyday: tuple[str, ...]
    particular: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts to embed, in the order in which `Landmarks` splits their vectors."""
        return (
            *self.refusals,
            *(question for question, _ in self.pairs),
            *(answer for _, answer in self.pairs),
            *self.everyday,
            *self.particular,
        )


@dataclass(frozen=True, slots=True)
class Patterns:
    """Compiled patterns of all languages together: chats mix languages, and a pattern knows its own."""

    declining: tuple[regex.Pattern[str], ...]
    ignorance: tuple[regex.Pattern[str], ...]
    openings: tuple[regex.Pattern[str], ...]
    tasks: tuple[regex.Pattern[str], ...]
    recent: tuple[regex.Pattern[str], ...]
    moments: tuple[regex.Pattern[str], ...]
    ours: tuple[regex.Pattern[str], ...]
    amounts: tuple[regex.Pattern[str], ...]


@cache
def phrasing(language: str) -> Phrasing:
    """The phrases of a language, or English ones if it has none."""
    blocks = _blocks()
    block = blocks.get(language, blocks[FALLBACK])
    return Phrasing(
        refusals=tuple(block["refusals"]),
        pairs=tuple(
            (question, answer) for question, _, answer in (p.partition(" => ") for p in block["pairs"])
        ),
        everyday=tuple(block["everyday"]),
        particular=tuple(block["particular"]),
    )


@cache
def patterns() -> Patterns:
    """The patterns, compiled once."""

    def compiled(key: str) -> tuple[regex.Pattern[str], ...]:
        return tuple(regex.compile(pattern) for block in _blocks().values() for pattern in block[key])

    return Patterns(
        *(
            compiled(key)
            for key in (
                "declining",
                "ignorance",
                "openings",
                "tasks",
                "recent",
                "moments",
                "ours",
                "amounts",
            )
        )
    )


def languages() -> tuple[str, ...]:
    """ISO 639-1 codes of the languages that have a block of their own."""
    return tuple(_blocks())


def fold(text: str) -> str:
    """`text` as the patterns expect it: lower case, simplified Chinese, plain apostrophes and spaces."""
    folded = simplified(unicodedata.normalize("NFKC", text)).casefold().replace("’", "'")
    return " ".join(folded.split())


@cache
def _blocks() -> dict[str, dict[str, list[str]]]:
    text = Path(__file__).with_name("bank.yaml").read_text(encoding="utf-8")
    blocks: dict[str, dict[str, list[str]]] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - the safe loader, in C where there is one
    return blocks
