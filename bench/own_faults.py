"""What the free checks catch of the faults that a model really made, and their alarms on its whole texts.

``bench/record.py`` recorded the texts, and each was labelled by reading it. The checks are not told
why the model stopped: not every server says so, and where it does, a cut is no question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bench.inserted_faults import Case
from bench.sets import DATA
from bot.evaluate import rows

PATH = DATA / "own_faults.jsonl"

KINDS: Mapping[str, frozenset[str]] = {
    "cut": frozenset({"truncated"}),
    "other_language": frozenset({"wrong_language"}),
    "mixed_language": frozenset({"wrong_language", "stray_characters"}),
    "loop": frozenset({"repetition"}),
    "echo": frozenset({"leftover"}),
    "opener": frozenset({"leftover"}),
    "delimiter": frozenset({"leftover"}),
    "empty": frozenset({"empty", "citation"}),
}
"""The faults, and the kinds of finding that count as catching them. ``echo`` repeats the question,
``delimiter`` the tags of a prompt; ``empty`` says nothing, such as markers alone; ``mixed_language`` has
words or letters of another language in it."""


class RecordedText(rows.Row):
    """A text of the model; `faults` are those that a person found in it, None before anybody has read it."""

    lang: str
    question: str
    text: str
    shown: int
    faults: tuple[str, ...] | None = None


def cases() -> Iterator[Case]:
    for row in rows.read(PATH, RecordedText).rows:
        for fault in row.faults or ("",) if row.faults is not None else ():
            kinds = KINDS[fault] if fault else frozenset[str]()
            yield Case(row.lang, fault, row.text, kinds, row.question, row.shown or None)
