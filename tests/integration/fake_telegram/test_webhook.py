"""The Telegram server for tests sends updates to a webhook, and repeats those that it does not take."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from telegram import Update
from telegram.ext import MessageHandler, filters

from tests.support.library_bots import new_application, post
from tests.telegram.people import Person
from tests.telegram.server import Chat, FakeTelegram


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
                """Print no line for a request; the base class would write one to the output of the tests."""

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
