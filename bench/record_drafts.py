"""Record what the configured model really writes, so that checks of it need no model.

    python bench/record_drafts.py [--data-dir .data] [--most 60] [--seconds 700]

Two files of JSON Lines come out, both added to and never begun anew:

- ``bench/data/drafts.jsonl``: first drafts, written without documents, for development questions
  (``retrievalqa`` where it lies beside the repository), for our own handbooks and for everyday talk;
- ``bench/data/written.jsonl``: answers written from the passages that the search found for the same
  questions about documents, with the keys of these passages.

A row holds the question with its gold answers, the text, why the model stopped, its name and its tokens.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.sets import DRAFTS, HANDBOOKS, QUESTIONS, SHARED, WRITTEN
from bot.app import engine
from bot.evaluate import measurement_setup, rows, stream
from bot.evaluate.rows import LabelledQuestion
from bot.settings.tree import Settings
from rag.engine import AnswerEngine
from rag.errors import ModelError
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary
from rag.runs.run import Run
from rag.steps.classify import classify
from rag.steps.draft import draft
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.values import Draft


@dataclass(frozen=True, slots=True)
class Source:
    """Questions, and the corpus that they are about.

    Args:
        name: Name of the set in the recorded rows.
        corpus: Files of the corpus.
        questions: The questions, evenly chosen.
        written: How many of them are answered from passages as well.
    """

    name: str
    corpus: tuple[Path, ...]
    questions: Sequence[LabelledQuestion]
    written: int


def main() -> None:
    """Record until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data-dir", type=Path, default=Path(".data"), help="model and indexes")
    parser.add_argument("--most", type=int, default=60, help="questions of a set")
    parser.add_argument("--written", type=int, default=24, help="of these, answered from passages as well")
    parser.add_argument("--seconds", type=float, default=700, help="no call starts after that")
    options = parser.parse_args()
    asyncio.run(record(options.data_dir, options.most, options.written, options.seconds))


async def record(data_dir: Path, most: int, written: int, seconds: float) -> None:
    """Draft for every question that has no draft yet, then write from passages."""
    settings = Settings.load(data_dir=data_dir)
    models = RoleModels(settings.models, data_dir)
    end = time.monotonic() + seconds
    try:
        for source in _sources(most, written):
            async with measurement_setup.indexed(
                source.corpus, data_dir, settings.knowledge, settings.models
            ) as base:
                await _record(source, engine(settings, models, base, PromptLibrary(settings.prompts)), end)
    finally:
        await models.aclose()


def _sources(most: int, written: int) -> Iterator[Source]:
    everyday = [row for row in stream.everyday() if row.kind == "general"]
    own = rows.read(QUESTIONS, LabelledQuestion).rows
    yield Source("everyday", HANDBOOKS, stream.spread(everyday, most), 0)
    yield Source("handbooks", HANDBOOKS, stream.spread(own, most), written)
    folder = SHARED / "eval" / "retrievalqa"
    if folder.is_dir():
        asked = rows.read(folder / "questions.jsonl", LabelledQuestion).rows
        yield Source("retrievalqa", (folder / "corpus.jsonl",), stream.spread(asked, most), written)


async def _record(source: Source, answering: AnswerEngine, end: float) -> None:
    for path, questions in (
        (DRAFTS, source.questions),
        (WRITTEN, stream.spread(source.questions, source.written)),
    ):
        known = _known(path)
        for row in questions:
            if (source.name, row.id) in known:
                continue
            if time.monotonic() > end:
                return
            try:
                run = Run(row.asked(), answering.tools)
                said = await (draft_freely(run) if path == DRAFTS else write_from_passages(run))
            except ModelError as exc:
                print(f"{source.name} {row.id} is left for the next run: {exc}", flush=True)
                continue
            with path.open("a", encoding="utf-8") as file:
                file.write(
                    json.dumps({"set": source.name, **_row(row, run, said)}, ensure_ascii=False) + "\n"
                )
            print(source.name, path.stem, row.id, said.text[:70].replace("\n", " "), flush=True)


async def draft_freely(run: Run) -> Draft:
    """Write a first draft, without documents."""
    classification = classify(run.question)
    return await run.step("draft", lambda: draft(run, classification))


async def write_from_passages(run: Run) -> Draft:
    """Write from the passages that the search finds."""
    classification = classify(run.question)
    found = await run.step("retrieve", lambda: retrieve(run, classification, (), frozenset()))
    return await run.step("regenerate", lambda: regenerate(run, classification, found.passages))


def _row(row: LabelledQuestion, run: Run, said: Draft) -> dict[str, Any]:
    usage = run.ledger.usage()
    return {
        **row.model_dump(mode="json", exclude={"reference", "history"}),
        "lang": row.lang or classify(run.question).language,
        "text": said.text,
        "finish_reason": said.finish_reason,
        "model": said.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "shown": [passage.source for passage in said.passages],
    }


def _known(path: Path) -> set[tuple[str, str]]:
    if not path.exists():
        return set()
    lines = path.read_text(encoding="utf-8").split("\n")
    return {(row["set"], row["id"]) for row in map(json.loads, filter(None, lines))}


if __name__ == "__main__":
    main()
