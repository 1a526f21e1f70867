"""What of the conversation a step is shown that reads passages: nothing, unless the question leans on it."""

from __future__ import annotations

from rag.evidence.conversation import is_about, utterances
from rag.language.words import content_terms
from rag.prompting.untrusted import Fenced, dialogue
from rag.steps.classify import thread
from rag.values import Classification, Question, Turn

_TURNS = 4
_TURN_CHARACTERS = 300


def background(question: Question, reading: Classification) -> dict[str, Fenced | str]:
    """Return the variables ``history`` and ``summary`` of a prompt; both blank for a question of its own.

    Args:
        question: What was asked, with its conversation.
        reading: What it was classified as.
    """
    turns, summary = leaned_on(question, reading)
    return {"history": dialogue(turns[-_TURNS:], _TURN_CHARACTERS), "summary": summary}


def leaned_on(question: Question, reading: Classification) -> tuple[tuple[Turn, ...], str]:
    """The turns and the summary that a message needs to be understood or answered.

    A follow-up needs the thread that it goes on, and what is older where that begins before the window. A
    question that stands alone needs the conversation only where something in it speaks of the same.
    """
    if reading.intent == "follow_up":
        turns = thread(question.history)
        return turns, question.summary if turns == question.history else ""
    asked = dict.fromkeys(content_terms(question.text, reading.language), 1.0)
    is_spoken_of = any(
        is_about(one, asked, reading.language) for one in utterances(question.history, question.summary)
    )
    if reading.intent == "small_talk" or not is_spoken_of:
        return (), ""
    return question.history, question.summary
