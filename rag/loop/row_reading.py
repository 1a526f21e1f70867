"""Answer from all rows of a table, where a question is about all of them: code reads them, not a model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rag.loop.state import State
from rag.quoting.rows import RowAnswer, answers_from_rows, asks_for_rows, has_table
from rag.reasons import Reason
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.steps.quote import Quoted, quote
from rag.texts import Texts
from rag.values import Draft, Passage, SecondReading, Verdict

_DOCUMENTS = 3
_LISTED = 40
_QUOTED = 3
_CERTAINTY = 0.9
"""Share of right answers among those given to 14,152 questions (`bench/rows.py`): 164 of 176."""


async def read_rows(run: Run, state: State, passages: Sequence[Passage]) -> None:
    """Have code read the tables of the documents that a search found, and remember what they answer.

    Raises:
        KnowledgeError: The index cannot be read.
    """
    question, language = state.classification.standalone, state.classification.language
    if state.rows is not None or not asks_for_rows(question, language):
        return
    sources = dict.fromkeys(one.source for one in passages if has_table(one))
    for source in list(sources)[:_DOCUMENTS]:
        if source not in state.row_answers:
            whole = await run.tools.corpus.document(source)
            found = await asyncio.to_thread(answers_from_rows, question, language, whole)
            state.row_answers[source] = found


def compose_rows(answer: RowAnswer, state: State, texts: Texts) -> Candidate:
    """Return what the rows of a table answer, with the rows that say so."""
    names = ", ".join(answer.names[:_LISTED]) + (" …" if len(answer.names) > _LISTED else "")
    said = texts.text(
        f"rows-{answer.operation}",
        state.classification.language,
        names=names,
        column=answer.column,
        value=answer.value,
        rows=str(answer.compared),
    )
    by_passage = {
        row.passage.id: Quoted(row.passage, row.line, answer.table.line) for row in reversed(answer.rows)
    }
    quoted = list(reversed(by_passage.values()))[:_QUOTED]
    if answer.operation in {"highest", "lowest"}:
        text, citations = quote(said, quoted)
    else:
        _, citations = quote("", quoted)
        text = said + " " + "".join(f"[{one.n}]" for one in citations)
    verdict = Verdict("adequate", Reason("verdict-rows", {"rows": answer.compared}), _CERTAINTY, "evidence")
    reading = SecondReading("agrees", 1, answer.value)
    draft = Draft(text, tuple(dict.fromkeys(row.passage for row in answer.rows)))
    return Candidate(
        draft, verdict, None, citations, is_covered=True, second_reading=reading, is_quotation=True
    )
