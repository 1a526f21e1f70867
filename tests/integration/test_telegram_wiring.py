"""The whole bot in one process: an owner sets it up, and people use what was set up."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot import parts
from bot.clock import utcnow
from bot.documents.library import Library
from bot.documents.shared import uploads_folder
from bot.documents.uploads import UploadsError
from bot.storage.arrivals import StoredArrivals
from bot.storage.notices import Notices
from bot.storage.tables import arrivals
from bot.telegram.ids import to_peer
from bot.texts import TEXTS
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from tests.support.stored import NOW
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person

OWNER = 1


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "fxstore.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", "utf-8")
    model = ScriptedModel({"draft": "Tea is served at four.", "regenerate": "Tea is served at four [1]."})
    async with staged(tmp_path, model, monkeypatch, admins=(OWNER,), access={"mode": "private"}) as opened:
        yield opened


async def says(stage: Stage, person: Person, chat: Chat, text: str) -> Message:
    await stage.happens(person.says(chat, text))
    assert not stage.jobs.failures
    return chat.answers[-1]


async def test_document_that_was_just_added_answers_the_next_question_of_whoever_was_let_in(
    stage: Stage,
) -> None:
    owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
    ann = stage.telegram.user("Ann", language_code="en")
    office, chat = stage.telegram.private(owner), stage.telegram.private(ann)

    assert str(ann.id) in (await says(stage, ann, chat, "When is tea served?")).text
    await says(stage, owner, office, f"/allow {ann.id}")
    await stage.happens(
        owner.sends_file(office, "tea.md", b"# Tea\n\nTea is served at four.\n", caption="/add")
    )
    assert office.texts[-1] == "✔ Added tea.md. Passages: 1"

    answer = await says(stage, ann, chat, "When is tea served?")
    assert "✔ verified against the documents" in answer.text
    assert "[1] Tea" in answer.text
    await stage.happens(ann.presses(answer, "Useful"))
    await says(stage, owner, office, "/stats 1")
    (figures,) = [message.text for message in office.answers if "(UTC)" in message.text]
    assert "1 / 0" in figures

    question = await says(stage, owner, office, "/remove tea.md")
    await stage.happens(owner.presses(question, "Yes"))
    assert office.answers[-1].text == "✔ Removed tea.md."
    assert "✔ models: openai:draft" in (await says(stage, owner, office, "/health")).text
    assert not stage.jobs.failures


async def test_reset_comes_after_the_question_before_it(stage: Stage) -> None:
    owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
    office = stage.telegram.private(owner)
    await stage.happens(owner.says(office, "When is tea served?"), owner.says(office, "/reset"))

    assert [text.splitlines()[0] for text in office.texts][-1] == "Forgotten. What would you like to know?"
    assert "There is no answer yet." in (await says(stage, owner, office, "/why")).text


async def test_group_that_moves_while_questions_wait_gets_each_answer_once_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_open, begun = asyncio.Event(), asyncio.Event()

    async def reply(request: ChatRequest) -> str:
        begun.set()
        await is_open.wait()
        return f"You said {re.findall(r'q[0-9]', request.messages[-1].text)[-1]}."

    settings = {"self_correction": {"enabled": False}}
    async with staged(tmp_path, ScriptedModel(reply), monkeypatch, **settings) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        group = stage.telegram.group("Team", [ann], basic=True)
        for text in ("Is it q1?", "Is it q2?"):
            await stage.feed(ann.says(group, f"@thinktwice_bot {text}"))
        await begun.wait()
        new = stage.telegram.migrate(group, ann)
        for update in stage.telegram.pending[-2:]:
            await stage.channel.intake.take(update.wire(), is_backlog=False)
        # Ids of messages begin anew: those of the old group are others here.
        for text in ("Is it q3?", "Is it q4?"):
            await stage.feed(ann.says(new, f"@thinktwice_bot {text}"))
        await stage.telegram.until(lambda: any(message.reactions for message in new.messages))
        stop = ann.says(new, "/stop@thinktwice_bot")
        is_open.set()
        await stage.settled()
        assert not stage.jobs.failures
        answers = [message for message in new.answers if message.text.startswith("You said")]
        assert sorted(message.text.split(".")[0] for message in answers) == [
            f"You said q{number}" for number in range(1, 5)
        ]
        finals = [
            found[0]
            for request in stage.telegram.requests
            if request.chat_id == new.id and request.method in {"sendMessage", "editMessageText"}
            if (found := re.findall(r"You said (q[0-9])", str(request.params["text"])))
        ]
        assert list(dict.fromkeys(finals)) == ["q1", "q2", "q3", "q4"]
        assert not [text for text in new.texts if text.startswith("⏳")]
        await stage.happens(stop)
        assert new.texts[-1] == "I am not working on any of your questions here."
        for answer in answers:
            await stage.happens(ann.presses(answer, "Useful"))
            assert new.presses[-1].alert == "Thank you! Rated as useful."
            assert answer.button("useful").text.startswith("✓")


async def test_menu_of_admins_comes_and_goes_with_the_role(stage: Stage) -> None:
    owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
    bob = stage.telegram.user("Bob", language_code="en")
    office = stage.telegram.private(owner)
    stage.telegram.private(bob)
    question = await says(stage, owner, office, f"/admins add {bob.id}")
    await stage.happens(owner.presses(question, "Yes"))

    await stage.telegram.until(lambda: stage.telegram.calls("setMyCommands"))
    await stage.telegram.until(lambda: len(stage.telegram.calls("setMyCommands")) == len(TEXTS.languages))
    menus = {
        (request.params["scope"]["chat_id"], command["command"])
        for request in stage.telegram.calls("setMyCommands")
        if request.params["scope"]["type"] == "chat"
        for command in request.params["commands"]
    }
    assert (bob.id, "reindex") in menus

    question = await says(stage, owner, office, f"/admins remove {bob.id}")
    await stage.happens(owner.presses(question, "Yes"))
    await stage.telegram.until(lambda: len(stage.telegram.calls("deleteMyCommands")) == len(TEXTS.languages))
    taken = [request.params["scope"]["chat_id"] for request in stage.telegram.calls("deleteMyCommands")]
    assert taken == [bob.id] * len(TEXTS.languages)


async def test_old_question_is_told_to_be_late_only_where_it_would_get_an_answer(stage: Stage) -> None:
    owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
    eve = stage.telegram.user("Eve", language_code="en")
    for person in (owner, eve):
        sent = person.says(stage.telegram.private(person), "When is tea served?")
        assert sent.update is not None
        update = sent.update.wire()
        update["message"]["date"] -= 2 * 3600
        await stage.channel.intake.take(update, is_backlog=True)
    await stage.settled()
    assert not stage.jobs.failures
    assert [text.startswith("I was offline") for text in stage.telegram.private(owner).texts] == [True]
    (refused,) = stage.telegram.private(eve).texts
    assert refused.startswith("You do not have access to this bot yet")


async def test_command_that_waited_while_the_bot_was_away_is_not_carried_out_and_that_is_said(
    stage: Stage,
) -> None:
    owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
    eve = stage.telegram.user("Eve", language_code="en")
    office = stage.telegram.private(owner)
    for person, text in ((owner, "/reindex"), (owner, "/reindex"), (owner, "/dance"), (eve, "/reindex")):
        sent = person.says(stage.telegram.private(person), text)
        assert sent.update is not None
        update = sent.update.wire()
        update["message"]["date"] -= 120
        await stage.channel.intake.take(update, is_backlog=True)
    await stage.settled()
    assert not stage.jobs.failures
    (said,) = office.texts
    assert said.startswith("I was away when you sent /reindex, so it was not carried out.")
    assert stage.telegram.private(eve).texts == []


async def test_files_that_killed_additions_have_left_are_swept_but_not_those_of_work_that_goes_on(
    stage: Stage,
) -> None:
    owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
    office = stage.telegram.private(owner)
    await says(stage, owner, office, "/health")
    folder = uploads_folder(stage.settings)
    folder.mkdir()
    number = int(next(iter(stage.jobs._tasks)).rpartition(":")[2])
    names = (f".partial-{number}-open.md", ".partial-9-old.md", ".partial-8-new.md", "kept.md")
    for name in names:
        (folder / name).write_text("text")
        if "new" not in name:
            os.utime(folder / name, (1_700_000_000, 1_700_000_000))
    # As if it were at work again after a kill.
    stage.jobs._tasks[f"tg:{stage.telegram.bot.id}:{number}"] = asyncio.create_task(asyncio.Event().wait())  # type: ignore[arg-type]  # any task

    await stage.channel.forget()

    assert {path.name for path in folder.iterdir()} == {*names} - {".partial-9-old.md"}


async def test_what_is_kept_of_people_is_forgotten_also_where_files_cannot_be_deleted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_given: object) -> None:
        raise UploadsError("the folder cannot be written")

    monkeypatch.setattr(Library, "sweep", fail)
    old = StoredArrivals(stage.database, lambda: utcnow() - timedelta(days=3))
    await old.settle("w1", to_peer(41), to_peer(41), lambda _now, _load: None)
    with pytest.raises(UploadsError):
        await stage.channel.forget()
    async with stage.database.reading() as connection:
        assert (await connection.scalars(sa.select(arrivals.c.key))).all() == []


async def test_chat_whose_day_is_used_up_reads_passages_and_the_owner_hears_of_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "fxstore.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", "utf-8")
    model = ScriptedModel({"draft": "FxStore needs Java 17.", "regenerate": "FxStore needs Java 17 [1]."})
    given = {"admins": (OWNER,), "limits": {"chat_tokens_per_day": 1}}
    # Or the day might end meanwhile.
    for module, kept in ((parts, StoredArrivals), (parts, Notices)):
        monkeypatch.setattr(module, kept.__name__, partial(kept, clock=lambda: NOW))
    async with staged(tmp_path, model, monkeypatch, **given) as stage:
        owner = stage.telegram.user("Olga", id=OWNER, language_code="en")
        ann = stage.telegram.user("Ann", language_code="en")
        office, chat = stage.telegram.private(owner), stage.telegram.private(ann)
        await says(stage, ann, chat, "Which Java does FxStore need?")
        calls = len(model.requests)
        for _ in range(2):
            answer = await says(stage, ann, chat, "Which Java does FxStore need?")
            assert answer.text.startswith("“FxStore needs Java 17.” [1]"), "what is sure costs no tokens"
            assert "FxStore needs Java 17." in answer.text
            assert "✔ verified" in answer.text
        assert len(model.requests) == calls
        (told,) = office.texts
        assert told.startswith(f"ℹ️ The chat Ann ({ann.id}) has used up its tokens for today (")
        # Other chats go on.
        assert "Java 17" in (await says(stage, owner, office, "Which Java does FxStore need?")).text
        assert len(model.requests) > calls
