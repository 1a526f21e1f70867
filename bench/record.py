"""Ask the configured model, and keep its texts in files, so that the checks are measured without a model.

    python bench/record.py drafts|faults [--data-dir .data] [--seconds 700]

Rows are added and never written anew. ``drafts``, with the question and its gold answers:

- ``bench/data/drafts.jsonl``: first drafts, written without documents, for development questions
  (``retrievalqa`` where it lies beside the repository), for our own handbooks and for everyday talk;
- ``bench/data/written.jsonl``: answers written from the passages that the search found for the same
  questions about documents, with the keys of these passages.

``faults``, texts in which the model makes faults of form of its own accord (``bench/data/own_faults.jsonl``):
``plain``, an open question with the instructions of any chatbot and a low limit of tokens; ``draft``, the
same question with the product's own prompt; ``written``, an answer from passages, asked for in a language
that neither question nor passages are in. Whoever reads a row adds ``faults``: the kinds of fault in it, as
named in ``bench/own_faults.py``; an empty list for a text without any.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from bench import own_faults
from bench.sets import DATA, DRAFTS, HANDBOOKS, QUESTIONS, SHARED, WRITTEN
from bot.app import engine
from bot.evaluate import measurement_setup, rows, stream
from bot.evaluate.rows import LabelledQuestion
from bot.settings.tree import Settings
from rag.errors import ModelError
from rag.models.chat import ChatRequest, Message
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary
from rag.runs.run import Run
from rag.steps.classify import classify
from rag.steps.draft import draft
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.values import Draft, Question

_MOST, _MOST_WRITTEN = 60, 24
"""Questions of a set that are drafted, and of these, that are answered from passages as well."""

_PLAIN = "You are a helpful assistant."
_PLAIN_TOKENS = 56
_FOREIGN = 7
"""Questions a language for the way ``written``."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to record; `set` and `id` in `row` name it in the file."""

    path: Path
    row: dict[str, Any]
    corpus: tuple[Path, ...]
    question: Question
    write: Callable[[Run], Awaitable[Draft]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["drafts", "faults"])
    parser.add_argument("--data-dir", type=Path, default=Path(".data"), help="model and indexes")
    parser.add_argument("--seconds", type=float, default=700, help="no call starts after that")
    options = parser.parse_args()
    wanted = drafts() if options.what == "drafts" else faults()
    asyncio.run(record(wanted, options.data_dir, time.monotonic() + options.seconds))


async def record(wanted: Iterator[Wanted], data_dir: Path, end: float) -> None:
    settings = Settings.load(data_dir=data_dir)
    async with aclosing(RoleModels(settings.models, data_dir)) as models:
        for corpus, group in groupby(wanted, lambda one: one.corpus):
            indexed = measurement_setup.indexed(corpus, data_dir, settings.knowledge, settings.models)
            async with indexed as base:
                answering = engine(settings, models, base, PromptLibrary(settings.prompts))
                for one in group:
                    if _key(one.row) not in map(_key, _recorded(one.path)) and time.monotonic() < end:
                        await _write(one, Run(one.question, answering.tools))


async def _write(one: Wanted, run: Run) -> None:
    try:
        said = await one.write(run)
    except ModelError as exc:
        print(f"{_key(one.row)} is left for the next run: {exc}", flush=True)
        return
    usage = run.ledger.usage()
    shown = [passage.source for passage in said.passages]
    row = {
        **one.row,
        "text": said.text,
        "finish_reason": said.finish_reason,
        "model": said.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "shown": len(shown) if one.path == own_faults.PATH else shown,
    }
    with one.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(one.path.stem, one.row["id"], said.finish_reason, said.text[:70].replace("\n", " "), flush=True)


def _key(row: dict[str, Any]) -> tuple[str, str]:
    return row.get("set", ""), row["id"]


def _recorded(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    return [json.loads(line) for line in lines if line]


def drafts() -> Iterator[Wanted]:
    everyday = [row for row in stream.everyday() if row.kind == "general"]
    sources = [
        ("everyday", HANDBOOKS, everyday, 0),
        ("handbooks", HANDBOOKS, rows.read(QUESTIONS, LabelledQuestion).rows, _MOST_WRITTEN),
    ]
    folder = SHARED / "eval" / "retrievalqa"
    if folder.is_dir():
        asked = rows.read(folder / "questions.jsonl", LabelledQuestion).rows
        sources.append(("retrievalqa", (folder / "corpus.jsonl",), asked, _MOST_WRITTEN))
    for name, corpus, labelled, written in sources:
        chosen = stream.spread(labelled, _MOST)
        for path, questions, write in (
            (DRAFTS, chosen, _draft_freely),
            (WRITTEN, stream.spread(chosen, written), _write_from_passages),
        ):
            for row in questions:
                told = {"set": name, **row.model_dump(mode="json", exclude={"reference", "history", "split"})}
                told["lang"] = row.lang or classify(row.asked()).language
                yield Wanted(path, told, corpus, row.asked(), write)


def faults() -> Iterator[Wanted]:
    """Yield the texts in which the model may make faults of form, one of each language in turn."""
    questions: dict[str, list[str]] = yaml.safe_load(
        (DATA / "open_questions.yaml").read_text(encoding="utf-8")
    )
    languages = tuple(questions)

    def wanted(way: str, name: str, text: str, write: Callable[[Run], Awaitable[Draft]]) -> Wanted:
        language = name.partition("-")[0]
        row = {"id": f"{way}-{name}", "way": way, "lang": language, "question": text}
        return Wanted(own_faults.PATH, row, HANDBOOKS, Question(text, language=language), write)

    for number in range(max(map(len, questions.values()))):
        for language, texts in questions.items():
            yield wanted("plain", f"{language}-{number}", texts[number], _write_plainly)
            yield wanted("draft", f"{language}-{number}", texts[number], _draft_freely)
    asked = rows.read(QUESTIONS, LabelledQuestion).rows
    for number, row in enumerate(stream.spread(asked, _FOREIGN * len(languages))):
        language = languages[number % len(languages)]
        if language == row.lang:
            language = languages[(number + 1) % len(languages)]
        yield wanted("written", f"{language}-{row.id}", row.question, _write_from_passages)


async def _draft_freely(run: Run) -> Draft:
    classification = classify(run.question)
    return await run.step("draft", lambda: draft(run, classification))


async def _write_from_passages(run: Run) -> Draft:
    classification = classify(run.question)
    found = await run.step("retrieve", lambda: retrieve(run, classification, (), frozenset()))
    return await run.step("regenerate", lambda: regenerate(run, classification, found.passages))


async def _write_plainly(run: Run) -> Draft:
    said = await run.tools.models.complete(
        ChatRequest("draft", _PLAIN, (Message("user", run.question.text),), max_tokens=_PLAIN_TOKENS)
    )
    return Draft(said.text.strip(), (), said.finish_reason, said.model)


if __name__ == "__main__":
    main()
