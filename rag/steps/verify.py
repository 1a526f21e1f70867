"""Have the verifier read: where do passages answer the question, and do they carry what a text claims?

The sentence that answers is checked by itself, and so is every other sentence: its value is the text under
check, and the rest of it, subject included, is the question. A reading of one sentence says nothing of the
next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rag.evidence import claims
from rag.evidence.claims import TextClaim
from rag.language.sentences import without_markers
from rag.language.words import content_terms
from rag.quoting import Quotation, choose
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values import Classification, ModelCall, Passage, PassageId, Place
from rag.verifier import Claim

COVERED = 0.5
"""Probability from which a passage counts as answering the question."""
PERHAPS_COVERED = 0.2
"""Probability from which a passage may answer: of 131 questions that people asked of handbooks which answer
them, 0.86 reach it; of 51 questions of general knowledge 0.18."""
CARRIED = 0.8
"""Probability from which a claim counts as carried by its passage."""
_UNSURE = 0.4
"""Probability given to words that answer an earlier question, so that they are shown and not relied on."""
NEARLY_ALL = 0.75
"""Share of a question's words from which a text speaks of it."""
DENIED = 0.1
"""Probability up to which a text says something else than a passage that answers."""
_READ = 6
"""Passages that are read for a question; the search seldom has the answer further down."""
_NEAR = 0.3
"""Share of the best score below which no passage is read: of 112 questions, none had its answer there."""


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim of a text, and how probably a passage carries it.

    Args:
        passage: Id of the passage that carries it best.
        is_answer: The claim answers the question; the others stand beside it.
    """

    claim: TextClaim
    passage: PassageId
    probability: float
    is_answer: bool = False

    @property
    def is_carried(self) -> bool:
        """Whether the passage carries the claim."""
        return self.probability >= CARRIED


def worth_reading(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages that a search found, best first, without those that are far behind the first."""
    return [one for one in passages[:_READ] if one.score >= _NEAR * passages[0].score]


async def find(
    run: Run, classification: Classification, passages: Sequence[Passage]
) -> Outcome[tuple[Place, ...]]:
    """Have the verifier read passages, best first, for the standalone question."""
    found = await run.verifier.find(classification.standalone, passages)
    places, calls = await _without_earlier_answers(run, classification, passages, found.places)
    is_covered = any(place.covers >= COVERED for place in places)
    reason = Reason("documents-cover" if is_covered else "documents-do-not-cover")
    return Outcome(places, reason, (*found.calls, *calls))


async def _without_earlier_answers(
    run: Run, classification: Classification, passages: Sequence[Passage], places: Sequence[Place]
) -> tuple[tuple[Place, ...], tuple[ModelCall, ...]]:
    """Return the places, doubtful where only the earlier questions of a follow-up have their answer.

    A reader that is asked joined questions finds the answer to one of them. So it reads once more for the
    earlier ones: the same words do not answer the follow-up, unless their sentence speaks of it.
    """
    by_id = {passage.id: passage for passage in passages}
    likely = {one.passage: one for one in places if one.covers >= COVERED} if classification.earlier else {}
    if not likely:
        return tuple(places), ()
    found = await run.verifier.find(classification.earlier, [by_id[one] for one in likely])
    same = {
        one.passage
        for one in found.places
        if one.covers >= COVERED
        and max(one.start, likely[one.passage].start) < min(one.end, likely[one.passage].end)
        and not _speaks_of_follow_up(choose([by_id[one.passage]], [one], 1), classification)
    }
    doubtful = (replace(one, covers=_UNSURE) if one.passage in same else one for one in places)
    return tuple(doubtful), found.calls


def _speaks_of_follow_up(quoted: Sequence[Quotation], classification: Classification) -> bool:
    passage_words = [f"{one.passage.document}\n{one.passage.section}\n{one.said}" for one in quoted]
    return is_about("\n".join(passage_words), classification.queries[-1], classification.language)


