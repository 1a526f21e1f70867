"""What the free layers saved is what was really skipped: a judge call for each text they decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rag.errors import ModelReplyError
from rag.knowledge.search import SearchResult
from rag.models.ledger import JUDGEMENT_TOKENS
from rag.models.scripted import Reply
from rag.models.tokens import estimate_prompt_tokens
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.settings import Critique, Models, Price, Prices
from rag.steps import evaluate as evaluating
from rag.values import Classification, Mode, Question, Savings, Verdict
from tests.support.loop import PROMPTS, QUESTION, engine, purposes, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")

UNSURE = Verdict("off_topic", as_written("not sure"), 0.4, "evidence")


@pytest.mark.parametrize(
    ("said", "mode", "saved", "asked"),
    [
        pytest.param(["cited"], "balanced", 1, 0, id="evidence decides"),
        pytest.param(["faulty", "cited"], "balanced", 2, 0, id="a failing free check saves a call too"),
        pytest.param(["hallucination", "cited"], "quick", 0, 0, id="a mode without a judge saves none"),
        pytest.param([UNSURE], "balanced", 0, 1, id="the judge is asked"),
        pytest.param([UNSURE], "quick", 0, 0, id="nobody decides in quick mode, so nothing is saved"),
        pytest.param([UNSURE, "cited"], "balanced", 1, 1, id="one of two texts is judged"),
    ],
)
async def test_each_text_that_is_decided_for_free_saves_one_judge_call(
    verdicts: list[Any], said: list[Any], mode: Mode, saved: int, asked: int
) -> None:
    verdicts[:] = said
    judgement = "hallucination" if len(said) > 1 else "adequate"
    model = scripted(judge={"answer_quality": judgement, "reason": "because", "confidence": 0.9})

    answer = await engine(model).answer(Question(QUESTION.text, mode=mode))

    assert answer.savings.calls == saved
    assert purposes(model).count("judge") == asked


async def test_saved_tokens_are_those_of_the_prompt_that_was_not_sent(verdicts: list[Any]) -> None:
    verdicts[:] = ["cited"]
    answer = await engine(scripted(draft="It needs Java 17.")).answer(QUESTION)

    prompt = PROMPTS.render(
        "evaluate", question=QUESTION.text, draft="It needs Java 17.", passages="", history="", flags=""
    )
    shortest = estimate_prompt_tokens((prompt.instructions, prompt.message)) + JUDGEMENT_TOKENS
    assert answer.savings.calls == 1
    # The real prompt also shows passages; the test model's corpus holds three short ones.
    assert shortest <= answer.savings.tokens <= shortest + 200


SOCIAL = Verdict("adequate", as_written("social"), 1.0, "rules")
FLAG = {"type": "logic", "severity": "complex", "description": "contradicts itself"}
NOTHING_SAVED: dict[str, tuple[list[Any], dict[str, Reply], dict[str, Any], str]] = {
    # why: the verdicts, the replies, the settings, the question
    "no judge is asked about small talk": (["faulty", SOCIAL], {}, {}, "Thanks a lot!"),
    "a judge that fails was asked": ([UNSURE], {"judge": ModelReplyError("no JSON")}, {}, QUESTION.text),
    "the judge reads what the reviewer flags": (
        ["cited"],
        {"review": {"status": "flag_to_judge", "issues": [FLAG]}},
        {"mode": "careful"},
        QUESTION.text,
    ),
    "the judge is switched off": (["cited"], {}, {"judge": False}, QUESTION.text),
    "every check is switched off": ([], {}, {"enabled": False}, QUESTION.text),
}


@pytest.mark.parametrize(("said", "replies", "settings", "asked"), NOTHING_SAVED.values(), ids=NOTHING_SAVED)
async def test_where_no_judge_call_was_skipped_nothing_is_saved(
    verdicts: list[Any], said: list[Any], replies: dict[str, Reply], settings: dict[str, Any], asked: str
) -> None:
    verdicts[:] = said
    answer = await engine(scripted(**replies), **settings).answer(Question(asked))
    assert answer.savings == Savings()


@pytest.mark.parametrize(
    ("drafts", "layers"),
    [
        pytest.param(["It needs Java 17."], {"evidence": 1}, id="the documents decide"),
        pytest.param(
            ["It needs Java 17.</answer>"], {"repairs": 1}, id="the documents decide on a mended text"
        ),
        pytest.param(
            ["<think>Java 11? Java 17?", "It needs Java 17."],
            {"checks": 1, "evidence": 1},
            id="a fault, then not",
        ),
    ],
)
async def test_saved_call_counts_for_the_layer_that_decided(
    monkeypatch: pytest.MonkeyPatch, drafts: list[str], layers: dict[str, int]
) -> None:
    async def supported(
        _run: Run, _classification: Classification, candidate: Candidate, _probe: SearchResult | None
    ) -> Candidate:
        return replace(candidate, verdict=Verdict("adequate", as_written("supported"), 0.95, "evidence"))

    monkeypatch.setattr(evaluating, "_compare", supported)
    answer = await engine(scripted(draft=drafts)).answer(QUESTION)

    assert answer.text == "It needs Java 17."
    assert {layer: saved.calls for layer, saved in answer.savings.by_layer.items()} == layers
    assert answer.savings.calls == sum(layers.values())
    assert answer.savings.tokens == sum(saved.tokens for saved in answer.savings.by_layer.values()) > 0


async def test_text_that_the_reviewer_mended_saves_its_judge_by_that_repair(
    verdict_of: dict[str, Any],
) -> None:
    text = "It needs java 17 , as everybody knows who has ever tried to run it at all."
    patch = "It needs Java 17, as everybody knows who has ever tried to run it at all."
    model = scripted(draft=text, review={"status": "fixed", "patched_answer": patch})
    answer = await engine(model, critique=Critique(enabled=False), mode="careful").answer(QUESTION)
    assert answer.text == patch
    assert {layer: saved.calls for layer, saved in answer.savings.by_layer.items()} == {"repairs": 1}


async def test_longer_answer_saves_more(verdicts: list[Any]) -> None:
    saved = []
    for text in ("Java 17.", "Java 17, and no other version of Java is known to work with it. " * 20):
        verdicts[:] = ["cited"]
        answer = await engine(scripted(draft=text)).answer(QUESTION)
        saved.append(answer.savings.tokens)
    assert saved[1] - saved[0] > 200


async def test_answer_tells_money_by_role_from_the_prices_of_the_engine(verdicts: list[Any]) -> None:
    verdicts[:] = [UNSURE]
    table = Prices(models={"scripted": Price(input=1_000_000, output=1_000_000)})
    priced = engine(scripted(), prices=table)

    usage = (await priced.answer(QUESTION)).usage

    # A million for a million tokens: the cost is the number of tokens.
    assert usage.cost == usage.tokens > 0
    assert set(usage.by_role) == {"draft", "judge"}
    assert all(part.cost == part.tokens > 0 for part in usage.by_role.values())
    assert usage.unpriced_calls == 0


async def test_call_that_failed_has_the_price_of_the_model_that_was_to_answer(verdicts: list[Any]) -> None:
    verdicts[:] = [UNSURE]
    failure = ModelReplyError("no JSON")
    failure.input_tokens, failure.output_tokens, failure.calls = 100, 10, 2
    table = Prices(models={"openai:judge": Price(input=10_000, output=10_000)})
    models = Models(judge="openai:judge")
    priced = engine(scripted(judge=failure), model_settings=models, prices=table)

    judge = (await priced.answer(QUESTION)).usage.by_role["judge"]

    assert (judge.calls, judge.unpriced_calls) == (2, 0)
    assert judge.cost == pytest.approx(1.1)


async def test_answer_keeps_the_question_as_it_reads_by_itself(verdicts: list[Any]) -> None:
    verdicts[:] = ["off_topic", "cited"]
    reading = {"intent": "follow_up", "question": "Which Java does the setup of FxStore need?"}
    answer = await engine(scripted(classify=reading)).answer(Question("and the setup?"))
    assert (answer.question, answer.standalone) == ("and the setup?", reading["question"])
