"""Chooses the next question: one open matter, asked no more often than is allowed.

First contradictions, then what is missing in the order of the pack, then values that nobody has confirmed.
The model may word the question, and choose among what is missing; it cannot ask about anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from rag.interview.documents import AskUser, Choice, Issue, Limits, Scalar, State
from rag.interview.gate import assumed_paths, missing_paths
from rag.interview.issues import Say, conflict_key, is_left_open, is_objection, is_postponed, path_of
from rag.interview.missions import Mission, find_path, list_choices, show
from rag.interview.patch import DOMAIN
from rag.interview.pointers import find
from rag.interview.quotes import normalise
from rag.language.words import content_terms

Facet = Literal["value", "confirm", "conflict", "objection"]
"""What is asked about a path: its value, whether a proposed value holds, which of two values holds, what the
person says to an objection of the model."""

HELD, SAID, YES, NO, NONE, OPEN = "held", "said", "yes", "no", "none", "open"
"""Ids of the choices that code adds."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Whether something may be done, and the limit that forbids it."""

    allowed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Open:
    path: str
    facet: Facet


def check_limits(state: State) -> Allowed:
    """Return whether another question may be asked at all."""
    limits: Limits = state.control.limits
    if len(state.dialogue.asked) >= limits.max_questions_per_run:
        return Allowed(False, "max_questions_per_run")
    if len(state.dialogue.history) >= limits.max_history_turns:
        return Allowed(False, "max_history_turns")
    return Allowed(True)


def choose_question(
    state: State,
    mission: Mission,
    say: Say,
    proposed: AskUser | None = None,
    *,
    first: str = "",
    is_wanted: bool = False,
) -> AskUser | None:
    """Return the next question, or None if nothing may be asked any more.

    Args:
        state: The state after this turn's changes.
        proposed: The model's question; its words are used if it asks for something that is open.
        first: The path that the person wants to speak about; empty: none.
        is_wanted: The person wants to go on, so that what was asked often, or left open, is asked again.
    """
    if not is_wanted and not first and not check_limits(state).allowed:
        return None
    open_ones = list(_list_open(state, mission))
    wanted = [one for one in open_ones if is_wanted or one.path == first]
    askable = [one for one in open_ones if _may_ask(state, one)]
    for one in (*wanted[: 1 if first else 0], *_in_order(state, askable), *wanted):
        return _word(state, mission, one, say, proposed, askable if not first else ())
    return None


def _word(
    state: State,
    mission: Mission,
    chosen: _Open,
    say: Say,
    proposed: AskUser | None,
    askable: Sequence[_Open],
) -> AskUser:
    if chosen.facet == "value" and proposed is not None:
        path = find_path(mission, f"/{proposed.path.strip('/').removeprefix(f'{DOMAIN}/')}")
        meant = fingerprint(state, mission, proposed.question_text, path, "value")
        fitting = [one for one in askable if one.facet == "value" and f"{one.path}#value" == meant]
        if fitting and not _is_repeated(state, proposed.question_text):
            return _finish(state, mission, fitting[0], say, proposed)
    question = _finish(state, mission, chosen, say, None)
    if _is_repeated(state, question.question_text):
        text = say("interview-still-open", question=question.question_text)
        question = question.model_copy(update={"question_text": text})
    return question


def fingerprint(state: State, mission: Mission, text: str, path: str, facet: str) -> str:
    """Return what a question asks about, whatever its words: the path that they name, and the facet.

    A model may name one path and ask about another: the words decide where they hold a title of the pack.
    """
    language = state.meta.locale.language
    said = set(content_terms(text, language))
    titles = {known: set(content_terms(title, language)) for known, title in mission.titles.items()}
    named = [
        known for known, title in titles.items() if len(title) > 1 and title <= said and "*" not in known
    ]
    return f"{named[0] if len(named) == 1 else path}#{facet}"


def list_exhausted(state: State, mission: Mission) -> tuple[str, ...]:
    """Return the open paths that nothing more is asked about: as often as is allowed, or left open."""
    return tuple(one.path for one in _list_open(state, mission) if not _may_ask(state, one))


def _list_open(state: State, mission: Mission) -> Iterator[_Open]:
    for path, fact in state.facts.items():
        if fact.status == "disputed":
            yield _Open(path, "conflict")
    for category in mission.categories:
        for path in missing_paths(state, category):
            yield _Open(path, "value")
    if state.control.checks.require_user_confirmation_for_assumptions:
        for path in assumed_paths(state):
            yield _Open(path, "confirm")
    for issue in state.issues:
        if is_objection(issue):
            yield _Open(path_of(issue), "objection")


