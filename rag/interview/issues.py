"""Changes issues: a model may open, change and resolve some, and only the person may settle others.

An issue is resolved only by something the person said, and dismissed only by the person. Issues whose names
begin with one of `_RESERVED` are those of code: a model can open none of them, and change only objections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from rag.interview.documents import AddOrReplace, Fact, Issue, IssueEvidence, IssueUpsert, Severity, State
from rag.interview.missions import Mission, is_described, show
from rag.interview.patch import PatchError
from rag.interview.pointers import is_within
from rag.interview.policy import SETTLED, Conflict

Say: TypeAlias = Callable[..., str]
"""Returns the sentence for a code and its values, in the language of the talk."""

_GRAVITY = get_args(Severity)
"""Graver first."""

_RESERVED = ("conflict:", "unknown:", "later:", "note:", "objection:")
"""Beginnings of the names that code gives: of a contradiction, of what is left open or asked later, of what
the person said and no field takes, and of an objection."""


def open_conflicts(
    issues: Sequence[Issue], conflicts: Sequence[Conflict], turn_id: str, mission: Mission, say: Say
) -> list[Issue]:
    """Return a critical issue for each contradiction that has none yet."""
    known = {issue.key for issue in issues if issue.status == "open"}
    return [
        _open(
            conflict_key(conflict.path),
            "critical",
            turn_id,
            conflict.path,
            title=say(
                "interview-issue-conflict",
                title=mission.title_of(conflict.path),
                held=show(conflict.held),
                said=show(conflict.said),
            ),
            why=say("interview-why-conflict"),
        ).model_copy(update={"values": (conflict.held, conflict.said), "requires_user_confirmation": True})
        for conflict in conflicts
        if conflict_key(conflict.path) not in known
    ]


def conflict_key(path: str) -> str:
    """Return the key of the issue about a contradiction at a path."""
    return f"conflict:{path}"


def leave_open(path: str, turn_id: str, mission: Mission, say: Say) -> Issue:
    """Return the issue of a matter that the person leaves open by name, so that nobody asks for it again."""
    title = say("interview-issue-open", title=mission.title_of(path))
    return _open(f"unknown:{path}", "high", turn_id, path, title=title, why=say("interview-issue-open-why"))


def postpone(path: str, turn_id: str, mission: Mission, say: Say) -> Issue:
    """Return the issue of a matter that the person wants to be asked about after all the others."""
    title = say("interview-issue-later", title=mission.title_of(path))
    return _open(f"later:{path}", "low", turn_id, path, title=title, why=say("interview-issue-open-why"))


def take_note(op: AddOrReplace, turn_id: str, mission: Mission, say: Say) -> Issue:
    """Return the issue that keeps what the person said and the form of the pack does not take."""
    is_known = is_described(mission, op.path)
    words = show(op.value) if is_known else op.quote
    title = say("interview-issue-note", title=mission.title_of(op.path), value=words) if is_known else words
    return _open(f"note:{op.path}", "low", turn_id, op.path, title=title, why=say("interview-issue-note-why"))


def is_left_open(issues: Iterable[Issue], path: str) -> bool:
    """Return whether the person has said that the matter at a path stays open."""
    return _is_there(issues, f"unknown:{path}")


def is_postponed(issues: Iterable[Issue], path: str) -> bool:
    """Return whether the person wants to be asked about a path later."""
    return _is_there(issues, f"later:{path}")


def is_about_unknown(issue: Issue) -> bool:
    """Return whether an issue says that a matter is left open, or asked later."""
    return issue.key is not None and issue.key.startswith(("unknown:", "later:"))


def is_note(issue: Issue) -> bool:
    """Return whether an issue keeps what the person said and no field takes."""
    return issue.key is not None and issue.key.startswith("note:")


def _is_there(issues: Iterable[Issue], key: str) -> bool:
    return any(issue.key == key and issue.status == "open" for issue in issues)


def _open(key: str, severity: Severity, turn_id: str, path: str, *, title: str, why: str) -> Issue:
    return Issue(
        id=f"{turn_id}:{key}",
        key=key,
        severity=severity,
        title=title,
        why_it_matters=why,
        evidence=(IssueEvidence(kind="fact_path", ref=path), IssueEvidence(kind="turn", ref=turn_id)),
    )


def settle(
    issues: Iterable[Issue], turn_id: str, status: Literal["resolved", "dismissed"] = "resolved"
) -> tuple[Issue, ...]:
    """Return issues after the turn that has settled them."""
    proof = IssueEvidence(kind="turn", ref=turn_id)
    return tuple(
        issue.model_copy(update={"status": status, "evidence": (*(issue.evidence or ()), proof)})
        for issue in issues
    )


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
    believed where `_is_answered` agrees. A model cannot dismiss an issue, or touch a contradiction, a note or
    what is not known.

    Args:
        state: The state before the turn.
        facts: The facts after it.
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
        if known.key is not None and known.key.startswith(_RESERVED[:-1]):
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
        update: What the model says of it; where the issue names no path, the update must.
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
