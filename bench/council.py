"""What a council costs beyond its models.

    python bench/council.py

The engine's own time for a council of four whose models answer at once, beside what a single answer over the
same corpus takes in the same run; and how long stage 2.5 takes beside its slowest member.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from rag.engine import AnswerEngine
from rag.events import CouncilEvent
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import sync
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Council, Knowledge, Models, SelfCorrection

MEMBERS = ("anna", "boris", "chen", "dora")
ROUNDS = 30
AT_MOST_MS = 150
AT_MOST_SHARE = 1.10
DELAYS = dict(zip(MEMBERS, (0.1, 0.2, 0.3, 0.4), strict=True))
"""Seconds that the members take to correct themselves."""


def reply(request: ChatRequest) -> Reply:
    """Answer at once, as a member that behaves well."""
    match request.purpose:
        case "peer_review":
            (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", request.messages[-1].text)
            shown = str(listed).split(", ")
            critiques = [{"label": one, "strengths": "Short.", "issues": ["It is dull."]} for one in shown]
            return {"ranking": shown, "critiques": critiques}
        case "judge":
            return {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9}
        case "read":
            return "21 records"
        case _:
            return f"The payroll server keeps 21 records in region 3 [1]. {request.seat}"


async def slowly(request: ChatRequest) -> Reply:
    """The same, with the time that a correction takes."""
    if request.purpose == "self_correct":
        await asyncio.sleep(DELAYS[request.seat])
    return reply(request)


def engine(base: KnowledgeBase, model: ScriptedModel) -> AnswerEngine:
    """An engine with a council of four."""
    return AnswerEngine(
        model,
        base,
        self_correction=SelfCorrection(answer_from="writer", fast_path="never"),
        council=Council(members=MEMBERS, chairman=MEMBERS[0]),
    )


async def held(engine: AnswerEngine, question: str) -> tuple[float, float]:
    """Seconds of a whole council, and of its stage 2.5."""
    started, begun, over = time.perf_counter(), 0.0, 0.0
    async for event in engine.council(question):
        if isinstance(event, CouncilEvent) and event.name == "stage2_5_start":
            begun = time.perf_counter()
        if isinstance(event, CouncilEvent) and event.name == "stage2_5_complete":
            over = time.perf_counter()
    return time.perf_counter() - started, over - begun


async def measure(base: KnowledgeBase) -> bool:
    """Hold councils, and say whether both bounds hold."""
    model = ScriptedModel(reply)
    at_once = engine(base, model)
    single, whole, stage = [], [], []
    await held(at_once, "Is the engine warm?")
    for number in range(ROUNDS):
        question = f"How many records has the payroll server number {number}?"
        started = time.perf_counter()
        # Other words, or the council would find its question embedded already.
        await at_once.answer(f"What is kept by the payroll server number {number}?")
        single.append(time.perf_counter() - started)
        before = len(model.requests)
        whole.append((await held(at_once, question))[0])
        calls = sum(bool(request.seat) for request in model.requests[before:])
        assert calls == 3 * len(MEMBERS) + 1, f"{calls} calls are no council of {len(MEMBERS)}"
    patient = engine(base, ScriptedModel(slowly))
    for number in range(ROUNDS // 6):
        _whole, corrections = await held(patient, f"How many records has server {number}?")
        stage.append(corrections)
    own, bare = statistics.median(whole) * 1000, statistics.median(single) * 1000
    slowest = max(DELAYS.values())
    share = statistics.median(stage) / slowest
    print(f"one answer, models that answer at once      median {bare:6.1f} ms   1.00 x")
    print(f"council of four, the same models            median {own:6.1f} ms   {own / bare:4.2f} x")
    median = share * slowest * 1000
    name = f"stage 2.5, slowest member {slowest * 1000:.0f} ms"
    print(f"{name:43} median {median:6.1f} ms   {share:4.2f} x")
    is_kept = own <= AT_MOST_MS and share <= AT_MOST_SHARE
    print(f"bounds ({AT_MOST_MS} ms, {AT_MOST_SHARE:.2f} x): {'kept' if is_kept else 'EXCEEDED'}")
    return is_kept


def main() -> None:
    """Index a small corpus in a temporary folder and measure."""
    with tempfile.TemporaryDirectory() as folder:
        documents, data = Path(folder) / "documents", Path(folder) / "data"
        documents.mkdir()
        for number in range(200):
            text = f"# Payroll {number}\n\nThe payroll server number {number} keeps 21 records in region 3.\n"
            (documents / f"{number}.md").write_text(text, encoding="utf-8")
        sync(data, [documents], Knowledge(embedding="minilm"), Models())
        base = KnowledgeBase.open(data, Knowledge(embedding="minilm"), Models())
        try:
            is_kept = asyncio.run(measure(base))
        finally:
            base.close()
    sys.exit(0 if is_kept else 1)


if __name__ == "__main__":
    main()
