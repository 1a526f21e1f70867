"""The document of an interview as it is kept: worded once, and never at the cost of a fact."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.storage.database import Database, open_database
from rag.errors import InputError
from rag.interview.events import Worded
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import ANN, BOB, attentive, completed, held_in

RIGHT = "The editor 2.1 should give a saved file and gives an empty one."


def words(text: str) -> Any:
    def script(request: ChatRequest) -> Reply:
        return text if request.purpose == "word" else attentive(request)

    return script


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path) as opened:
        yield opened


async def test_unchanged_state_is_worded_once_also_after_the_end(database: Database) -> None:
    interviews, engine = held_in(database, words(RIGHT))
    view = await completed(interviews)
    await interviews.close(ANN, view.session.id)
    before = len(engine.model.requests)
    for _ in range(2):
        view = await interviews.word(ANN, view.session.id)
        assert sum(isinstance(event, Worded) for event in view.events) == 1
    assert len(engine.model.requests) == before + 1
    paper = interviews.draw_up(view)
    assert paper is not None
    assert paper.sections[0].clauses[0].text == RIGHT
    assert (paper.faults, paper.gaps, paper.wishes) == ((), (), ())
    assert view.state.meta.status == "ready"


async def test_wording_that_was_refused_is_not_paid_for_again(database: Database) -> None:
    interviews, engine = held_in(database, words(RIGHT.replace("2.1", "3.7")))
    view = await completed(interviews)
    before = len(engine.model.requests)
    for _ in range(2):
        view = await interviews.word(ANN, view.session.id)
    assert len(engine.model.requests) == before + 2
    paper = interviews.draw_up(view)
    assert paper is not None
    assert "Version: 2.1" in paper.sections[0].clauses[0].text
    assert not any("3.7" in clause.text for clause in paper.clauses)


async def test_limit_that_is_used_up_leaves_the_list(database: Database) -> None:
    interviews, _engine = held_in(database, words(RIGHT))
    view = await completed(interviews)
    interviews, engine = held_in(database, words(RIGHT), tokens_per_session=1)
    view = await interviews.word(ANN, view.session.id)
    assert engine.model.requests == []
    assert not any(isinstance(event, Worded) for event in view.events)


async def test_answer_is_corrected_where_it_stands_and_can_be_taken_back(database: Database) -> None:
    interviews, _engine = held_in(database, words(RIGHT))
    view = await completed(interviews)
    view = await interviews.word(ANN, view.session.id)
    view = await interviews.correct(ANN, view.session.id, "/version", "2.2", key="k")
    again = await interviews.correct(ANN, view.session.id, "/version", "2.2", key="k")
    assert len(again.events) == len(view.events)
    assert view.state.domain["version"] == "2.2"
    assert view.state.meta.status == "ready"
    assert view.state.dialogue.history[-1].text == "version: 2.2"
    paper = interviews.draw_up(view)
    assert paper is not None
    assert paper.head.text == "Bug report: the editor 2.2"
    assert "Version: 2.2" in paper.sections[0].clauses[0].text  # the old wording is not shown any more
    assert paper.faults == ()
    view = await interviews.undo(ANN, view.session.id)
    paper = interviews.draw_up(view)
    assert paper is not None
    assert paper.sections[0].clauses[0].text == RIGHT


@pytest.mark.parametrize(
    ("path", "answer"), [("/severity", "huge"), ("/none", "x"), ("/version", " "), ("", "x")]
)
async def test_answer_that_cannot_be_is_refused_and_changes_nothing(
    database: Database, path: str, answer: str
) -> None:
    interviews, _engine = held_in(database, words(RIGHT))
    view = await completed(interviews)
    with pytest.raises(InputError):
        await interviews.correct(ANN, view.session.id, path, answer)
    assert (await interviews.get(ANN, view.session.id)).events == view.events
    with pytest.raises(InputError):
        await interviews.correct(BOB, view.session.id, "/version", "2.2")


async def test_fact_that_does_not_apply_is_an_answer(database: Database) -> None:
    interviews, _engine = held_in(database, words(RIGHT))
    view = await interviews.create(ANN, "bug_report")
    asked = view.state.next_action
    view = await interviews.correct(ANN, view.session.id, "/error_message", "none")
    assert view.state.facts["/error_message"].status == "not_applicable"
    assert view.state.next_action == asked
