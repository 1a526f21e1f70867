"""Spoken questions: the whole bot, with a server of transcriptions that is reached over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.storage.privacy import Privacy
from bot.storage.spent import Spent
from bot.telegram.ids import to_peer
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.interviews import attentive
from tests.support.servers import Behaviour, Fail, FakeOpenAI, HangUp, Raw, Say
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

QUESTION = "Which Java does FxStore need?"
RECORDING = b"OggS: which Java does FxStore need"


def reply(request: ChatRequest) -> Reply:
    if request.role == "interviewer":
        return attentive(request)
    return "FxStore needs Java 17 [1]." if request.purpose == "regenerate" else "FxStore needs Java 17."


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(key="voice-key", hearing=Say(QUESTION)) as running:
        yield running


def hearing(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    server: FakeOpenAI,
    base_url: str | None = None,
    **given: Any,
) -> AbstractAsyncContextManager[Stage]:
    (folder / "corpus").mkdir(exist_ok=True)
    (folder / "corpus" / "fxstore.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", "utf-8")
    voice = {"base_url": server.base_url if base_url is None else base_url, "api_key": "voice-key"}
    return staged(folder, ScriptedModel(reply), monkeypatch, voice=voice, **given)


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FakeOpenAI) -> AsyncIterator[Stage]:
    async with hearing(tmp_path, monkeypatch, server) as opened:
        yield opened


async def happens(stage: Stage, *sent: Sent) -> None:
    await stage.happens(*sent)
    assert not stage.jobs.failures


async def test_voice_message_is_answered_and_what_was_understood_is_shown(
    stage: Stage, ann: Person, chat: Chat, server: FakeOpenAI
) -> None:
    await happens(stage, ann.speaks(chat, RECORDING))
    assert chat.answers[-1].text.startswith("FxStore needs Java 17")
    assert f"🎙 I understood: {QUESTION}" in chat.answers[-1].text
    assert "read only the text" not in chat.answers[-1].text
    (sent,) = server.recordings
    assert (sent["file"], sent["model"]) == (RECORDING, b"whisper-1")
    # It is kept and forgotten like a question that was typed, and costs as one does.
    exported = await Privacy(stage.database).export(to_peer(ann.id))
    assert QUESTION in str(exported)
    assert "OggS" not in str(exported)
    assert (await Spent(stage.database).today(to_peer(chat.id), to_peer(ann.id))).user >= 18
    await happens(stage, ann.says(chat, "/why"))
    assert chat.answers[-1].text


async def test_round_video_is_a_question_too(stage: Stage, ann: Person, chat: Chat) -> None:
    await happens(stage, ann.speaks(chat, RECORDING, kind="video_note"))
    assert QUESTION in chat.answers[-1].text


async def test_group_is_listened_to_only_where_the_bot_is_addressed(
    stage: Stage, ann: Person, server: FakeOpenAI
) -> None:
    group = stage.telegram.group("Team", [ann])
    await happens(stage, ann.speaks(group, RECORDING))
    assert (group.answers, server.recordings) == ([], [])
    await happens(stage, ann.says(group, f"@thinktwice_bot {QUESTION}"))
    answer = group.answers[-1]
    await happens(stage, ann.speaks(group, RECORDING, reply_to=answer))
    assert "🎙" in group.answers[-1].text
    assert len(server.recordings) == 1


async def test_without_a_server_each_voice_message_is_told_that_it_cannot_be_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FakeOpenAI
) -> None:
    async with hearing(tmp_path, monkeypatch, server, base_url="") as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.private(ann)
        await happens(stage, ann.speaks(chat, RECORDING))
        await happens(stage, ann.speaks(chat, RECORDING, kind="video_note"))
        said = "I cannot listen to voice messages: no server that turns speech into text is set up."
        assert [text.startswith(said) for text in chat.texts] == [True, True]
    assert server.recordings == []


async def test_recording_of_a_stranger_is_not_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FakeOpenAI
) -> None:
    async with hearing(tmp_path, monkeypatch, server, access={"mode": "private"}) as stage:
        eve = stage.telegram.user("Eve", language_code="en")
        chat = stage.telegram.private(eve)
        await happens(stage, eve.speaks(chat, RECORDING))
        assert len(chat.texts) == 1
    assert server.recordings == []


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        (Fail(500, "out of order"), "could not understand your voice message just now"),
        (Fail(404, "no such model"), "could not understand your voice message just now"),
        (HangUp(), "could not understand your voice message just now"),
        (Raw(b"<html>no</html>", "text/html"), "could not understand your voice message just now"),
        (Raw(b'{"words": []}', "application/json"), "could not understand your voice message just now"),
        (Say(" "), "I heard no words in your voice message"),
    ],
    ids=["out of order", "no such model", "hung up", "a page", "no text", "silence"],
)
async def test_recording_that_cannot_be_understood_is_one_sentence_and_the_next_question_is_answered(
    stage: Stage, ann: Person, chat: Chat, server: FakeOpenAI, behaviour: Behaviour, told: str
) -> None:
    server.hearing = behaviour
    await happens(stage, ann.speaks(chat, RECORDING))
    (only,) = chat.texts
    assert told in only
    await happens(stage, ann.says(chat, QUESTION))
    assert chat.answers[-1].text.startswith("FxStore needs Java 17")


async def test_long_and_big_recordings_are_not_listened_to(
    stage: Stage, ann: Person, chat: Chat, server: FakeOpenAI
) -> None:
    await happens(stage, ann.speaks(chat, RECORDING, seconds=121))
    assert chat.texts[-1].startswith("Your voice message lasts 121 seconds, and I listen to 120 at the most.")
    await happens(stage, ann.speaks(chat, RECORDING, size=30_000_000))
    assert chat.texts[-1].startswith("Your voice message is too big for me.")
    assert server.recordings == []


async def test_address_that_was_heard_cannot_be_tapped(
    stage: Stage, ann: Person, chat: Chat, server: FakeOpenAI
) -> None:
    server.hearing = Say("Is www.evil.example part of FxStore?")
    await happens(stage, ann.speaks(chat, RECORDING))
    answer = chat.answers[-1]
    at = answer.text.encode("utf-16-le").index("www.evil.example".encode("utf-16-le")) // 2
    (entity,) = (e for e in answer.entities if e["offset"] == at and e["type"] != "italic")
    assert (entity["type"], entity["length"]) == ("code", len("www.evil.example"))


async def test_spoken_answer_in_an_interview_is_a_turn_of_it(
    stage: Stage, ann: Person, chat: Chat, server: FakeOpenAI
) -> None:
    await happens(stage, ann.says(chat, "/interview bug_report"))
    server.hearing = Say("the editor")
    await happens(stage, ann.speaks(chat, RECORDING))
    assert "🎙 I understood: the editor" in chat.texts
    assert any("✓ product: the editor" in text for text in chat.texts)
    # Nothing is noted of what nobody understood.
    server.hearing = Fail(500, "out of order")
    await happens(stage, ann.speaks(chat, RECORDING))
    assert chat.texts[-1].startswith("I could not understand your voice message")
