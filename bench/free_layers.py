"""What the free checks catch without a model.

`bench.own_faults` has the faults that the embedded model made of its own accord. `bench.inserted_faults` puts
faults into our small handbooks in four languages, the bot's own sentences in six, answers written for this
purpose, and, if the public sets are available, reference answers by people. ``make quality`` measures both
and fails on a drop.

    python bench/free_layers.py

prints missed faults, false alarms and the shares of both.
"""

from __future__ import annotations

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

LANGUAGES = ("en", "ru", "ko", "zh", "id", "es")
FAMILIES = {
    "whole answer in another language": "language mixing",
    "a sentence in another script": "language mixing",
    "stray letters": "language mixing",
    "cut in a sentence": "truncation",
    "open code block": "truncation",
    "bare list marker": "truncation",
    "prompt delimiter": "leftovers",
    "thoughts": "leftovers",
    "loop": "loops",
    "open link": "broken markup",
}
OWN = "free checks on faults of the embedded model"
GATED = {OWN: True, "free checks on inserted faults": False}
"""What the gate measures of the free checks, and whether every run of the tests does."""

_SEED = 29
_SHORTEST = 25
_MESSAGE = regex.compile(r"^[a-z][\w-]*\s*=\s*(?P<text>[^\n{}<>]+)$", regex.MULTILINE)
"""A one-line message without placeholders."""

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
    chance = random.Random(_SEED)
    whole = sorted({(language, text) for language, text in clean if text})
    others: dict[str, list[str]] = defaultdict(list)
    for language, text in whole:
        if inserted_faults.is_prose(text):
            others[language].append(text)
    caught = [
        Caught(case.language, FAMILIES[case.fault], case.fault, case.text, _is_caught(case))
        for language, found in others.items()
        for text in found
        for case in inserted_faults.faults(language, text, others, chance)
    ]
    alarms = [Alarm(language, text, _alarms(language, text)) for language, text in whole]
    return caught, alarms


def _is_caught(case: Case) -> bool:
    return any(finding.kind in case.kinds for finding in checks.run(case.text, language=case.language))


def _alarms(language: str, text: str) -> tuple[Finding, ...]:
    """The findings of the checks on a clean text; notes for the judge do not count."""
    found = checks.run(text, language=language)
    return tuple(finding for finding in found if finding.severity in {"critical", "fixable"})


def figures(caught: Iterable[Caught], alarms: Iterable[Alarm]) -> dict[str, list[int]]:
    return {
        "all_caught": _counts(one.is_caught for one in caught),
        "alarms": _counts(bool(one.findings) for one in alarms),
    }


def gate_figures(name: str) -> dict[str, Any]:
    """The shares that the gate compares with the committed ones; `name` is one of `GATED`."""
    is_own = name == OWN
    found = own_faults.figures(own_faults.checked()) if is_own else figures(*measured(texts()))
    caught, alarms = found["all_caught"], found["alarms"]
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
    for text in own_faults.checked():
        for fault in text.faults:
            if not text.is_caught(fault):
                print("missed:", text.id, fault, repr(text.text[-160:]))
        if text.found and not text.faults:
            print("alarm:", text.id, sorted(text.found), repr(text.text[-160:]))
    caught, alarms = measured(texts())
    for one in caught:
        if not one.is_caught:
            print("missed:", one.language, one.fault, repr(one.text[-160:]))
    for alarm in alarms:
        if alarm.findings:
            said = [(finding.kind, finding.description) for finding in alarm.findings]
            print("alarm:", alarm.language, said, repr(alarm.text[-160:]))
    for name in GATED:
        print(f"{name}: {gate_figures(name)}")


if __name__ == "__main__":
    main()
