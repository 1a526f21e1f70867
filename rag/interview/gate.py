"""What is missing before an interview is complete. Code decides; a model can only add what it misses."""

from __future__ import annotations

from collections.abc import Iterator

from rag.interview.documents import Gate, GateBlocker, Issue, State
from rag.interview.issues import is_objection, path_of
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
    """Return whether the state is complete, and everything that is missing.

    Args:
        state: The state.
        mission: Its mission pack.
        summary: What a model says of the state, for people.
    """
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
    """What people call what an issue is about; a model's own words if it objects."""
    path = path_of(issue)
    return mission.title_of(path) if path and not is_objection(issue) else issue.title


def missing_paths(state: State, category: Category) -> Iterator[str]:
    """Yield the paths that a category still needs, in its order; of a group only its first."""
    for pattern in category.required:
        for path in expand(state.domain, pattern):
            if not is_known(state, path):
                yield path
    for group in category.any_of:
        paths = [path for pattern in group for path in expand(state.domain, pattern)]
        if paths and not any(is_known(state, path) for path in paths):
            yield paths[0]


def assumed_paths(state: State) -> list[str]:
    """Return the paths of values that the person has not confirmed, in the order of the domain's text."""
    return sorted(path for path, fact in state.facts.items() if fact.status == "proposed")


def is_known(state: State, path: str) -> bool:
    """Return whether there is something at a path: a value of any origin, or that there is none.

    A value that is only proposed is known; `ASSUMPTIONS` asks whether it holds.
    """
    return any(
        is_within(known, path) or (is_within(path, known) and fact.status in SETTLED)
        for known, fact in state.facts.items()
    )
