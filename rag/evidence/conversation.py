"""What a conversation has stated: the part of it that may support an answer.

A question states nothing, and neither does a sentence that declines: whoever repeats "the documents do not
say it" gives no answer, however often it was said before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rag.evidence import bank
from rag.evidence.claims import declines
from rag.language.sentences import sentences
from rag.values import Turn

_ASKING = ("?", "？", "؟")
_CLOSING = " \t\n\"'”’»)）]】」』*_~"


@dataclass(frozen=True, slots=True)
class Told:
    """Something that was said.

    Args:
        stated: Its sentences that state something.
        around: The whole of it, with the message that it answers: what it is about.
    """

    stated: str
    around: str


def told(turns: Iterable[Turn], summary: str = "") -> tuple[Told, ...]:
    """What messages and a summary of earlier ones state, oldest first.

    Args:
        turns: The messages that count, oldest first.
        summary: What fell out of the window; its sentences count one by one, each with the one before it.
    """
    found: list[Told] = []
    before = ""
    for sentence in _stating(summary):
        found.append(Told(sentence, f"{before} {sentence}"))
        before = sentence
    asked = ""
    for turn in turns:
        around = f"{asked}\n{turn.text}" if turn.role == "assistant" else turn.text
        if stated := "\n".join(_stating(turn.text)):
            found.append(Told(stated, around))
        asked = turn.text if turn.role == "user" else asked
    return tuple(found)


def _stating(text: str) -> list[str]:
    return [
        sentence.text
        for sentence in sentences(text)
        if not sentence.text.rstrip(_CLOSING).endswith(_ASKING) and not declines(bank.fold(sentence.text))
    ]
