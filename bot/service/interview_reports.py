"""An interview as people read it: what is known, what is open, how far it is; as text, as a page, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from pydantic import JsonValue

from bot.service.interview_values import View
from bot.texts import TEXTS
from rag.interview.documents import FactStatus
from rag.interview.gate import choose_of_group, is_known, list_blockers, list_groups
from rag.interview.missions import Mission
from rag.interview.pointers import find
from rag.interview.questions import show


@dataclass(frozen=True, slots=True)
class Line:
    """A fact as it is shown.

    Args:
        path: Where it stands in the domain.
        title: What people call it.
        value: What is known; empty where nothing is, or where there is none.
        status: Where the value comes from; None: nothing is known.
        is_required: The interview is not complete without it.
    """

    path: str
    title: str
    value: str
    status: FactStatus | None
    is_required: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A category with its facts."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The progress of an interview.

    Args:
        title: The pack's title.
        status: The state's status.
        parts: What is asked for, by category, and then what was said besides.
        done: Required facts that are settled.
        total: Required facts.
        missing: What stands between the interview and its end, in people's words.
        summary: The model's sentence about a complete state.
    """

    title: str
    status: str
    parts: tuple[Part, ...]
    done: int
    total: int
    missing: tuple[str, ...]
    summary: str = ""


def describe(view: View, mission: Mission, language: str) -> Standing:
    """Return how far an interview is.

    Args:
        view: The interview.
        mission: Its pack.
        language: ISO 639-1 code of the reader's language, for the facts that belong to no category.
    """
    state = view.state
    parts: list[Part] = []
    shown: set[str] = set()
    done = total = 0
    for category in mission.categories:
        groups = list_groups(state, category)
        paths = [choose_of_group(state, group) for group in groups]
        total += len(paths)
        done += sum(_is_settled(view, path) for path in paths)
        others = [path for group in groups for path in group if path not in paths and is_known(state, path)]
        shown.update(paths, others)
        parts.append(
            Part(
                category.title,
                (
                    *(_line(view, mission, path, is_required=True) for path in paths),
                    *(_line(view, mission, path, is_required=False) for path in others),
                ),
            )
        )
    besides = [path for path in state.facts if path not in shown]
    if besides:
        lines = tuple(_line(view, mission, path, is_required=False) for path in besides)
        parts.append(Part(TEXTS.text("interview-besides", language), lines))
    missing = tuple(dict.fromkeys(blocker.missing for blocker in list_blockers(state, mission)))
    summary = state.gate.summary if state.gate else ""
    return Standing(mission.title, state.meta.status, tuple(parts), done, total, missing, summary)


def _is_settled(view: View, path: str) -> bool:
    fact = view.state.facts.get(path)
    if fact is None:
        return is_known(view.state, path)
    return fact.status in {"confirmed", "not_applicable"}


def _line(view: View, mission: Mission, path: str, *, is_required: bool) -> Line:
    fact = view.state.facts.get(path)
    value: JsonValue = find(view.state.domain, path)
    return Line(
        path,
        mission.title_of(path),
        "" if value is None else show(value),
        fact.status if fact else None,
        is_required,
    )


_MARKS: dict[FactStatus | None, str] = {
    "confirmed": "✓",
    "not_applicable": "∅",
    "proposed": "?",
    "disputed": "⚠",
    None: "○",
}


def list_lines(standing: Standing, language: str) -> Iterator[str]:
    """Yield an interview's standing as lines of plain text."""
    yield TEXTS.text(
        "interview-progress", language, title=standing.title, done=standing.done, total=standing.total
    )
    for part in standing.parts:
        yield ""
        yield part.title
        for line in part.lines:
            yield _marked(line, language)


def name_fact(view: View, mission: Mission, path: str) -> str:
    """Return one fact of an interview as a line of plain text."""
    return _marked(_line(view, mission, path, is_required=False), mission.locale.language)


def _marked(line: Line, language: str) -> str:
    value = _value(line, language)
    return f"{_MARKS[line.status]} {line.title}{f': {value}' if value else ''}"


def _value(line: Line, language: str) -> str:
    return TEXTS.text("interview-no-value", language) if line.status == "not_applicable" else line.value


def export_json(view: View) -> str:
    """Return an interview as JSON: its state, and the log that led to it."""
    exported = {
        "session_id": view.session.id,
        "pack": view.session.pack,
        "state": view.state.model_dump(mode="json"),
        "events": [event.model_dump(mode="json") for event in view.events],
    }
    return json.dumps(exported, ensure_ascii=False, indent=2)


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;"
    "border-bottom:1px solid #ddd}.who{color:#666}"
)


def export_page(view: View, mission: Mission, language: str) -> str:
    """Return an interview as a page of HTML that needs nothing else; whatever was said is text in it."""
    standing = describe(view, mission, language)

    def text(message: str, **values: str | float) -> str:
        return escape(TEXTS.text(message, language, **values))

    progress = text("interview-progress", title=standing.title, done=standing.done, total=standing.total)
    body = [
        f"<h1>{escape(standing.title)}</h1>",
        f"<p>{progress}. {text(f'interview-status-{standing.status}')}</p>",
    ]
    if standing.summary:
        body.append(f"<p>{escape(standing.summary)}</p>")
    if standing.missing:
        listed = "".join(f"<li>{escape(each)}</li>" for each in standing.missing)
        body.append(f"<p>{text('interview-missing')}</p><ul>{listed}</ul>")
    for part in standing.parts:
        rows = "".join(_row(line, language) for line in part.lines)
        body.append(f"<h2>{escape(part.title)}</h2><table>{rows}</table>")
    talk = "".join(
        f"<p><span class=who>{text(f'interview-{turn.role}')}</span> {escape(turn.text)}</p>"
        for turn in view.state.dialogue.history
    )
    body.append(f"<h2>{text('interview-talk')}</h2>{talk}")
    return (
        f'<!doctype html><html lang="{escape(language)}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(standing.title)}</title><style>{_STYLE}</style>{''.join(body)}</html>\n"
    )


def _row(line: Line, language: str) -> str:
    value = _value(line, language)
    fact = TEXTS.text(f"interview-fact-{(line.status or 'open').replace('_', '-')}", language)
    return f"<tr><th>{escape(line.title)}</th><td>{escape(value)}</td><td>{escape(fact)}</td></tr>"
