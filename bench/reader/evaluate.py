"""Prints how often a reader is right on questions that it was not trained on."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.reader import network, sources
from bench.reader.export import session
from bench.reader.negatives import Asked, Question, of_headings, written
from bench.reader.sources import Part, Row
from rag.verifier import spans
from rag.verifier.spans import Scores


@dataclass
class Eyes:
    """A reader in 8 bits with its tokenizer and word table."""

    session: Any
    tokens: Any
    table: network.Floats

    @classmethod
    def of(cls, path: Path) -> Eyes:
        """The reader of a file."""
        packed = network.read_packed()
        table = packed.tensor("emb.word").reshape(-1, packed.sizes["width"])
        return cls(session(path), network.tokenizer(packed), table)

    def read(self, question: str, passage: str, head: str = "") -> Scores:
        """The scores of a passage's tokens, which is shown below a heading."""
        encoded = network.Encoded(self.tokens, question, head + passage)
        vectors = self.table[encoded.ids][None]
        mask = np.ones((1, len(encoded.ids)), dtype=np.int64)
        logits = self.session.run(["logits"], {"vectors": vectors, "mask": mask})[0][0]
        return network.scores(logits, encoded, len(head))


def area(answering: Sequence[float], other: Sequence[float]) -> float:
    """The chance that a passage that answers scores above one that does not (ties count half)."""
    a, b = np.array(answering)[:, None], np.array(other)[None, :]
    return round(float(((a > b) + 0.5 * (a == b)).mean()), 3)


def held_out(clones: Path, asked_of: Iterable[Asked], most: int = 150) -> dict[str, list[Row]]:
    """Rows that are never trained on: for each question a passage that answers and one that does not."""
    found: dict[str, list[Row]] = {}
    for clone in (one for one in sources.clones() if one.held):
        site = sources.sections(clones, clone)
        asked = of_headings(site, clone.every)
        chance = random.Random(7)
        chance.shuffle(asked)
        drawer = Asked(clone.name, asked[:most], site)
        found[clone.name] = [
            drawer.draw(chance, i, negative)
            for i in range(len(drawer.questions))
            for negative in (False, True)
        ]
    found["clapnq"] = [row for row in sources.clapnq(clones) if row.source == "held-clapnq"]
    for one in asked_of:
        found[f"written for {one.source}"] = [_shown(one.source, question) for question in one.questions]
    return found


def write_natural(clones: Path, asked_of: Iterable[Asked], folder: Path) -> None:
    """Write the held-out questions that are answered, with all pages of their clone, as sets of files."""
    for given in asked_of:
        home = folder / given.source.replace("/", "+")
        for path, text in sources.pages(clones, sources.Clone(given.source, "")):
            (home / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
            (home / "docs" / path).write_text(text, encoding="utf-8")
        with (home / "questions.jsonl").open("w", encoding="utf-8") as out:
            for number, one in enumerate(question for question in given.questions if question.answers):
                row: dict[str, Any] = {"id": str(number), "kind": "answered", "question": one.text}
                row["evidence"] = [one.section.text[slice(*place)] for place in one.answers]
                row["answers"] = [one.section.text[slice(*one.span)]] if one.span else []
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


def _shown(source: str, question: Question) -> Row:
    """Return a row whose passage is the section that a question was written for, and nothing around it."""
    one = question.section
    return Row(source, one.page, question.text, one.text, question.answers, question.span, one.heading)


def figures(eyes: Eyes, rows: Sequence[Row]) -> dict[str, float]:
    """How well "covers" tells, and how often the right sentence comes first."""
    chances: dict[bool, list[float]] = {True: [], False: []}
    right: dict[str, list[bool]] = {"by spans": [], "by evidence": []}
    for row in rows:
        read = eyes.read(row.question, row.passage, f"{row.head}\n" if row.head else "")
        if not len(read.start):
            continue
        chances[bool(row.answers)].append(read.covers)
        sentences = sources.parts(row.passage)
        if row.answers and len(sentences) > 1:
            for name, best in _chosen(read, sentences).items():
                right[name].append(any(best[0] < b and best[1] > a for a, b in row.answers))
    out = {"area by covers": area(chances[True], chances[False])}
    return out | {f"sentence {name}": round(float(np.mean(hits)), 3) for name, hits in right.items()}


def _chosen(read: Scores, sentences: Sequence[Part]) -> dict[str, Part]:
    start, end = spans.best_span(read)
    chance = 1 / (1 + np.exp(-read.evidence))
    inside = {one: spans.piece_mask(read.offsets, [one]) for one in sentences}
    return {
        "by spans": next((one for one in sentences if end > one[0] and start < one[1]), sentences[0]),
        "by evidence": max(sentences, key=lambda one: chance[inside[one]].mean() if inside[one].any() else 0),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", type=Path, nargs="+", help="files in 8 bits")
    parser.add_argument("--clones", type=Path, required=True, help="folder of local clones")
    parser.add_argument("--most", type=int, default=150, help="questions of one held-out clone")
    parser.add_argument("--rows", type=Path, help="write the held-out rows here, to compare other readers on")
    parser.add_argument("--natural", type=Path, help="write sets for bench/natural.py into this folder")
    given = parser.parse_args()
    asked_of = list(written(given.clones, held=True))
    held = held_out(given.clones, asked_of, given.most)
    if given.rows:
        lines = (json.dumps(asdict(row), ensure_ascii=False) + "\n" for rows in held.values() for row in rows)
        given.rows.write_text("".join(lines), encoding="utf-8")
    if given.natural:
        write_natural(given.clones, asked_of, given.natural)
    for path in given.readers:
        eyes = Eyes.of(path)
        for name, rows in held.items():
            print(path.name, name, {"rows": len(rows), **figures(eyes, rows)}, flush=True)


if __name__ == "__main__":
    main()
