"""Renders an interview as messages: its summary, the facts just noted, and the next question."""

from __future__ import annotations

from collections.abc import Iterator

from bot.service.interview_reports import describe as describe_standing
from bot.service.interview_reports import list_lines, name_fact
from bot.service.interview_values import View
from bot.telegram.rendering.parts import Part
from bot.telegram.rendering.text import text_parts
from bot.texts import TEXTS
from rag.interview.documents import AskUser
from rag.interview.events import TurnApplied
from rag.interview.missions import Mission

MAX_NOTED = 10
"""Largest number of noted facts in a message; the summary has all of them."""


def summary_part(view: View, mission: Mission) -> Part:
    """Return the known facts of an interview as one message."""
    return text_parts(_escape_backticks("\n".join(standing_lines(view, mission))))[0]


def standing_lines(view: View, mission: Mission) -> Iterator[str]:
    """Yield the known and the missing facts of an interview, as lines."""
    language = mission.locale.language
    yield from list_lines(describe_standing(view, mission, language), language)


def turn_parts(view: View, mission: Mission, heading: str = "", *, is_noted: bool = True) -> tuple[Part, ...]:
    """Return the messages after a turn: the noted facts, and the next question with its reason.

    Args:
        view: The interview after the turn.
        mission: The mission pack of the interview.
        heading: A sentence instead of the noted facts; may be empty.
        is_noted: Whether to show the noted facts.
    """
    noted = "\n".join(_list_noted(view, mission)) if is_noted and not heading else ""
    paragraphs = [heading, noted, _next(view, mission)]
    return text_parts(_escape_backticks("\n\n".join(each for each in paragraphs if each)))


def question_text(question: AskUser, language: str) -> str:
    """Return a question with its reason."""
    if not question.why_this_question:
        return question.question_text
    why = TEXTS.text("interview-why", language, why=question.why_this_question)
    return f"{question.question_text}\n{why}"


def _next(view: View, mission: Mission) -> str:
    language, action = mission.locale.language, view.next_action
    if action.ask_user is not None:
        asked = question_text(action.ask_user, language)
        last = view.events[-1]
        if not isinstance(last, TurnApplied) or last.asked is not None or not last.turns:
            return asked
        # The person has said that everything is told.
        return f"{_missing_list(view, mission)}\n\n{asked}"
    if action.error is not None:
        halted = TEXTS.text("interview-halted", language, code=action.error.code)
        question = view.state.next_action.ask_user if view.state.next_action else None
        return halted if question is None else f"{halted}\n\n{question_text(question, language)}"
    match view.state.meta.status:
        case "ready":
            return TEXTS.text("interview-complete", language)
        case "gating":
            return TEXTS.text("interview-unchecked", language)
        case _:
            return f"{TEXTS.text('interview-blocked', language)}\n{_missing_list(view, mission)}"


def _missing_list(view: View, mission: Mission) -> str:
    language = mission.locale.language
    missing = describe_standing(view, mission, language).missing
    return "\n".join([TEXTS.text("interview-missing", language), *(f"– {each}" for each in missing)])


def _list_noted(view: View, mission: Mission) -> Iterator[str]:
    """Yield the facts that the last turn has noted."""
    last = view.events[-1]
    if not isinstance(last, TurnApplied):
        return
    settled = [path for path, fact in last.facts.items() if fact is not None and fact.status != "disputed"]
    for path in sorted(settled)[:MAX_NOTED]:
        yield name_fact(view, mission, path)


def _escape_backticks(text: str) -> str:
    """Replace backticks, which people type, so that they do not mark code."""
    return text.replace("`", "ˋ")
