"""Limits on interviews, which hold before anything is paid."""

from __future__ import annotations

from collections.abc import Sequence

from bot.service.interview_values import Used
from bot.settings.sections import Interviews as Bounds
from rag.interview.events import InterviewEvent, fold, list_pending
from rag.reasons import Reason


def find_excess(bounds: Bounds, used: Used, events: Sequence[InterviewEvent]) -> Reason | None:
    """Return the limit of an interview that is used up, or None."""
    history = fold(events).dialogue.history
    messages = sum(turn.role == "user" for turn in history) + len(list_pending(events))
    if messages >= bounds.messages_per_session:
        return Reason("interview-turns-spent", {"limit": bounds.messages_per_session})
    if used.session_tokens >= bounds.tokens_per_session:
        return Reason("interview-tokens-spent", {"limit": bounds.tokens_per_session})
    if used.tokens_today >= bounds.tokens_per_day:
        return Reason("interview-day-spent", {"limit": bounds.tokens_per_day})
    return None
