"""One turn of an interview from beginning to end. Read `take_turn` from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from rag.errors import BudgetExhaustedError, InputError, ModelError, ModelReplyError
from rag.interview.documents import Control, DialogueTurn, HaltError, NextAction, State, StepOutput
from rag.interview.events import (
    MOMENT,
    InterviewEvent,
    Started,
    TurnApplied,
    TurnFailed,
    Undone,
    apply_turn,
    fold,
    list_pending,
)
from rag.interview.gate import check_gate
from rag.interview.gatekeeping import GATE_CHECK, apply_check, check, postpone_check
from rag.interview.interpret import MAX_EXTRACTIONS, extract_all, interpret, list_open_paths
from rag.interview.issues import Say
from rag.interview.missions import Mission, describe_possible, is_described
from rag.interview.patch import PatchError
from rag.interview.replies import ModelReply
from rag.interview.steering import find_named, holds_phrase, read_wish
from rag.interview.trail import describe_output, describe_raw, describe_steps
from rag.interview.turns import (
    finish_turn,
    open_question,
    plan_answer,
    plan_correction,
    plan_interpretation,
    plan_opening,
    understand,
)
from rag.language.visible import message_text
from rag.models.calls import ModelTools
from rag.reasons import Reason
from rag.runs.work import Work
from rag.settings import EMBEDDED

MAX_MESSAGE_CHARACTERS = 8_000

_MAX_CALLS = MAX_EXTRACTIONS + 2 * 3
"""Model calls of one turn: the extractions, or two steps with two repair requests each."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the person.

    Args:
        turn_id: Names the turn; the same id twice is the same message.
        at: When it was said, aware of its time zone.
        answer_to: The question that it answers, or None for the one that is open.
    """

    turn_id: str
    text: str
    at: datetime
    answer_to: str | None = None


class WrongQuestionError(InputError):
    """The answer is to a question that is not the open one."""


def with_budget(tools: ModelTools) -> ModelTools:
    """Return tools whose budget holds a turn: each fact looked for by itself, or replies with repairs."""
    budget = tools.budget.model_copy(update={"calls": max(tools.budget.calls, _MAX_CALLS)})
    return replace(tools, budget=budget)


def start(session_id: str, mission: Mission, at: datetime) -> Started:
    """Return the first event of an interview."""
    return Started(
        session_id=session_id,
        schema_id=mission.id,
        schema_version=mission.version,
        locale=mission.locale,
        control=Control(limits=mission.limits, checks=mission.checks),
        at=MOMENT.validate_python(at),
    )


def open_with_question(
    events: Sequence[InterviewEvent], mission: Mission, at: datetime, say: Say
) -> TurnApplied:
    """Return the event that asks the first question of an interview, before anybody has said anything."""
    return plan_opening(fold(events), mission, MOMENT.validate_python(at), say)


async def take_turn(
    work: Work, mission: Mission, events: Sequence[InterviewEvent], said: Said, say: Say
) -> InterviewEvent | None:
    """Return what comes of a message: a turn applied as a whole, or one that failed; None for a known one.

    Raises:
        InputError: the message is empty, too long or no text; nothing was paid.
        WrongQuestionError: it answers a question that is not open.
        StorageError: a step cannot be recorded.
    """
    if _is_known(events, said.turn_id):
        return None
    text = accept_message(said.text)
    state = fold(events)
    question = open_question(state)
    if said.answer_to is not None and (question is None or question.question_id != said.answer_to):
        raise WrongQuestionError(Reason("interview-question-closed"))
    turn = DialogueTurn(id=said.turn_id, role="user", text=text, at=said.at)
    turns = (*list_pending(events), turn)
    if read_wish(text) == "back":
        with suppress(InputError):
            return undo(events, said.at)
    try:
        return await _work_on(work, state, mission, turns, say)
    except (PatchError, ModelError, BudgetExhaustedError) as exc:
        replies = exc.replies if isinstance(exc, ModelError) else ()
        return TurnFailed(
            turn=turn,
            error=_halt(exc),
            at=said.at,
            trace=(*describe_steps(work.trace), *describe_raw(replies)),
        )


async def correct_answer(
    work: Work, mission: Mission, events: Sequence[InterviewEvent], said: Said, path: str, say: Say
) -> TurnApplied:
    """Return what comes of an answer that is written anew where it stands.

    Raises:
        InputError: the pack does not take the answer, or it is empty, too long or no text.
    """
    state, answer = fold(events), accept_message(said.text)
    if not is_described(mission, path):
        raise InputError(Reason("interview-answer-unfit", {"value": answer, "possible": "–"}))
    text = f"{mission.title_of(path)}: {answer}"
    turn = DialogueTurn(id=said.turn_id, role="user", text=text, at=said.at)
    try:
        planned = plan_correction(state, mission, path, answer, turn, say)
    except PatchError as exc:
        possible = describe_possible(mission, path) or "–"
        raise InputError(Reason("interview-answer-unfit", {"value": answer, "possible": possible})) from exc
    return await _check_gate(work, state, mission, planned, say)


async def reinterpret(
    work: Work, mission: Mission, events: Sequence[InterviewEvent], at: datetime, say: Say
) -> TurnApplied | None:
    """Return what comes of the messages of failed turns, or None: there are none, or it fails again."""
    pending = list_pending(events)
    if not pending:
        return None
    try:
        turn = await _work_on(work, fold(events), mission, pending, say)
    except (PatchError, ModelError, BudgetExhaustedError):
        return None
    return turn.model_copy(update={"at": MOMENT.validate_python(at)})


async def _work_on(
    work: Work, state: State, mission: Mission, turns: Sequence[DialogueTurn], say: Say
) -> TurnApplied:
    answer = understand(state, turns[-1].text, mission)
    if answer is not None and answer.kind == "go_on" and len(turns) > 1:
        answer = None  # with the messages that still wait
    if answer is not None and answer.kind != "told":
        with suppress(PatchError):
            # Code takes up that message alone: those of failed turns before it still wait for a model.
            planned = plan_answer(state, mission, answer, turns[-1:], say)
            return await _check_gate(work, state, mission, planned, say)
    heard: tuple[DialogueTurn, ...] = ()
    if answer is not None and answer.kind == "told":
        heard = tuple(one for one in state.dialogue.history if one.role == "user")
    output, raw = await _interpret(work, state, mission, turns, say, heard)
    planned = plan_interpretation(
        state,
        mission,
        output,
        turns,
        say,
        describe_output(output),
        heard=heard,
        is_copied=_is_small(work),
    )
    trail = (*describe_steps(work.trace), *describe_raw(raw), *planned.trace)
    return await _check_gate(work, state, mission, planned.model_copy(update={"trace": trail}), say)


async def check_again(
    work: Work, mission: Mission, events: Sequence[InterviewEvent], at: datetime, say: Say
) -> TurnApplied:
    """Return the event of a look at the gate without a new message: what is missing, or that it is complete.

    Messages of failed turns are worked on first.
    """
    if (turn := await reinterpret(work, mission, events, at, say)) is not None:
        return turn
    state = fold(events)
    draft = TurnApplied(
        turns=(), next_action=NextAction(kind="proceed_to_gate"), at=MOMENT.validate_python(at)
    )
    gate = check_gate(state, mission)
    if not gate.ready_for_skeleton:
        # The question that waits still waits: nothing is asked twice because somebody looked.
        kept = {"gate": gate, "status": state.meta.status}
        if state.next_action is not None and state.next_action.kind == "ask_user":
            return draft.model_copy(update={**kept, "next_action": state.next_action})
        return finish_turn(state, mission, draft, say)
    draft = draft.model_copy(update={"trace": tuple(describe_steps(work.trace))})
    return await _check_gate(work, state, mission, finish_turn(state, mission, draft, say), say)


async def _check_gate(work: Work, state: State, mission: Mission, turn: TurnApplied, say: Say) -> TurnApplied:
    """Let the model look at a state that code finds complete.

    A small model is not asked: it copies words well and judges badly.
    """
    if turn.status != "ready" or _is_small(work) or not state.control.checks.ask_model_at_gate:
        return turn
    if work.trace and state.control.limits.max_loops == 1:
        return postpone_check(turn, "max_loops")
    after, described = apply_turn(state, turn), len(work.trace)

    def with_trail(raw: Sequence[str]) -> TurnApplied:
        trail = (*turn.trace, *describe_steps(work.trace[described:]), *describe_raw(raw))
        return turn.model_copy(update={"trace": trail})

    try:
        reply: ModelReply = await work.step(GATE_CHECK, lambda: check(work, after, mission))
    except (ModelError, BudgetExhaustedError) as exc:
        replies = exc.replies if isinstance(exc, ModelError) else ()
        return postpone_check(with_trail(replies), _halt(exc).code)
    return apply_check(state, mission, with_trail(reply.raw), reply.output, say)


def _halt(error: Exception) -> HaltError:
    code = "model_unavailable"
    match error:
        case PatchError():
            code = "patch_refused"
        case ModelReplyError():
            code = "reply_unusable"
        case BudgetExhaustedError():
            code = "budget_exhausted"
    return HaltError(code=code, message=str(error))


def undo(events: Sequence[InterviewEvent], at: datetime) -> Undone:
    """Return the event that takes the last applied turn back.

    Raises:
        InputError: there is no turn to take back.
    """
    event = Undone(at=MOMENT.validate_python(at))
    try:
        fold([*events, event])
    except ValueError as exc:
        raise InputError(Reason("interview-nothing-to-undo")) from exc
    return event


def _is_small(work: Work) -> bool:
    """Whether the interviewer's model can only copy words."""
    return work.tools.model_settings.named("interviewer") == EMBEDDED


