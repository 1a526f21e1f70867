"""Buttons, stopping and looking behind answers, against a Telegram server and real stores."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.clock import utcnow
from bot.service.incoming import Place
from bot.service.people import Ask, AskId, Refusal
from bot.storage.asks import Asks
from bot.storage.document_sets import StoredDocumentSets
from bot.telegram.rendering import Part
from rag.models.chat import ChatRequest
from tests.support.channel import Channel, direct, open_channel
from tests.support.recorded_steps import KilledError, Recording
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person
from tests.telegram.server import FakeTelegram

QUESTION = "Which Java does FxStore need?"


class Clock:
    """The time, which a test can let pass."""

    def __init__(self) -> None:
        self.passed = timedelta(0)

    def __call__(self) -> datetime:
        return utcnow() + self.passed


class Model:
    """Answers at once, unless a test closes it."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = 0
        self.is_open = asyncio.Event()
        self.is_open.set()

    async def __call__(self, _request: ChatRequest) -> str:
        self.begun += 1
        try:
            await self.is_open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return "FxStore needs Java 17."


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model, clock: Clock
) -> AsyncIterator[Channel]:
    async with open_channel(tmp_path, model, monkeypatch, clock=clock) as channel:
        yield channel


class Room:
    """A group with an answer in it."""

    def __init__(self, c: Channel) -> None:
        self.c = c
        self.ann = c.telegram.user("Ann", language_code="en")
        self.bob = c.telegram.user("Bob", language_code="en")
        self.chat = c.telegram.group("Team", [self.ann, self.bob])

    async def ask(self, person: Person | None = None) -> Message:
        await self.c.answering(
            self.c.asked((person or self.ann).says(self.chat, f"@thinktwice_bot {QUESTION}")), direct
        )
        return self.chat.answers[-1]

    async def press(self, person: Person, message: Message, label: str) -> tuple[str, bool]:
        """Press a button, and return what is shown for it."""
        await self.c.handle(person.presses(message, label))
        press = self.chat.presses[-1]
        assert press.alert is not None, "the button goes on blinking"
        return press.alert, press.show_alert


@pytest.fixture
def room(c: Channel) -> Room:
    return Room(c)


