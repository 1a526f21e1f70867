"""Work on an answer is stopped by a button, by /stop and by stopping a draft."""

from __future__ import annotations

import asyncio

import pytest

from bot.service.incoming import Place
from bot.service.people import Refusal
from bot.telegram.ids import to_peer
from bot.telegram.rendering import Part
from tests.support.asking import QUESTION
from tests.support.channel import Channel
from tests.support.rooms import Model, Room
from tests.telegram.chats import Chat, Message


class TestStopping:
    async def begun(self, c: Channel, room: Room, model: Model) -> Message:
        model.is_open.clear()
        c.start(c.asked(room.ann.says(room.chat, f"@thinktwice_bot {QUESTION}")))
        await c.telegram.until(lambda: model.begun and room.chat.answers)
        return room.chat.answers[-1]

    @pytest.mark.parametrize("who", ["asker", "admin"])
    async def test_stop_button_really_cancels(self, c: Channel, room: Room, model: Model, who: str) -> None:
        message = await self.begun(c, room, model)
        person = room.ann if who == "asker" else room.bob
        c.rights.admins = {to_peer(room.bob.id)}
        # Stopping is not limited.
        c.limits.press_refusal = Refusal("limit-user-commands", {"limit": 10, "seconds": 7})
        assert await room.press(person, message, "Stop") == ("⏹ Stopped.", False)
        assert model.cancelled == 1
        assert (message.text, message.buttons) == ("⏹ Stopped.", ())
        assert await c.history(Place(to_peer(room.chat.id), "group")) == ()

    async def test_somebody_else_cannot_stop_it(self, c: Channel, room: Room, model: Model) -> None:
        message = await self.begun(c, room, model)
        alert, is_alert = await room.press(room.bob, message, "Stop")
        assert (alert.startswith("Only the person who asked or an administrator"), is_alert) == (True, True)
        assert model.cancelled == 0
        model.is_open.set()
        await asyncio.gather(*c.jobs.tasks.values())
        assert message.text.startswith("FxStore needs Java 17")

    async def test_administrators_stop_what_was_asked_anonymously(
        self, c: Channel, room: Room, model: Model
    ) -> None:
        room.chat = c.telegram.group("Team", [room.ann, room.bob], admins=[room.bob])
        model.is_open.clear()
        anonymous = c.telegram.anonymous_admin(room.chat)
        c.start(c.asked(anonymous.says(room.chat, f"@thinktwice_bot {QUESTION}")))
        await c.telegram.until(lambda: model.begun and room.chat.answers)
        message = room.chat.answers[-1]
        assert (await room.press(room.ann, message, "Stop"))[1]
        c.telegram.fail_next("getChatAdministrators", status=500)
        await c.handle(room.bob.says(room.chat, "/stop"))
        assert room.chat.texts[-1].startswith("I could not find out who administers")
        assert model.cancelled == 0
        assert await room.press(room.bob, message, "Stop") == ("⏹ Stopped.", False)
        assert model.cancelled == 1

    async def test_stop_that_comes_too_late_leaves_the_answer(
        self, c: Channel, room: Room, model: Model
    ) -> None:
        message = await self.begun(c, room, model)
        pressed = room.ann.presses(message, "Stop")
        model.is_open.set()
        await asyncio.gather(*c.jobs.tasks.values())
        await c.handle(pressed)
        assert room.chat.presses[-1].alert == "This answer is already finished."
        assert message.text.startswith("FxStore needs Java 17")

    async def test_stop_command_ends_the_own_questions_in_a_group(
        self, c: Channel, room: Room, model: Model
    ) -> None:
        message = await self.begun(c, room, model)
        await c.handle(room.bob.says(room.chat, "/stop"))
        assert room.chat.texts[-1] == "I am not working on any of your questions here."
        assert model.cancelled == 0
        await c.handle(room.ann.says(room.chat, "/stop"))
        assert (message.text, room.chat.texts[-1]) == ("⏹ Stopped.", "Stopped.")
        assert model.cancelled == 1

    async def test_stopped_answer_speaks_the_language_of_the_person_and_not_of_the_question(
        self, c: Channel, room: Room, model: Model
    ) -> None:
        room.ann = c.telegram.user("Аня", language_code="ru")
        room.chat = c.telegram.group("Team", [room.ann, room.bob])
        message = await self.begun(c, room, model)
        await c.handle(room.ann.says(room.chat, "/stop"))
        assert (message.text, room.chat.texts[-1]) == ("⏹ Остановлено.", "Остановлено.")

    async def test_stop_under_a_draft_ends_the_work(self, c: Channel, model: Model) -> None:
        model.is_open.clear()
        ann = c.telegram.user("Ann", language_code="en")
        chat: Chat = c.telegram.private(ann)
        task = c.start(c.asked(ann.says(chat, QUESTION)))
        await c.telegram.until(lambda: model.begun and chat.drafts)
        await c.handle(ann.stops(chat.drafts[0]))
        assert task.cancelled()
        assert model.cancelled == 1
        assert chat.texts == []
        assert await c.stores.asks.open_in_chat(to_peer(chat.id)) == ()

    async def test_stopped_answer_takes_its_further_messages_away(
        self, c: Channel, room: Room, model: Model
    ) -> None:
        message = await self.begun(c, room, model)
        place = Place(to_peer(room.chat.id), "group")
        second = await c.delivery.send(place, Part("…"))
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), message.message_id)
        assert ask is not None
        await c.asks.add_message(ask.id, to_peer(room.chat.id), second)
        await room.press(room.ann, message, "Stop")
        assert room.chat.texts == ["⏹ Stopped."]
