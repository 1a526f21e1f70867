"""The Telegram server for tests, over real sockets and mostly through python-telegram-bot itself."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import json
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from telegram import (
    Bot,
    BotCommandScopeAllPrivateChats,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReplyParameters,
    Update,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TimedOut,
)
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    CommandHandler,
    MessageHandler,
    filters,
)

from tests.telegram.people import Person
from tests.telegram.server import TOKEN, Chat, FakeTelegram, Rates


@pytest.fixture(autouse=True)
def _durations_as_the_library_will_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this python-telegram-bot warns at each RetryAfter, and warnings are errors."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
def telegram() -> Iterator[FakeTelegram]:
    with FakeTelegram() as running:
        yield running


@pytest.fixture
async def bot(telegram: FakeTelegram) -> AsyncIterator[Bot]:
    async with new_bot(telegram) as running:
        yield running


@pytest.fixture
def ann(telegram: FakeTelegram) -> Person:
    return telegram.user("Ann", username="ann_lee", language_code="ru")


@pytest.fixture
def chat(telegram: FakeTelegram, ann: Person) -> Chat:
    return telegram.private(ann)


def new_bot(telegram: FakeTelegram, token: str = TOKEN) -> Bot:
    return Bot(token, base_url=telegram.base_url, base_file_url=telegram.base_file_url)


def new_application(telegram: FakeTelegram) -> Application[Any, Any, Any, Any, Any, Any]:
    return (
        ApplicationBuilder()
        .token(telegram.token)
        .base_url(telegram.base_url)
        .base_file_url(telegram.base_file_url)
        .build()
    )


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


def post(telegram: FakeTelegram, method: str, **params: Any) -> httpx.Response:
    """A call with a JSON body, as other clients make it."""
    return httpx.post(f"{telegram.base_url}{telegram.token}/{method}", json=params)


# ---- the HTTP side


async def test_bot_of_the_library_learns_who_it_is(telegram: FakeTelegram, bot: Bot) -> None:
    assert (bot.id, bot.username, bot.first_name) == (telegram.bot.id, "thinktwice_bot", "Think Twice")
    assert bot.bot.can_read_all_group_messages


def test_parameters_are_taken_from_the_address_a_form_and_json(telegram: FakeTelegram, chat: Chat) -> None:
    url = f"{telegram.base_url}{telegram.token}/sendMessage"
    entities = [{"type": "bold", "offset": 0, "length": 1}]
    httpx.get(url, params={"chat_id": chat.id, "text": "a"})
    httpx.post(url, data={"chat_id": chat.id, "text": "b", "entities": json.dumps(entities)})
    httpx.post(url, json={"chat_id": chat.id, "text": "c", "entities": entities})
    assert chat.texts == ["a", "b", "c"]
    assert [len(message.entities) for message in chat.answers] == [0, 1, 1]
    assert [request.chat_id for request in telegram.calls("sendMessage")] == [chat.id] * 3


def test_method_names_are_taken_in_any_case(telegram: FakeTelegram) -> None:
    assert post(telegram, "GETME").json()["ok"]


@pytest.mark.parametrize(
    ("path", "status", "description"),
    [
        (f"/bot{TOKEN}/sendRichPancake", 404, "Not Found"),
        ("/bot7000000001:AAF-another-token-for-the-tests-987/getMe", 401, "Unauthorized"),
        ("/botnonsense/getMe", 404, "Not Found"),
        (f"/file/bot{TOKEN}/documents/none.txt", 404, "Not Found"),
    ],
    ids=["unknown-method", "wrong-token", "malformed-token", "unknown-file"],
)
def test_wrong_addresses_are_refused_as_telegram_does(
    telegram: FakeTelegram, path: str, status: int, description: str
) -> None:
    response = httpx.get(f"{telegram.url}{path}")
    assert response.status_code == status
    assert response.json() == {"ok": False, "error_code": status, "description": description}


def test_texts_that_are_not_utf8_are_refused(telegram: FakeTelegram, chat: Chat) -> None:
    url = f"{telegram.base_url}{telegram.token}/sendMessage"
    for body, kind in (
        (f"chat_id={chat.id}&text=%FF", "application/x-www-form-urlencoded"),
        (f'{{"chat_id": {chat.id}, "text": "\\ud83d"}}', "application/json"),
    ):
        response = httpx.post(url, content=body, headers={"Content-Type": kind})
        assert response.json()["description"] == "Bad Request: strings must be encoded in UTF-8"


async def test_wrong_token_is_an_invalid_token_to_the_library(telegram: FakeTelegram) -> None:
    with pytest.raises(InvalidToken):
        async with new_bot(telegram, f"{TOKEN}x"):
            raise AssertionError("it should not have got in")


async def test_server_serves_the_next_test_as_well_in_an_async_block() -> None:
    async with FakeTelegram() as running, new_bot(running) as bot:
        assert bot.username == "thinktwice_bot"
    with pytest.raises(httpx.ConnectError):
        post(running, "getMe")


# ---- what the library sends arrives


async def test_message_of_the_library_arrives_with_entities_reply_and_buttons(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    asked = ann.says(chat, "Which Java?")
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("useful", callback_data="u:1")]])
    sent = await bot.send_message(
        chat.id,
        "😀 17",
        entities=[MessageEntity("bold", 3, 2)],
        reply_parameters=ReplyParameters(asked.message_id, allow_sending_without_reply=True),
        reply_markup=markup,
    )
    assert sent.parse_entities() == {sent.entities[0]: "17"}
    assert sent.reply_to_message is not None
    bold = [MessageEntity("bold", 0, 2)]
    await sent.edit_text("18", entities=bold, reply_markup=markup)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await sent.edit_text("18", entities=bold, reply_markup=markup)
    assert chat.answers[0].edits == ("😀 17", "18")
    await sent.delete()
    assert chat.answers == []


async def test_draft_typing_reaction_and_commands_of_the_library_are_seen(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    asked = ann.says(chat, "Which Java?")
    await bot.send_message_draft(chat.id, 3, "thinking", api_kwargs={"can_stop": True})
    await bot.send_chat_action(chat.id, "typing")
    await bot.set_message_reaction(chat.id, asked.message_id, "👀")
    await bot.set_my_commands([("ask", "Спросить")], BotCommandScopeAllPrivateChats(), "ru")
    assert [(draft.text, draft.can_stop) for draft in chat.drafts] == [("thinking", True)]
    assert chat.actions[0].action == "typing"
    assert chat.messages[0].reactions[0]["emoji"] == "👀"
    assert telegram.menu(ann, chat) == [{"command": "ask", "description": "Спросить"}]
    [command] = await bot.get_my_commands(BotCommandScopeAllPrivateChats(), "ru")
    assert command.description == "Спросить"
    assert await bot.get_my_commands() == ()


async def test_chats_and_members_are_read_by_the_library(
    telegram: FakeTelegram, bot: Bot, ann: Person
) -> None:
    boss = telegram.user("Boss")
    group = telegram.group("Team", [ann], admins=[boss])
    assert (await bot.get_chat(group.id)).title == "Team"
    assert (await bot.get_chat_member(group.id, ann.id)).status == "member"
    assert [admin.user.id for admin in await bot.get_chat_administrators(group.id)] == [boss.id]
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.get_chat(12345)


async def test_files_go_both_ways(bot: Bot, ann: Person, chat: Chat) -> None:
    content = bytes(range(256)) * 5000
    received = ann.sends_file(chat, "guide.pdf", content, mime_type="application/pdf").message
    assert received is not None
    file = await bot.get_file(received.attachment["document"]["file_id"])
    assert bytes(await file.download_as_bytearray()) == content
    sent = await bot.send_document(chat.id, content, filename="export.bin", caption="Your data")
    assert sent.document is not None
    assert bytes(await (await sent.document.get_file()).download_as_bytearray()) == content
    photo = await bot.send_photo(chat.id, b"\x89PNG", filename="stats.png")
    assert photo.photo[-1].file_size == 4


async def test_file_of_more_than_20_megabytes_is_refused(bot: Bot, ann: Person, chat: Chat) -> None:
    big = ann.sends_file(chat, "big.pdf", b"x", size=20 * 1024 * 1024 + 1).message
    assert big is not None
    with pytest.raises(BadRequest, match="File is too big"):
        await bot.get_file(big.attachment["document"]["file_id"])


# ---- getUpdates


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


# ---- what a naive bot on the library falls into


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


# ---- the webhook


class Receiver:
    """A webhook that answers with the statuses it is given, the last one for ever."""

    def __init__(self, *statuses: int) -> None:
        self.updates: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.statuses = list(statuses) or [200]
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.updates.append(json.loads(body))
                receiver.headers.append(dict(self.headers))
                status = receiver.statuses.pop(0) if len(receiver.statuses) > 1 else receiver.statuses[0]
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class named it
                """Keep the test output clean."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/hook"

    def __enter__(self) -> Receiver:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def test_webhook_gets_the_update_with_the_secret(telegram: FakeTelegram, ann: Person, chat: Chat) -> None:
    with Receiver() as receiver:
        post(telegram, "setWebhook", url=receiver.url, secret_token="s3cret")
        said = ann.says(chat, "Hello")
        telegram.wait_until(lambda: not telegram.pending)
        assert [update["update_id"] for update in receiver.updates] == [said.update_id]
        assert receiver.headers[0]["X-Telegram-Bot-Api-Secret-Token"] == "s3cret"
        assert receiver.headers[0]["Content-Type"] == "application/json"
        post(telegram, "deleteWebhook")


