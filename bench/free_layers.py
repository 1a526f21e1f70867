"""What the free checks catch without a model.

`bench.own_faults` has the faults that the embedded model made of its own accord. `bench.inserted_faults` puts
faults into our small handbooks in four languages, the bot's own sentences in six, answers written for this
purpose, and, if the public sets are available, reference answers by people. ``make quality`` measures both
and fails on a drop.

    python bench/free_layers.py [--show] [--write]

No model is needed. ``--show`` prints missed faults and false alarms; ``--write`` puts the figures into
``bench/judging.json``, beside those of the layers that ask a model. Those figures were measured once, with
the embedded model, and are not measured again.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regex
import yaml

from bench import inserted_faults, own_faults
from bench.inserted_faults import Case
from bench.sets import DATA, HANDBOOKS, REPOSITORY, SHARED
from rag import checks
from rag.values import Finding
from tools import layer_tables

COMMITTED = REPOSITORY / "bench" / "judging.json"
LANGUAGES = ("en", "ru", "ko", "zh", "id", "es")
UNLISTED = "leftovers in words of no list"
"""Shows how far a list of phrases generalises; the checks do not promise to find these faults."""

FAMILIES = {
    "whole answer in another language": "language mixing",
    "a sentence in another script": "language mixing",
    "stray letters": "language mixing",
    "cut in a sentence": "truncation",
    "open code block": "truncation",
    "bare list marker": "truncation",
    "opener": "leftovers",
    "closer": "leftovers",
    "prompt delimiter": "leftovers",
    "thoughts": "leftovers",
    "gap in a sentence": "leftovers",
    "loop": "loops",
    "open link": "broken markup",
    "other words before": UNLISTED,
    "other words after": UNLISTED,
    "other placeholder": UNLISTED,
}
OWN = "free checks on faults of the embedded model"
GATED = {OWN: True, "free checks on inserted faults": False}
"""What the gate measures of the free checks, and whether every run of the tests does."""

_PLACES = {"before": "other words before", "after": "other words after", "inside": "other placeholder"}
_SEED = 29
_SHORTEST = 25
_MESSAGE = regex.compile(r"^[a-z][\w-]*\s*=\s*(?P<text>[^\n{}<>]+)$", regex.MULTILINE)
"""A one-line message without placeholders."""

_WANTS_MORE = regex.compile(
    r"\b(?:how (?:do|does|can|to|is|are)|why|explain|describe|compare)\b", regex.IGNORECASE
)
"""Words of questions that want more than a name; a simpler pattern than that of the check."""

_ENDS = tuple(".!?。！？")


@dataclass(frozen=True, slots=True)
class Caught:
    """A text with a fault, and whether a check found it."""

    language: str
    family: str
    fault: str
    text: str
    is_caught: bool


@dataclass(frozen=True, slots=True)
class Alarm:
    """A clean text, and the findings of the checks."""

    language: str
    text: str
    findings: tuple[Finding, ...]


def texts() -> Iterator[tuple[str, str]]:
    """Language and text of faultless texts."""
    for path in HANDBOOKS:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.parent.name, json.loads(line)["text"]
    written = yaml.safe_load((DATA / "held_out_answers.yaml").read_text(encoding="utf-8"))
    for language, answers in written.items():
        for answer in answers:
            yield language, answer
    for language in LANGUAGES:
        yield from ((language, text) for text in messages(REPOSITORY / "bot" / "texts" / f"{language}.ftl"))
    references = SHARED / "eval" / "mtrag_cloud" / "questions.jsonl"
    if references.exists():
        for line in references.read_text(encoding="utf-8").splitlines():
            yield "en", json.loads(line)["reference"].strip()


def messages(catalogue: Path) -> Iterator[str]:
    """The complete sentences of a catalogue without placeholders."""
    for match in _MESSAGE.finditer(catalogue.read_text(encoding="utf-8")):
        text = match["text"].strip()
        if text.endswith(_ENDS) and len(text.encode()) >= _SHORTEST:
            yield text


def measured(clean: Iterable[tuple[str, str]]) -> tuple[list[Caught], list[Alarm]]:
    """Put faults into texts and check them; check the texts as they are."""
    chance = random.Random(_SEED)
    whole = sorted({(language, text) for language, text in clean if text})
    others: dict[str, list[str]] = defaultdict(list)
    for language, text in whole:
        if inserted_faults.is_prose(text):
            others[language].append(text)
    phrases = yaml.safe_load((DATA / "held_out_phrases.yaml").read_text(encoding="utf-8"))
    caught = [
        Caught(case.language, FAMILIES[case.fault], case.fault, case.text, _is_caught(case))
        for language, found in others.items()
        for text in found
        for case in (
            *inserted_faults.faults(language, text, others, chance),
            *_surrounded(language, text, phrases[language], chance),
        )
    ]
    alarms = [Alarm(language, text, _alarms(language, text)) for language, text in whole]
    return caught, alarms


def _surrounded(
    language: str, text: str, phrases: dict[str, list[str]], chance: random.Random
) -> Iterator[Case]:
    """The text with phrases around it that the checks were not developed with."""
    for place, fault in _PLACES.items():
        words = chance.choice(phrases[place])
        faulty = {"before": words + text, "after": text + words, "inside": f"{text} {words}"}[place]
        yield Case(language, fault, faulty, frozenset({"leftover"}))


def _is_caught(case: Case) -> bool:
    return any(finding.kind in case.kinds for finding in checks.run(case.text, language=case.language))


def _alarms(language: str, text: str) -> tuple[Finding, ...]:
    """The findings of the checks on a clean text; notes for the judge do not count."""
    found = checks.run(text, language=language)
    return tuple(finding for finding in found if finding.severity in {"critical", "fixable"})


def too_short() -> tuple[list[bool], list[bool]]:
    """Whether a two-word answer is found to be too short, and whether a complete answer is.

    Complete answers are references by people, if the public set is available.
    """
    seen: list[bool] = []
    wrongly: list[bool] = []
    path = SHARED / "eval" / "mtrag_cloud" / "questions.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for row in map(json.loads, lines):
        whole, asked = row["reference"].strip(), row["question"]
        wrongly.append(_is_short(whole, asked))
        if _WANTS_MORE.search(asked):
            seen.append(_is_short(" ".join(whole.split()[:2]), asked))
    return seen, wrongly


def _is_short(text: str, asked: str) -> bool:
    found = checks.run(text, language="en", asked=asked)
    return any(finding.kind == "short_section" for finding in found)


def figures(caught: Iterable[Caught], alarms: Iterable[Alarm]) -> dict[str, Any]:
    """The shares for the committed figures: how often, of how many."""
    everything, alarms = list(caught), list(alarms)
    caught = [one for one in everything if one.family != UNLISTED]
    return {
        "caught": {
            family: _counts(one.is_caught for one in everything if one.family == family)
            for family in dict.fromkeys(FAMILIES.values())
        },
        "caught_by_language": {
            language: _counts(one.is_caught for one in caught if one.language == language)
            for language in LANGUAGES
        },
        "caught_by_fault": {
            fault: _counts(one.is_caught for one in everything if one.fault == fault) for fault in FAMILIES
        },
        "all_caught": _counts(one.is_caught for one in caught),
        "alarms_by_language": {
            language: _counts(bool(one.findings) for one in alarms if one.language == language)
            for language in LANGUAGES
        },
        "own": own_faults.figures(own_faults.checked()),
        "too_short": dict(zip(("caught", "alarms"), map(_counts, too_short()), strict=True)),
        "all_alarms": _counts(bool(one.findings) for one in alarms),
    }


def gate_figures(name: str) -> dict[str, Any]:
    """The shares that the gate compares with the committed ones.

    Args:
        name: One of `GATED`.
    """
    if name == OWN:
        found = own_faults.figures(own_faults.checked())
        caught, alarms = found["all_caught"], found["alarms"]
    else:
        found = figures(*measured(texts()))
        caught, alarms = found["all_caught"], found["all_alarms"]
    return {
        "rows": caught[1],
        "figures": {
            "caught": round(caught[0] / caught[1], 4),
            "false_alarms": round(alarms[0] / alarms[1], 4),
        },
        "counts": {"caught": caught[1], "false_alarms": alarms[1]},
    }


def _counts(hits: Iterable[bool]) -> list[int]:
    found = list(hits)
    return [sum(found), len(found)]


def main() -> None:
    """Measure and print; write when asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print missed faults and false alarms")
    parser.add_argument("--write", action="store_true", help="write bench/judging.json")
    options = parser.parse_args()
    caught, alarms = measured(texts())
    if options.show:
        _show(caught, alarms)
    committed = json.loads(COMMITTED.read_text(encoding="utf-8")) | {"free": figures(caught, alarms)}
    print(layer_tables.free(committed))
    if options.write:
        COMMITTED.write_text(json.dumps(committed, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"\nwritten: {COMMITTED.relative_to(REPOSITORY)}; run `make docs`")


def _show(caught: Iterable[Caught], alarms: Iterable[Alarm]) -> None:
    for text in own_faults.checked():
        for fault in text.faults:
            if not text.is_caught(fault):
                print("missed:", text.id, fault, repr(text.text[-160:]))
        if text.found and not text.faults:
            print("alarm:", text.id, sorted(text.found), repr(text.text[-160:]))
    for one in caught:
        if not one.is_caught:
            print("missed:", one.language, one.fault, repr(one.text[-160:]))
    for alarm in alarms:
        if alarm.findings:
            said = [(finding.kind, finding.description) for finding in alarm.findings]
            print("alarm:", alarm.language, said, repr(alarm.text[-160:]))


if __name__ == "__main__":
    main()
