"""One turn of an interview, as a decision: what a person said and a model made of it becomes an event.

An answer that code understands (a choice, yes, no, "skip", "change the price") needs no model.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from rag.interview.documents import (
    AddOrReplace,
    AskedQuestion,
    AskUser,
    Choice,
    DialogueTurn,
    Fact,
    Issue,
    JsonPatchOp,
    NextAction,
    Remove,
    State,
    StepOutput,
)
from rag.interview.events import TurnApplied, apply_turn
from rag.interview.gate import check_gate, is_wanted
from rag.interview.issues import (
    Say,
    bound_severity,
    conflict_key,
    is_about_unknown,
    is_objection,
    leave_open,
    open_conflicts,
    path_of,
    postpone,
    settle,
    strip_reserved_names,
    take_note,
    upsert_issues,
)
from rag.interview.missions import (
    Mission,
    describe_possible,
    domain_errors,
    fit_value,
    is_described,
    list_choices,
    show,
)
from rag.interview.patch import PatchError, apply_operations, place, read_operations
from rag.interview.pointers import has, is_within
from rag.interview.policy import SETTLED, Changes, decide_changes
from rag.interview.questions import (
    NO,
    NONE,
    OPEN,
    SAID,
    YES,
    choose_question,
    disputed_values,
    fingerprint,
    list_exhausted,
)
from rag.interview.quotes import is_quoted, normalise
from rag.interview.steering import find_named, holds_phrase, is_only_named, is_phrase, read_wish

_SHORT_ANSWER_WORDS = 4

Kind = Literal["choice", "none", "skip", "later", "told", "go_on", "list", "anew", "stop"]
"""What a message says: a choice, that there is no such thing, that the matter stays open or is asked later,
that it was said before, that the question is wanted again, that all is said, that an answer is to be given
anew, that the interview is to end."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What code understands of a message without a model; an empty path: it is about no matter."""

    kind: Kind
    path: str = ""
    facet: str = ""
    choice: Choice | None = None


def open_question(state: State) -> AskUser | None:
    """Return the question that waits for an answer."""
    return state.next_action.ask_user if state.next_action else None


def understand(state: State, message: str, mission: Mission) -> Answer | None:
    """Return what a message says if code can tell, or None.

    A message is a choice if it is the number, the id or the label of one, or a short sentence with the words
    of one alone; "yes" and "no" choose among yes and no, in any language.
    """
    question = open_question(state)
    path, facet = (question.path, question.facet) if question is not None else ("", "")
    if question is not None and (choice := _choose(question, message, mission)) is not None:
        if choice.id == OPEN:
            return Answer("skip", path, facet)
        return Answer("choice", path, facet, choice)
    if (wish := read_wish(message)) in {"skip", "later", "told", "go_on", "stop"}:
        return Answer("go_on" if question is None and wish != "stop" else wish, path, facet)
    if holds_phrase(message, "correction"):
        named = find_named(state, mission, message)
        if len(named) == 1 and is_only_named(mission, message, named):
            return Answer("anew", named[0])
    if question is None:
        return None
    if is_phrase(message, "finished", mission.finished):
        return Answer("list", path, facet)
    is_asked_for = facet == "value" or (facet == "objection" and not question.choices)
    if is_asked_for and is_phrase(message, "not_applicable", mission.not_applicable):
        return Answer("none", path, facet)
    return Answer("skip", path, facet) if is_phrase(message, "unknown", mission.unknown) else None


