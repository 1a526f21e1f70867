"""Classify a message, and turn it into search queries that need no history.

The first classification costs nothing: it uses phrases, the language and the order of the messages. A model
classifies only after a judge found that the draft missed the question.
"""

from __future__ import annotations

from rag.language import detect, phrases
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

    Args:
        question: The message and its conversation.
        corpus: What is searched for it. A message that shows no language but has the words of the corpus,
            such as "descuento familiares?", has its main language. None: there are no documents.
    """
    text = question.text.strip()
    earlier = [turn.text for turn in question.history if turn.role == "user"]
    default = _detect_conversation_language(earlier) or _guess_language(text, corpus)
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
    """Return the language of the latest earlier message that shows one, unlike "ok?" or a name; else ""."""
    languages = (detect.detect(text, default="") for text in reversed(earlier))
    return next(filter(None, languages), "")


def _guess_language(text: str, corpus: Corpus | None) -> str:
    """Return the main language of a corpus that has most words of a text; otherwise English.

    Only a text in Latin letters that shows no language is given another one than English.
    """
    main = "en" if corpus is None else corpus.main_language
    if corpus is None or main == "en" or main not in detect.family("Latin"):
        return "en"
    if detect.detect(text, default=""):
        return "en"
    rarity = corpus.rarity(content_terms(text, main))
    known = sum(value < 1.0 for value in rarity.values())
    return main if known > len(rarity) / 2 else "en"


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
