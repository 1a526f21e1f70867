"""Classify a message, and turn it into search queries that need no history.

The first classification costs nothing: it uses phrases, the language and the order of the messages. A model
classifies only after a judge found that the draft missed the question.
"""

from __future__ import annotations

from rag.language import detect, phrases
from rag.reasons import Reason
from rag.values import Classification, Passage, Question, Turn

_MAX_ANCHORS = 3


def classify(question: Question, main_language: str = "en") -> Classification:
    """Classify a message without a model.

    A follow-up is made standalone by prefixing the question it depends on: the latest earlier question that
    stands alone, and the follow-ups in between. Search tolerates the repetition, and without a model the
    query cannot drift to another language or subject.

    Args:
        question: The message and its conversation.
        main_language: ISO 639-1 code for a message whose language neither it nor the conversation shows, such
            as "wifi?".
    """
    text = question.text.strip()
    earlier = [turn.text for turn in question.history if turn.role == "user"]
    default = _detect_conversation_language(earlier) or main_language
    language = question.language or detect.detect(text, default=default)
    if phrases.is_small_talk(text):
        return Classification("small_talk", language, (text,), Reason("only-social-phrases"))
    anchors = _find_anchors(earlier)
    if not anchors:
        return Classification("question", language, (text,), Reason("stands-alone"))
    in_context = " ".join([*anchors, text])
    if reason := phrases.follow_up_reason(text):
        return Classification("follow_up", language, (in_context, text), reason)
    return Classification("question", language, (text, in_context), Reason("stands-alone"))


def select_thread(history: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the part of the conversation from the latest standalone question on."""
    for start in range(len(history) - 1, -1, -1):
        turn = history[start]
        if turn.role == "user" and not _is_dependent(turn.text):
            return history[start:]
    return history


def find_carried_passages(question: Question) -> tuple[Passage, ...]:
    """Return the passages behind the latest answer of the thread; a follow-up reads them again."""
    for turn in reversed(select_thread(question.history)):
        if turn.passages:
            return turn.passages
    return ()


def _is_dependent(text: str) -> bool:
    return phrases.is_small_talk(text) or bool(phrases.follow_up_reason(text))


def _detect_conversation_language(earlier: list[str]) -> str:
    """Return the language of the latest earlier message with a detectable one; empty if there is none.

    "ok?" and a name have no language.
    """
    languages = (detect.detect(text, default="") for text in reversed(earlier))
    return next(filter(None, languages), "")


def _find_anchors(earlier: list[str]) -> list[str]:
    """Return the latest standalone question and its follow-ups, oldest first, at most three messages."""
    anchors: list[str] = []
    for text in reversed(earlier):
        if phrases.is_small_talk(text):
            continue
        anchors.append(text.strip())
        if not phrases.follow_up_reason(text) or len(anchors) == _MAX_ANCHORS:
            break
    return anchors[::-1]
