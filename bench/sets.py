"""The locations of the sets that benchmarks and the gate use."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
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

OWN_FAULTS = "free checks on faults of the embedded model"
INSERTED_FAULTS = "free checks on inserted faults"

Kind = Literal[
    "free checks", "verdicts", "retrieval", "drafts", "written", "false answers", "natural", "contrast"
]

_STEP = 16
_HOLDING = 2
_SAMPLE = 40
"""Number of pairs of a contrast set in every run of the tests."""
_LANGUAGES = ("en", "ru", "es", "zh", "it", "pt", "ja")


@dataclass(frozen=True, slots=True)
class Set:
    """A labelled set, and how it is measured.

    Args:
        rows: The labelled rows: of the whole corpus, or a file for each of several corpora.
        recorded: For recorded texts, the sets whose questions they answer.
        is_quick: Measured by every run of the tests.
        sample: Measured on a part of the corpus, because embedding all of it takes a minute and a half. Only
            for drafts, because a search among few passages finds the right one too easily.
        most: Maximum number of rows of a corpus, evenly chosen; 0 means all.
        most_wrong: Maximum share of false answers that are called verified.
    """

    name: str
    kind: Kind
    corpus: tuple[Path, ...] = ()
    rows: tuple[Path, ...] = ()
    recorded: tuple[str, ...] = ()
    is_quick: bool = True
    sample: bool = False
    most: int = 0
    most_wrong: float = 1.0


def sets() -> list[Set]:
    """Return all sets; the files of those in the shared folder can be missing."""
    trivia, cloud = SHARED / "eval" / "retrievalqa", SHARED / "eval" / "mtrag_cloud"
    corpus, drafts, written = (trivia / "corpus.jsonl",), (DRAFTS,), (WRITTEN,)
    verdicts, asked = (trivia / "verdicts.jsonl",), (trivia / "questions.jsonl",)
    found = [
        Set(OWN_FAULTS, "free checks"),
        Set(INSERTED_FAULTS, "free checks", is_quick=False),
        *(_of_folders(f"verdicts {one.name}", "verdicts", (one,)) for one in sorted(VERDICTS.iterdir())),
        Set("retrieval handbooks", "retrieval", HANDBOOKS, (QUESTIONS,)),
        Set("drafts everyday talk and handbooks", "drafts", HANDBOOKS, drafts, ("handbooks", "everyday")),
        Set("written handbooks", "written", HANDBOOKS, written, ("handbooks",)),
        Set("verdicts retrievalqa sample", "verdicts", corpus, verdicts, sample=True),
        Set("verdicts retrievalqa", "verdicts", corpus, verdicts, is_quick=False),
        Set("retrieval retrievalqa", "retrieval", corpus, asked, is_quick=False),
        Set("drafts retrievalqa", "drafts", corpus, drafts, ("retrievalqa",), is_quick=False),
        Set("written retrievalqa", "written", corpus, written, ("retrievalqa",), is_quick=False),
        replace(_of_folders("retrieval mtrag_cloud", "retrieval", (cloud,)), is_quick=False),
    ]
    for part, name in (("a", "fitting"), ("c", "fitting later"), ("b", "held out")):
        one = _of_folders(f"false answers {name}", "false answers", handbooks(part))
        found.append(replace(one, most_wrong=0.15))
    for part in "abc":
        found += [_of_folders(f"natural {one.name}", "natural", (one,)) for one in handbooks(part)]
    for language in _LANGUAGES:
        one = _of_folders(f"contrast {language}", "contrast", (SHARED / "eval" / "contrast" / language,))
        found.append(replace(one, name=f"{one.name} sample", most=_SAMPLE, most_wrong=0.15))
        found.append(replace(one, is_quick=False, most_wrong=0.1))
    return found


ROWS: dict[Kind, str] = {
    "verdicts": "verdicts.jsonl",
    "retrieval": "questions.jsonl",
    "natural": "questions.jsonl",
    "false answers": "false_answers.jsonl",
    "contrast": "pairs.jsonl",
}


def _of_folders(name: str, kind: Kind, folders: tuple[Path, ...]) -> Set:
    corpora = tuple(folder / "corpus.jsonl" for folder in folders)
    return Set(name, kind, corpora, tuple(folder / ROWS[kind] for folder in folders))


def handbooks(part: str) -> tuple[Path, ...]:
    """The handbooks of a part: ``a`` and ``c`` to fit on, ``b`` held out."""
    return tuple(sorted((DATA / "questions").glob(f"*-{part}")))


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
