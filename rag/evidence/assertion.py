"""Reduce a short text to what it says beyond its question: facts, words, and qualifiers such as "only"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import regex

from rag.evidence import bank
from rag.evidence.directions import without_limits
from rag.evidence.statement_rules import HARD
from rag.evidence.statements import remove_opening
from rag.language import numerals
from rag.language.characters import normalise_characters
from rag.language.qualifiers import qualifiers
from rag.language.sentences import MARKER
from rag.language.units import Unit, missing, units
from rag.language.words import content_terms, terms

LONGEST_TEXT = 1_500
"""Maximum number of compared characters of an answer, a question or a reading."""

_MARKUP = regex.compile(
    rf"{MARKER}|\[\^[^\]\s]{{1,20}}\]|[*_~]{{2,}}|^[ \t]*(?:#{{1,6}}|>|[-*+•])[ \t]+", regex.MULTILINE
)
_TELLING = HARD | {"all", "some"}
_MOMENTS = frozenset({"before", "after"})
_LEADING_MARKS = " \"'“”«»„‘’「」『』《》(（*_,;:，、；：¿¡"
_TRAILING_MARKS = " \"'“”«»„‘’「」『』《》)）*_.,;:!?。，、；：！？…"
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_CYRILLIC = regex.compile(r"\p{Cyrillic}")
_MIN_PREFIX = 4
_MAX_ENDING = 3
_HAN_LETTER = regex.compile(r"\p{Han}")
_HAN_PAIR = regex.compile(r"\p{Han}\p{Han}")


@dataclass(frozen=True, slots=True)
class Assertion:
    """An answer or a reading, without what the question already says.

    Args:
        text: Its words in their case, without citations, opening and quotation marks.
        facts: Its numbers, dates, times and code that the question does not state.
        words: Stems of its content words that are neither in a fact nor in the question, in order.
        terms: Stems of all its words, those of the question included.
        rules: The kinds of its qualifiers: "only", "at least", "before", "all" …
    """

    text: str
    facts: tuple[Unit, ...]
    words: tuple[str, ...]
    terms: frozenset[str]
    rules: frozenset[str]

    @property
    def is_echo(self) -> bool:
        """Whether the text says nothing beyond the question."""
        return not self.facts and not self.words

    def in_words(self, words: tuple[str, ...]) -> Assertion:
        """Return the same assertion with other words."""
        return replace(self, words=words, terms=self.terms.union(words))


@lru_cache(maxsize=512)  # one reading is compared with the draft and with its rewritten form
def read(text: str, question: str, language: str) -> Assertion:
    """Build the assertion of an answer or a reading.

    Args:
        text: A sentence or a few words.
        question: The question that it answers.
        language: ISO 639-1 code of the text, for stems and numbers.
    """
    said = _without_opening(normalise(text))
    asked = normalise(question)
    stated = facts(said, language)
    own_facts = tuple(missing(stated, asked)) if stated else ()
    known = question_terms(question, language)
    words = words_beside(said, stated, language)
    own_words = _select_unknown(
        words_beside(_without_asked_pairs(said, asked), stated, language), known, stated
    )
    own_words = own_words or _select_unknown(words, known, stated)
    if not own_facts and not words and stated:
        own_facts = tuple(stated)  # "How many of the 5 servers have failed?" - "5"
    return Assertion(said, own_facts, own_words, frozenset([*words, *terms(said, language)]), rules(said))


def find_unpaired(mine: Assertion, theirs: Assertion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words beyond the question that only one of two texts has, ignoring other forms of a word."""
    only_mine = [stem for stem in mine.words if stem not in theirs.terms]
    only_theirs = [stem for stem in theirs.words if stem not in mine.terms]
    has_initials = len(only_mine) < len(mine.words) and len(only_theirs) < len(theirs.words)
    for stem in list(only_mine):
        twin = next((other for other in only_theirs if _are_forms(stem, other, has_initials)), "")
        if twin:
            only_mine.remove(stem)
            only_theirs.remove(twin)
    return tuple(only_mine), tuple(only_theirs)


