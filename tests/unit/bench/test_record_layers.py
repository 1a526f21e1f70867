from __future__ import annotations

import time
from pathlib import Path

from bench import record_layers
from bench.judging_texts import Ground
from bench.recorded_model import Records
from bot.evaluate.rows import LabelledQuestion
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.loop import MemoryCorpus

LONG = "Mercury is the only metal that is liquid at room temperature."
REPLIES: dict[str, Reply] = {
    "critique": {"accuracy": 1.0, "helpfulness": 1.0, "completeness": 1.0},
}


def _reply(request: ChatRequest) -> Reply:
    if request.purpose == "draft":
        return "Mercury." if "brief" in request.messages[-1].text else LONG
    return REPLIES[request.purpose]


def _row(name: str, question: str) -> tuple[str, LabelledQuestion]:
    return "trivia", LabelledQuestion(id=name, kind="general", question=question, answers=("mercury",))


GROUND = Ground(
    "none",
    (),
    (),
    is_own=True,
    asked=(
        _row("1", "In brief, which metal is liquid?"),
        _row("2", "Which metal is liquid at room temperature?"),
    ),
)


async def _grow(records: Records, seconds: float = 60.0) -> list[tuple[str, bool]]:
    """What was asked, and whether it was about the long text."""
    model = ScriptedModel(_reply)
    await record_layers._grow(GROUND, MemoryCorpus(), records, model, time.monotonic() + seconds)
    return [(request.purpose, LONG in request.messages[-1].text) for request in model.requests]


async def test_what_a_critic_reads_comes_before_what_is_too_short_for_it() -> None:
    asked = await _grow(Records())
    assert asked == [("draft", False), ("draft", False), ("critique", True), ("critique", False)]


async def test_recording_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    assert await _grow(Records(path))
    assert await _grow(Records(path)) == []


async def test_nothing_is_begun_when_the_time_is_up() -> None:
    assert await _grow(Records(), seconds=-1.0) == []
