"""Finds what is missing before an interview is complete. Code decides; a model can only add to the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.interview.documents import Gate, GateBlocker, Issue, State
from rag.interview.issues import is_left_open, is_objection, path_of
from rag.interview.missions import Category, Mission
from rag.interview.pointers import expand, is_within
from rag.interview.policy import SETTLED

CONFLICTS = "conflicts"
"""The category of issues that must not be open at the end."""

OBJECTIONS = "objections"
"""The category of what a model finds missing or wrong and the person has not been asked about yet."""

ASSUMPTIONS = "assumptions"
"""The category of values that the person has not confirmed."""


def check_gate(state: State, mission: Mission, summary: str = "") -> Gate:
    """Return whether the state is complete, and what is missing, with a model's `summary` for people."""
    blockers = tuple(list_blockers(state, mission))
    return Gate(ready_for_skeleton=not blockers, summary=summary, blockers=blockers or None)


def list_blockers(state: State, mission: Mission) -> Iterator[GateBlocker]:
    """Yield what is missing, in the order of the pack: conflicts first, then categories, then assumptions."""
    for issue in state.issues:
        if issue.status == "open" and issue.severity == "critical":
            category = OBJECTIONS if is_objection(issue) else CONFLICTS
            yield GateBlocker(category=category, path=path_of(issue), missing=_name(issue, mission))
    for required in mission.categories:
        for path in missing_paths(state, required):
            yield GateBlocker(category=required.id, path=path, missing=mission.title_of(path))
    if state.control.checks.require_user_confirmation_for_assumptions:
        for path in assumed_paths(state):
            yield GateBlocker(category=ASSUMPTIONS, path=path, missing=mission.title_of(path))


def _name(issue: Issue, mission: Mission) -> str:
    path = path_of(issue)
    return mission.title_of(path) if path and not is_objection(issue) else issue.title


def missing_paths(state: State, category: Category) -> Iterator[str]:
    """Yield the paths that a category still needs, in its order; of a group one at a time."""
    for paths in list_groups(state, category):
        if not is_known(state, path := choose_of_group(state, paths)):
            yield path


def list_groups(state: State, category: Category) -> list[list[str]]:
    """Return a category's paths in order: each required one alone, then the groups of which one is enough."""
    required = [[path] for pattern in category.required for path in expand(state.domain, pattern)]
    groups = [
        [path for pattern in group for path in expand(state.domain, pattern)] for group in category.any_of
    ]
    return required + [paths for paths in groups if paths]


def choose_of_group(state: State, paths: Sequence[str]) -> str:
    """Return the path of a group that has a value, or else the one that is asked for.

    What does not apply, or is not known, is no reason to leave the others out: they are asked for in turn.
    Where none of them applies, the group is complete. Where nothing is left to ask for, what is not known
    stays missing.
    """
    if held := [path for path in paths if _has_value(state, path)]:
        return held[0]
    missing = [path for path in paths if not is_known(state, path)]
    return next((path for path in missing if not is_left_open(state.issues, path)), (missing or paths)[0])


def assumed_paths(state: State) -> list[str]:
    """Return the paths of values that the person has not confirmed, sorted."""
    return sorted(path for path, fact in state.facts.items() if fact.status == "proposed")


def is_known(state: State, path: str) -> bool:
    """Return whether there is something at a path: a value of any origin, or that there is none.

    A value that is only proposed is known; `ASSUMPTIONS` asks whether it holds.
    """
    return any(
        is_within(known, path) or (is_within(path, known) and fact.status in SETTLED)
        for known, fact in state.facts.items()
    )


def _has_value(state: State, path: str) -> bool:
    return any(
        is_within(known, path) and fact.status != "not_applicable" for known, fact in state.facts.items()
    )


def is_wanted(state: State, mission: Mission, path: str) -> bool:
    """Return whether a path is still needed: nothing is known of it, and no other one makes up for it."""
    groups = [
        paths for category in mission.categories for paths in list_groups(state, category) if path in paths
    ]
    is_met = bool(groups) and all(_has_value(state, choose_of_group(state, paths)) for paths in groups)
    return not is_met and not is_known(state, path)
