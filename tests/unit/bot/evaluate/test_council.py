"""What a council's figures say of members that make known mistakes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from bot.evaluate.council import Corrected, CouncilReport, CouncilResult, measure, measure_row
from bot.evaluate.recording import Recording
from bot.evaluate.rows import LabelledQuestion
from rag.engine import AnswerEngine
from rag.errors import ModelUnavailableError
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Council, Models
from rag.values.council import Seat
from tests.support.loop import PROMPTS, MemoryCorpus

RIGHT, WRONG = "FxStore needs Java 17 [1].", "FxStore needs Java 11 [1]."
ROW = LabelledQuestion(
    id="1", kind="docs", lang="en", question="Which Java does FxStore need?", answers=("17",)
)

SEATS = ("mistaken", "sound", "sycophant", "stubborn")
"""One with a false fact that it gives up when it is told so; one that knows better; one that says whatever
its critics say; one that never changes a word. The last two are right at first."""

SAYS = {"mistaken": WRONG, "sound": RIGHT, "sycophant": RIGHT, "stubborn": RIGHT}


def rarity(terms: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(terms, 1.0)


def critiques(request: ChatRequest) -> Reply:
    """Who is mistaken objects to right answers, who is sound to wrong ones; the others praise all."""
    text = request.messages[-1].text
    (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", text)
    answers = dict(re.findall(r"\[([A-Z])\]\s*<answer>\s*(.*?)\s*</answer>", text, re.DOTALL))
    assert set(answers) == set(str(listed).split(", ")), text
    objections = {"mistaken": ("17", "It is Java 11."), "sound": ("11", "The passage says Java 17.")}
    fault, issue = objections.get(request.seat, ("nothing", ""))
    found = [
        {"label": letter, "issues": [issue] if fault in said else []} for letter, said in answers.items()
    ]
    ranking = sorted(answers, key=lambda letter: (fault in answers[letter], letter))
    return {"ranking": ranking, "critiques": found}


def corrected(request: ChatRequest) -> str:
    text = request.messages[-1].text
    feedback = text.partition("Peer Feedback:")[2]
    if request.seat == "mistaken" and "says Java 17" in feedback:
        return RIGHT
    if request.seat == "sycophant" and "It is Java 11." in feedback:
        return WRONG
    return SAYS[request.seat]


def majority(request: ChatRequest) -> str:
    said = Counter(re.findall(r"Java (\d+) \[1\]", request.messages[-1].text.partition("STAGE 2.5")[2]))
    return f"FxStore needs Java {said.most_common(1)[0][0]} [1]."


def script(request: ChatRequest) -> Reply:
    match request.purpose:
        case "propose":
            return SAYS[request.seat]
        case "peer_review":
            return critiques(request)
        case "self_correct":
            return corrected(request)
        case "conclude":
            return majority(request)
        case _:
            return "Java 17"


def engine_of(seats: tuple[str, ...], model: ScriptedModel) -> AnswerEngine:
    return AnswerEngine(
        model,
        MemoryCorpus(),
        PROMPTS,
        model_settings=Models(default="openai:x"),
        council=Council(
            members=seats, chairman=seats[0], seats={seat: {"model": "openai:x"} for seat in seats}
        ),
    )


def report(results: tuple[CouncilResult, ...], seats: tuple[str, ...]) -> dict[str, object]:
    return CouncilReport(results, tuple(Seat(seat) for seat in seats)).to_json()


async def test_corrections_are_counted_by_what_they_did_to_each_answer() -> None:
    model = ScriptedModel(script)
    result = await measure_row(ROW, engine_of(SEATS, model), rarity)
    effects = {one.seat: (one.effect, one.is_changed) for one in result.corrections}
    assert effects == {
        "mistaken": ("better", True),
        "sound": ("same", False),
        "sycophant": ("worse", True),
        "stubborn": ("same", False),
    }
    figures = report((result,), SEATS)
    assert figures["corrections"] == {
        "made": 4, "changed": 2, "better": 1, "worse": 1, "same": 2, "fallbacks": {},
        "worse_share": 0.25, "is_within_bound": False,
    }  # fmt: skip
    # Each member was asked once for its answer, and once for its review, whatever the system.
    asked = Counter(request.purpose for request in model.requests if request.seat)
    assert asked == {"propose": 4, "peer_review": 4, "self_correct": 4, "conclude": 2}


@pytest.mark.parametrize(("worse", "is_within"), [(0, True), (1, True), (2, False)])
def test_corrections_may_spoil_one_answer_in_twenty(worse: int, is_within: bool) -> None:
    spoiled = [Corrected("a", "right", "wrong", is_changed=True, fallback=None)] * worse
    kept = [Corrected("a", "right", "right", is_changed=False, fallback=None)] * (20 - worse)
    made = CouncilReport((CouncilResult(ROW, {}, None, None, (*spoiled, *kept)),), ()).to_json()[
        "corrections"
    ]
    assert (made["worse"], made["is_within_bound"]) == (worse, is_within)


async def test_sycophants_turn_a_right_council_wrong_and_without_correction_it_stays_right() -> None:
    """Two who say what their critics say, against one who is mistaken and not answered."""
    says = {"mistaken": WRONG, "yes-man": RIGHT, "echo": RIGHT}

    def swayed(request: ChatRequest) -> Reply:
        if request.purpose == "propose":
            return says[request.seat]
        if request.purpose == "self_correct":
            return WRONG
        return script(request)

    seats = tuple(says)
    result = await measure_row(ROW, engine_of(seats, ScriptedModel(swayed)), rarity)
    assert result.full is not None
    assert result.without is not None
    assert result.without.label == "verified"
    assert result.full.label != "verified", "the check of the conclusion sees what the council does not"
    assert Counter(one.effect for one in result.corrections) == {"worse": 2, "same": 1}
    assert (result.without.calls, result.full.calls) == (7, 10)
    assert {seat: one.calls for seat, one in result.members.items()} == dict.fromkeys(seats, 1)


async def test_what_is_recorded_is_not_asked_again_and_a_dead_model_ends_the_measurement(
    tmp_path: Path,
) -> None:
    path = tmp_path / "results.jsonl"
    model = ScriptedModel(script)
    with Recording(path, CouncilResult, resume=True) as recording:
        first = await measure((ROW, ROW), engine_of(SEATS, model), rarity, recording)
    dead = ScriptedModel(lambda _request: ModelUnavailableError("down"))
    with Recording(path, CouncilResult, resume=True) as recording:
        assert await measure((ROW, ROW), engine_of(SEATS, dead), rarity, recording) == first
        with pytest.raises(ModelUnavailableError, match="3 times in a row"):
            await measure((ROW,) * 5, engine_of(SEATS, dead), rarity, recording)
    assert dead.requests
