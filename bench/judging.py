"""What three layers of checking catch, save, change and cost.

    python bench/judging.py [--show] [--write] [--record] [--seconds 1200] [--threads 0] [--data-dir .data]

Four measurements, printed as shares: what the free checks catch and how many false alarms they raise; the
judge's tokens that are saved; the effect of reviewer and critic on texts that a model really wrote; the
effect of every value of ``critique.threshold``. No model is needed: replies come from
``bench/data/judging.jsonl`` and go through the current code. Missing replies are counted; ``--record`` asks
the embedded model for them, continues where it was stopped, and starts with the texts that reviewer and
critic say most about. ``--write`` puts the figures into ``bench/judging.json``, from which the docs are
written.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench import free_layers, judge_tokens, judging_texts, layer_effects, record_layers
from bench.judging_texts import Ground
from bench.layer_effects import Effect, Layer, graded
from bench.recorded_model import Records
from bench.sets import DATA, REPOSITORY
from bench.shares import upper_bound
from bot.evaluate import calibration, ground, layer_tables
from bot.evaluate.feedback import Scored
from bot.evaluate.figures import mean, percentile
from bot.logs import setup
from rag.settings import Critique, Knowledge, Models

RECORDS = DATA / "judging.jsonl"
COMMITTED = REPOSITORY / "bench" / "judging.json"
TOLERANCE = 0.3
"""Acceptable share of wrong answers that are not refined; they go out as not verified in any case."""


def main() -> None:
    """Measure and print; record or write when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print missed faults, false alarms and changes")
    parser.add_argument("--write", action="store_true", help="write bench/judging.json")
    parser.add_argument("--record", action="store_true", help="ask the model for what is not recorded yet")
    parser.add_argument("--seconds", type=float, default=1200, help="no text is begun after that")
    parser.add_argument(
        "--threads",
        type=int,
        default=0,
        help="of the model; a busy machine is quicker with one than with all",
    )
    parser.add_argument("--data-dir", type=Path, default=REPOSITORY / ".data", help="model and indexes")
    options = parser.parse_args()
    setup.configure()
    records, grounds = Records(RECORDS), list(judging_texts.grounds())
    if options.record:
        asyncio.run(
            record_layers.record(
                grounds, options.data_dir, records, seconds=options.seconds, threads=options.threads
            )
        )
    figures = asyncio.run(measured(grounds, records, options.data_dir, is_told=options.show))
    print(layer_tables.tables(figures))
    if options.write:
        COMMITTED.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"\nwritten: {COMMITTED.relative_to(REPOSITORY)}; run `make docs`")


async def measured(
    grounds: Sequence[Ground], records: Records, data_dir: Path, *, is_told: bool
) -> dict[str, Any]:
    """Every figure.

    Args:
        grounds: Texts and their corpora.
        records: The recorded replies.
        data_dir: Where the indexes go.
        is_told: Print each case.
    """
    caught, alarms = free_layers.measured(free_layers.texts())
    if is_told:
        _tell_checks(caught, alarms)
    stream: list[judge_tokens.Judgeable] = []
    found: dict[Layer, list[Effect]] = {"reviewer": [], "critic": []}
    missing: Counter[str] = Counter()
    for one in grounds:
        async with ground.indexed(one.corpus, data_dir, Knowledge(), Models()) as base:
            stream += await judge_tokens.of_texts(one.texts, base)
            if not one.is_own:
                continue
            talk, unknown = await judge_tokens.of_talk(judging_texts.small_talk(), base, records)
            stream += talk
            missing["small talk"] += unknown
            drafts = [await judging_texts.drafted(name, row, base, records) for name, row in one.asked]
            texts = (*one.texts, *(text for text in drafts if text is not None))
            missing["drafts"] += drafts.count(None)
            for layer, own in found.items():
                effects, unknown = await layer_effects.effects(texts, layer, base, records)
                own += effects
                missing[layer] += unknown
    if is_told:
        for effects in found.values():
            _tell(effects)
    return {
        "command": "python bench/judging.py --write",
        "free": free_layers.figures(caught, alarms),
        "stream": judge_tokens.figures(stream),
        "layers": {layer: layer_figures(effects) for layer, effects in found.items()},
        "critic_within_reach": layer_figures(within_reach(found["critic"])),
        "threshold": threshold(found["critic"]),
        "missing": dict(missing),
    }


def within_reach(effects: Iterable[Effect]) -> list[Effect]:
    """Those texts that are long enough for the critic of the product."""
    shortest = Critique().shortest_characters
    return [one for one in effects if len(one.before.text) >= shortest]


def layer_figures(effects: Sequence[Effect]) -> dict[str, Any]:
    """The effect of a layer, and the effect its model would have had without the comparison."""
    proposed = [step for one in effects for step in one.would_be]
    changed = [one for one in effects if one.is_changed]
    worse = sum(one.step < 0 for one in effects)
    spent = sum(one.before.usage.tokens for one in effects)
    added = sum(one.added.tokens for one in effects)
    return {
        "texts": len(effects),
        "grades": dict(Counter(graded(one.row, one.before.text) for one in effects)),
        "changed": len(changed),
        "better": sum(one.step > 0 for one in effects),
        "worse": worse,
        "worse_bound": round(upper_bound(worse, len(effects)), 4),
        "proposed": len(proposed),
        "proposed_better": sum(step > 0 for step in proposed),
        "proposed_worse": sum(step < 0 for step in proposed),
        "calls": round(mean([one.added.calls for one in effects]), 2),
        "tokens": round(added / len(effects)) if effects else 0,
        "tokens_ratio": round(added / spent, 2) if spent else 0.0,
        "seconds": round(percentile([one.added.seconds for one in effects], 0.5), 1),
    }


def threshold(effects: Sequence[Effect]) -> dict[str, Any]:
    """The texts that each threshold would have sent back, by the first score of each text."""
    scored = [
        Scored(score=one.scores[0], good=graded(one.row, one.before.text) == "right")
        for one in effects
        if one.scores
    ]
    cases = calibration.of_scores(scored, ())
    found = calibration.calibrate("critique.threshold", Critique().threshold, cases, TOLERANCE)
    return found.to_json()


def _tell_checks(caught: Iterable[free_layers.Caught], alarms: Iterable[free_layers.Alarm]) -> None:
    for one in caught:
        if not one.is_caught:
            print("missed:", one.language, one.fault, repr(one.text[-160:]))
    for alarm in alarms:
        if alarm.findings:
            said = [(finding.kind, finding.description) for finding in alarm.findings]
            print("alarm:", alarm.language, said, repr(alarm.text[-160:]))


def _tell(effects: Iterable[Effect]) -> None:
    for one in effects:
        scores = ", ".join(f"{score:.2f}" for score in one.scores)
        print(f"\n{one.row.set} {one.row.id} ({graded(one.row, one.before.text)}) scores: {scores or '-'}")
        print(f"  {one.row.question!r}, gold {list(one.row.answers)}\n  {one.before.text!r}")
        for text, step in zip(one.proposed, one.would_be, strict=True):
            print(f"  proposed ({step:+d}): {text!r}")
        print(f"  {'changed to ' + repr(one.after.text) if one.is_changed else 'kept'}")
        for line in one.after.trace:
            if line.step in {"review", "compare", "critique", "refine", "judge"}:
                print(f"    {line.step}: {line.detail}")


if __name__ == "__main__":
    main()
