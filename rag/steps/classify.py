"""Classify a message, and turn it into search queries that need no history.

The first classification costs nothing: it uses phrases, the language and the order of the messages. A model
classifies only after a judge found that the draft missed the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rag.language import detect, phrases
from rag.language.vocabulary import LANGUAGE_NAMES
from rag.language.words import content_terms
from rag.reasons import Reason
from rag.runs.run import Corpus
from rag.values import Classification, Passage, Question, Turn

_MAX_ANCHORS = 3


def classify(question: Question, corpus: Corpus | None = None) -> Classification:
    """Classify a message without a model.

    A follow-up is made standalone by prefixing the question it depends on: the latest earlier question that
    stands alone, and the follow-ups in between. Search tolerates the repetition, and without a model the
    query cannot drift to another language or subject.
    """
    text = question.text.strip()
    earlier = [turn.text for turn in question.history if turn.role == "user"]
    language = question.language or _judge_language([*earlier, text], question.spoken, corpus)
    if phrases.is_small_talk(text):
        return Classification("small_talk", language, (text,), Reason("only-social-phrases"))
    anchors = _find_anchors(earlier)
    if not anchors:
        return Classification("question", language, (text,), Reason("stands-alone"))
    in_context = " ".join([*anchors, text])
    if (reason := phrases.follow_up_reason(text)) and not phrases.asks_for_summary_of_talk(text):
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


def _judge_language(messages: Sequence[str], spoken: str, corpus: Corpus | None) -> str:
    """Return the language of the last message, judged with what is known of whoever wrote it.

    One that shows none has that of the messages before, of documents with its words, or of the program.
    """
    detect.load_statistics()  # here, in a thread: later steps ask them in the event loop
    known = [one for one in (_find_documents_language(messages[-1], corpus), spoken) if one in LANGUAGE_NAMES]
    language = reduce(lambda before, message: detect.detect(message, before, known), messages, "")
    return next(filter(None, (language, *known)), "en")


def _find_documents_language(text: str, corpus: Corpus | None) -> str:
    """Return the main language of a corpus that has most words of a text; otherwise an empty string."""
    if corpus is None or corpus.main_language not in detect.family("Latin"):
        return ""
    rarity = corpus.rarity(content_terms(text, corpus.main_language)).values()
    return corpus.main_language if sum(value < 1.0 for value in rarity) > len(rarity) / 2 else ""


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
