from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.incoming import File, Place
from bot.storage.database import open_database
from bot.storage.sent_messages import SentMessages
from bot.telegram.connection import open_bot
from bot.telegram.outbound.rate_limits import Rate, Rates, Urgency
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError, Patience
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering.parts import Entity, Part
from rag.errors import InputError
from tests.support.faketime import FakeTime
from tests.telegram.chats import Chat
from tests.telegram.server import FakeTelegram
from tests.telegram.server import Rates as ServerRates

T = TypeVar("T")

HELLO = Part("hello")
BOLD = Part("hello", (Entity("bold", 0, 5),))
BUTTONS = InlineKeyboardMarkup([[InlineKeyboardButton("why", callback_data="why:1")]])


@dataclass
class Chats:
    gone: list[int] = field(default_factory=list)
    moved: list[tuple[int, int]] = field(default_factory=list)

    async def deactivate(self, chat_id: int) -> None:
        self.gone.append(chat_id)

    async def migrate(self, old_id: int, new_id: int) -> None:
        self.moved.append((old_id, new_id))


@dataclass
class Desk:
    """A delivery, and the server it delivers to."""

    telegram: FakeTelegram
    delivery: Delivery
    chats: Chats
    time: FakeTime

    def private(self, name: str = "Ann") -> tuple[Chat, Place]:
        chat = self.telegram.private(self.telegram.user(name))
        return chat, Place(chat.id, "private")

    def group(self, *, basic: bool = False) -> tuple[Chat, Place]:
        chat = self.telegram.group("Team", [self.telegram.user("Ann")], basic=basic)
        return chat, Place(chat.id, "group")

    async def patiently(self, work: Awaitable[T], seconds: float = 600.0) -> T:
        """Wait for work and let its pauses pass."""
        task = asyncio.ensure_future(work)

        def is_done() -> bool:
            return task.done()

        while not task.done() and self.time.now < seconds:
            await self.telegram.until(lambda: is_done() or self.time.is_waited_for)
            await self.time.advance(0.5)
        return await asyncio.wait_for(task, 15)


@asynccontextmanager
async def desk(
    telegram: FakeTelegram, rates: Rates | None = None, patience: Patience | None = None
) -> AsyncIterator[Desk]:
    time, chats = FakeTime(), Chats()
    bot = open_bot(telegram.token, telegram.url)
    async with bot:
        yield Desk(
            telegram,
            Delivery(bot, chats, rates=rates, patience=patience, now=time, sleep=time.sleep),
            chats,
            time,
        )


@pytest.fixture
async def d() -> AsyncIterator[Desk]:
    async with FakeTelegram() as telegram, desk(telegram) as made:
        yield made


async def test_message_has_its_formatting_buttons_and_no_preview(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, BOLD, buttons=BUTTONS)

    (message,) = chat.answers
    assert message.message_id == message_id
    assert message.text == "hello"
    assert message.entities == ({"type": "bold", "offset": 0, "length": 5},)
    assert message.button("why").data == "why:1"
    (request,) = d.telegram.calls("sendMessage")
    assert request.params["link_preview_options"] == {"is_disabled": True}


