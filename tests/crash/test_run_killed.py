"""A bot that is killed at every point, and at random: what was accepted is answered, once, and in order.

Every step of every kind of work is killed twice: when its effect is there and its outcome is not recorded
yet, and when it has just been recorded, which is before the next one. `tests.crash.stories` says which story
passes which steps.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.crash.bots import until
from tests.crash.stage import (
    PLACEHOLDER,
    Outcome,
    Stage,
    Story,
    every_question_was_answered_once,
    finals,
    opened_stage,
)
from tests.crash.stories import CAREFUL, STORIES
from tests.crash.stories_of_people import asks_alone
from tests.support.documents import write_documents
from tests.telegram.chats import Message


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_documents(folder)
    return folder


@pytest.fixture(scope="module")
def stage(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with opened_stage(
        corpus,
        tmp_path_factory.mktemp("bot"),
        THINKTWICE_BUDGET__QUESTION_CHARACTERS="500",
        THINKTWICE_ACCESS__ANSWER_PLAIN_QUESTIONS="true",
    ) as opened:
        yield opened
        # At the end of its life, whichever stories it was told: workers share them out.
        every_question_was_answered_once(opened)


@pytest.fixture(scope="module")
def careful(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A bot that looks twice at everything."""
    with opened_stage(
        corpus,
        tmp_path_factory.mktemp("careful"),
        THINKTWICE_SELF_CORRECTION__MODE="careful",
        THINKTWICE_SELF_CORRECTION__FAST_PATH="auto",
        THINKTWICE_CRITIQUE__RECURSIVE="true",
    ) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _ready_for_the_next(request: pytest.FixtureRequest) -> Iterator[None]:
    if "stage" in request.fixturenames:
        opened: Stage = request.getfixturevalue("stage")
        # Chats of its own: what was said before may lead the engine another way, and in a group the bot may
        # write twenty messages a minute, and keeps to it.
        opened.ann = opened.telegram.user("Ann", language_code="en")
        opened.private = opened.telegram.private(opened.ann)
        opened.group = opened.telegram.group("Team", [opened.ann])
    yield
    for name in {"stage", "careful"} & set(request.fixturenames):
        stage: Stage = request.getfixturevalue(name)
        stage.model.gate.set()
        stage.bot.kill_at("")
        if stage.bot.has_ended():
            stage.bot.start()


MOMENTS = ("after", "recorded")


def survived(stage: Stage, point: str, act: Callable[[Callable[[], None]], Outcome]) -> None:
    """Let a bot be killed at a point, start it again, and see that what had to come of it came."""
    outcome = act(lambda: stage.bot.kill_at(point))
    until(
        stage.bot.is_killed, lambda: f"never at {point}: {stage.bot.passed()[-40:]}\n{stage.bot.log[-3000:]}"
    )
    stage.bot.kills += 1
    stage.bot.restart()
    outcome()


@pytest.mark.parametrize(
    ("story", "point"),
    [
        pytest.param(story, point, id=f"{story.__name__} {point}")
        for story, steps in STORIES.items()
        for point in (
            *(f"{moment} {step}" for step in steps for moment in MOMENTS),
            *(
                ("before update is recorded", "after update is recorded", "taken")
                if story is asks_alone
                else ()
            ),
        )
    ],
)
def test_kill_at_a_point_changes_nothing_in_what_comes_of_it(stage: Stage, story: Story, point: str) -> None:
    survived(stage, point, partial(story, stage))


def test_recorded_answer_is_not_sent_again_where_no_search_would_find_it(stage: Stage) -> None:
    """In a group that goes on talking, the answer is soon far from its question and from the last message."""

    def talks() -> None:
        for number in range(8):
            stage.ann.says(stage.group, f"We talk, {number}.")

    stage.begun(stage.group)
    # While a third one waits, the second has no message that is to become the answer.
    mark, _ = stage.ask(stage.group), stage.ask(stage.group)
    talks()
    stage.bot.kill_at("recorded send 1")
    stage.model.gate.set()
    until(stage.bot.is_killed, lambda: stage.told(mark))
    stage.bot.kills += 1
    talks()
    stage.bot.restart()
    stage.answered(f"q{stage.number}q")
    assert len(stage.answers(mark)) == 1, stage.told(mark)


@pytest.mark.parametrize(
    ("question", "point"),
    [
        pytest.param(question, f"after {step}", id=f"after {step}")
        for question, steps in CAREFUL.items()
        for step in steps
    ],
)
def test_kill_in_a_careful_answer_costs_no_answer(careful: Stage, question: str, point: str) -> None:
    # A person of their own: what was said before may lead the engine another way.
    person = careful.telegram.user("Pat", language_code="en")
    chat = careful.telegram.private(person)

    before = int(question.startswith("and"))

    def final() -> list[Message]:
        return [message for message in chat.answers if len(message.buttons) == 2]

    def seen() -> str:
        return f"{chat.texts[-3:]}{careful.bot.log[-3000:]}"

    def act(arm: Callable[[], None]) -> Outcome:
        if before:
            person.says(chat, "What is FxStore, q0q?")
            until(final, seen)
            careful.wait_until_quiet()
        arm()
        person.says(chat, f"{question}, q1q?")
        return lambda: until(lambda: len(final()) > before, seen)

    survived(careful, point, act)
    careful.wait_until_quiet()
    assert len(final()) == 1 + before
    texts = [m.text for m in chat.answers if not m.text.startswith(PLACEHOLDER)]
    assert len(set(texts)) == len(texts)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("seed", "rounds"),
    [
        pytest.param(1, 1, id="for a moment"),
        *(pytest.param(seed, 5, id=f"seed {seed}", marks=pytest.mark.soak) for seed in range(1, 5)),
    ],
)
def test_kills_at_random_lose_and_double_nothing_and_keep_the_order(
    corpus: Path, tmp_path: Path, seed: int, rounds: int
) -> None:
    dice = random.Random(seed)
    with opened_stage(corpus, tmp_path) as stage:
        people = [stage.telegram.user(f"Person {number}") for number in range(4)]
        chats = [stage.telegram.private(person) for person in people]
        chats.append(stage.telegram.group("Crowd", people))
        asked: dict[int, list[str]] = {chat.id: [] for chat in chats}
        for _ in range(rounds):
            for _ in range(6):
                # Seldom the group: a bot may write twenty messages a minute there, and keeps to it.
                (chat,) = dice.choices(chats, weights=[4, 4, 4, 4, 1])
                person = dice.choice(people) if chat.kind != "private" else people[chats.index(chat)]
                mark, text = stage.question(chat)
                asked[chat.id].append(mark)
                person.says(chat, text if chat.kind == "private" else f"@thinktwice_bot {text}")
            # A third kill might make a dead letter of an innocent question, as it should.
            for _ in range(2):
                moment = len(stage.bot.passed()) + dice.randrange(300)
                deadline = time.monotonic() + dice.uniform(0.05, 1.5)
                until(lambda: len(stage.bot.passed()) >= moment or time.monotonic() > deadline)  # noqa: B023
                stage.bot.kill()
                stage.bot.start()
            for mark in stage.marks:
                until(lambda: stage.answers(mark), lambda: f"seed {seed}, {stage.told(mark)}")  # noqa: B023
        stage.wait_until_quiet()
        found = {mark: len(stage.answers(mark)) for mark in stage.marks}
        doubled = [mark for mark, count in found.items() if count > 1]
        assert not doubled, f"seed {seed}"
        for chat in chats:
            finished = [mark for mark in finals(stage, chat) if mark in asked[chat.id]]
            assert finished == asked[chat.id], f"seed {seed}"
