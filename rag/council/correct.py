"""Stage 2.5: every member corrects its own answer from its peers' reviews; exactly one round."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import structlog

from rag.council.anonymity import number_reviewers
from rag.council.corrections import find_objection
from rag.council.feedback import gather_feedback
from rag.council.members import Assignment, Reply, ask_everybody, ask_member, mend
from rag.evidence import bank
from rag.evidence.citations import verify
from rag.evidence.statements import declines
from rag.language.detect import language_name
from rag.language.sentences import sentences
from rag.prompting.untrusted import number_passages
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values.council import Correction, FallbackReason, Response, Review

_log = structlog.get_logger(__name__)


async def correct(
    run: Run, assignment: Assignment, responses: tuple[Response, ...], reviews: tuple[Review, ...]
) -> tuple[Correction, ...]:
    """Return each member's answer after its correction, in the order of the responses."""
    works = [
        (
            response.seat,
            partial(_ask_to_correct, run, assignment, response, reviews),
            _keep(response, "", "failed"),
        )
        for response in responses
    ]
    return await ask_everybody(run, "stage2_5", "self_correct", works, _describe)


def _describe(one: Correction) -> tuple[str, float, int]:
    status = one.fallback or ("corrected" if one.is_changed else "unchanged")
    return status, one.seconds, one.tokens


async def _ask_to_correct(
    run: Run, assignment: Assignment, response: Response, reviews: tuple[Review, ...]
) -> Outcome[Correction]:
    numbers = number_reviewers([review.reviewer for review in reviews], assignment.start_value)
    feedback = gather_feedback(response.seat, reviews, numbers, run.tools.council.feedback_tokens)
    if not feedback.text:
        return Outcome(
            _keep(response, "", "no_feedback"),
            Reason("council-kept", {"seat": response.seat, "status": "no_feedback"}),
        )
    classification = assignment.reading
    prompt = run.tools.prompts.render(
        "council_correct",
        passages=number_passages(assignment.passages) if assignment.passages else "",
        question=classification.standalone,
        answer=response.text,
        feedback=feedback.text,
        language=language_name(classification.language),
        persona=run.tools.council.seat(response.seat).persona,
    )
    reply = await ask_member(run, "self_correct", response.seat, prompt)
    if reply.text is not None:
        reply = replace(reply, text=mend(run, assignment, reply.text, reply.finish_reason) or None)
    objection = _objection(assignment, response, reply, prompt.instructions)
    kept = response.text if objection or reply.text is None else reply.text
    if objection:
        _log.warning("a correction is not used", seat=response.seat, reason=objection)
    correction = Correction(
        response.seat,
        response.text,
        feedback.text,
        kept,
        objection,
        feedback.is_shortened,
        reply.tokens,
        reply.seconds,
    )
    if objection is not None:
        detail = Reason("council-kept", {"seat": response.seat, "status": objection})
    else:
        is_changed = correction.is_changed
        detail = Reason("council-corrected" if is_changed else "council-unchanged", {"seat": response.seat})
    return Outcome(correction, detail, reply.calls, prompt.id)


def _objection(
    assignment: Assignment, response: Response, reply: Reply, instructions: str
) -> FallbackReason | None:
    if reply.has_failed:
        return "timed_out" if reply.has_timed_out else "failed"
    classification = assignment.reading
    holding = {
        citation.n
        for citation in verify(response.text, assignment.passages, classification.language).citations
    }
    return find_objection(
        response.text,
        reply.text,
        finish_reason=reply.finish_reason,
        is_refusal=_declines(reply.text or "") and not _declines(response.text),
        # `verify` numbers citations anew, so they are only comparable if the text kept its numbers.
        holding_citations=holding
        if _keeps_numbers(response.text, assignment, classification.language)
        else (),
        prompt=instructions,
    )


def _keeps_numbers(text: str, assignment: Assignment, language: str) -> bool:
    return verify(text, assignment.passages, language).text == text


def _declines(text: str) -> bool:
    said = sentences(text)
    return bool(said) and all(declines(bank.fold(sentence.text)) for sentence in said)


def _keep(response: Response, feedback: str, reason: FallbackReason) -> Correction:
    return Correction(response.seat, response.text, feedback, response.text, reason)
