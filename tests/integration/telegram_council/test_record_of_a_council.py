"""What a council leaves is shown by its buttons, outlives a restart, and is counted, exported and erased."""

from __future__ import annotations

import json
import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.storage.privacy import Privacy
from bot.storage.run_events import StoredRuns
from bot.storage.tables import messages, run_events, spending
from bot.telegram.ids import to_peer
from bot.texts import TEXTS
from rag.models.scripted import ScriptedModel
from tests.support.council_rooms import OWNER, Open, Room
from tests.support.councils import MEMBERS, QUESTION, SEATS, Model
from tests.support.wired import Stage, staged
from tests.telegram.server import FakeTelegram


async def test_buttons_show_a_members_texts_the_ranking_and_the_cost(stage: Stage) -> None:
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    answer = room.last
    await room.presses(answer, "Members")
    shown = await room.presses(answer, "boris: original")
    assert "boris (openai:boris): the first answer" in shown
    assert "So says boris." in shown
    assert "boris has corrected that." in await room.presses(answer, "boris: corrected")
    ranking = await room.presses(answer, "Ranking") + "".join(room.chat.texts[-1:])
    assert "How the members ranked each other’s first answers" in ranking
    assert "anna ranks" in ranking
    await room.presses(answer, "Why")
    why = "".join(room.chat.texts[-3:])
    assert TEXTS.text("why-council") in why
    for seat in MEMBERS:
        assert re.search(rf"{seat} · 3 model calls|{seat} · 4 model calls", why), why
    # Rated, it keeps the button of its members.
    await room.presses(answer, "Useful")
    assert [button.text for row in answer.buttons for button in row][::4] == ["✓ 👍 Useful", "👥 Members"]


async def test_record_and_buttons_outlive_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    settings = {"members": MEMBERS, "chairman": "anna", "seats": SEATS}
    scripted = ScriptedModel(model)
    async with FakeTelegram() as telegram:

        def start() -> AbstractAsyncContextManager[Stage]:
            return staged(tmp_path, scripted, monkeypatch, server=telegram, admins=(OWNER,), council=settings)

        async with start() as stage:
            room = Room(stage)
            await room.says(f"/council {QUESTION}")
            answer = room.last
        asked = len(model.asked)
        async with start() as stage:
            room.stage = stage
            await room.presses(answer, "Members")
            for label in ("boris: original", "boris: corrected", "Ranking", "Why"):
                before = len(room.chat.texts)
                shown = await room.presses(answer, label) + "".join(room.chat.texts[before:])
                assert "boris" in shown, label
    assert len(model.asked) == asked


async def test_answers_from_before_self_correction_open(stage: Stage) -> None:
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    answer = room.last
    async with stage.database.writing() as connection:
        (row,) = (await connection.execute(sa.select(messages).where(messages.c.answer.is_not(None)))).all()
        kept = json.loads(row.answer)
        for field in ("stage2_5", "degraded", "skipped", "standings"):
            del kept["council"][field]
        changed = sa.update(messages).where(messages.c.id == row.id).values(answer=json.dumps(kept))
        await connection.execute(changed)
    await room.presses(answer, "Why")
    assert TEXTS.text("why-council") in "".join(room.chat.texts[-3:])
    await room.presses(answer, "Members")
    assert "So says boris." in await room.presses(answer, "boris: original") + room.chat.texts[-1]
    assert "no longer stored" in await room.presses(answer, "boris: corrected")


async def test_buttons_work_for_whoever_may_see_the_answer(opened: Open, model: Model) -> None:
    async with opened() as stage:
        room = Room(stage)
        bob = stage.telegram.user("Bob", language_code="ru")
        room.chat = stage.telegram.group("Team", [room.person, bob])
        await room.says(f"/council@thinktwice_bot {QUESTION}")
        answer = room.last
        room.person = bob
        await room.presses(answer, "Members")
        # The buttons stay in the language of who asked.
        assert "исправленный ответ" in await room.presses(answer, "boris: corrected")
        rows = answer.markup
        assert rows is not None
        rows["inline_keyboard"][4][0]["callback_data"] = "original:1:99"
        assert "больше не хранится" in await room.presses(answer, "original:1:99")


async def test_statistics_hold_each_member_and_stage(stage: Stage) -> None:
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    async with stage.database.reading() as connection:
        rows = (
            await connection.execute(sa.select(spending.c.purpose, spending.c.role, spending.c.calls))
        ).all()
    found = {(row.purpose, row.role): row.calls for row in rows}
    for seat in MEMBERS:
        for step in ("propose", "peer_review", "self_correct"):
            assert found[f"council {step}", seat] == 1
    assert found["council conclude", "anna"] == 1


async def test_what_a_council_keeps_of_a_person_is_exported_and_erased(stage: Stage) -> None:
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    privacy = Privacy(stage.database)
    exported = json.dumps(await privacy.export(to_peer(room.person.id)), ensure_ascii=False)
    assert "So says boris." in exported
    assert "boris has corrected that." in exported
    await privacy.erase(to_peer(room.person.id))
    assert await StoredRuns(stage.database).latest(f"telegram:{room.person.id}") == ()
    async with stage.database.reading() as connection:
        left = json.dumps(
            [[str(cell) for cell in row] for row in await connection.execute(sa.select(run_events))]
        )
    assert "boris" not in left
    assert "boris" not in json.dumps(await privacy.export(to_peer(room.person.id)))
