"""A question that the documents do not answer goes to the people who know, and their reply comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.service.incoming import Sender
from bot.service.passed_questions import PASSED, REPLIED
from bot.storage.privacy import Privacy
from bot.storage.tables import passed_questions
from bot.telegram.ids import to_peer
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from tests.support.console import ADMIN, MEMBER, OWNER, Serve, Served
from tests.support.recorded_steps import KilledError, Recording
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent

QUESTION = "When is tea served?"
REPLY = "Tea is served at four, in the garden."
BOSS = 1


def script(request: ChatRequest) -> str:
    """A model that knows nothing, and writes what a correction says of tea."""
    text = request.messages[-1].text
    if request.purpose == "regenerate":
        return f"{REPLY} [1]" if REPLY in text else "The documents do not say it."
    return "NOT STATED" if request.purpose == "read" else "I do not know that."


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", "utf-8")
    return folder


@pytest.fixture
async def stage(tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    access = {"mode": "open", "experts": f"{BOSS}, {BOSS + 1}, hr=-500"}
    async with staged(tmp_path, ScriptedModel(script), monkeypatch, admins=(BOSS,), access=access) as opened:
        yield opened


async def sent(stage: Stage, what: Sent) -> None:
    await stage.happens(what)
    assert not stage.jobs.failures


async def asked(stage: Stage) -> tuple[Person, Chat, Message, Person, Chat]:
    """Ann asks what the documents do not say, and then a person; return her answer, and the one who knows."""
    boss = stage.telegram.user("Olga", id=BOSS, language_code="en")
    ann = stage.telegram.user("Ann", language_code="en")
    office, chat = stage.telegram.private(boss), stage.telegram.private(ann)
    await sent(stage, boss.says(office, "/start"))
    await sent(stage, ann.says(chat, QUESTION))
    await sent(stage, ann.presses(chat.answers[-1], "Ask a person"))
    return ann, chat, chat.answers[-1], boss, office


async def test_reply_of_a_person_comes_to_the_chat_and_can_be_kept(stage: Stage) -> None:
    ann, chat, answer, boss, office = await asked(stage)
    assert chat.presses[-1].alert == "Passed on. The answer comes here as soon as somebody replies."
    shown = office.answers[-1]
    assert shown.text.startswith("Ann asks, and the documents do not answer it:")
    assert QUESTION in shown.text

    await sent(stage, ann.presses(answer, "Ask a person"))
    assert "already with the people who know" in (chat.presses[-1].alert or "")
    assert office.answers[-1] is shown

    await sent(stage, boss.says(office, REPLY, reply_to=shown))
    brought = chat.answers[-1]
    assert brought.text == f"Olga: {REPLY}\n\n👤 answered by a person, not checked against the documents"
    assert brought.reply_to is not None
    confirmed = office.answers[-1]
    assert confirmed.text.startswith("Sent to Ann.")

    await sent(stage, boss.says(office, "No, at five.", reply_to=shown))
    assert office.answers[-1].text.startswith("Thank you, but this was not sent")
    assert chat.answers[-1] is brought

    await sent(stage, boss.presses(confirmed, "Keep this answer"))
    assert REPLY in confirmed.text
    assert "Undo" in str(confirmed.buttons)
    bob = stage.telegram.user("Bob", language_code="en")
    other = stage.telegram.private(bob)
    await sent(stage, bob.says(other, QUESTION))
    assert REPLY in other.answers[-1].text


async def test_ordinary_message_of_somebody_who_knows_is_a_question(stage: Stage) -> None:
    _, _, _, boss, office = await asked(stage)
    await sent(stage, boss.says(office, QUESTION))
    assert "Sent to Ann" not in office.answers[-1].text


@pytest.mark.parametrize("kill_at", range(1, 7))
async def test_kill_neither_loses_nor_doubles_a_reply(stage: Stage, kill_at: int) -> None:
    _, chat, _, boss, office = await asked(stage)
    shown, before = office.answers[-1], len(chat.answers)
    update = boss.says(office, REPLY, reply_to=shown)
    work = stage.jobs.works["update"]
    recording = Recording(kill_at)
    assert update.update is not None
    payload = json.dumps(update.update.wire())
    try:
        await work(payload, recording)
    except KilledError:
        recording.restart()
        await work(payload, recording)
    await stage.settled()
    assert [one.text.partition(":")[0] for one in chat.answers[before:]] == ["Olga"]


@pytest.mark.parametrize("kind", [PASSED, REPLIED])
@pytest.mark.parametrize("kill_at", range(1, 5))
async def test_kill_of_the_work_behind_neither_loses_nor_doubles_anything(
    stage: Stage, kind: str, kill_at: int
) -> None:
    work = stage.jobs.works[kind]

    async def killed(payload: str, _run_step: object) -> None:
        recording = Recording(kill_at)
        try:
            await work(payload, recording)
        except KilledError:
            recording.restart()
            await work(payload, recording)

    stage.jobs.works = {**stage.jobs.works, kind: killed}
    _, chat, _, boss, office = await asked(stage)
    assert [one.text.partition(" ")[0] for one in office.answers[-1:]] == ["Ann"]
    assert sum(one.text.startswith("Ann asks") for one in office.answers) == 1
    await sent(stage, boss.says(office, REPLY, reply_to=office.answers[-1]))
    assert sum(one.text.startswith("Olga:") for one in chat.answers) == 1


async def test_open_question_is_asked_again_after_a_day(stage: Stage) -> None:
    _, _, _, _, office = await asked(stage)
    passed = stage.parts.passed_questions(stage.jobs)  # type: ignore[arg-type]  # has what is asked of jobs
    count = len(office.answers)
    await passed.remind()
    await stage.settled()
    assert len(office.answers) == count
    day = timedelta(days=1, minutes=1)
    async with stage.database.writing() as connection:
        now = (await connection.execute(sa.select(passed_questions.c.told_at))).scalar_one()
        await connection.execute(sa.update(passed_questions).values(told_at=now - day))
    await passed.remind()
    await stage.settled()
    assert len(office.answers) == count + 1
    assert office.answers[-1].text.startswith("Ann asks")


async def test_button_stands_only_where_somebody_is_named(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with staged(tmp_path, ScriptedModel(script), monkeypatch, access={"mode": "open"}) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.private(ann)
        await sent(stage, ann.says(chat, QUESTION))
        assert "Ask a person" not in str(chat.answers[-1].buttons)


KNOWS = MEMBER + 100
"""Somebody who knows about some documents, and administers nothing."""


@pytest.fixture
async def console(serve: Serve) -> AsyncIterator[Served]:
    access = {"experts": f"{OWNER}, faq={KNOWS}"}
    async with serve(ScriptedModel(script), access=access) as running:
        yield running


async def settled(console: Served) -> None:
    while unfinished := console.jobs.unfinished:
        await asyncio.wait(unfinished)
    assert not console.jobs.failures


async def test_reply_written_in_the_console_ends_the_run_that_waits_for_it(console: Served) -> None:
    await console.parts.users.seen(Sender(to_peer(ADMIN), "person", "Olga"))
    async with console.browser(MEMBER) as ann, console.browser(ADMIN) as boss:
        run = await ann.asks(QUESTION)
        await settled(console)
        assert "Ask a person" in (await ann.get(run)).text
        reply = await ann.post(f"{run}/person")
        waits = reply.headers["location"].partition("#")[0]
        await settled(console)
        page = (await ann.get(waits)).text
        assert "This question is with the people who know." in page
        assert "Ask a person" not in page
        assert [json.loads(payload) for payload in console.told] == [{"number": 1}]
        state = (await ann.get(f"/api{waits}")).json()
        assert (state["kind"], state["state"], state["answer"]) == ("person", "running", None)

        assert QUESTION not in (await ann.get("/passed")).text
        assert (await ann.post("/passed/1", key="1", text=REPLY)).status_code == 404
        assert QUESTION in (await boss.get("/passed")).text
        assert (await boss.post("/passed/1", key="1", text=" ")).status_code == 422
        assert (await boss.post("/passed/1", key="1", text=REPLY, keep="yes", named="yes")).status_code == 303
        await settled(console)
        assert QUESTION not in (await boss.get("/passed")).text
        assert (await boss.post("/passed/1", key="2", text="No.")).status_code == 409

        state = (await ann.get(f"/api{waits}")).json()
        assert (state["state"], state["answer"]["label"]) == ("complete", "person")
        assert state["answer"]["answer"] == f"**Olga:** {REPLY}"
        assert REPLY in (await ann.get(waits)).text
        again = await ann.asks(QUESTION)
        await settled(console)
        assert REPLY in (await ann.get(again)).text


async def test_whoever_knows_finds_the_open_questions(console: Served) -> None:
    await console.parts.users.set_access(to_peer(KNOWS), "allowed")
    for person, is_led in ((KNOWS, True), (ADMIN, True), (MEMBER, False)):
        async with console.browser(person) as browser:
            assert ('href="/passed"' in (await browser.get("/")).text) is is_led


async def test_person_is_asked_over_http_and_by_nobody_else(console: Served) -> None:
    async with console.browser(MEMBER) as ann, console.browser(OWNER) as owner:
        run = await ann.asks(QUESTION)
        await settled(console)
        headers = {"X-CSRF-Token": ann.csrf}
        theirs = await owner.client.post(f"/api{run}/person", headers={"X-CSRF-Token": owner.csrf})
        assert theirs.status_code == 404
        for _ in range(2):
            reply = await ann.client.post(f"/api{run}/person", headers=headers)
            assert (reply.status_code, reply.json()["kind"]) == (202, "person")
        await settled(console)
        (one,) = (await owner.get("/api/questions")).json()
        assert (one["number"], one["question"]) == (1, QUESTION)
        assert (await ann.get("/api/questions")).json() == []
        given = {"text": REPLY, "named": False}
        assert (await ann.client.post("/api/questions/1", json=given, headers=headers)).status_code == 404
        for key, status in (("1", 204), ("1", 204), ("2", 409)):
            headers = {"X-CSRF-Token": owner.csrf, "Idempotency-Key": key}
            reply = await owner.client.post("/api/questions/1", json=given, headers=headers)
            assert reply.status_code == status
        await settled(console)
        assert (await ann.get(f"/api{run}:person")).json()["answer"]["answer"] == REPLY

        other = await ann.asks("When is coffee served?")
        await settled(console)
        for path in (f"{other}/person", f"{other}:person/cancel"):
            await ann.post(path)
            await settled(console)
            assert len((await owner.get("/api/questions")).json()) == path.endswith("person")
        assert (await owner.post("/passed/2", key="2", text=REPLY)).status_code == 409


async def test_reply_of_somebody_who_is_no_longer_named_is_a_question(stage: Stage) -> None:
    _, chat, _, boss, office = await asked(stage)
    shown, before = office.answers[-1], len(chat.answers)
    passed = stage.parts.passed_questions(stage.jobs)  # type: ignore[arg-type]  # has what is asked of jobs
    async with stage.database.writing() as connection:
        await connection.execute(sa.update(passed_questions).values(set_name="hr"))
    await sent(stage, boss.says(office, REPLY, reply_to=shown))
    assert len(chat.answers) == before
    assert [one.reply for one in await passed.open()] == [""]


@pytest.mark.parametrize("text", ["/council When is tea?", "/ask When is tea served?"])
async def test_command_in_reply_to_a_passed_question_is_no_answer(stage: Stage, text: str) -> None:
    _, chat, _, boss, office = await asked(stage)
    before = len(chat.answers)
    await sent(stage, boss.says(office, text, reply_to=office.answers[-1]))
    assert len(chat.answers) == before


async def test_deleted_conversation_takes_its_passed_question_with_it(stage: Stage) -> None:
    ann, chat, _, boss, office = await asked(stage)
    shown = office.answers[-1]
    await sent(stage, ann.says(chat, "/reset"))
    before = len(chat.answers)
    await sent(stage, boss.says(office, REPLY, reply_to=shown))
    assert len(chat.answers) == before
    assert office.answers[-1].text.startswith("Thank you, but this was not sent")


async def test_reply_goes_out_without_a_name_and_is_shown_to_all_who_know(stage: Stage) -> None:
    ivan = stage.telegram.user("Ivan", id=BOSS + 1, language_code="en")
    his = stage.telegram.private(ivan)
    await sent(stage, ivan.says(his, "/start"))
    _, chat, _, boss, office = await asked(stage)
    shown, his_shown = office.answers[-1], his.answers[-1]
    await sent(stage, boss.presses(shown, "Answer without my name"))
    assert office.answers[-1].text.endswith("Ann gets your answer without your name.")
    await sent(stage, boss.says(office, REPLY, reply_to=office.answers[-1]))
    assert chat.answers[-1].text.startswith(REPLY)
    assert his_shown.text.startswith("Ann has an answer:")
    assert REPLY in his_shown.text
    assert "Olga" not in his_shown.text


async def test_picture_is_no_answer(stage: Stage) -> None:
    _, chat, answer, boss, office = await asked(stage)
    photo = {"photo": [{"file_id": "p", "file_unique_id": "u", "width": 9, "height": 9}]}
    await sent(stage, boss.sends(office, photo, caption="As here.", reply_to=office.answers[-1]))
    assert office.answers[-1].text.startswith("Write the answer as text")
    assert chat.answers[-1] is answer


async def test_whoever_knows_is_not_asked_their_own_question(stage: Stage) -> None:
    _, _, _, boss, office = await asked(stage)
    await sent(stage, boss.says(office, QUESTION))
    await sent(stage, boss.presses(office.answers[-1], "Ask a person"))
    assert not any(text.startswith("Olga asks") for text in office.texts)


async def test_erasure_of_who_replied_takes_the_name_with_it(stage: Stage) -> None:
    _, _, _, boss, office = await asked(stage)
    await sent(stage, boss.says(office, REPLY, reply_to=office.answers[-1]))
    kept = await stage.parts.memory.load_answer("passed:1")
    assert kept is not None
    assert kept.text == f"**Olga:** {REPLY}"
    await Privacy(stage.database).erase(to_peer(boss.id))
    kept = await stage.parts.memory.load_answer("passed:1")
    assert kept is not None
    assert kept.text == REPLY
