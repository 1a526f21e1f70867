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
from pathlib import Path
from typing import Any

import regex
import yaml

from bench import inserted_faults, own_faults
from bench.inserted_faults import Case
from bench.sets import DATA, HANDBOOKS, INSERTED_FAULTS, OWN_FAULTS, REPOSITORY, SHARED
from bot.evaluate.figures import mean

LANGUAGES = ("en", "ru", "ko", "zh", "id", "es")

_SEED = 29
_SHORTEST = 25
_MESSAGE = regex.compile(r"^[a-z][\w-]*\s*=\s*(?P<text>[^\n{}<>]+)$", regex.MULTILINE)
"""A one-line message without placeholders."""

_ENDS = tuple(".!?。！？")

Checked = tuple[Case, frozenset[str]]
"""A text, and the kinds of what the checks found in it."""


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


def with_faults(clean: Iterable[tuple[str, str]]) -> Iterator[Case]:
    """Put every fault into every text, and yield the clean texts as well."""
    chance = random.Random(_SEED)
    whole = sorted({(language, text) for language, text in clean if text})
    others: dict[str, list[str]] = defaultdict(list)
    for language, text in whole:
        if inserted_faults.is_prose(text):
            others[language].append(text)
    for language, found in others.items():
        for text in found:
            yield from inserted_faults.faults(language, text, others, chance)
    for language, text in whole:
        yield Case(language, "", text)


def checked(name: str) -> list[Checked]:
    """Check the texts of a set of the gate, `OWN_FAULTS` or `INSERTED_FAULTS`."""
    cases = own_faults.cases() if name == OWN_FAULTS else with_faults(texts())
    return [(case, case.findings()) for case in cases]


def figures(found: Iterable[Checked]) -> dict[str, Any]:
    """The shares that the gate compares with the committed ones."""
    found = list(found)
    caught = [bool(kinds & case.kinds) for case, kinds in found if case.fault]
    alarms = [bool(kinds) for case, kinds in found if not case.fault]
    return {
        "rows": len(caught),
        "figures": {"caught": round(mean(caught), 4), "false_alarms": round(mean(alarms), 4)},
        "counts": {"caught": len(caught), "false_alarms": len(alarms)},
    }


def main() -> None:
    for name in (OWN_FAULTS, INSERTED_FAULTS):
        found = checked(name)
        for case, kinds in found:
            if case.fault and not kinds & case.kinds:
                print("missed:", case.language, case.fault, repr(case.text[-160:]))
            if kinds and not case.fault:
                print("alarm:", case.language, sorted(kinds), repr(case.text[-160:]))
        print(f"{name}: {figures(found)}")


if __name__ == "__main__":
    main()