def _choose(question: AskUser, message: str, mission: Mission) -> Choice | None:
    said, choices = normalise(message), question.choices or ()
    for number, choice in enumerate(choices, 1):
        if said in {
            str(number),
            normalise(choice.id),
            normalise(choice.label),
            normalise(show(choice.value)),
        }:
            return choice
    if len(choices) > 1:
        for position, is_meant in enumerate((is_phrase(message, "first"), is_phrase(message, "second"))):
            if is_meant:
                return choices[position]
    by_id = {choice.id: choice for choice in choices}
    if YES in by_id and is_phrase(message, "affirmative", mission.affirmative):
        return by_id[YES]
    if NO in by_id and is_phrase(message, "negative", mission.negative):
        return by_id[NO]
    named = [
        choice
        for choice in choices
        if choice.id not in {YES, NO, OPEN, NONE}
        and any(is_quoted(words, message) for words in (choice.label, show(choice.value)))
    ]
    words = len(said.split())
    is_short = bool(named) and words <= len(normalise(named[0].label).split()) + _SHORT_ANSWER_WORDS
    is_plain = not holds_phrase(message, "negation") and not message.rstrip().endswith(("?", "？"))
    return named[0] if len(named) == 1 and is_short and is_plain else None


def plan_opening(state: State, mission: Mission, at: datetime, say: Say) -> TurnApplied:
    """Return the first question of an interview in which nobody has said anything yet."""
    draft = TurnApplied(turns=(), next_action=NextAction(kind="proceed_to_gate"), at=at)
    return finish_turn(state, mission, draft, say)


def plan_answer(
    state: State, mission: Mission, answer: Answer, turns: Sequence[DialogueTurn], say: Say
) -> TurnApplied:
    """Return what comes of a message that needs no model: the last one of `turns`.

    Raises:
        PatchError: the value does not fit the schema of the pack.
    """
    path, facet, turn = answer.path, answer.facet, turns[-1]
    if (steered := _plan_steering(state, mission, answer, turns, say)) is not None:
        return steered

    ops: tuple[JsonPatchOp, ...] = ()
    facts: dict[str, Fact | None] = {path: Fact(status="confirmed", source_turn=turn.id, quote=turn.text)}
    choice = answer.choice
    if answer.kind == "none" or (facet == "value" and choice is not None and choice.id == NONE):
        facts = {path: Fact(status="not_applicable", source_turn=turn.id, quote=turn.text)}
    elif choice is not None and (facet == "value" or (facet == "conflict" and choice.id == SAID)):
        value = disputed_values(state, path)[1] if facet == "conflict" else choice.value
        ops = place(state.domain, AddOrReplace(op="add", path=path, value=value))
    elif facet in {"confirm", "objection"} and choice is not None and choice.id == NO:
        return _ask_anew(state, mission, path, turns, say)
    elif facet == "objection":
        facts = {}
    domain = apply_operations(state.domain, ops)
    if errors := domain_errors(mission, domain):
        raise PatchError("; ".join(errors[:5]))
    issues: tuple[Issue, ...] = ()
    if facet == "conflict":
        issues = settle(_conflicts(state, {path}), turn.id)
    elif facet == "objection":
        is_left = answer.kind == "skip" or (choice is not None and choice.id == YES)
        issues = settle(_objections(state, path), turn.id, "dismissed" if is_left else "resolved")
    return finish_turn(state, mission, _draft(turns, Changes(ops, domain, facts), issues), say)


def plan_correction(
    state: State, mission: Mission, path: str, answer: str, turn: DialogueTurn, say: Say
) -> TurnApplied:
    """Return what comes of an answer that the person writes anew where it stands; an open question stays.

    Args:
        answer: What the person writes; that it does not apply is an answer.

    Raises:
        PatchError: the pack does not take the answer.
    """
    facts: dict[str, Fact | None] = {known: None for known in state.facts if is_within(known, path)}
    ops: tuple[JsonPatchOp, ...] = (Remove(op="remove", path=path),) if has(state.domain, path) else ()
    if is_phrase(answer, "not_applicable", mission.not_applicable):
        facts[path] = Fact(status="not_applicable", source_turn=turn.id, quote=answer)
    else:
        facts[path] = Fact(status="confirmed", source_turn=turn.id, quote=answer)
        ops = place(state.domain, AddOrReplace(op="add", path=path, value=fit_value(mission, path, answer)))
    domain = apply_operations(state.domain, ops)
    if domain_errors(mission, domain):
        raise PatchError("the schema of the pack does not allow it")
    issues = settle((*_conflicts(state, {path}), *_objections(state, path)), turn.id)
    draft = _draft([turn], Changes(ops, domain, facts), issues)
    gate = check_gate(apply_turn(state, draft), mission)
    question = open_question(state)
    if question is None or question.path == path or gate.ready_for_skeleton:
        return finish_turn(state, mission, draft, say)
    kept = {"next_action": state.next_action, "status": state.meta.status, "gate": gate}
    return draft.model_copy(update=kept)


