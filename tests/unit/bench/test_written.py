"""Citations of answers that the embedded model really wrote from passages of our handbooks."""

from __future__ import annotations

import pytest

from bench import sets
from bench.quality import RecordedAnswer
from bot.evaluate import gold, rows
from rag.evidence import citations

PASSAGES = sets.passages(sets.HANDBOOKS)
WRITTEN = [row for row in rows.read(sets.WRITTEN, RecordedAnswer).rows if row.set == "handbooks"]
RIGHT = [row for row in WRITTEN if gold.holds(row.text, row.answers)]


def test_most_recorded_answers_are_right() -> None:
    assert len(RIGHT) >= 0.9 * len(WRITTEN)


@pytest.mark.parametrize("row", RIGHT, ids=[row.id for row in RIGHT])
def test_right_answer_keeps_the_citation_of_the_passage_that_holds_it(row: RecordedAnswer) -> None:
    shown = [PASSAGES[key] for key in row.shown]
    cited = citations.verify(row.text, shown, row.lang, row.question)
    if not cited.citations:  # a number that was wrong is found anew
        cited = citations.attach(cited.text, shown, row.lang, row.question)
    assert {citation.passage for citation in cited.citations} == set(row.passages)


@pytest.mark.parametrize("row", WRITTEN, ids=[row.id for row in WRITTEN])
def test_citation_of_a_passage_that_says_something_else_is_dropped(row: RecordedAnswer) -> None:
    # Of the same language: what a passage of another one says nobody can tell by words.
    others = [PASSAGES[key] for key in PASSAGES if key not in row.shown and key[:2] == row.lang]
    cited = citations.verify(row.text, others[: len(row.shown)], row.lang, row.question)
    assert cited.citations == ()