async def _interpret(
    work: Work,
    state: State,
    mission: Mission,
    turns: Sequence[DialogueTurn],
    say: Say,
    heard: Sequence[DialogueTurn],
) -> tuple[StepOutput, tuple[str, ...]]:
    if _is_small(work):
        return await _extract(work, state, mission, turns, heard), ()

    told: list[str] = []

    def describe_problem(output: StepOutput) -> str:
        if output.step != "INTERPRET":
            return "`step` must be INTERPRET"
        try:
            planned = plan_interpretation(state, mission, output, turns, say, heard=heard)
        except PatchError as exc:
            return str(exc)
        wrong = [str(one["path"]) for one in planned.trace if one.get("reason") in {"impossible", "outside"}]
        if told or not wrong:
            return ""
        # Once: what the model writes again is what the person means; a value becomes a note.
        told.extend(wrong)
        return (
            f"the schema does not allow what is written at {', '.join(wrong)}: write what it allows if the "
            "person means that, and the same again if not"
        )

    reply: ModelReply = await work.step(
        "interpret", lambda: interpret(work, state, mission, heard or turns, describe_problem)
    )
    return reply.output, reply.raw


async def _extract(
    work: Work,
    state: State,
    mission: Mission,
    turns: Sequence[DialogueTurn],
    heard: Sequence[DialogueTurn],
) -> StepOutput:
    """Have a small model look for what is corrected by name, or else for what is asked for and open."""
    said = turns[-1].text
    named = find_named(state, mission, said) if holds_phrase(said, "correction") else ()
    question = open_question(state)
    asked = [question.path] if question is not None else []
    disputed = [path for path, fact in state.facts.items() if fact.status == "disputed"]
    paths = list(dict.fromkeys((*asked, *list_open_paths(state, mission), *disputed)))
    return await extract_all(work, state, mission, heard or turns, asked if heard else paths, named)


def _is_known(events: Sequence[InterviewEvent], turn_id: str) -> bool:
    state = fold(events)
    said = {turn.id for turn in (*state.dialogue.history, *list_pending(events))}
    return turn_id in said


def accept_message(text: str) -> str:
    """Return what a reader sees of a message.

    Raises:
        InputError: it is empty, too long or no text.
    """
    if len(text) > MAX_MESSAGE_CHARACTERS:
        raise InputError(
            Reason(
                "interview-message-too-long",
                {"characters": len(text), "limit": MAX_MESSAGE_CHARACTERS},
            )
        )
    seen = message_text(text)
    if not seen or any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in text):
        raise InputError(Reason("interview-message-unreadable"))
    return seen
