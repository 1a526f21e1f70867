"""A recorded text is judged by the passages that its writer was shown, whatever a search finds today."""

from __future__ import annotations

from bench import judge_tokens, judging_texts, layer_effects
from bench.layer_effects import Text
from bench.recorded_model import Records
from bench.shown_passages import ShownPassages
from rag.models.scripted import ScriptedModel
from rag.values import Passage, PassageId
from tests.support.loop import PASSAGES, MemoryCorpus

SHOWN = Passage(
    PassageId("old"), "notes.md", "Set-up", "FxStore needs Java 21 since June.", source="notes.md"
)
JUDGEMENT = {"answer_quality": "adequate", "reason": "it says so", "confidence": 0.9}
ROW = {
    "id": "1", "set": "handbooks", "kind": "docs", "lang": "en", "question": "Which Java does FxStore need?",
    "answers": ["21"], "text": "FxStore needs Java 21 [1].", "shown": ["notes.md"],
}  # fmt: skip


async def test_first_reading_brings_what_was_shown_and_the_second_something_else() -> None:
    again = PASSAGES[0]  # the same document, under the key of the index
    corpus = ShownPassages(
        MemoryCorpus(), [Passage(PassageId("guide"), "guide1.md", "", again.text, source=again.source)]
    )
    first = await corpus.retrieve(["Java"])
    second = await corpus.retrieve(["Java"], exclude={passage.id for passage in first})
    assert [passage.id for passage in first] == ["guide"]
    assert [passage.id for passage in second] == ["p2", "p3"]


async def test_reviewer_sees_the_passages_of_the_writer() -> None:
    asked = ScriptedModel({"review": {"status": "pass"}, "judge": JUDGEMENT})
    text = Text.model_validate(ROW).model_copy(update={"read": (SHOWN,)})
    found = await layer_effects.effect(text, "reviewer", MemoryCorpus(), Records(), asked)
    assert found is not None
    assert found.is_asked
    (request,) = [one for one in asked.requests if one.purpose == "review"]
    assert SHOWN.text in request.messages[-1].text
    assert PASSAGES[0].text not in request.messages[-1].text


async def test_judge_would_read_the_passages_of_the_writer() -> None:
    long = Passage(SHOWN.id, SHOWN.document, SHOWN.section, SHOWN.text * 20, source=SHOWN.source)
    texts = [Text.model_validate(ROW).model_copy(update={"read": (passage,)}) for passage in (SHOWN, long)]
    short, longer = await judge_tokens.of_texts(texts, MemoryCorpus())
    assert longer.tokens > short.tokens + 100


def test_recorded_texts_come_with_all_their_passages() -> None:
    for ground in judging_texts.grounds():
        for text in ground.texts:
            assert [passage.source for passage in text.read] == list(text.shown or ())
