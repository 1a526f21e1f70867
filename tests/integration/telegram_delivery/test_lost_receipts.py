"""A message or file whose receipt got lost is found again, and not sent twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest
from telegram import InlineKeyboardMarkup

from bot.current_step import carrying_out
from bot.service.keys import PeerId
from bot.storage.database import open_database
from bot.storage.sent_messages import SentMessages
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering.parts import Part
from tests.support.delivering import BUTTONS, HELLO, Chats, Desk, desk
from tests.telegram.server import FakeTelegram
from tests.telegram.server import Rates as ServerRates


async def again(sending: Awaitable[int]) -> int:
    """Send in a step that a killed process may have begun."""
    with carrying_out(again=True):
        return await sending


async def test_edit_whose_answer_got_lost_is_repeated_without_a_second_message(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, Part("placeholder"))
    d.telegram.lose_next("editMessageText")
    assert await d.patiently(d.delivery.edit(place, message_id, HELLO))
    assert chat.texts == ["hello"]


@pytest.mark.parametrize("buttons", [BUTTONS, None], ids=["buttons", "no buttons"])
@pytest.mark.parametrize("is_group", [False, True], ids=["private", "group"])
async def test_send_whose_answer_got_lost_is_found_and_not_doubled(
    d: Desk, buttons: InlineKeyboardMarkup | None, is_group: bool
) -> None:
    chat, place = d.group() if is_group else d.private()
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "what?").message_id
    ann.says(chat, "well?")
    d.telegram.lose_next("sendMessage")
    message_id = await d.patiently(d.delivery.send(place, HELLO, after=asked, buttons=buttons))
    assert [message.message_id for message in chat.answers] == [message_id]
    assert bool(chat.answers[0].buttons) is (buttons is not None)
    assert chat.answers[0].text == "hello"


async def test_message_that_a_killed_process_has_sent_is_found_and_not_doubled(d: Desk) -> None:
    chat, place = d.private()
    asked = d.telegram.user("Ann").says(chat, "what?").message_id
    left = await d.delivery.send(place, HELLO, after=asked, buttons=BUTTONS)
    async with open_bot(d.telegram.token, d.telegram.url) as bot:
        delivery = Delivery(bot, Chats(), now=d.time, sleep=d.time.sleep)
        found = await again(delivery.send(place, HELLO, after=asked, buttons=BUTTONS))
    assert (found, chat.texts) == (left, ["hello"])


async def test_file_whose_answer_got_lost_is_found_and_not_doubled(d: Desk) -> None:
    chat, place = d.private()
    asked = d.telegram.user("Ann").says(chat, "/export").message_id
    d.telegram.lose_next("sendDocument")
    first = await d.patiently(d.delivery.send_file(place, "a.json", b"{}", "yours", after=asked))
    # The same words under another file are another message.
    d.telegram.lose_next("sendDocument")
    second = await d.patiently(d.delivery.send_file(place, "a.html", b"<p>", "yours", after=asked))
    d.telegram.lose_next("sendPhoto")
    third = await d.patiently(d.delivery.send_file(place, "", b"\x89PNG", "yours", after=asked))
    assert [message.message_id for message in chat.answers] == [first, second, third]
    assert not any(message.buttons for message in chat.answers)


async def test_file_that_a_killed_process_has_sent_is_found_and_not_doubled(d: Desk) -> None:
    chat, place = d.private()
    asked = d.telegram.user("Ann").says(chat, "/export").message_id
    left = await d.delivery.send_file(place, "a.json", b"{}", "yours", after=asked)
    async with open_bot(d.telegram.token, d.telegram.url) as bot:
        delivery = Delivery(bot, Chats(), now=d.time, sleep=d.time.sleep)
        found = await again(delivery.send_file(place, "a.json", b"{}", "yours", after=asked))
        other = await again(delivery.send_file(place, "b.json", b"{}", "yours", after=asked))
    assert found == left
    assert [message.message_id for message in chat.answers] == [left, other]


async def test_lost_message_far_above_is_deleted_when_its_double_is_there(d: Desk) -> None:
    chat, place = d.private()
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "what?").message_id
    for number in range(15):
        ann.says(chat, f"well? {number}")
    d.telegram.lose_next("sendMessage")
    message_id = await d.patiently(d.delivery.send(place, HELLO, after=asked, buttons=BUTTONS))
    assert [message.message_id for message in chat.answers] == [message_id]


async def test_search_for_a_lost_message_leaves_other_messages_as_they_are(d: Desk, tmp_path: Path) -> None:
    chat, place = d.private()
    asked = d.telegram.user("Ann").says(chat, "what?").message_id
    on_record = await d.delivery.send(place, Part("an answer"), buttons=BUTTONS)

    async with open_database(tmp_path) as database, open_bot(d.telegram.token, d.telegram.url) as bot:
        records = SentMessages(database)
        await records.keep("", place.chat_id, on_record)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        await again(delivery.send(place, HELLO, after=asked))
    assert chat.texts == ["an answer", "hello"]
    assert chat.answers[0].button("why").data == "why:1"
    # Nobody has seen anything of the search there, not even for a moment.
    assert chat.answers[0].versions == []


async def test_lost_message_of_a_busy_bot_is_found_far_above_its_question(d: Desk, tmp_path: Path) -> None:
    """Private chats share their ids, so answers to others stand between a question and its answer."""
    chat, place = d.private()
    asked = d.telegram.user("Ann").says(chat, "what?").message_id
    async with open_database(tmp_path) as database, open_bot(d.telegram.token, d.telegram.url) as bot:
        records = SentMessages(database)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        others = [d.private(f"Person {number}") for number in range(60)]

        async def answer_others() -> None:
            for _, elsewhere in others:
                sent = await d.patiently(d.delivery.send(elsewhere, Part("an answer"), buttons=BUTTONS))
                await records.keep("", elsewhere.chat_id, sent)

        await answer_others()
        left = await d.patiently(d.delivery.send(place, HELLO, buttons=BUTTONS))
        await answer_others()
        repeated = again(delivery.send(place, HELLO, after=asked, buttons=BUTTONS))
        found = await d.patiently(repeated)
        assert (found, chat.texts) == (left, ["hello"])
        # Few ids are looked at, those above the newest on record: the answers to others are on record.
        assert len(d.telegram.calls("editMessageReplyMarkup")) < 15


async def test_lost_message_is_found_behind_many_ids_that_nobody_recorded(d: Desk, tmp_path: Path) -> None:
    """Commands of others are on no record, and may be more than the ids that are looked at."""
    chat, place = d.private()
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "what?").message_id
    async with open_database(tmp_path) as database, open_bot(d.telegram.token, d.telegram.url) as bot:
        records = SentMessages(database)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        elsewhere, _ = d.private("Bob")
        for number in range(100):
            d.telegram.user("Bob").says(elsewhere, f"/help {number}")
        left = await d.patiently(d.delivery.send(place, HELLO, buttons=BUTTONS))
        newest = await d.patiently(d.delivery.send(place, Part("an answer"), buttons=BUTTONS))
        await records.keep("", place.chat_id, newest)
        repeated = again(delivery.send(place, HELLO, after=asked, buttons=BUTTONS))
        found = await d.patiently(repeated)
        assert (found, chat.texts) == (left, ["hello", "an answer"])


@pytest.mark.parametrize("below", [0, 30_000])
async def test_only_the_newest_ids_are_looked_at(tmp_path: Path, below: int) -> None:
    async with open_database(tmp_path) as database:
        records = SentMessages(database)
        await records.keep("", to_peer(7), 20_000)
        await records.keep("", to_peer(-7), 90_000)
        unknown = await records.list_unknown_ids(3, below)
        highest = below - 1 if below else 20_010
        assert (unknown[0], unknown[-1]) == (highest - 4_999, highest)
        assert 20_000 not in unknown


async def test_search_for_a_lost_message_waits_where_telegram_asks_for_a_pause() -> None:
    # A note: nobody knows what it stands above, so it is sent, and then its double is looked for.
    async with FakeTelegram(rates=ServerRates(group=None, overall=None)) as telegram, desk(telegram) as d:
        chat, place = d.private()
        left = await d.delivery.send(place, HELLO)
        for number in range(3):
            await d.delivery.send(place, Part(f"another note {number}"))
        async with open_bot(d.telegram.token, d.telegram.url) as bot:
            delivery = Delivery(bot, Chats(), now=d.time, sleep=d.time.sleep)
            sending = asyncio.ensure_future(again(delivery.send(place, HELLO)))
            while not sending.done():
                await telegram.until(lambda: sending.done() or d.time.is_waited_for)
                telegram.clock.skip(1.0)
                await d.time.advance(1.0)
            assert await sending != left
        assert 429 in [request.status for request in telegram.calls("editMessageReplyMarkup")]
        assert chat.texts == ["another note 0", "another note 1", "another note 2", "hello"]
        assert not any(message.buttons for message in chat.answers)


async def test_older_message_with_the_same_words_is_not_taken_for_a_lost_one(d: Desk, tmp_path: Path) -> None:
    chat, place = d.private()
    async with open_database(tmp_path) as database, open_bot(d.telegram.token, d.telegram.url) as bot:
        records = SentMessages(database)
        on_record = await d.delivery.send(place, HELLO)
        await records.keep("a step", place.chat_id, on_record)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        await again(delivery.send(place, HELLO))
        assert chat.texts == ["hello", "hello"]
        # Nor is one from long before the work, whose record is of an older version.
        d.telegram.clock.skip(-3_600)
        await d.delivery.send(place, Part("hello again"))
        d.telegram.clock.skip(3_600)
        await again(delivery.send(place, Part("hello again")))
    assert chat.texts == ["hello", "hello", "hello again", "hello again"]
    assert await _kept(tmp_path, "a step") == (place.chat_id, on_record)


async def _kept(folder: Path, key: str) -> tuple[PeerId, int] | None:
    async with open_database(folder) as database:
        return await SentMessages(database).kept(key)
