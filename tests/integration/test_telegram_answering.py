"""Questions on their way, against a Telegram server and real stores; only the model is scripted."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Engine, event
from structlog.testing import CapturingLogger

from bot.service import answering
from bot.service.incoming import Place
from bot.service.people import Refusal
from bot.storage.chats import Chats
from bot.telegram.inbound.inbox import UPDATE
from bot.telegram.outbound import messages
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from rag.errors import KnowledgeError, ModelUnavailableError
from rag.models.chat import ChatRequest, Completion
from rag.models.scripted import Reply, Script
from rag.settings import Budget, Models
from tests.support.channel import Channel, direct, open_channel
from tests.support.loop import purposes
from tests.support.recorded_steps import KilledError, Recording
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

QUESTION = "Which Java does FxStore need?"
ANSWER = "FxStore needs Java 17 [1].\n\n✔ verified against the documents\n[1] FxStore"
MENTION = f"@thinktwice_bot {QUESTION}"

Draft: TypeAlias = "str | Exception | Iterator[str] | Callable[[ChatRequest], Awaitable[str]]"
Opened = Callable[..., AbstractAsyncContextManager[Channel]]


def replies(draft: Draft) -> Script:
    """A model whose drafts a test gives, and that finds them all good."""
    others: dict[str, Reply] = {
        "judge": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9},
        "classify": {"intent": "question", "question": QUESTION},
        "rewrite": {"query": "FxStore runtime"},
        "regenerate": "FxStore needs Java 17 [1].",
        "read": "Java 17",
        "continue": "and no other.",
    }

    async def reply(request: ChatRequest) -> Reply:
        if isinstance(draft, Exception):
            return draft
        if request.purpose != "draft":
            return others[request.purpose]
        if isinstance(draft, str):
            return draft
        return next(draft) if isinstance(draft, Iterator) else await draft(request)

    return reply


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    def make(draft: Draft = "FxStore needs Java 17.", **options: Any) -> AbstractAsyncContextManager[Channel]:
        return open_channel(tmp_path, replies(draft), monkeypatch, **options)

    return make


@pytest.fixture
async def c(opened: Opened) -> AsyncIterator[Channel]:
    async with opened() as channel:
        yield channel


class Gate:
    """A model that answers when it is let."""

    def __init__(self, text: str = "FxStore needs Java 17.") -> None:
        self.text = text
        self.begun = 0
        self.cancelled = 0
        self.open = asyncio.Event()

    async def __call__(self, request: ChatRequest) -> str:
        self.begun += 1
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self.text


def private(c: Channel, name: str = "Ann", language: str = "en") -> tuple[Person, Chat]:
    person = c.telegram.user(name, language_code=language)
    return person, c.telegram.private(person)


def group(c: Channel, *names: str, **options: Any) -> tuple[Chat, list[Person]]:
    people = [c.telegram.user(name, language_code="en") for name in names or ("Ann", "Bob")]
    return c.telegram.group("Team", people, **options), people


async def answered(c: Channel, sent: Sent, run_step: Any = direct) -> None:
    await c.answering(c.asked(sent), run_step)


class TestPrivateChats:
    async def test_work_is_seen_as_a_draft_and_becomes_one_answer_with_label_sources_and_buttons(
        self, c: Channel
    ) -> None:
        ann, chat = private(c)
        await answered(c, ann.says(chat, QUESTION))

        (message,) = chat.answers
        assert message.text == ANSWER
        assert [[button.text for button in row] for row in message.buttons] == [
            ["👍 Useful", "👎 Wrong"],
            ["📄 Sources", "🔎 Why"],
        ]
        shown = [version for draft in chat.all_drafts for version in draft.versions]
        assert shown[0] == "⏳ Reading the message …"
        assert any("Not checked yet" in version and "FxStore" in version for version in shown)
        assert all("Not checked yet" in version for version in shown if "Java" in version)
        assert all(draft.can_stop for draft in chat.all_drafts)

    async def test_answer_takes_few_transactions_and_statements(self, c: Channel) -> None:
        counts: Counter[str] = Counter()

        def note(name: str) -> Callable[..., None]:
            return lambda *_given: counts.update((name,))

        heard = {"begin": note("transactions"), "before_cursor_execute": note("statements")}
        ann, chat = private(c)
        for name, listener in heard.items():
            event.listen(Engine, name, listener)
        try:
            await answered(c, ann.says(chat, QUESTION))
        finally:
            for name, listener in heard.items():
                event.remove(Engine, name, listener)
        assert 0 < counts["transactions"] <= 14
        assert counts["statements"] - counts["transactions"] <= 36

    async def test_without_drafts_a_placeholder_with_a_stop_button_becomes_the_answer(
        self, opened: Opened
    ) -> None:
        gate = Gate()
        async with opened(gate) as c:
            ann, chat = private(c)
            c.telegram.fail_next("sendMessageDraft", description="Bad Request: TEXTDRAFT_PEER_INVALID")
            task = c.start(c.asked(ann.says(chat, QUESTION)))
            await c.telegram.until(lambda: gate.begun and "⏳ Drafting …" in chat.texts)
            assert chat.answers[0].button("Stop").data == "stop:1"
            gate.open.set()
            await task
            assert chat.texts == [ANSWER]
            edits = chat.answers[0].edits
            assert edits[:2] == ("⏳ Reading the message …", "⏳ Drafting …")
            assert {action.action for action in chat.actions} == {"typing"}

    @pytest.mark.parametrize(
        ("language", "label", "button"),
        [
            pytest.param("ru-RU", "проверено по документам", "👍 Полезно", id="with a region"),
            pytest.param("ko", "문서와 대조해 확인함", "👍 유용해요", id="without"),
            pytest.param("xx", "verified against the documents", "👍 Useful", id="one without texts"),
        ],
    )
    async def test_asker_is_spoken_to_in_the_language_of_their_telegram(
        self, c: Channel, language: str, label: str, button: str
    ) -> None:
        ann, chat = private(c, language=language)
        await answered(c, ann.says(chat, QUESTION))
        (message,) = chat.answers
        assert message.text.startswith("FxStore needs Java 17"), "the answer is in the question's language"
        assert label in message.text
        assert message.button("useful:1").text == button

    async def test_conversation_is_remembered_with_its_statistics(self, c: Channel) -> None:
        ann, chat = private(c)
        sent = ann.says(chat, QUESTION)
        await answered(c, sent)

        history = await c.history(Place(chat.id, "private"))
        assert [(turn.role, turn.text, turn.author) for turn in history] == [
            ("user", QUESTION, ""),
            ("assistant", "FxStore needs Java 17 [1].", ""),
        ]
        ask = await c.stores.asks.find_by_message(chat.id, sent.message_id)
        assert ask is not None
        answered_id = f"tg:1:{sent.update_id}"
        assert (ask.state, ask.answered_id) == ("answered", answered_id)
        assert await c.stores.answers.feedback(answered_id, useful=True), "the answer can be rated"

    async def test_one_line_of_the_log_tells_of_an_answer(
        self, c: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = CapturingLogger()
        monkeypatch.setattr(answering, "_log", log)
        ann, chat = private(c)
        await answered(c, ann.says(chat, QUESTION))
        (line,) = log.calls
        assert (line.method_name, line.args) == ("info", ("a question was answered",))
        assert (line.kwargs["score"], line.kwargs["rounds"]) == (None, 0)
        assert "FxStore" not in str(line)

    async def test_next_question_sees_the_conversation(self, c: Channel) -> None:
        ann, chat = private(c)
        await answered(c, ann.says(chat, QUESTION))
        await answered(c, ann.says(chat, "and the port?"))
        assert QUESTION in [message.text for message in c.model.requests[-1].messages]

    async def test_model_of_the_chat_writes_and_the_others_stay(self, opened: Opened) -> None:
        offered = Models(default="openai:small", judge="openai:wise", choices=("openai:large",))
        # The draft names another version, so that a judge is asked and the answer is written again.
        async with opened("FxStore needs Java 11.", models=offered) as c:
            ann, chat = private(c)

            async def asked_models() -> dict[str, str]:
                c.model.requests.clear()
                await answered(c, ann.says(chat, QUESTION))
                await c.stores.memory.reset(f"telegram:{chat.id}:0")
                return {request.role: request.model for request in c.model.requests}

            usual = await asked_models()
            assert isinstance(c.stores.chats, Chats)
            await c.stores.chats.set_model(chat.id, "openai:large")
            chosen = await asked_models()
            await c.stores.chats.set_model(chat.id, "openai:gone")
            gone = await asked_models()
        assert set(usual.values()) <= {"openai:small", "openai:wise"}
        assert chosen == {
            role: "openai:large" if role in {"draft", "writer"} else name for role, name in usual.items()
        }
        assert {"draft", "writer"} <= set(chosen)
        assert gone == usual

    async def test_question_without_text_gets_told_how_to_ask(self, c: Channel) -> None:
        ann, chat = private(c)
        asked = c.asked(ann.says(chat, QUESTION))
        await c.answering(replace(asked, text=" "), direct)
        assert chat.texts == ["Write your question after the command: /ask How do I start?"]
        assert c.model.requests == []

    async def test_question_that_is_too_long_is_refused_with_its_limit(self, opened: Opened) -> None:
        async with opened(budget=Budget(question_characters=20)) as c:
            ann, chat = private(c, language="ru")
            await answered(c, ann.says(chat, QUESTION))
            assert chat.texts == ["В вопросе 29 символов, предел — 20. Сократите его, пожалуйста."]
            ask = await c.stores.asks.latest(chat.id, None)
            assert ask is None

    async def test_model_that_is_away_never_shows_its_error_in_the_chat(self, opened: Opened) -> None:
        async with opened(ModelUnavailableError("http://10.0.0.1:1 refused, key sk-1")) as c:
            ann, chat = private(c)
            await answered(c, ann.says(chat, QUESTION))
            (message,) = chat.answers
            assert "No language model is available right now" in message.text
            assert "sk-1" not in c.telegram.transcript(chat)

    async def test_stream_that_is_cut_is_never_shown_as_the_answer(
        self, c: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def cut(_request: ChatRequest, on_text: Callable[[str], None] | None = None) -> Completion:
            assert on_text is not None
            on_text("FxStore needs Java 8 and nothing el")
            raise ModelUnavailableError("the stream ended early")

        monkeypatch.setattr(c.model, "complete", cut)
        ann, chat = private(c)
        await answered(c, ann.says(chat, QUESTION))
        (message,) = chat.answers
        assert "Java 8" not in message.text
        assert "No language model is available right now" in message.text

    async def test_broken_knowledge_base_is_an_apology_without_details(
        self, c: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken(*_args: object, **_options: object) -> None:
            raise KnowledgeError("the file /secret/place is damaged")

        monkeypatch.setattr(c.engine.tools.corpus, "search", broken)
        ann, chat = private(c)
        sent = ann.says(chat, QUESTION)
        await answered(c, sent)
        assert chat.texts[0].startswith("Sorry, I could not answer this question")
        assert "/secret/place" not in c.telegram.transcript(chat)
        ask = await c.stores.asks.find_by_message(chat.id, sent.message_id)
        assert ask is not None
        assert ask.state == "failed"

    async def test_blocked_bot_ends_all_work_for_the_chat(self, opened: Opened) -> None:
        gate = Gate()
        async with opened(gate) as c:
            ann, chat = private(c)
            first = c.start(c.asked(ann.says(chat, "What is FxStore?")))
            await c.telegram.until(lambda: gate.begun)
            second = c.asked(ann.says(chat, QUESTION))
            ann.blocks()
            await c.answering(second, direct)

            assert gate.cancelled == 1
            assert first.cancelled()
            assert await c.stores.asks.open_in_chat(chat.id) == ()
            assert not (await c.stores.chats.get(chat.id)).is_active
            ann.unblocks()
            gate.open.set()
            await answered(c, ann.says(chat, QUESTION))
            assert chat.texts == [ANSWER]
            assert (await c.stores.chats.get(chat.id)).is_active


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
            assert message.edits[-1].startswith("FxStore needs Java 17")
            assert not [edit for edit in message.edits[:-1] if "Java" in edit]
            assert all(len(edit) < 60 for edit in message.edits[:-1])
            assert len(message.edits) <= 6
            assert len(chat.actions) <= 1
            assert chat.all_drafts == []

    async def test_names_of_the_askers_are_kept_in_the_history(self, c: Channel) -> None:
        chat, (ann, bob) = group(c)
        await answered(c, ann.says(chat, MENTION))
        await answered(c, bob.says(chat, "/ask and the port?"))
        history = await c.history(Place(chat.id, "group"))
        assert [turn.author for turn in history if turn.role == "user"] == ["Ann", "Bob"]

    async def test_topics_have_histories_of_their_own(self, c: Channel) -> None:
        chat, (ann, _) = group(c, is_forum=True)
        one, two = c.telegram.topic(chat, "One"), c.telegram.topic(chat, "Two")
        await answered(c, ann.says(chat, MENTION, thread_id=one))
        assert [message.thread_id for message in chat.answers] == [one]
        assert len(await c.history(Place(chat.id, "group", one))) == 2
        assert await c.history(Place(chat.id, "group", two)) == ()

    async def test_quoted_message_is_part_of_the_question(self, c: Channel) -> None:
        chat, (ann, bob) = group(c)
        quoted = bob.says(chat, "I tried FxStore with Java 11 and it crashed")
        await answered(c, ann.says(chat, "@thinktwice_bot why is that?", reply_to=quoted))
        told = "\n".join(message.text for message in c.model.requests[0].messages)
        assert "I tried FxStore with Java 11 and it crashed" in told
        assert "Bob" in told
        history = await c.history(Place(chat.id, "group"))
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
            assert len(await c.history(Place(new.id, "group"))) == 2
            assert await c.history(Place(chat.id, "group")) == ()

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
        assert await c.history(Place(chat.id, "group")) == ()

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
        c.rights.admins = {ann.id}
        await c.handle(ann.sends_file(chat, "our tea.md", b"# Tea"))
        to_others, to_admins = chat.texts
        assert to_others == "I cannot read this as text. Please send your question as plain text."
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
            rows = [await c.stores.asks.find_by_answer(chat.id, answer.message_id) for answer in chat.answers]
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
        (ask,) = await c.stores.asks.open_in(chat.id, None)
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
            assert await c.stores.asks.find_by_message(chat.id, waits.message.message_id) is None
            assert chat.texts == [ANSWER, said]


STORY = "Tell me a long story about the quick brown fox and the lazy dog"
FRUITS = [
    "apple",
    "pear",
    "plum",
    "cherry",
    "quince",
    "lemon",
    "orange",
    "mango",
    "papaya",
    "guava",
    "melon",
    "banana",
    "fig",
    "date",
]
LONG = "\n\n".join(
    f"The {fruit} fox 🎉: " + "the quick brown fox jumps over the lazy dog. " * 14 for fruit in FRUITS
)


class TestKills:
    """A kill at any step, before or after its outcome is kept; then the same work once more."""

    @pytest.mark.parametrize("has_recorded", [False, True], ids=["effect only", "recorded"])
    @pytest.mark.parametrize("kind", ["private", "group"])
    @pytest.mark.parametrize("script", ["FxStore needs Java 17.", LONG], ids=["short", "long"])
    async def test_answer_appears_exactly_once_wherever_the_process_is_killed(
        self, opened: Opened, script: str, kind: str, has_recorded: bool
    ) -> None:
        question = QUESTION if script != LONG else STORY
        async with opened(script, is_checked=script != LONG) as c:
            whole = Recording()
            ann, chat = private(c, "Whole") if kind == "private" else (c.telegram.user("Whole"), group(c)[0])
            text = question if kind == "private" else f"@thinktwice_bot {question}"
            await answered(c, ann.says(chat, text), whole)
            expected = chat.texts
            assert sum(len(part.encode("utf-16-le")) // 2 for part in expected) > (
                9000 if script == LONG else 50
            )
            assert len(expected) == (3 if script == LONG else 1)

            for kill_at in range(1, len(whole.order) + 1):
                person = c.telegram.user(f"Ann {kill_at}", language_code="en")
                chat = c.telegram.private(person) if kind == "private" else c.telegram.group("Team", [person])
                asked = c.asked(person.says(chat, text))
                recording = Recording(kill_at, has_recorded)
                with pytest.raises(KilledError):
                    await c.answering(asked, recording)
                drafts = purposes(c.model).count("draft")
                recording.restart()
                await c.answering(asked, recording)

                where = f"killed at {whole.order[kill_at - 1]}"
                rests = [t for t in chat.texts if t not in expected]
                assert [t for t in chat.texts if t in expected] == expected, where
                is_sending = whole.order[kill_at - 1].startswith(("placeholder", "send"))
                assert len(rests) <= (is_sending and not has_recorded), where
                if has_recorded and "draft" in recording.order[:kill_at]:
                    assert purposes(c.model).count("draft") == drafts, f"{where}: nothing is paid twice"
                assert len(await c.history(asked.message.place)) == 2, where
                # Once more, as if only the end of the work had not been recorded.
                recording.restart()
                await c.answering(asked, recording)
                assert [t for t in chat.texts if t in expected] == expected, where

    async def test_step_names_are_the_ones_that_are_declared(self, opened: Opened) -> None:

        async with opened(LONG, is_checked=False) as c:
            ann, chat = private(c)
            recording = Recording()
            await answered(c, ann.says(chat, STORY), recording)
            ours = {name.rstrip(" 0123456789") for name in recording.order} - {
                "classify", "draft", "probe", "evaluate", "judge", "retrieve", "regenerate", "rewrite", "cover"
            }  # fmt: skip
            assert ours <= {*answering.STEPS, *messages.STEPS}


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
            history = await c.history(Place(chat.id, "group"))
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
            assert await c.stores.asks.open_in(chat.id, None) == ()

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


class TestFaults:
    async def test_formatting_that_is_refused_leaves_the_answer_as_plain_text(self, c: Channel) -> None:
        ann, chat = private(c)
        c.telegram.fail_next("sendMessage", description="Bad Request: can't parse entities: x")
        await answered(c, ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]
        assert chat.answers[0].entities == ()

    @pytest.mark.parametrize("method", ["sendMessageDraft", "editMessageText", "sendChatAction"])
    async def test_failures_of_what_can_be_repeated_leave_one_answer(self, c: Channel, method: str) -> None:
        ann, chat = private(c)
        c.telegram.lose_next(method)
        c.telegram.fail_next(method, status=429, retry_after=1)
        await answered(c, ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]

    async def test_placeholder_whose_receipt_got_lost_becomes_the_answer(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        c.telegram.lose_next("sendMessage")
        await answered(c, ann.says(chat, MENTION))
        assert chat.texts == [ANSWER]

    async def test_answer_whose_receipt_got_lost_is_there_once(self, c: Channel) -> None:
        ann, chat = private(c)
        c.telegram.lose_next("sendMessage")
        await answered(c, ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]
        assert len(chat.answers[0].buttons) == 2

    async def test_question_of_4096_units_of_emoji_is_taken(self, c: Channel) -> None:
        ann, chat = private(c)
        await answered(c, ann.says(chat, "🎉" * 2048))
        assert len(chat.texts) == 1

    async def test_ten_chats_at_once_get_their_own_answers(self, opened: Opened) -> None:
        async def reply(request: ChatRequest) -> str:
            return f"You said: {request.messages[-1].text[-200:]}"

        async with opened(reply) as c:
            people = [private(c, f"P{n}") for n in range(10)]
            await asyncio.gather(
                *(
                    answered(c, ann.says(chat, f"Hello, secret-{n} is mine"))
                    for n, (ann, chat) in enumerate(people)
                )
            )
            for number, (_, chat) in enumerate(people):
                said = json.dumps(chat.texts)
                assert f"secret-{number} " in said
                assert not [n for n in range(10) if n != number and f"secret-{n} " in said]
