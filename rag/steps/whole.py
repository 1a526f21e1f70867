"""Read a whole document for a message that asks for its summary.

The best five passages are no document: a summary of them leaves out what nobody searched for. So the
document that the message names is read from its first passage to its last, evenly thinned out if it is
longer than the limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import regex

from rag.knowledge.search import SearchResult
from rag.language import phrases
from rag.models.tokens import estimate_tokens
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps.classify import find_carried_passages
from rag.values import Classification, Passage, Question

_WORD = regex.compile(r"\p{Han}|(?:(?!\p{Han})[\p{L}\p{M}\p{N}])++")
_MIN_STEM = 4
_ENDING = 2
"""A word of the message may have another ending than that of a name, of so many letters: "отпуска"."""


@dataclass(frozen=True, slots=True)
class Whole:
    """The part of a document that is read.

    Args:
        passages: Its passages in their order; all of them unless it is too long.
        count: How many it has.
    """

    passages: tuple[Passage, ...] = ()
    count: int = 0

    @property
    def is_partial(self) -> bool:
        """Whether passages were left out because the document is too long."""
        return len(self.passages) < self.count


async def read_whole(run: Run, classification: Classification, probe: SearchResult) -> Outcome[Whole]:
    """Read the document that a message wants summed up; nothing if it is not known which one."""
    found = tuple(hit.passage for hit in probe.hits)
    source = find_document(run.question.text, classification, find_carried_passages(run.question), found)
    passages = await run.tools.corpus.document(source) if source else ()
    read = thin_out(passages, run.tools.self_correction.document_tokens)
    if not read:
        return Outcome(Whole(), Reason("no-document-named"))
    return Outcome(
        Whole(read, len(passages)),
        Reason(
            "document-read",
            {"document": read[0].document, "passages": len(read), "count": len(passages)},
        ),
    )


def find_document(
    message: str, classification: Classification, carried: Sequence[Passage], found: Sequence[Passage]
) -> str:
    """Return the key of the document that a message is about, or an empty string.

    It is the one that the message names by its file, title or heading, else for a follow-up the one behind
    the latest answer, else the only one that there is.
    """
    named = [
        (len(name), -place, passage.source)
        for place, passage in enumerate((*carried, *found))
        for name in _names(passage)
        if is_named(name, message)
    ]
    if named:
        return max(named)[2]
    if carried and classification.intent == "follow_up":
        return carried[0].source
    sources = {passage.source for passage in found}
    return found[0].source if len(sources) == 1 else ""


def is_named(name: str, message: str) -> bool:
    """Return whether the words of a name stand in a message, one after the other."""
    stems = [word.casefold() for word in _WORD.findall(name)]
    stems = [word[: max(len(word) - _ENDING, _MIN_STEM)] for word in stems]
    said = [word.casefold() for word in _WORD.findall(message)]
    return bool(stems) and any(
        all(word.startswith(stem) for word, stem in zip(said[at:], stems, strict=False))
        for at in range(len(said) - len(stems) + 1)
    )


def thin_out(passages: Sequence[Passage], tokens: int) -> tuple[Passage, ...]:
    """Return passages within a limit of estimated tokens: all, or evenly chosen ones from first to last."""
    sizes = [estimate_tokens(passage.text) for passage in passages]
    if sum(sizes) <= tokens:
        return tuple(passages)
    for count in range(len(passages) - 1, 0, -1):
        chosen = evenly(range(len(passages)), count)
        if sum(sizes[one] for one in chosen) <= tokens:
            return tuple(passages[one] for one in chosen)
    return tuple(passages[:1])


def evenly(places: Sequence[int], count: int) -> list[int]:
    """Return `count` of the places, the first one among them, at equal distances."""
    return [places[number * len(places) // count] for number in range(min(count, len(places)))]


def wants_summary(classification: Classification, question: Question) -> bool:
    """Return whether a message asks to sum a document up, and not the conversation before it."""
    is_of_talk = bool(question.history) and phrases.asks_for_summary_of_talk(question.text)
    is_asked = phrases.asks_for_summary(question.text)
    return is_asked and not is_of_talk and classification.intent != "small_talk"


def _names(passage: Passage) -> Iterable[str]:
    stem = PurePath(passage.source).stem
    headings = passage.section.split(" > ")
    return dict.fromkeys(name for name in (passage.document, stem, headings[0]) if name)
