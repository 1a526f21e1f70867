"""Faults and limits of the Telegram server for tests reach python-telegram-bot as real ones would."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest
from telegram import Bot
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TimedOut

from tests.support.library_bots import new_bot, post
from tests.telegram.people import Person
from tests.telegram.server import Chat, FakeTelegram, Rates


async def test_ordered_refusals_reach_the_library_as_its_exceptions(
    telegram: FakeTelegram, bot: Bot, chat: Chat
) -> None:
    telegram.fail_next("sendMessage", status=429, retry_after=17)
    with pytest.raises(RetryAfter) as refused:
        await bot.send_message(chat.id, "x")
    assert refused.value.retry_after == dt.timedelta(seconds=17)
    telegram.fail_next("sendMessage", status=403)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(chat.id, "x")
    telegram.fail_next("sendMessage", migrate_to=-1001)
    with pytest.raises(ChatMigrated):
        await bot.send_message(chat.id, "x")
    telegram.fail_next("sendMessage", status=400)
    with pytest.raises(BadRequest, match="Can't parse entities"):
        await bot.send_message(chat.id, "x")
    telegram.fail_next("sendMessage", status=500)
    with pytest.raises(NetworkError, match="Internal Server Error"):
        await bot.send_message(chat.id, "x")
    telegram.garbage_next("sendMessage")
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(chat.id, "x")
    await bot.send_message(chat.id, "y")
    assert chat.texts == ["y"]
    assert [request.status for request in telegram.calls("sendMessage")] == [
        429,
        403,
        400,
        400,
        500,
        502,
        200,
    ]


async def test_faults_hit_only_the_calls_that_are_meant(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    other = telegram.private(telegram.user("Bob"))
    telegram.fail_next("sendMessage", status=500, chat_id=chat.id, times=2)
    telegram.fail_next("*", status=502, where=lambda request: request.text == "now")
    await bot.send_message(other.id, "x")
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(other.id, "now")
    for _ in range(2):
        with pytest.raises(NetworkError):
            await bot.send_message(chat.id, "x")
    await bot.send_message(chat.id, "x")
    assert telegram.script.faults == []


async def test_lost_answer_has_its_effect_and_a_dropped_call_has_none(
    telegram: FakeTelegram, bot: Bot, chat: Chat
) -> None:
    telegram.lose_next("sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(chat.id, "accepted")
    telegram.drop_next("sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(chat.id, "dropped")
    assert chat.texts == ["accepted"]
    assert [(request.done, request.status) for request in telegram.calls("sendMessage")] == [
        (True, None),
        (False, None),
    ]


@pytest.mark.parametrize("after", [True, False], ids=["after-acceptance", "before"])
async def test_hanging_call_times_out(telegram: FakeTelegram, bot: Bot, chat: Chat, after: bool) -> None:
    telegram.hang_next("sendMessage", after=after)
    with pytest.raises(TimedOut):
        await bot.send_message(chat.id, "x", read_timeout=0.05)
    await telegram.until(lambda: telegram.calls("sendMessage")[0].given_up)
    assert chat.texts == (["x"] if after else [])


async def test_slow_call_is_answered_late(telegram: FakeTelegram, bot: Bot, chat: Chat) -> None:
    telegram.slow_next("sendMessage", seconds=60)
    with pytest.raises(TimedOut):
        await bot.send_message(chat.id, "impatient", read_timeout=0.05)
    telegram.slow_next("sendMessage", seconds=0.05)
    await bot.send_message(chat.id, "patient", read_timeout=30)
    assert chat.texts == ["patient"]


@pytest.mark.parametrize("after", [True, False], ids=["after-the-effect", "before-the-effect"])
async def test_held_call_waits_until_it_is_let_go(
    telegram: FakeTelegram, bot: Bot, chat: Chat, after: bool
) -> None:
    with telegram.hold("sendMessage", after=after) as gate:
        sending = asyncio.create_task(bot.send_message(chat.id, "x", read_timeout=30))
        await telegram.until(lambda: gate.waiting == 1)
        assert chat.texts == (["x"] if after else [])
        assert not sending.done()
        await bot.send_chat_action(chat.id, "typing")
    await sending
    assert chat.texts == ["x"]


async def test_call_whose_client_dies_before_the_gate_opens_has_no_effect(
    telegram: FakeTelegram, bot: Bot, chat: Chat
) -> None:
    with telegram.hold("sendMessage") as gate:
        with pytest.raises(TimedOut):
            await bot.send_message(chat.id, "x", read_timeout=0.05)
        [request] = await telegram.until(lambda: gate.held)
        await telegram.until(lambda: request.given_up)
    await bot.send_message(chat.id, "y")
    assert chat.texts == ["y"]


async def test_group_takes_twenty_calls_in_its_minute_and_others_go_on() -> None:
    async with (
        FakeTelegram(rates=Rates(group=(20, 60.0), chat=None, overall=None)) as telegram,
        new_bot(telegram) as bot,
    ):
        person = telegram.user("Bob")
        group, private = telegram.group("Team", [person]), telegram.private(person)
        for _ in range(10):
            await bot.send_message(group.id, "x")
            await bot.send_chat_action(group.id, "typing")
        with pytest.raises(RetryAfter) as refused:
            await bot.send_message(group.id, "x")
        assert isinstance(refused.value.retry_after, dt.timedelta)
        # The first of the twenty was sent a moment ago, however slow the machine is.
        assert dt.timedelta(seconds=1) <= refused.value.retry_after <= dt.timedelta(seconds=60)
        await bot.send_message(private.id, "x")
        telegram.clock.skip(60)
        await bot.send_message(group.id, "y")


def test_failed_wait_reports_the_last_calls_and_the_chats(telegram: FakeTelegram, chat: Chat) -> None:
    post(telegram, "sendMessage", chat_id=chat.id, text="seventeen")
    with pytest.raises(AssertionError, match=r"sendMessage[\s\S]*seventeen[\s\S]*\*\*Think Twice\*\*"):
        telegram.wait_until(lambda: chat.texts == ["eighteen"], timeout=0.05)
