"""Decide whether a blind reading of a passage says the same as the answer under check. Pure.

The reader saw the passage and the question, never the answer. So code compares what both say *beyond the
question*: facts by their normal forms, words by their stems. A reading that is contained in the answer agrees
only if the answer offers no alternative. Unclear cases are "undecided", which must never count as a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import regex

from rag.evidence import assertion, bank, foreign, polarity
from rag.evidence.assertion import Assertion
from rag.evidence.directions import directions, gives_beginning
from rag.evidence.fact_agreement import compare_facts, states_all
from rag.evidence.read_passage import ReadPassage, clause_with, read_passage
from rag.evidence.statements import declines
from rag.language import asking
from rag.language.negation import clauses, denies
from rag.language.qualifiers import qualifiers
from rag.language.sentences import sentences
from rag.language.tables import alternatives
from rag.language.words import content_terms, terms

Agreement = Literal["agrees", "differs", "undecided"]

_MIN_SHARE = 0.5
"""Minimum share of the longer text's words beyond the question that a shorter text inside it must have."""
_MIN_OVERLAP = 0.75
"""Dice coefficient from which two overlapping texts, neither of which contains the other, say the same."""
_MAX_NAME_WORDS = 4
"""Maximum words of an answer that is just a name; in a longer one another name need not be a
contradiction."""
_OPPOSITES = (frozenset({"at least", "at most"}), frozenset({"before", "after"}))
_LIST_ITEM = regex.compile(r"\s*(?:[-*+•·–—]|\d{1,3}[.)])\s")
_ANNOUNCES_LIST = regex.compile(r"[:：]\s*$")


@dataclass(frozen=True, slots=True)
class _Pair:
    """An answer and a reading side by side.

    Args:
        mine: The answer.
        theirs: The reading.
        only_mine: Words of the answer beyond the question that the reading lacks.
        only_theirs: Words of the reading beyond the question that the answer lacks.
        question: The question, folded.
        passage: The passage that was read.
        language: ISO 639-1 code of both texts.
    """

    mine: Assertion
    theirs: Assertion
    only_mine: tuple[str, ...]
    only_theirs: tuple[str, ...]
    question: str
    passage: ReadPassage
    language: str

    @property
    def shared(self) -> int:
        """Number of words beyond the question that both have."""
        return max(len(self.mine.words) - len(self.only_mine), len(self.theirs.words) - len(self.only_theirs))


def compare_answers(answer: str, reading: str, *, question: str, passage: str, language: str) -> Agreement:
    """Compare a reading of a passage with the answer under check.

    Args:
        answer: The answer; of several sentences, the one that answers the question counts.
        reading: The reader's few words; empty if the passage does not state it.
        question: The standalone question.
        passage: The passage that the reader saw.
        language: ISO 639-1 code of the answer.

    Returns:
        ``agrees``: both say the same beyond the question. ``differs``: the reading gives another answer.
            ``undecided``: neither is certain, for example for an empty reading, an echo of the question, or
            words in two languages.
    """
    said = find_answering_sentence(answer, question, language)
    found = assertion.normalise(reading)
    asked = bank.fold(assertion.normalise(question))
    read = read_passage(passage, question, language)
    if not found or not said or (declines(bank.fold(said)) and not read.holds(said)):
        return "undecided"
    mine, theirs = (assertion.read(read.with_code(text), question, language) for text in (said, found))
    mine = read.with_long_form(mine, theirs)
    if foreign.are_foreign(mine, theirs, passage, language):
        return foreign.compare_across(mine, found, question)
    pair = _Pair(mine, theirs, *assertion.find_unpaired(mine, theirs), asked, read, language)
    if asking.wants_yes_or_no(asked) and not asking.offers_choice(asked):
        return _compare_yes_or_no(said, found, pair)
    if mine.is_echo and theirs.is_echo:
        return _compare_choices(pair)
    return _compare(pair)