class TestRating:
    async def test_asker_rates_changes_and_takes_back(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(room.chat.id, message.message_id)
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
        ask = await c.stores.asks.find_by_answer(room.chat.id, message.message_id)
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
        ask = await c.stores.asks.find_by_answer(room.chat.id, message.message_id)
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
                await second.handle(before.ann.presses(message, "Why"))
                assert "agrees with the documents" in before.chat.texts[-1]


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


class TestLookingBehind:
    async def test_few_words_behind_an_answer_are_shown_to_the_presser_alone(
        self, room: Room, tmp_path: Path
    ) -> None:
        message = await room.ask()
        # Without the file there is nothing to press below the words.
        (tmp_path / "corpus" / "fxstore.md").unlink()
        alert, is_alert = await room.press(room.bob, message, "Sources")
        assert "FxStore needs Java 17." in alert
        assert is_alert
        assert len(room.chat.answers) == 1

    async def test_sources_come_below_the_answer_for_anybody_in_the_chat(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
    ) -> None:
        reasons = (
            "because of records, sealed types and the vector interface that its storage engine uses, " * 3
        )
        handbook = {"fxstore": f"# FxStore\n\nFxStore needs Java 17, {reasons}and will not start without.\n"}
        async with open_channel(tmp_path, model, monkeypatch, handbook=handbook) as c:
            room = Room(c)
            message = await room.ask()
            await room.press(room.bob, message, "Sources")
            shown = room.chat.answers[-1]
            assert "FxStore needs Java 17, because of records" in shown.text
            assert {entity["type"] for entity in shown.entities} >= {"bold"}
            assert shown.reply_to is message

    async def test_source_without_an_address_comes_with_a_button_that_sends_its_file(
        self, c: Channel, room: Room, tmp_path: Path
    ) -> None:
        message = await room.ask()
        await room.press(room.bob, message, "Sources")
        shown = room.chat.answers[-1]
        assert [button.text for row in shown.buttons for button in row] == ["📄 [1] fxstore.md"]
        assert await room.press(room.bob, shown, "📄") == ("", False)
        sent = c.telegram.requests[-2]
        assert (sent.method, sent.chat_id) == ("sendDocument", room.chat.id)
        assert list(sent.files.values()) == [(tmp_path / "corpus" / "fxstore.md").stat().st_size]
        again = await room.press(room.ann, shown, "📄")
        assert again == ("It is already shown in this chat.", True)
        assert sum(request.method == "sendDocument" for request in c.telegram.requests) == 1

    @pytest.mark.parametrize("number", ["2", "0", "99", "../../etc/passwd", "1:1", ""])
    async def test_only_what_the_answer_cites_is_sent(self, c: Channel, room: Room, number: str) -> None:
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(room.chat.id, message.message_id)
        assert ask is not None
        await c.handle(room.bob.presses(message, data=f"file:{ask.id}:{number}"))
        if number == "1:1":
            return  # another way to write the number of a source that is cited
        assert not any(request.method == "sendDocument" for request in c.telegram.requests)

    async def test_file_that_became_a_link_to_another_place_is_not_sent(
        self, c: Channel, room: Room, tmp_path: Path
    ) -> None:
        message = await room.ask()
        await room.press(room.bob, message, "Sources")
        (tmp_path / "secret").write_text("secret", "utf-8")
        (tmp_path / "corpus" / "fxstore.md").unlink()
        (tmp_path / "corpus" / "fxstore.md").symlink_to(tmp_path / "secret")
        assert await room.press(room.bob, room.chat.answers[-1], "📄") == (
            "This file is no longer available.",
            True,
        )
        assert not any(request.method == "sendDocument" for request in c.telegram.requests)

    async def test_source_with_an_address_is_a_link_to_its_section(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
    ) -> None:
        page = "---\nurl: https://wiki.example.org/fxstore\n---\n# FxStore\n\nFxStore needs Java 17.\n"
        async with open_channel(tmp_path, model, monkeypatch, handbook={"fxstore": page}) as c:
            room = Room(c)
            message = await room.ask()
            address = "https://wiki.example.org/fxstore#fxstore"
            assert [entity["url"] for entity in message.entities if entity["type"] == "text_link"] == [
                address
            ]
            await room.press(room.bob, message, "Sources")
            shown = room.chat.answers[-1]
            assert [entity["url"] for entity in shown.entities if entity["type"] == "text_link"] == [address]
            assert not shown.buttons

    @pytest.mark.parametrize(
        "url", ["javascript:alert(1)", "tg://resolve?domain=evil", "https://a@evil.example/"]
    )
    async def test_hostile_address_of_a_document_is_no_link(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model, url: str
    ) -> None:
        page = f"---\nurl: {url}\n---\n# FxStore\n\nFxStore needs Java 17.\n"
        async with open_channel(tmp_path, model, monkeypatch, handbook={"fxstore": page}) as c:
            message = await Room(c).ask()
            assert not any(entity["type"] == "text_link" for entity in message.entities)

    async def test_why_shows_the_trail(self, room: Room) -> None:
        message = await room.ask()
        await room.press(room.ann, message, "Why")
        assert "The first draft agrees with the documents" in room.chat.texts[-1]
        assert "Drafting" in room.chat.texts[-1]

    async def test_pressing_again_does_not_fill_the_chat(self, room: Room, clock: Clock) -> None:
        message = await room.ask()
        await room.press(room.ann, message, "Why")
        count = len(room.chat.texts)
        assert await room.press(room.bob, message, "Why") == ("It is already shown in this chat.", True)
        assert len(room.chat.texts) == count
        clock.passed = timedelta(minutes=11)
        await room.press(room.bob, message, "Why")
        assert len(room.chat.texts) == count + 1

    async def test_answer_without_sources_says_so_to_the_presser_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with open_channel(tmp_path, {"draft": "Hello!"}, monkeypatch) as c:
            room = Room(c)
            await c.answering(c.asked(room.ann.says(room.chat, "@thinktwice_bot hello")), direct)
            alert = await room.press(room.bob, room.chat.answers[-1], "Sources")
            assert alert == ("This answer did not use any documents.", True)
            assert len(room.chat.answers) == 1

    async def test_forgotten_answer_says_that_it_is(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        await c.stores.memory.reset(Place(room.chat.id, "group").conversation_id)
        alert, _ = await room.press(room.ann, message, "Why")
        assert "no longer stored" in alert

    async def test_commands_show_the_latest_answer_or_the_one_replied_to(
        self, c: Channel, room: Room
    ) -> None:
        first = await room.ask()
        await c.answering(c.asked(room.ann.says(room.chat, "@thinktwice_bot thanks!")), direct)
        await c.handle(room.bob.says(room.chat, "/why"))
        assert "Small talk" in room.chat.texts[-1]
        await c.handle(room.bob.says(room.chat, "/why", reply_to=first))
        assert "agrees with the documents" in room.chat.texts[-1]
        sent = room.bob.says(room.chat, "/sources", reply_to=first)
        await c.handle(sent)
        assert "FxStore needs Java 17." in room.chat.texts[-1]
        shown = room.chat.answers[-1].reply_to
        assert shown is not None
        assert shown.message_id == sent.message_id

    async def test_commands_before_any_answer_say_that_there_is_none(self, c: Channel, room: Room) -> None:
        await c.handle(room.bob.says(room.chat, "/sources"))
        assert room.chat.texts == ["There is no answer yet."]


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
        c.rights.admins = {room.bob.id}
        # Stopping is not limited.
        c.limits.press_refusal = Refusal("limit-user-commands", {"limit": 10, "seconds": 7})
        assert await room.press(person, message, "Stop") == ("⏹ Stopped.", False)
        assert model.cancelled == 1
        assert (message.text, message.buttons) == ("⏹ Stopped.", ())
        assert await c.history(Place(room.chat.id, "group")) == ()

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
        assert await c.stores.asks.open_in_chat(chat.id) == ()

    async def test_stopped_answer_takes_its_further_messages_away(
        self, c: Channel, room: Room, model: Model
    ) -> None:
        message = await self.begun(c, room, model)
        place = Place(room.chat.id, "group")
        second = await c.delivery.send(place, Part("…"))
        ask = await c.stores.asks.find_by_answer(room.chat.id, message.message_id)
        assert ask is not None
        await c.asks.add_message(ask.id, room.chat.id, second)
        await room.press(room.ann, message, "Stop")
        assert room.chat.texts == ["⏹ Stopped."]


TWO_PAGES = {
    "team": "# FxStore\n\nFxStore needs Java 17.\n",
    "secret": "# FxStore\n\nFxStore needs Java 17, and 21 from May.\n",
}


class TestDocumentSets:
    @pytest.fixture
    async def c(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model, clock: Clock
    ) -> AsyncIterator[Channel]:
        async with open_channel(tmp_path, model, monkeypatch, clock=clock, handbook=TWO_PAGES) as channel:
            yield channel

    async def test_answer_of_a_chat_comes_from_its_set(self, c: Channel, room: Room) -> None:
        sets = c.stores.document_sets
        assert isinstance(sets, StoredDocumentSets)
        await sets.make("public", ["team.md"])
        await sets.assign(room.chat.id, "public")
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(room.chat.id, message.message_id)
        assert ask is not None
        answer = await c.stores.memory.load_answer(ask.exchange)
        assert answer is not None
        assert {citation.source for citation in answer.citations} == {"team.md"}
        assert {passage.source for passage in answer.passages} <= {"team.md"}

    async def test_what_stands_behind_an_answer_from_other_documents_is_not_shown_any_more(
        self, c: Channel, room: Room
    ) -> None:
        message = await room.ask()
        await room.press(room.bob, message, "Sources")
        shown = room.chat.answers[-1]
        sets = c.stores.document_sets
        assert isinstance(sets, StoredDocumentSets)
        await sets.make("nothing", ["nowhere/"])
        await sets.assign(room.chat.id, "nothing")
        count = len(room.chat.texts)
        for label in ("Sources", "Why"):
            assert "no longer stored" in (await room.press(room.bob, message, label))[0]
        assert "no longer available" in (await room.press(room.bob, shown, "📄"))[0]
        assert len(room.chat.texts) == count
        for command in ("/sources", "/why"):
            await c.handle(room.bob.says(room.chat, command))
            assert room.chat.texts[-1] == "There is no answer yet."
        assert not any(request.method == "sendDocument" for request in c.telegram.requests)
        await sets.assign(room.chat.id, None)
        await c.handle(room.bob.says(room.chat, "/sources"))
        assert "Java 17" in room.chat.texts[-1]

    async def test_set_that_holds_nothing_close_names_no_nearest_source(self, c: Channel, room: Room) -> None:
        sets = c.stores.document_sets
        assert isinstance(sets, StoredDocumentSets)
        await sets.make("nothing", ["nowhere/"])
        await sets.assign(room.chat.id, "nothing")
        message = await room.ask()
        assert "secret" not in message.text
        assert "from May" not in message.text
