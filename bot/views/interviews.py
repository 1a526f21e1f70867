"""An interview: what is known and what is open, the question, and why a turn led to what it led to.

An explanation is read from the events of the interview: no model is asked again, and a turn that was taken
back can be explained as well.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from pydantic import JsonValue

from bot.service.interview_values import View
from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.texts.figures import duration
from bot.views import html, papers
from bot.views.blocks import (
    Blocks,
    Choice,
    Choices,
    Details,
    Fact,
    Facts,
    Note,
    Quote,
    Section,
    Text,
    Tone,
    Words,
    bullets,
    line,
    paragraph,
)
from bot.views.progress import name_step
from rag.interview.documents import AskUser, DialogueTurn, FactStatus, State
from rag.interview.events import InterviewEvent, TurnApplied, TurnFailed, fold
from rag.interview.gate import choose_of_group, is_known, list_blockers, list_groups
from rag.interview.issues import is_note
from rag.interview.missions import Mission, show
from rag.interview.papers import Paper
from rag.interview.pointers import find
from rag.interview.questions import disputed_values
from rag.reasons import Reason, from_json

MAX_NOTED: Final = 10
"""Largest number of noted facts after a turn; the state has all of them."""

_MARKS: Final[dict[FactStatus | None, tuple[str, Tone]]] = {
    "confirmed": ("✓", "good"),
    "not_applicable": ("∅", "good"),
    "proposed": ("?", "hint"),
    "disputed": ("⚠", "warning"),
    None: ("○", "plain"),
}
_ASKING: Final = frozenset({"interpret", "gate check"})
"""Steps in which a model writes a whole reply, which may be refused and asked for again."""


@dataclass(frozen=True, slots=True)
class Part:
    """A category: its title, and the paths of its facts, the required ones first."""

    title: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How many of the required facts of an interview are settled.

    Args:
        parts: What is asked for, by category, and then what was said besides.
        missing: What stands between the interview and its end, in people's words.
    """

    parts: tuple[Part, ...]
    done: int
    total: int
    missing: tuple[str, ...]


def describe(view: View, mission: Mission, language: str) -> Standing:
    """Return how far an interview is; facts that belong to no category stand under a title of `language`."""
    state = view.state
    parts: list[Part] = []
    done = total = 0
    for category in mission.categories:
        groups = list_groups(state, category)
        paths = [choose_of_group(state, group) for group in groups]
        total += len(paths)
        done += sum(_is_settled(view, path) for path in paths)
        others = (path for group in groups for path in group if path not in paths and is_known(state, path))
        parts.append(Part(category.title, (*paths, *others)))
    shown = {path for part in parts for path in part.paths}
    if besides := tuple(path for path in state.facts if path not in shown):
        parts.append(Part(TEXTS.text("interview-besides", language), besides))
    missing = tuple(dict.fromkeys(blocker.missing for blocker in list_blockers(state, mission)))
    return Standing(tuple(parts), done, total, missing)


def progress(view: View, mission: Mission, language: str) -> str:
    """Return how many facts are settled, in a sentence."""
    found = describe(view, mission, language)
    return TEXTS.text("interview-progress", language, title=mission.title, done=found.done, total=found.total)


def state(view: View, mission: Mission, language: str, changed: Collection[str] = ()) -> Blocks:
    """Return the known and the missing facts of an interview; those at the paths `changed` are new."""

    def facts(part: Part) -> Facts:
        return Facts(
            tuple(_fact(view, mission, path, language, is_new=path in changed) for path in part.paths)
        )

    parts = describe(view, mission, language).parts
    return (
        paragraph(progress(view, mission, language)),
        *(Details(part.title, (facts(part),), is_open=True) for part in parts),
    )


def missing(view: View, mission: Mission, language: str) -> Blocks:
    """Return what stands between an interview and its end; nothing when it is complete."""
    found = describe(view, mission, language).missing
    return (Section(TEXTS.text("interview-missing", language), (bullets(found),)),) if found else ()


