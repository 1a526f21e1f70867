"""Split a text into claims, and keep what no model of the verifier's size is trusted with: the veto. Pure.

A claim is a sentence, a list item or a table row that says something. Numbers, names and the negation of a
claim must stand in its passage, whatever a model says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import Final

import regex

from rag.evidence import attribution, bank, statement_rules
from rag.evidence.statements import declines
from rag.language import asking
from rag.language.names import names
from rag.language.negation import denies
from rag.language.sentences import MARKER, sentences
from rag.language.units import missing, units
from rag.language.words import content_terms, locate_words
from rag.values import Classification, Passage

_MARKER: Final = regex.compile(MARKER)
_GAP: Final = regex.compile(r" (?=[.,;:!?])")
"""What a marker leaves in front of the end of its sentence."""
_NUMBER: Final = regex.compile(r"\d+")
_WORD: Final = regex.compile(r"\p{Han}|[\w'’-]+?(?=\p{Han})|[\w'’-]+")
_HAN: Final = regex.compile(r"\p{Han}")
_NO_CLAIM: Final = regex.compile(r"[ \t]*(?:>[ \t]*)*(?:\#{1,6}[ \t]|```|~~~)|.*[:：][\s*_]*$", regex.DOTALL)
_SAME: Final = 0.5
"""Share of a claim's words in a sentence from which both speak of the same."""
_SPOKEN: Final = 0.7
"""Least share of a claim's words that its passage uses."""
_IN_ORDER: Final = 0.7
"""Least share of the words that a claim and its sentence share which stand in the same order."""
_RULES: Final = statement_rules.HARD | {"more", "less", "none", "most"}
_CLAUSE_WORDS: Final = 3
_VALUE_WORDS: Final = 6
"""Content words at the end of a claim that count as its value, if it has no figure and no name."""


