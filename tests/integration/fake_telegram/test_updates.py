"""getUpdates of the Telegram server for tests, and what a naive bot on python-telegram-bot falls into."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from typing import Any

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import BadRequest, Conflict, EndPointNotFound, NetworkError
from telegram.ext import Application, CallbackQueryHandler, CommandHandler, MessageHandler, filters

from tests.support.library_bots import new_application, new_bot, post
from tests.telegram.people import Person
from tests.telegram.server import Chat, FakeTelegram


@contextlib.asynccontextmanager
async def polling(
    application: Application[Any, Any, Any, Any, Any, Any], **settings: Any
) -> AsyncIterator[None]:
    """Run an application as a bot would."""
    async with application:
        await application.start()
        assert application.updater is not None
        await application.updater.start_polling(poll_interval=0, bootstrap_retries=0, **settings)
        try:
            yield
        finally:
            await application.updater.stop()
            await application.stop()


async def test_long_poll_is_answered_as_soon_as_somebody_writes(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await telegram.until(lambda: telegram.is_polled)
    said = ann.says(chat, "Hello")
    [update] = await poll
    assert update.update_id == said.update_id


async def test_update_comes_again_until_it_is_confirmed(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    said = ann.says(chat, "Hello")
    for _ in range(2):
        assert [update.update_id for update in await bot.get_updates(timeout=0)] == [said.update_id]
    assert len(telegram.pending) == 1
    assert await bot.get_updates(offset=said.update_id + 1, timeout=0) == ()
    assert telegram.pending == []
    assert telegram.delivered == {said.update_id: 2}


async def test_second_poller_ends_the_first_with_a_conflict(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    first = asyncio.create_task(bot.get_updates(timeout=30))
    await telegram.until(lambda: telegram.is_polled)
    async with new_bot(telegram) as other:
        second = asyncio.create_task(other.get_updates(timeout=30))
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await first
        ann.says(chat, "Hello")
        assert len(await second) == 1


async def test_poller_meets_a_conflict_when_a_webhook_is_set(telegram: FakeTelegram, bot: Bot) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await telegram.until(lambda: telegram.is_polled)
    await bot.set_webhook(f"{telegram.url}/nobody")
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await poll
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await bot.get_updates(timeout=0)
    await bot.delete_webhook()
    assert await bot.get_updates(timeout=0) == ()


async def test_poller_whose_connection_is_gone_is_forgotten(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    with socket.create_connection(("127.0.0.1", int(telegram.url.rpartition(":")[2]))) as raw:
        raw.sendall(f"GET /bot{telegram.token}/getUpdates?timeout=30 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await telegram.until(lambda: telegram.is_polled)
    await telegram.until(lambda: not telegram.is_polled)
    said = ann.says(chat, "Hello")
    assert [update.update_id for update in await bot.get_updates(timeout=0)] == [said.update_id]
    assert telegram.delivered == {said.update_id: 1}


async def test_application_of_the_library_answers_presses_and_goes_on_after_cut_connections(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)

    async def answer(update: Update, _context: Any) -> None:
        assert update.message is not None
        markup = InlineKeyboardMarkup([[InlineKeyboardButton("useful", callback_data="u")]])
        await update.message.reply_text(f"You said {update.message.text}", do_quote=True, reply_markup=markup)

    async def thank(update: Update, _context: Any) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer("Thank you.")

    application.add_handler(MessageHandler(filters.UpdateType.MESSAGE, answer))
    application.add_handler(CallbackQueryHandler(thank))
    async with polling(application):
        first = ann.says(chat, "one")
        [reply] = await telegram.until(lambda: chat.replies_to(first.message_id))
        ann.presses(reply, "useful")
        await telegram.until(lambda: chat.presses[0].alert == "Thank you.")
        await telegram.until(lambda: telegram.is_polled)
        telegram.cut_polls()
        second = ann.says(chat, "two")
        await telegram.until(lambda: chat.replies_to(second.message_id))
        await telegram.until(lambda: not telegram.pending)
    assert chat.texts == ["You said one", "You said two"]


async def test_application_takes_ids_that_restart_lower_and_gets_ordered_duplicates(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)
    seen: list[int] = []

    async def note(update: Update, _context: Any) -> None:
        seen.append(update.update_id)

    application.add_handler(MessageHandler(filters.ALL, note))
    async with polling(application, timeout=30):
        high = ann.says(chat, "one").update_id
        await telegram.until(lambda: not telegram.pending)
        telegram.restart_ids_at(4_000)
        low = ann.says(chat, "two").update_id
        await telegram.until(lambda: low in seen)
        telegram.redeliver(high)
        await telegram.until(lambda: seen.count(high) == 2)
    assert seen == [high, low, high]
    assert low == 4_000


async def test_update_of_a_kind_that_was_not_asked_for_is_never_made(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)
    async with polling(application, allowed_updates=["message", "stopped_message_generation"]):
        await telegram.until(lambda: telegram.is_polled)
        said = ann.says(chat, "Which Jva?")
        assert ann.edits(said, "Which Java?").update is None
        assert application.bot is not None
        await application.bot.send_message_draft(chat.id, 1, "…", api_kwargs={"can_stop": True})
        assert ann.stops(chat.drafts[0]).update is not None


def test_updates_of_a_bot_that_was_down_for_a_day_are_gone(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    ann.says(chat, "old")
    telegram.clock.skip(25 * 3600)
    fresh = ann.says(chat, "new")
    [update] = post(telegram, "getUpdates").json()["result"]
    assert update["update_id"] == fresh.update_id


def test_killed_poller_gets_its_updates_again_and_the_server_outlives_it(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    """The naive bot: it fetches, and is killed before it has handled anything."""
    child = textwrap.dedent(
        """
        import json, sys, time, urllib.request
        url, offset = sys.argv[1], 0
        print("up", flush=True)
        while True:
            with urllib.request.urlopen(f"{url}/getUpdates?timeout=30&offset={offset}") as response:
                got = json.load(response)["result"]
            print(len(got), flush=True)
            time.sleep(600)
        """
    )
    said = [ann.says(chat, text) for text in ("one", "two")]
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", child, f"{telegram.base_url}{telegram.token}"],
            stdout=subprocess.PIPE,
            text=True,
        ) as poller:
            assert poller.stdout is not None
            assert poller.stdout.readline() == "up\n"
            assert int(poller.stdout.readline()) == len(telegram.pending)
            poller.kill()
    assert [update.update_id for update in telegram.pending] == [each.update_id for each in said]
    assert telegram.delivered == {each.update_id: 2 for each in said}


async def test_library_confirms_an_update_before_its_handler_is_done(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)
    started, finish = asyncio.Event(), asyncio.Event()

    async def ponder(_update: Update, _context: Any) -> None:
        started.set()
        await finish.wait()

    application.add_handler(MessageHandler(filters.ALL, ponder))
    async with polling(application, timeout=30):
        ann.says(chat, "Hello")
        await started.wait()
        # A kill now would lose it: Telegram has forgotten it and nothing is answered.
        await telegram.until(lambda: not telegram.pending)
        assert chat.texts == []
        finish.set()


async def test_text_handler_without_a_kind_of_update_gets_edits_and_posts_too(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)
    seen: list[tuple[str | None, bool]] = []

    async def note(update: Update, _context: Any) -> None:
        assert update.effective_message is not None
        seen.append((update.effective_message.text, update.message is None))

    application.add_handler(MessageHandler(filters.TEXT, note))
    channel = telegram.channel("News")
    async with polling(application):
        ann.edits(ann.says(chat, "Jva"), "Java")
        ann.says(channel, "Release 2")
        await telegram.until(lambda: len(seen) == 3)
    assert seen == [("Jva", False), ("Java", True), ("Release 2", True)]


async def test_command_handler_takes_edited_commands_but_not_those_of_another_bot(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)
    seen: list[int] = []

    async def note(update: Update, _context: Any) -> None:
        seen.append(update.update_id)

    application.add_handler(CommandHandler("reindex", note))
    group = telegram.group("Team", [ann])
    async with polling(application):
        ann.says(group, "/reindex@other_bot")
        said = ann.says(group, "/reindex@thinktwice_bot")
        touched = ann.touches(said)
        await telegram.until(lambda: len(seen) == 2)
    assert seen == [said.update_id, touched.update_id]


async def test_second_application_on_one_token_makes_both_report_conflicts(telegram: FakeTelegram) -> None:
    conflicts: list[str] = []
    first, second = new_application(telegram), new_application(telegram)
    async with (
        polling(first, timeout=30, error_callback=lambda error: conflicts.append(f"first: {error}")),
        polling(second, timeout=30, error_callback=lambda error: conflicts.append(f"second: {error}")),
    ):
        await telegram.until(lambda: {entry.partition(":")[0] for entry in conflicts} == {"first", "second"})
    assert all("terminated by other getUpdates request" in entry for entry in conflicts)


async def test_bad_request_counts_as_a_network_error_in_the_library(
    telegram: FakeTelegram, bot: Bot, chat: Chat
) -> None:
    with pytest.raises(NetworkError) as refused:
        await bot.send_message(chat.id, " ")
    assert type(refused.value) is BadRequest


async def test_method_that_the_server_does_not_know_is_no_endpoint_to_the_library(
    telegram: FakeTelegram, bot: Bot
) -> None:
    with pytest.raises(EndPointNotFound):
        await bot.do_api_request("sendPancake", api_kwargs={})
