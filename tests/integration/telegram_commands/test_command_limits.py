"""How many commands a person and a group may send, and what counts as one."""

from __future__ import annotations

from bot.service.incoming import Asked
from bot.telegram.ids import to_peer
from tests.support.commanding import Desk, Opened, waiting


class TestRate:
    async def test_flood_of_commands_gets_its_answers_up_to_the_limit_and_one_notice(
        self, public: Desk
    ) -> None:
        ann, chat = public.person()
        bob, other = public.person("Bob")
        for _ in range(60):
            await public.handle(ann.says(chat, "/help"))
        told = [message.text for message in chat.answers]
        assert len(told) == 11
        assert told[-1].startswith("You have reached the limit of commands per minute (10).")
        assert "/ask" in (await public.says(bob, other, "/help")).text

    async def test_unknown_commands_and_a_bot_without_owner_are_no_way_around_it(
        self, opened: Opened
    ) -> None:
        async with opened(admins=()) as d:
            ann, chat = d.person()
            for _ in range(30):
                await d.handle(ann.says(chat, "/start"))
            assert len(chat.answers) == 11
        async with opened(access={"mode": "open"}) as d:
            ann, chat = d.person()
            for _ in range(30):
                await d.handle(ann.says(chat, "/dance"))
            assert len(chat.answers) == 11

    async def test_stop_and_administrators_are_not_limited(self, public: Desk) -> None:
        ann, chat = public.person()
        for _ in range(12):
            await public.handle(ann.says(chat, "/help"))
        await waiting(public, ann, chat)
        assert (await public.says(ann, chat, "/stop")).text == "Stopped."
        for _ in range(30):
            await public.handle(public.owner.says(public.office, "/help"))
        assert len(public.office.answers) == 30

    async def test_group_is_told_once_whoever_sends_the_commands(self, opened: Opened) -> None:
        async with opened(access={"mode": "open"}, limits={"chat_commands_per_minute": 5}) as d:
            people = [d.telegram.user(f"P{number}", language_code="en") for number in range(4)]
            team = d.telegram.group("Team", people)
            for person in people * 3:
                await d.handle(person.says(team, "/help"))
            told = [message.text for message in team.answers]
            assert len(told) == 6
            assert "its limit of commands per minute (5)" in told[-1]

    async def test_commands_use_up_no_questions_and_questions_no_commands(self, opened: Opened) -> None:
        limits = {"user_per_minute": 1, "user_commands_per_minute": 1}
        async with opened(access={"mode": "open"}, limits=limits) as d:
            ann, chat = d.person()
            asked = d.means(ann.says(chat, "Which Java?"))
            assert isinstance(asked, Asked)
            place, sender = asked.message.place, asked.message.sender
            assert await d.services.limits.check(place, sender, "w1") is None
            assert "/ask" in (await d.says(ann, chat, "/help")).text
            refused = await d.services.limits.check(place, sender, "w2")
            assert refused is not None
            assert refused.message_id == "limit-user-minute"

    async def test_a_press_counts_as_a_command(self, opened: Opened) -> None:
        async with opened(access={"mode": "open"}, limits={"user_commands_per_minute": 2}) as d:
            ann, chat = d.person()
            message = await d.says(ann, chat, "/mode")
            assert await d.presses(ann, message, "careful") == "Mode: careful"
            assert "limit of commands per minute (2)" in await d.presses(ann, message, "quick")
            assert (await d.services.parts.chats.get(to_peer(chat.id))).mode == "careful"
