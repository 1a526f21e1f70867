"""Answer from documents by quoting: read the likeliest passages, and quote the sentence that answers.

Small models read one passage well and write badly from five. Of 28 questions about a handbook, the embedded
model answered 10 by writing; the sentence nearest to the question, chosen without a model, answered 25. So
sentences are ranked without a model, the passages of the best ones are read one by one, and the sentence that
contains the reading is quoted. If no reading confirms a sentence, the answer is marked as possible. It says
"the documents do not say it" only if no sentence is about the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from rag.checks import says_something
from rag.errors import BudgetExhaustedError, ModelError
from rag.evidence import assertion, bank, polarity
from rag.evidence.asked_measure import gives_asked_kind, gives_asked_price
from rag.evidence.siblings import has_other_qualifier, speaks_of_sibling
from rag.language import asking
from rag.language.detect import detect
from rag.language.negation import negations
from rag.language.qualifiers import qualifiers
from rag.language.scripts import JAPANESE, dominant_script
from rag.language.sentences import sentences
from rag.language.units import missing, units
from rag.language.words import content_terms
from rag.loop.state import State
from rag.quoting import CarryingSentence, Choice, choose
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Outcome, Run
from rag.steps.quote import Quoted, quote
from rag.steps.read import read
from rag.steps.whole import evenly
from rag.texts import Texts
from rag.values import Classification, Draft, Passage, PassageReading, SecondReading, Verdict

_CONFIRMABLE = 2
"""Number of best sentences that a reading can confirm: a small model that invents an answer names another
one."""
_RANKED = 6
_OVERVIEW = 6
"""Maximum number of parts whose beginnings are quoted instead of a summary."""
_CERTAIN = 0.92
"""Likelihood from which a sentence is verified without a reading. In three handbooks 22 of 126 answerable
questions reached it, all correctly, and none of 28 unanswerable ones."""
_DOUBTFUL = 0.15
"""Below this likelihood, a question is not answered unless a reading stands in its passage. Nobody reads for
yes-or-no questions."""
_MIN_CONFIRMED = 0.3
"""Minimum likelihood of the sentence that a reading confirms. In seven handbooks the sentences of all 72
right readings reached it, and those of 11 of 15 wrong ones."""
_SURE = 0.85
_NEARLY_ALL = 0.75
"""Minimum share of a reading's words in the sentence that contains it: readers change word endings."""

Finding = Literal["stated", "possible", "absent"]


@dataclass(frozen=True, slots=True)
class Quotation:
    """The quoted sentences, and how certain it is that they answer.

    Args:
        finding: ``stated``: a reading or unambiguous free evidence says that the first sentence answers.
            ``possible``: a sentence is about the question, but nothing confirms that it answers. ``absent``:
            no sentence is about the question.
        sentences: The quoted sentences, best first; empty if the finding is ``absent``.
        reading: The reading of the first sentence's passage; None if free evidence decided.
    """

    finding: Finding
    sentences: tuple[CarryingSentence, ...]
    reading: PassageReading | None = None


async def answer_by_quoting(run: Run, state: State, texts: Texts) -> Candidate:
    """Answer from the passages in `state` by quoting the sentence that answers.

    Args:
        run: The question's run.
        state: State of the loop, with retrieved passages.
        texts: The catalogue of the sentences before a quotation.
    """
    choice = await run.step("choose", lambda: choose_sentences(run, state), is_light=True)
    readings: list[PassageReading] = []
    # A small model's yes or no cannot be trusted (eight of nine were wrong), so the sentence itself is
    # quoted.
    if run.layers.reading and not is_closed(state.classification):
        for sentence in select_likeliest(choice, run.tools.self_correction.readings):
            try:
                found = await run.step(
                    "read", partial(read, run, state.classification, sentence.passage, sentence.text)
                )
            except (ModelError, BudgetExhaustedError):
                break
            readings.append(found)
            if find_confirmed_sentence(choice, found, state.classification) is not None:
                break
    return compose_candidate(decide(choice, readings, state.classification), state, texts)


def select_likeliest(choice: Choice, most: int) -> tuple[CarryingSentence, ...]:
    """Return the best sentence of each passage, best first, at most `most`."""
    best: dict[str, CarryingSentence] = {}
    for sentence in choice.sentences:
        best.setdefault(sentence.passage.id, sentence)
    return tuple(best.values())[:most]


