"""Menus are told until Telegram has taken them."""

from __future__ import annotations

from bot.service.people import Person
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.menus import Menus, menus
from tests.telegram.server import FakeTelegram


async def test_menus_that_telegram_does_not_take_now_are_told_again() -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        ann = telegram.user("Ann", language_code="en")
        chat = telegram.private(ann)
        telegram.fail_next("setMyCommands", status=429, retry_after=17)
        telegram.fail_next("setMyCommands", status=502)
        # Whoever has never written to the bot has no chat with it: that stays so.
        nobody = 4711
        async with Menus(bot, sleep) as told:
            told.register([Person(to_peer(number)) for number in (ann.id, nobody)])
            # That was found out with the first of their menus, so the others are not tried.
            every = len(list(menus([ann.id]))) + 1
            await telegram.until(lambda: len(telegram.calls("setMyCommands")) == every + 2)
            await telegram.until(lambda: "reindex" in {one["command"] for one in telegram.menu(ann, chat)})
            told.follow_role(to_peer(ann.id), is_admin=False)
            await telegram.until(
                lambda: "reindex" not in {one["command"] for one in telegram.menu(ann, chat)}
            )
    assert waited == [17.0, 4.0]
