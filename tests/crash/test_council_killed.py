"""A bot that is killed in every stage of a council: it goes on, and pays again only for the calls in flight."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage.database import FILE_NAME
from tests.crash.bots import Bot, living, until
from tests.support.councils import MEMBERS, VARIABLES, behave, stage_of, whole_text
from tests.support.servers import FakeOpenAI
from tests.telegram.chats import Message
from tests.telegram.server import FakeTelegram

STAGES = {"propose": 3, "peer_review": 3, "self_correct": 3, "conclude": 1}
"""The calls of each stage."""

STEPS = [
    "assign",
    *(
        step if number == 1 else f"{step} {number}"
        for step, calls in STAGES.items()
        for number in range(1, calls + 1)
    ),
    "answer",
    "send 1",
    "remember",
]
SHORT = {
    "after assign", "after propose 2", "recorded propose 3", "after peer_review", "recorded peer_review 3",
    "after self_correct 2", "recorded self_correct 3", "after conclude", "recorded conclude", "recorded answer",
    "after remember",
}  # fmt: skip

TOLD = Counter(
    {
        **{f"{stage}_{when}": 1 for stage in ("stage1", "stage2", "stage2_5", "stage3") for when in ("start", "complete")},
        "stage1_model": 3, "stage2_model": 3, "stage2_5_model": 3, "stage3_model": 1,
        "council_complete": 1, "complete": 1,
    }
)  # fmt: skip
"""What a viewer of one council is told of its stages."""


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bot]:
    corpus = tmp_path_factory.mktemp("corpus")
    (corpus / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    with FakeTelegram() as telegram, FakeOpenAI(behave, models=MEMBERS) as server:
        bot = Bot(telegram, server, tmp_path_factory.mktemp("bot"), corpus, dict(VARIABLES))
        with living(bot):
            yield bot


def runs(bot: Bot) -> dict[str, Counter[str]]:
    """What is recorded of each council, by its id: how often each kind of event."""
    with closing(sqlite3.connect(f"file:{bot.folder / 'data' / FILE_NAME}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "select e.run_id, e.type from run_events e join runs r on r.id = e.run_id"
            " where r.kind = 'council' and r.result = 'complete'"
        ).fetchall()
    found: dict[str, Counter[str]] = {}
    for run_id, kind in rows:
        found.setdefault(run_id, Counter())[kind] += 1
    return found


@pytest.mark.parametrize(
    "point",
    [
        pytest.param(point, id=point, marks=() if point in SHORT else pytest.mark.soak)
        for step in STEPS
        for point in (f"after {step}", f"recorded {step}")
    ],
)
def test_kill_in_a_council_loses_and_doubles_nothing(bot: Bot, point: str) -> None:
    telegram = bot.telegram
    assert telegram is not None
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    paid, known = len(bot.model.requests), set(runs(bot))
    bot.kill_at(point)
    ann.says(chat, "/council Which Java does FxStore need?")
    until(bot.is_killed, lambda: f"never at {point}: {bot.passed()[-20:]}\n{bot.log[-3000:]}")
    bot.kills += 1
    bot.restart()

    def final() -> list[Message]:
        return [message for message in chat.answers if len(message.buttons) == 3]

    def whole() -> list[str]:
        return [run_id for run_id in runs(bot) if run_id not in known]

    until(final, lambda: f"{chat.texts[-3:]}\n{bot.log[-3000:]}")
    until(whole, lambda: bot.log[-3000:])
    passed = Path(f"{bot.points}.passed")
    until(lambda: time.time() - passed.stat().st_mtime > 0.4)
    assert len(final()) == 1
    assert final()[0].text.startswith("FxStore needs Java 17 [1].")

    (run_id,) = whole()
    told = runs(bot)[run_id]
    assert {kind: told[kind] for kind in TOLD} == dict(TOLD)

    calls = Counter(
        (stage_of(whole_text(request)), json.dumps(request.body["model"]))
        for request in bot.model.requests[paid:]
        if stage_of(whole_text(request))
    )
    assert {stage for stage, _model in calls} == set(STAGES)
    assert Counter(stage for stage, _model in calls) == Counter(STAGES)
    again = {stage for (stage, _model), count in calls.items() if count > 1}
    # Of the stage that was at work, and of no other.
    assert again <= {point.split(" ")[1]} | ({"propose"} if "assign" in point else set())
    assert max(calls.values()) <= 2
