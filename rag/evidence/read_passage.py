"""A passage that a reader has seen: its sentences, its names, and which words belong together in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache

import regex

from rag.evidence import assertion, bank
from rag.evidence.assertion import Assertion
from rag.evidence.fact_agreement import are_rivals, is_same
from rag.language.names import names
from rag.language.negation import clauses, denies
from rag.language.sentences import sentences
from rag.language.units import units
from rag.language.words import content_terms, terms

_MAX_PASSAGE_CHARACTERS = 6_000
"""Maximum characters of a passage that are compared; the splitter makes far shorter passages."""
_NEARLY_WHOLE = 0.6
"""Minimum share of a sentence's characters for a quotation to count as the whole sentence."""
_BEFORE_PARENTHESIS = 120
_PARENTHESES = regex.compile(r"[(（]([^()（）]{1,80})[)）]")
_CAPITALISED = regex.compile(r"\p{Lu}[\p{Ll}\p{M}'’]+(?:[ -]\p{Lu}[\p{L}\p{M}'’]*)+")
_CODE = regex.compile(r"`([^`\n]{1,80})`")
_MAX_CODES = 50
_WORD = regex.compile(r"[\w'’-]+")
_LETTER_OR_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]|\p{N}+(?:[.,]\p{N}+)*+|[\p{L}\p{M}'’]+"
)
_CYRILLIC = regex.compile(r"\p{Cyrillic}")


