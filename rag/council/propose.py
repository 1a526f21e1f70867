"""Stage 1: every member answers the question by itself, all at the same time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rag import checks
from rag.council.members import Assignment, Reply, ask_everybody, ask_member, mend, model_of
from rag.language.detect import language_name
from rag.models.chat import Message
from rag.prompting.library import RenderedPrompt
from rag.prompting.untrusted import number_passages
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps.background import background
from rag.steps.continuation import append_rest, cut_unfinished
from rag.values.council import Response, ResponseStatus, Seat


async def propose(run: Run, assignment: Assignment, seats: tuple[Seat, ...]) -> tuple[Response, ...]:
    """Return each member's answer, in the order of the seats; a member that fails stops nobody else."""
    works = [
        (
            seat,
            partial(_ask_to_propose, run, assignment, seat),
            Response(seat, "", "failed", model_of(run, seat)),
        )
        for seat in seats
    ]
    return await ask_everybody(
        run, "stage1", "propose", works, lambda one: (one.status, one.seconds, one.tokens)
    )


async def _ask_to_propose(run: Run, assignment: Assignment, seat: Seat) -> Outcome[Response]:
    classification = assignment.reading
    prompt = run.tools.prompts.render(
        "council_propose",
        passages=number_passages(assignment.passages) if assignment.passages else "",
        question=classification.standalone,
        **background(run.question, classification),
        language=language_name(classification.language),
        persona=run.tools.council.seat(seat).persona,
    )
    reply = await ask_member(run, "propose", seat, prompt)
    if reply.status == "cut_off":
        reply = await _write_on(run, seat, prompt, reply)
    status, text = _read(run, assignment, reply)
    response = Response(seat, text, status, model_of(run, seat), reply.tokens, reply.seconds)
    detail = (
        Reason("council-answered", {"seat": seat, "characters": len(text)})
        if response.is_usable
        else Reason("council-not-answered", {"seat": seat, "status": status})
    )
    return Outcome(response, detail, reply.calls, prompt.id)


async def _write_on(run: Run, seat: Seat, prompt: RenderedPrompt, cut: Reply) -> Reply:
    """Ask a member once for the rest of its cut-off answer; if it gives none, the answer stays cut off."""
    written = cut.text or ""
    start = cut_unfinished(written)
    if not start:
        return cut
    go_on = run.tools.prompts.render("continue")
    history = (Message("user", prompt.message), Message("assistant", start))
    rest = await ask_member(
        run, "propose", seat, replace(prompt, message=go_on.message, id=go_on.id), history
    )
    calls = (*cut.calls, *rest.calls)
    if rest.has_failed:
        return replace(cut, calls=calls)
    return replace(rest, text=append_rest(written, rest.text or "", rest.finish_reason), calls=calls)


def _read(run: Run, assignment: Assignment, reply: Reply) -> tuple[ResponseStatus, str]:
    if reply.text is None or reply.status == "empty":
        return reply.status, ""
    text = mend(run, assignment, reply.text, reply.finish_reason)
    if not checks.says_something(text):
        return "empty", ""
    return reply.status, text
