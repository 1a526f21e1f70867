"""Answers are rated by their buttons, and presses that may not count change nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.service.people import Ask, AskId, Refusal
from bot.storage.asks import Asks
from bot.telegram.ids import to_peer
from tests.support.channel import Channel, open_channel
from tests.support.recorded_steps import KilledError, Recording
from tests.support.rooms import Model, Room
from tests.telegram.server import FakeTelegram


class TestRating:
    async def test_asker_rates_changes_and_takes_back(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), message.message_id)
        assert ask is not None
        assert ask.answered_id is not None

        assert await room.press(room.ann, message, "Useful") == ("Thank you! Rated as useful.", False)
        assert message.button("useful:1").text == "✓ 👍 Useful"
        assert await c.stores.answers.rating(ask.answered_id) == "useful"
        await room.press(room.ann, message, "Wrong")
        assert (message.button("useful:1").text, message.button("wrong:1").text) == (
            "👍 Useful",
            "✓ 👎 Wrong",
        )
        assert await c.stores.answers.rating(ask.answered_id) == "wrong"
        assert await room.press(room.ann, message, "Wrong") == ("Rating removed.", False)
        assert await c.stores.answers.rating(ask.answered_id) is None
        assert message.text.startswith("FxStore needs Java 17"), "only the buttons change"

    async def test_press_before_the_answer_is_recorded_counts(
        self, c: Channel, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bot.telegram.buttons.answers._RECORDED_WITHIN_SECONDS", 60.0)
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), message.message_id)
        assert ask is not None
        assert ask.answered_id is not None
        await c.stores.asks.set_state(ask.id, "running")
        looked = asyncio.Event()
        real = Asks.get

        async def get(asks: Asks, ask_id: AskId) -> Ask | None:
            found = await real(asks, ask_id)
            looked.set()
            return found

        monkeypatch.setattr(Asks, "get", get)
        pressing = asyncio.create_task(room.press(room.ann, message, "Useful"))
        await looked.wait()
        await c.stores.asks.set_answered(ask.id, ask.answered_id)
        assert await pressing == ("Thank you! Rated as useful.", False)
        assert await c.stores.answers.rating(ask.answered_id) == "useful"

    async def test_button_of_an_answer_whose_question_was_asked_again_says_so(
        self, c: Channel, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bot.telegram.buttons.answers._RECORDED_WITHIN_SECONDS", 0.1)
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), message.message_id)
        assert ask is not None
        await c.stores.asks.set_state(ask.id, "running")
        said, _ = await room.press(room.ann, message, "Useful")
        assert said == "This question is still being answered."

    async def test_somebody_else_gets_a_polite_alert(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        said = await room.press(room.bob, message, "Wrong")
        assert said == ("Only the person who asked can rate this answer.", True)
        assert message.button("wrong:1").text == "👎 Wrong"

    async def test_answer_to_an_anonymous_administrator_is_rated_by_the_administrators(
        self, c: Channel
    ) -> None:
        room = Room(c)
        boss = c.telegram.user("Boss", language_code="en")
        room.chat = c.telegram.group("Team", [room.ann, boss], admins=[boss])
        message = await room.ask(c.telegram.anonymous_admin(room.chat))
        told, _ = await room.press(room.ann, message, "Useful")
        assert told == "Only the person who asked can rate this answer."
        c.telegram.fail_next("getChatAdministrators", status=500)
        told, _ = await room.press(boss, message, "Useful")
        assert told.startswith("I could not find out who administers this group.")
        told, _ = await room.press(boss, message, "Useful")
        assert told == "Thank you! Rated as useful."

    async def test_press_that_is_worked_on_again_after_a_kill_is_not_taken_back(
        self, c: Channel, room: Room
    ) -> None:
        message = await room.ask()
        pressed = room.ann.presses(message, "Useful")
        for kill_at in (1, 2, 3, 4):
            recording = Recording(kill_at)
            with pytest.raises(KilledError):
                await c.handle(pressed, recording)
            recording.restart()
            await c.handle(pressed, recording)
            assert message.button("useful:1").text == "✓ 👍 Useful"
            await c.stores.answers.feedback("tg:1:100000001", None)

    async def test_button_works_after_a_restart(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
    ) -> None:
        async with FakeTelegram() as telegram:
            async with open_channel(tmp_path, model, monkeypatch, telegram=telegram) as first:
                before = Room(first)
                message = await before.ask()
            async with open_channel(tmp_path, model, monkeypatch, telegram=telegram) as second:
                before.c = second
                assert (await before.press(before.ann, message, "Useful"))[0] == "Thank you! Rated as useful."
                await second.handle(before.bob.presses(message, "Why"))
                assert "agrees with the documents" in before.bobs.texts[-1]


class TestBadPresses:
    @pytest.mark.parametrize(
        "payload",
        [
            pytest.param("useful:99", id="an answer that nobody knows"),
            pytest.param("useful:", id="no number"),
            pytest.param("useful:²", id="a digit that is no number"),
            pytest.param("useful:-1", id="a negative number"),
            pytest.param("why:" + "9" * 60, id="a number without end"),
            pytest.param("dance:1", id="an unknown verb"),
            pytest.param("useful:1:2", id="too much"),
            pytest.param("🎉", id="anything"),
        ],
    )
    async def test_unknown_button_gets_an_alert(self, c: Channel, room: Room, payload: str) -> None:
        message = await room.ask()
        rows = message.markup
        assert rows is not None
        rows["inline_keyboard"][0][0]["callback_data"] = payload
        alert, is_alert = await room.press(room.ann, message, payload)
        assert "no longer stored" in alert
        assert is_alert

    async def test_button_of_another_chat_shows_nothing(self, c: Channel, room: Room) -> None:
        await room.ask()
        other = Room(c)
        message = await other.ask(other.bob)
        assert message.markup is not None
        message.markup["inline_keyboard"][1][1]["callback_data"] = "why:1"
        alert, _ = await other.press(other.bob, message, "why:1")
        assert "no longer stored" in alert

    async def test_who_may_not_use_the_bot_cannot_use_its_buttons(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        c.rights.refusal = Refusal("press-finished")
        assert await room.press(room.bob, message, "Sources") == ("This answer is already finished.", True)

    async def test_presses_are_limited_as_commands_are(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        c.limits.press_refusal = Refusal("limit-user-commands", {"limit": 10, "seconds": 7})
        told, is_alert = await room.press(room.ann, message, "Useful")
        assert "in 7 s" in told
        assert is_alert
        assert message.button("useful:1").text == "👍 Useful"

    async def test_press_that_cannot_be_answered_any_more_is_no_failure(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        pressed = room.ann.presses(message, "Useful")
        c.telegram.clock.skip(3600)
        await c.handle(pressed)
        assert message.button("useful:1").text == "✓ 👍 Useful"
