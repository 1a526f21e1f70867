"""The checks of a text: free checks and evidence, the verifier, reviewer, judge.

Each layer runs only for what the layers before it left open. A layer that fails does not end the loop.
"""

from __future__ import annotations

from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.loop.state import State
from rag.loop.verification import is_covered, verify
from rag.reasons import Reason
from rag.runs.candidates import NOT_JUDGED, Candidate
from rag.runs.run import Outcome, Run
from rag.steps.evaluate import (
    choose_action,
    evaluate,
    evaluate_with_doubts,
    judge,
    render_judge_prompt,
    settle,
    unchecked,
)
from rag.steps.review import apply_patch, review
from rag.values import Draft, FreeLayer


async def check_text(run: Run, state: State, text: Draft, *, is_final: bool = False) -> Candidate:
    """Check a text, with the cheapest layers first.

    If a layer fails, the next ones get the text unchanged; a final text is checked by the free layers and the
    verifier only. The state records if a text is sent back.
    """
    if not run.tools.self_correction.enabled:
        return unchecked(Candidate(text, NOT_JUDGED, None), Reason("verdict-switched-off"))
    candidate = await run.step(
        "evaluate",
        lambda: evaluate_with_doubts(run, _evaluate(run, state, text), is_judged=False),
        is_light=True,
    )
    read = await verify(run, state, candidate)
    candidate = read if read.verdict is candidate.verdict else settle(run, read, is_judged=False)
    if is_final:
        return candidate
    is_undecided = is_open = choose_action(run, candidate, is_judged=False) == "ask_judge"
    is_flagged = False
    if _is_worth_reviewing(run, state, candidate, is_open=is_open):
        candidate, is_flagged = await _review(run, state, candidate, is_open=is_open)
    if candidate.doubt:
        is_open = False
    if is_open:
        candidate = await _judge(run, state, candidate)
    elif is_flagged:
        candidate = await _judge_flagged(run, state, candidate)
    elif not is_undecided:
        _record_saved_judge_call(run, state, candidate)
    return await verify(run, state, candidate)


async def _evaluate(run: Run, state: State, text: Draft) -> Outcome[Candidate]:
    """Run the free layers; whether the documents cover the question is the verifier's to say."""
    found = await evaluate(run, state.classification, text, state.probe)
    if not state.places:
        return found
    return replace(found, value=replace(found.value, is_covered=is_covered(state)))


def _record_saved_judge_call(run: Run, state: State, candidate: Candidate) -> None:
    """Record a judge call that was saved; no step, because a repeated run must arrive at the same sum."""
    if not run.layers.judge or state.classification.intent == "small_talk":
        return
    layer: FreeLayer = (
        "checks" if candidate.is_defective else "repairs" if candidate.is_mended else "evidence"
    )
    skipped = render_judge_prompt(run, state.classification, candidate, state.probe)
    run.ledger.save(layer, (skipped.instructions, skipped.message))


def _is_worth_reviewing(run: Run, state: State, candidate: Candidate, *, is_open: bool) -> bool:
    """Return whether a review can change anything; a text that is sent back anyway is not reviewed."""
    is_wanted = is_open or candidate.verdict.quality == "adequate"
    return run.layers.reviewer and is_wanted and state.classification.intent != "small_talk"


async def _review(run: Run, state: State, candidate: Candidate, *, is_open: bool) -> tuple[Candidate, bool]:
    """Ask the reviewer, and apply its repair; return the text, and whether the judge is to see it."""
    try:
        found = await run.step("review", lambda: review(run, state.classification, candidate, state.probe))
        if found.status == "fixed":
            candidate = await run.step(
                "compare",
                lambda: apply_patch(run, state.classification, candidate, found.patch, state.probe),
                is_light=True,
            )
    except (ModelError, BudgetExhaustedError):
        return candidate, False
    if found.status == "regenerate" and is_open and _can_send_back(run, state):
        state.has_been_sent_back = True
        sent_back = unchecked(candidate, Reason("verdict-sent-back", {"reason": found.reason}))
        return replace(sent_back, doubt=str(found.reason)), False
    candidate = replace(candidate, flags=tuple(dict.fromkeys((*candidate.flags, *found.flags))))
    # A text that passed the checks and the evidence is not sent back because of one model: another correct
    # answer may become a wrong one.
    return candidate, found.status in {"flag_to_judge", "regenerate"}


async def _judge(run: Run, state: State, candidate: Candidate) -> Candidate:
    if not run.layers.judge:
        return unchecked(candidate, Reason("verdict-no-judge", {"reason": candidate.verdict.reason}))
    try:
        return await run.step(
            "judge",
            lambda: evaluate_with_doubts(
                run, judge(run, state.classification, candidate, state.probe), is_judged=True
            ),
        )
    except (ModelError, BudgetExhaustedError) as exc:
        # A failed judge is neither a pass nor a reason to search again.
        return unchecked(candidate, exc.reason)


async def _judge_flagged(run: Run, state: State, candidate: Candidate) -> Candidate:
    """Ask the judge about an adequate text that the reviewer flagged.

    The evidence has accepted the text and is more often right than models. If both models object, the text is
    rewritten, but stays a candidate.
    """
    if not run.layers.judge or not _can_send_back(run, state):
        return candidate
    try:
        judged = await run.step("judge", lambda: judge(run, state.classification, candidate, state.probe))
    except (ModelError, BudgetExhaustedError):
        return candidate
    verdict = judged.verdict
    is_sure = verdict.confidence >= run.tools.self_correction.evaluation_threshold
    if verdict.quality == "adequate" or not is_sure:
        return candidate
    state.has_been_sent_back = True
    return replace(candidate, doubt=str(verdict.reason))


def _can_send_back(run: Run, state: State) -> bool:
    return not state.has_been_sent_back and state.retries < run.tools.self_correction.max_retries