def find_answering_sentence(answer: str, question: str, language: str) -> str:
    """Return the sentence of an answer that answers the question; the others only need valid citations.

    It is the first sentence that says something beyond the question; if the question asks for an amount, the
    first of them with a fact. A bare yes or no belongs to the sentence after it, and a list to the line
    before it. A heading is never the answer.
    """
    text = answer[: assertion.LONGEST_TEXT].strip()
    every = _split_answer(text)
    pieces = [piece for piece in every if not piece.startswith("#")]
    if len(every) < 2 or not pieces:
        return text
    read = [(piece, assertion.read(piece, question, language)) for piece in pieces]
    telling = [(piece, one) for piece, one in read if not one.is_echo and not declines(bank.fold(piece))]
    if _asks_amount(bank.fold(question)):
        telling = [(piece, one) for piece, one in telling if one.facts] or telling
    return telling[0][0] if telling else pieces[0]


def _split_answer(answer: str) -> list[str]:
    found: list[str] = []
    for sentence in sentences(answer):
        text = sentence.text
        line = found[-1].rsplit("\n", 1)[-1] if found else ""
        continues_list = _LIST_ITEM.match(text) and (_ANNOUNCES_LIST.search(line) or _LIST_ITEM.match(line))
        leading, rest = polarity.leading_word(bank.fold(line))
        if found and (continues_list or (leading and not rest)):
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return found


def _asks_amount(question: str) -> bool:
    return any(pattern.search(question) for pattern in bank.patterns().amounts)


def _compare(pair: _Pair) -> Agreement:
    """Compare an answer and a reading in the same language, for a question that needs more than yes or no."""
    if pair.mine.is_echo or pair.theirs.is_echo:
        return "undecided"
    if (
        not pair.only_theirs
        and states_all(pair.mine.facts, pair.theirs.facts)
        and pair.theirs.rules <= pair.mine.rules
        and pair.passage.quotes(pair.mine.text, pair.theirs.text)
    ):
        return "agrees"  # the passage says the rest of the sentence in the same words
    found = _compare_content(pair)
    if found == "undecided" and pair.passage.has_only_inside(pair.theirs.text, pair.mine.text):
        found = "agrees"
    return _check_qualifiers(pair) if found == "agrees" else found


def _compare_content(pair: _Pair) -> Agreement:
    mine, theirs = pair.mine, pair.theirs
    if mine.facts and theirs.facts:
        facts = compare_facts(mine.facts, theirs.facts, pair.question)
        return "undecided" if facts == "agrees" and _differ_in_subject(pair) else facts
    if not pair.shared:
        return "differs"
    if theirs.facts or any(fact.kind == "code" for fact in mine.facts):
        return "undecided"
    if mine.facts and _asks_amount(pair.question):
        return "undecided"
    if pair.only_mine and pair.only_theirs:
        return _judge_overlap(pair)
    if pair.only_mine:
        if pair.passage.speaks_elsewhere_of(pair.only_mine, mine, theirs):
            return "undecided"
        return _judge_containment(theirs, mine, pair.only_mine, pair)
    if pair.only_theirs:
        return _judge_containment(mine, theirs, pair.only_theirs, pair)
    return "agrees"


def _differ_in_subject(pair: _Pair) -> bool:
    """Return whether two texts with the same facts attribute them to different things."""
    proper = pair.passage.proper
    if pair.only_theirs and len(pair.only_mine) == len(pair.mine.words) > 0:
        return not proper.isdisjoint((*pair.only_mine, *pair.only_theirs))
    return pair.passage.speaks_elsewhere_of(pair.only_mine, pair.mine, pair.theirs)


def _judge_overlap(pair: _Pair) -> Agreement:
    """Judge two texts that share words and each have other words too."""
    proper = pair.passage.proper
    if not proper.isdisjoint(pair.only_mine) and not proper.isdisjoint(pair.only_theirs):
        return "differs" if len(pair.mine.words) <= _MAX_NAME_WORDS else "undecided"
    overlap = 2 * pair.shared / (len(pair.mine.words) + len(pair.theirs.words))
    return "agrees" if overlap >= _MIN_OVERLAP else "undecided"


