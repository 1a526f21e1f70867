"""Record texts of the configured model in which it makes faults of form of its own accord.

    python bench/record_faults.py [--data-dir .data] [--seconds 1800]

``bench/data/own_faults.jsonl`` comes out; rows are added and never written anew. There are three ways:

- ``plain``: an open question with the instructions of any chatbot and a low limit of tokens, so that most
  texts are cut off where the model happened to be, and chatbot phrases appear;
- ``draft``: the same question with the product's own prompt of a draft;
- ``written``: an answer from passages, asked for in a language that neither question nor passages are in.

A row holds the question, the language that was asked for, the text and why the model stopped. Whoever reads
it adds ``faults``: the kinds of fault in it, as named in ``bench/own_faults.py``; an empty list for
a text without any.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bench.own_faults import PATH
from bench.record_drafts import draft_freely, write_from_passages
from bench.sets import DATA, HANDBOOKS, QUESTIONS
from bot.app import engine
from bot.evaluate import measurement_setup, rows, stream
from bot.evaluate.rows import LabelledQuestion
from bot.settings.tree import Settings
from rag.errors import ModelError
from rag.models.chat import ChatRequest, Message
from rag.models.roles import RoleModels
from rag.prompting.library import PromptLibrary
from rag.runs.run import Run
from rag.values import Draft, FinishReason, Question

OPEN_QUESTIONS = DATA / "open_questions.yaml"

_PLAIN = "You are a helpful assistant."
_PLAIN_TOKENS = 56
_FOREIGN = 7
"""Questions a language for the way ``written``."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to record: its name, the language and question, and what writes it."""

    id: str
    way: str
    language: str
    question: str
    write: Callable[[Run], Awaitable[Draft]]


def main() -> None:
    """Record until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data-dir", type=Path, default=Path(".data"), help="model and indexes")
    parser.add_argument("--seconds", type=float, default=1800, help="no call starts after that")
    options = parser.parse_args()
    asyncio.run(record(options.data_dir, options.seconds))


async def record(data_dir: Path, seconds: float) -> None:
    """Write every text that is not recorded yet."""
    settings = Settings.load(data_dir=data_dir)
    models = RoleModels(settings.models, data_dir)
    end = time.monotonic() + seconds
    known = {row["id"] for row in recorded()}
    try:
        async with measurement_setup.indexed(
            HANDBOOKS, data_dir, settings.knowledge, settings.models
        ) as base:
            answering = engine(settings, models, base, PromptLibrary(settings.prompts))
            for one in wanted():
                if one.id in known:
                    continue
                if time.monotonic() > end:
                    return
                try:
                    question = Question(one.question, language=one.language)
                    said = await one.write(Run(question, answering.tools))
                except ModelError as exc:
                    print(f"{one.id} is left for the next run: {exc}", flush=True)
                    continue
                _append(one, said)
                print(one.id, said.finish_reason, said.text[:70].replace("\n", " "), flush=True)
    finally:
        await models.aclose()


def recorded() -> list[dict[str, Any]]:
    """The rows that are there."""
    if not PATH.exists():
        return []
    return [json.loads(line) for line in PATH.read_text(encoding="utf-8").split("\n") if line]


def wanted() -> Iterator[Wanted]:
    """The texts to record, the languages in turn."""
    by_language: dict[str, list[str]] = yaml.safe_load(OPEN_QUESTIONS.read_text(encoding="utf-8"))
    asked = rows.read(QUESTIONS, LabelledQuestion).rows
    for number in range(max(map(len, by_language.values()))):
        for language, questions in by_language.items():
            text = questions[number]
            yield Wanted(f"plain-{language}-{number}", "plain", language, text, _write_plainly)
            yield Wanted(f"draft-{language}-{number}", "draft", language, text, draft_freely)
    languages = tuple(by_language)
    for number, row in enumerate(stream.spread(asked, _FOREIGN * len(languages))):
        language = languages[number % len(languages)]
        if language == row.lang:
            language = languages[(number + 1) % len(languages)]
        name = f"written-{language}-{row.id}"
        yield Wanted(name, "written", language, row.question, write_from_passages)


async def _write_plainly(run: Run) -> Draft:
    said = await run.tools.models.complete(
        ChatRequest("draft", _PLAIN, (Message("user", run.question.text),), max_tokens=_PLAIN_TOKENS)
    )
    finished: FinishReason = said.finish_reason
    return Draft(said.text.strip(), (), finished, said.model)


def _append(one: Wanted, said: Draft) -> None:
    row = {
        "id": one.id,
        "way": one.way,
        "lang": one.language,
        "question": one.question,
        "shown": len(said.passages),
        "text": said.text,
        "finish_reason": said.finish_reason,
        "model": said.model,
    }
    with PATH.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
