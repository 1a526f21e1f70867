"""Compare a claim with the sentence that supports it: the same words can say something else.

"Guests may use the printer" has all its words in "Guests may not use the printer without a badge". So
qualifiers, the order of the words, and the clause of each fact are compared too. Each difference is an
objection. Most objections only say that the words alone prove nothing, because a paraphrase is not a fault.
An objection is certain only for a plain "not" in one of two otherwise equal sentences. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag.evidence.assertion import is_unspaced, words_beside
from rag.evidence.mere_questions import find_only_asked
from rag.evidence.premises import find_denying_clause
from rag.evidence.siblings import find_replacing_word, speaks_of_sibling
from rag.language import asking, negation
from rag.language.measures import periods
from rag.language.names import names
from rag.language.qualifiers import qualifiers
from rag.language.units import Unit, matches, units
from rag.language.words import content_terms, prefixes
from rag.values import Objection, ObjectionCode

_KINDS: dict[ObjectionCode, frozenset[str]] = {
    "condition": frozenset({"if", "except", "without"}),
    "comparison": frozenset({"at least", "at most", "before", "after", "more", "less"}),
    "quantifier": frozenset({"all", "some", "none", "most"}),
    "modality": frozenset({"may", "must", "need not"}),
    "restriction": frozenset({"only"}),
    "former_or_wished": frozenset({"former", "wished"}),
}
"""The kinds of qualifiers (``rag.language.qualifiers``) by the objection that a difference raises."""

_TOLD_BY_A_VALUE: frozenset[ObjectionCode] = frozenset({"comparison", "former_or_wished"})
"""Objections that a bare value can raise: "35 days" for "at most 35 days". The others need a claim that
restates its sentence."""
_RESTATING = 0.5
_SURELY_RESTATING = 0.7
_SAME_SENTENCE = 0.6
"""Shares of words: of a claim in its sentence, from which the claim restates it; the same, from which a
differing "not" is certain; and of the sentence's clause in claim and question."""
_TWO_WORDS = 2
_ORDERED_WORDS = 3
_IN_ORDER = 0.6
_BEFORE_FACT, _BEHIND_FACT = 28, 14
"""Characters before and after a fact within which "more than" and similar words belong to it."""
_SHORT_OPENING = 2
"""Maximum number of content words of an opening that holds for the whole sentence."""
_CLEAR_RIVAL = 0.5
_MOSTLY_CARRIED = 0.65
"""Minimum support of each sentence of a draft of several. An invented sentence reaches half by chance,
because the words of three neighbouring sentences support it."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A sentence of a draft, prepared for the comparison.

    Args:
        text: The sentence, without its opening.
        facts: Its facts beyond the question.
        is_answer: The sentence answers the question; the others only accompany it.
        is_alone: No other sentence of the draft claims something.
        supported: Share of the sentence that its passage supports, 0-1.
        lacking: Its facts that are not in the passage.
        rivalled: How clearly another fact is closer to the question's words, 0-1.
    """

    text: str
    facts: Sequence[Unit]
    is_answer: bool = True
    is_alone: bool = True
    supported: float = 1.0
    lacking: Sequence[Unit] = ()
    rivalled: float = 0.0


@dataclass(frozen=True, slots=True)
class Carrier:
    """The text that supports a claim.

    Args:
        sentence: The sentence.
        around: The heading of the passage, and the sentence before.
        spoken: The content terms of the whole passage and its heading.
        others: The other sentences of the passages that share words with the claim.
        passage: All sentences of the passage.
    """

    sentence: str
    around: str = ""
    spoken: frozenset[str] = frozenset()
    others: Sequence[str] = ()
    passage: Sequence[str] = ()


