"""Grades an answer as right, wrong or a refusal; pure, and without a model.

- A row with a `sentence`: right when the answer quotes it (`quoting.quotes`), whatever else it says.
- A row with a `polarity`: an answer that opens with yes or no is right if that is expected, and otherwise
  wrong, even beside the right quotation. A "yes" elsewhere in a text does not count.
- A row with `answers`: right when the answer holds one of them (`gold.holds`).
- A row with a `reference` alone: right when the answer says enough of what the reference says beyond the
  question, by rare words, and not less than half of its facts (numbers, dates, code). Paraphrases
  are missed and wrong relations pass, so such rows can compare systems, but are not absolute figures.
- Small talk: right when the answer neither declines nor cites documents.
- An answer that declines, or is labelled as not in the documents, is a refusal; a question back counts as
  one where the question was ambiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import regex

from bot.evaluate import gold, polarity, quoting
from bot.evaluate.rows import LabelledQuestion
from rag.evidence import statements
from rag.evidence.decision import REFUSAL_THRESHOLD
from rag.language.detect import detect
from rag.language.sentences import MARKER, sentences
from rag.language.units import missing, units
from rag.language.words import content_terms
from rag.values import Label, Passage

Outcome = Literal["right", "wrong", "refused_rightly", "refused_wrongly"]
Rarity = Callable[[Iterable[str]], Mapping[str, float]]

_SAYS_ENOUGH = 0.4
"""Minimum share of a reference's distinctive words in an answer; see docs/how-good-is-it.md."""

_MOST_FACTS_MISSING = 0.5
_BRIEF_SENTENCES = 4
"""Maximum sentences of a brief answer: one introduction and a quotation of three; chosen, not fitted."""

_MARKER = regex.compile(rf"(?:(?<!\s)\s++)?{MARKER}")
_ASKS_BACK = regex.compile(r"[?？؟](?:(?![?？؟])\W)*+$")
_REFUSABLE = {"unanswerable", "underspecified"}
_LEFT_OPEN: frozenset[Label] = frozenset({"not_in_documents", "unverified"})


def can_grade(row: LabelledQuestion) -> bool:
    """Return whether a row has a gold answer."""
    tells = row.answers or row.reference or row.sentence or row.polarity
    return bool(tells) or row.kind == "small_talk" or is_refusable(row)


def is_refusable(row: LabelledQuestion) -> bool:
    """Return whether a refusal is the right answer to a question."""
    return row.kind in _REFUSABLE


def grade(row: LabelledQuestion, text: str, label: Label, rarity: Rarity, *, cites: bool) -> Outcome:
    """Grade an answer.

    Args:
        text: The answer; its citation markers do not count.
        rarity: How rare index terms are in the corpus, 0-1.
        cites: The answer cites documents.
    """
    said = _MARKER.sub("", text)
    language = row.lang or detect(row.question)
    if row.kind == "small_talk":
        return "refused_wrongly" if declines(said, language) else "wrong" if cites else "right"
    is_quoted = _quotes(row, said)
    refuses = label == "not_in_documents" or (not is_quoted and declines(said, language))
    if row.kind == "underspecified" and _ASKS_BACK.search(said):
        refuses = True
    if refuses:
        return "refused_rightly" if is_refusable(row) else "refused_wrongly"
    if row.polarity and (opening := polarity.opening(said, language)):
        return "right" if opening == row.polarity else "wrong"
    return "right" if is_quoted or _answers(row, said, language, rarity) else "wrong"


def is_left_open(text: str, label: Label, language: str) -> bool:
    """Return whether the label or the text tells the reader not to rely on an answer."""
    return label in _LEFT_OPEN or declines(_MARKER.sub("", text), language)


def is_brief(text: str) -> bool:
    """Return whether an answer is short enough to be graded; a whole page would contain any answer."""
    said = (sentence.text for sentence in sentences(_MARKER.sub("", text)))
    return sum(any(map(str.isalnum, sentence)) for sentence in said) <= _BRIEF_SENTENCES


def declines(text: str, language: str) -> bool:
    """Return whether most of a text declines to answer; an empty text counts as declining."""
    return not text.strip() or statements.read(text, language).declining >= REFUSAL_THRESHOLD


def holds_gold(row: LabelledQuestion, passage: Passage) -> bool | None:
    """Return whether a cited passage contains the answer; None if the row has no gold answer."""
    if row.passages:
        return passage.source in row.passages
    if row.sentence:
        return quoting.quotes(passage.text, row.sentence)
    if row.answers:
        return gold.mentions(f"{passage.document}\n{passage.section}\n{passage.text}", row.answers)
    return None


def likeness(text: str, reference: str, question: str, language: str, rarity: Rarity) -> float:
    """Return the share (0-1) of a reference, beyond the question, that a text says; rare words count more."""
    told = set(content_terms(reference, language)) - set(content_terms(question, language))
    weights = rarity(told or set(content_terms(reference, language)))
    total = sum(weights.values())
    said = set(content_terms(text, language))
    return sum(weight for term, weight in weights.items() if term in said) / total if total else 0.0


def _quotes(row: LabelledQuestion, said: str) -> bool:
    """Return whether an answer quotes the gold sentence, including the gold answer in it."""
    if not row.sentence or not quoting.quotes(said, row.sentence):
        return False
    inside = [answer for answer in row.answers if gold.holds(row.sentence, [answer])]
    return not inside or gold.holds(said, inside)


def _answers(row: LabelledQuestion, said: str, language: str, rarity: Rarity) -> bool:
    """Return whether an answer contains a gold answer or, if there is none, enough of the reference."""
    if row.answers:
        asks_yes_or_no = row.polarity is not None
        telling = [one for one in row.answers if not (asks_yes_or_no and polarity.is_bare(one, language))]
        return gold.holds(said, telling)
    if is_refusable(row) or not row.reference:
        return False
    return _says(said, row.reference, row.question, language, rarity)


def _says(text: str, reference: str, question: str, language: str, rarity: Rarity) -> bool:
    facts = missing(units(reference, language, with_names=False), units(question, language, with_names=False))
    lacking = len(missing(facts, text)) / len(facts) if facts else 0.0
    enough = likeness(text, reference, question, language, rarity) >= _SAYS_ENOUGH
    return enough and lacking <= _MOST_FACTS_MISSING
