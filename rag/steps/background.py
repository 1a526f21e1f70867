"""Select the part of the conversation that a step sees when it reads passages."""

from __future__ import annotations

from rag.evidence.conversation import is_about, utterances
from rag.language.words import content_terms
from rag.prompting.untrusted import Fenced, dialogue
from rag.steps.classify import select_thread
from rag.values import Classification, Question, Turn

_TURNS = 4
_TURN_CHARACTERS = 300


def background(question: Question, classification: Classification) -> dict[str, Fenced | str]:
    """Return a prompt's ``history`` and ``summary``; both are blank where the talk does not matter."""
    turns, summary = select_conversation(question, classification)
    return {"history": dialogue(turns[-_TURNS:], _TURN_CHARACTERS), "summary": summary}


def select_conversation(question: Question, classification: Classification) -> tuple[tuple[Turn, ...], str]:
    """Return the turns and the summary that are needed to understand or answer a message.

    A follow-up needs its thread, and the summary if the thread starts before the window. A standalone
    question needs the conversation only if something in it is about the same subject.
    """
    if classification.intent == "follow_up":
        turns = select_thread(question.history)
        return turns, question.summary if turns == question.history else ""
    asked = dict.fromkeys(content_terms(question.text, classification.language), 1.0)
    is_spoken_of = any(
        is_about(one, asked, classification.language)
        for one in utterances(question.history, question.summary)
    )
    if classification.intent == "small_talk" or not is_spoken_of:
        return (), ""
    return question.history, question.summary
