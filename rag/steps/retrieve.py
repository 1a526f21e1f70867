"""Retrieve the passages that a writer will see."""

from __future__ import annotations

from dataclasses import dataclass

from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps.classify import find_carried_passages
from rag.values import Classification, Passage, PassageId


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The passages for the writer, best first, without those that it has seen, and the queries used."""

    passages: tuple[Passage, ...]
    queries: tuple[str, ...]


async def retrieve(
    run: Run, classification: Classification, rewritten: tuple[str, ...], shown: frozenset[PassageId]
) -> Outcome[Retrieval]:
    """Search for passages to read.

    The `rewritten` queries, newest first, precede the question itself. Passages that a writer has seen are
    excluded, so that a second search finds something new.
    """
    queries = (*rewritten, *classification.queries)
    again = find_carried_passages(run.question) if classification.intent == "follow_up" else ()
    passages = await run.tools.corpus.retrieve(
        queries, carried=[passage for passage in again if passage.id not in shown], exclude=shown
    )
    documents = len({passage.source or passage.document for passage in passages})
    return Outcome(
        Retrieval(passages, queries),
        Reason("documents-found", {"passages": len(passages), "documents": documents})
        if passages
        else Reason("nothing-new"),
    )
