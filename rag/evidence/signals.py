"""Compute the signals: everything that the evidence knows about a draft, as named numbers.

To add a signal, compute it here, name it in the features of `rag.evidence.scoring`, add a line to the table
of the documentation page, and fit the weights again (``bench/fit_evidence.py``); its ablation table shows
what the signal contributes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from rag.evidence import bank, conversation, objections, rivals, slot, statements
from rag.evidence.coverage import Claim, claim_share, share
from rag.evidence.material import Material
from rag.evidence.support import ComparedPassages, Support
from rag.language import asking
from rag.language.fields import Words
from rag.language.names import names
from rag.language.tables import Language, languages
from rag.language.units import Unit, missing, units
from rag.language.words import content_terms
from rag.values import Objection

_MAX_PASSAGES = 5
_NAMES = regex.compile(
    r"""
    (?<=[^.!?…\s"“«„]\s["“«„]?)\p{Lu}[\p{L}\p{N}.'’&-]*   # a capital inside a sentence
    | ["“«„《「『].{2,60}?["”»“》」』]                       # a title, a quotation
    | \b(?:1[0-9]|20)\d\d\b                                # a year
    | (?<![A-Za-z])[A-Za-z]++[_\d]\w*                                    # code
    """,
    regex.VERBOSE,
)
_DECADE = regex.compile(r"['’]?(?P<begins>(?:18|19|20)[0-9]|[3-9])0s")
"""A decade in English: "the 1980s", "the '80s". "20s" can be seconds, too."""
_MAX_NAMES = 3
_RARITY_TOLERANCE = 0.01
_UNKNOWN_RARITY = 0.999
"""Rarity from which a term is in no passage."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of a draft.

    Args:
        signals: The signals by name.
        conflicts: The facts of the draft that no passage states, as written.
        objections: Differences between its claims and the sentences that support them.
    """

    signals: dict[str, float]
    conflicts: tuple[str, ...]
    objections: tuple[Objection, ...]


@cache
def _firm() -> frozenset[str]:
    """Return words that only express certainty: containing "never" does not support "No, never"."""
    return _terms_of(lambda one: one.answers.firm)


@cache
def _bare() -> frozenset[str]:
    """Return words that leave an answer a bare yes or no."""
    return _firm() | _terms_of(lambda one: one.answers.bare)


def _terms_of(pick: Callable[[Language], Words]) -> frozenset[str]:
    return frozenset(
        term for code, one in languages().items() for term in content_terms(" ".join(pick(one)), code)
    )


def measure(material: Material, draft: str) -> Measured:
    """Compute every signal of a draft."""
    language = material.classification.language
    asked = _weigh(material, content_terms(material.classification.standalone, language))
    said = statements.read(draft, language)
    weights = _weigh(material, said.terms)
    question = material.classification.standalone
    made = [_claim_beyond_question(statement, asked, weights, question) for statement in said.statements]
    is_bare = asking.wants_yes_or_no(question) and all(
        not statement.facts and _bare().issuperset(statement.terms) for statement in said.statements
    )
    if asking.wants_yes_or_no(question) and not is_bare and all(claim.is_empty for claim in made):
        made = [_claim_everything(statement, weights) for statement in said.statements]
    facts = [fact for claim in made for fact in claim.facts]
    passages = material.shown or [hit.passage for hit in material.hits[:_MAX_PASSAGES]]
    compared = ComparedPassages(passages, asked, facts, language)
    supports = [compared.support(claim) for claim in made]
    found = _combine_support(made, supports)
    slots = slot.Slots(compared.readings, _known_terms(asked), language)
    folded = bank.fold(material.question)
    measured = {
        "covered": compared.covered,
        "supported": found.supported,
        "anchored": found.anchored,
        "nearness": found.anchored / max(compared.covered, 0.05),
        "lacking": len(found.lacking) / len(facts) if facts else 0.0,
        "absent": float(any(fact.kind != "code" for fact in compared.absent)),
        "rivalled": _rivalled(made, supports, asked, language),
        "strange_names": _strange_names(said, supports, asked),
        "familiar": _familiar(made, supports),
        "pivot": _pivot(made, supports, asked),
        "dated": _dated(
            made, supports, units(material.classification.standalone, language, with_names=False)
        ),
        "timely": _timely(made, supports, folded),
        "named": _named(made, supports, _of_names(asked, material.classification.standalone, language)),
        "unknown": share(asked, {term for term, weight in asked.items() if weight >= _UNKNOWN_RARITY}),
        "task": _matches_any(bank.patterns().tasks, folded),
        "recent": _matches_any(bank.patterns().recent, folded),
        "ours": _matches_any(bank.patterns().ours, folded),
        "asks_amount": _matches_any(bank.patterns().amounts, folded),
        "names": min(_MAX_NAMES, len(_NAMES.findall(material.question))) / _MAX_NAMES,
        "length": min(1.0, math.log1p(len(asked)) / 2.5),
        "echo": share(asked, said.terms),
        "claims": min(1.0, math.log1p(sum(len(claim.words) + len(claim.facts) for claim in made)) / 2.5),
        "no_claim": float(all(claim.is_empty for claim in made)),
        "only_yes_or_no": float(is_bare),
        "words": min(1.0, math.log1p(max(statement.words for statement in said.statements)) / 2.5),
        "has_fact": float(bool(facts)),
        "bare_fact": float(bool(facts) and not any(claim.words for claim in made)),
        "opened": float(said.statements[0].is_opened),
        "declining": said.declining,
        "ignorant": said.ignorant,
        "history": _repeated(material, said, weights, asked),
        "follow_up": float(material.classification.intent == "follow_up"),
        **slot.asked_kinds(question),
        **slots.measure(made, compared.stated),
        **_measure_meaning(material, is_spoken_of=compared.covered > 0),
    }
    return Measured(
        measured,
        tuple(dict.fromkeys(fact.text for fact in facts if fact in compared.absent)),
        _objections(said, made, supports, slots, compared, question, language),
    )


def _claim_beyond_question(
    statement: statements.Statement, asked: Mapping[str, float], weights: Mapping[str, float], question: str
) -> Claim:
    """Return the part of a statement that is not in the question."""
    words = {term: weights[term] for term in statement.terms if term not in asked and term not in _firm()}
    return Claim(words, missing(statement.facts, units(question)) if statement.facts else ())


def _claim_everything(statement: statements.Statement, weights: Mapping[str, float]) -> Claim:
    """Return everything that a statement says, for yes-or-no questions: their answers repeat the question."""
    return Claim({term: weights[term] for term in statement.terms if term not in _firm()}, statement.facts)


def _objections(
    said: statements.Claims,
    made: Sequence[Claim],
    supports: Sequence[Support],
    slots: slot.Slots,
    compared: ComparedPassages,
    question: str,
    language: str,
) -> tuple[Objection, ...]:
    """Return the objections to all sentences of a draft that claim something, without duplicates."""
    found: dict[Objection, None] = {}
    spoken = [
        one
        for one in zip(said.statements, made, supports, strict=True)
        if not one[1].is_empty and not _is_opening(one[0])
    ]
    answer = max(spoken, key=lambda one: (one[2].anchored, one[2].supported), default=None)
    is_alone = len(spoken) == 1
    for statement, claim, support in spoken:
        carrying = slots.carrying(claim, compared.stated)
        if not carrying:
            if not is_alone:
                found[Objection("unspoken_addition")] = None
            continue
        texts = compared.readings[carrying[0].passage].sentences
        at = carrying[0].at
        claimed = objections.Claimed(
            statement.text,
            claim.facts,
            is_answer=answer is not None and statement is answer[0],
            is_alone=is_alone,
            supported=support.supported,
            lacking=support.lacking,
            rivalled=_rivalled([claim], [support], slots.asked, language),
        )
        others = [compared.readings[one.passage].sentences[one.at] for one in carrying[1:]]
        carrier = objections.Carrier(
            texts[at],
            "\n".join(dict.fromkeys((texts[0], texts[at - 1]))),
            frozenset().union(*compared.readings[carrying[0].passage].terms),
            others,
            passage=texts[1:],
        )
        found.update(dict.fromkeys(objections.find(claimed, carrier, question, language)))
    return tuple(found)


def _is_opening(statement: statements.Statement) -> bool:
    """Return whether a statement only says yes or no, or introduces a list."""
    is_bare = not statement.facts and _bare().issuperset(statement.terms)
    return is_bare or statement.text.rstrip().endswith((":", "："))


def _combine_support(made: Sequence[Claim], supports: Sequence[Support]) -> Support:
    """Return the support of a draft: the weighted mean over its claims, and all missing facts."""
    found = [(one, claim.weight) for one, claim in zip(supports, made, strict=True) if not claim.is_empty]
    total = sum(weight for _, weight in found)
    if not found or total <= 0:
        return Support()
    return Support(
        supported=sum(one.supported * weight for one, weight in found) / total,
        anchored=sum(one.anchored * weight for one, weight in found) / total,
        lacking=tuple(fact for one, _ in found for fact in one.lacking),
    )


def _familiar(made: Sequence[Claim], supports: Sequence[Support]) -> float:
    """Return the share of the claims' words known to the corpus that are in their windows.

    Unknown words are ignored: a paraphrase has words that no document uses, and in a script without spaces
    every boundary of two words looks like an unknown word.
    """
    carried_weight = total = 0.0
    for claim, one in zip(made, supports, strict=True):
        known = {term: weight for term, weight in claim.words.items() if weight < _UNKNOWN_RARITY}
        weight = sum(known.values())
        carried_weight += share(known, one.context) * weight
        total += weight
    return carried_weight / total if total > 0 else 0.0


def _pivot(made: Sequence[Claim], supports: Sequence[Support], asked: Mapping[str, float]) -> float:
    """Return whether the windows that support the claims contain the rarest known word of the question.

    "Into which sea does the Kura flow?" is not answered by a passage about the Danube.
    """
    known = _known_terms(asked)
    windows = [one.context for claim, one in zip(made, supports, strict=True) if not claim.is_empty]
    if not known or not windows:
        return 0.0
    rarest = max(known.values())
    pivots = [term for term, weight in known.items() if weight >= rarest - _RARITY_TOLERANCE]
    return sum(any(term in context for term in pivots) for context in windows) / len(windows)


def _named(made: Sequence[Claim], supports: Sequence[Support], names_asked: Mapping[str, float]) -> float:
    """Return the share of the question's names in the supporting windows; 0 if it has no names."""
    windows = [one.context for claim, one in zip(made, supports, strict=True) if not claim.is_empty]
    return sum(share(names_asked, context) for context in windows) / len(windows) if windows else 0.0


def _dated(made: Sequence[Claim], supports: Sequence[Support], facts: Sequence[Unit]) -> float:
    """Return the share of the question's figures (a date, a version) in the supporting passages.

    "What happened on 5 May?" is not answered by a passage about 6 May; "in the 80s" is by one about 1981.
    Code and product names count as words.
    """
    facts = [fact for fact in facts if fact.kind != "code"]
    wholes = ["\n".join(one.passage) for claim, one in zip(made, supports, strict=True) if not claim.is_empty]
    if not facts or not wholes:
        return 1.0
    absent = [
        fact for whole in wholes for fact in missing(facts, whole) if not _is_decade_of(fact.text, whole)
    ]
    return 1.0 - len(absent) / (len(facts) * len(wholes))


def _is_decade_of(number: str, text: str) -> bool:
    """Return whether a number is a decade, as written in English, of which a text has a year."""
    match = _DECADE.fullmatch(number)
    if match is None:
        return False
    begins = match["begins"] if len(match["begins"]) > 1 else f"19{match['begins']}"
    return regex.search(rf"(?<!\d){begins}\d(?!\d)", text) is not None


def _timely(made: Sequence[Claim], supports: Sequence[Support], question: str) -> float:
    """Return whether the supporting text says when, if the question is about a passing moment.

    "The strike is over" does not say whether it ended this week.
    """
    if not _matches_any(bank.patterns().moments, question):
        return 1.0
    texts = (one.text for claim, one in zip(made, supports, strict=True) if not claim.is_empty)
    return max((_matches_any(bank.patterns().recent, bank.fold(text)) for text in texts), default=0.0)


def _of_names(asked: Mapping[str, float], question: str, language: str) -> Mapping[str, float]:
    """Return the terms of the question's names that the corpus knows."""
    named = {term for name in names(question, language) for term in name.normal.split()}
    return {term: weight for term, weight in asked.items() if term in named and weight < _UNKNOWN_RARITY}


def _rivalled(
    made: Sequence[Claim], supports: Sequence[Support], asked: Mapping[str, float], language: str
) -> float:
    """Return how clearly the passages offer another fact for the question than the claimed one."""
    return max(
        (
            rivals.measure_rival_advantage(one.text, claim.facts, asked, language)
            for claim, one in zip(made, supports, strict=True)
            if claim.facts and len(one.lacking) < len(claim.facts)
        ),
        default=0.0,
    )


def _strange_names(said: statements.Claims, supports: Sequence[Support], asked: Mapping[str, float]) -> float:
    """Return the share of the draft's own names that are missing from the windows that support its claims."""
    own = [
        (name - asked.keys(), one.context)
        for statement, one in zip(said.statements, supports, strict=True)
        for name in statement.names
        if name - asked.keys()
    ]
    return sum(not name <= context for name, context in own) / len(own) if own else 0.0


def _measure_meaning(material: Material, *, is_spoken_of: bool) -> dict[str, float]:
    """Return the signals that need vectors.

    Without an embedding for the language they are neutral, unless no word of the question was found either.

    Args:
        material: What is compared.
        is_spoken_of: A word of the question is in the passages.
    """
    landmarks, question, draft = material.landmarks, material.question_vector, material.draft_vector
    if landmarks is None or question is None or draft is None:
        return {"dense": 0.8 if is_spoken_of else -0.5, "everyday": -0.1, "relevance": 0.4, "refusal": 0.0}
    return {
        "dense": landmarks.scaled(max((hit.similarity for hit in material.hits), default=-1.0)),
        "everyday": landmarks.everydayness(question),
        "relevance": landmarks.scaled(float(question @ draft)),
        "refusal": landmarks.declining(draft),
    }


def _weigh(material: Material, terms: Iterable[str]) -> dict[str, float]:
    return dict(material.rarity(dict.fromkeys(terms)))


def _known_terms(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the terms that the corpus knows."""
    return {term: weight for term, weight in weights.items() if weight < _UNKNOWN_RARITY}


def _matches_any(patterns: tuple[regex.Pattern[str], ...], text: str) -> float:
    return float(any(pattern.search(text) for pattern in patterns))


def _repeated(
    material: Material, said: statements.Claims, weights: Mapping[str, float], asked: Mapping[str, float]
) -> float:
    """Return the share of what the draft says beyond the question that the conversation has stated.

    For a follow-up the whole thread counts; for a standalone question only messages about that question.
    """
    language = material.classification.language
    told = conversation.utterances(material.history, material.summary)
    question = material.classification.standalone
    if material.classification.intent == "follow_up":
        # Only what was stated before supports a draft, not what was asked before.
        question = "\n".join((*conversation.asked(material.history), material.question))
        stated = ["\n".join(one.stated for one in told)]
    else:
        stated = [one.stated for one in told if conversation.is_about(one, asked, language)]
    known = dict.fromkeys(content_terms(question, language), 1.0)
    made = [_claim_beyond_question(statement, known, weights, question) for statement in said.statements]
    words = {term: weight for claim in made for term, weight in claim.words.items()}
    claim = Claim(words, [fact for one in made for fact in one.facts])
    return max((_carried_by(text, claim, language) for text in stated if not claim.is_empty), default=0.0)


def _carried_by(text: str, claim: Claim, language: str) -> float:
    lacking = missing(claim.facts, text) if claim.facts else []
    held = [fact for fact in claim.facts if fact not in lacking]
    return claim_share(claim, frozenset(content_terms(text, language)), held)
