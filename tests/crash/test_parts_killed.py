"""A bot that is killed between the parts of a message: they are answered, joined or not, and none twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.bots import Bot, living, until
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.server import FakeTelegram

STORY = "We drink tea. " * 300


def behave(request: Recorded) -> Behaviour:
    return Say("Tea is served at four.")


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bot]:
    variables = {"THINKTWICE_SELF_CORRECTION__ENABLED": "false"}
    with FakeTelegram() as telegram, FakeOpenAI(behave) as server:
        folders = tmp_path_factory.mktemp("bot"), tmp_path_factory.mktemp("corpus")
        with living(Bot(telegram, server, *folders, variables)) as bot:
            yield bot


@pytest.mark.parametrize(
    "point",
    [
        "before part is recorded",
        "after part is recorded",
        "taken",
        "before join",
        "after join",
        "recorded join",
        "before update is recorded",
        "after update is recorded",
        "before send 1",
        "recorded send 1",
    ],
)
def test_kill_between_the_parts_of_a_message_loses_and_doubles_nothing(bot: Bot, point: str) -> None:
    telegram = bot.telegram
    assert telegram is not None
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    known = len(bot.model.requests)
    bot.kill_at(point)
    ann.says(chat, STORY[:4096])
    ann.says(chat, f"{STORY[4096:]}When is tea served?")
    until(bot.is_killed, lambda: f"never at {point}: {bot.passed()[-20:]}\n{bot.log[-3000:]}")
    assert not chat.texts or "send" in point
    bot.restart()
    until(lambda: chat.texts, lambda: bot.log[-3000:])
    ann.says(chat, "Is it hot?")
    until(lambda: len(chat.answers) > 1 and not telegram.pending, lambda: bot.log[-3000:])
    assert len(chat.texts) == 2, "one for both parts, one for the last question"
    asked = [str(request.body) for request in bot.model.requests[known:]]
    assert any("We drink tea." in each and "When is tea served?" in each for each in asked)
