"""Answer from documents by quoting the sentence that answers, without a chat model.

Small models read one passage well and write badly from five. So the verifier reads the passages, and the
sentence is quoted in which it finds the answer. If it is not sure, the answer is marked as possible. It says
"the documents do not say it" only if no passage answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import regex

from rag.checks import says_something
from rag.language import asking
from rag.language.negation import negations
from rag.language.sentences import sentences
from rag.language.units import missing, units
from rag.language.words import content_terms
from rag.loop.row_reading import compose_rows
from rag.loop.state import State
from rag.loop.verification import best_places, find_rival
from rag.quoting import Quotation, choose, shorten, widen
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.steps.quote import Quoted, plain_words, quote, quote_beginnings
from rag.steps.verify import COVERED, NEARLY_ALL, is_about
from rag.steps.whole import evenly
from rag.texts import Texts
from rag.values import Citation, Classification, Draft, Passage, SecondReading, Verdict

_SHOWN = 3
"""Maximum number of quotations in an answer if no sentence is certain to answer."""
_SHOWN_IF_LIKELY = 2
_OVERVIEW = 6
"""Maximum number of parts whose beginnings are quoted instead of a summary."""
_CERTAIN = 0.85
"""Probability from which the sentence in which the answer was found is verified: of 219 questions to two
handbooks that the reader had not seen, 41 right ones reach it, and 3 wrong ones."""
_DOUBTFUL = 0.1
"""Below this probability, a passage does not answer the question."""
_SHORT = 60
"""Longest answer, in characters, that is said before the quotation that holds it."""
_YEAR = regex.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_VERSION = regex.compile(r"(?i)\bv(?:er(?:sion)?)?[ ._-]?(\d{1,4})(?!\d)")
_OLD = regex.compile(r"\b(?:old|ar[ck]h?i[vw]\p{L}*|obsolete|superseded|deprecated|drafts?)\b")
"""Names of folders and documents that are kept beside what holds."""

Finding = Literal["stated", "disputed", "likely", "possible", "absent"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The quoted sentences, and how certain it is that they answer.

    Args:
        finding: ``stated``: the first sentence answers. ``disputed``: another one answers with other figures.
            ``likely``: the first sentence probably answers. ``possible``: a sentence is about the question,
            but it is not certain that it answers. ``absent``: no sentence is about the question.
        sentences: The quoted sentences, best first; empty if the finding is ``absent``.
    """

    finding: Finding
    sentences: tuple[Quotation, ...] = ()


def answer_by_quoting(state: State, texts: Texts) -> Candidate:
    """Answer from the passages that were read: by the rows of a table, or the sentence that answers."""
    if state.rows is not None:
        return compose_rows(state.rows, state, texts)
    if state.passages and not state.read:
        return _quote_unread(state, texts)
    found = sorted(choose(state.read, best_places(state), _SHOWN), key=_weight, reverse=True)
    decided = decide(found, state.classification)
    if decided.finding != "absent" and (rival := find_rival(state, found[0].place)):
        both = sorted((found[0], *choose(state.read, [rival], 1)), key=_recency, reverse=True)
        decided = Decision("disputed", tuple(_with_date(shorten(one)) for one in both))
    elif decided.finding == "possible":
        decided = replace(decided, sentences=(widen(found[0]), *decided.sentences[1:]))
    elif decided.finding in {"stated", "likely"}:
        decided = replace(decided, sentences=tuple(map(shorten, decided.sentences)))
    return compose_candidate(decided, state, texts)


def _quote_unread(state: State, texts: Texts) -> Candidate:
    """Quote how passages begin that the verifier could not read: nobody knows that they lack the answer."""
    said = texts.text("quotation-possible", state.classification.language)
    text, citations = quote(said, quote_beginnings(state.passages))
    draft = Draft(text, state.passages)
    return Candidate(
        draft, _verdict(Decision("possible")), None, citations, is_covered=True, is_quotation=True
    )


def _weight(sentence: Quotation) -> float:
    """Return how probably a sentence answers; one that is kept as old answers half as probably what holds."""
    return sentence.place.covers * (0.5 if _is_kept_as_old(sentence) else 1.0)


def _is_kept_as_old(sentence: Quotation) -> bool:
    return bool(_OLD.search(_name(sentence).lower()))


def _name(sentence: Quotation) -> str:
    passage = sentence.passage
    return f"{passage.source} {passage.document} {passage.section}".replace("_", " ")


def _recency(sentence: Quotation) -> tuple[bool, str, int]:
    """Return what tells which of two documents holds: not kept as old, the later date, the higher version."""
    name = _name(sentence)
    version = max(map(int, _VERSION.findall(name)), default=0)
    return not _is_kept_as_old(sentence), _date(name) or _date(sentence.passage.text), version


def _date(text: str) -> str:
    """Return the latest date or year of a text, as ``2026-01-31`` or ``2026``; empty without one."""
    found = (one.normal for one in units(text, with_names=False) if one.kind == "date")
    return max((*_YEAR.findall(text), *(one for one in found if one[:4].isdecimal())), default="")


