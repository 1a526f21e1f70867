"""Score an answer that nothing has verified, and refine it while it improves.

A version replaces its predecessor only if code finds it no worse and the critic scores it at least as high.
If the critic or the refiner fails, the answer stays unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.evidence.decision import REFUSAL_THRESHOLD
from rag.knowledge.search import SearchResult
from rag.language.units import missing, units
from rag.loop.state import State
from rag.reasons import Reason
from rag.runs import replacement
from rag.runs.candidates import Candidate, rank_quality
from rag.runs.run import Outcome, Run
from rag.steps.critique import Critique, criticise, refine, second_opinion
from rag.steps.evaluate import choose_action, evaluate, make_next_version, select_shown_passages
from rag.values import Classification, Intent, Label


def needs_critic(run: Run, candidate: Candidate, label: Label, intent: Intent) -> bool:
    """Return whether the critic runs: not for a refusal, to which a refiner would add the nearest figure."""
    refusal = candidate.evidence.refusal if candidate.evidence else 0.0
    return (
        run.layers.critic
        and label in {"general", "unverified"}
        and intent != "small_talk"
        and not candidate.is_quotation
        and refusal < REFUSAL_THRESHOLD
        and len(candidate.draft.text) >= run.tools.critique.shortest_characters
    )


@dataclass(frozen=True, slots=True)
class Refinement:
    """The result of criticising a text.

    Args:
        best: The best version; the text itself if nothing better was written.
        score: Its score, 0-1; None if the critic failed.
    """

    best: Candidate
    score: float | None = None


async def refine_while_better(run: Run, state: State, candidate: Candidate) -> Refinement:
    """Score a text, and refine it while the score improves."""
    settings = run.tools.critique
    found = Refinement(candidate)
    try:
        critique = await _criticise(run, state, candidate, settings.threshold)
        found = Refinement(candidate, critique.score)
        # Two texts cannot be refined: one that the critic has not read to its end would lose the rest, and a
        # defective one has no evidence to compare with.
        is_refinable = len(candidate.draft.text) <= settings.answer_characters and not candidate.is_defective
        for _ in range(settings.conversation_rounds if run.question.history else settings.rounds):
            if critique.score >= settings.threshold or not critique.is_concrete or not is_refinable:
                break
            version = await _refine_once(run, state, found.best, critique)
            if version is None:
                break
            kept = critique.score
            critique = await _criticise(run, state, version, kept)
            if critique.score < kept:
                break
            found = Refinement(version, critique.score)
    except (ModelError, BudgetExhaustedError):
        pass  # The trace shows the failure; the best version so far is sent.
    return found


async def _criticise(run: Run, state: State, candidate: Candidate, neutral: float) -> Critique:
    """Return a critique, adjusted by the second critic if it is enabled; `neutral` is that of `temper`."""
    critique = await run.step(
        "critique", lambda: criticise(run, state.classification, candidate, state.probe)
    )
    if run.tools.critique.recursive:
        return await run.step(
            "second_opinion", lambda: second_opinion(run, state.classification, candidate, critique, neutral)
        )
    return critique


async def _refine_once(run: Run, state: State, candidate: Candidate, critique: Critique) -> Candidate | None:
    text = await run.step(
        "refine", lambda: refine(run, state.classification, candidate, critique, state.probe)
    )
    if not text or text == candidate.draft.text:
        return None
    return await run.step(
        "compare", lambda: _compare(run, state.classification, candidate, text, state.probe), is_light=True
    )


async def _compare(
    run: Run, classification: Classification, before: Candidate, text: str, probe: SearchResult | None
) -> Outcome[Candidate | None]:
    after = (await evaluate(run, classification, make_next_version(before, text), probe)).value
    objection = replacement.refinement_objection(before, after, classification.language) or _find_invention(
        run, classification, before, after, probe
    )
    is_decided = choose_action(run, after, is_judged=False) == "accept"
    if not objection and not is_decided and _is_accepted_by_evidence(run, before):
        objection = Reason("refused-less-sure", {"reason": after.verdict.reason})
    if objection:
        return Outcome(None, Reason("change-refused", {"reason": objection}))
    after = replace(after, draft=replace(after.draft, passages=before.draft.passages))
    if not is_decided or rank_quality(after.verdict.quality) < rank_quality(before.verdict.quality):
        # Keep the earlier verdict: undecided evidence is no improvement, and a judge's verdict says more than
        # evidence that finds the new version no worse.
        after = replace(after, verdict=before.verdict)
    return Outcome(after, Reason("no-worse"))


def _find_invention(
    run: Run, classification: Classification, before: Candidate, after: Candidate, probe: SearchResult | None
) -> Reason | None:
    """Return a reason if a refined text has a fact that is in no source, else None.

    The evidence knows only what the documents are about, and the critic may know as little as the refiner. So
    a new name or number is not an improvement.
    """
    passages = (passage.text for passage in select_shown_passages(run, before, probe))
    known = "\n".join((classification.standalone, before.draft.text, *passages))
    new = missing(units(after.draft.text, classification.language), known)
    return Reason("refused-invented", {"fact": new[0].text}) if new else None


def _is_accepted_by_evidence(run: Run, candidate: Candidate) -> bool:
    return (
        candidate.verdict.source == "evidence" and choose_action(run, candidate, is_judged=False) == "accept"
    )
