"""Whoever must wait for an answer is told so, and the answers stand in the order of the questions."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.service.incoming import Place
from bot.service.people import Refusal
from bot.telegram.ids import to_peer
from bot.telegram.inbound.inbox import UPDATE
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from tests.support.asking import ANSWER, MENTION, QUESTION, Gate, Opened, group, private
from tests.support.channel import Channel, direct


class TestQueue:
    async def test_who_must_wait_is_told_the_place_and_the_notice_becomes_the_answer(
        self, opened: Opened
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, bob) = group(c)
            first = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun)
            waits = c.asked(bob.says(chat, MENTION))
            await c.comes_in(waits)
            assert len(chat.texts) == 2
            assert "one question is ahead of this one" in " ".join(chat.texts[1].split())
            gate.open.set()
            await first
            await c.answering(waits, direct)
            assert chat.texts == [ANSWER, ANSWER]

    async def test_answers_in_a_private_chat_stand_in_the_order_of_the_questions(
        self, opened: Opened
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            ann, chat = private(c)
            first = c.start(c.asked(ann.says(chat, QUESTION)))
            await c.telegram.until(lambda: gate.begun)
            waits = c.asked(ann.says(chat, "Hello!"))
            await c.comes_in(waits)
            (notice,) = chat.answers
            assert "one question is ahead of this one" in " ".join(notice.text.split())
            gate.open.set()
            await first
            await c.answering(waits, direct)
            assert notice.deleted
            rows = [
                await c.stores.asks.find_by_answer(to_peer(chat.id), answer.message_id)
                for answer in chat.answers
            ]
            asked = [row.message_id for row in rows if row is not None]
            assert asked == [said.message_id for said in chat.messages if not said.outgoing]

    async def test_notice_that_would_be_taken_away_again_makes_nobody_wait(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            ann, alone = private(c)
            chat, (bob, eve) = group(c)
            first = [c.start(c.asked(ann.says(alone, QUESTION))), c.start(c.asked(bob.says(chat, MENTION)))]
            await c.telegram.until(lambda: gate.begun and len(chat.texts) == 1)
            monkeypatch.setattr(Delivery, "is_tight", property(lambda _delivery: True))
            waiting = [c.asked(ann.says(alone, "Hello!")), c.asked(eve.says(chat, MENTION))]
            for asked in waiting:
                await c.comes_in(asked)
            # In the group the notice becomes the answer, so it costs nothing.
            assert (len(alone.answers), len(chat.texts)) == (0, 2)
            gate.open.set()
            await asyncio.gather(*first)
            for asked in waiting:
                await c.answering(asked, direct)
            assert len(alone.answers) == 2
            assert chat.texts == [ANSWER, ANSWER]

    async def test_question_whose_turn_comes_while_it_is_told_to_wait_stays_at_work(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        asked = c.asked(ann.says(chat, MENTION))
        assert await c.reception.begin(asked)
        await c.comes_in(asked)
        (ask,) = await c.stores.asks.open_in(to_peer(chat.id), None)
        assert ask.state == "running"
        assert chat.texts == []

    async def test_first_of_several_questions_at_once_is_answered_in_its_place(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, people = group(c, "Ann", "Bob", "Eve")
            questions = [c.asked(person.says(chat, MENTION)) for person in people]
            # The work for none of them has begun, as in the moment after all were recorded.
            for question in questions:
                await c.comes_in(question)
            assert chat.answers == []
            first = c.start(questions[0])
            await c.telegram.until(lambda: gate.begun and len(chat.texts) == 3)
            assert [" ".join(text.split())[:41] for text in chat.texts[1:]] == [
                "⏳ In the queue: one question is ahead of ",
                "⏳ In the queue: 2 questions are ahead of ",
            ]
            gate.open.set()
            await first
            for question in questions[1:]:
                await c.answering(question, direct)
            replied = [answer.reply_to and answer.reply_to.message_id for answer in chat.answers]
            assert replied == [question.message.message_id for question in questions]
            assert chat.texts == [ANSWER] * 3

    async def test_nobody_is_told_to_wait_for_nothing(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        asked = c.asked(ann.says(chat, MENTION))
        await c.comes_in(asked)
        await c.answering(asked, direct)
        await c.settled()
        assert chat.texts == [ANSWER]

    async def test_notice_that_comes_when_the_answer_has_begun_is_taken_away(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gate, late = Gate(), asyncio.Event()
        async with opened(gate) as c:
            send = c.delivery.send

            async def slow(place: Place, part: Part, **options: Any) -> int:
                if "queue" in part.text:
                    await late.wait()
                return await send(place, part, **options)

            monkeypatch.setattr(c.delivery, "send", slow)
            chat, (ann, bob) = group(c)
            first = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun)
            waits = c.asked(bob.says(chat, MENTION))
            await c.intake.admit(waits, "")
            gate.open.set()
            await first
            gate.open.clear()
            second = c.start(waits)
            await c.telegram.until(lambda: gate.begun == 2)
            late.set()
            await c.settled()
            assert len(chat.texts) == 3
            gate.open.set()
            await second
            assert chat.texts == [ANSWER, ANSWER]

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
