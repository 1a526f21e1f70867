"""A question in a private chat is seen at work and answered once, whatever becomes of the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import Engine, event
from structlog.testing import CapturingLogger

from bot.service import answering
from bot.service.incoming import Place
from bot.storage.chats import Chats
from bot.telegram.ids import to_peer
from rag.errors import KnowledgeError, ModelUnavailableError
from rag.knowledge.search import KnowledgeBase
from rag.models.chat import ChatRequest, Completion
from rag.settings import Budget, Models
from rag.verifier import Carried, Claim
from rag.verifier.bundled import BundledReader
from rag.verifier.scripted import ScriptedVerifier
from tests.support.asking import ANSWER, QUESTION, Gate, Opened, answered, private
from tests.support.channel import Channel, direct
from tests.telegram.waiting import until

QUOTED = (
    "“FxStore needs Java 17. It listens on port 8443.” [1]\n\n✔ verified against the documents\n[1] FxStore"
)
"""The answer without a model: the sentence that answers, in its own words."""


class TestPrivateChats:
    async def test_work_is_seen_as_a_draft_and_becomes_one_answer_with_label_sources_and_buttons(
        self, c: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ann, chat = private(c)
        check = BundledReader.carries

        async def check_when_shown(reader: BundledReader, claims: Sequence[Claim]) -> Carried:
            await until(lambda: any("Java" in text for one in chat.all_drafts for text in one.versions))
            return await check(reader, claims)

        monkeypatch.setattr(BundledReader, "carries", check_when_shown)
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
            await c.telegram.until(lambda: gate.begun and chat.answers)
            assert chat.answers[0].button("Stop").data == "stop:1"
            gate.open.set()
            await task
            assert chat.texts == [ANSWER]
            assert chat.answers[0].edits == ("⏳ Reading the message …", ANSWER)
            assert chat.actions == []

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

    async def test_explanation_names_languages_in_the_language_of_the_reader(self, opened: Opened) -> None:
        async with opened("Для FxStore нужна Java 17, и больше ничего для работы не требуется.") as c:
            ann, chat = private(c, language="ru")
            await answered(c, ann.says(chat, QUESTION))
            await c.handle(ann.says(chat, "/why"))
            why = "".join(chat.texts[1:])
        assert "вопрос (английский)" in why
        assert "это русский, а нужен английский" in why

    async def test_conversation_is_remembered_with_its_statistics(self, c: Channel) -> None:
        ann, chat = private(c)
        sent = ann.says(chat, QUESTION)
        await answered(c, sent)

        history = await c.history(Place(to_peer(chat.id), "private"))
        assert [(turn.role, turn.text, turn.author) for turn in history] == [
            ("user", QUESTION, ""),
            ("assistant", "FxStore needs Java 17 [1].", ""),
        ]
        ask = await c.stores.asks.find_by_message(to_peer(chat.id), sent.message_id)
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
            await c.stores.chats.set_model(to_peer(chat.id), "openai:large")
            chosen = await asked_models()
            await c.stores.chats.set_model(to_peer(chat.id), "openai:gone")
            gone = await asked_models()
        assert set(usual.values()) <= {"openai:small", "openai:wise"}
        assert chosen == {
            role: "openai:large" if role in {"draft", "writer"} else name for role, name in usual.items()
        }
        assert {"draft", "writer"} <= set(chosen)
        assert gone == usual

    async def test_chat_that_wants_documents_only_gets_no_general_knowledge(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(BundledReader, "find", ScriptedVerifier().find)
        async with opened("Tokyo.") as c:
            ann, chat = private(c)
            assert isinstance(c.stores.chats, Chats)
            await c.stores.chats.set_documents_only(to_peer(chat.id), is_on=True)
            await answered(c, ann.says(chat, "What is the capital of Japan?"))
            assert c.model.requests == []
        (message,) = chat.texts
        assert message.startswith("The documents do not say it.")
        assert "∅ not in the documents" in message

    async def test_language_of_the_program_tips_the_scales_where_a_short_question_shows_none(
        self, c: Channel
    ) -> None:
        ann, chat = private(c, language="ro")
        await answered(c, ann.says(chat, "unde depun cererea?"))
        assert "Romanian" in str(c.model.requests[0])

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
            ask = await c.stores.asks.latest(to_peer(chat.id), None)
            assert ask is None

    async def test_model_that_is_away_never_shows_its_error_in_the_chat(self, opened: Opened) -> None:
        async with opened(ModelUnavailableError("http://10.0.0.1:1 refused, key sk-1")) as c:
            ann, chat = private(c)
            await answered(c, ann.says(chat, QUESTION))
            assert chat.texts == [QUOTED]
            assert "sk-1" not in c.telegram.transcript(chat)

    async def test_nothing_but_that_no_model_is_there_is_said_where_nothing_answers(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(BundledReader, "find", ScriptedVerifier().find)
        async with opened(ModelUnavailableError("http://10.0.0.1:1 refused, key sk-1")) as c:
            ann, chat = private(c)
            await answered(c, ann.says(chat, QUESTION))
            (message,) = chat.answers
            assert "No language model is available right now" in message.text
            assert "verified against the documents" not in message.text
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
        assert chat.texts == [QUOTED]

    async def test_broken_knowledge_base_is_an_apology_without_details(
        self, c: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken(*_args: object, **_options: object) -> None:
            raise KnowledgeError("the file /secret/place is damaged")

        monkeypatch.setattr(KnowledgeBase, "search", broken)
        ann, chat = private(c)
        sent = ann.says(chat, QUESTION)
        await answered(c, sent)
        assert chat.texts[0].startswith("Sorry, I could not answer this question")
        assert "/secret/place" not in c.telegram.transcript(chat)
        ask = await c.stores.asks.find_by_message(to_peer(chat.id), sent.message_id)
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
            assert await c.stores.asks.open_in_chat(to_peer(chat.id)) == ()
            assert not (await c.stores.chats.get(to_peer(chat.id))).is_active
            ann.unblocks()
            gate.open.set()
            await answered(c, ann.says(chat, QUESTION))
            assert chat.texts == [ANSWER]
            assert (await c.stores.chats.get(to_peer(chat.id))).is_active
