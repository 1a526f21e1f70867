"""Commands against a Telegram server, real stores and real documents."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from bot.documents import fetching
from bot.jobs.values import DeadLetter, Kept
from bot.service.incoming import Asked
from bot.statistics.values import Circumstances
from bot.telegram.commands import COMMANDS
from bot.texts import TEXTS
from rag.models.roles import ModelStatus
from rag.reasons import Reason, as_written
from rag.values import Answer, DocumentSet, Label, Savings, Turn, Usage, Verdict
from tests.support.commanding import OWNER, Desk, open_desk
from tests.support.recorded_steps import KilledError, Recording
from tests.support.sites import Reply as SitePage
from tests.support.sites import Site, only_this_site
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent

LANGUAGES = ("en", "es", "id", "ko", "ru", "zh")

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)

Opened = Callable[..., AbstractAsyncContextManager[Desk]]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    monkeypatch.setattr("bot.telegram.commands.progress._EVERY_SECONDS", 0.01)

    def make(**options: Any) -> AbstractAsyncContextManager[Desk]:
        return open_desk(tmp_path, monkeypatch, **options)

    return make


@pytest.fixture
async def d(opened: Opened) -> AsyncIterator[Desk]:
    async with opened() as desk:
        yield desk


@pytest.fixture
async def public(opened: Opened) -> AsyncIterator[Desk]:
    async with opened(access={"mode": "open"}) as desk:
        yield desk


async def answered(
    d: Desk, person: Person, chat: Chat, question: str, label: Label = "verified", number: int = 1
) -> None:
    """Let a person have asked something."""
    answer = Answer(
        question=question,
        text="FxStore needs Java 17 [1].",
        label=label,
        language="en",
        verdict=Verdict("adequate", as_written("r"), 0.9, "evidence"),
        citations=(),
        passages=(),
        used_documents=label == "verified",
        retries=0,
        usage=Usage(2, 300, 40, 1.0, 0.5, by_role={"draft": Usage(2, 300, 40, 1.0, 0.5)}),
        seconds=1.0,
        trace=(),
        savings=Savings(1, 300, {"evidence": Savings(1, 300)}),
    )
    key, conversation = f"{person.id}/{number}", f"telegram:{chat.id}:0"
    await d.services.memory.remember(
        conversation, question, answer, user_key=f"telegram:{person.id}", exchange=key
    )
    await d.services.answers.record(
        answer, Circumstances("telegram", conversation, f"telegram:{person.id}", 2.0, key)
    )


async def waiting(d: Desk, person: Person, chat: Chat, text: str = "Which Java?") -> str:
    """Let a person wait for an answer; return the id of the work."""
    asked = d.means(person.says(chat, text))
    assert isinstance(asked, Asked)
    ask = await d.services.asks.accept(asked, f"work-{asked.message.update_id}", "running")
    message_id = await d.services.delivery.send(asked.message.place, _part("⏳"))
    await d.services.asks.set_placeholder(ask.id, chat.id, message_id)
    return ask.workflow_id


def _part(text: str) -> Any:
    from bot.telegram.rendering import Part

    return Part(text)


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
        await d.services.users.set_language(OWNER, language)
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
            assert (await d.services.chats.get(chat.id)).mode == "careful"


class TestChoices:
    async def test_mode_is_chosen_for_the_chat_by_button(self, public: Desk) -> None:
        ann, chat = public.person()
        message = await public.says(ann, chat, "/mode")
        assert [button.text for button in message.buttons[0]] == ["quick", "✓ balanced", "careful"]
        assert await public.presses(ann, message, "careful") == "Mode: careful"
        assert (await public.services.chats.get(chat.id)).mode == "careful"
        (changed,) = chat.answers
        assert changed.button("✓ careful").data == "mode:careful"
        assert "● careful:" in changed.text

    async def test_mode_is_chosen_by_word(self, public: Desk) -> None:
        ann, chat = public.person()
        await public.says(ann, chat, "/mode Quick")
        assert (await public.services.chats.get(chat.id)).mode == "quick"

    async def test_mode_is_chosen_by_its_name_in_a_language(self, public: Desk) -> None:
        ann, chat = public.person(language_code="ru")
        message = await public.says(ann, chat, "/mode Быстро")
        assert (await public.services.chats.get(chat.id)).mode == "quick"
        for name in ("быстро", "взвешенно", "тщательно"):
            assert f" {name} (" in message.text

    async def test_model_is_chosen_for_the_chat_by_button_and_by_name(self, opened: Opened) -> None:
        long = "ollama:" + "name-longer-than-a-button-can-carry-" * 2
        async with opened(models={"default": "embedded", "choices": (long, "ollama:small")}) as d:
            message = await d.ask("/model")
            assert [row[0].text for row in message.buttons] == [
                "✓ as the settings say (embedded)", long, "ollama:small",
            ]  # fmt: skip
            assert await d.presses(d.owner, message, long) == (
                "The model is chosen. It writes the answers from now on."
            )
            assert (await d.services.chats.get(d.office.id)).model == long
            assert f"● {long}" in d.office.answers[-1].text
            assert "● ollama:small" in (await d.ask("/model ollama:small")).text
            unknown = await d.ask("/model gpt")
            assert "There is no model gpt to choose. Choose one of these:" in unknown.text
            assert "● ollama:small" in unknown.text
            assert "● as the settings say" in (await d.ask("/model default")).text
            assert (await d.services.chats.get(d.office.id)).model == ""

    async def test_model_of_a_group_is_chosen_by_administrators_only(self, opened: Opened) -> None:
        async with opened(models={"choices": ("ollama:small",)}, access={"mode": "open"}) as d:
            ann = d.telegram.user("Ann", language_code="en")
            team = d.telegram.group("Team", [d.owner, ann])
            shown = await d.says(ann, team, "/model ollama:small")
            assert "only administrators of this bot can choose the model" in shown.text
            assert not shown.buttons
            assert (await d.services.chats.get(team.id)).model == ""
            chosen = await d.says(d.owner, team, "/model ollama:small")
            assert "● ollama:small" in chosen.text
            assert "only administrators" in await d.presses(ann, chosen, "as the settings say (embedded)")
            assert (await d.services.chats.get(team.id)).model == "ollama:small"

    async def test_model_that_is_no_longer_offered_is_neither_used_nor_chosen(self, opened: Opened) -> None:
        async with opened(models={"choices": ("ollama:old",)}) as d:
            message = await d.ask("/model")
            await d.presses(d.owner, message, "ollama:old")
        async with opened(models={"choices": ("ollama:new",)}) as d:
            assert "● as the settings say" in (await d.ask("/model")).text

    async def test_without_choices_the_setting_is_named(self, public: Desk) -> None:
        ann, chat = public.person()
        assert "models.choices" in (await public.says(ann, chat, "/model")).text

    @pytest.mark.parametrize(
        ("command", "says", "lists"),
        [
            pytest.param("/mode foo", "There is no mode foo. Choose one of these:", "● balanced:", id="mode"),
            pytest.param("/language xx", "I do not speak xx.", "Which language", id="language"),
        ],
    )
    async def test_choice_that_there_is_not_is_said_with_what_there_is(
        self, public: Desk, command: str, says: str, lists: str
    ) -> None:
        ann, chat = public.person()
        text = (await public.says(ann, chat, command)).text
        assert says in text
        assert lists in text

    async def test_member_of_a_group_cannot_choose_its_mode(self, public: Desk) -> None:
        ann = public.telegram.user("Ann", language_code="en")
        team = public.telegram.group("Team", [ann, public.owner])
        message = await public.says(ann, team, "/mode careful")
        assert message.buttons == ()
        assert "only administrators of this bot can choose" in message.text
        offered = await public.says(public.owner, team, "/mode")
        assert "only administrators of this bot can choose" in await public.presses(ann, offered, "careful")
        assert (await public.services.chats.get(team.id)).mode is None
        await public.presses(public.owner, offered, "careful")
        assert (await public.services.chats.get(team.id)).mode == "careful"

    async def test_language_is_chosen_by_its_own_name_and_given_back(self, public: Desk) -> None:
        ann, chat = public.person()
        message = await public.says(ann, chat, "/language")
        shown = [button.text for row in message.buttons for button in row]
        assert shown == [
            "English", "Español", "Bahasa Indonesia", "한국어", "Русский", "中文", "✓ same as Telegram",
        ]  # fmt: skip
        assert "по-русски" in await public.presses(ann, message, "Русский")
        assert "На каком языке" in chat.answers[-1].text
        assert "Команды:" in (await public.says(ann, chat, "/help")).text
        await public.presses(ann, message, "как в Telegram")
        assert (await public.services.users.get(ann.id)).language is None

    async def test_language_pressed_in_a_group_is_of_the_presser_alone(self, public: Desk) -> None:
        ann, bob = (public.telegram.user(name, language_code="en") for name in ("Ann", "Bob"))
        team = public.telegram.group("Team", [ann, bob])
        message = await public.says(ann, team, "/language")
        assert "español" in await public.presses(bob, message, "Español")
        assert team.answers[-1].text == message.text
        assert (await public.services.users.get(bob.id)).language == "es"
        assert (await public.services.users.get(ann.id)).language is None

    async def test_reset_forgets_the_conversation(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Which Java?")
        assert (await public.says(ann, chat, "/reset")).text == "Forgotten. What would you like to know?"
        assert await public.services.memory.recall(f"telegram:{chat.id}:0") == ((), "")

    async def test_reset_in_a_group_is_for_administrators_who_confirm_it_themselves(
        self, public: Desk
    ) -> None:
        d = public
        people = [d.telegram.user(name, language_code="en") for name in ("Ann", "Bob", "Cid")]
        ann, bob, cid = people
        team = d.telegram.group("Team", [*people, d.owner], admins=[bob, cid])
        await answered(d, ann, team, "Which Java?")

        async def is_kept() -> bool:
            return await d.services.memory.recall(f"telegram:{team.id}:0") != ((), "")

        assert (await d.says(ann, team, "/reset")).text.startswith("In a group, only its administrators")
        anonymous = d.telegram.anonymous_admin(team)
        assert "while you post anonymously" in (await d.says(anonymous, team, "/reset")).text
        assert await is_kept()
        question = await d.says(bob, team, "/reset")
        assert question.text == "Forget this conversation for everyone here? This cannot be undone."
        for somebody in (ann, cid, d.owner):
            assert "Only the person who sent" in await d.presses(somebody, question, "Yes")
        assert await is_kept()
        await d.presses(bob, question, "Yes")
        assert team.texts[-1] == "Forgotten. What would you like to know?"
        assert not await is_kept()

    async def test_reset_says_so_when_telegram_does_not_tell_who_administers_the_group(
        self, public: Desk
    ) -> None:
        bob = public.telegram.user("Bob", language_code="en")
        team = public.telegram.group("Team", [bob], admins=[bob])
        public.telegram.fail_next("getChatAdministrators", status=500)
        assert (await public.says(bob, team, "/reset")).text.startswith(
            "I could not find out who administers"
        )
        assert (await public.says(bob, team, "/reset")).text.startswith("Forget this conversation")

    async def test_administrator_of_the_bot_resets_a_group_where_they_are_a_member(
        self, public: Desk
    ) -> None:
        team = public.telegram.group("Team", [public.owner])
        question = await public.says(public.owner, team, "/reset")
        await public.presses(public.owner, question, "Yes")
        assert team.texts[-1] == "Forgotten. What would you like to know?"

    @pytest.mark.parametrize(
        "data", ["mode:reckless", "language:xx", "documents:x", "stats:5:x", "yes:x", "no:9"]
    )
    async def test_button_that_no_bot_made_does_nothing(self, public: Desk, data: str) -> None:
        message = await public.ask("/mode")
        before = public.office.texts
        told = await public.presses(public.owner, message, data=data)
        assert told == "This button has expired. Please send the command again."
        assert public.office.texts == before


class TestPrivacy:
    async def test_what_is_kept_is_told_in_numbers_and_handed_out_as_a_file(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Which Java?")
        before: dict[str, object] = {"recall": Turn("user", "x"), "remember": None}
        work = Kept("tg:1:7", "update", "done", '{"text": "Which Java?"}', NOW, before, f"{chat.id}:0")
        elsewhere = replace(work, id="tg:1:8", outcomes={**before, "recall": Turn("user", "y")}, lane="-7:0")
        public.records.held[f"telegram:{ann.id}"] = (work, elsewhere)
        message = await public.says(ann, chat, "/privacy")
        assert "messages of our conversations: 2\n" in message.text
        assert "records of work for you, with the text of your messages: 2\n" in message.text
        assert "are deleted automatically after 7 days" in message.text
        assert await public.presses(ann, message, "Export") == "The file is in this chat."
        sent = chat.answers[-1].attachment["document"]
        content = json.loads(public.telegram.world.files[sent["file_id"]].content)
        assert sent["file_name"] == f"thinktwice-{ann.id}.json"
        assert content["messages"][0]["text"] == "Which Java?"
        shown, in_group = content["work"]
        assert (shown["id"], shown["payload"]) == ("tg:1:7", {"text": "Which Java?"})
        assert shown["outcomes"]["recall"]["text"] == "x"
        # What was said before in a group are the words of others as well.
        assert list(in_group["outcomes"]) == ["remember"]

    async def test_erasing_needs_a_yes_of_the_same_person_and_leaves_the_others_alone(
        self, public: Desk
    ) -> None:
        ann, chat = public.person()
        bob, other = public.person("Bob")
        await answered(public, ann, chat, "Which Java?")
        await answered(public, bob, other, "Which port?")
        work = await waiting(public, ann, chat)
        message = await public.says(ann, chat, "/privacy")
        await public.presses(ann, message, "Delete")
        assert len((await public.services.memory.recall(f"telegram:{chat.id}:0"))[0]) == 2
        await public.presses(ann, chat.answers[-1], "Yes")
        assert "messages (2), questions (1), records of work (0)" in chat.answers[-1].text
        assert "are deleted automatically after 7 days" in chat.answers[-1].text
        assert public.jobs.cancelled == [work]
        assert public.records.erased == [(f"telegram:{ann.id}", {f"{chat.id}:0"})]
        assert await public.services.memory.recall(f"telegram:{chat.id}:0") == ((), "")
        assert len((await public.services.memory.recall(f"telegram:{other.id}:0"))[0]) == 2

    async def test_erased_words_are_in_no_file_of_the_data_folder(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Where is the zanzibarbarossa?")

        def holders() -> list[str]:
            files = public.services.settings.data_dir.glob("*.sqlite3*")
            return [path.name for path in files if b"zanzibarbarossa" in path.read_bytes()]

        assert holders() == ["thinktwice.sqlite3-wal"]
        message = await public.says(ann, chat, "/privacy")
        await public.presses(ann, message, "Delete")
        await public.presses(ann, chat.answers[-1], "Yes")
        assert chat.answers[-1].text.startswith("Deleted")
        assert holders() == []

    async def test_somebody_who_was_never_let_in_can_see_and_erase(self, d: Desk) -> None:
        eve, chat = d.person("Eve")
        assert (await d.says(eve, chat, "/privacy")).button("Delete").data == "privacy:erase"


class TestConfirmations:
    async def asked(self, d: Desk) -> Message:
        return await d.ask("/reindex rebuild")

    async def test_yes_counts_once(self, d: Desk) -> None:
        message = await self.asked(d)
        data = _data(message, "yes")
        assert await d.presses(d.owner, message, "Yes") == ""
        assert d.office.answers[-1].text.startswith("✔ Documents: 2")
        assert "has expired" in await d.presses(d.owner, message, data=data)

    async def test_no_changes_nothing_and_ends_it(self, d: Desk) -> None:
        message = await self.asked(d)
        data = _data(message, "yes")
        await d.presses(d.owner, message, "No")
        assert d.office.answers[-1].text == "Nothing was changed."
        assert "has expired" in await d.presses(d.owner, message, data=data)

    async def test_yes_of_another_admin_counts_for_nothing(self, d: Desk) -> None:
        bob = d.telegram.user("Bob", language_code="en")
        await d.services.users.set_role(bob.id, "admin")
        team = d.telegram.group("Team", [d.owner, bob])
        await d.says(d.owner, team, "/allow")
        message = await d.says(d.owner, team, "/reindex rebuild")
        assert "Only the person who sent" in await d.presses(bob, message, "Yes")
        assert "Read and prepare all" in team.answers[-1].text

    async def test_yes_in_another_chat_counts_for_nothing(self, d: Desk) -> None:
        message = await self.asked(d)
        team = d.telegram.group("Team", [d.owner])
        elsewhere = await d.says(d.owner, team, "/mode")
        assert "has expired" in await d.presses(d.owner, elsewhere, data=_data(message, "yes"))

    async def test_yes_that_comes_too_late_counts_for_nothing(self, d: Desk) -> None:
        message = await self.asked(d)
        d.clock.ahead = timedelta(minutes=11)
        assert "has expired" in await d.presses(d.owner, message, "Yes")

    async def test_admin_who_lost_the_role_meanwhile_is_refused(self, d: Desk) -> None:
        bob, chat = d.person("Bob")
        await d.services.users.set_role(bob.id, "admin")
        message = await d.says(bob, chat, "/reindex rebuild")
        await d.services.users.set_role(bob.id, None)
        await d.services.users.set_access(bob.id, "allowed")
        assert await d.presses(bob, message, "Yes") == "Only administrators of this bot can do that."
        assert chat.answers[-1].text == "Nothing was changed."


def _data(message: Message, label: str) -> str:
    data = next(
        button.data for row in message.buttons for button in row if (button.data or "").startswith(label)
    )
    assert data is not None
    return data


class TestDocuments:
    async def test_list_turns_its_pages_in_one_message(self, d: Desk) -> None:
        for number in range(18):
            d.workshop.write(**{f"page{number:02}": f"# Page {number}\n\nText of page {number}.\n"})
        await d.ask("/reindex")
        message = await d.ask("/documents")
        assert "Files: 20 (page 1 of 4)" in message.text
        assert [button.text for button in message.buttons[0]] == ["›"]
        for _ in range(3):
            await d.presses(d.owner, message, "›")
        assert "page17.md – Page 17\n1 passage · " in d.office.answers[-1].text
        assert [button.text for button in d.office.answers[-1].buttons[0]] == ["‹"]
        assert len(d.office.answers) == 2
        await d.presses(d.owner, message, data="documents:99")
        assert "(page 4 of 4)" in d.office.answers[-1].text

    async def test_page_is_chosen_by_its_number_and_anything_else_tells_how(self, d: Desk) -> None:
        for number in range(5):
            d.workshop.write(**{f"page{number:02}": f"# Page {number}\n\nText of page {number}.\n"})
        await d.ask("/reindex")
        assert "(page 2 of 2)" in (await d.ask("/documents 2")).text
        assert "the second page" in (await d.ask("/documents java")).text

    async def test_faults_stand_first_with_their_reason(self, d: Desk) -> None:
        (d.workshop.corpus / "scan.pdf").write_text("no pdf", "utf-8")
        await d.ask("/reindex")
        text = (await d.ask("/documents")).text
        assert text.index("scan.pdf") < text.index("backup.md")
        assert "⚠" in text

    async def test_file_with_a_caption_is_a_document_at_once(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        assert d.office.texts == ["✔ Added tea.md. Passages: 1"]
        assert await d.documents() == {"fxstore.md", "backup.md", "tea.md"}
        assert "added in Telegram" in (await d.ask("/documents")).text

    async def test_file_that_is_replied_to_is_added(self, d: Desk) -> None:
        ann = d.telegram.user("Ann")
        team = d.telegram.group("Team", [ann, d.owner])
        file = ann.sends_file(team, "tea.md", b"# Tea\n\nAt four.\n")
        message = await d.says(d.owner, team, "/add", reply_to=file)
        assert message.text == "✔ Added tea.md. Passages: 1"

    async def test_name_with_a_path_stays_in_its_folder(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "../../../evil.md", b"# Evil\n\nText.\n", caption="/add"))
        assert (d.workshop.data / "documents" / "evil.md").exists()
        assert d.services.library.uploads.names() == ("evil.md",)

    async def test_same_name_replaces_only_after_a_yes(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        await d.handle(d.owner.sends_file(d.office, "TEA.md", b"# Tea\n\nAt five.\n", caption="/add"))
        question = d.office.answers[-1]
        assert question.text == "A document named tea.md already exists. Replace it?"
        stored = d.workshop.data / "documents" / "tea.md"
        assert b"four" in stored.read_bytes()
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == "✔ Replaced tea.md. Passages: 1"
        assert b"five" in stored.read_bytes()

    async def test_new_version_that_cannot_be_read_does_not_harm_the_old_one(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"", caption="/add"))
        await d.presses(d.owner, d.office.answers[-1], "Yes")
        assert "tea.md could not be read" in d.office.answers[-1].text
        assert b"four" in (d.workshop.data / "documents" / "tea.md").read_bytes()

    @pytest.mark.parametrize(
        ("name", "content", "options", "says"),
        [
            pytest.param("run.exe", b"MZ", {}, "I cannot read files of the type of", id="kind"),
            pytest.param(
                "big.md", b"x", {"size": 21_000_000}, "too big. The maximum size is 20 MB", id="size"
            ),
            pytest.param("scan.pdf", b"no pdf", {}, "scan.pdf could not be read", id="broken"),
            pytest.param("empty.md", b"", {}, "the file is empty", id="empty"),
        ],
    )
    async def test_file_that_cannot_be_used_is_refused_with_the_reason_and_not_kept(
        self, d: Desk, name: str, content: bytes, options: dict[str, Any], says: str
    ) -> None:
        await d.handle(d.owner.sends_file(d.office, name, content, caption="/add", **options))
        assert says in d.office.texts[-1]
        folder = d.workshop.data / "documents"
        assert not folder.exists() or list(folder.iterdir()) == []

    async def test_zip_bomb_is_refused(self, d: Desk) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", b"<a>" + bytes(200_000_000))
        await d.handle(d.owner.sends_file(d.office, "bomb.docx", packed.getvalue(), caption="/add"))
        assert "bomb.docx could not be read" in d.office.texts[-1]
        assert await d.documents() == {"fxstore.md", "backup.md"}

    @pytest.mark.parametrize(
        ("language", "name", "content", "says"),
        [
            pytest.param("ru", "scan.pdf", b"no pdf", "это не PDF", id="ru-kind"),
            pytest.param("es", "empty.md", b"", "el archivo está vacío", id="es-empty"),
            pytest.param("zh", "rows.jsonl", b"{}\nno\n", "第 2 行：该行不是有效的 JSON", id="zh-rows"),
            pytest.param("ko", "data.txt", bytes(range(32)) * 9, "텍스트 파일이 아닙니다", id="ko-binary"),
            pytest.param("id", "big.md", b"x", "20 MB", id="id-size"),
            pytest.param("ru", "big.md", b"x", "20 МБ", id="ru-size"),
        ],
    )
    async def test_reason_is_said_in_the_language_of_the_reader(
        self, d: Desk, language: str, name: str, content: bytes, says: str
    ) -> None:
        await d.services.users.set_language(OWNER, language)
        size = 21_000_000 if name == "big.md" else None
        await d.handle(d.owner.sends_file(d.office, name, content, caption="/add", size=size))
        assert says in d.office.texts[-1]

    async def test_name_is_code_from_end_to_end(self, d: Desk) -> None:
        name = "Отпуск — `правила` 🏖.md"
        await d.handle(d.owner.sends_file(d.office, name, b"# Tea\n\nAt four.\n", caption="/add"))
        await d.handle(d.owner.sends_file(d.office, "no ending", b"x", caption="/add"))
        added, refused = (_code(message) for message in d.office.answers[-2:])
        assert added == ["Отпуск — 'правила' 🏖.md"]
        assert refused[0] == "no ending"

    async def test_file_that_telegram_does_not_hand_out_is_asked_for_again(self, d: Desk) -> None:
        d.telegram.fail_next("getFile", description="Bad Request: wrong file_id", times=9)
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea", caption="/add"))
        assert d.office.texts == ["I could not download tea.md from Telegram. Please send the file again."]

    async def test_add_without_a_file_tells_how(self, d: Desk) -> None:
        text = (await d.ask("/add")).text
        assert "caption /add" in text
        assert ".docx" in text
        assert "20 MB" in text

    async def test_added_document_is_removed_after_a_yes(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        question = await d.ask("/remove Tea.md")
        assert question.text == "Remove tea.md? Answers will no longer use it."
        assert await d.documents() == {"fxstore.md", "backup.md", "tea.md"}
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == "✔ Removed tea.md."
        assert await d.documents() == {"fxstore.md", "backup.md"}

    async def test_operators_document_is_never_removed_from_a_chat(self, d: Desk) -> None:
        text = (await d.ask("/remove backup.md")).text
        assert str(d.workshop.corpus / "backup.md") in text
        assert (d.workshop.corpus / "backup.md").exists()

    async def test_added_document_beside_the_operators_of_the_same_name_is_meant_by_its_listed_name(
        self, d: Desk
    ) -> None:
        await d.handle(d.owner.sends_file(d.office, "backup.md", b"# Copy\n\nText.\n", caption="/add"))
        assert "documents/backup.md" in d.office.texts[-1]
        told = (await d.ask("/remove backup.md")).text
        assert "was not added in Telegram" in told
        assert "send /remove documents/backup.md to remove it" in told
        question = await d.ask("/remove documents/backup.md")
        assert question.text == "Remove documents/backup.md? Answers will no longer use it."
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == "✔ Removed documents/backup.md."
        assert await d.documents() == {"fxstore.md", "backup.md"}

    @pytest.mark.parametrize(
        ("argument", "says"),
        [
            pytest.param("tee.md", "Did you mean: tea.md?", id="a letter"),
            pytest.param("tea", "Did you mean: tea.md?", id="without ending"),
            pytest.param("invoice-2026.pdf", "There is no added document", id="nothing like it"),
            pytest.param("../../knowledge.sqlite3", "There is no added document", id="path"),
            pytest.param("", "Send /remove and the name", id="nothing"),
        ],
    )
    async def test_name_that_is_not_there_is_answered_with_what_may_be_meant(
        self, d: Desk, argument: str, says: str
    ) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        assert says in (await d.ask(f"/remove {argument}")).text


def _code(message: Message) -> list[str]:
    """What of a message is shown as code."""
    wide = message.text.encode("utf-16-le")
    return [
        wide[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")
        for entity in message.entities
        if entity["type"] == "code"
    ]


class TestReindexing:
    async def test_file_with_two_faults_is_one_file_with_faults(self, d: Desk) -> None:
        (d.workshop.corpus / "rows.jsonl").write_text('{"id": 1, "text": "Tea."}\nno\nno\n', "utf-8")
        text = (await d.ask("/reindex")).text
        assert "failed: 1" in text
        assert text.count("⚠ rows.jsonl: line ") == 2

    @pytest.mark.parametrize("language", LANGUAGES)
    async def test_files_that_are_skipped_are_named_with_their_reason(self, d: Desk, language: str) -> None:
        for name in ("a.png", "b.png", "c.png", "d.png", "Makefile"):
            (d.workshop.corpus / name).write_text("x", "utf-8")
        await d.services.users.set_language(d.owner.id, language)
        text = (await d.ask("/reindex")).text
        pictures, other = text.splitlines()[-2:]
        assert "a.png, b.png, c.png, …" in pictures
        assert TEXTS.reason(Reason("skipped-kind", {"ending": ".png"}), language) in pictures
        assert "4" in pictures
        assert "Makefile" in other
        assert TEXTS.reason(Reason("no-ending"), language) in other

    async def test_added_document_is_reported_with_the_files_that_are_skipped(self, d: Desk) -> None:
        (d.workshop.corpus / "a.png").write_text("x", "utf-8")
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        assert d.office.texts[-1].splitlines() == [
            "✔ Added tea.md. Passages: 1",
            "Not read: a.png (1) – files of the type .png cannot be read",
        ]

    async def test_one_message_says_what_changed_and_what_failed(self, d: Desk) -> None:
        d.workshop.write(tea="# Tea\n\nAt four.\n", backup="# Backup\n\nAt noon.\n")
        (d.workshop.corpus / "fxstore.md").unlink()
        (d.workshop.corpus / "scan.pdf").write_text("no pdf", "utf-8")
        message = await d.ask("/reindex")
        assert len(d.office.answers) == 1
        assert message.text.startswith("✔ Documents: 2, passages: 2, in ")
        assert "new: 1 · changed: 1 · removed: 1 · failed: 1" in message.text
        assert "⚠ scan.pdf: " in message.text

    async def test_progress_is_shown_in_the_same_message(
        self, d: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        d.workshop.write(tea="# Tea\n\nAt four.\n")
        shown = asyncio.Event()
        embed = d.workshop.embedder.embed_passages
        loop = asyncio.get_running_loop()

        def slow(texts: Any) -> Any:
            asyncio.run_coroutine_threadsafe(shown.wait(), loop).result(10)
            return embed(texts)

        monkeypatch.setattr(d.workshop.embedder, "embed_passages", slow)
        task = asyncio.create_task(d.ask("/reindex"))
        await d.telegram.until(lambda: any("reading ▓" in edit for edit in _edits(d.office)))
        shown.set()
        message = await task
        assert message.edits[0].startswith("⏳ Reading the documents.")
        assert message.text.startswith("✔")

    async def test_questions_go_on_and_a_second_run_is_refused(
        self, d: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        d.workshop.write(tea="# Tea\n\nAt four.\n")
        go_on = asyncio.Event()
        embed = d.workshop.embedder.embed_passages
        loop = asyncio.get_running_loop()

        def slow(texts: Any) -> Any:
            if any("Tea" in text for text in texts):
                asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(10)
            return embed(texts)

        base = await asyncio.to_thread(d.workshop.open)
        monkeypatch.setattr(d.workshop.embedder, "embed_passages", slow)
        task = asyncio.create_task(d.ask("/reindex"))
        await d.telegram.until(lambda: d.services.library.indexing is not None)
        found = await base.search(["Java"])
        refused = await d.ask("/reindex")
        go_on.set()
        await task
        base.close()
        assert {hit.passage.document for hit in found.hits} == {"FxStore", "Backup"}
        assert "Olga started it at " in refused.text

    async def test_run_of_another_process_is_told(self, d: Desk) -> None:
        with FileLock(d.workshop.data / "knowledge.lock"):
            message = await d.ask("/reindex")
        assert (
            message.text == "Another program is reading the documents. Please try again when it has finished."
        )

    async def test_rebuild_reads_everything_after_a_yes(self, d: Desk) -> None:
        before = (await d.services.library.measure_size()).generation
        question = await d.ask("/reindex rebuild")
        assert (await d.services.library.measure_size()).generation == before
        await d.presses(d.owner, question, "Yes")
        assert "new: 0 · changed: 0 · removed: 0" in d.office.answers[-1].text
        assert (await d.services.library.measure_size()).generation == before + 1

    async def test_corpus_that_is_gone_is_said_and_the_old_one_answers(self, d: Desk) -> None:
        d.workshop.corpus.rename(d.workshop.corpus.with_name("moved"))
        assert "does not exist" in (await d.ask("/reindex")).text
        assert await d.documents() == {"fxstore.md", "backup.md"}

    async def test_wrong_word_tells_how(self, d: Desk) -> None:
        assert "/reindex rebuild" in (await d.ask("/reindex everything")).text


def _edits(chat: Chat) -> list[str]:
    return [edit for message in chat.answers for edit in message.edits]


class TestFigures:
    async def test_periods_are_shown_as_table_and_picture_in_their_places(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Which Java?", "verified", 1)
        await answered(public, ann, chat, "Which port?", "not_in_documents", 2)
        await public.services.answers.feedback(f"{ann.id}/1", useful=True)
        await public.ask("/stats")
        (message,) = [answer for answer in public.office.answers if answer.buttons]
        text = " ".join(message.text.split())
        assert "7 days (UTC)" in text
        for row in ("questions 2", "people 1", "verified 1 (50%)", "used documents 1 (50%)", "👍 / 👎 1 / 0"):
            assert row in text, row
        assert "model calls 4" in text
        assert "tokens in + out 600 + 80" in text
        assert "half within 2 s" in text
        assert "judge calls saved 2 – evidence 2" in text
        (first,) = [answer for answer in public.office.answers if "photo" in answer.attachment]
        await public.presses(public.owner, message, "30 days")
        (second,) = [answer for answer in public.office.answers if "photo" in answer.attachment]
        assert second.message_id != first.message_id
        changed = public.office.message(message.message_id)
        assert changed is not None
        assert changed.button("✓ 30 days").data
        assert "30 days (UTC)" in changed.text

    async def test_money_shares_and_sizes_are_written_as_the_language_does(self, d: Desk) -> None:
        await answered(d, d.owner, d.office, "Which Java?")
        await d.services.users.set_language(OWNER, "ru")
        await d.ask("/stats")
        table = " ".join(next(one.text for one in d.office.answers if one.buttons).split())
        assert "проверено 1 (100 %)" in table
        assert "стоимость 0,50 USD" in table
        assert " Б · " in (await d.ask("/documents")).text

    async def test_period_that_there_is_not_tells_how(self, d: Desk) -> None:
        assert (await d.ask("/stats week")).text.startswith("/stats shows the last 7 days")

    async def test_answers_that_nobody_could_check_do_not_count_as_answered(self, d: Desk) -> None:
        await answered(d, d.owner, d.office, "Which Java?", "unverified")
        text = (await d.ask("/unanswered")).text
        assert "Answers that could not be checked are not listed here" in text

    async def test_nothing_asked_is_said_without_a_picture(self, d: Desk) -> None:
        message = await d.ask("/stats 1")
        assert "No questions were asked." in message.text
        assert len(d.office.answers) == 1

    async def test_unanswered_questions_are_grouped_with_the_most_frequent_first(self, public: Desk) -> None:
        ann, chat = public.person()
        asked = ["Where is the canteen?", "Who is the boss?", "where is the canteen", "Which Java?"]
        for number, question in enumerate(asked):
            label: Label = "verified" if "Java" in question else "not_in_documents"
            await answered(public, ann, chat, question, label, number)
        lines = (await public.ask("/unanswered")).text.splitlines()
        assert lines[1].startswith("2× ")
        assert "canteen" in lines[1]
        assert lines[2].startswith("1× Who is the boss?")
        assert len(lines) == 3

    async def test_words_of_other_chats_are_not_shown_in_a_group(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "My secret question", "not_in_documents")
        team = public.telegram.group("Team", [public.owner, ann])
        message = await public.says(public.owner, team, "/unanswered")
        assert message.text == "Please send /unanswered in a private chat with me."


class TestPeople:
    async def test_person_is_let_in_and_shut_out_by_id(self, d: Desk) -> None:
        ann, chat = d.person()
        assert str(ann.id) in (await d.says(ann, chat, "/help")).text
        assert (await d.ask(f"/allow {ann.id}")).text == f"Access granted to {ann.id}."
        assert "Commands:" in (await d.says(ann, chat, "/help")).text
        work = await waiting(d, ann, chat)
        text = (await d.ask(f"/deny {ann.id}")).text
        assert text == f"Access removed for {ann.id}.\nStopped."
        assert d.jobs.cancelled == [work]
        assert "⏹ Stopped." in chat.texts
        assert "blocked your access" in (await d.says(ann, chat, "/help")).text

    async def test_person_is_meant_by_a_reply_and_a_group_by_nothing(self, d: Desk) -> None:
        ann, private = d.person()
        team = d.telegram.group("Team", [ann, d.owner])
        said = ann.says(team, "hello")
        assert (await d.says(d.owner, team, "/allow", reply_to=said)).text == f"Access granted to {ann.id}."
        assert "Commands:" in (await d.says(ann, private, "/help")).text
        assert (await d.says(d.owner, team, "/allow")).text == f"Access granted to the group {team.id}."
        work = await waiting(d, ann, team, "@thinktwice_bot which Java?")
        assert "Access removed for the group" in (await d.says(d.owner, team, "/deny")).text
        assert d.jobs.cancelled == [work]

    async def test_reply_to_nobody_in_particular_closes_no_group(self, d: Desk) -> None:
        team = d.telegram.group("Team", [d.owner])
        await d.says(d.owner, team, "/allow")
        anonymous = d.telegram.anonymous_admin(team).says(team, "hello")
        assert "Send /deny and an id" in (await d.says(d.owner, team, "/deny", reply_to=anonymous)).text
        assert (await d.services.chats.get(team.id)).access == "allowed"

    @pytest.mark.parametrize("argument", ["", "Ann", "12a", "0", "99999999999999999", "１２", "-", "1 2"])
    async def test_what_is_no_id_tells_how(self, d: Desk, argument: str) -> None:
        assert "Send /allow and an id" in (await d.ask(f"/allow {argument}")).text

    async def test_owner_makes_and_unmakes_admins_after_a_yes(self, d: Desk) -> None:
        bob, chat = d.person("Bob")
        question = await d.ask(f"/admins add {bob.id}")
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == f"{bob.id} is now an administrator."
        assert d.around.menus == [bob.id]
        await d.says(bob, chat, "/help")
        listed = await d.ask("/admins")
        assert f"· Bob ({bob.id}), administrator" in listed.text
        assert f"({OWNER}), owner" in listed.text
        await d.says(bob, chat, f"/admins remove {OWNER}")
        assert chat.answers[-1].text == "Only the owner of this bot can do that."
        await d.presses(d.owner, await d.ask(f"/admins remove {bob.id}"), "Yes")
        assert (await d.services.users.get(bob.id)).role is None
        assert d.around.menus == [bob.id, bob.id]

    async def test_admin_who_is_denied_loses_the_menu_with_the_role(self, d: Desk) -> None:
        bob, _ = d.person("Bob")
        await d.presses(d.owner, await d.ask(f"/admins add {bob.id}"), "Yes")
        await d.ask(f"/deny {bob.id}")
        await d.ask("/deny 4242")
        assert d.around.menus == [bob.id, bob.id]

    async def test_who_is_what_they_are_to_become_is_told_so_without_a_question(self, d: Desk) -> None:
        message = await d.ask("/admins remove 999")
        assert (message.text, message.buttons) == ("999 is not an administrator. /admins lists them.", ())
        assert (await d.ask(f"/admins add {OWNER}")).text == f"{OWNER} is already an administrator."

    async def test_id_that_nothing_ever_came_from_is_decided_on_with_a_warning(self, d: Desk) -> None:
        warned = "I have never received anything from this id, so check that it is correct."
        assert (await d.ask("/allow -1")).text == f"Access granted to the group -1.\n{warned}"
        assert (await d.ask("/deny 4242")).text == f"Access removed for 4242.\n{warned}"

    async def test_owner_cannot_unmake_themselves(self, d: Desk) -> None:
        await d.presses(d.owner, await d.ask(f"/admins remove {OWNER}"), "Yes")
        assert d.office.answers[-1].text == "You cannot do that to yourself."

    async def test_right_code_makes_the_owner_once(self, opened: Opened) -> None:
        async with opened(admins=()) as d:
            ann, chat = d.person()
            bob, other = d.person("Bob")
            assert (await d.says(ann, chat, "/claim")).text.startswith("Send /claim and the code")
            assert (await d.says(ann, chat, "/claim WRONG")).text.startswith(
                "Wrong code. The current code is in the log"
            )
            assert "You are now the owner" in (await d.says(ann, chat, f"/claim {d.claim.code}")).text
            assert d.around.menus == [ann.id]
            for said in ("/claim WRONG", f"/claim {d.claim.code}"):
                assert (await d.says(ann, chat, said)).text.startswith("You already own this bot")
            assert (
                await d.says(bob, other, f"/claim {d.claim.code}")
            ).text == "This bot already has an owner."
            assert "For administrators" in (await d.says(ann, chat, "/help")).text


class TestHealth:
    async def test_everything_is_fine(self, d: Desk) -> None:
        text = (await d.ask("/health")).text
        assert "✖" not in text
        assert "✔ documents: 2 documents, 2 passages, version 1" in text
        assert "✔ models: openai:test" in text
        assert "✔ waiting at Telegram: 0" in text

    async def test_corpus_that_is_gone_is_a_fault(self, d: Desk) -> None:
        d.workshop.corpus.rename(d.workshop.corpus.with_name("moved"))
        text = (await d.ask("/health")).text
        assert f"the corpus path {d.workshop.corpus} does not exist" in text
        assert "✔ documents" not in text

    async def test_fault_of_a_model_is_told_in_the_language_of_the_reader(self, d: Desk) -> None:
        away = Reason("model-missing")
        d.around.models = (ModelStatus("writer", "embedded", "", False, away),)
        d.jobs.trouble = Reason("not-recorded", {"reason": Reason("database-full")})
        await d.services.users.set_language(OWNER, "ru")
        message = await d.ask("/health")
        assert "ничего нельзя записать: база данных или диск переполнены" in message.text
        assert (
            "✖ модели: embedded: встроенной модели ещё нет: получите её командой thinktwice models pull"
            in message.text
        )
        assert _code(message) == ["embedded", "thinktwice models pull"]

    async def test_each_fault_is_named_where_it_is(self, d: Desk) -> None:
        d.jobs.trouble = Reason("not-recorded", {"reason": as_written("disk full")})
        d.jobs.letters = (
            DeadLetter("1", "update", "", as_written("it crashed"), datetime(2026, 5, 1, 12, tzinfo=UTC)),
        )
        d.around.models = (ModelStatus("writer", "openai:test", "", False, as_written("refused")),)
        (d.workshop.corpus / "scan.pdf").write_text("no pdf", "utf-8")
        await d.ask("/reindex")
        text = (await d.ask("/health")).text
        assert "✖ work in progress: nothing can be recorded: disk full" in text
        assert "✖ failed work: 1 (2026-05-01 12:00 UTC: it crashed)" in text
        assert "✖ models: openai:test: refused" in text
        assert "✖ documents: " in text
        assert "✔ database" in text


_WITH_RIGHTS = ("owner", "admin")


class TestRights:
    """Who gets what out of each administrators' command. Rights come from ids."""

    async def sent(self, d: Desk, who: str, text: str) -> tuple[Sent, Chat]:
        team = d.telegram.group("Team", [d.owner])
        await d.services.chats.set_access(team.id, "allowed")
        match who:
            case "owner":
                return d.owner.says(d.office, text), d.office
            case "admin":
                bob, chat = d.person("Bob")
                await d.services.users.set_role(bob.id, "admin")
                return bob.says(chat, text), chat
            case "member":
                ann, chat = d.person()
                await d.services.users.set_access(ann.id, "allowed")
                return ann.says(chat, text), chat
            case "member of a group":
                ann, _ = d.person()
                return ann.says(team, text), team
            case "somebody called Admin":
                eve, chat = d.person("Admin", username="admin", last_name="Olga")
                return eve.says(chat, text), chat
            case "forwarded":
                said = d.owner.says(team, text)
                assert said.message is not None
                return d.owner.forwards(said.message, d.office), d.office
            case "another bot":
                name, _, rest = text.partition(" ")
                return d.owner.says(team, f"{name}@another_bot {rest}"), team
            case "anonymous admin":
                return d.telegram.anonymous_admin(team).says(team, text), team
            case "channel":
                channel = d.telegram.channel("News")
                return d.telegram.channel_identity(channel).says(team, text), team
            case "edited":
                return d.owner.edits(d.owner.says(d.office, "hello"), text), d.office
        raise AssertionError(who)

    @pytest.mark.parametrize("command", [known.name for known in COMMANDS if known.audience == "admins"])
    async def test_nobody_without_rights_gets_anything_out_of_an_admins_command(
        self, opened: Opened, command: str
    ) -> None:
        refusals = {
            "member": "Only administrators of this bot can do that.",
            "member of a group": "Only administrators of this bot can do that.",
            "somebody called Admin": "You do not have access to this bot yet.",
            "anonymous admin": "I cannot tell who you are",
            "forwarded": None,
            "another bot": None,
            "channel": None,
            "edited": None,
        }
        async with opened() as d:
            text = f"/{command} 42" if command in {"allow", "deny", "remove"} else f"/{command}"
            for who, refusal in refusals.items():
                sent, chat = await self.sent(d, who, text)
                before = len(chat.answers)
                await d.handle(sent)
                said = chat.texts[before:]
                if refusal is None:
                    assert said == [], who
                else:
                    assert len(said) == 1, who
                    assert said[0].startswith(refusal), who
            assert (await d.services.users.get(42)).access is None
            for who in _WITH_RIGHTS:
                sent, chat = await self.sent(d, who, text)
                await d.handle(sent)
                assert not any(
                    refusal and chat.texts[-1].startswith(refusal) for refusal in refusals.values()
                ), who

    async def test_every_refused_command_of_an_administrator_gets_an_answer_with_a_file_or_not(
        self, d: Desk
    ) -> None:
        ann, chat = d.person()
        await d.services.users.set_access(ann.id, "allowed")
        await d.says(ann, chat, "/reindex")
        await d.handle(ann.sends_file(chat, "tea.md", b"# Tea", caption="/add"))
        await d.says(ann, chat, "/reindex")
        assert chat.texts == ["Only administrators of this bot can do that."] * 3

    async def test_refused_commands_are_answered_only_as_often_as_commands_may_be_sent(
        self, opened: Opened
    ) -> None:
        async with opened(limits={"user_commands_per_minute": 2}) as d:
            ann, chat = d.person()
            await d.services.users.set_access(ann.id, "allowed")
            for _ in range(9):
                await d.handle(ann.says(chat, "/reindex"))
            assert len(chat.texts) == 3, chat.texts

    @pytest.mark.parametrize("command", ["remove tea.md", "reindex rebuild", "deny 42", "allow 42", "add"])
    async def test_anonymous_admin_destroys_nothing_even_where_they_may_command(
        self, opened: Opened, command: str
    ) -> None:
        async with opened(access={"mode": "private", "anonymous_admins": True}) as d:
            file = d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add")
            await d.handle(file)
            team = d.telegram.group("Team", [d.owner])
            await d.services.chats.set_access(team.id, "allowed")
            anonymous = d.telegram.anonymous_admin(team)
            await d.handle(
                anonymous.sends_file(team, "tea.md", b"# New\n\nAt five.\n", caption=f"/{command}")
            )
            assert "posting anonymously" in team.texts[-1]
            assert b"four" in (d.workshop.data / "documents" / "tea.md").read_bytes()
            assert (await d.services.users.get(42)).access is None

    async def test_buttons_of_admins_do_nothing_for_others(self, d: Desk) -> None:
        ann = d.telegram.user("Ann", language_code="en")
        team = d.telegram.group("Team", [ann, d.owner])
        await d.says(d.owner, team, "/allow")
        for text, data in (("/documents", "documents:1"), ("/stats", "stats:30:0")):
            message = await d.says(d.owner, team, text)
            before = message.text
            assert await d.presses(ann, message, data=data) == "Only administrators of this bot can do that."
            assert message.text == before