def _are_forms(one: str, other: str, has_initials: bool) -> bool:
    """Return whether two stems are one word: a name and its initial, or Cyrillic with an ending left."""
    if min(len(one), len(other)) == 1:
        return has_initials and one[0] == other[0] and not is_unspaced(one)
    if not (_CYRILLIC.match(one) and _CYRILLIC.match(other)):
        return False
    pairs = enumerate(zip(one, other, strict=False))
    common = next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
    return common >= _MIN_PREFIX and max(len(one), len(other)) - common <= _MAX_ENDING


def _select_unknown(words: Iterable[str], known: frozenset[str], stated: Sequence[Unit]) -> tuple[str, ...]:
    """Return the unknown words, each once; single Chinese characters only if nothing else is left."""
    own = tuple(dict.fromkeys(word for word in words if word not in known))
    if len(own) < 2 and not stated:
        return own
    return tuple(word for word in own if not (len(word) == 1 and _HAN_LETTER.match(word)))


def normalise(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return `text` on one line, in NFKC and simplified Chinese, without markers and markup."""
    bare = _MARKUP.sub(" ", text[:longest])
    return " ".join(normalise_characters(bare).split())


def facts(text: str, language: str) -> list[Unit]:
    """Return the numbers, dates, times and code of a plain text.

    A number word also counts if it is capitalised at the start, or is the whole text ("One").
    """
    found = units(text, language, with_names=False)
    if found:
        return found
    folded = text.casefold()
    if found := [unit for unit in units(folded, language, with_names=False) if unit.kind == "number"]:
        return found
    word = folded.strip(_TRAILING_MARKS)
    for number in numerals.numerals(word, language, liberal=True) if len(word) < 40 else []:
        if number.start == 0 and number.end == len(word):
            start = folded.find(word)
            return [Unit("number", word, number.normal, start, start + len(word))]
    return []


def words_beside(text: str, stated: Iterable[Unit], language: str) -> list[str]:
    """Return the stems of the content words of a plain text outside its facts, in order."""
    letters = list(text)
    for fact in stated:
        letters[fact.start : fact.end] = " " * (fact.end - fact.start)
    return content_terms("".join(letters), language)


def _without_asked_pairs(text: str, asked: str) -> str:
    """Return a text with the Chinese of the question replaced by spaces, so that no pair spans a gap."""
    pairs = {asked[at : at + 2] for at in range(len(asked) - 1) if _HAN_PAIR.match(asked, at)}
    if not pairs:
        return text
    letters = list(text)
    for at in range(len(text) - 1):
        if text[at : at + 2] in pairs:
            letters[at : at + 2] = "  "
    return "".join(letters)


@lru_cache(maxsize=256)
def question_terms(question: str, language: str) -> frozenset[str]:
    """Return the stems of a question, its function words included."""
    text = normalise(question)
    return frozenset([*terms(text, language), *content_terms(text, language)])


def is_unspaced(text: str) -> bool:
    """Return whether a text has letters of a script without spaces, whose stems are pairs of characters."""
    return bool(_UNSPACED.search(text))


def content(text: str, language: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return frozenset(content_terms(normalise(text), language))


def rules(text: str) -> frozenset[str]:
    """Return the kinds of qualifiers that change a text's meaning; "not before" is not "before"."""
    found = frozenset(qualifiers(text)) & _TELLING
    return found - (_MOMENTS - frozenset(qualifiers(without_limits(bank.fold(text)))))


def _without_opening(text: str) -> str:
    """Return a plain text without "the answer is" and quotation marks, its letters' case kept."""
    folded = bank.fold(text)
    body = remove_opening(folded)
    start = folded.find(body)
    if len(folded) == len(text) and start >= 0:
        body = text[start : start + len(body)]
    return body.lstrip(_LEADING_MARKS).rstrip(_TRAILING_MARKS) or text
