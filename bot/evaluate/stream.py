"""Builds the mixed stream: questions about the documents, small talk and general knowledge in turn.

A chat is not an exam about its documents. Half of the stream is everyday talk in six languages, which ships
with the product; the other half is the measured set.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

from bot.evaluate import grading, rows
from bot.evaluate.rows import LabelledQuestion, LabelledSet

EVERYDAY = Path(__file__).with_name("everyday.jsonl")
Group = Literal["documents", "small_talk", "general"]

T = TypeVar("T")


def group(row: LabelledQuestion) -> Group:
    """Return the kind of talk of a row."""
    if row.kind == "small_talk":
        return "small_talk"
    return "general" if row.kind == "general" else "documents"


def everyday() -> tuple[LabelledQuestion, ...]:
    """Return the shipped rows: small talk and general knowledge in turn, and languages in turn."""
    return rows.read(EVERYDAY, LabelledQuestion).rows


def mixed(labelled: LabelledSet[LabelledQuestion], limit: int | None) -> tuple[LabelledQuestion, ...]:
    """Return the stream: one question about the documents, one of everyday talk, and so on.

    Args:
        limit: Total number of questions. None means every gradable row of the set and at most the same number
            of everyday questions. A smaller stream takes rows evenly from the whole set.
    """
    asked = [row for row in labelled.rows if grading.can_grade(row)]
    talk = everyday()
    count = len(asked) if limit is None else min(len(asked), (limit + 1) // 2)
    documents = spread(asked, count)
    others = talk[: count if limit is None else max(0, limit - count)]
    stream: list[LabelledQuestion] = []
    for number in range(max(len(documents), len(others))):
        stream += [*documents[number : number + 1], *others[number : number + 1]]
    return tuple(stream)


def spread(values: Sequence[T], count: int) -> list[T]:
    """Choose the given number of values, evenly spread over all of them."""
    count = min(count, len(values))
    return [values[number * len(values) // count] for number in range(count)]
