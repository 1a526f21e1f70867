"""Rewrite a follow-up as a standalone question with a model, and check the result by code.

A model that completes a question tends to add to its subject: a name, a version, an answer. So its question
is used only if it consists of words of the conversation and asks everything that the message asks.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import regex

from rag.language import detect, phrases
from rag.language.units import missing, units
from rag.prompting.untrusted import dialogue
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps.background import select_conversation
from rag.steps.wording import wording
from rag.values import Classification

_TURNS = 4
_TURN_CHARACTERS = 300
_REPLY_TOKENS = 60
_MAX_CHARACTERS = 300
_QUOTATION_MARKS = " \t\n\"'“”«»„`*"
_LABEL = regex.compile(r"^(?:[\p{L} ]{1,30}[:：]|->|[-*•])\s*")


async def stand_alone(run: Run, classification: Classification) -> Outcome[Classification]:
    """Rewrite a follow-up as one question that can be understood without the conversation.

    Returns:
        The classification with the new question in place of the joined earlier questions, or unchanged if the
        new question contains something that nobody said.
    """
    turns, summary = select_conversation(run.question, classification)
    prompt = run.tools.prompts.render(
        "standalone",
        question=run.question.text,
        history=dialogue(turns[-_TURNS:], _TURN_CHARACTERS),
        summary=summary,
    )
    completion, call = await run.ask("standalone", prompt, max_tokens=_REPLY_TOKENS)
    question = parse_question(completion.text)
    said = "\n".join((summary, *(turn.text for turn in turns), run.question.text))
    if objection := objection_to(question, run.question.text, said, classification.language):
        return Outcome(classification, Reason("not-used", {"reason": objection}), (call,), prompt.id)
    read = replace(classification, queries=tuple(dict.fromkeys((question, *classification.queries[1:]))))
    return Outcome(read, Reason("query", {"text": question}), (call,), prompt.id)


def parse_question(reply: str) -> str:
    """Return the question in a model's reply: its first line, without a label and quotation marks."""
    first = next((line for line in reply.splitlines() if line.strip(_QUOTATION_MARKS)), "")
    bare = " ".join(first.split()).strip(_QUOTATION_MARKS)
    return _LABEL.sub("", bare).strip(_QUOTATION_MARKS)


def objection_to(question: str, message: str, said: str, language: str) -> Reason | None:
    """Return why a question cannot replace a message, or None if it can; `said` includes the message."""
    if not question or len(question) > _MAX_CHARACTERS:
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
