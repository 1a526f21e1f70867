"""Work that versions with numbers for people and chats have recorded is carried out by this one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.service.keys import conversation_key
from bot.storage.tables import confirmations
from bot.telegram.ids import to_peer
from tests.support.asking import Opened, private
from tests.support.channel import direct
from tests.support.commanding import Desk, open_desk
from tests.support.console import MEMBER, Serve


async def test_stranger_of_a_recorded_request_is_shown_to_the_administrators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path, monkeypatch) as d:
        await d.ask("/help")
        eve, chat = d.person("Eve")
        await d.handle(eve.says(chat, "/start"))
        d.jobs.submitted.clear()
        await d.services.access_requests.tell(json.dumps({"user": eve.id}), direct)
        assert "Eve asks for access" in d.office.texts[-1]


async def test_waiting_confirmation_still_makes_an_administrator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_desk(tmp_path, monkeypatch) as d:
        bob, _ = d.person("Bob")
        await d.ask(f"/admins add {bob.id}")
        await _write_number_into_confirmation(d, bob.id)
        await d.presses(d.owner, d.office.answers[-1], "Yes")
        assert (await d.services.parts.users.get(to_peer(bob.id))).role == "admin"


async def _write_number_into_confirmation(d: Desk, number: int) -> None:
    command = json.dumps({"name": "appoint", "user": number, "is_admin": True})
    async with d.services.parts.users._database.writing() as connection:
        await connection.execute(sa.update(confirmations).values(command=command))


async def test_refusal_reaches_its_asker(opened: Opened) -> None:
    async with opened() as c:
        _, chat = private(c)
        told = {
            "chat_id": chat.id, "kind": "private", "thread_id": None, "message_id": 1, "text": "Not today.",
            "known": [],
        }  # fmt: skip
        await c.reception.tell(json.dumps(told), direct)
        assert chat.texts == ["Not today."]


async def test_run_of_the_console_is_carried_out_for_its_person(serve: Serve) -> None:
    async with serve() as console:
        order = {
            "run_id": f"web:{MEMBER}:old", "action": "answer", "user_id": MEMBER, "name": "Mia",
            "conversation_id": f"web:{MEMBER}:3", "question": "Which Java does FxStore need?", "mode": None,
            "at": "2026-05-20T12:00:00+00:00",
        }  # fmt: skip
        await console.console.runs.carry_out(json.dumps(order), direct)
        await console.parts.runs.flush()
        run = await console.parts.stored_runs.get(f"web:{MEMBER}:old")
        assert run is not None
        assert (run.state, run.person) == ("complete", to_peer(MEMBER))
        turns, _ = await console.parts.memory.recall(f"web:{MEMBER}:3")
        assert [turn.text for turn in turns][:1] == ["Which Java does FxStore need?"]
        assert (await console.parts.memory.recall(conversation_key(to_peer(MEMBER), None)))[0] == ()
