"""Menus are told until Telegram has taken them, and the profile where it differs."""

from __future__ import annotations

from functools import partial

from bot.service.people import Person
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.menus import Menus, menus
from bot.texts import TEXTS
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


def has_read(telegram: FakeTelegram, reads: int) -> bool:
    return len(telegram.calls("getMyShortDescription")) == reads


async def test_empty_chat_and_profile_say_what_the_bot_does_and_a_second_start_changes_nothing() -> None:
    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        shown = telegram.world.descriptions
        for reads in (len(TEXTS.languages), 2 * len(TEXTS.languages)):
            async with Menus(bot) as told:
                told.register([])
                await telegram.until(partial(has_read, telegram, reads))
                await telegram.until(lambda: len(shown) == 2 * len(TEXTS.languages))
        changes = [
            call
            for call in telegram.requests
            if call.method.startswith("setMy") and "ommands" not in call.method
        ]
        assert len(changes) == 2 * len(TEXTS.languages)
        assert len(telegram.calls("setChatMenuButton")) == 1
    assert shown["description", ""].startswith("Ask me in your own words.")
    assert shown["short_description", "ru"].startswith("Отвечает по документам вашей команды")
    assert telegram.world.menu_button == {"type": "commands"}


async def test_profile_that_telegram_refuses_keeps_no_menu_back() -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        telegram.fail_next("getMyDescription", status=400, description="Bad Request: no")
        telegram.fail_next("setMyDescription", status=429, retry_after=80_000)
        async with Menus(bot, sleep) as told:
            told.register([])
            await telegram.until(lambda: len(telegram.calls("getMyDescription")) == len(TEXTS.languages))
            ann = telegram.user("Ann", language_code="en")
            chat = telegram.private(ann)
            told.follow_role(to_peer(ann.id), is_admin=True)
            await telegram.until(lambda: "reindex" in {one["command"] for one in telegram.menu(ann, chat)})
    assert waited == []


async def test_profile_that_the_operator_wrote_stays_where_the_setting_says_so() -> None:
    async with FakeTelegram() as telegram, open_bot(telegram.token, telegram.url) as bot:
        async with Menus(bot) as told:
            told.register([], has_profile=False)
            await telegram.until(lambda: len(telegram.calls("setMyCommands")) == len(list(menus([]))))
        assert not [call for call in telegram.requests if "Description" in call.method]
