"""Measure how well passages support a claim, window by window, with the words of question and claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import regex

from rag.evidence.coverage import Claim, claim_share, share
from rag.evidence.windows import split_passage
from rag.language.units import Unit, missing
from rag.values import Passage

_CHECKED_SENTENCES = 14
"""Maximum number of sentences in which facts are looked up."""
_NO_FACTS: frozenset[Unit] = frozenset()
_DIGITS = regex.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Support:
    """The window that supports a claim best. All shares are weighted by rarity, 0-1.

    Args:
        supported: Share of the claim that the window contains.
        anchored: Share of the question's terms that the window contains.
        lacking: The claim's facts that are not in that window.
    """

    supported: float = 0.0
    anchored: float = 0.0
    lacking: tuple[Unit, ...] = ()


class ComparedPassages:
    """The passages that a draft is compared with, and the positions of the question's words in them.

    Args:
        asked: The question's content terms with their weights.
        language: Language of the question, for the stems.
    """

    def __init__(
        self, passages: Iterable[Passage], asked: Mapping[str, float], facts: Sequence[Unit], language: str
    ) -> None:
        self.readings = [
            split_passage(f"{passage.document} {passage.section}".strip(), passage.text, language)
            for passage in passages
        ]
        self._asked = asked
        self._windows = [
            (share(asked, window.context), number, window)
            for number, reading in enumerate(self.readings)
            for window in reading.windows
        ]
        self.stated = self._look_up(facts)
        self.absent = frozenset(facts).difference(*self.stated.values())
        """The facts that no sentence states."""

    @property
    def covered(self) -> float:
        """Share of the question's terms in the window that contains most of them."""
        return max((anchored for anchored, _, _ in self._windows), default=0.0)

    def support(self, claim: Claim) -> Support:
        """Return the stretch of a passage that supports a claim best."""
        best, best_value = Support(lacking=tuple(claim.facts)), 0.0
        for anchored, number, window in self._windows:
            facts = _NO_FACTS
            if claim.facts and self.stated:
                places = ((number, at) for at in (0, *range(window.start, window.end)))
                facts = facts.union(*(self.stated.get(place, _NO_FACTS) for place in places))
            supported = claim_share(claim, window.context, facts)
            # A claim found far from the question's words is weak support, so both shares count.
            value = supported * (0.25 + 0.75 * anchored)
            if value > best_value or (not best.supported and anchored > best.anchored):
                best_value = value
                lacking = tuple(fact for fact in claim.facts if fact not in facts)
                best = Support(supported, anchored, lacking)
        return best

    def _look_up(self, facts: Sequence[Unit]) -> dict[tuple[int, int], frozenset[Unit]]:
        """Return the facts stated by promising sentences, by number of passage and of sentence.

        Finding facts costs a hundred times as much as comparing words. So only two kinds of sentences are
        read: those with the claim's digits, and those with most words of the question, in case a number is
        written in words.
        """
        if not facts:
            return {}
        digits = {digit for fact in facts for digit in _DIGITS.findall(fact.normal)}
        ranked = sorted(
            (
                (any(digit in text for digit in digits) + share(self._asked, terms), number, position)
                for number, reading in enumerate(self.readings)
                for position, (text, terms) in enumerate(zip(reading.sentences, reading.terms, strict=True))
                if text
            ),
            key=lambda entry: (-entry[0], entry[1], entry[2]),
        )
        found: dict[tuple[int, int], frozenset[Unit]] = {}
        for _, number, position in ranked[:_CHECKED_SENTENCES]:
            lacking = missing(facts, self.readings[number].sentences[position])
            if len(lacking) < len(facts):
                found[number, position] = frozenset(fact for fact in facts if fact not in lacking)
        return found