def _plan_steering(
    state: State, mission: Mission, answer: Answer, turns: Sequence[DialogueTurn], say: Say
) -> TurnApplied | None:
    """Return what comes of a message that steers the interview; None for an answer."""
    path, turn = answer.path, turns[-1]
    title = mission.title_of(path) if path else ""
    nothing = Changes((), state.domain, {})
    match answer.kind:
        case "go_on" if not path:
            return finish_turn(state, mission, _draft(turns, nothing, ()), say, is_wanted=True)
        case "go_on":
            return _keep_question(state, mission, turns)
        case "list" | "stop":
            told = [say("interview-stopping")] if answer.kind == "stop" else []
            missing = dict.fromkeys(each.missing for each in check_gate(state, mission).blockers or ())
            if missing:
                told.append(say("interview-still-missing", titles=", ".join(missing)))
            return _keep_question(state, mission, turns, "\n".join(told))
        case "anew":
            return _ask_anew(state, mission, path, turns, say)
        case "skip" if answer.facet != "objection":
            left: dict[str, JsonValue] = {"decision": "left open", "path": path}
            draft = _draft(turns, nothing, (leave_open(path, turn.id, mission, say),), [left])
            return finish_turn(state, mission, draft, say, remark=say("interview-left-open", title=title))
        case "later":
            draft = _draft(turns, nothing, (postpone(path, turn.id, mission, say),))
            return finish_turn(state, mission, draft, say, remark=say("interview-postponed", title=title))
    return None


