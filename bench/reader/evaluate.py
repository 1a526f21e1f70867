"""Prints how well a reader does on contrast pairs, held-out headings and held-out ClapNQ."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
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

LANGUAGES = ("pt", "it", "zh", "ja", "en", "ru", "es")


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


def share(scores: Scores, passage: str, text: str) -> float | None:
    """The share of all spans' probability that touches a text of the passage; None where it is not there."""
    places = [m.span() for m in re.finditer(re.escape(text), passage)]
    places = places or [m.span() for m in re.finditer(re.escape(text.lower()), passage.lower())]
    if not places:
        return None
    touched = spans.piece_mask(scores.offsets, places)
    return spans.share(spans.span_scores(scores), touched, touched)


def pairs(eyes: Eyes, folder: Path) -> dict[str, float]:
    """The part of the right answers accepted where .02 and .03 of the wrong ones are."""
    texts = {row["id"]: row["text"] for row in _rows(folder / "corpus.jsonl")}
    scores: dict[str, list[float]] = {"right": [], "wrong": []}
    for row in _rows(folder / "pairs.jsonl"):
        passage = texts[row["passages"][0]]
        read = eyes.read(row["question"], passage)
        for kind, found in scores.items():
            value = share(read, passage, row[kind])
            if value is not None:
                found.append(value)
    wrong = sorted(scores["wrong"], reverse=True)
    bars = {part: wrong[int(part * len(wrong))] for part in (0.02, 0.03)}
    right = np.array(scores["right"])
    return {f"at {part}": round(float((right > bar).mean()), 3) for part, bar in bars.items()}


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def area(answering: Sequence[float], other: Sequence[float]) -> float:
    """The chance that a passage that answers scores above one that does not (ties count half)."""
    a, b = np.array(answering)[:, None], np.array(other)[None, :]
    return round(float(((a > b) + 0.5 * (a == b)).mean()), 3)


def held_out(clones: Path, most: int = 150) -> dict[str, list[Row]]:
    """Rows that are never trained on: for each question a passage that answers and one that does not."""
    found: dict[str, list[Row]] = {}
    for clone in sources.clones():
        if not clone.held:
            continue
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
    for given in written(clones, held=True):
        found[f"written for {given.source}"] = [_shown(given.source, one) for one in given.questions]
    return found


def _shown(source: str, question: Question) -> Row:
    """The question with its section alone, below its heading."""
    one = question.section
    return Row(source, one.page, question.text, one.text, question.answers, question.span, one.heading)


def figures(eyes: Eyes, rows: Sequence[Row]) -> dict[str, float]:
    """How well "covers" tells, and how often the right sentence comes first."""
    chances: dict[bool, list[float]] = {True: [], False: []}
    right: dict[str, list[bool]] = {"by spans": [], "by evidence": [], "by both": []}
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
    best_start = spans.span_scores(read).max(1)
    weights = np.exp(best_start - best_start.max())
    scored = []
    for sentence in sentences:
        inside = spans.piece_mask(read.offsets, [sentence])
        if inside.any():
            weight = float(weights[inside].sum() / weights.sum())
            scored.append((float(chance[inside].mean()), weight, sentence))
    return {
        "by spans": next((one for one in sentences if end > one[0] and start < one[1]), sentences[0]),
        "by evidence": max(scored)[2],
        "by both": max(scored, key=lambda one: one[0] + one[1])[2],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", type=Path, nargs="+", help="files in 8 bits")
    parser.add_argument("--clones", type=Path, required=True, help="folder of local clones")
    parser.add_argument("--sets", type=Path, default=os.environ.get("DEVELOPMENT_DATA"), help="public sets")
    parser.add_argument("--most", type=int, default=150, help="questions of one held-out clone")
    parser.add_argument("--rows", type=Path, help="write the held-out rows here, to compare other readers on")
    parser.add_argument("--out", type=Path, help="write the figures here")
    given = parser.parse_args()
    held = held_out(given.clones, given.most)
    if given.rows:
        lines = [json.dumps(asdict(row), ensure_ascii=False) for rows in held.values() for row in rows]
        given.rows.write_text("\n".join(lines) + "\n", encoding="utf-8")
    measured: dict[str, dict[str, dict[str, float]]] = {}
    for path in given.readers:
        eyes = Eyes.of(path)
        found = measured[path.name] = {}
        for language in LANGUAGES if given.sets else ():
            found[f"pairs {language}"] = pairs(eyes, given.sets / "contrast" / language)
            print(path.name, "pairs", language, found[f"pairs {language}"], flush=True)
        for name, rows in held.items():
            found[name] = {"rows": len(rows), **figures(eyes, rows)}
            print(path.name, name, found[name], flush=True)
    if given.out:
        given.out.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
