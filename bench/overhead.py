"""Measures the engine's own time per question, with a model that answers at once.

    python bench/overhead.py

Prints the median and p95 for one question after another, and questions per second for many at once. Each is
compared with the baseline of the same run: the bare embedding of the same questions, which no engine can
avoid.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import sync
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Knowledge, Models, SelfCorrection
from rag.values import Question

PASSAGES = 3_000
QUESTIONS = 200
AT_ONCE = 20

_PARTS = ("payroll", "billing", "search", "export", "backup", "login", "report", "mail", "queue", "cache")
_THINGS = (
    "server",
    "database",
    "worker",
    "gateway",
    "console",
    "agent",
    "schedule",
    "archive",
    "index",
    "token",
)


def corpus(folder: Path) -> None:
    """Write a corpus of `PASSAGES` different passages of about 100 words."""
    for number in range(PASSAGES):
        part, thing = _PARTS[number % 10], _THINGS[number // 10 % 10]
        text = " ".join(
            f"The {part} {thing} number {number} keeps {7 * number + line} records in region {line} "
            f"and is restarted after {number % 59 + line} minutes without an answer."
            for line in range(5)
        )
        (folder / f"{part}-{thing}-{number}.md").write_text(f"# {part} {thing} {number}\n\n{text}\n")


def questions() -> list[str]:
    """Return different questions, so that no cache can answer them."""
    return [
        f"How many records has the {_PARTS[n % 10]} {_THINGS[n // 10 % 10]} number {n * 13 % PASSAGES}?"
        for n in range(QUESTIONS)
    ]


async def measure(base: KnowledgeBase) -> None:
    """Ask all questions one by one, then many at once."""
    replies: dict[str, Reply] = {
        "regenerate": "It keeps 21 records [1].",
        "rewrite": {"query": "records kept by the server"},
        "judge": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9},
    }
    refusing = ScriptedModel({"draft": "I do not know that; please see the documents.", **replies})
    claiming = ScriptedModel({"draft": "It keeps 21 records in region 3.", **replies})
    engine = AnswerEngine(models=refusing, corpus=base)
    fast = AnswerEngine(models=claiming, corpus=base, self_correction=SelfCorrection(max_retries=0))
    asked = questions()
    await engine.answer(Question("Is the engine warm?"))
    await fast.answer(Question("Is the engine warm?"))

    bare = []
    for text in asked:
        started = time.perf_counter()
        await base.embed_texts([f"{text} bare"])
        bare.append(time.perf_counter() - started)

    async def each(engine: AnswerEngine, suffix: str) -> list[float]:
        taken = []
        for text in asked:
            started = time.perf_counter()
            await engine.answer(Question(text + suffix))
            taken.append(time.perf_counter() - started)
        return taken

    _show("bare embedding of the question", bare, bare)
    _show("draft, probe, evaluation", await each(fast, " "), bare)
    _show("draft, search, answer from documents", await each(engine, "  "), bare)

    limit = asyncio.Semaphore(AT_ONCE)

    async def one(text: str) -> None:
        async with limit:
            await fast.answer(Question(text))

    started = time.perf_counter()
    await asyncio.gather(*(one(f"Tell me: {text}") for text in asked))
    rate = len(asked) / (time.perf_counter() - started)
    share = rate * statistics.median(bare)
    print(f"{AT_ONCE} at once: {rate:.0f} questions a second, {share:.2f} x the bare embeddings' own rate")


def _show(name: str, taken: list[float], bare: list[float]) -> None:
    median, worst = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    ratio = median / statistics.median(bare)
    print(f"{name:40} median {median * 1000:6.1f} ms   p95 {worst * 1000:6.1f} ms   {ratio:5.2f} x bare")


def main() -> None:
    """Index the corpus in a temporary folder and measure."""
    with tempfile.TemporaryDirectory() as folder:
        documents, data = Path(folder) / "documents", Path(folder) / "data"
        documents.mkdir()
        corpus(documents)
        print(f"indexing {PASSAGES} passages ...")
        sync(data, [documents], Knowledge(embedding="minilm"), Models())
        base = KnowledgeBase.open(data, Knowledge(embedding="minilm"), Models())
        try:
            print(f"{base.stats().chunks} passages, embedding {base.stats().embedding}")
            asyncio.run(measure(base))
        finally:
            base.close()


if __name__ == "__main__":
    main()