class ReadPassage:
    """A passage, prepared for the comparison with answer and reading.

    Args:
        text: The passage's text.
        question: The question.
        language: ISO 639-1 code of answer and reading, for the stems.
    """

    def __init__(self, text: str, question: str, language: str) -> None:
        self.text = assertion.normalise(text, _MAX_PASSAGE_CHARACTERS)
        self._asked = assertion.content(question, language)
        self._language = language

    @cached_property
    def proper(self) -> frozenset[str]:
        """Stems of the words in its names."""
        return frozenset().union(*self.names)

    @cached_property
    def names(self) -> tuple[frozenset[str], ...]:
        """Its names as sets of stems; at the start of a sentence, only names of several words."""
        found = (name.normal.split() for name in names(self.text, self._language))
        runs = (content_terms(run, self._language) for run in _CAPITALISED.findall(self.text))
        return tuple(frozenset(stems) for stems in (*found, *runs) if stems)

    def with_code(self, text: str) -> str:
        """Return a text with backticks around the code of the passage, because readers leave them out."""
        bare = text.replace("`", "")
        codes = sorted({code.group(1) for code in _CODE.finditer(self.text)}, key=len, reverse=True)
        if not codes or len(codes) > _MAX_CODES:
            return text
        names = "|".join(map(regex.escape, codes))
        return regex.sub(rf"(?<![\w-])(?:{names})(?![\w-])", r"`\g<0>`", bare)

    def sentence_of(self, text: str) -> str:
        """Return the sentence with most words of a text and of the question; empty for an empty passage."""
        return self._sentences[self._place_of(text)][0] if self._sentences else ""

    def clause_of(self, text: str) -> str:
        """Return the clause of that sentence with most words of a text."""
        return clause_with(self.sentence_of(text), text, self._language)

    def holds(self, text: str) -> bool:
        """Return whether the passage contains a text word for word."""
        return _plain(text) in self._folded

    def surrounds(self, text: str, reading: str) -> bool:
        """Return whether a text is verbatim text of the sentence in which the reading stands."""
        return _plain(text) in _plain(self.sentence_of(reading))

    def has_only_inside(self, reading: str, text: str) -> bool:
        """Return whether a text is verbatim text here, and every occurrence of the reading is inside of it.

        Then the reading can only mean that place: "Beryl" in "the tropical storm Beryl", or the first item of
        a list.
        """
        inner, outer = self._split(reading), self._split(text)
        around, places = (_find_runs(run, self._words) for run in (outer, inner))
        nearest = [(at, around[bisect_right(around, at) - 1]) for at in places if around and around[0] <= at]
        return len(nearest) == len(places) > 0 and all(
            at + len(inner) <= start + len(outer) for at, start in nearest
        )

    def quotes(self, text: str, reading: str) -> bool:
        """Return whether a text is the reading's sentence, or most of it including its limits."""
        sentence = self.sentence_of(text)
        return (
            self.holds(text)
            and len(text) >= _NEARLY_WHOLE * len(sentence)
            and sentence == self.sentence_of(reading)
            and denies(text) == denies(sentence)
            and assertion.rules(text) == assertion.rules(sentence)
        )

    def speaks_elsewhere_of(self, words: Sequence[str], said: Assertion, reading: Assertion) -> bool:
        """Return whether the passage has words of an answer only in places away from the reading.

        Away means another sentence, except the one before, or another clause with a fact that could replace
        the reading's: in "backups are kept for 35 days and logs for 7" the logs belong to the 7. Applies only
        if the answer leaves out a word of the question; if it contains none of them, only names count.

        Args:
            words: Words that only the answer has.
            said: The answer.
            reading: The reading.
        """
        if self._asked & self._around(reading) <= said.terms:
            return False  # the answer names everything that was asked
        if said.terms.isdisjoint(self._asked):
            words = [word for word in words if word in self.proper]
        if self.has_elsewhere(words, reading):
            return True
        return bool(reading.facts) and any(self._goes_with_rival(word, reading) for word in words)

    def has_elsewhere(self, words: Sequence[str], reading: Assertion) -> bool:
        """Return whether one of some words is in the passage, but not around the reading."""
        anywhere = frozenset().union(*(stems for _, stems in self._sentences))
        return not (anywhere - self._around(reading)).isdisjoint(words)

    def _around(self, reading: Assertion) -> frozenset[str]:
        """Return the stems of the reading's sentence and of the sentence before it."""
        place = self._place_of(reading.text)
        return frozenset().union(*(stems for _, stems in self._sentences[max(0, place - 1) : place + 1]))

    def adds(self, words: Sequence[str], said: Assertion, reading: Assertion) -> bool:
        """Return whether an answer has a clause that is not about the text around the reading.

        Args:
            words: Words that only the answer has.
            said: The answer.
            reading: The reading.
        """
        place = self._place_of(reading.text)
        near = self._sentences[max(0, place - 1) : place + 2]
        around = self._asked.union(*(stems for _, stems in near))
        for clause in clauses(said.text):
            own = frozenset(content_terms(clause, self._language)).intersection(words)
            if len(own) > 1 and 2 * len(own & around) < len(own):
                return True
        return False

    def _goes_with_rival(self, word: str, reading: Assertion) -> bool:
        found = False
        for clause in clauses(self.sentence_of(reading.text)):
            if word not in terms(clause, self._language):
                continue
            stated = units(clause, self._language, with_names=False)
            if any(is_same(one, fact) for one in stated for fact in reading.facts):
                return False
            found = found or any(are_rivals(one, fact) for one in stated for fact in reading.facts)
        return found

    def with_long_form(self, short: Assertion, long: Assertion) -> Assertion:
        """Return `short` in the words of `long` if the passage equates them: "International Court (IC)"."""
        wanted, given = frozenset(long.words), frozenset(short.words)
        if not wanted or not given or long.facts:
            return short
        for match in _PARENTHESES.finditer(self.text):
            inner = frozenset(content_terms(match.group(1), self._language))
            if not inner or not (inner <= given or inner == wanted):
                continue
            start = max(0, match.start() - _BEFORE_PARENTHESIS)
            before = content_terms(self.text[start : match.start()], self._language)
            if inner <= given and wanted <= frozenset(before[-len(wanted) - 1 :]):
                words = (*(word for word in short.words if word not in inner), *long.words)
                return short.in_words(words)
            if inner == wanted and given - inner <= frozenset(before[-len(given) - 1 :]):
                return short.in_words(long.words)
        return short

    def is_reordered(self, text: str, asked: frozenset[str]) -> bool:
        """Return whether a text has the words of a sentence here, but a name of the question changed sides.

        "Rossi reports to Bianchi" has every word of "Bianchi reports to Rossi". Not for Cyrillic, where
        endings rather than order say who does what.

        Args:
            text: The answer.
            asked: Stems of the question.
        """
        if _CYRILLIC.search(text) or self.holds(text):
            return False
        sentence, said = (bank.fold(one).rstrip(".。") for one in (self.sentence_of(text), text))
        if assertion.is_unspaced(text):
            return sorted(said) == sorted(sentence)
        order, words = _WORD.findall(sentence), _WORD.findall(said)
        if not set(words) <= set(order):
            return False
        named = [word for word in words if not self.proper.isdisjoint(terms(word, self._language))]
        own = next((word for word in named if asked.isdisjoint(terms(word, self._language))), "")
        known = [word for word in words if not asked.isdisjoint(content_terms(word, self._language))]
        if not own or not any(word in named for word in known):
            return False
        return all(
            _compare_position(word, own, words) * _compare_position(word, own, order) < 0 for word in known
        )

    @cached_property
    def _folded(self) -> str:
        return _plain(self.text)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return self._split(self.text)

    def _split(self, text: str) -> tuple[str, ...]:
        """Return the stems of a text's words in order; each letter of a script without spaces is one."""
        return tuple(next(iter(terms(word, self._language)), word) for word in _LETTER_OR_WORD.findall(text))

    @cached_property
    def _sentences(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Its sentences with their stems."""
        return tuple((one.text, frozenset(terms(one.text, self._language))) for one in sentences(self.text))

    def _place_of(self, text: str) -> int:
        wanted = frozenset(terms(text, self._language))
        shares = [(len(wanted & stems), len(self._asked & stems)) for _, stems in self._sentences]
        return shares.index(max(shares)) if shares else 0


@lru_cache(maxsize=64)  # the draft, its rewritten form and each claim are compared with the same passage
def read_passage(text: str, question: str, language: str) -> ReadPassage:
    """Build a `ReadPassage`; the latest ones are cached."""
    return ReadPassage(text, question, language)


def clause_with(text: str, wanted: str, language: str) -> str:
    """Return the clause of a text that shares most words with another text."""
    stems = frozenset(terms(wanted, language))
    return max(clauses(text), key=lambda one: len(stems.intersection(terms(one, language))), default=text)


def _find_runs(wanted: tuple[str, ...], words: tuple[str, ...]) -> list[int]:
    """Return the offsets at which words follow each other in a text's words; none if there are no words."""
    return [
        at
        for at, word in enumerate(words)
        if wanted and word == wanted[0] and words[at : at + len(wanted)] == wanted
    ]


def _plain(text: str) -> str:
    """Fold a text, and remove its backticks and the full stop at its end."""
    return bank.fold(text).replace("`", "").rstrip(".。!！ ")


def _compare_position(one: str, other: str, words: Sequence[str]) -> int:
    """Return 1 if a word is always before another one, -1 if always after it, 0 if that varies."""
    ones, others = ([at for at, word in enumerate(words) if word == wanted] for wanted in (one, other))
    return 1 if ones[-1] < others[0] else -1 if others[-1] < ones[0] else 0
