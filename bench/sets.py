"""The locations of the sets that benchmarks and the gate use."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rag.values import Passage, PassageId

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "bench" / "data"
SHARED = Path(os.environ.get("DEVELOPMENT_DATA", REPOSITORY.parent / "shared"))
"""Public development sets, beside the repository if available."""

VERDICTS = DATA / "verdicts"
"""One folder per language, with a small handbook of our own and labelled drafts about it."""

HANDBOOKS = tuple(VERDICTS / language / "corpus.jsonl" for language in ("es", "ko", "ru", "zh"))
"""The handbooks that recorded texts are about; together a corpus in four languages."""

QUESTIONS = DATA / "questions.jsonl"
"""Questions about the handbooks, with gold answers and the passages that contain these."""

DRAFTS = DATA / "drafts.jsonl"
"""Texts that the embedded model wrote without documents, recorded by ``bench/record.py``."""

WRITTEN = DATA / "written.jsonl"
"""Texts that the embedded model wrote from passages, recorded by ``bench/record.py``."""

Kind = Literal["verdicts", "retrieval", "drafts", "written"]

_STEP = 16
_HOLDING = 2


@dataclass(frozen=True, slots=True)
class Set:
    """A labelled set.

    Args:
        recorded: For recorded texts, the sets whose questions they answer.
        is_quick: Measured by every run of the tests.
        sample: Measured on a part of the corpus, because embedding all of it takes a minute and a half. Only
            for drafts, because a search among few passages finds the right one too easily.
    """

    name: str
    kind: Kind
    corpus: tuple[Path, ...]
    rows: Path
    recorded: tuple[str, ...] = ()
    is_quick: bool = True
    sample: bool = False


def sets() -> list[Set]:
    """Return all sets whose files exist; those of the shared folder can be missing."""
    shared = SHARED / "eval"
    trivia, cloud = shared / "retrievalqa", shared / "mtrag_cloud"
    corpus = (trivia / "corpus.jsonl",)
    own = [
        Set(f"verdicts {folder.name}", "verdicts", (folder / "corpus.jsonl",), folder / "verdicts.jsonl")
        for folder in sorted(VERDICTS.iterdir())
    ]
    return [
        *own,
        Set("retrieval handbooks", "retrieval", HANDBOOKS, QUESTIONS),
        Set("drafts everyday talk and handbooks", "drafts", HANDBOOKS, DRAFTS, ("handbooks", "everyday")),
        Set("written handbooks", "written", HANDBOOKS, WRITTEN, ("handbooks",)),
        Set("verdicts retrievalqa sample", "verdicts", corpus, trivia / "verdicts.jsonl", sample=True),
        Set("verdicts retrievalqa", "verdicts", corpus, trivia / "verdicts.jsonl", is_quick=False),
        Set("retrieval retrievalqa", "retrieval", corpus, trivia / "questions.jsonl", is_quick=False),
        Set("drafts retrievalqa", "drafts", corpus, DRAFTS, ("retrievalqa",), is_quick=False),
        Set("written retrievalqa", "written", corpus, WRITTEN, ("retrievalqa",), is_quick=False),
        Set(
            "retrieval mtrag_cloud",
            "retrieval",
            (cloud / "corpus.jsonl",),
            cloud / "questions.jsonl",
            is_quick=False,
        ),
    ]


def passages(corpus: Iterable[Path]) -> dict[str, Passage]:
    """Return the passages of a corpus by key, as recorded texts name the passages that their writer saw."""
    found = (json.loads(line) for path in corpus for line in path.read_text(encoding="utf-8").splitlines())
    # A row's title is also the heading of its text, so it names the section, as in the index.
    return {
        row["id"]: Passage(PassageId(row["id"]), title, title, row["text"], source=row["id"])
        for row in found
        for title in [row.get("title", "")]
    }


def sampled(corpus: Path, drafts: Path, into: Path) -> Path:
    """Write every 16th passage of a corpus, and up to two that contain the gold answer of a draft."""
    golds = {
        tuple(row["gold"] or ()) for row in map(json.loads, drafts.read_text(encoding="utf-8").splitlines())
    }
    wanted = {answers: [answer.casefold().strip() for answer in answers] for answers in sorted(golds)}
    left = dict.fromkeys(wanted, _HOLDING)
    kept: list[str] = []
    for number, line in enumerate(corpus.read_text(encoding="utf-8").splitlines()):
        text = line.casefold()
        held = [one for one, times in left.items() if times and any(answer in text for answer in wanted[one])]
        for one in held:
            left[one] -= 1
        if held or not number % _STEP:
            kept.append(line)
    path = into / f"{corpus.parent.name}-sample" / "corpus.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path
