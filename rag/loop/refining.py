"""Scoring an answer that nothing has verified, and refining it as long as it gets better.

Refinement is monotone: a version replaces the one before it only when code finds it no worse and the
critic, on the same scale, gives it at least the same score. A critic or a refiner that fails leaves
everything as it was.
"""

from __future__ import annotations

from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.knowledge.search import SearchResult
from rag.language.units import missing, units
from rag.loop import replacement
from rag.loop.candidates import Candidate, quality_rank
from rag.loop.run import Outcome, Run
from rag.loop.state import State
from rag.reasons import Reason
from rag.steps.critique import Critique, criticise, refine, second_opinion
from rag.steps.evaluate import again, evaluate, shown_passages, weighed
from rag.values import Classification, Intent, Label


def is_wanted(run: Run, candidate: Candidate, label: Label, intent: Intent) -> bool:
    """Whether a critic has something to do: not with social talk, a verified text, an honest refusal.

    What a refusal lacks is knowledge. Reading documents supplies that; a refiner that is told to be more
    helpful takes the next best figure.
    """
    refusal = candidate.evidence.refusal if candidate.evidence else 0.0
    return (
        run.layers.critic
        and label in {"general", "unverified"}
        and intent != "small_talk"
        and not candidate.is_quotation
        and refusal < replacement.DECLINES
        and len(candidate.draft.text) >= run.tools.critique.shortest_characters
    )


async def refined(run: Run, state: State, candidate: Candidate) -> tuple[Candidate, float | None]:
    """Score a text and refine it while that helps.

    Args:
        run: The question's run.
        state: Where the loop ended.
        candidate: The text that would be sent.

    Returns:
        The best-scoring version and its score; the text itself and None when the critic failed.
    """
    settings = run.tools.critique
    best: tuple[Candidate, float | None] = (candidate, None)
    try:
        critique = await _criticised(run, state, candidate, settings.threshold)
        best = candidate, critique.score
        # What the critic has not read to its end cannot be written anew without losing the rest; and evidence
        # was never asked about a faulty text, so that nothing could be found as good.
        is_refinable = len(candidate.draft.text) <= settings.answer_characters and not candidate.is_defective
        for _ in range(settings.conversation_rounds if run.question.history else settings.rounds):
            if critique.score >= settings.threshold or not critique.is_concrete or not is_refinable:
                break
            version = await _version(run, state, best[0], critique)
            if version is None:
                break
            kept = critique.score
            critique = await _criticised(run, state, version, kept)
            if critique.score < kept:
                break
            best = version, critique.score
    except (ModelError, BudgetExhaustedError):
        pass  # The trail says what failed; the best version so far goes out.
    return best


async def _criticised(run: Run, state: State, candidate: Candidate, neutral: float) -> Critique:
    """A critique, second critic included; `neutral` is the score that says neither good nor bad."""
    critique = await run.step("critique", lambda: criticise(run, state.reading, candidate, state.probe))
    if run.tools.critique.recursive:
        return await run.step(
            "second_opinion", lambda: second_opinion(run, state.reading, candidate, critique, neutral)
        )
    return critique


async def _version(run: Run, state: State, candidate: Candidate, critique: Critique) -> Candidate | None:
    """A refined version that code finds no worse, or None."""
    text = await run.step("refine", lambda: refine(run, state.reading, candidate, critique, state.probe))
    if not text or text == candidate.draft.text:
        return None
    return await run.step(
        "compare", lambda: _compared(run, state.reading, candidate, text, state.probe), is_light=True
    )


async def _compared(
    run: Run, reading: Classification, before: Candidate, text: str, probe: SearchResult | None
) -> Outcome[Candidate | None]:
    after = (await evaluate(run, reading, again(before, text), probe)).value
    objection = replacement.refinement_objection(before, after, reading.language) or _invention(
        run, reading, before, after, probe
    )
    is_decided = weighed(run, after, is_judged=False) == "accept"
    if not objection and not is_decided and _is_decided_for_free(run, before):
        objection = Reason("refused-less-sure", {"reason": after.verdict.reason})
    if objection:
        return Outcome(None, Reason("change-refused", {"reason": objection}))
    after = replace(after, draft=replace(after.draft, passages=before.draft.passages))
    if not is_decided or quality_rank(after.verdict.quality) < quality_rank(before.verdict.quality):
        # What evidence leaves open is no better than what was said of the first version; and a judge said
        # more of that one than evidence alone can say, which says no less of this one.
        after = replace(after, verdict=before.verdict)
    return Outcome(after, Reason("no-worse"))


def _invention(
    run: Run, reading: Classification, before: Candidate, after: Candidate, probe: SearchResult | None
) -> Reason | None:
    """Return the fact of a refined text that stands nowhere, or None.

    Evidence knows nothing of what the documents do not talk about, and the critic may know as little as the
    refiner: a name or a number that only the refiner has is no improvement.
    """
    passages = (passage.text for passage in shown_passages(run, before, probe))
    known = "\n".join((reading.standalone, before.draft.text, *passages))
    new = missing(units(after.draft.text, reading.language), known)
    return Reason("refused-invented", {"fact": new[0].text}) if new else None


def _is_decided_for_free(run: Run, candidate: Candidate) -> bool:
    return candidate.verdict.source == "evidence" and weighed(run, candidate, is_judged=False) == "accept"
