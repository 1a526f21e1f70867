"""What a text may be called: the verifier reads what it cites, or what was found for the question.

Where a passage clearly answers, the documents decide: a text that says the same is adequate and gets its
citation; one that says otherwise is a hallucination. Where nothing answers, the text keeps the verdict of the
layers before. A verifier that fails leaves everything as it was, and nothing is called verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError, OperatorError
from rag.evidence import citations, claims, conversation
from rag.evidence.decision import REFUSAL_THRESHOLD
from rag.language import asking
from rag.language.units import units
from rag.language.words import content_terms
from rag.loop.state import State
from rag.quoting import choose, put_into_cell
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.settings import BUNDLED
from rag.steps.evaluate import find_cited_passages
from rag.steps.verify import (
    CARRIED,
    COVERED,
    DENIED,
    PERHAPS_COVERED,
    CheckedClaim,
    check_claims,
    find,
    worth_reading,
)
from rag.values import Passage, PassageId, Place, SecondReading, Verdict

_COMPARED = 3
"""Passages that a text without citations is compared with, the likeliest ones."""


async def read_passages(
    run: Run, state: State, passages: Sequence[Passage], *, are_cited: bool = False
) -> None:
    """Have the verifier read what a search found or a text cites, and remember where it answers."""
    read = passages if are_cited else worth_reading(passages)
    new = [passage for passage in read if passage.id not in state.places]
    if not new or not run.layers.reading:
        return
    try:
        places = await run.step("cover", lambda: find(run, state.classification, new), is_light=_is_free(run))
    except (ModelError, BudgetExhaustedError, OperatorError):
        return
    by_id = {passage.id: passage for passage in new}
    question, language = state.classification.standalone, state.classification.language
    state.places |= {
        place.passage: put_into_cell(place, by_id[place.passage], question, language) for place in places
    }
    state.read += tuple(passage for passage in new if passage.id in state.places)


def _is_free(run: Run) -> bool:
    """Return whether the verifier asks no paid model, so that a step of it may run again after a crash."""
    return run.tools.model_settings.verifier == BUNDLED


def best_places(state: State) -> list[Place]:
    """Return where the passages answer, the likeliest first."""
    return sorted(state.places.values(), key=lambda place: -place.covers)


def find_rival(state: State, place: Place) -> Place | None:
    """Return where another passage answers the question with other figures, or None.

    A policy and the one that replaces it are not both true. They speak of the question in the same words, or
    share half of their own: "returned within 45 days" has no rival in "paid within 6 days", unless that is
    surer. If the question names the section of this place, other sections of the document are no rivals.
    """
    passages = {passage.id: passage for passage in state.read}
    ours = passages.get(place.passage)
    if ours is None or not (said := _facts(ours, place)):
        return None
    sentence, language = _quote_of(ours, place), state.classification.language
    shared, named = _shared_terms(state, sentence), _shared_terms(state, ours.section)
    own = shared or frozenset(content_terms(sentence, language))
    for other in best_places(state):
        passage = passages.get(other.passage)
        if passage is None or passage is ours or other.covers < COVERED:
            continue
        told, stated = _quote_of(passage, other), _facts(passage, other)
        unsaid = len(own.difference(content_terms(told, language)))
        is_about = other.covers >= min(CARRIED, place.covers) or unsaid <= (0 if shared else len(own) / 2)
        unnamed = named - _shared_terms(state, f"{passage.section}\n{told}")
        is_named = ours.source == passage.source and bool(unnamed)
        if stated and told != sentence and not said & stated and is_about and not is_named:
            return other
    return None


def _shared_terms(state: State, sentence: str) -> frozenset[str]:
    question, language = state.classification.standalone, state.classification.language
    return frozenset(content_terms(question, language)) & frozenset(content_terms(sentence, language))


def _facts(passage: Passage, place: Place) -> frozenset[str]:
    found = units(passage.text[place.start : place.end], with_names=False)
    return frozenset(fact.normal for fact in found if fact.kind in {"number", "date", "time"})


def is_covered(state: State) -> bool:
    """Return whether a passage that was read answers the question, or the rows of a table."""
    return state.rows is not None or any(place.covers >= COVERED for place in state.places.values())


def is_perhaps_covered(state: State) -> bool:
    """Return whether a passage that was read may answer the question, and none surely does."""
    return not is_covered(state) and any(one.covers >= PERHAPS_COVERED for one in state.places.values())


async def verify(run: Run, state: State, candidate: Candidate) -> Candidate:
    """Have the verifier read what the label of a text depends on; return the text with what follows."""
    cited = find_cited_passages(run, candidate, state.probe)
    others = () if cited else _likeliest(state)
    if not _needs_reading(run, state, candidate):
        return candidate
    if not (cited or others):
        is_said = candidate.is_from_conversation
        return candidate if is_said else await _read_conversation(run, state, candidate)
    text = candidate.draft.text
    try:
        await read_passages(run, state, list(cited.values()), are_cited=True)
        checked = await run.step(
            "read",
            lambda: check_claims(run, state.classification, text, cited, others),
            is_light=_is_free(run),
        )
    except (ModelError, BudgetExhaustedError, OperatorError):
        return replace(candidate, second_reading=SecondReading("failed", 1))
    if not checked:
        return candidate
    known = {passage.id: passage for passage in (*cited.values(), *others)}
    read = settle(candidate, checked, state, known)
    # What the conversation has said needs no passage, but whoever asks again gets the citation again.
    return candidate if candidate.is_from_conversation and not read.is_confirmed else read


async def _read_conversation(run: Run, state: State, candidate: Candidate) -> Candidate:
    """Return a text that no passage answers as one from the conversation, if that tells what it says.

    The conversation is read like a passage. If it answers the question, the text must have that answer, from
    messages that may be relied on. "What did I ask first?" finds no such place, and words have to do.
    """
    question, classification, text = run.question, state.classification, candidate.draft.text
    told = "\n".join((question.summary, *(turn.text for turn in question.history)))
    relied = (turn.text for turn in question.history if turn.label != "unverified")
    is_open = not (candidate.draft.passages or candidate.verdict.source in {"judge", "reading"})
    if not (is_open and conversation.tells(told, text, question.text, classification.language)):
        return candidate
    passage = Passage(PassageId("conversation"), "", "", told)
    try:
        (place,) = await run.step(
            "cover", lambda: find(run, classification, [passage]), is_light=_is_free(run)
        )
        checked = await run.step(
            "read", lambda: check_claims(run, classification, text, {}, [passage]), is_light=_is_free(run)
        )
    except (ModelError, BudgetExhaustedError, OperatorError):
        return candidate
    is_denied = not any(one.probability > DENIED for one in checked)
    known = "\n".join((question.summary, *relied))
    is_relied_on = conversation.tells(known, text, question.text, classification.language)
    if place.covers >= COVERED and (is_denied or not is_relied_on):
        return candidate
    return replace(candidate, verdict=Verdict("adequate", Reason("verdict-said"), CARRIED, "reading"))


def settle(
    candidate: Candidate,
    checked: Sequence[CheckedClaim],
    state: State,
    passages: dict[PassageId, Passage],
) -> Candidate:
    """Return a text with its reading and the verdict that follows. Pure."""
    answer = next(one for one in checked if one.is_answer)
    passage, place = passages[answer.passage], state.places.get(answer.passage)
    is_vetoed = not claims.is_not_vetoed(answer.claim, passage)
    rival = None if place is None else find_rival(state, place)
    if answer.is_carried and not is_vetoed and rival is not None:
        return _dispute(candidate, 1, _words({one.id: one for one in state.read}[rival.passage], rival))
    if answer.is_carried and not is_vetoed and not _needs_whole(state, passage):
        candidate = _cite(candidate, checked, passages, state)
        n = next((one.n for one in candidate.citations if one.passage == passage.id), 1)
        verdict = Verdict(
            "adequate", Reason("verdict-reading-agrees", {"n": n}), answer.probability, "reading"
        )
        unconfirmed = tuple(one.claim.text for one in checked if not one.is_carried)
        reading = SecondReading("agrees", n, _words(passage, place))
        return replace(candidate, verdict=verdict, second_reading=reading, unconfirmed=unconfirmed)
    n = next((one.n for one in candidate.citations if one.passage == passage.id), 1)
    is_answered = place is not None and place.covers >= COVERED
    if is_answered and (answer.probability <= DENIED or claims.contradicts(answer.claim, passage)):
        return _dispute(candidate, n, _words(passage, place))
    outcome = SecondReading("undecided" if is_answered else "not_stated", n)
    return replace(candidate, second_reading=outcome)


def _dispute(candidate: Candidate, n: int, words: str) -> Candidate:
    reason = Reason("verdict-reading-differs", {"n": n, "text": words})
    verdict = Verdict("hallucination", reason, CARRIED, "reading")
    return replace(candidate, verdict=verdict, second_reading=SecondReading("differs", n, words))


def _needs_whole(state: State, passage: Passage) -> bool:
    """Return whether a claim is about all of something, and the passage does not speak of all."""
    question, place = state.classification.standalone, state.places.get(passage.id)
    if place is None:
        return asking.asks_whole(question)
    return asking.misses_whole(question, _quote_of(passage, place), _words(passage, place))


def _needs_reading(run: Run, state: State, candidate: Candidate) -> bool:
    """Return whether a text is read: it claims something, and one passage could carry it."""
    refusal = candidate.evidence.refusal if candidate.evidence else 0.0
    return (
        run.layers.reading
        and not candidate.is_defective
        and candidate.second_reading is None
        and refusal < REFUSAL_THRESHOLD
        and state.classification.intent != "small_talk"
        # One passage cannot say whether a text sums the whole document up.
        and state.whole is None
    )


def _likeliest(state: State) -> tuple[Passage, ...]:
    by_id = {passage.id: passage for passage in state.read}
    # What answered the question before may still carry what is said more of it.
    enough = PERHAPS_COVERED if state.classification.earlier else COVERED
    places = [place for place in best_places(state) if place.covers >= enough]
    return tuple(by_id[place.passage] for place in places[:_COMPARED])


def _cite(
    candidate: Candidate,
    checked: Sequence[CheckedClaim],
    passages: dict[PassageId, Passage],
    state: State,
) -> Candidate:
    if candidate.citations:
        return candidate
    marks = [
        (
            one.claim.end,
            passages[one.passage],
            _quote_of(passages[one.passage], state.places.get(one.passage)),
        )
        for one in checked
        if one.is_carried
    ]
    cited = citations.mark(candidate.draft.text, marks)
    return replace(candidate, draft=replace(candidate.draft, text=cited.text), citations=cited.citations)


def _quote_of(passage: Passage, place: Place | None) -> str:
    quoted = choose([passage], [place], 1) if place is not None else ()
    return quoted[0].sentence if quoted else ""


def _words(passage: Passage, place: Place | None) -> str:
    return "" if place is None else " ".join(passage.text[place.start : place.end].split())