def notes(view: View, language: str) -> Blocks:
    """Return what the person said and no field takes; nothing when there is none."""
    found = tuple(issue.title for issue in view.state.issues if is_note(issue))
    return (Section(TEXTS.text("interview-notes", language), (bullets(found),)),) if found else ()


def report(view: View, mission: Mission, name: str, language: str) -> str:
    """Return what those are told who get the report of an interview: whose it is, and what is open."""
    found = describe(view, mission, language)
    told = TEXTS.text(
        "interview-report", language, name=name, title=mission.title, done=found.done, total=found.total
    )
    missed = TEXTS.text("interview-still-missing", language, titles=", ".join(found.missing))
    return f"{told}\n{missed}" if found.missing else told


def question(asked: AskUser, language: str) -> Blocks:
    """Return a question with its reason and its choices."""
    why = asked.why_this_question
    choices = tuple(Choice(choice.label, choice.id) for choice in asked.choices or ())
    return (
        paragraph(asked.question_text, "bold"),
        *((Note(line(TEXTS.text("interview-why", language, why=why)), "hint"),) if why else ()),
        *((Choices(choices),) if choices else ()),
    )


def after_turn(view: View, mission: Mission, heading: str = "", *, is_noted: bool = True) -> Blocks:
    """Return what is shown after a turn: what was noted, or a `heading` instead, and what comes next."""
    last, language = view.events[-1], mission.locale.language
    if heading:
        return (*map(paragraph, heading.splitlines()), *coming(view, mission))
    facts: Blocks = ()
    if is_noted and isinstance(last, TurnApplied):
        settled = (
            path for path, fact in last.facts.items() if fact is not None and fact.status != "disputed"
        )
        noted = tuple(_fact(view, mission, path, language) for path in sorted(settled)[:MAX_NOTED])
        facts = (Facts(noted),) if noted else ()
    return (*facts, *coming(view, mission))


def coming(view: View, mission: Mission) -> Blocks:
    """Return what comes next: a question, or why there is none."""
    language, action, last = mission.locale.language, view.next_action, view.events[-1]

    def said(message: str, tone: Tone) -> Note:
        return Note(line(TEXTS.text(message, language)), tone)

    remark = last.remark if isinstance(last, TurnApplied) else ""
    before: Blocks = tuple(paragraph(each) for each in remark.splitlines())
    if not view.session.is_open:
        return (said("interview-closed", "good"),)
    if action.ask_user is not None:
        return (*before, *question(action.ask_user, language))
    if action.error is not None:
        halted = Note(line(TEXTS.text("interview-halted", language, code=action.error.code)), "warning")
        open_one = view.state.next_action.ask_user if view.state.next_action else None
        return (halted, *(question(open_one, language) if open_one else ()))
    match view.state.meta.status:
        case "ready":
            return (*before, said("interview-complete", "good"))
        case "gating":
            return (*before, said("interview-unchecked", "warning"))
        case _:
            return (*before, said("interview-blocked", "warning"), *missing(view, mission, language))


def _is_settled(view: View, path: str) -> bool:
    fact = view.state.facts.get(path)
    return is_known(view.state, path) if fact is None else fact.status in {"confirmed", "not_applicable"}


def _fact(view: View, mission: Mission, path: str, language: str, *, is_new: bool = False) -> Fact:
    held = view.state.facts.get(path)
    status = held.status if held else None
    found: JsonValue = find(view.state.domain, path)
    value = "" if found is None else show(found)
    if status == "not_applicable":
        value = TEXTS.text("interview-no-value", language)
    mark, tone = _MARKS[status]
    told = TEXTS.text(f"interview-fact-{(status or 'open').replace('_', '-')}", language)
    quote = (held.quote or "") if held else ""
    return Fact(mission.title_of(path), value, mark, told, tone, quote, is_new)


def export_json(view: View) -> str:
    """Return an interview as JSON: its state, and the log that led to it."""
    exported = {
        "session_id": view.session.id,
        "pack": view.session.pack,
        "state": view.state.model_dump(mode="json"),
        "events": [event.model_dump(mode="json") for event in view.events],
    }
    return json.dumps(exported, ensure_ascii=False, indent=2)


