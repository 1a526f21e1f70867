"""Whoever must wait for an answer gets a 👀, in a busy group nothing else, and answers keep their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.service.people import Refusal
from bot.telegram.ids import to_peer
from bot.telegram.inbound.inbox import UPDATE
from bot.telegram.outbound.live_progress import Pace
from bot.telegram.outbound.rate_limits import Rate, Rates
from tests.support.asking import ANSWER, MENTION, QUESTION, Gate, Opened, answered, group, private, replies
from tests.support.channel import Channel, direct, open_channel
from tests.telegram.chats import Chat

OF_A_GROUP = Rates(chat=Rate(1000, 1.0))
"""Telegram's limits, without the one on messages a second, for which a test would have to wait."""

SEEN = [{"type": "emoji", "emoji": "👀"}]


def replied_to(chat: Chat) -> list[int | None]:
    """Return the ids of the messages that the answers of a chat reply to."""
    return [answer.reply_to.message_id if answer.reply_to else None for answer in chat.answers]


def reactions(chat: Chat) -> list[bool]:
    """Return for each message of a person whether it has the 👀."""
    return [message.reactions == SEEN for message in chat.messages if not message.outgoing]


class TestQueue:
    @pytest.mark.parametrize("kind", ["private", "group"])
    async def test_question_that_waits_gets_a_reaction_and_no_message(
        self, opened: Opened, kind: str
    ) -> None:
        gate = Gate()
        async with opened(gate, pace=Pace(60.0)) as c:
            ann, chat = private(c)
            if kind == "group":
                chat, (ann, _) = group(c)
            first = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun)
            waits = c.asked(ann.says(chat, MENTION))
            await c.comes_in(waits)
            assert len(chat.answers) == (kind == "group"), "only the placeholder of the first"
            assert reactions(chat) == [False, True]
            gate.open.set()
            await first
            await c.answering(waits, direct)
            assert chat.texts == [ANSWER, ANSWER]

    async def test_reaction_that_a_chat_does_not_allow_costs_no_answer(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, bob) = group(c)
            c.telegram.fail_next(
                "setMessageReaction", status=400, description="Bad Request: REACTION_INVALID"
            )
            first = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun)
            waits = c.asked(bob.says(chat, MENTION))
            await c.comes_in(waits)
            gate.open.set()
            await first
            await c.answering(waits, direct)
            assert chat.texts == [ANSWER, ANSWER]

    async def test_busy_group_gets_one_call_for_each_answer(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with open_channel(
            tmp_path, replies("FxStore needs Java 17."), monkeypatch, rates=OF_A_GROUP
        ) as c:
            chat, people = group(c, *(f"Person {number}" for number in range(14)))
            questions = [c.asked(person.says(chat, MENTION)) for person in people]
            for question in questions:
                await c.comes_in(question)
            for question in questions:
                await c.answering(question, direct)
            assert chat.texts == [ANSWER] * 14
            assert replied_to(chat) == [question.message.message_id for question in questions]
            calls = [call.method for call in c.telegram.requests if call.method != "getMe"]
            assert calls.count("sendMessage") == 14
            assert set(calls) == {"sendMessage", "setMessageReaction"}
            assert len(calls) <= 20, "what a group may get in a minute"

    async def test_group_whose_minute_is_half_used_sees_no_progress(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with open_channel(
            tmp_path, replies("FxStore needs Java 17."), monkeypatch, rates=OF_A_GROUP
        ) as c:
            chat, (ann, _) = group(c)
            while not c.delivery.is_busy(c.asked(ann.says(chat, MENTION)).message.place):
                await answered(c, ann.says(chat, MENTION))
            before = len(c.telegram.requests)
            await answered(c, ann.says(chat, MENTION))
            assert [call.method for call in c.telegram.requests[before:]] == ["sendMessage"]

    async def test_question_whose_turn_comes_while_it_comes_in_again_stays_at_work(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        asked = c.asked(ann.says(chat, MENTION))
        assert await c.reception.begin(asked)
        await c.comes_in(asked)
        (ask,) = await c.stores.asks.open_in(to_peer(chat.id), None)
        assert ask.state == "running"
        assert chat.texts == []

    async def test_answers_in_a_private_chat_stand_in_the_order_of_the_questions(self, c: Channel) -> None:
        ann, chat = private(c)
        questions = [c.asked(ann.says(chat, text)) for text in (QUESTION, "Hello!")]
        for question in questions:
            await c.comes_in(question)
        for question in questions:
            await c.answering(question, direct)
        rows = [
            await c.stores.asks.find_by_answer(to_peer(chat.id), answer.message_id) for answer in chat.answers
        ]
        asked_in = [each.message.message_id for each in questions]
        assert [row and row.message_id for row in rows] == asked_in
        # Two were open, so each shows which one it answers.
        assert [answer.reply_to and answer.reply_to.message_id for answer in chat.answers] == asked_in
        await answered(c, ann.says(chat, QUESTION))
        assert chat.answers[-1].reply_to is None

    async def test_question_refused_in_the_queue_is_told_once_and_never_answered(
        self, opened: Opened
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, bob) = group(c)
            first = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun)
            c.limits.refusal = Refusal("press-not-yours")
            waits = c.asked(bob.says(chat, MENTION))
            for _ in range(2):
                await c.comes_in(waits)
            said = "Only the person who asked can rate this answer."
            await c.telegram.until(lambda: said in chat.texts)
            gate.open.set()
            await first
            assert UPDATE not in {job.kind for job in c.jobs.taken}
            assert await c.stores.asks.find_by_message(to_peer(chat.id), waits.message.message_id) is None
            assert chat.texts == [ANSWER, said]