def _with_date(sentence: Quotation) -> Quotation:
    """Return a quotation below the sentence of its passage that dates it."""
    before = [one.text for one in sentences(sentence.passage.text[: sentence.start]) if _date(one.text)]
    return replace(sentence, lead=sentence.lead or max(before, key=_date, default=""))


def decide(found: Sequence[Quotation], classification: Classification) -> Decision:
    """Decide what is quoted. Pure."""
    if not found or found[0].place.covers < _DOUBTFUL:
        return Decision("absent")
    best = found[0]
    may_be_certain = _may_be_certain(best, classification)
    if best.place.covers >= _CERTAIN and may_be_certain:
        return Decision("stated", (best,))
    if best.place.covers >= COVERED and may_be_certain:
        close = tuple(one for one in found if one.place.covers >= best.place.covers / 2)
        return Decision("likely", close[:_SHOWN_IF_LIKELY])
    return Decision("possible", tuple(one for one in found if one.place.covers >= _DOUBTFUL))


def _may_be_certain(sentence: Quotation, classification: Classification) -> bool:
    """Return whether nothing in a sentence speaks against it that readers of this size overlook."""
    question, said, language = classification.standalone, sentence.said, classification.language
    return not (
        _drops_negation(question, said, language)
        or asking.is_question(sentence.sentence)
        or not _names_subject(question, sentence)
        or asking.misses_whole(question, said, sentence.words)
    )


def _names_subject(question: str, sentence: Quotation) -> bool:
    passage = sentence.passage
    named = [unit for unit in units(question) if unit.kind in {"name", "code"}]
    return not missing(named, f"{passage.document}\n{passage.section}\n{passage.text}")


def _drops_negation(question: str, said: str, language: str) -> bool:
    """Return whether a sentence says of members what a question asks of non-members, in the same words."""
    return bool(negations(question)) and not negations(said) and is_about(said, question, language)


def compose_candidate(found: Decision, state: State, texts: Texts) -> Candidate:
    """Return the quotation, or the sentence that there is none, as a candidate with its verdict."""
    text, citations = compose_text(found, state, texts)
    candidate = Candidate(
        Draft(text, state.passages or state.read),
        _verdict(found),
        None,
        citations,
        is_covered=found.finding != "absent",
        is_quotation=True,
    )
    if found.finding not in {"stated", "disputed"}:
        return candidate
    words = found.sentences[-1].words
    read = SecondReading("agrees" if found.finding == "stated" else "differs", 1, words)
    return replace(candidate, second_reading=read)


def compose_text(found: Decision, state: State, texts: Texts) -> tuple[str, tuple[Citation, ...]]:
    """Return quotations below what is to be said of them, and their citations.

    A sentence that answers needs no words before it; one that likely does is shown with its answer first.
    """
    language, best = state.classification.language, next(iter(found.sentences), None)
    said = ""
    if best is None:
        said = texts.text("search-blind" if state.is_search_blind else "quotation-absent", language)
    elif found.finding == "disputed":
        said = texts.text("quotation-disputed", language)
    elif found.finding == "likely":
        words = "" if asking.wants_yes_or_no(state.classification.standalone) else _bold(best, state)
        said = texts.text("quotation-likely-words" if words else "quotation-likely", language, words=words)
    elif found.finding == "possible":
        said = texts.text("quotation-possible", language)
    return quote(said, [Quoted(one.passage, one.text, one.lead, one.answer) for one in found.sentences])


def _bold(sentence: Quotation, state: State) -> str:
    """Return the words of a quotation that answer, in bold.

    Nothing if they are long, nearly all of their sentence, or only repeat the question.
    """
    question, language = state.classification.standalone, state.classification.language
    words = plain_words(sentence.words)
    if set(content_terms(words, language)) <= set(content_terms(question, language)):
        return ""
    most = min(_SHORT, len(sentence.sentence) * NEARLY_ALL)
    return f"**{words}**" if words and len(words) <= most else ""


def quote_overview(
    passages: Sequence[Passage], classification: Classification, texts: Texts
) -> Candidate | None:
    """Return how the parts of a document begin, as a candidate: all of it is the document's own.

    A small model writes no summary that could be relied on.
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
        second_reading=SecondReading("agrees", 1),
        is_quotation=True,
    )


def _first_sentence(text: str) -> str:
    return next((one.text for one in sentences(text) if says_something(one.text)), "")


def _verdict(found: Decision) -> Verdict:
    match found.finding:
        case "stated":
            best = found.sentences[0]
            return Verdict(
                "adequate", Reason("verdict-quote-found", {"text": best.words}), best.place.covers, "reading"
            )
        case "disputed":
            differs = Reason("verdict-reading-differs", {"n": 2, "text": found.sentences[-1].words})
            return Verdict("unchecked", differs, 0.0, "reading")
        case "likely" | "possible":
            return Verdict("unchecked", Reason("verdict-quote-possible"), 0.0, "reading")
        case "absent":
            return Verdict("needs_docs", Reason("verdict-quote-none"), _CERTAIN, "reading")
