"""What is chosen for a chat or a person: mode, model and language, and forgetting the conversation."""

from __future__ import annotations

import pytest

from bot.telegram.ids import to_peer
from tests.support.commanding import Desk, Opened, answered


class TestChoices:
    async def test_mode_is_chosen_for_the_chat_by_button(self, public: Desk) -> None:
        ann, chat = public.person()
        message = await public.says(ann, chat, "/mode")
        assert [button.text for button in message.buttons[0]] == ["quick", "✓ balanced", "careful"]
        assert await public.presses(ann, message, "careful") == "Mode: careful"
        assert (await public.services.parts.chats.get(to_peer(chat.id))).mode == "careful"
        (changed,) = chat.answers
        assert changed.button("✓ careful").data == "mode:careful"
        assert "● careful:" in changed.text

    async def test_mode_is_chosen_by_word(self, public: Desk) -> None:
        ann, chat = public.person()
        await public.says(ann, chat, "/mode Quick")
        assert (await public.services.parts.chats.get(to_peer(chat.id))).mode == "quick"

    async def test_mode_is_chosen_by_its_name_in_a_language(self, public: Desk) -> None:
        ann, chat = public.person(language_code="ru")
        message = await public.says(ann, chat, "/mode Быстро")
        assert (await public.services.parts.chats.get(to_peer(chat.id))).mode == "quick"
        for name in ("быстро", "взвешенно", "тщательно"):
            assert f" {name} (" in message.text

    async def test_documents_only_is_switched_for_the_chat_in_its_settings(self, public: Desk) -> None:
        ann, chat = public.person()
        message = await public.says(ann, chat, "/settings")
        assert "/mode · balanced:" in message.text
        assert "General knowledge may answer too" in message.text
        assert "from the documents only" in await public.presses(ann, message, "documents only")
        assert (await public.services.parts.chats.get(to_peer(chat.id))).documents_only is True
        (changed,) = chat.answers
        assert "Answers come from the documents only" in changed.text
        await public.presses(ann, changed, "✓ documents only")
        assert (await public.services.parts.chats.get(to_peer(chat.id))).documents_only is False

    async def test_settings_of_a_group_are_changed_by_administrators_only(self, opened: Opened) -> None:
        only = {"documents_only": True}
        async with opened(self_correction=only, access={"mode": "open"}) as d:
            ann = d.telegram.user("Ann", language_code="en")
            team = d.telegram.group("Team", [d.owner, ann])
            shown = await d.says(ann, team, "/settings")
            assert "Answers come from the documents only" in shown.text
            assert "only administrators of this bot can change the settings" in shown.text
            assert not shown.buttons
            offered = await d.says(d.owner, team, "/settings")
            assert "only administrators" in await d.presses(ann, offered, "✓ documents only")
            assert (await d.services.parts.chats.get(to_peer(team.id))).documents_only is None
            await d.presses(d.owner, offered, "✓ documents only")
            assert (await d.services.parts.chats.get(to_peer(team.id))).documents_only is False

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
            assert (await d.services.parts.chats.get(to_peer(d.office.id))).model == long
            assert f"● {long}" in d.office.answers[-1].text
            assert "● ollama:small" in (await d.ask("/model ollama:small")).text
            unknown = await d.ask("/model gpt")
            assert "There is no model gpt to choose. Choose one of these:" in unknown.text
            assert "● ollama:small" in unknown.text
            assert "● as the settings say" in (await d.ask("/model default")).text
            assert (await d.services.parts.chats.get(to_peer(d.office.id))).model == ""

    async def test_model_of_a_group_is_chosen_by_administrators_only(self, opened: Opened) -> None:
        async with opened(models={"choices": ("ollama:small",)}, access={"mode": "open"}) as d:
            ann = d.telegram.user("Ann", language_code="en")
            team = d.telegram.group("Team", [d.owner, ann])
            shown = await d.says(ann, team, "/model ollama:small")
            assert "only administrators of this bot can choose the model" in shown.text
            assert not shown.buttons
            assert (await d.services.parts.chats.get(to_peer(team.id))).model == ""
            chosen = await d.says(d.owner, team, "/model ollama:small")
            assert "● ollama:small" in chosen.text
            assert "only administrators" in await d.presses(ann, chosen, "as the settings say (embedded)")
            assert (await d.services.parts.chats.get(to_peer(team.id))).model == "ollama:small"

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
        assert (await public.services.parts.chats.get(to_peer(team.id))).mode is None
        await public.presses(public.owner, offered, "careful")
        assert (await public.services.parts.chats.get(to_peer(team.id))).mode == "careful"

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
        assert (await public.services.parts.users.get(to_peer(ann.id))).language is None

    async def test_language_pressed_in_a_group_is_of_the_presser_alone(self, public: Desk) -> None:
        ann, bob = (public.telegram.user(name, language_code="en") for name in ("Ann", "Bob"))
        team = public.telegram.group("Team", [ann, bob])
        message = await public.says(ann, team, "/language")
        assert "español" in await public.presses(bob, message, "Español")
        assert team.answers[-1].text == message.text
        assert (await public.services.parts.users.get(to_peer(bob.id))).language == "es"
        assert (await public.services.parts.users.get(to_peer(ann.id))).language is None

    async def test_reset_forgets_the_conversation(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Which Java?")
        assert (await public.says(ann, chat, "/reset")).text == "Forgotten. What would you like to know?"
        assert await public.services.parts.memory.recall(f"telegram:{chat.id}:0") == ((), "")

    async def test_reset_in_a_group_is_for_administrators_who_confirm_it_themselves(
        self, public: Desk
    ) -> None:
        d = public
        people = [d.telegram.user(name, language_code="en") for name in ("Ann", "Bob", "Cid")]
        ann, bob, cid = people
        team = d.telegram.group("Team", [*people, d.owner], admins=[bob, cid])
        await answered(d, ann, team, "Which Java?")

        async def is_kept() -> bool:
            return await d.services.parts.memory.recall(f"telegram:{team.id}:0") != ((), "")

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