def _in_order(state: State, open_ones: Sequence[_Open]) -> list[_Open]:
    most = state.control.limits.max_asks_per_path
    return sorted(
        open_ones,
        key=lambda one: (_times(state, one) >= most, is_postponed(state.issues, one.path)),
    )


def _times(state: State, one: _Open) -> int:
    asked = f"{one.path}#{one.facet}"
    return sum(
        (each.semantic_fingerprint or f"{each.path}#{each.facet}") == asked for each in state.dialogue.asked
    )


def _may_ask(state: State, one: _Open) -> bool:
    """Return whether an issue may still be asked about: a contradiction until it is settled or left open."""
    if is_left_open(state.issues, one.path) and one.facet != "objection":
        return False
    return one.facet == "conflict" or _times(state, one) < state.control.limits.max_asks_per_path


def _is_repeated(state: State, text: str) -> bool:
    return normalise(text) in {normalise(asked.text) for asked in state.dialogue.asked}


def _finish(state: State, mission: Mission, one: _Open, say: Say, proposed: AskUser | None) -> AskUser:
    title = mission.title_of(one.path)
    links = tuple(issue.id for issue in state.issues if issue.status == "open" and _is_about(issue, one.path))
    if one.facet == "conflict":
        held, said = disputed_values(state, one.path)
        return AskUser(
            question_text=say("interview-conflict", title=title, held=show(held), said=show(said)),
            answer_format="choices",
            choices=(
                Choice(id=HELD, label=show(held), value=_scalar(held)),
                Choice(id=SAID, label=show(said), value=_scalar(said)),
                Choice(id=OPEN, label=say("interview-leave-open"), value=False),
            ),
            why_this_question=say("interview-why-conflict"),
            links_to_issue_ids=links,
            path=one.path,
            facet=one.facet,
        )
    if one.facet == "confirm":
        value = find(state.domain, one.path)
        return AskUser(
            question_text=say("interview-confirm", title=title, value=show(value)),
            answer_format="choices",
            choices=(
                Choice(id=YES, label=say("interview-yes"), value=True),
                Choice(id=NO, label=say("interview-no"), value=False),
            ),
            why_this_question=say("interview-why-confirm"),
            links_to_issue_ids=links,
            path=one.path,
            facet=one.facet,
        )
    if one.facet == "objection":
        return _ask_about_objection(state, one, say, title, links)
    return _ask_value(state, mission, one, say, proposed, links)


def _ask_about_objection(state: State, one: _Open, say: Say, title: str, links: tuple[str, ...]) -> AskUser:
    issue = next(issue for issue in state.issues if is_objection(issue) and path_of(issue) == one.path)
    problem = issue.missing_or_conflict or issue.title
    # What stands there can be left as it is; where nothing stands, only words help.
    choices = (
        Choice(id=YES, label=say("interview-leave"), value=True),
        Choice(id=NO, label=say("interview-answer-anew"), value=False),
    )
    is_there = find(state.domain, one.path) is not None
    return AskUser(
        question_text=say("interview-objection", title=title, problem=problem),
        answer_format="choices" if is_there else "free_text",
        choices=choices if is_there else None,
        why_this_question=issue.why_it_matters,
        links_to_issue_ids=links,
        path=one.path,
        facet=one.facet,
    )


def _ask_value(
    state: State,
    mission: Mission,
    one: _Open,
    say: Say,
    proposed: AskUser | None,
    links: tuple[str, ...],
) -> AskUser:
    title, template = mission.title_of(one.path), mission.question_for(one.path)
    text = template.text if template else say("interview-ask", title=title)
    why = template.why if template else ""
    choices = list_choices(mission, one.path)
    if proposed is not None:
        text, why = proposed.question_text, proposed.why_this_question or why
    if _times(state, one):
        # Asked once without an answer: the second time in other words, and with a way out.
        if _is_repeated(state, text):
            text = say("interview-ask-again", title=title)
        if choices and all(choice.id != NONE for choice in choices):
            choices = (*choices, Choice(id=NONE, label=say("interview-none"), value=""))
    return AskUser(
        question_text=text,
        answer_format="choices" if choices else "free_text",
        choices=choices or None,
        why_this_question=why,
        links_to_issue_ids=links,
        path=one.path,
        facet=one.facet,
    )


def disputed_values(state: State, path: str) -> tuple[JsonValue, JsonValue]:
    """Return a fact's recorded value, and the other value that the person named later."""
    for issue in state.issues:
        if issue.key == conflict_key(path) and issue.status == "open" and issue.values:
            return issue.values
    return find(state.domain, path), None


def _is_about(issue: Issue, path: str) -> bool:
    return any(one.kind == "fact_path" and one.ref == path for one in issue.evidence or ())


def _scalar(value: JsonValue) -> Scalar:
    return value if isinstance(value, str | int | float | bool) else show(value)
