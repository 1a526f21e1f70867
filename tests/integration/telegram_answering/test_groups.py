"""Questions in a group, its topics and its plain messages, and what is refused there and elsewhere."""

from __future__ import annotations

import pytest

from bot.service.incoming import Place
from bot.service.people import Refusal
from bot.telegram.ids import to_peer
from tests.support.asking import ANSWER, MENTION, QUESTION, Gate, Opened, answered, group, private
from tests.support.channel import Channel


class TestGroups:
    async def test_one_short_placeholder_becomes_the_answer_and_nothing_unchecked_is_seen(
        self, opened: Opened
    ) -> None:
        async with opened("FxStore needs Java 17." + " It really does." * 40) as c:
            chat, (ann, _) = group(c)
            sent = ann.says(chat, MENTION)
            await answered(c, sent)
            (message,) = chat.answers
            assert message.reply_to is not None
            assert message.reply_to.message_id == sent.message_id
            placeholder, answer = message.edits
            assert placeholder == "⏳ Reading the message …"
            assert answer.startswith("FxStore needs Java 17")
            assert chat.actions == []
            assert chat.all_drafts == []

    async def test_names_of_the_askers_are_kept_in_the_history(self, c: Channel) -> None:
        chat, (ann, bob) = group(c)
        await answered(c, ann.says(chat, MENTION))
        await answered(c, bob.says(chat, "/ask and the port?"))
        history = await c.history(Place(to_peer(chat.id), "group"))
        assert [turn.author for turn in history if turn.role == "user"] == ["Ann", "Bob"]

    async def test_topics_have_histories_of_their_own(self, c: Channel) -> None:
        chat, (ann, _) = group(c, is_forum=True)
        one, two = c.telegram.topic(chat, "One"), c.telegram.topic(chat, "Two")
        await answered(c, ann.says(chat, MENTION, thread_id=one))
        assert [message.thread_id for message in chat.answers] == [one]
        assert len(await c.history(Place(to_peer(chat.id), "group", one))) == 2
        assert await c.history(Place(to_peer(chat.id), "group", two)) == ()

    async def test_quoted_message_is_part_of_the_question(self, c: Channel) -> None:
        chat, (ann, bob) = group(c)
        quoted = bob.says(chat, "I tried FxStore with Java 11 and it crashed")
        await answered(c, ann.says(chat, "@thinktwice_bot why is that?", reply_to=quoted))
        told = "\n".join(message.text for message in c.model.requests[0].messages)
        assert "I tried FxStore with Java 11 and it crashed" in told
        assert "Bob" in told
        history = await c.history(Place(to_peer(chat.id), "group"))
        assert not [turn for turn in history if "crashed" in turn.text], "who did not ask the bot is not kept"

    async def test_mention_below_a_message_asks_what_that_message_says(self, c: Channel) -> None:
        chat, (ann, bob) = group(c)
        quoted = bob.says(chat, QUESTION)
        await answered(c, ann.says(chat, "@thinktwice_bot", reply_to=quoted))
        assert chat.texts == [ANSWER]

    async def test_reply_to_an_old_answer_brings_that_answer_back(self, opened: Opened) -> None:
        async with opened() as c:
            chat, (ann, bob) = group(c)
            await answered(c, ann.says(chat, MENTION))
            old = chat.answers[0]
            for number in range(11):
                await answered(c, ann.says(chat, f"/ask What is {number} + {number}?"))
            c.model.requests.clear()
            await answered(c, bob.says(chat, "and which port?", reply_to=old))
            told = [message.text for message in c.model.requests[0].messages]
            assert any(QUESTION in text for text in told[-3:])

    async def test_deleted_question_is_answered_without_a_reply(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        sent = ann.says(chat, MENTION)
        ann.deletes(sent)
        await answered(c, sent)
        assert chat.texts == [ANSWER]
        assert chat.answers[0].reply_to is None

    async def test_group_that_moves_gets_its_answer_and_history_under_the_new_id(
        self, opened: Opened
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, _) = group(c, basic=True)
            task = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun)
            new = c.telegram.migrate(chat, ann)
            gate.open.set()
            await task
            assert new.texts == [ANSWER]
            assert len(await c.history(Place(to_peer(new.id), "group"))) == 2
            assert await c.history(Place(to_peer(chat.id), "group")) == ()

    async def test_placeholder_that_somebody_deletes_does_not_cost_the_answer(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            chat, (ann, _) = group(c)
            task = c.start(c.asked(ann.says(chat, MENTION)))
            await c.telegram.until(lambda: gate.begun and chat.answers)
            ann.deletes(chat.answers[0])
            gate.open.set()
            await task
            assert chat.texts == [ANSWER]

    async def test_plain_question_that_the_documents_cover_is_answered(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        await c.handle(ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("Shall we have lunch at noon?", id="not a matter of the documents"),
            pytest.param("FxStore needs Java 17, by the way.", id="no question"),
            pytest.param("How are you?", id="small talk"),
            pytest.param("?", id="a sign"),
        ],
    )
    async def test_other_plain_messages_are_neither_answered_nor_kept(self, c: Channel, text: str) -> None:
        chat, (ann, _) = group(c)
        await c.handle(ann.says(chat, text))
        assert (chat.texts, c.model.requests) == ([], [])
        assert await c.history(Place(to_peer(chat.id), "group")) == ()

    async def test_plain_question_that_is_corrected_gets_no_second_answer(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        sent = ann.says(chat, QUESTION)
        await c.handle(sent)
        await c.handle(ann.edits(sent, "And which Java does FxStore need?"))
        assert len(c.model.requests) == 1

    async def test_overheard_question_that_may_not_be_answered_gets_silence(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        c.rights.refusal = Refusal("press-finished")
        await c.handle(ann.says(chat, QUESTION))
        assert chat.texts == []


class TestRefusals:
    async def test_reason_is_told_when_it_is_due_and_not_again(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        c.rights.refusal = Refusal("press-not-yours")
        await answered(c, ann.says(chat, MENTION))
        c.rights.refusal = Refusal("press-not-yours", is_notice_due=False)
        await answered(c, ann.says(chat, MENTION))
        assert chat.texts == ["Only the person who asked can rate this answer."]
        assert c.model.requests == []

    async def test_file_of_an_administrator_is_answered_with_how_to_add_it(self, c: Channel) -> None:
        ann, chat = private(c)
        await c.handle(ann.sends_file(chat, "our tea.md", b"# Tea"))
        c.rights.admins = {to_peer(ann.id)}
        await c.handle(ann.sends_file(chat, "our tea.md", b"# Tea"))
        to_others, to_admins = chat.texts
        assert to_others == "I cannot read this as text. Please write it as plain text."
        assert to_admins.startswith(
            "I have not read our tea.md. To add it to the documents, reply to it with /add"
        )

    async def test_answer_to_a_caption_says_that_the_file_was_not_read(self, c: Channel) -> None:
        ann, chat = private(c)
        note = "📎 I read only the text, not the attachment."
        await answered(c, ann.sends_file(chat, "tea.md", b"# Tea", caption=QUESTION))
        assert note in chat.texts[-1]
        await answered(c, ann.says(chat, QUESTION))
        assert note not in chat.texts[-1]

    async def test_limit_counts_the_questions_that_wait(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            ann, chat = private(c)
            c.start(c.asked(ann.says(chat, QUESTION)))
            await c.telegram.until(lambda: gate.begun)
            await c.comes_in(c.asked(ann.says(chat, QUESTION)))
            assert c.limits.waiting == [0, 1]
