"""Write a new search query if the passages found so far do not contain the answer."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from rag.prompting.untrusted import dialogue
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps.wording import wording
from rag.values import Classification

_TURNS = 4


def is_new(query: str, tried: Sequence[str], language: str) -> bool:
    """Return whether a query searches for something else than the earlier ones.

    Another case, punctuation, word order or stop word finds the same passages again.
    """
    looked_for = wording(query.casefold(), language)
    return bool(looked_for) and looked_for not in {wording(before.casefold(), language) for before in tried}


class NewQuery(BaseModel):
    """The rewriter's reply."""

    model_config = ConfigDict(extra="ignore")

    query: str = Field(min_length=1, max_length=120)


async def rewrite(
    run: Run, classification: Classification, tried: tuple[str, ...], missing: str
) -> Outcome[str]:
    """Write one new search query; `missing` says in one clause why the passages were not enough."""
    prompt = run.tools.prompts.render(
        "rewrite",
        question=classification.standalone,
        history=dialogue(run.question.history[-_TURNS:]),
        tried="\n".join(tried),
        missing=missing,
    )
    reply, call = await run.ask_typed("rewrite", prompt, NewQuery)
    query = " ".join(reply.query.split())
    return Outcome(query, Reason("query", {"text": query}), (call,), prompt.id)
