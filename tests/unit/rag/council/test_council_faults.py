"""A council whose members or chairman fail, hang, are cut off or say nothing, or whose budget ends."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from rag.engine import AnswerEngine
from rag.errors import ModelUnavailableError
from rag.events import Answered
from rag.models.chat import ChatRequest, Completion
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Budget, Council, Models
from rag.verifier.scripted import ScriptedVerifier
from tests.support.council_seats import (
    ASKED,
    FINAL,
    MEMBERS,
    council_engine,
    held,
    prompt_of,
    recorded,
    saying,
    well_behaved,
)
from tests.support.loop import PROMPTS, MemoryCorpus, finds_java


async def test_reviews_that_are_no_rankings_are_abstentions_and_no_feedback() -> None:
    engine, model = council_engine(saying("peer_review", {"ranking": ["A"], "critiques": []}))
    answer, _events = await held(engine)
    assert not [one for one in model.requests if one.purpose == "self_correct"], "there is nothing to tell"
    # The scripted model gives one reply a request, so a reply that `validate` refuses is final here.
    assert all(review.abstention == "not_a_ranking" for review in recorded(answer).stage2)
    assert all(one.fallback == "no_feedback" for one in recorded(answer).stage2_5)


async def test_chairman_that_fails_is_replaced_by_the_best_ranked_member_that_answers() -> None:
    engine, model = council_engine(saying("conclude", ModelUnavailableError("down"), "vendor:dora"))
    answer, _ = await held(engine)
    record = recorded(answer)
    assert record.stage3 is not None
    assert record.stage3.seat == record.standings[0].seat
    assert not record.stage3.is_single_answer
    assert [(one.stage, one.seat) for one in record.degraded] == [("stage3", "vendor:dora")]
    assert model.requests[-1].purpose != "propose"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        pytest.param(
            "The rankings judge the first drafts, before their authors corrected them: a low rank may be "
            "mended by now.",
            "echo",
            id="its own instructions",
        ),
        pytest.param("Для FxStore нужна Java семнадцатой версии.", "other_language", id="another language"),
        pytest.param('{"ranking": ["A", "B', "unrelated", id="a reply to another prompt"),
        pytest.param("", "empty", id="nothing"),
    ],
)
async def test_conclusion_that_says_nothing_of_the_answers_does_not_replace_them(
    said: str, status: str
) -> None:
    engine, _ = council_engine(saying("conclude", said, "vendor:dora"))
    answer, events = await held(engine)
    record = recorded(answer)
    assert [(one.stage, one.seat, one.reason) for one in record.degraded] == [
        ("stage3", "vendor:dora", status)
    ]
    assert answer.text.startswith(FINAL)
    told = [one.data["status"] for one in events if one.name == "stage3_model"]
    assert told == [status, "answered"]


async def test_without_any_chairman_the_best_corrected_answer_stands_as_one_members() -> None:
    engine, _ = council_engine(saying("conclude", ModelUnavailableError("down")))
    answer, _events = await held(engine)
    record = recorded(answer)
    assert record.stage3 is not None
    assert record.stage3.is_single_answer
    assert record.stage3.seat == record.standings[0].seat
    assert "Corrected word" in answer.text
    assert len(record.degraded) == 4


async def test_correction_is_mended_like_a_first_answer() -> None:
    said = "<think>They are right.</think>FxStore needs Java 17 [1], as corrected."
    engine, _ = council_engine(saying("self_correct", said, "vendor:boris"))
    answer, _events = await held(engine)
    (mended,) = (one for one in recorded(answer).stage2_5 if one.seat == "vendor:boris")
    assert mended.corrected == "FxStore needs Java 17 [1], as corrected."


@pytest.mark.parametrize(
    ("rest", "status", "tokens"),
    [
        (Completion("It is started with a script.", "stop", 6, 8, "m", 0.1), "answered", 26),
        (Completion("It goes on and", "length", 6, 8, "m", 0.1), "cut_off", 26),
        (ModelUnavailableError("down"), "cut_off", 12),
    ],
    ids=["to its end", "cut off again", "no more comes"],
)
async def test_cut_off_answer_is_written_on_once(rest: Reply, status: str, tokens: int) -> None:
    def script(request: ChatRequest) -> Reply | None:
        if (request.purpose, request.seat) != ("propose", "vendor:boris"):
            return None
        cut = Completion("FxStore needs Java 17 [1]. It is star", "length", 5, 7, "m", 0.1)
        return cut if len(request.messages) == 1 else rest

    engine, model = council_engine(script)
    answer, _events = await held(engine)
    (found,) = (one for one in recorded(answer).stage1 if one.seat == "vendor:boris")
    assert (found.status, found.tokens) == (status, tokens)
    if status == "answered":
        assert found.text == "FxStore needs Java 17 [1]. It is started with a script."
    degraded = [(one.seat, one.reason) for one in recorded(answer).degraded]
    assert degraded == ([] if status == "answered" else [("vendor:boris", "cut_off")])
    first, again = (one for one in model.requests if (one.purpose, one.seat) == ("propose", "vendor:boris"))
    assert again.instructions == first.instructions
    assert again.messages[-2].text == "FxStore needs Java 17 [1]."


async def test_correction_that_is_not_used_is_logged_and_the_chairman_is_told() -> None:
    engine, model = council_engine(saying("self_correct", "I cannot help.", "vendor:boris"))
    with capture_logs() as logs:
        answer, _events = await held(engine)
    (kept,) = (one for one in recorded(answer).stage2_5 if one.seat == "vendor:boris")
    assert kept.fallback is not None
    assert [
        (one["log_level"], one["seat"], one["reason"]) for one in logs if "correction" in one["event"]
    ] == [("warning", "vendor:boris", kept.fallback)]
    text = prompt_of(model, "conclude", "vendor:dora")
    (letter,) = re.findall(
        r"\[([A-Z])\]\s*<answer>\s*FxStore needs Java 17 \[1\]\. I am sure of draft5b", text
    )
    assert f"Not corrected, so still the first draft: {letter}." in text


async def test_conclusion_whose_step_fails_is_told_and_the_next_member_concludes() -> None:
    async def run_step(name: str, work: Callable[[], Any], /, *, is_light: bool = False) -> Any:
        if name == "conclude":
            raise ModelUnavailableError("the step took too long")
        return await work()

    engine, _model = council_engine()
    events = [event async for event in engine.council(ASKED, run_step=run_step)]
    last = events[-1]
    assert isinstance(last, Answered)
    record = recorded(last.answer)
    assert record.stage3 is not None
    assert record.stage3.seat == record.standings[0].seat
    assert [(one.stage, one.seat, one.reason) for one in record.degraded] == [
        ("stage3", "vendor:dora", "failed")
    ]


@pytest.mark.parametrize("purpose", ["propose", "peer_review", "self_correct", "conclude"])
async def test_member_that_hangs_is_not_waited_for(purpose: str) -> None:
    async def script(request: ChatRequest) -> Reply:
        if (request.purpose, request.seat) == (purpose, MEMBERS[1]):
            await asyncio.Event().wait()
        return well_behaved(request)

    engine = AnswerEngine(
        ScriptedModel(script),
        MemoryCorpus(),
        PROMPTS,
        model_settings=Models(default="openai:x", first_patience_seconds=0.5),
        council=Council(members=MEMBERS, chairman=MEMBERS[1], patience_seconds=0.5),
        verifier=finds_java,
    )
    answer, _events = await asyncio.wait_for(held(engine), 60)
    assert answer.text.startswith(FINAL)
    assert MEMBERS[1] in {one.seat for one in recorded(answer).degraded}


async def test_verifier_that_fails_lets_the_members_read_what_was_found() -> None:
    engine, model = council_engine()
    away = ScriptedVerifier(error=ModelUnavailableError("the verifier is away"))
    engine.tools = replace(engine.tools, verifier=lambda _asker: away)
    answer, _events = await held(engine)
    assert answer.text.startswith(FINAL)
    shown = next(request for request in model.requests if request.purpose == "propose")
    assert "FxStore needs Java 17." in shown.messages[-1].text


@pytest.mark.parametrize("twelfths", range(13))
async def test_budget_that_ends_anywhere_gives_the_best_so_far(twelfths: int) -> None:
    whole, _model = council_engine()
    needed = (await held(whole))[0].usage.tokens
    allowed = max(1, needed * twelfths // 12)
    engine, model = council_engine(budget=Budget(tokens=allowed), tokens=allowed)
    answer, events = await held(engine)
    record = recorded(answer)
    assert "Java 17" in answer.text
    assert [event.name for event in events][-1] == "complete"
    asked = Counter(one.purpose for one in model.requests)
    assert (asked["peer_review"], asked["self_correct"], asked["conclude"]) == (3, 3, 1) or record.degraded
