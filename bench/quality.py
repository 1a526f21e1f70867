"""The regression gate: measure verdicts and retrieval, and compare with the committed figures.

    python bench/quality.py [--quick] [--only NAME] [--write] [--answers FILE]

A figure may be worse than the committed one by its noise: one standard error of a share over so many rows,
and never less than one row. More is a failure, and so is a share of false answers called verified that is
above its ceiling, whatever was committed. ``--quick`` measures what needs no minute of embedding;
``--only`` measures the sets whose name begins so;
``--write`` commits what was measured instead of comparing; ``--answers`` takes over what
``thinktwice evaluate answers … --json`` printed, because that needs a model and an hour.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import embedded_once, free_layers, reliance, sets
from bench.sets import REPOSITORY, Set
from bot.evaluate import gold, grading, measurement_setup, retrieval, rows, verdicts
from bot.evaluate.rows import LabelledDraft, LabelledQuestion
from rag.settings import Knowledge, Models
from rag.values import Draft, FinishReason

COMMITTED = REPOSITORY / "bench" / "quality.json"
COMMAND = "python bench/quality.py --write"
LOWER_IS_BETTER = {
    "wrongly_adequate",
    "wrong_as_verified",
    "wrong_verified",
    "refused_wrongly",
    "false_alarms",
}
MOST_FAILED = 0.05


@dataclass(frozen=True, slots=True)
class Drop:
    """A figure that is worse than it was, beyond its noise."""

    measured_on: str
    figure: str
    was: float
    now: float
    noise: float

    def __str__(self) -> str:
        return (
            f"{self.measured_on}: {self.figure} was {self.was:.4f} and is {self.now:.4f} "
            f"(noise {self.noise:.4f})"
        )


class RecordedDraft(LabelledQuestion):
    """A draft that a model wrote, as ``bench/record.py`` keeps it."""

    set: str
    text: str

    def labelled(self) -> LabelledDraft | None:
        """The draft with the verdict that its gold answers call for; None when they do not tell.

        A right answer to a question that the documents do not hold can be confirmed by nobody here.
        """
        if grading.declines(self.text, self.lang):
            kind, expected = "declined", "needs_docs"
        elif gold.holds(self.text, self.answers):
            kind, expected = "right", "adequate"
        else:
            kind, expected = "wrong", "hallucination"
        if kind == "right" and self.kind == "unanswerable":
            return None
        row = {"id": self.id, "kind": kind, "lang": self.lang, "question": self.question}
        return LabelledDraft.model_validate({**row, "draft": self.text, "expected": expected})


class RecordedAnswer(RecordedDraft):
    """An answer that a model wrote from passages, with their keys, as ``bench/record.py`` keeps it."""

    finish_reason: FinishReason
    shown: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only what takes no minute of embedding")
    parser.add_argument("--only", default="", help="only the sets whose name begins so")
    parser.add_argument("--write", action="store_true", help="write bench/quality.json")
    parser.add_argument("--answers", type=Path, help="take over the figures of `evaluate answers --json`")
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".data", help="where the indexes go")
    options = parser.parse_args()
    if options.answers:
        commit({"answers": taken_over(options.answers)})
        return
    if not options.write:
        embedded_once.install()  # nobody compares milliseconds, and `--write` measures them
    found = asyncio.run(measured(options.data_dir, is_quick=options.quick, only=options.only))
    if options.write:
        known = {one.name for one in sets.sets()}
        kept = {name: figures for name, figures in _committed()["sets"].items() if name in known}
        commit({"command": COMMAND, "sets": {**kept, **found}})
        return
    drops = list(compared(_committed()["sets"], found))
    for drop in drops:
        print(f"worse: {drop}")
    excesses = list(above_ceilings(found))
    for excess in excesses:
        print(f"above the ceiling: {excess}")
    print(
        f"quality: sets measured: {len(found)}; figures worse than in {COMMITTED.name}: {len(drops)}; "
        f"above their ceiling: {len(excesses)}"
    )
    if excesses:
        sys.exit("mend it: no commit of figures lifts a ceiling (`most_wrong` in bench/sets.py)")
    if drops:
        sys.exit(f"mend it (`thinktwice evaluate` keeps every row), or commit the drop with `{COMMAND}`")


async def measured(data_dir: Path, *, is_quick: bool, only: str = "") -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for one in sets.sets():
        if not one.name.startswith(only) or (is_quick and not one.is_quick):
            continue
        if missing := [path for path in (*one.corpus, *one.rows) if not path.exists()]:
            print(f"skipped {one.name}: {missing[0]} is not there")
            continue
        found[one.name] = await _MEASURES[one.kind](one, data_dir)
        shown = ", ".join(f"{figure} {value:.3f}" for figure, value in found[one.name]["figures"].items())
        print(f"{one.name}: {shown}", flush=True)
    return found


def compared(
    committed: Mapping[str, Mapping[str, Any]], found: Mapping[str, Mapping[str, Any]]
) -> Iterator[Drop]:
    for name, measurement in found.items():
        before = committed.get(name)
        if before is None:
            continue
        for figure, was in before["figures"].items():
            now = measurement["figures"].get(figure)
            if now is None:  # another program measured another figure
                continue
            noise = noise_of(was, before.get("counts", {}).get(figure, before["rows"]))
            worse = now - was if figure in LOWER_IS_BETTER else was - now
            if worse > noise + 1e-9:
                yield Drop(name, figure, was, now, noise)


def above_ceilings(found: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Name the shares of false answers called verified that are above what their set allows."""
    for one in sets.sets():
        wrong = found.get(one.name, {"figures": {}})["figures"].get("wrong_verified", 0.0)
        if wrong > one.most_wrong:
            yield f"{one.name}: wrong_verified is {wrong:.4f} and may be {one.most_wrong:.2f}"


