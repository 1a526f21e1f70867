"""The three scenarios of the loop in three languages, with the real index, embedding and evidence.

Only the model is scripted: it says what a model could say, and the product has to find out what it is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from rag.knowledge.search import KnowledgeBase
from rag.models.scripted import Reply, ScriptedModel
from rag.values import Answer, Question, Turn
from rag.verifier.bundled import BundledReader
from tests.support.knowledge import indexed
from tests.support.loop import engine, purposes, scripted

READER = BundledReader()


@dataclass(frozen=True, slots=True)
class Talk:
    """One language: its handbook, and what is asked and said.

    Args:
        pages: The handbook.
        asked: What FxStore is.
        told: The right answer to that.
        follow_up: A message that leans on both.
        more: A right answer to it.
        port: A question that only the handbook can answer.
        vague: A draft that does not know.
        listens: The answer of the handbook.
        version: A question about the version.
        invented: A draft with an invented version.
        current: The answer of the handbook.
    """

    pages: dict[str, str]
    asked: str
    told: str
    follow_up: str
    more: str
    port: str
    vague: str
    listens: str
    version: str
    invented: str
    current: str


TALKS = {
    "en": Talk(
        pages={
            "fxstore": "# FxStore\n\nFxStore is an object store for images. It keeps every image in three "
            "copies and deletes nothing before 30 days have passed.",
            "api": "# API of FxStore\n\nThe server of FxStore listens on port 8443.",
            "releases": "# Releases\n\nThe current version of FxStore is 0.3.0.",
            "leave": "# Leave\n\nEvery employee has 27 days of leave a year.",
            "rooms": "# Rooms\n\nThe printer stands in room 12.",
        },
        asked="What is FxStore?",
        told="FxStore is an object store for images.",
        follow_up="explain more",
        more="It keeps every image in three copies.",
        port="Which port does the server of FxStore listen on?",
        vague="I do not know which port the server of FxStore listens on.",
        listens="The server of FxStore listens on port 8443",
        version="What is the current version of FxStore?",
        invented="The current version of FxStore is 2.0.0.",
        current="The current version of FxStore is 0.3.0",
    ),
    "ru": Talk(
        pages={
            "fxstore": "# FxStore\n\nFxStore — это объектное хранилище для изображений. Оно держит каждое "
            "изображение в трёх копиях и ничего не удаляет раньше, чем через 30 дней.",
            "api": "# API FxStore\n\nСервер FxStore слушает порт 8443.",
            "releases": "# Выпуски\n\nТекущая версия FxStore — 0.3.0.",
            "leave": "# Отпуск\n\nУ каждого сотрудника 27 дней отпуска в год.",
            "rooms": "# Комнаты\n\nПринтер стоит в комнате 12.",
        },
        asked="Что такое FxStore?",
        told="FxStore — это объектное хранилище для изображений.",
        follow_up="а подробнее?",
        more="Оно держит каждое изображение в трёх копиях.",
        port="Какой порт слушает сервер FxStore?",
        vague="Я не знаю, какой порт слушает сервер FxStore.",
        listens="Сервер FxStore слушает порт 8443",
        version="Какая текущая версия FxStore?",
        invented="Текущая версия FxStore — 2.0.0.",
        current="Текущая версия FxStore — 0.3.0",
    ),
    "ko": Talk(
        pages={
            "fxstore": "# FxStore\n\nFxStore는 이미지를 위한 객체 저장소입니다. 모든 이미지를 세 개의 "
            "사본으로 보관하고 30일이 지나기 전에는 아무것도 삭제하지 않습니다.",
            "api": "# FxStore API\n\nFxStore 서버는 8443번 포트에서 수신합니다.",
            "releases": "# 릴리스\n\nFxStore의 현재 버전은 0.3.0입니다.",
            "leave": "# 휴가\n\n모든 직원은 1년에 27일의 휴가를 받습니다.",
            "rooms": "# 방\n\n프린터는 12호실에 있습니다.",
        },
        asked="FxStore가 뭐야?",
        told="FxStore는 이미지를 위한 객체 저장소입니다.",
        follow_up="더 설명해줘",
        more="모든 이미지를 세 개의 사본으로 보관하고 30일이 지나기 전에는 아무것도 삭제하지 않습니다.",
        port="FxStore 서버는 몇 번 포트에서 수신하나요?",
        vague="FxStore 서버가 몇 번 포트에서 수신하는지 모릅니다.",
        listens="FxStore 서버는 8443번 포트에서 수신합니다",
        version="FxStore의 현재 버전은 무엇인가요?",
        invented="FxStore의 현재 버전은 2.0.0입니다.",
        current="FxStore의 현재 버전은 0.3.0입니다",
    ),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A language and its handbook as it is indexed."""

    talk: Talk
    base: KnowledgeBase

    async def answer(self, question: Question, **replies: Reply) -> tuple[Answer, ScriptedModel]:
        model = scripted(**replies)
        return await engine(model, self.base, verifier=READER).answer(question), model  # type: ignore[arg-type]  # the real corpus


@pytest.fixture(scope="module", params=list(TALKS))
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    talk = TALKS[request.param]
    with indexed(tmp_path_factory.mktemp("handbook"), talk.pages, "multilingual") as base:
        yield Told(talk, base)


async def test_follow_up_on_what_is_known_is_answered_from_the_draft_and_cites(told: Told) -> None:
    talk = told.talk
    first, _ = await told.answer(Question(talk.asked), draft=talk.told)
    assert first.label == "verified"
    history = (Turn("user", talk.asked), Turn("assistant", first.text, "", first.passages, first.label))
    answer, model = await told.answer(Question(talk.follow_up, history), draft=talk.more)
    assert purposes(model) == ["draft"], "no writer is asked, and no search but the free one"
    assert answer.verdict.quality == "adequate"
    assert talk.more[:-1] in answer.text
    assert {citation.source for citation in answer.citations} == {"fxstore.md"}
    assert not answer.used_documents


async def test_question_that_only_the_documents_can_answer_is_answered_from_them(told: Told) -> None:
    talk = told.talk
    written = f"{talk.listens} [1]."
    answer, model = await told.answer(Question(talk.port), draft=talk.vague, regenerate=written)
    first = next(step for step in answer.trace if step.step == "evaluate")
    assert first.detail.values["quality"] == "needs_docs"
    assert purposes(model) == ["draft", "regenerate"]
    assert (answer.text, answer.label) == (written, "verified")
    (citation,) = answer.citations
    assert (citation.source, "8443" in citation.quote) == ("api.md", True)


async def test_invented_version_is_replaced_by_that_of_the_documents(told: Told) -> None:
    talk = told.talk
    written = f"{talk.current} [1]."
    answer, model = await told.answer(Question(talk.version), draft=talk.invented, regenerate=written)
    first = next(step for step in answer.trace if step.step == "evaluate")
    assert first.detail.values["quality"] == "hallucination"
    assert first.detail.values["source"] == "evidence"
    assert purposes(model) == ["draft", "regenerate"]
    assert (answer.text, answer.label, answer.retries) == (written, "verified", 1)
    (citation,) = answer.citations
    assert (citation.source, "0.3.0" in citation.quote) == ("releases.md", True)
    assert "2.0.0" not in answer.text


async def test_invented_version_never_goes_out_as_verified_even_if_the_writer_insists(told: Told) -> None:
    talk = told.talk
    answer, _ = await told.answer(
        Question(talk.version), draft=talk.invented, regenerate=f"{talk.invented[:-1]} [1]."
    )
    assert talk.invented[:-1] not in answer.text
    assert talk.current in answer.text.replace("**", ""), "the documents are quoted instead"
