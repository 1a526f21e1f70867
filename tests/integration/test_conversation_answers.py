"""What a conversation said, and questions that lean on it: the real index, embedding and evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rag.errors import ModelUnavailableError
from rag.knowledge.search import KnowledgeBase
from rag.loop.composing import TEXTS
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Budget, Models
from rag.values import Answer, Label, Question, Turn
from rag.verifier.bundled import BundledReader
from tests.support.knowledge import indexed
from tests.support.loop import MemoryCorpus, engine, purposes, scripted, written

PAGES = {
    "leave": "# Leave\n\nMarco Rossi approves leave for the Milan office. Every employee has 27 days a year.",
    "printers": "# Printers\n\nThe printer stands in room 12. Guests may not use it without a badge.",
    "fxstore": "# FxStore\n\nFxStore needs Java 17. Its port is 8443.",
    "hours": "# Office hours\n\nThe office opens at 8:00 and closes at 19:00 on working days.",
    "travel": "# Travel\n\nTravel expenses are approved by the head of finance within ten days.",
    "badges": "# Badges\n\nA lost badge costs 15 euros. Badges are issued by the reception in Milan.",
    "states": "# Case states\n\nA case goes through open, map and close. In map the addresses are looked up.",
    "security": "# Security\n\nWhat the documents do not say, the head of security decides.",
}
REFUSAL = "The documents do not say it."
STAYS = "Anna decided that the team stays on FxStore 0.2.9 until June."


SAID = {
    "en": (STAYS, "What did Anna decide about the FxStore version?", REFUSAL),
    "ru": (
        "Анна решила, что команда остаётся на FxStore 0.2.9 до июня.",
        "Что Анна решила о версии FxStore?",
        "Документы этого не говорят.",
    ),
    "es": (
        "Ana decidió que el equipo sigue con FxStore 0.2.9 hasta junio.",
        "¿Qué decidió Ana sobre la versión de FxStore?",
        "Los documentos no lo dicen.",
    ),
    "id": (
        "Anna memutuskan tim tetap memakai FxStore 0.2.9 sampai Juni.",
        "Apa yang diputuskan Anna tentang versi FxStore?",
        "Dokumen tidak menyebutkannya.",
    ),
    "ko": (
        "안나는 팀이 6월까지 FxStore 0.2.9를 유지하기로 결정했습니다.",
        "안나는 FxStore 버전에 대해 무엇을 결정했나요?",
        "문서에는 나와 있지 않습니다.",
    ),
    "zh": (
        "安娜决定团队在六月之前继续使用 FxStore 0.2.9。",
        "安娜对 FxStore 版本做了什么决定？",
        "文档没有说明。",
    ),
}
"""By language: what somebody said, a question about it, and a refusal."""


@pytest.fixture(scope="module", params=["minilm"])
def handbook(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KnowledgeBase]:
    with indexed(tmp_path_factory.mktemp("handbook"), PAGES, request.param) as base:
        yield base


READER = BundledReader()


def said(*turns: str, label: Label = "verified") -> tuple[Turn, ...]:
    """A history: what the user and the assistant said by turns."""
    return tuple(
        Turn("assistant", text, label=label) if n % 2 else Turn("user", text) for n, text in enumerate(turns)
    )


async def ask(
    base: KnowledgeBase, question: Question, *, fast_path: str = "always", **replies: Reply
) -> tuple[Answer, ScriptedModel]:
    model = scripted(**replies)
    return await engine(model, base, verifier=READER, fast_path=fast_path).answer(question), model  # type: ignore[arg-type]  # the real corpus


class TestWhatTheConversationSaid:
    ASKED = "What did Anna decide about the FxStore version?"

    @pytest.mark.parametrize(
        ("history", "summary"),
        [
            pytest.param(said(STAYS, "Noted.", label="general"), "", id="in the window"),
            pytest.param(said("Hello!", "Hello."), f"The user is called Boris. {STAYS}", id="in the summary"),
        ],
    )
    async def test_is_evidence_for_a_question_about_it_but_verifies_nothing(
        self, handbook: KnowledgeBase, history: tuple[Turn, ...], summary: str
    ) -> None:
        answer, model = await ask(handbook, Question(self.ASKED, history, summary), draft=STAYS)
        assert (answer.text, answer.verdict.quality) == (STAYS, "adequate")
        assert answer.label == "conversation"
        assert answer.citations == ()
        assert purposes(model) == ["draft"]

    @pytest.mark.parametrize("handbook", ["multilingual"], indirect=True)
    @pytest.mark.parametrize(("statement", "asked", "refusal"), SAID.values(), ids=SAID)
    async def test_counts_in_every_language_and_a_refusal_in_none(
        self, handbook: KnowledgeBase, statement: str, asked: str, refusal: str
    ) -> None:
        answer, _ = await ask(handbook, Question(asked, said(statement, "OK.")), draft=statement)
        assert (answer.text, answer.verdict.quality) == (statement, "adequate")
        assert answer.label != "verified"
        declined = Question(asked, said(asked, refusal, label="not_in_documents"))
        answer, _ = await ask(handbook, declined, draft=refusal, regenerate=f"{refusal} [1]")
        # Where a sentence comes close it is quoted, which is not to say that it answers.
        assert answer.label == ("unverified" if answer.citations else "not_in_documents")
        assert answer.verdict.quality != "adequate"
        assert f"{refusal} [1]" not in answer.text

    async def test_is_no_evidence_for_another_version(self, handbook: KnowledgeBase) -> None:
        question = Question(self.ASKED, said(STAYS, "Noted."))
        answer, _ = await ask(handbook, question, draft="Anna decided on 0.3.1.", regenerate=REFUSAL)
        assert answer.label == ("unverified" if answer.citations else "not_in_documents")
        assert answer.verdict.quality != "adequate"
        assert "0.3.1" not in answer.text

    async def test_counts_for_nothing_where_nobody_confirmed_an_answer(self, handbook: KnowledgeBase) -> None:
        history = said("What did Anna decide?", STAYS, label="unverified")
        answer, _ = await ask(handbook, Question(self.ASKED, history), draft=STAYS, regenerate=REFUSAL)
        confirmed = replace(history[-1], label="general")
        told, _ = await ask(
            handbook, Question(self.ASKED, (history[0], confirmed)), draft=STAYS, regenerate=REFUSAL
        )
        assert told.label == "conversation"
        assert answer.label in {"unverified", "general"}

    async def test_does_not_outweigh_the_documents(self, handbook: KnowledgeBase) -> None:
        question = Question("Which Java does FxStore need?", said("FxStore needs Java 21 now.", "Noted."))
        answer, _ = await ask(
            handbook, question, draft="FxStore needs Java 21.", regenerate="FxStore needs Java 17 [1]."
        )
        assert (answer.text, answer.label) == ("FxStore needs Java 17 [1].", "verified")

    @pytest.mark.parametrize(
        "regenerated", [REFUSAL, f"{REFUSAL} [1]", "The documents do not say it [1][2]."]
    )
    async def test_does_not_make_a_refusal_adequate_or_cited(
        self, handbook: KnowledgeBase, regenerated: str
    ) -> None:
        history = said("Who approves leave in Oslo?", REFUSAL, label="not_in_documents")
        question = Question("and in Berlin?", history)
        answer, _ = await ask(handbook, question, draft=REFUSAL, regenerate=regenerated)
        # A sentence that comes close is quoted, which is not to say that it answers.
        assert answer.label == ("unverified" if answer.citations else "not_in_documents")
        assert answer.verdict.quality != "adequate"
        assert regenerated not in answer.text

    @pytest.mark.parametrize(
        "regenerated", [REFUSAL, f"{REFUSAL} [1]", "The documents do not say it [1][2]."]
    )
    async def test_does_not_send_a_refusal_where_a_sentence_comes_close(
        self, handbook: KnowledgeBase, regenerated: str
    ) -> None:
        history = said("Who approves leave in Oslo?", REFUSAL, label="not_in_documents")
        question = Question("Who approves leave in Berlin?", history)
        answer, _ = await ask(handbook, question, draft=REFUSAL, regenerate=regenerated)
        assert (answer.label, answer.verdict.quality) == ("unverified", "unchecked")
        assert answer.text.startswith(TEXTS.text("quotation-possible", "en"))
        assert "“**Marco Rossi** approves leave for the Milan office." in answer.text
        assert "The documents do not say it" not in answer.text


class TestFollowUp:
    HISTORY = said("Which states does a case go through?", "Three: open, map, close.")
    SECOND = Question("and the second?", HISTORY)
    WHOLE = "What is the second of the states of a case?"

    async def test_is_written_as_a_question_that_stands_alone_before_documents_are_read(
        self, handbook: KnowledgeBase
    ) -> None:
        answer, model = await ask(
            handbook,
            self.SECOND,
            draft="I do not know.",
            standalone=self.WHOLE,
            regenerate="In map the addresses are looked up [1].",
        )
        assert purposes(model) == ["draft", "standalone", "regenerate"]
        assert f"<question>\n{self.WHOLE}\n</question>" in written(model)
        assert "Three: open, map, close." in written(model)
        assert (answer.standalone, answer.label) == (self.WHOLE, "verified")
        (line,) = (line for line in answer.trace if line.step == "standalone")
        assert (str(line.detail), line.prompt.split("#")[0]) == (f"“{self.WHOLE}”", "standalone@1")

    async def test_that_the_draft_answers_costs_no_call_more(self, handbook: KnowledgeBase) -> None:
        answer, model = await ask(handbook, self.SECOND, draft="The second is map.")
        assert purposes(model) == ["draft"]
        assert answer.standalone == "Which states does a case go through? and the second?"

    async def test_is_made_whole_also_where_documents_come_first(self, handbook: KnowledgeBase) -> None:
        _, model = await ask(
            handbook, self.SECOND, fast_path="never", standalone=self.WHOLE, regenerate="It is map [1]."
        )
        assert purposes(model)[:2] == ["standalone", "regenerate"]

    @pytest.mark.parametrize(
        "standalone",
        [
            pytest.param("What is the second state of a case in Jira?", id="it says more"),
            pytest.param("Каково второе состояние?", id="another language"),
            pytest.param("", id="nothing"),
            pytest.param(ModelUnavailableError("down"), id="no model"),
        ],
    )
    async def test_is_asked_with_the_questions_before_it_when_none_comes_of_it(
        self, handbook: KnowledgeBase, standalone: Reply
    ) -> None:
        # A model that failed is not asked again for a while: the writer is another one.
        model = scripted(
            draft="I do not know.",
            standalone=standalone,
            regenerate="In map the addresses are looked up [1].",
        )
        others = Models(writer="ollama:writer")
        answer = await engine(model, handbook, model_settings=others).answer(self.SECOND)  # type: ignore[arg-type]  # the real corpus
        assert purposes(model) == ["draft", "standalone", "regenerate"]
        assert answer.standalone == "Which states does a case go through? and the second?"
        assert answer.text.startswith("In map")

    async def test_is_not_made_whole_when_the_budget_is_spent(self, handbook: KnowledgeBase) -> None:
        model = scripted(draft="I do not know.")
        answer = await engine(model, handbook, budget=Budget(calls=1)).answer(self.SECOND)  # type: ignore[arg-type]  # the real corpus
        assert purposes(model) == ["draft"]
        assert answer.label == "unverified"

    async def test_is_not_made_whole_without_documents(self) -> None:
        model = scripted(draft="I do not know.")
        await engine(model, MemoryCorpus(())).answer(self.SECOND)
        assert "standalone" not in purposes(model)

    async def test_of_thanks_is_not_made_whole(self, handbook: KnowledgeBase) -> None:
        _, model = await ask(handbook, Question("thanks!", self.HISTORY), draft="You are welcome!")
        assert purposes(model) == ["draft"]


class TestWhoSeesTheConversation:
    async def test_writer_of_a_question_of_its_own_sees_none(self, handbook: KnowledgeBase) -> None:
        history = said("Which states does a case go through?", "Three: open, map, close.")
        question = Question("How many days of leave has an employee?", history, "Boris is new.")
        _, model = await ask(
            handbook, question, draft="I do not know.", regenerate="Every employee has 27 days [1]."
        )
        assert "Three: open" not in written(model)
        assert "Boris" not in written(model)


class TestDoubt:
    LEAVE = "How many days of leave does every employee have?"

    @pytest.mark.parametrize("message", ["Are you sure?", "really??", "¿Estás seguro?"])
    async def test_is_answered_with_the_sentence_that_confirms_and_no_model(
        self, handbook: KnowledgeBase, message: str
    ) -> None:
        before = said(self.LEAVE, "Every employee has 27 days.", label="general")
        answer, model = await ask(handbook, Question(message, before))
        assert (answer.label, [one.document for one in answer.citations]) == ("verified", ["Leave"])
        assert answer.text == "“Every employee has **27** days a year.” [1]"
        assert purposes(model) == []

    async def test_goes_to_the_model_where_no_document_confirms(self, handbook: KnowledgeBase) -> None:
        before = said("Who won the cup in 1998?", "France.", label="general")
        answer, model = await ask(handbook, Question("Are you sure?", before), draft="Yes, France won it.")
        assert answer.label != "verified"
        assert "draft" in purposes(model)
