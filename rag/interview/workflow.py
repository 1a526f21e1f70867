"""One turn of an interview from beginning to end. Read `take_turn` from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import AwareDatetime, TypeAdapter

from rag.errors import BudgetExhaustedError, InputError, ModelError, ModelReplyError
from rag.interview.documents import Control, DialogueTurn, HaltError, State, StepOutput
from rag.interview.events import InterviewEvent, Started, TurnFailed, Undone, fold, list_pending
from rag.interview.interpret import extract_all, interpret, list_open_paths
from rag.interview.missions import Mission
from rag.interview.patch import PatchError
from rag.interview.questions import Say
from rag.interview.turns import open_question, plan_answer, plan_interpretation, understand
from rag.language.visible import message_text
from rag.loop.work import Work
from rag.settings import EMBEDDED

MAX_MESSAGE_CHARACTERS = 8_000

_MOMENT: TypeAdapter[datetime] = TypeAdapter(AwareDatetime)


@dataclass(frozen=True, slots=True)
class Said:
    """What a person said.

    Args:
        turn_id: Names the turn; the same id twice is the same message.
        text: The message.
        at: When it was said, aware of its time zone.
        answer_to: The question that it answers, or None for the one that is open.
    """

    turn_id: str
    text: str
    at: datetime
    answer_to: str | None = None


class WrongQuestionError(InputError):
    """The answer is to a question that is not the open one."""


def start(session_id: str, mission: Mission, at: datetime) -> Started:
    """Return the first event of an interview."""
    return Started(
        session_id=session_id,
        schema_id=mission.id,
        schema_version=mission.version,
        locale=mission.locale,
        control=Control(limits=mission.limits, checks=mission.checks),
        at=_MOMENT.validate_python(at),
    )


async def take_turn(
    work: Work, mission: Mission, events: Sequence[InterviewEvent], said: Said, say: Say
) -> InterviewEvent | None:
    """Return what comes of a message: a turn that is applied as a whole, or one that failed.

    Args:
        work: What the model calls are part of.
        mission: The mission pack.
        events: The log so far.
        said: The message.
        say: Words questions in the language of the talk.

    Returns:
        The event to append to the log; None if the message is there already.

    Raises:
        InputError: the message is empty, too long or no text; nothing was paid.
        WrongQuestionError: it answers a question that is not open.
        StorageError: a step cannot be recorded.
    """
    if _is_known(events, said.turn_id):
        return None
    text = _accept(said.text)
    state = fold(events)
    question = open_question(state)
    if said.answer_to is not None and (question is None or question.question_id != said.answer_to):
        raise WrongQuestionError("this question is not open any more: answer the one that was asked last")
    turn = DialogueTurn(id=said.turn_id, role="user", text=text, at=said.at)
    turns = (*list_pending(events), turn)
    answer = understand(question, text, mission)
    if answer is not None:
        try:
            return plan_answer(state, mission, answer, turns, say)
        except PatchError:
            pass  # The choice does not fit the schema: a model may make more of the words.
    try:
        output = await _interpret(work, state, mission, turns, say)
        return plan_interpretation(state, mission, output, turns, say)
    except PatchError as exc:
        error = HaltError(code="patch_refused", message=str(exc))
    except ModelReplyError as exc:
        error = HaltError(code="reply_unusable", message=str(exc))
    except ModelError as exc:
        error = HaltError(code="model_unavailable", message=str(exc))
    except BudgetExhaustedError as exc:
        error = HaltError(code="budget_exhausted", message=str(exc))
    return TurnFailed(turn=turn, error=error, at=said.at)


def undo(events: Sequence[InterviewEvent], at: datetime) -> Undone:
    """Return the event that takes the last applied turn back.

    Raises:
        InputError: there is no turn to take back.
    """
    event = Undone(at=_MOMENT.validate_python(at))
    try:
        fold([*events, event])
    except ValueError as exc:
        raise InputError("nothing has been said yet that could be taken back") from exc
    return event


async def _interpret(
    work: Work, state: State, mission: Mission, turns: Sequence[DialogueTurn], say: Say
) -> StepOutput:
    """Ask the interviewer's model in the way that it can answer."""
    if work.tools.model_settings.named("interviewer") == EMBEDDED:
        question = open_question(state)
        paths = list_open_paths(state, mission)
        if question is not None:
            # The fact that was asked for first; it may be one that is known already, and is disputed.
            paths = list(dict.fromkeys((question.path, *paths)))
        return await extract_all(work, state, mission, turns, paths)

    def describe_problem(output: StepOutput) -> str:
        if output.step != "INTERPRET":
            return "`step` must be INTERPRET"
        try:
            plan_interpretation(state, mission, output, turns, say)
        except PatchError as exc:
            return str(exc)
        return ""

    return await work.step("interpret", lambda: interpret(work, state, mission, turns, describe_problem))


def _is_known(events: Sequence[InterviewEvent], turn_id: str) -> bool:
    """Whether a message was taken up, or waits for the next turn."""
    state = fold(events)
    said = {turn.id for turn in (*state.dialogue.history, *list_pending(events))}
    return turn_id in said


def _accept(text: str) -> str:
    """What a reader sees of a message.

    Raises:
        InputError: it is empty, too long or no text.
    """
    if len(text) > MAX_MESSAGE_CHARACTERS:
        raise InputError(
            f"the message has {len(text):,} characters and can have at most {MAX_MESSAGE_CHARACTERS:,}: "
            "send it in parts"
        )
    seen = message_text(text)
    if not seen or "\x00" in text:
        raise InputError("the message holds nothing to read: write it as plain text")
    return seen
