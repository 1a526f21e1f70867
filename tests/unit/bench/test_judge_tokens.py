from __future__ import annotations

import pytest

from bench import judge_tokens
from bench.judge_tokens import Group, Judgeable
from bench.layer_effects import Text
from bench.recorded_model import RecordedModel, Records
from bot.evaluate.rows import LabelledQuestion
from rag.loop.run import Run
from rag.models.scripted import ScriptedModel
from rag.steps.classify import classify
from rag.steps.draft import draft
from tests.support.loop import MemoryCorpus, engine

THANKS = LabelledQuestion(id="t", kind="small_talk", question="Thanks a lot!")


def judgeable(group: Group, tokens: int, *, is_open: bool, question: str = "q") -> Judgeable:
    return Judgeable(group, question, tokens, is_open)


def test_half_of_the_stream_is_about_documents_whatever_was_recorded() -> None:
    texts = [
        *[judgeable("documents", 100, is_open=True, question=f"d{n}") for n in range(8)],
        judgeable("small talk", 100, is_open=False),
        judgeable("general knowledge", 100, is_open=False),
    ]
    assert judge_tokens.figures(texts)["saved"] == 0.5


def test_question_with_two_texts_is_judged_twice() -> None:
    texts = [
        judgeable("documents", 100, is_open=False),
        judgeable("documents", 300, is_open=True),
        judgeable("small talk", 200, is_open=False),
        judgeable("general knowledge", 200, is_open=False),
    ]
    found = judge_tokens.figures(texts)
    assert found["groups"]["documents"] == {
        "questions": 1,
        "texts": 2,
        "open": 1,
        "tokens": 400,
        "open_tokens": 300,
    }
    assert found["saved"] == pytest.approx(1 - 0.5 * 300 / 300, abs=1e-4)


def test_nothing_recorded_saves_nothing() -> None:
    assert judge_tokens.figures([])["saved"] == 0.0


async def test_longer_text_would_have_cost_the_judge_more() -> None:
    row = {"id": "1", "set": "s", "kind": "docs", "lang": "en", "question": "Which Java does FxStore need?"}
    texts = [
        Text.model_validate({**row, "text": said})
        for said in ("Java 17.", " ".join(f"Room {n} has {n} seats." for n in range(20)))
    ]
    short, long = await judge_tokens.of_texts(texts, MemoryCorpus())
    assert short.group == "documents"
    assert long.tokens - short.tokens > 60


async def test_small_talk_is_decided_by_the_rules_and_counted_when_it_was_recorded() -> None:
    records = Records()
    found, missing = await judge_tokens.of_talk([THANKS], MemoryCorpus(), records)
    assert (found, missing) == ([], 1)

    run = Run(THANKS.asked(), engine(RecordedModel(records, ScriptedModel("You are welcome."))).tools)
    await draft(run, classify(run.question))
    found, missing = await judge_tokens.of_talk([THANKS], MemoryCorpus(), records)

    assert missing == 0
    assert [(one.group, one.is_open) for one in found] == [("small talk", False)]
