"""Work that fails for good: who waits for it hears of it, the admins hear of it, and nobody else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.service import answering
from bot.storage.asks import Asks
from bot.telegram.ids import to_peer
from bot.telegram.messenger import TelegramMessenger
from bot.texts import TEXTS
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from tests.support.wired import staged

APOLOGY = TEXTS.text("answer-failed", "en")


def reply(request: ChatRequest) -> str:
    if "poison" in request.messages[-1].text:
        raise ZeroDivisionError("words of the engine room")
    return "A good answer."


def fail(_request: ChatRequest) -> str:
    raise ZeroDivisionError


async def test_job_that_fails_is_an_apology_to_the_asker_a_note_to_the_admins_and_nothing_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"admins": (77,), "self_correction": {"enabled": False}}
    async with staged(tmp_path, ScriptedModel(reply), monkeypatch, **settings) as stage:
        office = stage.telegram.private(stage.telegram.user("Owner", id=77, language_code="en"))
        people = [stage.telegram.user(name, language_code="en") for name in ("Ann", "Bob")]
        chats = [stage.telegram.private(person) for person in people]
        await stage.happens(people[0].says(chats[0], "poison?"), people[1].says(chats[1], "bread?"))

        assert [type(error) for _, error in stage.jobs.failures] == [ZeroDivisionError]
        assert chats[0].texts[-1] == APOLOGY
        (good,) = chats[1].texts
        assert good.startswith("A good answer.")
        (note,) = office.texts
        assert "ZeroDivisionError" in note
        assert not [text for chat in (*chats, office) for text in chat.texts if "engine room" in text]


async def test_admins_are_told_in_the_language_of_their_telegram_unless_they_chose_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"admins": (77, 78, 79), "self_correction": {"enabled": False}}
    async with staged(tmp_path, ScriptedModel(reply), monkeypatch, **settings) as stage:
        offices = []
        for admin_id, spoken, said in ((77, "ru", "/help"), (78, "es", "bread?"), (79, "ru", "/language id")):
            admin = stage.telegram.user("Admin", id=admin_id, language_code=spoken)
            offices.append(stage.telegram.private(admin))
            await stage.feed(admin.says(offices[-1], said))
        ann = stage.telegram.user("Ann", language_code="en")
        await stage.settled()
        await stage.happens(ann.says(stage.telegram.private(ann), "poison?"))
        for office, language in zip(offices, ("ru", "es", "id"), strict=True):
            told = TEXTS.text("admin-failed", language, reason="").splitlines()[0]
            assert office.texts[-1].partition(":")[0] == told.partition(":")[0]


async def test_command_or_press_that_fails_is_told_as_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"self_correction": {"enabled": False}}
    async with staged(tmp_path, ScriptedModel({"draft": "Good."}), monkeypatch, **settings) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.private(ann)
        await stage.happens(ann.says(chat, "Bread?"))
        (answer,) = chat.answers
        for method in ("sendMessage", "editMessageReplyMarkup"):
            stage.telegram.fail_next(method, description="Bad Request: cursed")
        await stage.happens(ann.says(chat, "/help"), ann.presses(answer, "useful"))

        assert len(stage.jobs.failures) == 2
        assert chat.texts[-1] == TEXTS.text("command-failed", "en")
        assert [press.alert for press in chat.presses] == [TEXTS.text("press-failed", "en")]

        # A press that was answered before it failed is told below its message.
        await stage.happens(ann.says(chat, "/privacy"))
        await stage.happens(ann.presses(chat.answers[-1], "Delete"))
        stage.telegram.fail_next("editMessageText", description="Bad Request: cursed")
        await stage.happens(ann.presses(chat.answers[-1], "Yes"))
        assert chat.texts[-1] == TEXTS.text("press-failed", "en")


async def test_question_that_was_given_up_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"self_correction": {"enabled": False}}
    async with staged(tmp_path, ScriptedModel(reply), monkeypatch, **settings) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.private(ann)
        for text in ("poison?", "bread?"):
            await stage.happens(ann.says(chat, text))
        assert not [message for message in chat.messages if message.reactions]
        assert chat.texts[-1].startswith("A good answer.")
        await stage.happens(ann.says(chat, "/stop"))
        assert chat.texts[-1] == "I am not working on any of your questions here."


async def test_plain_question_that_was_given_up_is_not_waited_for_and_nobody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(_request: ChatRequest) -> str:
        raise ZeroDivisionError

    async def covered(*_given: object) -> bool:
        return True

    monkeypatch.setattr(answering, "is_covered_question", covered)
    settings = {"self_correction": {"enabled": False}}
    access = {"mode": "open", "answer_plain_questions": True}
    async with staged(tmp_path, ScriptedModel(fail), monkeypatch, access=access, **settings) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.group("Team", [ann], standing="administrator")
        await stage.happens(ann.says(chat, "Which Java?"))
        assert [type(error) for _, error in stage.jobs.failures] == [ZeroDivisionError]
        assert chat.texts == []
        assert await Asks(stage.database).open_in(to_peer(chat.id), None) == ()


class TestMessageThatWasToBecomeTheAnswer:
    """What a group has seen of the work for a question that is given up."""

    async def test_it_apologises_when_no_answer_can_stand_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with staged(tmp_path, ScriptedModel(fail), monkeypatch) as stage:
            ann = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.group("Team", [ann])
            asked = ann.says(chat, "@thinktwice_bot Which Java?")
            await stage.happens(asked)
            assert [message.text for message in chat.replies_to(asked.message_id)] == [APOLOGY]
            assert chat.texts == [APOLOGY]
            assert chat.answers[0].buttons == ()

            # Another text of it is answered there, or given up there.
            await stage.happens(ann.edits(asked, "@thinktwice_bot Which Python?"))
            assert len(stage.jobs.failures) == 2
            assert chat.texts == [APOLOGY]

    async def test_it_keeps_the_answer_that_stands_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_given: object) -> None:
            raise ZeroDivisionError

        settings = {"self_correction": {"enabled": False}}
        async with staged(tmp_path, ScriptedModel({"draft": "Good."}), monkeypatch, **settings) as stage:
            monkeypatch.setattr(answering.Answering, "_remember", fail)
            ann = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.group("Team", [ann])
            await stage.happens(ann.says(chat, "@thinktwice_bot Which Java?"))
            (answer,) = chat.texts
            assert answer.startswith("Good.")
            assert await Asks(stage.database).open_in(to_peer(chat.id), None) == ()

    async def test_it_gets_the_answer_that_was_found_but_not_delivered(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings = {"self_correction": {"enabled": False}}
        async with staged(tmp_path, ScriptedModel({"draft": "Good."}), monkeypatch, **settings) as stage:
            deliver, tries = TelegramMessenger.deliver, []  # type: tuple[Any, list[object]]

            async def failing(*given: Any, **more: Any) -> None:
                tries.append(None)
                if len(tries) == 1:
                    raise ZeroDivisionError
                await deliver(*given, **more)

            monkeypatch.setattr(TelegramMessenger, "deliver", failing)
            ann = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.group("Team", [ann])
            await stage.happens(ann.says(chat, "@thinktwice_bot Which Java?"))
            assert len(stage.jobs.failures) == 1
            (answer,) = chat.texts
            assert answer.startswith("Good.")
            assert len(chat.answers[0].buttons) == 2
            ask = await Asks(stage.database).find_by_answer(to_peer(chat.id), chat.answers[0].message_id)
            assert ask is not None
            assert ask.state == "answered"

    @pytest.mark.parametrize("is_private", [True, False], ids=["private chat", "group"])
    async def test_it_apologises_when_telegram_does_not_take_the_answer(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_private: bool
    ) -> None:
        settings = {"self_correction": {"enabled": False}}
        async with staged(tmp_path, ScriptedModel({"draft": "Good."}), monkeypatch, **settings) as stage:
            ann = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.private(ann) if is_private else stage.telegram.group("Team", [ann])
            for method in ("sendMessage", "editMessageText"):
                stage.telegram.fail_next(
                    method,
                    description="Bad Request: cursed",
                    times=9,
                    where=lambda request: "Good." in str(request.params.get("text")),
                )
            await stage.happens(
                ann.says(chat, "Which Java?" if is_private else "@thinktwice_bot Which Java?")
            )
            assert chat.texts == [APOLOGY]

    async def test_it_apologises_in_a_private_chat_without_drafts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with staged(tmp_path, ScriptedModel(fail), monkeypatch) as stage:
            stage.telegram.fail_next("sendMessageDraft", description="Bad Request: no drafts")
            ann = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.private(ann)
            await stage.happens(ann.says(chat, "Which Java?"))
            assert chat.texts == [APOLOGY]
