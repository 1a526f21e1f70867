"""A council is asked in a chat, watched while it works, stopped, and limited; the whole bot runs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import sqlalchemy as sa

from bot.storage.tables import run_events, runs
from bot.texts import TEXTS
from rag.errors import ModelUnavailableError
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.council_rooms import Open, Room
from tests.support.councils import MEMBERS, QUESTION, Model
from tests.support.wired import Stage
from tests.telegram.chats import Message


def labels(answer: Message) -> list[str]:
    return [button.text for row in answer.buttons for button in row]


async def test_council_answers_with_few_buttons_of_which_one_opens_those_of_the_members(
    stage: Stage, model: Model
) -> None:
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    answer = room.last
    assert answer.text.startswith("FxStore needs Java 17 [1].")
    assert TEXTS.text("label-verified") in answer.text or TEXTS.text("label-unverified") in answer.text
    few = ["👍 Useful", "👎 Wrong", "📄 Sources", "🔎 Why", "👥 Members"]
    assert labels(answer) == few
    await room.presses(answer, "Members")
    texts = [f"{seat}: {version}" for seat in MEMBERS for version in ("original", "corrected")]
    assert labels(answer) == [*few[:-1], "▴ Close", "🏅 Ranking", *texts]
    await room.presses(answer, "Close")
    assert labels(answer) == few
    assert {seat for purpose, seat in model.asked if purpose == "propose"} == set(MEMBERS)
    async with stage.database.reading() as connection:
        (run,) = (await connection.execute(sa.select(runs))).all()
        types = (await connection.scalars(sa.select(run_events.c.type).order_by(run_events.c.seq))).all()
    assert (run.kind, run.result) == ("council", "complete")
    told = [kind for kind in types if kind.startswith("stage") and not kind.endswith("_model")]
    assert told == [
        f"{one}_{when}"
        for one in ("stage1", "stage2", "stage2_5", "stage3")
        for when in ("start", "complete")
    ]
    assert [types.count(f"{one}_model") for one in ("stage1", "stage2", "stage2_5", "stage3")] == [3, 3, 3, 1]
    assert types[-1] == "complete"


async def test_council_is_asked_about_the_question_of_an_answer(stage: Stage, model: Model) -> None:
    room, told = Room(stage), list[str]()

    def script(request: ChatRequest) -> None:
        if request.purpose == "propose":
            told.append(request.messages[-1].text)

    await room.says(QUESTION)
    answer, model.script = room.last, script
    await stage.happens(room.person.says(room.chat, "/council", reply_to=answer))
    assert room.last is not answer
    assert "👥 Members" in labels(room.last)
    assert len(told) == len(MEMBERS)
    assert all(QUESTION in text for text in told)


async def test_missing_members_are_told_first(stage: Stage, model: Model) -> None:
    def script(request: ChatRequest) -> Reply | None:
        return (
            ModelUnavailableError("down") if (request.purpose, request.seat) == ("propose", "boris") else None
        )

    model.script = script
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    assert room.last.text.startswith("⚠ The council was not complete: boris: no answer.")
    await room.presses(room.last, "Members")
    assert "boris: original" not in labels(room.last)
    assert "anna: original" in labels(room.last)


async def test_one_members_answer_is_called_that(stage: Stage, model: Model) -> None:
    model.script = lambda request: ModelUnavailableError("down") if request.purpose == "conclude" else None
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    assert room.last.text.startswith(
        "⚠ No one could bring the answers together, so this is the answer of one member:"
    )


async def test_nobody_answers(stage: Stage, model: Model) -> None:
    model.script = lambda _request: ModelUnavailableError("down")
    room = Room(stage)
    await room.says(f"/council {QUESTION}")
    assert room.last.text == TEXTS.text("council-no-answer")
    assert room.last.buttons == ()
    async with stage.database.reading() as connection:
        (run,) = (await connection.execute(sa.select(runs))).all()
        (last,) = (
            await connection.scalars(sa.select(run_events.c.json).order_by(run_events.c.seq.desc()).limit(1))
        ).all()
    assert (run.result, json.loads(last)) == ("error", {"code": "council-no-member"})


async def test_reply_asks_the_council_about_the_message(stage: Stage, model: Model) -> None:
    room = Room(stage)
    bob = stage.telegram.user("Bob", language_code="en")
    room.chat = stage.telegram.group("Team", [room.person, bob])
    sent = bob.says(room.chat, QUESTION)
    await stage.happens(room.person.says(room.chat, "/council", reply_to=sent.message))
    assert room.last.text.startswith("FxStore needs Java 17 [1].")
    assert ("propose", "chen") in model.asked


async def test_state_of_the_stages_stands_in_the_placeholder(stage: Stage, model: Model) -> None:
    room = Room(stage)
    other = stage.telegram.user("Bob", language_code="en")
    room.chat = stage.telegram.group("Team", [room.person, other])
    for number, (purpose, line) in enumerate(
        [
            ("propose", "1 of 3 have answered"),
            ("peer_review", "3 of 3 have answered; reviewing each other: 1 of 3"),
            ("self_correct", "Reviewed; correcting their answers: 1 of 3"),
        ]
    ):
        model.closed, model.gate = purpose, asyncio.Event()
        await stage.feed(room.person.says(room.chat, f"/council@thinktwice_bot {QUESTION} {number}"))
        await stage.telegram.until(lambda: line in "".join(room.chat.texts[-1:]))  # noqa: B023 - awaited here
        model.gate.set()
        await stage.settled()
        assert room.last.text.startswith("FxStore needs Java 17")


async def test_council_is_stopped_like_any_answer(stage: Stage, model: Model) -> None:
    room = Room(stage)
    model.closed = "peer_review"
    await stage.feed(room.person.says(room.chat, f"/council {QUESTION}"))
    await stage.telegram.until(lambda: ("peer_review", "chen") in model.asked)
    await stage.happens(room.person.says(room.chat, "/stop"))
    assert "self_correct" not in {purpose for purpose, _seat in model.asked}
    async with stage.database.reading() as connection:
        (run,) = (await connection.execute(sa.select(runs))).all()
    assert run.result == "cancelled"


async def test_edit_asks_the_council_anew_and_only_for_other_words(stage: Stage, model: Model) -> None:
    room = Room(stage)
    sent = room.person.says(room.chat, f"/ask {QUESTION}")
    await stage.happens(sent)
    assert not [seat for _purpose, seat in model.asked if seat]
    assert sent.message is not None
    for _ in range(2):
        await stage.happens(room.person.edits(sent.message, f"/council {QUESTION}"))
        assert len([1 for purpose, _seat in model.asked if purpose == "propose"]) == 3
    assert len(room.last.buttons) == 3


async def test_spent_day_gets_passages_and_asks_no_member(opened: Open, model: Model, tmp_path: Path) -> None:
    async with opened() as stage:
        stage.settings.limits.__dict__["chat_tokens_per_day"] = 1
        room = Room(stage)
        await room.says("/ask Thanks!")
        model.asked.clear()
        await room.says(f"/council {QUESTION}")
        assert model.asked == []
        assert "FxStore needs Java 17." in room.last.text


async def test_budget_that_ends_in_the_middle_gives_the_best_so_far(opened: Open, model: Model) -> None:
    async with opened(tokens=1_000) as stage:
        stage.settings.budget.__dict__["tokens"] = 1_000
        room = Room(stage)
        await room.says(f"/council {QUESTION}")
        assert room.last.text.startswith("⚠")
        assert "FxStore needs Java 17" in room.last.text
        assert stage.jobs.failures == []


class TestRights:
    async def test_without_members_it_says_what_to_set(self, opened: Open, model: Model) -> None:
        async with opened(members=(), chairman="") as stage:
            room = Room(stage)
            for text in (f"/council {QUESTION}", "/council"):
                await room.says(text)
                assert "council.members" in room.last.text
            assert model.asked == []

    async def test_bare_command_says_how_to_ask(self, stage: Stage) -> None:
        room = Room(stage)
        await room.says("/council")
        assert room.last.text.startswith("Write your question after the command")
        assert "/council off" in room.last.text, "the owner is told of the switch"

    async def test_admins_switch_it_off_and_on_in_a_chat(self, stage: Stage, model: Model) -> None:
        room, other = Room(stage), Room(stage)
        group = stage.telegram.group("Team", [room.person, other.person])
        room.chat = other.chat = group
        await other.says("/council@thinktwice_bot off")
        assert room.last.text == TEXTS.text("refused-admins-only")
        await room.says("/council@thinktwice_bot off")
        assert room.last.text == TEXTS.text("council-switched-off")
        await other.says(f"/council@thinktwice_bot {QUESTION}")
        assert room.last.text == TEXTS.text("council-off")
        assert model.asked == []
        await room.says("/council@thinktwice_bot on")
        await other.says(f"/council@thinktwice_bot {QUESTION}")
        assert room.last.text.startswith("FxStore needs Java 17")

    async def test_only_admins_where_the_setting_says_so(self, opened: Open, model: Model) -> None:
        async with opened(audience="admins") as stage:
            owner, other = Room(stage), Room(stage)
            await other.says(f"/council {QUESTION}")
            assert other.last.text == TEXTS.text("council-admins")
            assert model.asked == []
            await owner.says(f"/council {QUESTION}")
            assert owner.last.text.startswith("FxStore needs Java 17")

    async def test_chat_has_a_limit_a_day(self, opened: Open, model: Model) -> None:
        async with opened(chat_per_day=1) as stage:
            room, other = Room(stage), Room(stage)
            await room.says(f"/council {QUESTION}")
            await room.says("/reset")
            await room.says(f"/council {QUESTION}")
            assert room.last.text.startswith("This chat has reached its limit of questions to the council")
            await room.says(QUESTION)
            assert not room.last.text.startswith("This chat")
            await other.says(f"/council {QUESTION}")
            assert other.last.text.startswith("FxStore needs Java 17")