def taken_over(path: Path) -> dict[str, Any]:
    """Read what ``thinktwice evaluate answers … --json`` printed; anything else ends the program."""
    try:
        answered: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        failed = too_often_failed(answered)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{path} is not what `thinktwice evaluate answers … --json` prints ({error!r})")
    if failed:
        sys.exit(f"not taken over: too many answers of {', '.join(failed)} failed; run it with --resume")
    return answered


def too_often_failed(answered: Mapping[str, Any]) -> list[str]:
    """The systems of which so many answers were never given that their figures tell of something else."""
    return [name for name, found in answered["systems"].items() if found["failed"] > MOST_FAILED]


def noise_of(share: float, count: int) -> float:
    """The standard error of a share over so many rows, and never less than one row."""
    return max(1.0 / count, math.sqrt(max(0.0, share * (1.0 - share)) / count))


async def _checks(one: Set, _data_dir: Path) -> dict[str, Any]:
    return free_layers.figures(free_layers.checked(one.name))


async def _drafts(one: Set, data_dir: Path) -> dict[str, Any]:
    if one.recorded:
        recorded = (row for row in rows.read(one.rows[0], RecordedDraft).rows if row.set in one.recorded)
        drafts = [draft for row in recorded if (draft := row.labelled()) is not None]
    else:
        drafts = [*rows.read(one.rows[0], LabelledDraft).rows]
    corpus = (sets.sampled(one.corpus[0], one.rows[0], data_dir / "evaluate"),) if one.sample else one.corpus
    async with measurement_setup.indexed(corpus, data_dir, Knowledge(), Models()) as base:
        tools = reliance.engine(base).tools
        judged = [await verdicts.judge_row(row, base, tools, use_model=False) for row in drafts]
    found = verdicts.VerdictReport(tuple(judged)).to_json()
    return {
        "rows": found["rows"],
        "figures": {name: found[name] for name in ("accuracy", "action_accuracy", "wrongly_adequate")},
        "by_kind": {kind: group["accuracy"] for kind, group in found["by_kind"].items()},
        "undecided": found["undecided"],
        "ms": found["ms"],
    }


async def _written(one: Set, data_dir: Path) -> dict[str, Any]:
    """By whether recorded answers hold a gold string, the share of right ones that are verified, and of all
    answers those that are verified and wrong.
    """
    passages = sets.passages(one.corpus)
    found: Counter[tuple[bool, bool]] = Counter()
    async with measurement_setup.indexed(one.corpus, data_dir, Knowledge(), Models()) as base:
        tools = reliance.engine(base).tools
        for row in rows.read(one.rows[0], RecordedAnswer).rows:
            if row.set not in one.recorded or grading.declines(row.text, row.lang):
                continue
            draft = Draft(row.text, tuple(passages[key] for key in row.shown), row.finish_reason)
            said = await reliance.labelled(row.asked(), draft, base, tools)
            found[gold.holds(row.text, row.answers), said == "verified"] += 1
    count = found.total()
    right = found[True, True] + found[True, False]
    return {
        "rows": count,
        "figures": {
            "right_as_verified": round(found[True, True] / right, 4),
            "wrong_as_verified": round(found[False, True] / count, 4),
        },
        "right": round(right / count, 4),
    }


async def _retrieval(one: Set, data_dir: Path) -> dict[str, Any]:
    questions = filter(retrieval.has_gold, rows.read(one.rows[0], LabelledQuestion).rows)
    async with measurement_setup.indexed(one.corpus, data_dir, Knowledge(), Models()) as base:
        searched = [await retrieval.search_row(row, base) for row in questions]
    found = retrieval.RetrievalReport(tuple(searched)).to_json()
    figures = _shares(found)
    if "with_history" in found:
        figures |= {f"history_{name}": value for name, value in _shares(found["with_history"]).items()}
    return {
        "rows": found["rows"],
        "figures": figures,
        "recall5": {method: found["recall"][method]["5"] for method in retrieval.METHODS},
        "recall5_by_language": {
            language: {method: group["recall"][method]["5"] for method in retrieval.METHODS}
            for language, group in found["by_language"].items()
        },
        "ms": found["ms"],
    }


_MEASURES = {
    "free checks": _checks,
    "verdicts": _drafts,
    "drafts": _drafts,
    "written": _written,
    "retrieval": _retrieval,
    "false answers": reliance.false_answers,
    "natural": reliance.natural,
    "contrast": reliance.contrast,
}


def _shares(found: Mapping[str, Any]) -> dict[str, float]:
    recall = found["recall"]["fusion"]
    return {
        "recall1": recall["1"],
        "recall5": recall["5"],
        "recall10": recall["10"],
        "mrr": found["mrr"]["fusion"],
        "ndcg10": found["ndcg10"]["fusion"],
    }


def commit(parts: Mapping[str, Any]) -> None:
    figures = {**_committed(), **parts}
    COMMITTED.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"written: {COMMITTED.relative_to(REPOSITORY)}; run `make docs`")


def _committed() -> dict[str, Any]:
    if not COMMITTED.exists():
        return {"sets": {}}
    figures: dict[str, Any] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    return figures


if __name__ == "__main__":
    main()