@dataclass(frozen=True, slots=True)
class File:
    """A file of an interview: its ending, its content, and the message that says what it is."""

    ending: str
    content: bytes
    caption: str


def export_files(view: View, mission: Mission, paper: Paper | None) -> tuple[File, ...]:
    """Return an interview as files: its document in each form, the data, and a page; blocking."""
    data, page = export_json(view), export_page(view, mission, mission.locale.language)
    return (
        *(document_files(paper, mission) if paper else ()),
        File("json", data.encode("utf-8", "replace"), "interview-file"),
        File("html", page.encode("utf-8", "replace"), "interview-page"),
    )


def document_files(paper: Paper, mission: Mission) -> tuple[File, ...]:
    """Return the document of an interview as files that people hand on; blocking."""
    forms: tuple[papers.Format, ...] = ("docx", "pdf")
    language = mission.locale.language
    return tuple(File(form, papers.write(paper, form, language), f"paper-{form}") for form in forms)


def export_page(view: View, mission: Mission, language: str) -> str:
    """Return an interview as a page of HTML that needs nothing else; whatever was said is text in it."""
    status = TEXTS.text(f"interview-status-{view.state.meta.status}", language)
    summary = view.state.gate.summary if view.state.gate else ""
    talk = tuple(
        Text((Words(TEXTS.text(f"interview-{turn.role}", language), ("small",)), Words(f" {turn.text}")))
        for turn in view.state.dialogue.history
    )
    blocks = (
        paragraph(status),
        *((paragraph(summary),) if summary else ()),
        *missing(view, mission, language),
        *state(view, mission, language),
        *notes(view, language),
        Section(TEXTS.text("interview-talk", language), talk),
    )
    return html.page(mission.title, blocks, language)


@dataclass(frozen=True, slots=True)
class Reasons:
    """A part of an explanation: its heading, and its lines."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a turn led to what it led to; `said` is empty if nothing was said yet. Empty parts are left out."""

    session_id: str
    said: str
    sections: tuple[Reasons, ...]


def explanation(found: Explanation, language: str) -> Blocks:
    """Return an explanation as blocks."""
    if not found.said:
        return (paragraph(TEXTS.text("interview-why-no-turn", language)),)
    parts = (Section(part.heading, (bullets(part.lines),)) for part in found.sections)
    return (Quote((paragraph(found.said),)), *parts)


def find_turn(
    events: Sequence[InterviewEvent], *, turn_id: str = "", until: datetime | None = None
) -> int | None:
    """Return the position of the last turn in which the person said something, or None.

    Args:
        turn_id: Only the turn that took up this message, or an edit of it; empty: any turn.
        until: Only turns of this time or before it; None: any turn.
    """
    for position in range(len(events) - 1, -1, -1):
        event = events[position]
        is_meant = any(turn.id == turn_id or turn.id.startswith(f"{turn_id}:") for turn in _said(event))
        if _said(event) and (is_meant or not turn_id) and (until is None or event.at <= until):
            return position
    return None


def explain_turn(view: View, position: int | None, mission: Mission, language: str) -> Explanation:
    """Return why the turn at a position of `find_turn` led to that; facts have the names of the pack.

    Without a position nothing has been said yet.
    """
    session_id = view.session.id
    if position is None:
        return Explanation(session_id, "", ())
    event = view.events[position]
    assert isinstance(event, TurnApplied | TurnFailed)  # found by `find_turn`
    teller = _Teller(event, fold(view.events[: position + 1]), mission, language)
    sections = (
        Reasons(teller.text(f"interview-why-{name}"), tuple(lines))
        for name, lines in (
            ("asked", teller.asked()),
            ("noted", teller.noted()),
            ("refused", teller.refused()),
            ("decided", teller.decided()),
        )
    )
    said = "\n".join(turn.text for turn in _said(event))
    return Explanation(session_id, said, tuple(part for part in sections if part.lines))


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
