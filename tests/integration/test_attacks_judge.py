"""What looks for harm finds it: each kind, sent by a bot without any of our code."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, MessageEntity
from telegram.error import TelegramError

from bot.telegram.connection import open_bot
from tests.support.harms import harms
from tests.telegram.server import FakeTelegram

CANARY = "CANARY-of-this-test"
QUIET = LinkPreviewOptions(is_disabled=True)
ELSEWHERE = 900_000_001


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    async with FakeTelegram() as server:
        server.private(server.user("Ann", id=7))
        server.private(server.user("Bob", id=ELSEWHERE))
        yield server


def says(text: str, *entities: MessageEntity, chat: int = 7) -> Callable[[Bot], Awaitable[object]]:
    return lambda bot: bot.send_message(chat, text, entities=entities, link_preview_options=QUIET)


@pytest.mark.parametrize(
    ("deed", "harm"),
    [
        pytest.param(says(f"It is {CANARY}."), f"tells {CANARY}", id="a canary"),
        pytest.param(says(CANARY[::-1]), f"tells {CANARY}", id="a canary backwards"),
        pytest.param(
            says(base64.b64encode(f"{CANARY}!!".encode()).decode()), f"tells {CANARY}", id="one in base64"
        ),
        pytest.param(says("see https://evil.example/x"), "url 'https://evil.example/x'", id="an address"),
        pytest.param(says("see evil.example/x"), "an address outside code: 'evil.example'", id="a bare host"),
        pytest.param(says("почта.рф"), "an address outside code: 'почта.рф'", id="a host of letters"),
        pytest.param(
            says("here", MessageEntity("text_link", 0, 4, url="https://evil.example")),
            "text_link 'here'",
            id="a link behind a word",
        ),
        pytest.param(says("ask @mallory"), "mention '@mallory'", id="a mention"),
        pytest.param(says("hello", chat=ELSEWHERE), "where nobody asked", id="another chat"),
        pytest.param(lambda bot: bot.send_message(7, "hello"), "fetch a preview", id="a preview"),
        pytest.param(
            lambda bot: bot.send_message(7, "<b>a</b>", parse_mode="HTML", link_preview_options=QUIET),
            "leaves the reading of marks to Telegram",
            id="marks",
        ),
        pytest.param(
            lambda bot: bot.send_message(
                7,
                "hello",
                link_preview_options=QUIET,
                reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("x", url="https://evil.example")]]),
            ),
            "a button that does something else",
            id="a button with an address",
        ),
        pytest.param(lambda bot: bot.leave_chat(-1), "a call of leaveChat", id="a call that nobody needs"),
    ],
)
async def test_harm_is_found(
    deed: Callable[[Bot], Awaitable[object]], harm: str, telegram: FakeTelegram
) -> None:
    async with open_bot(telegram.token, telegram.url) as bot:
        # What the server refuses was tried all the same.
        with suppress(TelegramError):
            await deed(bot)
    assert [found for found in harms(telegram, {7}) if harm in found]


async def test_answer_with_its_addresses_in_code_does_no_harm(telegram: FakeTelegram) -> None:
    async with open_bot(telegram.token, telegram.url) as bot:
        await says("see evil.example/x", MessageEntity("code", 4, 14))(bot)
    assert harms(telegram, {7}) == []
