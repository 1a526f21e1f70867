"""Buttons and commands show the sources and the reasons of an answer, as far as the chat may see them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.service.incoming import Place
from bot.storage.document_sets import StoredDocumentSets
from bot.telegram.ids import to_peer
from tests.support.asking import QUESTION
from tests.support.channel import Channel, direct, open_channel
from tests.support.recorded_steps import KilledError, Recording
from tests.support.rooms import Clock, Model, Room


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

    async def test_sources_that_one_person_of_a_group_asks_for_come_to_that_person_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reasons = "because of records, sealed types and the interface that its storage engine uses, " * 3
        handbook = {"fxstore": f"# FxStore\n\nFxStore needs Java 17, {reasons}and will not start without.\n"}
        told = {"draft": "I do not know.", "regenerate": "FxStore needs Java 17 [1]."}
        async with open_channel(tmp_path, told, monkeypatch, handbook=handbook) as c:
            room = Room(c)
            message = await room.ask()
            sent = ("I have sent it to you in our private chat.", False)
            assert await room.press(room.bob, message, "Sources") == sent
            assert room.chat.answers == [message]
            (shown,) = room.bobs.answers
            assert shown.text.startswith(f"{QUESTION}\n\n")
            assert "FxStore needs Java 17, because of records" in shown.text
            assert {entity["type"] for entity in shown.entities} >= {"bold"}
            # A command is for everybody who reads along.
            await c.handle(room.bob.says(room.chat, "/sources", reply_to=message))
            assert "FxStore needs Java 17, because of records" in room.chat.texts[-1]

    async def test_who_has_not_started_the_bot_sees_the_beginning_and_how_to_get_the_rest(
        self, room: Room
    ) -> None:
        message = await room.ask()
        alert, is_alert = await room.press(room.cid, message, "Why")
        assert alert.startswith("The first draft agrees with the documents")
        assert alert.endswith("press Start in a private chat with me: @thinktwice_bot")
        assert is_alert
        assert room.chat.answers == [message]

    async def test_source_without_an_address_comes_with_a_button_that_sends_its_file(
        self, c: Channel, room: Room, tmp_path: Path
    ) -> None:
        message = await room.ask()
        await room.press(room.bob, message, "Sources")
        shown = room.bobs.answers[-1]
        assert [button.text for row in shown.buttons for button in row] == ["📄 [1] fxstore.md"]
        assert await room.press(room.bob, shown, "📄") == ("", False)
        sent = c.telegram.requests[-2]
        assert (sent.method, sent.chat_id) == ("sendDocument", room.bobs.id)
        assert list(sent.files.values()) == [(tmp_path / "corpus" / "fxstore.md").stat().st_size]
        assert await room.press(room.bob, shown, "📄") == ("It is already shown in this chat.", True)
        assert sum(request.method == "sendDocument" for request in c.telegram.requests) == 1

    async def test_what_comes_to_one_person_comes_once_wherever_the_process_is_killed(
        self, c: Channel, room: Room
    ) -> None:
        message = await room.ask()
        for kill_at in range(1, 6):
            pressed = room.bob.presses(message, "Why")
            recording = Recording(kill_at)
            with pytest.raises(KilledError):
                await c.handle(pressed, recording)
            recording.restart()
            await c.handle(pressed, recording)
            assert len(room.bobs.answers) == kill_at
            assert room.chat.presses[-1].alert == "I have sent it to you in our private chat."

    async def test_button_in_a_private_chat_opens_no_other_answer_of_the_group(
        self, c: Channel, room: Room
    ) -> None:
        first, other = await room.ask(), await room.ask()
        await room.press(room.bob, first, "Sources")
        shown = room.bobs.answers[-1]
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), other.message_id)
        assert ask is not None
        await c.handle(room.bob.presses(shown, data=f"file:{ask.id}:1"))
        assert "no longer stored" in (room.bobs.presses[-1].alert or "")
        assert not any(request.method == "sendDocument" for request in c.telegram.requests)

    @pytest.mark.parametrize("number", ["2", "0", "99", "../../etc/passwd", "1:1", ""])
    async def test_only_what_the_answer_cites_is_sent(self, c: Channel, room: Room, number: str) -> None:
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), message.message_id)
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
        assert await room.press(room.bob, room.bobs.answers[-1], "📄") == (
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
            shown = room.bobs.answers[-1]
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
        await room.press(room.bob, message, "Why")
        assert "The first draft agrees with the documents" in room.bobs.texts[-1]
        assert "Drafting" in room.bobs.texts[-1]

    async def test_pressing_again_does_not_fill_a_private_chat(self, c: Channel, clock: Clock) -> None:
        ann = c.telegram.user("Ann", language_code="en")
        chat = c.telegram.private(ann)
        await c.answering(c.asked(ann.says(chat, QUESTION)), direct)
        (answer,) = chat.answers
        await c.handle(ann.presses(answer, "Why"))
        await c.handle(ann.presses(answer, "Why"))
        assert chat.presses[-1].alert == "It is already shown in this chat."
        assert [message.reply_to for message in chat.answers] == [None, answer]
        clock.passed = timedelta(minutes=11)
        await c.handle(ann.presses(answer, "Why"))
        assert len(chat.answers) == 3

    async def test_answer_without_sources_says_so_to_the_presser_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with open_channel(tmp_path, {"draft": "It is 51."}, monkeypatch) as c:
            room = Room(c)
            await c.answering(c.asked(room.ann.says(room.chat, "@thinktwice_bot what is 17 × 3?")), direct)
            alert = await room.press(room.bob, room.chat.answers[-1], "Sources")
            assert alert == ("This answer did not use any documents.", True)
            assert len(room.chat.answers) == 1

    async def test_forgotten_answer_says_that_it_is(self, c: Channel, room: Room) -> None:
        message = await room.ask()
        await c.stores.memory.reset(Place(to_peer(room.chat.id), "group").conversation_id)
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
        await sets.assign(to_peer(room.chat.id), "public")
        message = await room.ask()
        ask = await c.stores.asks.find_by_answer(to_peer(room.chat.id), message.message_id)
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
        shown = room.bobs.answers[-1]
        sets = c.stores.document_sets
        assert isinstance(sets, StoredDocumentSets)
        await sets.make("nothing", ["nowhere/"])
        await sets.assign(to_peer(room.chat.id), "nothing")
        count = len(room.chat.texts)
        for label in ("Sources", "Why"):
            assert "no longer stored" in (await room.press(room.bob, message, label))[0]
        assert "no longer available" in (await room.press(room.bob, shown, "📄"))[0]
        assert len(room.chat.texts) == count
        for command in ("/sources", "/why"):
            await c.handle(room.bob.says(room.chat, command))
            assert room.chat.texts[-1] == "There is no answer yet."
        assert not any(request.method == "sendDocument" for request in c.telegram.requests)
        await sets.assign(to_peer(room.chat.id), None)
        await c.handle(room.bob.says(room.chat, "/sources"))
        assert "Java 17" in room.chat.texts[-1]

    async def test_set_that_holds_nothing_close_names_no_nearest_source(self, c: Channel, room: Room) -> None:
        sets = c.stores.document_sets
        assert isinstance(sets, StoredDocumentSets)
        await sets.make("nothing", ["nowhere/"])
        await sets.assign(to_peer(room.chat.id), "nothing")
        message = await room.ask()
        assert "secret" not in message.text
        assert "from May" not in message.text
