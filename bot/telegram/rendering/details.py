"""What came out of a step, as the reader's language says it.

The engine says it in one English clause of a known form, which is also what a stored answer holds. The reason
behind a colon is said in that language too where its form is known; somebody's words, a model's or a check's,
stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import regex

from bot.texts import TEXTS
from bot.texts.reasons import said

_QUALITIES = "adequate|needs docs|hallucination|off topic|unchecked"
_STATUSES = "regenerate|fixed|flag to judge|pass with flags|pass"
_SCORE = r"(?P<score>\d\.\d+)"
_FINDINGS = r"issues: (?P<issues>\d+), suggestions: (?P<suggestions>\d+)"

_FORMS: Final = tuple(
    (regex.compile(form, regex.DOTALL), message)
    for form, message in (
        (r"passages: (?P<passages>\d+)", "detail-passages"),
        (r"passages: (?P<passages>\d+), documents: (?P<documents>\d+)", "detail-retrieved"),
        (r"nothing new", "detail-nothing-new"),
        (r"passages read: (?P<passages>\d+)", "detail-read"),
        (r"(?P<characters>\d+) characters without documents", "detail-draft"),
        (r"(?P<characters>\d+) characters after the first (?P<start>\d+)", "detail-continued"),
        (r"(?P<characters>\d+) characters", "detail-refined"),
        (r"it repeats the prompt, not used", "detail-echo"),
        (r"the documents cover this", "detail-covered"),
        (r"not a matter of the documents", "detail-not-covered"),
        (r"the passage says “(?P<text>.*)”", "detail-passage-says"),
        (r"the passage does not say it", "detail-passage-lacks"),
        (r"the likeliest sentence: “(?P<text>.*)”", "detail-chosen"),
        (r"no sentence speaks of it", "detail-no-sentence"),
        (r"not used(?P<reason>: .*)", "detail-unused"),
        (r"(?P<intent>question|follow up|small talk), [^:]*: .*", ""),
        (r"(?P<intent>question|follow up|small talk)(?P<reason>: “.*”)", ""),
        (rf"(?P<quality>{_QUALITIES}) \({_SCORE}, \w+\)(?P<reason>: .*)", "detail-verdict"),
        (rf"(?P<status>{_STATUSES})(?P<reason>: .*)", ""),
        (r"repair accepted", "detail-repaired"),
        (r"(?:repair|refinement) refused(?P<reason>: .*)", "detail-refused"),
        (r"no worse by checks and evidence", "detail-no-worse"),
        (rf"score {_SCORE} \(.*\); {_FINDINGS}", "detail-score"),
        (rf"agreement (?P<agreement>\d\.\d+): score {_SCORE}", "detail-agreement"),
        (r"failed(?P<reason>: .*)", "detail-failed"),
    )
)  # fmt: skip


def detail(clause: str, language: str) -> str:
    """Return a clause of the trail in a language; one that has none of the forms stays as it is.

    Args:
        clause: `rag.values.StepTrace.detail`.
        language: ISO 639-1 code of the reader's language.
    """
    for form, message in _FORMS:
        if found := form.fullmatch(clause):
            given = {name: value for name, value in found.groupdict().items() if value is not None}
            reason = given.pop("reason", "").removeprefix(": ").rstrip(": ")
            return _text(message, given, language) + (f": {said(reason, language)}" if reason else "")
    return clause


def _text(message: str, given: dict[str, str], language: str) -> str:
    for kind in ("intent", "status"):
        if kind in given:
            return TEXTS.text(f"detail-{kind}-{given[kind].replace(' ', '_')}", language)
    values = {name: _VALUES.get(name, int)(value) for name, value in given.items()}
    if "quality" in given:
        values["quality"] = TEXTS.text(f"quality-{given['quality'].replace(' ', '_')}", language)
    return TEXTS.text(message, language, **values)


def _percent(share: str) -> int:
    return round(float(share) * 100)


_VALUES: Final[dict[str, Callable[[str], str | int]]] = {
    "score": _percent,
    "agreement": _percent,
    "quality": str,
    "text": str,
}