def find(claimed: Claimed, carrier: Carrier, question: str, language: str) -> tuple[Objection, ...]:
    """Find differences in meaning between a claim and the text that supports it.

    Args:
        claimed: A sentence of a draft.
        carrier: The sentence of a passage that supports it best.
        question: The question; a short answer is understood together with it.
        language: ISO 639-1 code of the three.
    """
    found = _Comparison(claimed, carrier, question, language)
    return tuple(
        objection
        for objection in (
            found.find_reversal(),
            *found.find_qualifiers(),
            found.find_other_order(),
            found.find_rival(),
            found.find_unmentioned_name(),
            found.find_fact_elsewhere(),
            found.find_addition(),
            *found.find_siblings(),
            found.find_replaced_word(),
            found.find_denied_premise(),
            found.find_only_asked(),
        )
        if objection is not None
    )


class _Comparison:
    def __init__(self, claimed: Claimed, carrier: Carrier, question: str, language: str) -> None:
        self._claimed = claimed
        self._carrier = carrier
        self._question = question
        self._language = language
        self._said = content_terms(claimed.text, language)
        self._asked = frozenset(content_terms(question, language))
        self._clause = max(
            negation.clauses(carrier.sentence) or [carrier.sentence],
            key=lambda clause: self._weight(content_terms(clause, language)),
        )
        shared = frozenset(self._said) & frozenset(content_terms(carrier.sentence, language))
        own = frozenset(self._said)
        # A bare value means the question's sentence with the value in its gap.
        self._is_restating = (
            len(shared) >= _TWO_WORDS
            and len(shared) >= _RESTATING * len(own)
            and (bool(shared & self._asked) or len(shared) > _ORDERED_WORDS)
        )

    def _weight(self, terms: Sequence[str]) -> float:
        """Return how closely a clause matches claim and question; the claim's own words count more."""
        present = frozenset(terms)
        return 2.0 * len(present.intersection(self._said)) + len(present & self._asked)

    def find_reversal(self) -> Objection | None:
        """Object if only one of the two texts has a "not"."""
        said, stated = negation.negations(self._claimed.text), negation.negations(self._clause)
        if self._is_restating:
            if said == stated:
                return None
            return Objection("polarity", (self._clause.strip(),), self._is_sure(said, stated))
        meant = said + negation.negations(self._question)
        if bool(meant) == bool(stated):
            return None
        return Objection("denies_own_fact", (self._clause.strip(),))

    def _is_sure(self, said: int, stated: int) -> bool:
        """Return whether claim and clause differ only in the "not", and no sentence contradicts that."""
        if abs(said - stated) != 1 or not self._is_same(self._carrier.sentence, self._clause):
            return False
        if negation.negations(self._question) and not asking.wants_yes_or_no(self._question):
            return False  # "which is not needed?" is answered with a "not"
        return not any(
            negation.negations(other) == said and self._is_same(other, other)
            for other in self._carrier.others
        )

    def _is_same(self, sentence: str, clause: str) -> bool:
        said, own = frozenset(self._said), frozenset(content_terms(clause, self._language))
        conditions = _KINDS["condition"]
        mine, its = qualifiers(self._claimed.text), qualifiers(sentence)
        return (
            len(said & own) >= max(_TWO_WORDS, _SURELY_RESTATING * len(said))
            and len(own & (said | self._asked)) >= _SAME_SENTENCE * len(own)
            and not self._claimed.lacking
            and all(bool(mine[kind]) == bool(its[kind]) for kind in conditions)
        )

    def find_qualifiers(self) -> Iterator[Objection]:
        """Object to qualifiers that only one of the two texts has."""
        said = qualifiers(self._claimed.text)
        asked = qualifiers(self._question)
        stated = qualifiers(self._carrier.sentence)
        known = stated + qualifiers(self._carrier.around)
        at_fact = self._at_facts()
        in_clause = qualifiers(self._clause) if self._is_restating else at_fact
        # A condition is often a clause of its own: "…, unless the door is open".
        wider = {"former_or_wished": self._in_its_time()} | (
            {"condition": stated} if self._is_restating else {}
        )
        for code, kinds in _KINDS.items():
            whole = wider.get(code, in_clause)
            added = [kind for kind in kinds if said[kind] and not known[kind] and not asked[kind]]
            lost = [
                kind
                for kind in kinds
                if whole[kind]
                and not said[kind]
                and not asked[kind]
                and (self._is_restating or code in _TOLD_BY_A_VALUE)
            ]
            if added or lost:
                yield Objection(code, tuple(sorted({*added, *lost})))

    def _in_its_time(self) -> Mapping[str, int]:
        """Return the qualifiers of the clause, and those of a short opening: "Previously, …"."""
        opening = negation.clauses(self._carrier.sentence)[:1]
        is_short = len(content_terms("".join(opening), self._language)) <= _SHORT_OPENING
        return qualifiers("\n".join([self._clause, *(opening if is_short else ())]))

    def _at_facts(self) -> Mapping[str, int]:
        """Return the qualifiers beside the claim's facts in the sentence."""
        sentence = self._carrier.sentence
        beside = [
            sentence[max(0, unit.start - _BEFORE_FACT) : unit.end + _BEHIND_FACT]
            for unit in self._stated_facts()
            if any(matches(fact, unit) for fact in self._claimed.facts)
        ]
        return qualifiers("\n".join(beside))

    def _stated_facts(self) -> list[Unit]:
        if not self._claimed.facts:
            return []
        return units(self._carrier.sentence, self._language, with_names=False)

    def find_other_order(self) -> Objection | None:
        """Object if the shared words are in another order: who did what to whom."""
        if not self._is_restating:
            return None
        sentence = content_terms(self._carrier.sentence, self._language)
        clause = content_terms(self._clause, self._language)
        if frozenset(self._said).intersection(sentence) <= frozenset(clause):
            sentence = clause
        shared = frozenset(self._said) & frozenset(sentence)
        mine = list(dict.fromkeys(term for term in self._said if term in shared))
        its = list(dict.fromkeys(term for term in sentence if term in shared))
        if len(mine) < _ORDERED_WORDS or _common_length(mine, its) > _IN_ORDER * len(mine):
            return None
        return Objection("order", (" ".join(its),))

    def find_rival(self) -> Objection | None:
        """Object if another fact is clearly closer to the question's words."""
        return Objection("rival") if self._claimed.rivalled >= _CLEAR_RIVAL else None

    def find_unmentioned_name(self) -> Objection | None:
        """Object to a name of the question that the passage never mentions."""
        if not self._claimed.is_answer:
            return None
        present = self._carrier.spoken | frozenset(content_terms(self._carrier.sentence, self._language))
        own = frozenset(self._said)
        absent = [
            self._question[name.start : name.end]
            for name in names(self._question, self._language)
            if not present.intersection(content_terms(self._question[name.start : name.end], self._language))
            and not own.issuperset(name.normal.split())
        ]
        return Objection("unspoken", tuple(absent)) if absent else None

    def find_fact_elsewhere(self) -> Objection | None:
        """Object if the claim's fact is in another part of the sentence than the question's words."""
        if not self._claimed.facts:
            return None
        parts = []
        for clause in negation.clauses(self._carrier.sentence):
            stated = units(clause, self._language, with_names=False)
            if stated:
                mine = any(matches(fact, unit) for fact in self._claimed.facts for unit in stated)
                terms = frozenset(content_terms(clause, self._language))
                parts.append((len(terms & self._asked), mine))
        own = max((spoken for spoken, mine in parts if mine), default=0)
        other = max((spoken for spoken, mine in parts if not mine), default=0)
        return Objection("other_clause") if parts and other > own else None

    def find_siblings(self) -> Iterator[Objection]:
        """Object to a sentence that speaks of a sibling of what was asked, such as version 2 instead of 1.

        The second objection says that the passage names what was asked nowhere, or that a number, a year or
        a Chinese modifier tells the two apart. A reader of such a passage confuses the siblings.
        """
        if not self._claimed.is_answer:
            return
        carrier = self._carrier
        about = (self._question, carrier.sentence, carrier.around, self._language)
        if speaks_of_sibling(*about):
            yield Objection("sibling")
            if speaks_of_sibling(*about, passage="\n".join(carrier.passage)):
                yield Objection("only_siblings")

    def find_replaced_word(self) -> Objection | None:
        """Object if the claim is the sentence with a word of the question in the place of another one."""
        if not self._claimed.is_answer:
            return None
        carrier = self._carrier
        replacing = find_replacing_word(
            self._claimed.text,
            self._question,
            carrier.sentence,
            carrier.around,
            "\n".join(carrier.passage),
            self._language,
        )
        return Objection("only_siblings", (replacing,)) if replacing else None

    def find_denied_premise(self) -> Objection | None:
        """Object if the passage denies what the question takes for granted."""
        if (
            not self._claimed.is_answer
            or negation.negations(self._question)
            or negation.negations(self._claimed.text)
            or asking.wants_yes_or_no(self._question)
        ):
            return None
        carrier = self._carrier
        denying = find_denying_clause(
            self._claimed.text, self._question, carrier.sentence, carrier.passage, self._language
        )
        return Objection("denied_premise", (denying.strip(),)) if denying else None

    def find_addition(self) -> Objection | None:
        """Object to a word or fact that the passage does not state, and to a second sentence without support.

        "22 hours a month" is no fact of "22 hours a week". The support of a sentence that stands alone is
        that of the whole draft.
        """
        lacking = (
            *(fact.text for fact in self._claimed.lacking),
            *self._other_periods(),
            *self._insertions(),
        )
        is_carried = self._claimed.supported >= _MOSTLY_CARRIED and self.find_reversal() is None
        if lacking or (not self._claimed.is_alone and not is_carried):
            return Objection("unspoken_addition", lacking)
        return None

    def find_only_asked(self) -> Objection | None:
        """Object if the passage asks what the claim states: "Does the office close at 18:00?"."""
        carrier, claimed = self._carrier, self._claimed
        asked = find_only_asked(
            claimed.text, claimed.facts, carrier.sentence, carrier.passage, carrier.others, self._language
        )
        return Objection("only_asked", asked) if asked else None

    def _insertions(self) -> Sequence[str]:
        """Return words that the passage lacks, between neighbours of its sentence: "the damp cellar".

        A word in the place of another one ("retained" for "kept") is no insertion. Facts have checks of
        their own.
        """
        text = self._claimed.text
        if is_unspaced(text):
            return ()  # its stems are pairs of characters, and a pair can span two words
        stated = content_terms(self._carrier.sentence, self._language)
        beside = words_beside(text, units(text, self._language, with_names=False), self._language)
        mine = self._said
        known = prefixes([*self._asked, *self._carrier.spoken])
        places = {term: at for at, term in reversed(list(enumerate(stated)))}
        return tuple(
            term
            for at, term in enumerate(mine)
            if term in beside
            and prefixes([term]).isdisjoint(known)
            and _is_between_neighbours(mine[at - 1 : at], mine[at + 1 : at + 2], places)
        )

    def _other_periods(self) -> frozenset[str]:
        known = periods(f"{self._carrier.sentence}\n{self._question}")
        return periods(self._claimed.text) - known if known else frozenset()


def _is_between_neighbours(before: Sequence[str], behind: Sequence[str], places: Mapping[str, int]) -> bool:
    """Return whether two terms follow each other in a sentence, or the second one begins it."""
    if not behind or behind[0] not in places or (before and before[0] not in places):
        return False
    return places[behind[0]] == (places[before[0]] + 1 if before else 0)


def _common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two orderings of the same distinct words."""
    place = {term: at for at, term in enumerate(other)}
    tails: list[int] = []
    for term in one:
        at = place[term]
        slot = next((number for number, tail in enumerate(tails) if tail >= at), len(tails))
        tails[slot : slot + 1] = [at]
    return len(tails)