def plan_interpretation(
    state: State,
    mission: Mission,
    output: StepOutput,
    turns: Sequence[DialogueTurn],
    say: Say,
    trace: Sequence[dict[str, JsonValue]] = (),
    *,
    heard: Sequence[DialogueTurn] = (),
    is_copied: bool = False,
) -> TurnApplied:
    """Return what comes of a message that a model has interpreted.

    Args:
        heard: Earlier messages that were interpreted instead, because the person has told it already; then
            only what answers the open question is taken.
        is_copied: A small model copied words, so what has no quote was not said.

    Raises:
        PatchError: the patch is refused as a whole; its message goes back to the model.
    """
    turn = turns[-1]
    said = "\n".join(one.text for one in heard or turns)
    question = open_question(state)
    asked = question.path if question else ""
    ops, outside = read_operations(output.patch, state.domain, mission, "" if is_copied else said)
    if heard:
        ops = tuple(op for op in ops if is_within(op.path, asked))
    is_corrected = not heard and holds_phrase(said, "correction") and not said.rstrip().endswith(("?", "？"))
    named = find_named(state, mission, said) if is_corrected else ()
    settled = {*named, *_restated(state, ops)}
    if question is not None and question.facet in {"conflict", "objection"}:
        settled.add(asked)
    changes = decide_changes(
        state,
        ops,
        said,
        turn.id,
        answered_path=asked,
        settled=settled,
        faults=lambda domain: domain_errors(mission, domain),
        words_for=lambda path, value: next(
            (choice.label for choice in list_choices(mission, path) if choice.value == value), value
        ),
    )
    facts = dict(changes.facts)
    for conflict in changes.conflicts:
        # The fact may be as new as the conflict: one message said both values.
        held = facts.get(conflict.path) or state.facts[conflict.path]
        facts[conflict.path] = held.model_copy(update={"status": "disputed"})
    notes = [
        take_note(op, turn.id, mission, say)
        for op in changes.impossible
        if is_quoted(op.quote, said) and (asked == op.path or not is_copied)
    ]
    updates = strip_reserved_names(state.issues, output.issue_updates)
    known = {path: fact for path, fact in {**state.facts, **facts}.items() if fact is not None}
    issues = upsert_issues(state, known, updates, [one.id for one in turns])
    before = {issue.id: issue for issue in state.issues}
    changed = bound_severity(
        state.issues, [issue for issue in issues if before.get(issue.id) != issue], mission
    )
    is_nothing = not (facts or changed or notes)
    if is_nothing and len(named) == 1 and state.facts[named[0]].status == "confirmed":
        # Nobody has understood what is wrong with it: the value stays, and the person says whether it holds.
        doubted = state.facts[named[0]].model_copy(update={"status": "proposed"})
        draft = _draft(turns, Changes((), state.domain, {named[0]: doubted}), (), trace)
        return finish_turn(state, mission, draft, say, first=named[0])
    # Any answer resolves an objection, so a model cannot repeat it for ever.
    is_objection_asked = question is not None and question.facet == "objection"
    answered = _objections(state, asked) if is_objection_asked else ()
    confirmed = {path for path, fact in facts.items() if fact is not None and fact.status == "confirmed"}
    dropped: list[dict[str, JsonValue]] = [
        {"decision": "dropped", "path": path, "reason": reason}
        for path, reason in (*changes.dropped, *((path, "outside") for path in outside))
    ]
    draft = _draft(
        turns,
        Changes(changes.ops, changes.domain, facts),
        (
            *changed,
            *settle((*_conflicts(state, confirmed), *answered), turn.id),
            *open_conflicts(state.issues, changes.conflicts, turn.id, mission, say),
            *notes,
        ),
        (*trace, *dropped),
    )
    remark = "\n".join(_explain(op, mission, say) for op in changes.impossible if is_quoted(op.quote, said))
    if heard and not draft.facts and asked:
        return _keep_question(state, mission, turns, say("interview-not-told", title=mission.title_of(asked)))
    if is_nothing and not answered and question is not None and said.rstrip().endswith(("?", "？")):
        # A side question is no answer, and does not use up the open one.
        return _keep_question(state, mission, turns).model_copy(update={"trace": draft.trace})
    return finish_turn(state, mission, draft, say, output.next_action.ask_user, remark=remark)


def _restated(state: State, ops: Sequence[JsonPatchOp]) -> set[str]:
    """Return the contradictory facts of which the person has said one of the two values again."""
    return {
        op.path
        for op in ops
        if (fact := state.facts.get(op.path)) is not None
        and fact.status == "disputed"
        and isinstance(op, AddOrReplace)
        and op.value in disputed_values(state, op.path)
    }


def _explain(op: AddOrReplace, mission: Mission, say: Say) -> str:
    if not is_described(mission, op.path):
        return say("interview-noted", words=op.quote)
    title, value = mission.title_of(op.path), show(op.value)
    if possible := describe_possible(mission, op.path):
        return say("interview-impossible", title=title, value=value, possible=possible)
    return say("interview-unfit", title=title, value=value)


def _ask_anew(
    state: State, mission: Mission, path: str, turns: Sequence[DialogueTurn], say: Say
) -> TurnApplied:
    ops = (Remove(op="remove", path=path),) if has(state.domain, path) else ()
    facts: dict[str, Fact | None] = {known: None for known in state.facts if is_within(known, path)}
    issues = settle((*_conflicts(state, facts), *_objections(state, path)), turns[-1].id)
    changes = Changes(ops, apply_operations(state.domain, ops), facts)
    return finish_turn(state, mission, _draft(turns, changes, issues), say, first=path)


def _keep_question(
    state: State, mission: Mission, turns: Sequence[DialogueTurn], remark: str = ""
) -> TurnApplied:
    """Return the turn after which what waited still waits: a question is shown again, and not asked twice."""
    question = open_question(state)
    return TurnApplied(
        turns=tuple(turns),
        remark=remark,
        reply=_reply(turns[-1].id, remark, question.question_text if question else "", turns[-1].at),
        next_action=state.next_action or NextAction(kind="proceed_to_gate"),
        gate=check_gate(state, mission),
        status=state.meta.status,
        at=turns[-1].at,
    )