def decide(choice: Choice, readings: Sequence[PassageReading], classification: Classification) -> Quotation:
    """Decide what is quoted. Pure.

    Args:
        choice: The sentences of the passages, best first.
        readings: Readings of the likeliest passages, in order.
        classification: Classification of the message.
    """
    confirmed = next(
        (found for found in readings if find_confirmed_sentence(choice, found, classification)), None
    )
    if confirmed is not None and choice.is_carried:
        sentence = find_confirmed_sentence(choice, confirmed, classification)
        if sentence is not None and _answers(sentence, confirmed, classification):
            return Quotation("stated", (sentence,), confirmed)
    if choice.carried >= _CERTAIN and _may_be_certain(choice.sentences[0], classification):
        return Quotation("stated", choice.sentences[:1])
    is_unlikely = choice.carried < _DOUBTFUL and not _is_in_other_language(choice, readings, classification)
    if is_unlikely and not any(_is_of_passage(choice, one, classification) for one in readings):
        return Quotation("absent", ())
    if readings and not choice.is_carried and not any(one.is_stated for one in readings):
        return Quotation("absent", ())
    return Quotation("possible", choice.sentences[:_CONFIRMABLE])


def _is_in_other_language(
    choice: Choice, readings: Sequence[PassageReading], classification: Classification
) -> bool:
    """Return whether the best sentence is in another language than the question, and no model read it."""
    if readings or not choice.sentences:
        return False
    question, sentence = classification.standalone, choice.sentences[0].text
    scripts = {dominant_script(text) for text in (question, sentence)} - {""}
    if scripts == {"Latin"}:
        default = classification.language
        return detect(sentence, default) != detect(question, default)
    return len(scripts) > 1 and scripts != {"Han", JAPANESE}


def is_closed(classification: Classification) -> bool:
    """Return whether a question asks for yes or no."""
    question = bank.fold(classification.standalone)
    return asking.wants_yes_or_no(question) and not asking.offers_choice(question)


def find_confirmed_sentence(
    choice: Choice, found: PassageReading, classification: Classification
) -> CarryingSentence | None:
    """Return the sentence of a passage that contains its reading, among the best two; else None."""
    if not found.is_stated or _only_repeats(found.text, classification):
        return None
    return next(
        (
            sentence
            for sentence in choice.sentences[:_CONFIRMABLE]
            if sentence.passage.id == found.passage
            and _contains_reading(found.text, sentence.said, classification.language)
        ),
        None,
    )


def _answers(sentence: CarryingSentence, reading: PassageReading, classification: Classification) -> bool:
    """Return whether nothing speaks against a sentence that a reading confirms."""
    question, language = classification.standalone, classification.language
    return (
        sentence.score >= _MIN_CONFIRMED
        and not _is_about_sibling(sentence, classification)
        and gives_asked_kind(question, reading.text, sentence.said, language)
    )


def _may_be_certain(sentence: CarryingSentence, classification: Classification) -> bool:
    """Return whether nothing in a sentence speaks against it as the answer, so that no reading is needed."""
    question, said, language = classification.standalone, sentence.said, classification.language
    return not (
        _is_about_sibling(sentence, classification)
        or has_other_qualifier(question, said, sentence.heading, language)
        or _drops_negation(question, said, language)
        or _begins_with_question(sentence)
        or _lacks_qualifier(sentence, classification)
        or not gives_asked_price(question, said, language)
    )


def _drops_negation(question: str, said: str, language: str) -> bool:
    """Return whether a sentence says of members what a question asks of non-members, in the same words."""
    if not negations(question) or negations(said):
        return False
    asked = frozenset(content_terms(question, language))
    return len(asked.intersection(content_terms(said, language))) >= _NEARLY_ALL * len(asked)


def _begins_with_question(sentence: CarryingSentence) -> bool:
    """Return whether a quotation begins with a question: its words say nothing of what follows."""
    asked, *rest = (one.text for one in sentences(sentence.text))
    leading = polarity.leading_word(bank.fold(rest[0]))[0] if rest else None
    return asking.is_question(asked) and not leading


def _lacks_qualifier(sentence: CarryingSentence, classification: Classification) -> bool:
    """Return whether a yes-or-no question asks about always, all or only, and the sentence says neither."""
    asked, said = qualifiers(classification.standalone), qualifiers(sentence.said)
    return is_closed(classification) and any(asked[kind] and not said[kind] for kind in ("all", "only"))


