"""Fits what a reader's scores mean as probabilities, and writes rag/verifier/files/calibration.json.

    python -m bench.reader.calibrate HELD [--drafts FOLDER] [--write]

HELD are the held-out rows of `bench.reader.evaluate`: questions that stand as headings of documentation and
natural questions, of sources that the reader was not trained on. For "covers", each question is searched
among all passages of its source by the product's embedding, and the first passages are read, so that reading
and retrieval become one probability; so are held-out messages that no document answers. For "carries", the
drafts are the labelled ones of bench/data/verdicts: right and wrong answers to handbooks that our own people
wrote, which the reader has not seen either.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.reader.negatives import ASIDES, read
from bench.sets import REPOSITORY, VERDICTS
from rag.evidence import claims
from rag.knowledge.embeddings.multilingual import Multilingual
from rag.values import Passage, PassageId
from rag.verifier import Claim, calibration
from rag.verifier.bundled import BundledReader, share_of_claim

FILE = REPOSITORY / "rag" / "verifier" / "files" / "calibration.json"
_READ = 5
_COMPARED = 3
_STEPS = 4000
_RATE = 0.3
_RIDGE = 1e-3

Example = tuple[dict[str, float], bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("held", type=Path, help="JSON Lines of held-out rows")
    parser.add_argument("--drafts", type=Path, default=VERDICTS, help="labelled drafts")
    parser.add_argument("--write", action="store_true", help="write the calibration")
    options = parser.parse_args()
    reader = BundledReader()
    found = {
        "covers": list(_coverage(reader, options.held)),
        "carries": list(_carrying(reader, options.drafts)),
    }
    fitted = {name: fit(examples) for name, examples in found.items()}
    for name, examples in found.items():
        report(name, examples, fitted[name])
    if options.write:
        FILE.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of a logistic function by gradient descent on standardised features."""
    names = sorted(examples[0][0])
    values = np.array([[one[name] for name in names] for one, _ in examples])
    wanted = np.array([label for _, label in examples], float)
    mean, width = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = (values - mean) / width
    weights, bias = np.zeros(len(names)), 0.0
    for _ in range(_STEPS):
        error = 1 / (1 + np.exp(-(scaled @ weights + bias))) - wanted
        weights -= _RATE * (scaled.T @ error / len(wanted) + _RIDGE * weights)
        bias -= _RATE * float(error.mean())
    plain = weights / width
    return {"bias": round(float(bias - plain @ mean), 4)} | {
        name: round(float(one), 4) for name, one in zip(names, plain, strict=True)
    }


def report(name: str, examples: Sequence[Example], weights: Mapping[str, float]) -> None:
    """Print, by steps of probability, how many examples there are and how many of them are right."""
    rows: dict[int, list[bool]] = defaultdict(list)
    for features, label in examples:
        value = weights["bias"] + sum(weights[key] * one for key, one in features.items())
        rows[min(9, int(10 / (1 + math.exp(-value))))].append(label)
    print(f"{name}: {len(examples)} examples, {dict(weights)}")
    for step, labels in sorted(rows.items()):
        print(f"  {step / 10:.1f}  {len(labels):5d}  right {sum(labels) / len(labels):.2f}")


def _coverage(reader: BundledReader, file: Path) -> Iterator[Example]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    embedder = Multilingual()
    by_source: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_source[row["source"]].append(row)
    messages = [row["message"] for row in read(ASIDES, held=True)]
    for number, known in enumerate(by_source.values()):
        passages = list({row["passage"]: row for row in known}.values())
        vectors = embedder.embed_passages([f"{row['head']}\n{row['passage']}" for row in passages])
        asked = {row["question"]: row for row in known if row["answers"]}
        for question in (*asked, *messages[number :: len(by_source)]):
            similar = vectors @ embedder.embed_queries([question])[0]
            right = {one["passage"] for one in known if one["question"] == question and one["answers"]}
            first = [passages[int(at)] for at in np.argsort(-similar)[:_READ]]
            row = asked.get(question)
            for rank, one in enumerate(first if row is None or row in first else [*first, row]):
                passage = Passage(PassageId(""), one["head"], "", one["passage"])
                scores = reader.scores(question, passage)
                yield calibration.coverage_features(scores, rank), one["passage"] in right


def _carrying(reader: BundledReader, folder: Path) -> Iterator[Example]:
    """Right and wrong drafts as the loop sees them: those that the veto stops need no probability."""
    embedder = Multilingual()
    for language in sorted(folder.iterdir()):
        passages = _passages(language)
        vectors = embedder.embed_passages([one.text for one in passages])
        for line in (language / "verdicts.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            made = claims.split(row["draft"], language.name)
            if row["kind"] not in {"doc_right", "doc_wrong", "doc_changed_number"} or len(made) != 1:
                continue
            similar = vectors @ embedder.embed_queries([row["question"]])[0]
            near = [passages[int(at)] for at in np.argsort(-similar)[:_COMPARED]]
            shares = [
                share_of_claim(Claim(row["question"], made[0].text, one), reader.scores(row["question"], one))
                for one in near
                if claims.is_not_vetoed(made[0], one)
            ]
            if shares:
                yield calibration.carrying_features(max(shares)), row["kind"] == "doc_right"


def _passages(folder: Path) -> list[Passage]:
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    return [Passage(PassageId(row["id"]), row.get("title", ""), "", row["text"]) for row in rows]


if __name__ == "__main__":
    main()