def test_webhook_that_fails_gets_the_update_again_and_the_error_is_shown(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    with Receiver(500, 403, 200) as receiver:
        first = ann.says(chat, "one")
        second = ann.says(chat, "two")
        post(telegram, "setWebhook", url=receiver.url)
        telegram.wait_until(lambda: not telegram.pending)
        order = [update["update_id"] for update in receiver.updates]
        assert order == [first.update_id] * 3 + [second.update_id]
        shown = post(telegram, "getWebhookInfo").json()["result"]
        assert shown["last_error_message"] == "Wrong response from the webhook: 403 Forbidden"
        assert shown["pending_update_count"] == 0
        post(telegram, "deleteWebhook")


def test_webhook_of_one_chat_that_fails_does_not_hold_up_another(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    with Receiver(500) as receiver:
        post(telegram, "setWebhook", url=receiver.url)
        bob = telegram.user("Bob")
        ann.says(chat, "one")
        ann.says(chat, "two")
        bob.says(telegram.private(bob), "three")
        lanes = telegram.wait_until(
            lambda: {update["message"]["text"] for update in list(receiver.updates)} >= {"one", "three"}
        )
        assert lanes
        assert "two" not in {update["message"]["text"] for update in receiver.updates}
        post(telegram, "deleteWebhook")


def test_unreachable_webhook_keeps_its_updates(telegram: FakeTelegram, ann: Person, chat: Chat) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    post(telegram, "setWebhook", url=f"http://127.0.0.1:{port}/")
    ann.says(chat, "Hello")
    shown = telegram.wait_until(lambda: telegram.world.webhook.last_error_message)
    assert "Connection" in shown
    assert post(telegram, "getWebhookInfo").json()["result"]["pending_update_count"] == 1
    post(telegram, "setWebhook", url=f"http://127.0.0.1:{port}/", drop_pending_updates=True)
    assert telegram.pending == []


async def test_webhook_server_of_the_library_takes_the_updates(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    application = new_application(telegram)
    seen: list[str | None] = []

    async def note(update: Update, _context: Any) -> None:
        assert update.message is not None
        seen.append(update.message.text)

    application.add_handler(MessageHandler(filters.TEXT, note))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with application:
        await application.start()
        assert application.updater is not None
        await application.updater.start_webhook(
            "127.0.0.1", port, "hook", webhook_url=f"http://127.0.0.1:{port}/hook", secret_token="s3cret"
        )
        ann.says(chat, "Hello")
        await telegram.until(lambda: seen == ["Hello"])
        await telegram.until(lambda: not telegram.pending)
        await application.bot.delete_webhook()
        await application.updater.stop()
        await application.stop()


# ---- faults and limits


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
