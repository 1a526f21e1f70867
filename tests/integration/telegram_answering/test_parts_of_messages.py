"""An album or a text that a client cuts is one message: one question, or one command for all its files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from rag.models.scripted import ScriptedModel
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

OWNER = 1


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel({"draft": "Tea is served at four."})


@pytest.fixture
async def stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: ScriptedModel
) -> AsyncIterator[Stage]:
    settings: dict[str, Any] = {"admins": (OWNER,), "self_correction": {"enabled": False}}
    async with staged(tmp_path, model, monkeypatch, **settings) as opened:
        yield opened


@pytest.fixture
def owner(stage: Stage) -> Person:
    return stage.telegram.user("Olga", id=OWNER, language_code="en")


@pytest.fixture
def office(stage: Stage, owner: Person) -> Chat:
    return stage.telegram.private(owner)


async def come(stage: Stage, *sent: Sent) -> None:
    await stage.happens(*sent)
    assert not stage.jobs.failures


def album(person: Person, chat: Chat, caption: str, *names: str) -> list[Sent]:
    """Send files at once; a client puts the caption under the first."""
    return [
        person.sends_file(
            chat,
            name,
            f"# {name}\n\nText of {name}.\n".encode(),
            caption=caption if name == names[0] else "",
            extra={"media_group_id": "77"},
        )
        for name in names
    ]


async def test_command_under_an_album_adds_every_file_and_says_so_once(
    stage: Stage, owner: Person, office: Chat
) -> None:
    await come(stage, *album(owner, office, "/add", "alpha.md", "beta.md", "gamma.md"))
    assert office.texts == [
        "✔ Added alpha.md. Passages: 1\n✔ Added beta.md. Passages: 1\n✔ Added gamma.md. Passages: 1"
    ]
    folder = stage.settings.data_dir / "documents"
    assert {file.name for file in folder.iterdir()} >= {"alpha.md", "beta.md", "gamma.md"}


async def test_files_of_an_album_that_cannot_be_added_do_not_keep_the_others_out(
    stage: Stage, owner: Person, office: Chat
) -> None:
    await come(stage, owner.sends_file(office, "beta.md", b"# Beta\n\nOld.\n", caption="/add"))
    await come(stage, *album(owner, office, "/add", "alpha.md", "beta.md", "ALPHA.md", "film.mov"))
    said = office.texts[-1].splitlines()
    assert said[0] == "✔ Added alpha.md. Passages: 1"
    assert [line.split()[0] for line in said[1:3]] == ["beta.md", "ALPHA.md"]
    assert "already exists and was not replaced" in said[1]
    assert "I cannot read files of the type of film.mov." in said[3]
    assert b"Old" in (stage.settings.data_dir / "documents" / "beta.md").read_bytes()


async def test_question_under_an_album_is_one_question(stage: Stage, owner: Person, office: Chat) -> None:
    await come(stage, *album(owner, office, "When is tea served?", "alpha.md", "beta.md", "gamma.md"))
    (answer,) = office.texts
    assert answer.startswith("Tea is served at four.")
    assert "📎" in answer


async def test_album_without_words_is_told_once_how_to_add_it(
    stage: Stage, owner: Person, office: Chat
) -> None:
    await come(stage, *album(owner, office, "", "alpha.md", "beta.md"))
    (said,) = office.texts
    assert said.startswith("I have not read alpha.md, beta.md. To add them to the documents, send them again")


async def test_album_for_the_bot_in_a_group_is_one_command_and_others_are_not_its_business(
    stage: Stage, owner: Person
) -> None:
    team = stage.telegram.group("Team", [owner])
    await come(stage, *album(owner, team, "/add", "alpha.md", "beta.md"))
    assert team.texts == ["✔ Added alpha.md. Passages: 1\n✔ Added beta.md. Passages: 1"]
    stage.telegram.world.privacy_mode = False
    await come(stage, *album(owner, team, "", "gamma.md", "delta.md"))
    assert len(team.texts) == 1


@pytest.mark.parametrize("kind", ["private", "group"])
async def test_text_that_a_client_cuts_is_one_question(
    stage: Stage, model: ScriptedModel, owner: Person, office: Chat, kind: str
) -> None:
    chat, mention = office, ""
    if kind == "group":
        chat, mention = stage.telegram.group("Team", [owner]), "@thinktwice_bot "
        stage.telegram.world.privacy_mode = False
    story = mention + "We drink tea. " * 500
    space = story.rindex(" ", 0, 7000)
    parts = [story[:4096], story[4096:space], story[space + 1 :] + "When is tea served?"]
    await come(stage, *(owner.says(chat, part) for part in parts))
    assert len(chat.texts) == 1
    told = [request.messages[-1].text for request in model.requests if request.purpose == "draft"]
    assert len(told) == 1
    assert " ".join(told[0].split()).count("We drink tea.") == 500
    assert "When is tea served?" in told[0]


async def test_messages_that_only_look_like_parts_are_answered_each(
    stage: Stage, owner: Person, office: Chat
) -> None:
    long = "We drink tea. " * 200
    await come(
        stage, owner.says(office, long, ago=9), owner.says(office, long, ago=5), owner.says(office, "Tea?")
    )
    assert len(office.texts) == 3


async def test_part_that_comes_when_the_others_are_joined_is_not_lost(
    stage: Stage, owner: Person, office: Chat
) -> None:
    parts = album(owner, office, "", "alpha.md", "beta.md")
    for part in parts:
        await come(stage, part)
    assert [("alpha.md" in text, "beta.md" in text) for text in office.texts] == [
        (True, False),
        (False, True),
    ]


async def test_second_thing_without_words_gets_its_answer_as_well(
    stage: Stage, owner: Person, office: Chat
) -> None:
    for name in ("alpha.md", "beta.md"):
        await come(stage, owner.sends_file(office, name, b"# Tea"))
    await come(stage, owner.speaks(office, b"ogg"), owner.speaks(office, b"ogg"))
    assert len(office.texts) == 4


async def test_reply_to_thanks_has_neither_label_nor_buttons(
    stage: Stage, owner: Person, office: Chat
) -> None:
    await come(stage, owner.says(office, "Thanks a lot!"))
    assert office.texts == ["Tea is served at four."]
    assert office.answers[0].buttons == ()
    await come(stage, owner.says(office, "When is tea served?"))
    assert office.answers[1].buttons
