"""Counts answers that code reads from all rows of a table, on WikiTableQuestions (CC BY-SA 4.0).

    python -m bench.rows FOLDER [SPLIT]

FOLDER is a copy of the set's public repository (``data/`` and ``csv/``), fetched by hand; SPLIT is a file
in ``data/``, by default ``training.tsv``; only its first and second development splits were looked at.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

import regex

from rag.knowledge.loaders.content import table_row, table_rule
from rag.quoting.rows import RowAnswer, answers_from_rows
from rag.values import Passage, PassageId


def main(folder: Path, split: str = "training.tsv") -> None:
    """Print how many questions are answered by operation, and how many of these as the set says."""
    counts: Counter[tuple[str, bool]] = Counter()
    with (folder / "data" / split).open(encoding="utf-8", newline="") as file:
        questions = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for one in questions:
        with (folder / one["context"]).open(encoding="utf-8", newline="") as file:
            head, *rows = (
                [" ".join(cell.split()).replace("|", "/") for cell in row]
                for row in csv.reader(file, escapechar="\\")
            )
        text = "\n".join((table_row(head), table_rule(len(head)), *map(table_row, rows)))
        answers = answers_from_rows(one["utterance"], "en", [Passage(PassageId("table"), "table", "", text)])
        for answer in answers[:1]:
            counts[answer.operation, _is_right(answer, one["targetValue"])] += 1
    print(f"{len(questions)} questions of {split}, {counts.total()} answered by code")
    for operation in sorted({operation for operation, _ in counts}):
        right, wrong = counts[operation, True], counts[operation, False]
        print(f"{operation}: {right} as the set says, {wrong} otherwise")


def _is_right(answer: RowAnswer, target: str) -> bool:
    targets = sorted(_plain(one) for one in target.split("|"))
    if answer.operation == "count":
        return targets == [answer.value]
    if answer.operation == "list":
        return targets == sorted(map(_plain, answer.names))
    cells = {_plain(cell) for cell in answer.rows[0].cells}
    return len(targets) == len(answer.rows) == 1 and any(targets[0] in cell for cell in cells)


def _plain(text: str) -> str:
    return " ".join(regex.sub(r"\W+", " ", text).casefold().split())


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