async def _prepared(d: Desk, command: str) -> Sent:
    """The press, or the command, that carries something destructive out."""
    if command == "add":
        return d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add")
    if command == "reindex":
        d.workshop.write(tea="# Tea\n\nAt four.\n")
        return d.owner.says(d.office, "/reindex")
    if command in {"replace", "remove"}:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
    if command == "replace":
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt five.\n", caption="/add"))
    elif command == "erase":
        await answered(d, d.owner, d.office, "Which Java?")
        await d.presses(d.owner, await d.ask("/privacy"), "Delete")
    else:
        await d.ask(
            {"remove": "/remove tea.md", "rebuild": "/reindex rebuild", "appoint": "/admins add 42"}[command]
        )
    return d.owner.presses(d.office.answers[-1], "Yes")


_ENDS = {
    "add": "✔ Added tea.md. Passages: 1",
    "replace": "✔ Replaced tea.md. Passages: 1",
    "remove": "✔ Removed tea.md.",
    "reindex": "✔ Documents: 3, passages: 3",
    "rebuild": "✔ Documents: 2, passages: 2",
    "erase": "Deleted: messages (2), questions (1)",
    "appoint": "42 is now an administrator.",
}


class TestKills:
    @pytest.mark.parametrize("has_recorded", [False, True], ids=["effect", "recorded"])
    @pytest.mark.parametrize("command", list(_ENDS))
    async def test_command_is_carried_out_once_wherever_the_process_is_killed(
        self, opened: Opened, tmp_path: Path, command: str, has_recorded: bool
    ) -> None:
        async with opened() as d:
            whole = Recording()
            await d.handle(await _prepared(d, command), whole)
            steps = list(whole.order)
        assert len(steps) > 3
        for kill_at in range(1, len(steps) + 1):
            _wipe(tmp_path)
            async with opened() as d:
                sent = await _prepared(d, command)
                before = len(d.office.answers)
                recording = Recording(kill_at, has_recorded)
                with pytest.raises(KilledError):
                    await d.handle(sent, recording)
                recording.restart()
                await d.handle(sent, recording)
                texts = d.office.texts
                assert [text.startswith(_ENDS[command]) for text in texts].count(True) == 1, steps[
                    kill_at - 1
                ]
                extra = len(texts) - before - (command in {"add", "reindex"})
                assert extra <= 1, "at most one placeholder is doubled"
                await self.effect(d, command, texts)

    async def effect(self, d: Desk, command: str, texts: list[str]) -> None:
        documents = await d.documents()
        if command in {"add", "replace", "reindex"}:
            assert documents == {"fxstore.md", "backup.md", "tea.md"}
        else:
            assert documents == {"fxstore.md", "backup.md"}
        if command == "replace":
            assert b"five" in (d.workshop.data / "documents" / "tea.md").read_bytes()
        if command == "reindex":
            assert any("new: 1 · changed: 0 · removed: 0" in text for text in texts), texts
        if command == "rebuild":
            assert any("new: 0 · changed: 0 · removed: 0" in text for text in texts), texts
        if command == "appoint":
            assert (await d.services.users.get(42)).role == "admin"
        if command == "erase":
            assert (await d.services.privacy.export(OWNER))["messages"] == []

    @pytest.mark.parametrize("has_recorded", [False, True], ids=["effect", "recorded"])
    @pytest.mark.parametrize(
        "text",
        [
            "/start", "/help", "/ask", "/reset", "/mode quick", "/language ru", "/privacy", "/documents",
            "/stats 30", "/unanswered", "/health", "/allow 42", "/deny 42", "/admins", "/claim wrong",
            "/remove fxstore.md", "/add", "/dance",
        ],
    )  # fmt: skip
    async def test_reply_is_given_once_wherever_the_process_is_killed(
        self, d: Desk, text: str, has_recorded: bool
    ) -> None:
        await answered(d, d.owner, d.office, "Which Java?", "not_in_documents")
        whole = Recording()
        await d.handle(d.owner.says(d.office, text), whole)
        written = [answer for answer in d.office.answers if "photo" not in answer.attachment]
        said = written[-1].text.splitlines()[0]
        for kill_at in range(1, len(whole.order) + 1):
            before = len(d.office.texts)
            sent, recording = d.owner.says(d.office, text), Recording(kill_at, has_recorded)
            with pytest.raises(KilledError):
                await d.handle(sent, recording)
            recording.restart()
            await d.handle(sent, recording)
            texts = d.office.texts[before:]
            assert sum(told.startswith(said) for told in texts) == 1, whole.order[kill_at - 1]
            pictures = sum("photo" in answer.attachment for answer in d.office.answers[-len(texts) :])
            assert pictures <= 1
            assert len(texts) <= 2 + pictures, texts


