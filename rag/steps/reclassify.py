"""Classify the message with a model, after a judge found that the draft missed the question."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from rag.prompting.untrusted import dialogue
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values import Classification, Intent

_TURNS = 4


class Reading(BaseModel):
    """The classifier's reply."""

    model_config = ConfigDict(extra="ignore")

    intent: Intent
    question: str = Field(min_length=1, max_length=2000)


async def reclassify(run: Run, classification: Classification, reason: Reason) -> Outcome[Classification]:
    """Classify the message again; `reason` is what the judge found wrong with the answer."""
    prompt = run.tools.prompts.render(
        "classify",
        question=run.question.text,
        history=dialogue(run.question.history[-_TURNS:]),
        summary=run.question.summary,
        reason=str(reason),
    )
    reply, call = await run.ask_typed("classify", prompt, Reading)
    question = " ".join(reply.question.split())
    queries = tuple(dict.fromkeys((question, *classification.queries)))
    # A model must not classify a message as small talk: small talk is accepted unchecked, so only the free
    # rules may decide that.
    intent = "question" if reply.intent == "small_talk" else reply.intent
    read = replace(classification, intent=intent, queries=queries, reason=reason)
    return Outcome(
        read, Reason("message-read-anew", {"intent": intent, "text": question}), (call,), prompt.id
    )
