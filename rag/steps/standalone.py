"""A follow-up as a question that stands alone, written by a model and checked by code.

A model that is asked to complete a question likes to complete the subject too: a name, a version, an
answer. So its question counts only if it is made of the words of the conversation, and asks all that the
message asks.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import regex

from rag.language import detect, phrases
from rag.language.units import missing, units
from rag.loop.run import Outcome, Run
from rag.prompting.untrusted import dialogue
from rag.reasons import Reason
from rag.steps.background import leaned_on
from rag.steps.wording import wording
from rag.values import Classification

_TURNS = 4
_TURN_CHARACTERS = 300
_REPLY_TOKENS = 60
_LONGEST = 300
_AROUND = " \t\n\"'“”«»„`*"
_LABEL = regex.compile(r"^(?:[\p{L} ]{1,30}[:：]|->|[-*•])\s*")


async def stand_alone(run: Run, reading: Classification) -> Outcome[Classification]:
    """Write a follow-up as one question that can be understood without the conversation.

    Args:
        run: The question's run.
        reading: What the message was classified as.

    Returns:
        The reading with the new question in place of the earlier questions put together, or as it was when
        the new one says what nobody said.

    Raises:
        ModelError: the model gave no usable reply.
        BudgetExhaustedError: the budget allows no call.
    """
    turns, summary = leaned_on(run.question, reading)
    prompt = run.tools.prompts.render(
        "standalone",
        question=run.question.text,
        history=dialogue(turns[-_TURNS:], _TURN_CHARACTERS),
        summary=summary,
    )
    completion, call = await run.ask("standalone", prompt, max_tokens=_REPLY_TOKENS)
    question = understood(completion.text)
    said = "\n".join((summary, *(turn.text for turn in turns), run.question.text))
    if objection := objection_to(question, run.question.text, said, reading.language):
        return Outcome(reading, Reason("not-used", {"reason": objection}), (call,), prompt.id)
    read = replace(reading, queries=tuple(dict.fromkeys((question, *reading.queries[1:]))))
    return Outcome(read, Reason("query", {"text": question}), (call,), prompt.id)


def understood(reply: str) -> str:
    """The question in a model's reply: its first line, without a label and quotation marks."""
    first = next((line for line in reply.splitlines() if line.strip(_AROUND)), "")
    bare = " ".join(first.split()).strip(_AROUND)
    return _LABEL.sub("", bare).strip(_AROUND)


def objection_to(question: str, message: str, said: str, language: str) -> Reason | None:
    """Return why a question must not stand for a message, or None when it may.

    Args:
        question: What a model wrote.
        message: The message that it is to stand for.
        said: The conversation with the message.
        language: ISO 639-1 code of the message.
    """
    if not question or len(question) > _LONGEST:
        return Reason("standalone-none")
    if detect.detect(question, default=language) != language:
        return Reason("standalone-language")
    asked, known = wording(question, language), wording(said, language)
    asking = _wording_of(phrases.asking_words(), language)
    if invented := asked - known - asking:
        return Reason("standalone-word", {"word": min(invented)})
    if missing(units(question, with_names=False), said):
        return Reason("standalone-figure")
    message_asks = wording(message, language) - asking - _wording_of(phrases.resolved_words(), language)
    if not message_asks <= asked:
        return Reason("standalone-lacking")
    return None if asked - wording(message, language) - asking else Reason("standalone-same")


@lru_cache(maxsize=64)
def _wording_of(words: frozenset[str], language: str) -> frozenset[str]:
    return frozenset().union(*(wording(word, language) for word in words))