def _wipe(folder: Path) -> None:
    import shutil

    for name in ("data", "corpus"):
        shutil.rmtree(folder / name, ignore_errors=True)


class TestDocumentSets:
    async def test_set_is_made_used_listed_reset_and_dropped(self, d: Desk) -> None:
        assert "no document sets" in (await d.ask("/sets")).text
        made = (await d.ask('/sets make Java fx* "other folder/"')).text
        assert "java: fx*, other folder/ (files: 1)" in made
        assert (await d.ask("/sets use java")).text == "This chat is answered from the set java only."
        sets = d.services.document_sets
        assert await sets.of_chat(d.office.id) == DocumentSet(
            ("fx*", "other folder/", "answers by admins/java")
        )
        listed = (await d.ask("/sets")).text
        assert "Document sets: 1" in listed
        assert "This chat is answered from the set java only." in listed
        assert "still uses the set java" in (await d.ask("/sets drop java")).text
        assert (await d.ask("/sets reset")).text == "This chat is answered from all documents."
        assert await sets.of_chat(d.office.id) is None
        assert "is deleted" in (await d.ask("/sets drop java")).text
        assert await sets.all() == {}

    async def test_set_of_another_chat_is_chosen_by_its_id_and_seen_in_private_only(self, d: Desk) -> None:
        team = d.telegram.group("Team", [d.owner])
        await d.says(d.owner, team, "/health")
        await d.ask("/sets make hr hr/")
        assert f"{team.id} is answered from hr only." in (await d.ask(f"/sets use hr {team.id}")).text
        assert f"{team.id}" in (await d.ask("/sets")).text
        other = d.telegram.group("Other", [d.owner])
        assert f"{team.id}" not in (await d.says(d.owner, other, "/sets")).text
        assert await d.services.document_sets.of_chat(team.id) == DocumentSet(("hr/", "answers by admins/hr"))

    @pytest.mark.parametrize(
        "argument",
        [
            "make",
            "make x",
            "make x /",
            "make a/b c",
            "use",
            "use x y",
            "reset here",
            "drop",
            "nonsense",
            'make "x',
        ],
    )
    async def test_anything_else_tells_how(self, d: Desk, argument: str) -> None:
        assert "/sets make NAME" in (await d.ask(f"/sets {argument}")).text
        assert await d.services.document_sets.all() == {}

    async def test_unknown_set_is_not_used(self, d: Desk) -> None:
        assert "no set nowhere" in (await d.ask("/sets use nowhere")).text
        assert await d.services.document_sets.of_chat(d.office.id) is None

    async def test_nobody_but_administrators_chooses_documents(self, public: Desk) -> None:
        ann, chat = public.person()
        await public.says(ann, chat, "/sets make x *")
        assert await public.services.document_sets.all() == {}


