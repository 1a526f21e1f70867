"""Changes issues: a model may open, change and resolve some, and only the person may settle others.

An issue is resolved only by something the person said, and dismissed only by the person. Issues whose names
begin with one of `_RESERVED` are those of code: a model can neither open nor change them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from rag.interview.documents import Fact, Issue, IssueEvidence, IssueUpsert, Severity, State
from rag.interview.missions import Mission, is_described
from rag.interview.patch import PatchError, canonical_json
from rag.interview.pointers import is_within
from rag.interview.policy import SETTLED, Conflict

_GRAVITY = get_args(Severity)
"""Graver first."""

_RESERVED = ("conflict:", "unknown:", "objection:")
"""Beginnings of the names that code gives: of a contradiction, of what is not known, and of an objection."""


def open_conflicts(issues: Sequence[Issue], conflicts: Sequence[Conflict], turn_id: str) -> list[Issue]:
    """Return a critical issue for each contradiction that has none yet."""
    known = {issue.key for issue in issues if issue.status == "open"}
    return [
        Issue(
            id=f"{turn_id}:{key}",
            key=key,
            severity="critical",
            title=f"Two values for {conflict.path}",
            why_it_matters="Only one of them can hold.",
            missing_or_conflict=canonical_json({"held": conflict.held, "said": conflict.said}),
            requires_user_confirmation=True,
            evidence=(
                IssueEvidence(kind="fact_path", ref=conflict.path),
                IssueEvidence(kind="turn", ref=turn_id),
            ),
        )
        for conflict in conflicts
        if (key := conflict_key(conflict.path)) not in known
    ]


def conflict_key(path: str) -> str:
    """Return the key of the issue about a contradiction at a path."""
    return f"conflict:{path}"


def leave_open(path: str, turn_id: str) -> Issue:
    """Return the issue of a fact that the person does not know, so that nobody asks for it again."""
    key = _unknown_key(path)
    return Issue(
        id=f"{turn_id}:{key}",
        key=key,
        severity="high",
        title=f"Not known: {path}",
        why_it_matters="The interview is not complete without it.",
        evidence=(
            IssueEvidence(kind="fact_path", ref=path),
            IssueEvidence(kind="turn", ref=turn_id),
        ),
    )


def is_left_open(issues: Iterable[Issue], path: str) -> bool:
    """Return whether the person has said that the fact at a path is not known."""
    return any(issue.key == _unknown_key(path) and issue.status == "open" for issue in issues)


def is_about_unknown(issue: Issue) -> bool:
    """Return whether an issue says that the person does not know a fact."""
    return issue.key is not None and issue.key.startswith("unknown:")


def _unknown_key(path: str) -> str:
    return f"unknown:{path}"


def path_of(issue: Issue | IssueUpsert) -> str:
    """Return the path that an issue is about, or an update of one; an empty text if it names none."""
    return next((one.ref for one in issue.evidence or () if one.kind == "fact_path"), "")


def is_objection(issue: Issue) -> bool:
    """Return whether a model says that something is wrong, so that the person is asked about it."""
    return issue.status == "open" and issue.severity == "critical" and not _is_conflict(issue)


def bound_severity(issues: Sequence[Issue], changed: Sequence[Issue], mission: Mission) -> tuple[Issue, ...]:
    """Return changed issues, of which only those stay critical that the person can be asked about.

    A critical issue keeps the interview from its end until it is answered. So it must name a path of the
    pack, and a model may object to a path only once: otherwise it could keep the interview open for ever.
    """
    objected = {
        path_of(issue) for issue in issues if issue.severity == "critical" and not _is_conflict(issue)
    }
    bounded = []
    for issue in changed:
        path = path_of(issue)
        known = next((one for one in issues if one.id == issue.id), None)
        if issue.severity == "critical" and not _is_conflict(issue) and known is None:
            if not path or path in objected or not is_described(mission, path):
                issue = issue.model_copy(update={"severity": "high"})
            objected.add(path)
        elif issue.severity == "critical" and known is not None and known.severity != "critical":
            issue = issue.model_copy(update={"severity": known.severity})
        bounded.append(issue)
    return tuple(bounded)


def _is_conflict(issue: Issue) -> bool:
    return issue.key is not None and issue.key.startswith("conflict:")


def strip_reserved_names(issues: Sequence[Issue], updates: Sequence[IssueUpsert]) -> list[IssueUpsert]:
    """Return a model's updates, of which new issues have no name that code gives.

    A contradiction that a model made up could never be settled, and an objection of that name would keep
    the gate check from objecting.
    """
    return [
        update if _find_issue(issues, update) else update.model_copy(update=_reserved_fields(update))
        for update in updates
    ]


def _reserved_fields(update: IssueUpsert) -> dict[str, None]:
    named = {"id": update.id, "key": update.key}
    return {name: None for name, value in named.items() if value is not None and value.startswith(_RESERVED)}


def upsert_issues(
    state: State, facts: Mapping[str, Fact], updates: Sequence[IssueUpsert], turn_ids: Sequence[str]
) -> tuple[Issue, ...]:
    """Return the issues after a model's updates.

    A model may open issues, describe them better, make them graver, and say that one is resolved. That is
    believed where `_is_answered` agrees. A model cannot dismiss an issue, or touch a contradiction or what is
    not known.

    Args:
        state: The state before the turn.
        facts: The facts after it.
        updates: What the model says.
        turn_ids: The messages of the turn; the last one names new issues.

    Raises:
        PatchError: a new issue is not complete; the message is for the model.
    """
    result = {issue.id: issue for issue in state.issues}
    order = {
        turn_id: number
        for number, turn_id in enumerate((*(turn.id for turn in state.dialogue.history), *turn_ids))
    }
    for number, update in enumerate(updates, 1):
        known = _find_issue(result.values(), update)
        fields = {
            name: value
            for name, value in update.model_dump(exclude={"id"}).items()
            if value is not None and name != "evidence"
        }
        if known is None:
            missing = [name for name in ("severity", "title", "why_it_matters") if name not in fields]
            if missing:
                raise PatchError(f"a new issue needs {', '.join(missing)}")
            new_id = update.id or f"{turn_ids[-1]}:issue{number}"
            # The turn tells which answers came after the issue.
            opened = IssueEvidence(kind="turn", ref=turn_ids[-1])
            proof = (*(update.evidence or ()), opened)
            result[new_id] = Issue(**{**fields, "id": new_id, "status": "open", "evidence": proof})
            continue
        if _is_conflict(known) or is_about_unknown(known):
            continue
        if update.status == "dismissed" or (
            update.status == "resolved" and not _is_answered(known, update, facts, order)
        ):
            del fields["status"]
        if "severity" in fields and _GRAVITY.index(fields["severity"]) > _GRAVITY.index(known.severity):
            del fields["severity"]
        evidence = (*(known.evidence or ()), *(update.evidence or ())) or None
        result[known.id] = known.model_copy(update={**fields, "evidence": evidence})
    return tuple(result.values())


def _is_answered(
    issue: Issue, update: IssueUpsert, facts: Mapping[str, Fact], order: Mapping[str, int]
) -> bool:
    """Return whether code sees that an issue is resolved, as a model says and gives evidence for.

    The person must have settled the facts at its path, and one of them after the issue was opened: what was
    there before it cannot be the answer to it.

    Args:
        issue: The issue as it was.
        update: What the model says of it; where the issue names no path, the update must.
        facts: The facts after the turn.
        order: The position of each message in the talk.
    """
    path = path_of(issue) or path_of(update)
    if not path or not update.evidence:
        return False
    about = [fact for known, fact in facts.items() if is_within(known, path) or is_within(path, known)]
    opened = max((order.get(one.ref, -1) for one in issue.evidence or () if one.kind == "turn"), default=-1)
    return all(fact.status in SETTLED for fact in about) and any(
        order.get(fact.source_turn, -1) > opened for fact in about
    )


def _find_issue(issues: Iterable[Issue], update: IssueUpsert) -> Issue | None:
    for issue in issues:
        if (update.id is not None and issue.id == update.id) or (
            update.key is not None and issue.key == update.key
        ):
            return issue
    return None