def _judge_containment(part: Assertion, whole: Assertion, lacking: Sequence[str], pair: _Pair) -> Agreement:
    """Judge a text that says only a part of what the other one says."""
    if _lacks_item(part, whole, frozenset(lacking), pair.language):
        return "undecided"
    proper = pair.passage.proper
    if not proper.isdisjoint(lacking):
        if _completes_name(frozenset(part.words), frozenset(lacking), pair.passage):
            return "agrees"
        if not proper.isdisjoint(part.words):
            return "undecided"
    if whole is pair.mine and pair.passage.surrounds(whole.text, part.text):
        return "agrees"  # the words of the passage around the reading make it no other answer
    if (
        whole is pair.mine
        and part.words
        and proper.issuperset(part.words)
        and not pair.passage.has_elsewhere(lacking, part)
    ):
        return "agrees"  # both give one name, and the answer has words of its own around it
    spare = 1 if assertion.is_unspaced(whole.text) else 0  # a run of n characters is n - 1 pairs
    share = (len(part.words) + spare) / (len(whole.words) + spare)
    return "agrees" if share >= _MIN_SHARE else "undecided"


def _lacks_item(part: Assertion, whole: Assertion, lacking: frozenset[str], language: str) -> bool:
    """Return whether an item of the longer text's list is missing from the shorter text.

    In scripts without spaces, stems are pairs of characters and items can end with the same pair; so there
    one of two items must contain the other.
    """
    items = _split_list(whole.text)
    if len(items) < 2:
        return False
    for item in items:
        own = [stem for stem in content_terms(item, language) if stem in whole.words]
        if lacking.isdisjoint(own):
            continue
        if assertion.is_unspaced(item):
            if not any(item in other or other in item for other in _split_list(part.text)):
                return True
        elif lacking.issuperset(own):
            return True
    return False


@cache
def _separators() -> regex.Pattern[str]:
    """Return the pattern of separators between the items of a list."""
    spaced = alternatives(lambda one: one.words.list_joints)
    unspaced = alternatives(lambda one: one.words.list_joints_unspaced)
    return regex.compile(
        rf"(?:(?<!\s)\s++)?[,;，、；]\s*+(?:(?:{spaced}|{unspaced})\s+)?"
        rf"|(?<!\s)\s++(?:{spaced}|&)\s+|[、&]|{unspaced}",
        regex.IGNORECASE,
    )


def _split_list(text: str) -> list[str]:
    return [piece.strip() for piece in _separators().split(text) if piece and piece.strip()]


def _completes_name(short: frozenset[str], lacking: frozenset[str], passage: ReadPassage) -> bool:
    """Return whether the missing words complete a name, and no other name of the passage would fit too."""
    full = short | lacking
    fitting = [name for name in passage.names if short & name]
    return any(full <= name for name in fitting) and all(name <= full or full <= name for name in fitting)


def _check_qualifiers(pair: _Pair) -> Agreement:
    """Withdraw an agreement if one text denies or limits what the other one says without reserve.

    The reading is an extract of a sentence, so a negation or limit in the rest of its clause does not count
    against the answer.
    """
    mine, theirs = pair.mine, pair.theirs
    clause = pair.passage.clause_of(theirs.text)
    if polarity.excludes(clause_with(mine.text, theirs.text, pair.language)) and not any(
        map(polarity.excludes, (theirs.text, clause, pair.question))
    ):
        return "differs"
    if denies(theirs.text) and not denies(mine.text) and not denies(pair.question):
        return "differs" if len(theirs.words) <= len(mine.words) + 1 else "undecided"
    asked = assertion.rules(pair.question)
    added, lacking = mine.rules - theirs.rules - asked, theirs.rules - mine.rules - asked
    if any(added & opposite and lacking & opposite for opposite in _OPPOSITES):
        return "differs"
    scope = pair.passage.sentence_of(theirs.text) if pair.passage.holds(mine.text) else clause
    if lacking or added - assertion.rules(scope):
        return "undecided"
    if _adds_duty(pair):
        return "undecided"
    if "before" in asked - mine.rules and gives_beginning(bank.fold(mine.text)):
        return "undecided"  # the answer says "from 11:00 on", but the question asks until when
    if _compares_otherwise(pair, clause):
        return "undecided"
    if pair.passage.is_reordered(mine.text, assertion.question_terms(pair.question, pair.language)):
        return "undecided"
    if _swaps(pair) or pair.passage.adds(pair.only_mine, mine, theirs):
        return "undecided"
    return "agrees"


