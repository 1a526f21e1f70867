"""What the bot tells of itself: /start, /help, and commands that are not there or in the wrong place."""

from __future__ import annotations

import re

import pytest

from bot.telegram.commands import COMMANDS
from bot.telegram.ids import to_peer
from tests.support.commanding import LANGUAGES, OWNER, Desk, Opened


class TestStartAndHelp:
    async def test_start_says_what_it_answers_from_and_how_to_ask(self, public: Desk) -> None:
        ann, chat = public.person()
        text = (await public.says(ann, chat, "/start")).text
        assert "I am Think Twice. I answer questions from 2 documents" in text
        assert "Just send me your question." in text
        assert 3 <= len(text.splitlines()) <= 6

    async def test_start_in_a_group_says_how_to_address_the_bot(self, d: Desk) -> None:
        ann = d.telegram.user("Ann", language_code="en")
        chat = d.telegram.group("Team", [ann, d.owner])
        await d.says(d.owner, chat, "/allow")
        message = await d.says(ann, chat, "/start")
        assert "mention @thinktwice_bot, reply to one of my messages, or send /ask" in message.text
        assert "I do not store them" in message.text
        assert 3 <= len(message.text.splitlines()) <= 6
        assert message.reply_to is not None

    async def test_bot_that_hears_plain_questions_does_not_claim_the_contrary(self, opened: Opened) -> None:
        async with opened(access={"mode": "open", "answer_plain_questions": True}) as d:
            ann = d.telegram.user("Ann", language_code="en")
            message = await d.says(ann, d.telegram.group("Team", [ann]), "/start")
            assert "neither answer nor keep" not in message.text

    async def test_stranger_of_a_bot_without_owner_is_told_how_to_claim_it(self, opened: Opened) -> None:
        async with opened(admins=()) as d:
            ann, chat = d.person()
            assert "/claim" in (await d.says(ann, chat, "/start")).text

    async def test_bot_without_owner_sends_nobody_to_an_administrator(self, opened: Opened) -> None:
        async with opened(admins=()) as d:
            ann, chat = d.person()
            assert "send /claim" in (await d.says(ann, chat, "/mode")).text

    async def test_help_lists_what_the_sender_can_use_here(self, public: Desk) -> None:
        ann, chat = public.person()
        own = set(re.findall(r"^/(\w+)", (await public.says(ann, chat, "/help")).text, re.MULTILINE))
        office = set(re.findall(r"^/(\w+)", (await public.ask("/help")).text, re.MULTILINE))
        everyone = {known.name for known in COMMANDS if known.audience == "everyone" and known.is_listed}
        assert own == everyone
        assert office == {known.name for known in COMMANDS if known.is_listed}
        team = public.telegram.group("Team", [ann])
        listed = set(re.findall(r"^/(\w+)", (await public.says(ann, team, "/help")).text, re.MULTILINE))
        assert listed == {
            known.name for known in COMMANDS if known.name in everyone and "group" in known.places
        }

    @pytest.mark.parametrize("language", LANGUAGES)
    async def test_help_is_one_message_in_every_language(self, d: Desk, language: str) -> None:
        await d.services.parts.users.set_language(to_peer(OWNER), language)
        message = await d.ask("/help")
        assert len(d.office.answers) == 1
        assert len(message.text) < 4096

    async def test_ask_without_a_question_tells_how(self, public: Desk) -> None:
        ann, chat = public.person()
        assert "/ask How do I start?" in (await public.says(ann, chat, "/ask")).text

    async def test_unknown_command_gets_a_hint_in_private_and_silence_in_a_group(self, public: Desk) -> None:
        ann, chat = public.person()
        assert (
            await public.says(ann, chat, "/dance")
        ).text == "There is no command /dance; /help lists them."
        team = public.telegram.group("Team", [ann])
        await public.handle(ann.says(team, "/dance"))
        assert team.answers == []
        assert "/dance" in (await public.says(ann, team, "/dance@thinktwice_bot")).text

    async def test_command_in_the_wrong_place_is_sent_to_the_right_one(self, public: Desk) -> None:
        ann = public.telegram.user("Ann", language_code="en")
        team = public.telegram.group("Team", [ann])
        message = await public.says(ann, team, "/privacy")
        assert message.text == "Please send /privacy in a private chat with me."
