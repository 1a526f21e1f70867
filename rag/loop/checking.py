"""The cascade that every text goes through: free checks and evidence, reviewer, judge, second reading.

Each layer is asked only about what the ones before it leave open, and none of them can end the loop.
"""

from __future__ import annotations

from dataclasses import replace

from rag.errors import BudgetExhaustedError, ModelError
from rag.loop.candidates import NOT_JUDGED, Candidate
from rag.loop.confirmation import confirmed
from rag.loop.run import Run
from rag.loop.state import State
from rag.reasons import Reason
from rag.steps.evaluate import evaluate, judge, judge_prompt, settled, unchecked, weighed
from rag.steps.review import mended, review
from rag.values import Draft, FreeLayer


async def checked(run: Run, state: State, text: Draft) -> Candidate:
    """Check a text, cheapest first.

    Args:
        run: The question's run.
        state: Where the loop stands; that a text is sent back is written down there.
        text: What a model wrote.

    Returns:
        The text with what there is to say of it; a layer that fails leaves it as it was.
    """
    if not run.tools.self_correction.enabled:
        return unchecked(Candidate(text, NOT_JUDGED, None), Reason("verdict-switched-off"))
    told = [before.verdict for before in state.candidates]
    candidate = await run.step(
        "evaluate",
        lambda: settled(run, evaluate(run, state.reading, text, state.probe, told), is_judged=False),
        is_light=True,
    )
    is_undecided = is_open = weighed(run, candidate, is_judged=False) == "ask_judge"
    is_flagged = False
    if _is_worth_reviewing(run, state, candidate, is_open=is_open):
        candidate, is_flagged = await _reviewed(run, state, candidate, is_open=is_open)
    if candidate.doubt:
        is_open = False
    if is_open:
        candidate = await _judged(run, state, candidate)
    elif is_flagged:
        candidate = await _doubted(run, state, candidate)
    elif not is_undecided:
        _save(run, state, candidate)
    return await confirmed(run, state, candidate)


def _save(run: Run, state: State, candidate: Candidate) -> None:
    """Write down the judge call that a text did not need.

    Where no judge would have been asked (small talk, another mode, a setting), nothing free made it
    unnecessary. Not a step: a repeated run must come to the same sum.
    """
    if not run.layers.judge or state.reading.intent == "small_talk":
        return
    layer: FreeLayer = (
        "checks" if candidate.is_defective else "repairs" if candidate.is_mended else "evidence"
    )
    skipped = judge_prompt(run, state.reading, candidate, state.probe)
    run.ledger.save(layer, (skipped.instructions, skipped.message))


def _is_worth_reviewing(run: Run, state: State, candidate: Candidate, *, is_open: bool) -> bool:
    """Whether a reviewer's word could change anything: a text that is sent back anyway is not reviewed."""
    is_wanted = is_open or candidate.verdict.quality == "adequate"
    return run.layers.reviewer and is_wanted and state.reading.intent != "small_talk"


async def _reviewed(run: Run, state: State, candidate: Candidate, *, is_open: bool) -> tuple[Candidate, bool]:
    """Let the reviewer mend or flag a text; whatever becomes of that, there is a text to go on with.

    Returns:
        The text, and whether the reviewer wants it judged.
    """
    try:
        found = await run.step("review", lambda: review(run, state.reading, candidate, state.probe))
        if found.status == "fixed":
            candidate = await run.step(
                "compare",
                lambda: mended(run, state.reading, candidate, found.patch, state.probe),
                is_light=True,
            )
    except (ModelError, BudgetExhaustedError):
        return candidate, False
    if found.status == "regenerate" and is_open and _can_send_back(run, state):
        state.has_been_sent_back = True
        sent_back = unchecked(candidate, Reason("verdict-sent-back", {"reason": found.reason}))
        return replace(sent_back, doubt=str(found.reason)), False
    candidate = replace(candidate, flags=tuple(dict.fromkeys((*candidate.flags, *found.flags))))
    # What passed checks and evidence is not sent back on one model's word: another right answer is as likely
    # to become a wrong one.
    return candidate, found.status in {"flag_to_judge", "regenerate"}


async def _judged(run: Run, state: State, candidate: Candidate) -> Candidate:
    """What the judge says of a text that rules and evidence leave open."""
    if not run.layers.judge:
        return unchecked(candidate, Reason("verdict-no-judge", {"reason": candidate.verdict.reason}))
    try:
        return await run.step(
            "judge",
            lambda: settled(run, judge(run, state.reading, candidate, state.probe), is_judged=True),
        )
    except (ModelError, BudgetExhaustedError) as exc:
        # A judge that fails never turns into a pass, nor into a reason to search again.
        return unchecked(candidate, exc.reason)


async def _doubted(run: Run, state: State, candidate: Candidate) -> Candidate:
    """Ask the judge about an adequate text that the reviewer flagged.

    Evidence has decided, and is right more often than models are: when both models are against the text it
    is written once more, but it stays in the race.
    """
    if not run.layers.judge or not _can_send_back(run, state):
        return candidate
    try:
        judged = await run.step("judge", lambda: judge(run, state.reading, candidate, state.probe))
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
