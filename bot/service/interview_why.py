"""Why a turn of an interview led to what it led to: what a model was asked, what was noted, what was refused.

Everything is read from the events of the interview: no model is asked again, and a turn that was taken back
can be explained as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from pydantic import JsonValue

from bot.service.answer_view import name_step
from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.texts.figures import duration
from rag.interview.documents import DialogueTurn, State
from rag.interview.events import InterviewEvent, TurnApplied, TurnFailed, fold
from rag.interview.missions import Mission
from rag.interview.pointers import find
from rag.interview.questions import disputed_values, show
from rag.reasons import Reason, from_json

_ASKING: Final = frozenset({"interpret", "gate check"})
"""Steps in which a model writes a whole reply, which may be refused and asked for again."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an explanation: its heading, and its lines."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a turn led to what it led to.

    Args:
        session_id: The interview.
        said: What the person had said.
        sections: The parts of the explanation; parts that have nothing to tell are left out.
    """

    session_id: str
    said: str
    sections: tuple[Section, ...]

    def lines(self) -> Iterator[str]:
        """Yield the explanation as lines of plain text."""
        yield f"“{self.said}”"
        for section in self.sections:
            yield ""
            yield section.heading
            yield from (f"– {line}" for line in section.lines)


def find_turn(
    events: Sequence[InterviewEvent], *, turn_id: str = "", until: datetime | None = None
) -> int | None:
    """Return the position of the last turn in which the person said something, or None.

    Args:
        events: The log.
        turn_id: Only the turn that took up this message, or an edit of it; empty: any turn.
        until: Only turns of this time or before it; None: any turn.
    """
    for position in range(len(events) - 1, -1, -1):
        event = events[position]
        is_meant = any(turn.id == turn_id or turn.id.startswith(f"{turn_id}:") for turn in _said(event))
        if _said(event) and (is_meant or not turn_id) and (until is None or event.at <= until):
            return position
    return None


def explain_turn(
    events: Sequence[InterviewEvent], position: int, mission: Mission, language: str
) -> Explanation:
    """Return why a turn led to what it led to.

    Args:
        events: The log.
        position: Where the turn stands in the log, from `find_turn`.
        mission: The mission pack of the interview.
        language: ISO 639-1 code of the reader's language; facts have the names of the pack.
    """
    event = events[position]
    assert isinstance(event, TurnApplied | TurnFailed)  # found by `find_turn`
    state = fold(events[: position + 1])
    teller = _Teller(event, state, mission, language)
    sections = (
        Section(teller.text("interview-why-asked"), tuple(teller.asked())),
        Section(teller.text("interview-why-noted"), tuple(teller.noted())),
        Section(teller.text("interview-why-refused"), tuple(teller.refused())),
        Section(teller.text("interview-why-decided"), tuple(teller.decided())),
    )
    said = "\n".join(turn.text for turn in _said(event))
    return Explanation(state.meta.session_id, said, tuple(part for part in sections if part.lines))


def _said(event: InterviewEvent) -> tuple[DialogueTurn, ...]:
    match event:
        case TurnApplied():
            return event.turns
        case TurnFailed():
            return (event.turn,)
        case _:
            return ()


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells of a turn.

    Args:
        event: The turn.
        state: The state after it.
        mission: The mission pack.
        language: ISO 639-1 code of the reader's language.
    """

    event: TurnApplied | TurnFailed
    state: State
    mission: Mission
    language: str

    def text(self, message: str, **values: str | float) -> str:
        return TEXTS.text(message, self.language, **values)

    def asked(self) -> Iterator[str]:
        """Yield what models were asked, and with which result."""
        steps = [entry for entry in self.event.trace if "step" in entry]
        for step in steps:
            yield self._step(step)
        unusable = sum("raw" in entry for entry in self.event.trace) - sum(
            step["step"] in _ASKING and _detail(step).code != "step-failed" for step in steps
        )
        if unusable > 0:
            yield self.text("interview-why-unusable", count=unusable)
        if not steps:
            yield self.text("interview-why-no-model")

    def noted(self) -> Iterator[str]:
        """Yield the facts that the turn has changed, each with the words that it was taken from."""
        if isinstance(self.event, TurnFailed):
            return
        for path, fact in sorted(self.event.facts.items()):
            title = self.mission.title_of(path)
            value = find(self.state.domain, path)
            shown = "" if value is None else show(value)
            if fact is None:
                yield self.text("interview-why-gone", title=title)
            elif fact.status == "not_applicable":
                yield self.text("interview-why-none", title=title, quote=fact.quote)
            elif fact.status == "confirmed":
                yield self.text("interview-why-quoted", title=title, value=shown, quote=fact.quote)
            elif fact.status == "proposed":
                yield self.text("interview-why-assumed", title=title, value=shown)

    def refused(self) -> Iterator[str]:
        """Yield what was not taken over, and why."""
        if isinstance(self.event, TurnFailed):
            if self.event.error.code == "patch_refused":
                yield self.event.error.message
            return
        for entry in self._decisions("dropped"):
            why = self.text(f"interview-dropped-{str(entry['reason']).replace('_', '-')}")
            yield f"{self.mission.title_of(str(entry['path']))}: {why}"
        for path, fact in sorted(self.event.facts.items()):
            if fact is not None and fact.status == "disputed":
                held, said = disputed_values(self.state, path)
                title = self.mission.title_of(path)
                yield self.text("interview-why-disputed", title=title, held=show(held), said=show(said))

    def decided(self) -> Iterator[str]:
        """Yield what else was decided: at the gate, about limits, and what the model said of its reply."""
        if isinstance(self.event, TurnFailed):
            yield self.text("interview-halted", code=self.event.error.code)
            return
        for entry in self._decisions("the model's own words"):
            if entry.get("rationale"):
                yield self.text("interview-why-words", words=str(entry["rationale"]))
        for entry in self._decisions("left open"):
            yield self.text("interview-why-left-open", title=self.mission.title_of(str(entry["path"])))
        for entry in self._decisions("gate check"):
            objections = entry.get("objections")
            for title in objections if isinstance(objections, list) else ():
                yield self.text("interview-why-objection", title=str(title))
            if not objections:
                yield self.text("interview-why-passed")
        for entry in self._decisions("gate check failed"):
            yield self.text("interview-why-unchecked", code=str(entry["reason"]))
        for entry in self._decisions("limits used up"):
            paths = entry["paths"]
            titles = [self.mission.title_of(str(path)) for path in paths] if isinstance(paths, list) else []
            yield self.text("interview-why-limits", titles=", ".join(titles) or "–")

    def _decisions(self, kind: str) -> Iterator[Mapping[str, JsonValue]]:
        return (entry for entry in self.event.trace if entry.get("decision") == kind)

    def _step(self, step: Mapping[str, Any]) -> str:
        detail = _detail(step)
        if "path" in detail.values:
            title = self.mission.title_of(str(detail.values["path"]))
            detail = replace(detail, values={**detail.values, "path": title})
        told = in_operator_words(TEXTS.reason(detail, self.language))
        figures = [
            str(step["prompt"]),
            str(step["model"]),
            self.text("tokens-short", tokens=step["tokens"]) if step["tokens"] else "",
            duration(step["milliseconds"] / 1000, self.language),
        ]
        name = name_step(str(step["step"]), self.language)
        return f"{name}: {told} ({', '.join(each for each in figures if each)})"


def _detail(step: Mapping[str, Any]) -> Reason:
    """Return the result of a step; the logs of earlier versions hold an English sentence."""
    return from_json(step["detail"])