class TestPages:
    @pytest.fixture
    def site(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
        monkeypatch.setattr(fetching, "is_public", only_this_site)
        with Site(fxstore=SitePage(b"<h1>Tea</h1><p>Tea is at four.</p>")) as opened:
            yield opened

    async def test_page_is_added_by_its_address(self, d: Desk, site: Site) -> None:
        text = (await d.ask(f"/add {site.url}/fxstore")).text
        assert text.startswith("✔ Added 127.0.0.1-fxstore-")
        assert text.endswith(".html. Passages: 1")
        assert "added in Telegram" in (await d.ask("/documents")).text

    async def test_page_that_changed_is_read_again_by_reindex(self, d: Desk, site: Site) -> None:
        await d.ask(f"/add {site.url}/fxstore")
        site.pages["/fxstore"] = SitePage(b"<h1>Tea</h1><p>Tea is at five.</p>")
        assert "changed: 1" in (await d.ask("/reindex")).text
        site.pages["/fxstore"] = SitePage(status=404)
        text = (await d.ask("/reindex")).text
        assert "failed: 1" in text
        assert "answered with status 404" in text

    @pytest.mark.parametrize(
        "argument", ["http://10.0.0.1/", "file:///etc/passwd", "wiki", "http://127.0.0.2/"]
    )
    async def test_other_places_are_refused_in_a_sentence(self, d: Desk, site: Site, argument: str) -> None:
        text = (await d.ask(f"/add {argument}")).text
        assert "could not be read, so it was not added" in text
        assert site.asked == []