async def test_formatting_that_telegram_refuses_costs_only_the_formatting(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: can't parse entities: something")
    await d.delivery.send(place, BOLD)

    assert chat.texts == ["hello"]
    assert chat.answers[0].entities == ()
    assert [request.status for request in d.telegram.calls("sendMessage")] == [400, 200]


async def test_formatting_is_given_up_once_and_then_the_message_is_reported_as_not_sent(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: can't parse entities: something", times=9)
    with pytest.raises(DeliveryError, match="parse entities"):
        await d.delivery.send(place, BOLD)
    assert len(d.telegram.calls("sendMessage")) == 2
    assert chat.texts == []


async def test_same_text_again_is_a_success(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, Part("old"))
    assert await d.delivery.edit(place, message_id, HELLO)
    assert await d.delivery.edit(place, message_id, HELLO)

    assert chat.texts == ["hello"]
    assert d.telegram.calls("editMessageText")[-1].status == 400


async def test_text_that_is_too_long_is_never_reported_as_shown(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, Part("old"))
    with pytest.raises(DeliveryError, match=r"(?i)too_long"):
        await d.delivery.edit(place, message_id, Part("x" * 4097))
    assert chat.texts == ["old"]


async def test_message_that_was_deleted_is_reported_as_gone(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, HELLO)
    assert await d.delivery.delete(place, message_id)
    assert not await d.delivery.edit(place, message_id, Part("new"))
    assert not await d.delivery.delete(place, message_id)
    assert chat.texts == []


async def test_deleted_question_still_gets_its_answer(d: Desk) -> None:
    chat, place = d.group()
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "Which Java?")
    ann.deletes(asked)
    await d.delivery.send(place, HELLO, reply_to=asked.message_id)

    assert chat.answers[0].text == "hello"
    assert chat.answers[0].reply_to is None


async def test_server_that_insists_on_the_deleted_question_gets_the_answer_without_it(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: message to be replied not found")
    await d.delivery.send(place, HELLO, reply_to=77)
    assert chat.texts == ["hello"]


async def test_deleted_topic_does_not_cost_the_answer(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: message thread not found")
    await d.delivery.send(Place(place.chat_id, "private", thread_id=5), HELLO)
    assert chat.texts == ["hello"]


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


@pytest.mark.parametrize(
    "description", ["Forbidden: bot was blocked by the user", "Bad Request: chat not found"]
)
async def test_chat_that_is_gone_is_noted_and_not_tried_again(d: Desk, description: str) -> None:
    _, place = d.private()
    status = 403 if description.startswith("Forbidden") else 400
    d.telegram.fail_next("sendMessage", status=status, description=description)
    with pytest.raises(ChatGoneError):
        await d.delivery.send(place, HELLO)
    assert d.chats.gone == [place.chat_id]
    assert len(d.telegram.calls("sendMessage")) == 1


async def test_group_where_the_bot_may_not_write_stays_active(d: Desk) -> None:
    _, place = d.group()
    d.telegram.fail_next("sendMessage", description="Bad Request: not enough rights to send text messages")
    with pytest.raises(ChatGoneError):
        await d.delivery.send(place, HELLO)
    assert d.chats.gone == []


async def test_answer_follows_a_group_to_its_new_id_without_the_reply(d: Desk) -> None:
    chat, place = d.group(basic=True)
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "Which Java?")
    new = d.telegram.migrate(chat, ann)
    await d.delivery.send(place, HELLO, reply_to=asked.message_id)

    assert new.answers[0].text == "hello"
    # The number of the question belongs to another message, or none, in the new group.
    assert "reply_parameters" not in d.telegram.calls("sendMessage", new)[0].params
    assert d.chats.moved == [(chat.id, new.id)]
    assert d.delivery.current(chat.id) == new.id


async def test_message_left_behind_by_a_migration_is_gone_and_no_other_is_edited(d: Desk) -> None:
    chat, place = d.group(basic=True)
    message_id = await d.delivery.send(place, Part("old"))
    new = d.telegram.migrate(chat, d.telegram.user("Ann"))

    assert not await d.delivery.edit(place, message_id, HELLO)
    assert not await d.delivery.edit(place, message_id, HELLO)
    assert not await d.delivery.show(place, message_id, HELLO)
    assert d.telegram.calls("editMessageText", new) == []
    assert d.chats.moved == [(chat.id, new.id)]


@pytest.mark.parametrize("fault", ["drop_next", "garbage_next"])
async def test_network_that_comes_back_gets_the_message_through(d: Desk, fault: str) -> None:
    chat, place = d.private()
    getattr(d.telegram, fault)("sendMessage", times=3)
    await d.patiently(d.delivery.send(place, HELLO))
    assert chat.texts == ["hello"]


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
        found = await delivery.send(place, HELLO, after=asked, buttons=BUTTONS, is_repeated=True)
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
        found = await delivery.send_file(place, "a.json", b"{}", "yours", after=asked, is_repeated=True)
        other = await delivery.send_file(place, "b.json", b"{}", "yours", after=asked, is_repeated=True)
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

    async with (
        open_database(tmp_path) as database,
        open_bot(d.telegram.token, d.telegram.url) as bot,
    ):
        records = SentMessages(database)
        await records.keep("", place.chat_id, on_record)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        await delivery.send(place, HELLO, after=asked, is_repeated=True)
    assert chat.texts == ["an answer", "hello"]
    assert chat.answers[0].button("why").data == "why:1"
    # Nobody has seen anything of the search there, not even for a moment.
    assert chat.answers[0].versions == []


async def test_lost_message_of_a_busy_bot_is_found_far_above_its_question(d: Desk, tmp_path: Path) -> None:
    """Private chats share their ids, so answers to others stand between a question and its answer."""
    chat, place = d.private()
    asked = d.telegram.user("Ann").says(chat, "what?").message_id
    async with (
        open_database(tmp_path) as database,
        open_bot(d.telegram.token, d.telegram.url) as bot,
    ):
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
        again = delivery.send(place, HELLO, after=asked, buttons=BUTTONS, is_repeated=True)
        found = await d.patiently(again)
        assert (found, chat.texts) == (left, ["hello"])
        # Few ids are looked at, those above the newest on record: the answers to others are on record.
        assert len(d.telegram.calls("editMessageReplyMarkup")) < 15


async def test_lost_message_is_found_behind_many_ids_that_nobody_recorded(d: Desk, tmp_path: Path) -> None:
    """Commands of others are on no record, and may be more than the ids that are looked at."""
    chat, place = d.private()
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "what?").message_id
    async with (
        open_database(tmp_path) as database,
        open_bot(d.telegram.token, d.telegram.url) as bot,
    ):
        records = SentMessages(database)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        elsewhere, _ = d.private("Bob")
        for number in range(100):
            d.telegram.user("Bob").says(elsewhere, f"/help {number}")
        left = await d.patiently(d.delivery.send(place, HELLO, buttons=BUTTONS))
        newest = await d.patiently(d.delivery.send(place, Part("an answer"), buttons=BUTTONS))
        await records.keep("", place.chat_id, newest)
        again = delivery.send(place, HELLO, after=asked, buttons=BUTTONS, is_repeated=True)
        found = await d.patiently(again)
        assert (found, chat.texts) == (left, ["hello", "an answer"])


@pytest.mark.parametrize("below", [0, 30_000])
async def test_only_the_newest_ids_are_looked_at(tmp_path: Path, below: int) -> None:
    async with open_database(tmp_path) as database:
        records = SentMessages(database)
        await records.keep("", 7, 20_000)
        await records.keep("", -7, 90_000)
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
            sending = asyncio.ensure_future(delivery.send(place, HELLO, is_repeated=True))
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
    async with (
        open_database(tmp_path) as database,
        open_bot(d.telegram.token, d.telegram.url) as bot,
    ):
        records = SentMessages(database)
        on_record = await d.delivery.send(place, HELLO)
        await records.keep("a step", place.chat_id, on_record)
        delivery = Delivery(bot, Chats(), records, now=d.time, sleep=d.time.sleep)
        await delivery.send(place, HELLO, is_repeated=True)
        assert chat.texts == ["hello", "hello"]
        # Nor is one from long before the work, whose record is of an older version.
        d.telegram.clock.skip(-3_600)
        await d.delivery.send(place, Part("hello again"))
        d.telegram.clock.skip(3_600)
        await delivery.send(place, Part("hello again"), is_repeated=True)
    assert chat.texts == ["hello", "hello", "hello again", "hello again"]
    assert await _kept(tmp_path, "a step") == (place.chat_id, on_record)


async def _kept(folder: Path, key: str) -> tuple[int, int] | None:
    async with open_database(folder) as database:
        return await SentMessages(database).kept(key)


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
        place = Place(chat.id, "group")
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


async def test_drafts_are_shown_in_private_chats_and_can_be_stopped(d: Desk) -> None:
    chat, place = d.private()
    assert await d.delivery.draft(place, 5, Part("thinking"), is_first=True) == "shown"
    assert await d.delivery.draft(place, 5, BOLD) == "shown"
    (draft,) = chat.drafts
    assert (draft.text, draft.versions, draft.can_stop) == ("hello", ["thinking", "hello"], True)


async def test_groups_have_no_drafts_and_are_not_asked_for_them(d: Desk) -> None:
    _, place = d.group()
    assert await d.delivery.draft(place, 5, HELLO, is_first=True) == "refused"
    assert d.telegram.requests[-1].method != "sendMessageDraft"


async def test_chat_that_refuses_drafts_is_not_asked_again(d: Desk) -> None:
    _, place = d.private()
    _, other = d.private("Bob")
    d.telegram.fail_next("sendMessageDraft", description="Bad Request: TEXTDRAFT_PEER_INVALID")
    assert await d.delivery.draft(place, 5, HELLO, is_first=True) == "refused"
    assert await d.delivery.draft(place, 6, HELLO, is_first=True) == "refused"
    assert await d.delivery.draft(other, 7, HELLO, is_first=True) == "shown"
    assert len(d.telegram.calls("sendMessageDraft")) == 2


async def test_server_without_drafts_is_asked_once(d: Desk) -> None:
    _, place = d.private()
    _, other = d.private("Bob")
    d.telegram.fail_next("sendMessageDraft", status=404)
    assert await d.delivery.draft(place, 5, HELLO, is_first=True) == "refused"
    assert await d.delivery.draft(other, 6, HELLO, is_first=True) == "refused"
    assert len(d.telegram.calls("sendMessageDraft")) == 1


async def test_draft_that_finds_no_room_says_so() -> None:
    async with (
        FakeTelegram() as telegram,
        desk(telegram, Rates(overall=Rate(3, 60.0, {Urgency.PROGRESS: 1}))) as d,
    ):
        _, place = d.private()
        assert await d.delivery.draft(place, 5, Part("one"), is_first=True) == "shown"
        assert await d.delivery.draft(place, 5, Part("two")) == "dropped"


async def test_chat_that_was_just_written_to_gets_no_draft_that_makes_others_wait() -> None:
    rates = Rates(overall=Rate(10, 1.0, {Urgency.PROGRESS: 2}))
    async with FakeTelegram() as telegram, desk(telegram, rates) as d:
        (_, first), (_, other) = d.private("Ann"), d.private("Bob")
        assert await d.delivery.draft(first, 5, HELLO, is_first=True) == "shown"
        # There is room, and whoever has seen nothing yet is shown something even where there is none.
        assert await d.delivery.draft(first, 6, HELLO, is_first=True) == "shown"
        assert await d.delivery.draft(other, 7, HELLO, is_first=True) == "shown"
        assert await d.delivery.draft(first, 8, HELLO, is_first=True) == "dropped"
        await d.time.advance(1.1)
        assert await d.delivery.draft(first, 9, HELLO, is_first=True) == "shown"


async def test_typing_is_shown_and_failures_of_it_matter_to_nobody(d: Desk) -> None:
    chat, place = d.private()
    assert await d.delivery.typing(place)
    d.telegram.fail_next("sendChatAction", status=500)
    assert not await d.delivery.typing(place)
    assert [action.action for action in chat.actions] == ["typing"]


async def test_pressed_button_is_answered_and_an_old_press_is_no_error(d: Desk) -> None:
    chat, place = d.private()
    await d.delivery.send(place, HELLO, buttons=BUTTONS)
    pressed = d.telegram.user("Ann").presses(chat.answers[0], "why")
    await d.delivery.answer_press(pressed.query_id, "thanks", alert=True)
    await d.delivery.answer_press(pressed.query_id, "thanks", alert=True)
    assert [(press.alert, press.show_alert) for press in chat.presses] == [("thanks", True)]


async def test_only_the_buttons_of_a_message_change(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, HELLO, buttons=BUTTONS)
    assert await d.delivery.mark(place, message_id, None)
    assert (chat.answers[0].text, chat.answers[0].buttons) == ("hello", ())
    assert await d.delivery.mark(place, message_id, None)


async def test_files_and_pictures_arrive(d: Desk) -> None:
    chat, place = d.private()
    await d.delivery.send_file(place, "export.json", b"{}", "yours")
    await d.delivery.send_file(place, "", b"\x89PNG", "a picture")
    document, picture = chat.answers
    assert (document.text, document.attachment["document"]["file_name"]) == ("yours", "export.json")
    assert picture.text == "a picture"
    assert "photo" in picture.attachment


def sent_file(d: Desk, content: bytes, size: int | None = None) -> File:
    ann = d.telegram.user("Ann")
    sent = ann.sends_file(d.telegram.private(ann), "a.md", content, size=size)
    assert sent.message is not None
    wire = sent.message.attachment["document"]
    return File(wire["file_id"], "a.md", wire["file_size"])


async def test_file_is_fetched_through_a_shaky_network(d: Desk) -> None:
    file = sent_file(d, b"# Set-up")
    d.telegram.drop_next("getFile")
    assert await d.patiently(d.delivery.download(file)) == b"# Set-up"


@pytest.mark.parametrize("declared", [None, 200], ids=["declared", "declared smaller than it is"])
async def test_file_that_is_too_big_is_refused(d: Desk, declared: int | None) -> None:
    file = sent_file(d, b"x" * 2000, declared)
    with pytest.raises(InputError, match=r"bigger than 0\.001 MB"):
        await d.delivery.download(file, limit=1000)


async def test_file_that_telegram_no_longer_has_is_said_to_be_sent_again(d: Desk) -> None:
    with pytest.raises(DeliveryError, match="send it again"):
        await d.delivery.download(File("nobody", "a.md"))