def finish_turn(
    state: State,
    mission: Mission,
    draft: TurnApplied,
    say: Say,
    proposed: AskUser | None = None,
    *,
    first: str = "",
    is_wanted: bool = False,
    remark: str = "",
) -> TurnApplied:
    """Return a turn with what follows from its changes: is it enough, and if not, what is asked next.

    Args:
        first: The path that the person wants to speak about; empty: none.
        is_wanted: The person wants to be asked again, whatever was left open.
        remark: What is said to the person before the question.
    """
    draft = draft.model_copy(update={"remark": remark, "reply": _reply(_name(draft), remark, "", draft.at)})
    after = apply_turn(state, draft)
    if learned := _resolve_unknown(after, mission, draft):
        draft = draft.model_copy(update={"issues": (*draft.issues, *learned)})
        after = apply_turn(state, draft)
    gate = check_gate(after, mission)
    if gate.ready_for_skeleton:
        return draft.model_copy(
            update={
                "gate": gate,
                "status": "ready",
                "next_action": NextAction(kind="proceed_to_skeleton"),
            }
        )
    question = choose_question(after, mission, say, proposed, first=first, is_wanted=is_wanted)
    if question is None:
        left = list_exhausted(after, mission)
        exhausted: dict[str, JsonValue] = {"decision": "limits used up", "paths": list(left)}
        return draft.model_copy(
            update={
                "gate": gate,
                "status": "blocked",
                "next_action": NextAction(kind="proceed_to_gate"),
                "trace": (*draft.trace, exhausted),
            }
        )
    number = len(after.dialogue.asked) + 1
    question = question.model_copy(update={"question_id": f"q{number}"})
    asked = AskedQuestion(
        id=f"q{number}",
        text=question.question_text,
        at=draft.at,
        path=question.path,
        facet=question.facet,
        semantic_fingerprint=fingerprint(
            after, mission, question.question_text if proposed else "", question.path, question.facet
        ),
    )
    reply = _reply(f"q{number}", remark, question.question_text, draft.at)
    return draft.model_copy(
        update={
            "gate": gate,
            "asked": asked,
            "reply": reply,
            "status": "collecting",
            "next_action": NextAction(kind="ask_user", ask_user=question),
        }
    )


def _draft(
    turns: Sequence[DialogueTurn],
    changes: Changes,
    issues: tuple[Issue, ...],
    trace: Sequence[dict[str, JsonValue]] = (),
) -> TurnApplied:
    return TurnApplied(
        turns=tuple(turns),
        ops=changes.ops,
        facts=dict(changes.facts),
        issues=issues,
        next_action=NextAction(kind="proceed_to_gate"),
        at=turns[-1].at,
        trace=tuple(trace),
    )


def _name(draft: TurnApplied) -> str:
    return draft.turns[-1].id if draft.turns else "opening"


def _reply(name: str, remark: str, question: str, at: datetime) -> DialogueTurn | None:
    text = "\n".join(part for part in (remark, question) if part)
    return DialogueTurn(id=f"{name}:asked", role="assistant", text=text, at=at) if text else None


def _conflicts(state: State, paths: Collection[str]) -> list[Issue]:
    keys = {conflict_key(path) for path in paths}
    return [issue for issue in state.issues if issue.key in keys and issue.status == "open"]


def _objections(state: State, path: str) -> list[Issue]:
    return [issue for issue in state.issues if is_objection(issue) and path_of(issue) == path]


def _resolve_unknown(after: State, mission: Mission, draft: TurnApplied) -> tuple[Issue, ...]:
    """Resolve what was left open or postponed: now it is known, or another fact makes up for it."""
    known = [
        issue
        for issue in after.issues
        if is_about_unknown(issue)
        and issue.status == "open"
        and not is_wanted(after, mission, path := path_of(issue))
        and ((fact := after.facts.get(path)) is None or fact.status in SETTLED or path in draft.facts)
    ]
    return settle(known, _name(draft))