def _only_repeats(reading: str, classification: Classification) -> bool:
    """Return whether a reading has no word beyond the question, and is not one of its alternatives."""
    question, language = classification.standalone, classification.language
    is_echo = assertion.read(reading, question, language).is_echo
    return is_echo and not asking.offers_choice(bank.fold(question))


def _is_of_passage(choice: Choice, found: PassageReading, classification: Classification) -> bool:
    """Return whether a reading stands in its passage; small readers invent a year where none is stated."""
    passage = next((one.passage for one in choice.sentences if one.passage.id == found.passage), None)
    if passage is None or not found.is_stated:
        return found.is_stated
    text = f"{passage.document}\n{passage.section}\n{passage.text}"
    return _contains_reading(found.text, text, classification.language)


def _is_about_sibling(sentence: CarryingSentence, classification: Classification) -> bool:
    question, language = classification.standalone, classification.language
    return speaks_of_sibling(question, sentence.said, sentence.heading, language)


def _contains_reading(reading: str, sentence: str, language: str) -> bool:
    """Return whether a sentence has every fact of a reading and at least 75 % of its words."""
    read, said = bank.fold(reading).rstrip(".。"), bank.fold(sentence).rstrip(".。")
    if read in said or said in read:
        return True
    facts, words = units(reading, language), set(content_terms(reading, language))
    if not facts and not words:
        return False
    held = len(words & set(content_terms(sentence, language))) / max(1, len(words))
    return not missing(facts, sentence) and held >= _NEARLY_ALL


def compose_candidate(found: Quotation, state: State, texts: Texts) -> Candidate:
    """Return the quotation, or the sentence that there is none, as a candidate with its verdict."""
    language = state.classification.language
    is_blind = found.finding == "absent" and state.is_search_blind
    said = texts.text("search-blind" if is_blind else f"quotation-{found.finding}", language)
    text, citations = quote(said, [Quoted(one.passage, one.text, one.lead) for one in found.sentences])
    return Candidate(
        Draft(text, state.passages),
        _verdict(found),
        None,
        citations,
        is_covered=True,
        is_unambiguous=found.finding == "stated",
        second_reading=SecondReading("agrees", 1, found.reading.text) if found.reading else None,
        is_quotation=True,
    )


def quote_overview(
    passages: Sequence[Passage], classification: Classification, texts: Texts
) -> Candidate | None:
    """Return how the parts of a document begin, as a candidate: all of it is the document's own.

    A small model writes no summary that could be relied on.

    Args:
        passages: The passages of one document in order.
        classification: Classification of the message.
        texts: The catalogue of the sentence before the quotations.
    """
    beginnings = {passage: first for passage in passages if (first := _first_sentence(passage.text))}
    chosen = [list(beginnings)[one] for one in evenly(range(len(beginnings)), _OVERVIEW)]
    if not chosen:
        return None
    said = texts.text("overview", classification.language, document=chosen[0].document)
    text, citations = quote(said, [Quoted(passage, beginnings[passage]) for passage in chosen])
    return Candidate(
        Draft(text, tuple(passages)),
        Verdict("adequate", Reason("verdict-quote-overview"), 1.0, "evidence"),
        None,
        citations,
        is_covered=True,
        is_unambiguous=True,
        is_quotation=True,
    )


def _first_sentence(text: str) -> str:
    return next((one.text for one in sentences(text) if says_something(one.text)), "")


def _verdict(found: Quotation) -> Verdict:
    match found.finding:
        case "stated" if found.reading:
            reason = Reason("verdict-quote-found", {"text": found.reading.text})
            return Verdict("adequate", reason, _SURE, "reading")
        case "stated":
            reason = Reason("verdict-quote-certain")
            return Verdict("adequate", reason, found.sentences[0].score, "evidence")
        case "possible":
            return Verdict("unchecked", Reason("verdict-quote-possible"), 0.0, "reading")
        case "absent":
            return Verdict("needs_docs", Reason("verdict-quote-none"), _SURE, "evidence")


async def choose_sentences(run: Run, state: State) -> Outcome[Choice]:
    """Rank the sentences of the passages in `state` by how likely they answer, without a model."""
    choice = await choose(run.tools.evidence, state.classification, state.passages, limit=_RANKED)
    best = choice.sentences[0].text if choice.sentences else ""
    return Outcome(choice, Reason("likeliest-sentence", {"text": best}) if best else Reason("no-sentence"))
