"""Measure the answers to questions that people asked about public documentation; nobody here wrote it.

    python bench/natural.py [FOLDER …] [--model embedded] [--data-dir FOLDER] [--json FILE]

A set is a folder with ``docs``, the files as they are, and ``questions.jsonl`` (`NaturalRow`). A folder of
sets does as well; by default that is ``natural`` beside the public sets. The product indexes the files and
answers in mode quick: without ``--model`` by quoting alone. Strings tell whether a text is right, which is a
hint: ``--json`` keeps what was shown, for a person to read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import regex

from bench.sets import REPOSITORY, SHARED
from bot.evaluate import figures, rows
from bot.evaluate.rows import Row, Strings
from rag.engine import AnswerEngine
from rag.errors import ModelUnavailableError
from rag.knowledge.sources import discover
from rag.language.sentences import without_markers
from rag.models.scripted import ScriptedModel
from rag.values import Question
from tools.markdown import percent, table

_UNANSWERABLE = "unanswerable"
_ENOUGH = 0.7
"""Share of an evidence sentence's words that a text must have if it does not contain the sentence."""
_FEWEST = 5
"""Number of words from which that share tells anything."""
_END_OF_FIRST = " [1]"
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"
_WORD = regex.compile(rf"[{_UNSPACED}]|[\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}]]+", regex.V1)


class NaturalRow(Row):
    """A question about a set's documents.

    Args:
        kind: What sort of question it is; ``unanswerable`` if the documents do not answer it.
        answers: Strings that all stand in a right answer; may be empty.
        evidence: The sentences that answer, verbatim; " … " parts the cells of a row.
    """

    id: str
    kind: str
    question: str
    gold: str = ""
    answers: Strings = ()
    evidence: Strings = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown for a question, and what strings say of it.

    Args:
        is_first: The first quotation is right; of a text that a model wrote, all of it.
        is_whole: The text has a sentence that answers, or all cells of a row, without a word missing.
        is_stored: So has a passage of the documents.
    """

    set: str
    row: NaturalRow
    label: str
    text: str
    sources: tuple[str, ...]
    is_first: bool
    is_shown: bool
    seconds: float
    is_whole: bool = False
    is_stored: bool = False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", default=[SHARED / "natural"], help="sets")
    parser.add_argument("--model", default="", help="a chat model, such as embedded; default: none")
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".bench" / "natural", help="indexes")
    parser.add_argument("--json", type=Path, help="write every row with the text that was shown")
    options = parser.parse_args()
    shown: list[Shown] = []
    for folder in sets(options.folders):
        shown += asyncio.run(asked(folder, options.data_dir / folder.name, options.model))
        print(f"asked {folder.name}", flush=True)
    headings = ("natural questions", "rows", *_OF_ANSWERABLE, "unanswerable verified", "seconds")
    print(table(headings, lines(shown)))
    if options.json:
        found = [{**asdict(one), "row": one.row.model_dump()} for one in shown]
        options.json.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def sets(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the sets among folders and in them, and print the names of the folders without one."""
    for folder in folders:
        found = [path.parent for path in (folder / "questions.jsonl", *folder.glob("*/questions.jsonl"))]
        found = sorted(one for one in found if (one / "docs").is_dir())
        if not found:
            print(f"skipped: {folder} holds no set")
        yield from found


async def asked(folder: Path, data_dir: Path, model: str = "") -> list[Shown]:
    found: list[Shown] = []
    async with AnswerEngine.open(data_dir, corpus=folder / "docs", model=model) as engine:
        if not model:
            engine.tools = replace(engine.tools, models=ScriptedModel(ModelUnavailableError()))
        base = engine.tools.corpus
        files = discover([folder / "docs"]).sources
        stored = [one.text for file in files for one in await base.document(file.key)]
        for row in rows.read(folder / "questions.jsonl", NaturalRow).rows:
            answer = await engine.answer(Question(row.question, mode="quick"))
            first, _, _ = answer.text.partition(_END_OF_FIRST)
            sources = tuple(one.source for one in answer.citations)
            hits = is_right(first, row), is_right(answer.text, row)
            seconds = round(answer.seconds, 2)
            whole = is_whole(answer.text, row), any(is_whole(text, row) for text in stored)
            found.append(Shown(folder.name, row, answer.label, answer.text, sources, *hits, seconds, *whole))
    return found


def is_whole(text: str, row: NaturalRow) -> bool:
    said = _words(without_markers(text))
    return any(all(_contains(said, _words(cell)) for cell in one.split(" … ")) for one in row.evidence)


def is_right(text: str, row: NaturalRow) -> bool:
    """Return whether a shown text holds a sentence that answers, or all strings of the answer."""
    said = _words(without_markers(text))
    if any(_contains(said, words) or _has_most(said, words) for words in map(_words, row.evidence)):
        return True
    return bool(row.answers) and all(_contains(said, _words(answer)) for answer in row.answers)


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _contains(said: Sequence[str], words: Sequence[str]) -> bool:
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(said)} "


def _has_most(said: Sequence[str], words: Sequence[str]) -> bool:
    held = set(said)
    return len(words) >= _FEWEST and sum(word in held for word in words) >= _ENOUGH * len(words)


_OF_ANSWERABLE: dict[str, Callable[[Shown], bool]] = {
    "right first": lambda one: one.is_first,
    "right shown": lambda one: one.is_shown,
    "shown whole": lambda one: one.is_whole,
    "stored whole": lambda one: one.is_stored,
    "right and verified": lambda one: one.is_shown and one.label == "verified",
    "wrong and verified": lambda one: not one.is_shown and one.label == "verified",
    "wrongly not found": lambda one: one.label == "not_in_documents",
}


def lines(shown: Sequence[Shown]) -> list[tuple[str, ...]]:
    """Return a row of figures for each set and, where there are several, for all of them."""
    names = dict.fromkeys(one.set for one in shown)
    groups = {name: [one for one in shown if one.set == name] for name in names}
    if len(groups) > 1:
        groups["all"] = list(shown)
    return [(name, *_line(found)) for name, found in groups.items()]


def _line(found: Sequence[Shown]) -> tuple[str, ...]:
    answerable = [one for one in found if one.row.kind != _UNANSWERABLE]
    return (
        str(len(found)),
        *(_share([holds(one) for one in answerable]) for holds in _OF_ANSWERABLE.values()),
        _share([one.label == "verified" for one in found if one.row.kind == _UNANSWERABLE]),
        f"{figures.percentile([one.seconds for one in found], 0.5):.1f}",
    )


def _share(found: Sequence[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({percent(figures.mean(found) if found else None)})"


if __name__ == "__main__":
    main()
