"""Finds the passage that contains a text, and adds markers that cite it; pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evaluate import gold
from rag.language.detect import detect
from rag.language.sentences import sentences
from rag.language.words import content_terms
from rag.values import Passage


def with_holder(
    found: Sequence[Passage], document: Sequence[Passage], question: str, text: str
) -> tuple[tuple[Passage, ...], int]:
    """Return the passages that a writer of a text could have seen, and the one that contains the text.

    Args:
        found: Results of a search for the question, best first.
        document: The stored passages of the documents that contain the text; if empty, any found passage can.
        question: What was asked.
        text: What the writer wrote.

    Returns:
        The passages, and the number of the containing one, counted from 1; 0 if there are no passages. If the
        search did not find it, it comes last.
    """
    sources = {passage.source for passage in document}
    own = [passage for passage in found if not sources or passage.source in sources]
    candidates = [*own, *document]
    if not candidates:
        return tuple(found), 0
    language = detect(question)
    said, asked = (set(content_terms(words, language)) for words in (text, question))

    def nearness(passage: Passage) -> tuple[bool, int, int]:
        terms = set(content_terms(passage.text, language))
        return gold.mentions(passage.text, [text]), len(said & terms), len(asked & terms)

    holder = max(candidates, key=nearness)  # of equals the first, so found passages come before stored ones
    shown = tuple(found) if holder in found else (*found, holder)
    return shown, shown.index(holder) + 1


def marked(text: str, number: int) -> str:
    """The text with every sentence citing passage `number`; unchanged if there is no such passage."""
    if not number:
        return text
    pieces: list[str] = []
    position = 0
    for sentence in sentences(text):
        end = sentence.start + len(sentence.text.rstrip())
        pieces += [text[position:end], f" [{number}]"]
        position = end
    return "".join([*pieces, text[position:]])
