"""Requests to sum a document up: the real index, embedding and evidence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.models.scripted import ScriptedModel
from rag.settings import Models, SelfCorrection
from rag.values import Answer, DocumentSet, Question, Turn
from tests.support.knowledge import indexed
from tests.support.loop import purposes, written

SECTIONS = {
    "Booking": "Trips are booked by the travel desk in Porto at least ten days ahead.",
    "Trains": "Within 600 kilometres the train is taken, always in second class.",
    "Flights": "Flights need the approval of the head of finance before they are booked.",
    "Hotels": "A hotel may cost 110 euros a night, breakfast included.",
    "Meals": "The allowance for meals is 38 euros a day outside the country.",
    "Taxis": "Taxis are paid only between 22:00 and 6:00 in the night.",
    "Receipts": "Receipts are handed in within 30 days after the trip has ended.",
    "Insurance": "Every traveller is insured by the company on all trips abroad.",
}
DRILLS = [f"In drill {n} everybody leaves by staircase {n} and waits in yard {n}." for n in range(1, 31)]
PAGES = {
    "travel-guide": "# Travel guide\n\n"
    + "\n\n".join(f"## {title}\n\n{text}" for title, text in SECTIONS.items()),
    "fire-drill": "# Fire drill\n\n"
    + "\n\n".join(f"## Drill {n}\n\n{text}" for n, text in enumerate(DRILLS, 1)),
    "rooms": "# Rooms\n\nThe printer stands in room 12.",
    "leave": "# Leave\n\nEvery employee has 27 days of leave a year.",
}
SUMMARY = (
    "Trips are booked by the travel desk in Porto at least ten days ahead [1]. Within 600 kilometres the train "
    "is taken, always in second class [2]. Receipts are handed in within 30 days after the trip has ended [7]."
)
ASKED = {
    "en": "Summarise the travel guide",
    "ru": "Сделай краткое резюме документа travel-guide",
    "ko": "travel-guide 문서를 요약해 주세요",
    "zh": "请总结travel-guide文档",
    "id": "Ringkas dokumen travel-guide",
    "es": "Resume el documento travel-guide",
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with indexed(tmp_path_factory.mktemp("handbook"), PAGES, "multilingual") as opened:
        yield opened


async def ask(
    base: KnowledgeBase,
    question: Question,
    *,
    reply: str = SUMMARY,
    model: str = "openai:m",
    **settings: object,
) -> tuple[Answer, ScriptedModel]:
    script = ScriptedModel(
        {
            "regenerate": reply,
            "draft": "I do not know.",
            "judge": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9},
        }
    )
    engine = AnswerEngine(
        script,
        base,
        self_correction=SelfCorrection.model_validate(settings),
        model_settings=Models(default=model),
    )
    return await engine.answer(question), script


@pytest.mark.parametrize("language", ASKED)
async def test_summary_is_written_from_the_whole_document(base: KnowledgeBase, language: str) -> None:
    _, model = await ask(base, Question(ASKED[language]))
    shown = written(model)
    places = [shown.find(text) for text in SECTIONS.values()]
    assert -1 not in places
    assert places == sorted(places), "in the order of the document"
    assert "The printer stands" not in shown
    assert "draft" not in purposes(model)


async def test_summary_has_checked_citations_and_a_label_like_any_answer(base: KnowledgeBase) -> None:
    answer, model = await ask(base, Question(ASKED["en"]))
    assert purposes(model) == ["regenerate"]
    assert answer.text.count("[") == 3
    assert [citation.section for citation in answer.citations] == [
        "Travel guide > Booking",
        "Travel guide > Trains",
        "Travel guide > Receipts",
    ]
    assert {citation.source for citation in answer.citations} == {"travel-guide.md"}
    assert answer.verdict.quality == "adequate"
    assert answer.label in {"verified", "unverified"}


async def test_invented_sentence_of_a_summary_makes_it_no_verified_answer(base: KnowledgeBase) -> None:
    invented = f"{SUMMARY} Business class is allowed from 2031 on for 4,000 euros [3]."
    answer, _ = await ask(base, Question(ASKED["en"]), reply=invented)
    assert answer.label == "unverified"
    assert "[4]" not in answer.text


async def test_this_document_is_the_one_behind_the_latest_answer(base: KnowledgeBase) -> None:
    passages = await base.document("travel-guide.md")
    history = (Turn("user", "Who books trips?"), Turn("assistant", "The travel desk.", "", passages[:1]))
    _, model = await ask(base, Question("summarise this document", history))
    shown = written(model)
    assert all(text in shown for text in SECTIONS.values())


async def test_small_model_quotes_how_the_parts_begin_and_writes_nothing(base: KnowledgeBase) -> None:
    answer, model = await ask(base, Question(ASKED["en"]), model="embedded")
    assert model.requests == []
    assert answer.text.startswith("How the parts of Travel guide begin:")
    quoted = [citation.quote for citation in answer.citations]
    assert quoted[0] == SECTIONS["Booking"]
    assert len(quoted) == 6
    assert set(quoted) <= set(SECTIONS.values())
    assert answer.label == "verified"


async def test_long_document_is_read_within_the_limit_and_the_answer_says_so(base: KnowledgeBase) -> None:
    reply = f"{DRILLS[0][:-1]} [1]."
    answer, model = await ask(base, Question("Summarise the fire drill"), reply=reply, document_tokens=200)
    shown = written(model)
    assert 1 < sum(text in shown for text in DRILLS) < len(DRILLS)
    assert f"of its {len(DRILLS)} passages were read" in answer.text


async def test_summary_of_no_document_is_an_ordinary_question(base: KnowledgeBase) -> None:
    _, model = await ask(base, Question("Summarise the second world war"))
    assert purposes(model)[0] == "draft"


async def test_document_outside_of_the_set_is_not_summed_up(base: KnowledgeBase) -> None:
    question = Question(ASKED["en"], documents=DocumentSet(("rooms.md",)))
    answer, model = await ask(base, question, reply="It cannot be said.")
    assert not any(
        text in message.text
        for text in SECTIONS.values()
        for one in model.requests
        for message in one.messages
    )
    assert not any(citation.source == "travel-guide.md" for citation in answer.citations)
    assert await base.within(DocumentSet(("rooms.md",))).document("travel-guide.md") == ()