@dataclass(frozen=True, slots=True)
class TextClaim:
    """A claim of a text.

    Args:
        text: The words without markers.
        end: Offset in the text behind its last word, where a marker can be put.
        language: ISO 639-1 code of the text.
        before: The claim before it, which may name its subject.
    """

    text: str
    end: int
    numbers: tuple[int, ...] = ()
    language: str = ""
    before: str = ""

    def value(self, question: str) -> str:
        """Return what the claim says of its subject: its last figure or name, else its last words."""
        start, end = self._value_span(question)
        return self.text[start:end]

    def rest(self, question: str) -> str:
        """Return the claim with … for its value: a verifier is asked this question to find the value."""
        start, end = self._value_span(question)
        return " ".join(f"{self.before} {self.text[:start]} … {self.text[end:]}".split())

    def _value_span(self, question: str) -> tuple[int, int]:
        facts = units(self.text, self.language)
        if new := missing(facts, f"{question}\n{self.before}") or facts:
            return new[-1].start, new[-1].end
        words = [word for word in locate_words(self.text, self.language) if word.terms]
        if not words:
            return 0, len(self.text)
        tail = words[-min(_VALUE_WORDS, max(1, len(words) // 2)) :]
        return tail[0].start, tail[-1].end


def split(text: str, language: str) -> tuple[TextClaim, ...]:
    """Return the claims of a text in order; questions, headings, lead-ins and refusals claim nothing."""
    found: list[TextClaim] = []
    for sentence in sentences(text):
        plain = _GAP.sub("", " ".join(_MARKER.sub(" ", sentence.text).split()))
        if not content_terms(plain, language) or asking.is_question(plain) or _NO_CLAIM.match(sentence.text):
            continue
        if declines(bank.fold(plain)):
            continue
        markers = "".join(match.group() for match in _MARKER.finditer(sentence.text))
        numbers = tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(markers)))
        before = found[-1].text if found else ""
        found.append(TextClaim(plain, sentence.end, numbers, language, before))
    return tuple(found)


def may_carry(claim: TextClaim, passage: Passage, classification: Classification) -> bool:
    """Return whether nothing of a claim that stands beside the answer is missing in its passage."""
    whole = f"{passage.document}\n{passage.section}\n{passage.text}"
    subject = [] if _names_subject(claim) else list(units(claim.before or classification.standalone))
    named = [unit for unit in subject if unit.kind in {"name", "code"}]
    return is_not_vetoed(claim, passage) and not missing(named[:1], whole)


def is_quoted(claim: TextClaim, passage: Passage) -> bool:
    """Return whether a claim is the passage's own words: a clause, not a word or two."""
    return len(content_terms(claim.text, claim.language)) >= _CLAUSE_WORDS and _stands_in(claim, passage)


def _stands_in(claim: TextClaim, passage: Passage) -> bool:
    words = " ".join(claim.text.rstrip(" .!?。！？").casefold().split())
    return words in " ".join(passage.text.casefold().split())


def is_not_vetoed(claim: TextClaim, passage: Passage) -> bool:
    """Return whether nothing that a small verifier overlooks speaks against a claim.

    Its figures and names stand in its passage, it denies what the passage denies, most of its words are the
    passage's, and it neither drops a restriction ("only") nor turns round who does what to whom.
    """
    if contradicts(claim, passage):
        return False
    if _is_out_of_reach(claim, passage):
        return True
    made = attribution.claim(claim.text, claim.language)
    return attribution.share(made, passage) >= _SPOKEN and not any(
        statement_rules.find_changed_rule(text, claim.text, claim.language, kinds=_RULES)
        or _is_turned(claim, text)
        for text in _nearest(claim, passage)
    )


def contradicts(claim: TextClaim, passage: Passage) -> bool:
    """Return whether a claim has a figure or a name that its passage lacks, or denies what it affirms."""
    made = attribution.claim(claim.text, claim.language)
    if attribution.absent_facts(made, passage) or attribution.denied_facts(made, passage):
        return True
    return not _is_out_of_reach(claim, passage) and any(
        _are_opposed(bank.fold(claim.text), bank.fold(text)) for text in _nearest(claim, passage)
    )


def _are_opposed(one: str, other: str) -> bool:
    """Return whether one of two folded texts denies what the other one says.

    Only denials that one text has alone count: "may not print without a badge" has one more "not" than "may
    they print without a badge?", and both have "without".
    """
    return _denies_alone(one, other) != _denies_alone(other, one)


def _denies_alone(text: str, other: str) -> bool:
    left = Counter(_WORD.findall(other))
    alone: list[str] = []
    for word in _WORD.findall(text):
        if left[word]:
            left[word] -= 1
        else:
            alone.append(word if _HAN.match(word) else f" {word} ")
    return denies("".join(alone))


def _is_out_of_reach(claim: TextClaim, passage: Passage) -> bool:
    """Return whether a claim's words tell nothing: it is in another language, or is a part of a sentence."""
    made = attribution.claim(claim.text, claim.language)
    return not attribution.same_language(made, passage) or _stands_in(claim, passage)


def _nearest(claim: TextClaim, passage: Passage) -> list[str]:
    said = frozenset(content_terms(claim.text, claim.language))
    stated = {one.text: frozenset(content_terms(one.text, claim.language)) for one in sentences(passage.text)}
    shared = {text: len(said & terms) for text, terms in stated.items()}
    most = max(shared.values(), default=0)
    return [text for text, count in shared.items() if count == most and count >= _SAME * len(said)]


def _is_turned(claim: TextClaim, sentence: str) -> bool:
    """Return whether a claim has the words of a sentence in another order: who does what to whom."""
    order = content_terms(sentence, claim.language)
    places = [order.index(term) for term in content_terms(claim.text, claim.language) if term in order]
    ends: list[int] = []
    for place in places:  # ends[n]: the smallest end of a rising sequence of n + 1 places
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(places) >= _CLAUSE_WORDS and len(ends) < _IN_ORDER * len(places)


def _names_subject(claim: TextClaim) -> bool:
    """Return whether a claim names something itself, other than its value."""
    start, end = claim._value_span("")  # noqa: SLF001 - of this module
    return any(name.end <= start or name.start >= end for name in names(claim.text, claim.language))
