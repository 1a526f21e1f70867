"""A question that is edited is answered anew, in the place of its old answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.service.incoming import Place
from bot.service.people import Refusal
from bot.telegram.ids import to_peer
from tests.support.asking import (
    ANSWER,
    LONG,
    MENTION,
    QUESTION,
    STORY,
    Gate,
    Opened,
    answered,
    group,
    private,
)
from tests.support.channel import Channel, direct


class TestEdits:
    async def test_edited_question_is_answered_in_the_same_message(self, opened: Opened) -> None:
        drafts = iter(["FxStore needs Java 17.", "It listens on port 8443."])
        async with opened(drafts) as c:
            chat, (ann, _) = group(c)
            sent = ann.says(chat, MENTION)
            await answered(c, sent)
            edited = ann.edits(sent, "@thinktwice_bot On which port does FxStore listen?")
            assert await c.stopping.withdraw(c.asked(edited), direct)
            await answered(c, edited)

            assert len(chat.texts) == 1
            assert chat.texts[0].startswith("It listens on port 8443")
            history = await c.history(Place(to_peer(chat.id), "group"))
            assert [turn.text for turn in history if turn.role == "user"] == [
                "On which port does FxStore listen?"
            ], "the old exchange is replaced"

    async def test_edit_while_the_answer_is_written_ends_the_old_work(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, _) = group(c)
            sent = ann.says(chat, "/ask Which Python does FxStore need?")
            first = c.start(c.asked(sent))
            await c.telegram.until(lambda: gate.begun)
            edited = ann.edits(sent, MENTION)
            assert await c.stopping.withdraw(c.asked(edited), direct)
            assert (gate.cancelled, first.cancelled()) == (1, True)
            gate.open.set()
            await answered(c, edited)
            assert chat.texts == [ANSWER]

    @pytest.mark.parametrize(
        ("is_told", "said"),
        [(True, "Only the person who asked can rate this answer."), (False, "⏹ Stopped.")],
        ids=["told", "told a moment ago"],
    )
    async def test_edit_that_is_refused_leaves_nobody_waiting_for_the_old_work(
        self, opened: Opened, is_told: bool, said: str
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, _) = group(c)
            sent = ann.says(chat, "/ask Which Java must FxStore have?")
            c.start(c.asked(sent))
            await c.telegram.until(lambda: gate.begun)
            c.limits.refusal = Refusal("press-not-yours", is_notice_due=is_told)
            await c.handle(ann.edits(sent, MENTION))
            await asyncio.gather(*c.jobs.tasks.values(), return_exceptions=True)
            assert chat.texts == [said]
            assert await c.stores.asks.open_in(to_peer(chat.id), None) == ()

            # The first text again, when there is room for it.
            c.limits.refusal = None
            gate.open.set()
            await c.handle(ann.edits(sent, "/ask Which Java must FxStore have?"))
            await asyncio.gather(*c.jobs.tasks.values(), return_exceptions=True)
            assert chat.texts == [ANSWER]

    @pytest.mark.parametrize("waits", [False, True], ids=["in its turn", "while it waits"])
    async def test_edit_that_is_refused_leaves_the_answer_to_the_old_text_its_buttons(
        self, opened: Opened, waits: bool
    ) -> None:
        gate = Gate()
        gate.open.set()
        async with opened(gate) as c:
            chat, (ann, bob) = group(c)
            sent = ann.says(chat, MENTION)
            await answered(c, sent)
            (answer,) = chat.answers
            if waits:
                gate.open.clear()
                begun = gate.begun
                c.start(c.asked(bob.says(chat, "/ask Which Ruby does FxStore need?")))
                await c.telegram.until(lambda: gate.begun > begun)
            c.limits.refusal = Refusal("limit-queue", {"limit": 1})
            edited = c.asked(ann.edits(sent, "/ask Which Python does FxStore need?"))
            assert await c.stopping.withdraw(edited, direct)
            if waits:
                await c.comes_in(edited)
                await c.telegram.until(
                    lambda: [text for text in chat.texts if text.startswith("Too many questions")]
                )
            else:
                await c.answering(edited, direct)
            await c.handle(ann.presses(answer, "Useful"))
            assert chat.presses[-1].alert == "Thank you! Rated as useful."
            gate.open.set()

    async def test_older_edit_does_not_end_the_work_for_a_newer_one(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, _) = group(c)
            sent = ann.says(chat, "/ask Which Python does FxStore need?")
            older = c.asked(ann.edits(sent, "/ask Which Ruby does FxStore need?"))
            newer = c.asked(ann.edits(sent, MENTION))
            newer = replace(
                newer, message=replace(newer.message, sent_at=older.message.sent_at + timedelta(seconds=1))
            )
            answering = c.start(newer)
            await c.telegram.until(lambda: gate.begun)
            assert not await c.stopping.withdraw(older, direct)
            gate.open.set()
            await answering
            assert chat.texts == [ANSWER]

    async def test_edit_that_leaves_the_words_alone_changes_nothing(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        sent = ann.says(chat, MENTION)
        await answered(c, sent)
        assert not await c.stopping.withdraw(c.asked(ann.edits(sent, MENTION)), direct)

    async def test_message_that_is_edited_to_address_the_bot_is_a_new_question(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        sent = ann.says(chat, "Which Java?")
        edited = ann.edits(sent, MENTION)
        assert await c.stopping.withdraw(c.asked(edited), direct)
        await answered(c, edited)
        assert chat.texts == [ANSWER]

    async def test_shorter_answer_takes_the_messages_of_the_longer_one_away(self, opened: Opened) -> None:
        drafts = iter([LONG, "FxStore needs Java 17."])
        async with opened(drafts, is_checked=False) as c:
            ann, chat = private(c)
            sent = ann.says(chat, STORY)
            await answered(c, sent)
            assert len(chat.texts) == 3
            edited = ann.edits(sent, QUESTION)
            await c.stopping.withdraw(c.asked(edited), direct)
            await answered(c, edited)
            (text,) = chat.texts
            assert text.startswith("FxStore needs Java 17.")

    async def test_work_for_a_text_that_was_edited_meanwhile_does_nothing(self, c: Channel) -> None:
        ann, chat = private(c)
        sent = ann.says(chat, "Which Python?")
        old = c.asked(sent)
        await answered(c, ann.edits(sent, QUESTION))
        await c.answering(old, direct)
        assert chat.texts == [ANSWER]
