"""What is this message, and what does it ask when read without its history?

The first reading is free: phrases, language and the shape of the conversation. A model is asked only
when a judge found that the draft missed the question.
"""

from __future__ import annotations

from rag.language import detect, phrases
from rag.reasons import Reason
from rag.values import Classification, Passage, Question, Turn

_MOST_ANCHORS = 3


def classify(question: Question) -> Classification:
    """Read a message without any model.

    A follow-up is made standalone by putting the question it leans on in front of it: the nearest
    earlier question that stands alone, and the follow-ups between. Search tolerates the repetition, and
    no model can turn the query into another language or another subject.
    """
    text = question.text.strip()
    earlier = [turn.text for turn in question.history if turn.role == "user"]
    language = question.language or detect.detect(text, default=_spoken(earlier))
    if phrases.is_small_talk(text):
        return Classification("small_talk", language, (text,), Reason("only-social-phrases"))
    anchors = _anchors(earlier)
    if not anchors:
        return Classification("question", language, (text,), Reason("stands-alone"))
    in_context = " ".join([*anchors, text])
    if reason := phrases.follow_up_reason(text):
        return Classification("follow_up", language, (in_context, text), reason)
    return Classification("question", language, (text, in_context), Reason("stands-alone"))


def thread(history: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The part of the conversation that a follow-up leans on: from the latest question of its own on."""
    for start in range(len(history) - 1, -1, -1):
        turn = history[start]
        if turn.role == "user" and not _leans(turn.text):
            return history[start:]
    return history


def carried(question: Question) -> tuple[Passage, ...]:
    """The passages behind the latest answer of the thread; a follow-up reads them again."""
    for turn in reversed(thread(question.history)):
        if turn.passages:
            return turn.passages
    return ()


def _leans(text: str) -> bool:
    return phrases.is_small_talk(text) or bool(phrases.follow_up_reason(text))


def _spoken(earlier: list[str]) -> str:
    """The language of the conversation so far: a bare "ok?" or a name says nothing of its own."""
    for text in reversed(earlier):
        language = detect.detect(text, default="")
        if language:
            return language
    return "en"


def _anchors(earlier: list[str]) -> list[str]:
    """The latest question that stands alone and the follow-ups after it, oldest first."""
    anchors: list[str] = []
    for text in reversed(earlier):
        if phrases.is_small_talk(text):
            continue
        anchors.append(text.strip())
        if not phrases.follow_up_reason(text) or len(anchors) == _MOST_ANCHORS:
            break
    return anchors[::-1]
