"""A mode decides how much checking an answer gets; each layer can be switched off and the loop still works."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rag.models.chat import ChatRequest, Completion
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import Reason, as_written
from rag.settings import Critique, Review
from rag.values import MODES, Mode, Verdict
from tests.support.loop import QUESTION, UndecidedVerifier, engine, purposes, scripted

UNSURE = Verdict("adequate", as_written("perhaps common knowledge"), 0.5, "evidence")
LONG = "Nobody can say for sure which Java it needs, and that is how it has always been."


@pytest.fixture(autouse=True)
def _unsure(verdict_of: dict[str, Any]) -> None:
    verdict_of[LONG] = Verdict("off_topic", as_written("perhaps beside the point"), 0.5, "evidence")


@pytest.mark.parametrize(
    ("mode", "asked"),
    [
        ("quick", ["draft"]),
        ("balanced", ["draft", "judge"]),
        ("careful", ["draft", "review", "judge", "critique"]),
    ],
)
async def test_mode_decides_which_layers_are_asked(mode: Mode, asked: list[str]) -> None:
    model = scripted(draft=LONG)
    answer = await engine(model).answer(replace(QUESTION, mode=mode))
    assert purposes(model) == asked
    assert answer.mode == mode


async def test_undecided_answer_of_mode_quick_is_not_verified_and_says_why() -> None:
    answer = await engine(scripted(draft=LONG), mode="quick").answer(QUESTION)
    assert (answer.label, answer.verdict.quality) == ("unverified", "unchecked")
    assert "perhaps beside the point" in str(answer.verdict.reason)
    assert answer.text == LONG


async def test_mode_quick_still_corrects_by_the_evidence(verdict_of: dict[str, Any]) -> None:
    verdict_of.update({LONG: "hallucination", "It needs Java 17 [1].": "cited"})
    model = scripted(draft=LONG)
    answer = await engine(model, mode="quick").answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "verified"


async def test_mode_is_a_setting_that_a_question_overrides() -> None:
    product = engine(scripted(draft=LONG), mode="quick")
    assert (await product.answer(QUESTION)).mode == "quick"
    assert (await product.answer(replace(QUESTION, mode="careful"))).mode == "careful"


async def test_balanced_is_the_default() -> None:
    assert (await engine(scripted(draft=LONG)).answer(QUESTION)).mode == "balanced"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("said", ["cited", "adequate", "hallucination", "needs_docs", "off_topic", "faulty"])
async def test_loop_works_without_any_layer(verdict_of: dict[str, Any], mode: Mode, said: str) -> None:
    verdict_of.update({LONG: said, "It needs Java 17 [1].": "cited"})
    model = scripted(draft=[LONG, "It needs Java 17 [1]."])
    product = engine(
        model, mode=mode, judge=False, review=Review(enabled=False), critique=Critique(enabled=False)
    )
    answer = await product.answer(QUESTION)
    assert answer.text
    assert not {"judge", "review", "critique", "refine"} & set(purposes(model))


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({"judge": False}, ["draft", "review", "critique"]),
        ({"review": Review(enabled=False)}, ["draft", "judge", "critique"]),
        ({"critique": Critique(enabled=False)}, ["draft", "review", "judge"]),
        ({"enabled": False}, ["draft"]),
    ],
    ids=["the judge", "the reviewer", "the critic", "all"],
)
async def test_layer_is_switched_off_by_one_setting_and_no_other_with_it(
    settings: dict[str, Any], asked: list[str]
) -> None:
    model = scripted(draft=LONG)
    answer = await engine(model, mode="careful", **settings).answer(QUESTION)
    assert purposes(model) == asked
    assert (answer.text, answer.score is None) == (LONG, "critique" not in asked)
    assert "judge" in asked or answer.label == "unverified"


@pytest.mark.parametrize("mode", MODES)
async def test_small_talk_costs_one_call_in_every_mode(mode: Mode) -> None:
    model = scripted(draft="You are welcome! It was a pleasure to help you with all of this today.")
    await engine(model, mode=mode).answer(replace(QUESTION, text="thanks!"))
    assert purposes(model) == ["draft"]


async def test_trail_says_that_an_adequate_draft_was_too_unsure(verdict_of: dict[str, Any]) -> None:
    verdict_of.update({LONG: UNSURE, "It needs Java 17 [1].": "cited"})
    answer = await engine(scripted(draft=LONG), verifier=UndecidedVerifier()).answer(QUESTION)
    first = next(step for step in answer.trace if step.step == "evaluate")
    assert str(first.detail).startswith("needs the documents (50 %): too unsure")
    assert "perhaps common knowledge" in str(first.detail)


async def test_trail_says_that_no_passage_can_be_cited(verdict_of: dict[str, Any]) -> None:
    verdict_of.update(
        {
            LONG: Verdict("adequate", as_written("supported"), 0.95, "evidence"),
            "It needs Java 17 [1].": "cited",
        }
    )
    answer = await engine(scripted(draft=LONG), verifier=UndecidedVerifier()).answer(QUESTION)
    first = next(step for step in answer.trace if step.step == "evaluate")
    assert first.detail.values["confidence"] == 95
    assert first.detail.values["source"] == "evidence"
    assert first.detail.values["reason"] == Reason("verdict-unquotable")


@pytest.mark.parametrize(
    "reply", ["", "{}", "null", '{"status": 3}', "[]", "\x00", '{"answer_quality": "maybe"}', "<answer>"]
)
@pytest.mark.parametrize("mode", MODES)
async def test_garbage_from_every_layer_at_once_neither_blocks_nor_spoils_an_answer(
    mode: Mode, reply: Reply
) -> None:
    faults = dict.fromkeys(["judge", "review", "critique", "refine", "second_opinion"], reply)
    answer = await engine(scripted(draft=LONG, **faults), mode=mode).answer(QUESTION)
    assert (answer.text, answer.label, answer.score) == (LONG, "unverified", None)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fast_path", ["always", "never"])
async def test_question_costs_at_most_eight_calls_with_every_repair_counted(
    verdict_of: dict[str, Any], mode: Mode, fast_path: str
) -> None:
    """Every typed reply takes all its repair requests, and nothing that is written is ever good."""
    texts = [f"{LONG} That was attempt {n}." for n in range(20)]
    verdict_of.update(dict.fromkeys(texts, Verdict("off_topic", as_written("no"), 0.4, "evidence")))
    replies: dict[str, Any] = {
        "judge": {"answer_quality": "needs_docs", "reason": "no", "confidence": 0.9},
        "classify": {"intent": "question", "question": "Which Java is it?"},
        "review": {"status": "flag_to_judge", "issues": [{"type": "logic", "severity": "complex"}]},
        "critique": {"accuracy": 0.1, "helpfulness": 0.1, "completeness": 0.1, "issues": ["Vague."]},
        "second_opinion": {"agreement": 1.0},
    }
    written = iter(texts)
    queries = (f"words {word}" for word in "abcdefgh")

    def reply(request: ChatRequest) -> Completion:
        text = "not stated" if request.purpose == "read" else next(written) if request.output is None else ""
        parsed = None
        if request.output is not None:
            said = replies.get(request.purpose) or {"query": next(queries), "answer": next(written)}
            parsed = request.output.model_validate(said)
        calls = 1 if parsed is None else 1 + request.repairs
        return Completion(text, "stop", 100, 10, "m", 0.0, calls, parsed)

    product = engine(
        ScriptedModel(reply),
        mode=mode,
        fast_path=fast_path,
        max_retries=10,
        critique=Critique(recursive=True),
    )
    answer = await product.answer(QUESTION)
    assert answer.text
    assert answer.usage.calls <= 8
    if mode == "careful":
        assert answer.usage.calls == 8, "and the budget is what ends it"