def _adds_duty(pair: _Pair) -> bool:
    """Return whether a clause of the answer says "must" of something that the reading's sentence lacks."""
    sentence = pair.passage.sentence_of(pair.theirs.text)
    known = assertion.question_terms(pair.question, pair.language).union(terms(sentence, pair.language))
    for clause in clauses(pair.mine.text):
        own = content_terms(clause, pair.language)
        if qualifiers(clause)["must"] and 2 * len(known.intersection(own)) < len(own):
            return True
    return False


def _compares_otherwise(pair: _Pair, clause: str) -> bool:
    """Return whether the answer says "more", but the reading or its clause in the passage "less"."""
    mine = directions(bank.fold(pair.mine.text))
    theirs = directions(bank.fold(pair.theirs.text)) or directions(bank.fold(clause))
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _swaps(pair: _Pair) -> bool:
    """Return whether the answer swaps things of the reading that words of the question separate.

    "Anna writes it and Ben checks it" is not "Ben writes it and Anna checks it"; a list has no such words.
    """
    said = [content_terms(one.text, pair.language) for one in (pair.mine, pair.theirs)]
    places = [{stem: at for at, stem in reversed(list(enumerate(terms)))} for terms in said]
    both = sorted(
        places[0].keys() & places[1].keys() & set(pair.mine.words), key=lambda stem: places[0][stem]
    )
    if [places[1][stem] for stem in both] == sorted(places[1][stem] for stem in both):
        return False
    between = said[0][places[0][both[0]] : places[0][both[-1]]]
    return not assertion.content(pair.question, pair.language).isdisjoint(between)


def _compare_choices(pair: _Pair) -> Agreement:
    """Compare two answers made of the question's own words. Decides only if the question offers a choice."""
    if not asking.offers_choice(pair.question):
        return "undecided"
    mine, theirs = (
        frozenset(content_terms(text, pair.language)) for text in (pair.mine.text, pair.theirs.text)
    )
    if not mine or not theirs:
        return "undecided"
    return "agrees" if mine == theirs else "differs" if mine.isdisjoint(theirs) else "undecided"


def _compare_yes_or_no(said: str, found: str, pair: _Pair) -> Agreement:
    """Compare two answers to a yes-or-no question by their polarity.

    A bare "yes" of a small model never decides, because five of six were wrong. Its bare "no", which is rare,
    counts against an answer that affirms. A longer reply must be in the passage, including its negation, and
    be about the question; otherwise the texts are compared like any others.
    """
    answer, reading = bank.fold(assertion.normalise(said)), bank.fold(found)
    mine, theirs = (polarity.answers(text, pair.question) for text in (answer, reading))
    leading, rest = polarity.leading_word(reading)
    if leading and not rest:
        return "differs" if (mine, theirs) == ("yes", "no") else "undecided"
    own = frozenset(content_terms(rest, pair.language))
    asked = assertion.question_terms(pair.question, pair.language)
    if 2 * len(own & asked) < len(own):
        return _compare(pair)
    if polarity.are_opposed(rest, bank.fold(pair.passage.clause_of(rest))):
        return "undecided"
    if mine != theirs:
        return "differs"
    if _give_different_grounds(pair):
        return "undecided"
    claimed = pair.mine.rules
    if polarity.leading_word(answer)[0]:
        claimed |= assertion.rules(pair.question)
    return "agrees" if pair.theirs.rules == claimed else "undecided"


def _give_different_grounds(pair: _Pair) -> bool:
    """Return whether two texts of one polarity differ otherwise: "yes, at the desk", "in the lobby"."""
    if pair.mine.facts and pair.theirs.facts:
        return compare_facts(pair.mine.facts, pair.theirs.facts, pair.question) != "agrees"
    mine, theirs = (
        {word for word in one.words if not denies(word) and not polarity.leading_word(word)[0]}
        for one in (pair.mine, pair.theirs)
    )
    return bool(mine and theirs) and mine.isdisjoint(theirs)
