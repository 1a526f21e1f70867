"""Pauses that Telegram asks for, limits of calls that the bot keeps to, and how long it is patient."""

from __future__ import annotations

import asyncio

import pytest

from bot.service.incoming import Place
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.outbound.rate_limits import Rate, Rates, Urgency
from bot.telegram.outbound.retries import DeliveryError, Patience
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering.parts import Part
from tests.support.delivering import BUTTONS, HELLO, Chats, Desk, desk
from tests.telegram.server import FakeTelegram
from tests.telegram.server import Rates as ServerRates


async def test_flood_delays_this_chat_as_long_as_telegram_says_and_no_other(d: Desk) -> None:
    chat, place = d.private("Ann")
    other_chat, other = d.private("Bob")
    d.telegram.fail_next("sendMessage", status=429, retry_after=17, chat_id=chat.id)
    first = asyncio.create_task(d.delivery.send(place, Part("one")))
    await d.telegram.until(lambda: d.time.is_waited_for)
    second = asyncio.create_task(d.delivery.send(place, Part("two")))

    await d.delivery.send(other, HELLO)
    await d.time.advance(16.9)
    assert (chat.texts, other_chat.texts) == ([], ["hello"])
    await d.time.advance(0.2)
    await asyncio.wait_for(asyncio.gather(first, second), 15)
    assert chat.texts == ["one", "two"]


async def test_private_chat_gets_a_burst_of_answers_at_once_and_then_one_a_second() -> None:
    # Telegram's own limits: it refuses the sixth message within five seconds, and counts edits as well.
    async with FakeTelegram(rates=ServerRates(group=None, overall=None)) as telegram, desk(telegram) as d:
        chat, place = d.private()
        sent = []
        for number in range(5):
            await d.delivery.draft(place, number + 1, Part("⏳"), is_first=True)
            sent.append(await d.delivery.send(place, Part(f"answer {number}")))
        assert d.time.now == 0
        assert await d.delivery.delete(place, sent[-1])
        late = asyncio.create_task(d.delivery.send(place, Part("late")))
        await d.time.advance(4.9)
        assert not late.done()
        telegram.clock.skip(5.0)
        await d.time.advance(0.2)
        await asyncio.wait_for(late, 15)
        assert [request.status for request in telegram.requests if request.status != 200] == []
        assert len(chat.texts) == 5


async def test_patience_has_an_end() -> None:
    async with FakeTelegram() as telegram, desk(telegram, patience=Patience(attempts=6)) as d:
        _, place = d.private()
        telegram.drop_next("sendMessage", times=1000)
        with pytest.raises(DeliveryError):
            await d.patiently(d.delivery.send(place, HELLO))
        assert len(telegram.calls("sendMessage")) == 6


def test_patience_lasts_for_a_day_without_the_network() -> None:
    patience = Patience()
    waits = [patience.after(failures) for failures in range(1, patience.attempts)]
    assert 24 * 3600 < sum(waits) < 36 * 3600
    assert waits[0] < 2 <= waits[1] < 4 <= waits[2]
    assert max(waits) <= patience.most_seconds * 1.25


async def test_bad_request_that_nobody_knows_is_not_repeated_as_if_the_network_had_failed(d: Desk) -> None:
    _, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: something new")
    with pytest.raises(DeliveryError, match="Something new"):
        await d.delivery.send(place, HELLO)
    assert len(d.telegram.calls("sendMessage")) == 1


async def test_progress_that_finds_no_room_is_dropped_and_never_overwrites_the_answer() -> None:
    rates = Rates(group=Rate(4, 60.0, {Urgency.PROGRESS: 3}))
    async with FakeTelegram() as telegram, desk(telegram, rates) as d:
        chat, place = d.group()
        message_id = await d.delivery.send(place, Part("placeholder"))
        shown = [await d.delivery.show(place, message_id, Part(f"step {n}"), BUTTONS) for n in range(4)]
        assert shown == [True, True, False, False]
        assert chat.answers[0].button("why").data == "why:1"
        with telegram.hold("editMessageText") as gate:
            final = asyncio.create_task(d.delivery.edit(place, message_id, HELLO))
            await telegram.until(lambda: gate.waiting)
            assert not await d.delivery.show(place, message_id, Part("late"))
        assert await final
        assert chat.answers[0].edits == ("placeholder", "step 0", "step 1", "hello")


async def test_flood_on_progress_delays_the_answer_only_as_long_as_telegram_says(d: Desk) -> None:
    chat, place = d.group()
    message_id = await d.delivery.send(place, Part("placeholder"))
    d.telegram.fail_next("editMessageText", status=429, retry_after=8)
    assert not await d.delivery.show(place, message_id, Part("step"))
    final = asyncio.create_task(d.delivery.edit(place, message_id, HELLO))
    await d.time.advance(7.9)
    assert chat.texts == ["placeholder"]
    await d.time.advance(0.2)
    assert await asyncio.wait_for(final, 15)
    assert chat.texts == ["hello"]


async def test_group_gets_all_its_answers_within_twenty_calls_a_minute() -> None:
    # Two seconds stand for a minute, on both sides; the server refuses the 21st call.
    rates = Rates(group=Rate(20, 2.0, {Urgency.PLACEHOLDER: 18, Urgency.PROGRESS: 10, Urgency.TYPING: 4}))
    async with (
        FakeTelegram(rates=ServerRates(group=(20, 2.0), chat=None, overall=None)) as telegram,
        open_bot(telegram.token, telegram.url) as bot,
    ):
        chat = telegram.group("Team")
        place = Place(to_peer(chat.id), "group")
        delivery = Delivery(bot, Chats(), rates=rates)

        async def answer(number: int) -> None:
            message_id = await delivery.send(place, Part("…"))
            for step in range(6):
                await delivery.show(place, message_id, Part(f"step {step}"))
                await delivery.typing(place)
            assert await delivery.edit(place, message_id, Part(f"answer {number}"))

        await asyncio.gather(*(answer(number) for number in range(15)))
        assert sorted(chat.texts) == sorted(f"answer {number}" for number in range(15))
        assert [request for request in telegram.requests if request.status == 429] == []
