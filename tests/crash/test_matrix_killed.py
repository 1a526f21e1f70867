"""A bot on Matrix that is killed: what was accepted is answered, and once, by the homeserver's account."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.bots import until
from tests.support.matrix import QUESTION, Stage, staged, synapse

POINTS = (
    "before events are recorded",
    "before matrix is recorded",
    "after events are recorded",
    "after admit",
    "after answer",
    # The homeserver has taken the message, and the bot does not know.
    "after send 1",
    "recorded send 1",
    "after remember",
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("synapse")
    with synapse(folder) as server, staged(server, tmp_path_factory.mktemp("bot")) as opened:
        yield opened


def survive(stage: Stage, point: str) -> None:
    until(stage.bot.is_killed, lambda: f"never at {point}: {stage.bot.whole_log[-3000:]}")
    stage.bot.restart()


@pytest.mark.parametrize("point", POINTS)
def test_killed_bot_answers_once(stage: Stage, point: str) -> None:
    ann, room = stage.person()
    stage.bot.kill_at(point)
    asked = ann.says(room, QUESTION)
    survive(stage, point)
    assert "Java 17" in stage.told(room, asked)
    # The next question waits for the work on this one.
    assert stage.reply(room, ann.says(room, "How many days of leave does everybody have?"))
    assert len(stage.replies(room, asked)) == 1


@pytest.mark.parametrize(
    "point", ["after original", "after withdraw", "after name", "recorded name", "after send 1"]
)
def test_killed_bot_answers_an_edited_question_once_in_the_same_message(stage: Stage, point: str) -> None:
    ann, room = stage.person()
    asked = ann.says(room, "How many days of leave does everybody have?")
    first = stage.reply(room, asked)["event_id"]
    assert stage.reply(room, ann.says(room, "And the backup, when does it run?"))
    stage.bot.kill_at(point)
    ann.edits(room, asked, QUESTION)
    survive(stage, point)
    stage.until(lambda: any("Java 17" in text for text in stage.edits(room, first)))
    assert stage.reply(room, ann.says(room, "How long does the backup take?"))
    assert (len(stage.edits(room, first)), len(stage.replies(room, asked))) == (1, 1)


@pytest.mark.parametrize("point", ["after rate", "recorded rate"])
def test_killed_bot_keeps_a_rating(stage: Stage, point: str) -> None:
    ann, room = stage.person()
    found = stage.reply(room, ann.says(room, QUESTION))["event_id"]
    stage.bot.kill_at(point)
    ann.reacts(room, found, "👎")
    survive(stage, point)
    query = "SELECT feedback FROM answered WHERE id IN (SELECT answered_id FROM asks WHERE user_id = ?)"
    stage.until(lambda: stage.rows(query, ann) == ["wrong"])


@pytest.mark.parametrize("point", ["after look", "after join", "recorded join"])
def test_killed_bot_still_comes_when_it_is_invited(stage: Stage, point: str) -> None:
    stage.bot.kill_at(point)
    ann = stage.server.account("Ann")
    room = ann.opens(stage.me)
    survive(stage, point)
    stage.until(lambda: room.has(stage.me))
    assert "Java 17" in stage.told(room, ann.says(room, QUESTION))