def is_about(text: str, question: str, language: str) -> bool:
    """Return whether a text has nearly all words of a question, which has some."""
    asked = frozenset(content_terms(question, language))
    return bool(asked) and len(asked.intersection(content_terms(text, language))) >= NEARLY_ALL * len(asked)


async def covers(run: Run, classification: Classification, passages: Sequence[Passage]) -> Outcome[bool]:
    """Return whether one of the passages, best first, answers the question."""
    found = await find(run, classification, worth_reading(passages))
    return Outcome(any(place.covers >= COVERED for place in found.value), found.detail, found.calls)


async def check_claims(
    run: Run,
    classification: Classification,
    text: str,
    cited: Mapping[int, Passage],
    others: Sequence[Passage] = (),
) -> Outcome[tuple[CheckedClaim, ...]]:
    """Return each claim of a text with the probability that a passage carries it.

    Args:
        text: The text, with its markers.
        cited: The passages that its markers name, by number.
        others: Passages for claims without a marker.
    """
    made = claims.split(text, classification.language)
    pairs = [
        (claim, passage)
        for claim in made
        for passage in ([cited[n] for n in claim.numbers if n in cited] or others or list(cited.values()))
    ]
    if not pairs:
        return Outcome((), Reason("passage-lacks"))
    question = classification.standalone
    read = await run.verifier.carries([Claim(question, claim.text, passage) for claim, passage in pairs])
    answers = _best_of(pairs, read.probabilities)
    answer = max(answers, key=lambda claim: answers[claim][1])
    repeats, calls = await _repeats(run, classification, answer)
    if repeats:
        answers[answer] = (answers[answer][0], min(answers[answer][1], _UNSURE))
    # "Explain more" asks for no words that a reader could find, so its answer is checked like the rest.
    is_open = classification.intent == "follow_up" and answers[answer][1] < CARRIED and not repeats
    beside = [
        pair
        for pair in pairs
        if (is_open or pair[0] is not answer) and claims.may_carry(*pair, classification)
    ]
    further = await run.verifier.carries(
        [Claim(claim.rest(question), claim.value(question), passage) for claim, passage in beside]
    )
    found = {claim: (passage, 0.0) for claim, (passage, _) in answers.items()}
    found[answer] = answers[answer]
    likely = [
        1.0 if claims.is_quoted(*pair) else probability
        for pair, probability in zip(beside, further.probabilities, strict=True)
    ]
    for claim, carried in _best_of(beside, likely).items():
        found[claim] = max(found[claim], carried, key=lambda one: one[1])
    checked = tuple(CheckedClaim(claim, *one, claim is answer) for claim, one in found.items())
    detail = "; ".join(f"{round(100 * one.probability)} %" for one in checked)
    return Outcome(checked, Reason("passage-says", {"text": detail}), (*read.calls, *calls, *further.calls))


async def _repeats(
    run: Run, classification: Classification, claim: TextClaim
) -> tuple[bool, tuple[ModelCall, ...]]:
    """Return whether a claim only repeats the answer before a follow-up, without a word of the follow-up."""
    told = next((turn.text for turn in reversed(run.question.history) if turn.role == "assistant"), "")
    is_own = is_about(claim.text, classification.queries[-1], claim.language)
    if not classification.earlier or not told or is_own:
        return False, ()
    before = Passage(PassageId("conversation"), "", "", without_markers(told))
    read = await run.verifier.carries([Claim(classification.earlier, claim.text, before)])
    return read.probabilities[0] >= CARRIED, read.calls


def _best_of(
    pairs: Sequence[tuple[TextClaim, Passage]], probabilities: Sequence[float]
) -> dict[TextClaim, tuple[PassageId, float]]:
    found: dict[TextClaim, tuple[PassageId, float]] = {}
    for (claim, passage), probability in zip(pairs, probabilities, strict=True):
        if claim not in found or probability > found[claim][1]:
            found[claim] = (passage.id, probability)
    return found
