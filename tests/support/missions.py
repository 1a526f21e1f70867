"""Missions: interviews with a person who is played from a row, and knows facts that nobody else does.

The person answers what is asked, in words of the row: vaguely at first, with a fact that contradicts an
earlier one, or that there is no such thing. The model is scripted from the row as well and behaves well or
badly, so every run gives the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bot.service.interview_ports import Engine
from bot.service.mission_packs import speaking
from rag.interview.documents import AskUser, State
from rag.interview.events import InterviewEvent, TurnApplied, TurnFailed, fold, hash_state
from rag.interview.issues import is_about_unknown
from rag.interview.missions import Mission, show
from rag.interview.pointers import find
from rag.interview.questions import NO, SAID, YES
from rag.interview.quotes import normalise
from rag.interview.workflow import Said, open_with_question, start, take_turn

Habit = Literal["hasty", "inventor", "meddler", "prose", "objector", "repeater"]
"""How a scripted model misbehaves: it wants to be done at once, makes values up, patches the status, writes
prose, objects at the gate, asks the same again and again."""

_BEGINNING = datetime(2026, 1, 5, 9, tzinfo=UTC)
_DOES_NOT_KNOW = {"ru": "Не знаю.", "en": "I do not know."}
_GO_ON = {"ru": "Продолжайте, пожалуйста.", "en": "Please go on."}
_MOST_MESSAGES = 60


class Utterance(BaseModel):
    """A message of the person, and the facts in it: value and the words that state it, by path."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1)
    states: dict[str, tuple[JsonValue, str]] = Field(default_factory=dict)


class MissionRow(BaseModel):
    """A mission: what the person says, what is true, and how it must end.

    Args:
        answers: What is said to a question about a path, the first time, the second time …
        hidden: What is true, by path; None: there is no such thing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(min_length=1)
    pack: str = Field(min_length=1)
    opening: Utterance
    answers: dict[str, tuple[Utterance, ...]] = Field(default_factory=dict)
    hidden: dict[str, JsonValue]
    expected: Literal["ready", "blocked"] = "ready"
    habits: tuple[Habit, ...] = ()

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        return (self.opening, *(one for listed in self.answers.values() for one in listed))


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a mission.

    Args:
        wrong: Paths of facts that are otherwise.
        missing: Paths of facts that nobody has noted.
        confirmed_changed: Confirmed facts that changed without a question that settled it.
        repeated: Questions asked in the same words as before.
        useless: Questions after which nothing was known that was not known before.
        turns: Messages of the person.
        failed_turns: Those that no model could work on.
    """

    id: str
    pack: str
    expected: str
    status: str
    right: int
    wrong: tuple[str, ...]
    missing: tuple[str, ...]
    confirmed_changed: int
    questions: int
    repeated: int
    useless: int
    turns: int
    failed_turns: int
    calls: int
    tokens: int
    state_hash: str = field(repr=False, default="")

    @property
    def is_right(self) -> bool:
        return self.status == self.expected and not self.wrong


def load_rows(path: Path) -> tuple[MissionRow, ...]:
    return tuple(map(MissionRow.model_validate_json, path.read_text(encoding="utf-8").splitlines()))


async def play(row: MissionRow, mission: Mission, engine: Engine) -> Played:
    events, calls, tokens = await hold(row, mission, engine)
    return _report(row, mission, events, calls, tokens)


async def hold(
    row: MissionRow, mission: Mission, engine: Engine
) -> tuple[tuple[InterviewEvent, ...], int, int]:
    """Return the log, the model calls and their tokens."""
    say = speaking(mission)
    events: list[InterviewEvent] = [start(row.id, mission, _BEGINNING)]
    events.append(open_with_question(events, mission, _BEGINNING, say))
    person = _Person(row, mission)
    calls = tokens = 0
    text = row.opening.text
    for number in range(_MOST_MESSAGES):
        work = engine.open_interview_work()
        at = _BEGINNING + timedelta(minutes=number + 1)
        event = await take_turn(work, mission, events, Said(f"t{number}", text, at), say)
        assert event is not None  # every message has a name of its own
        events.append(event)
        usage = work.ledger.usage()
        calls, tokens = calls + usage.calls, tokens + usage.tokens
        state = fold(events)
        if state.meta.status in {"ready", "blocked"} and not isinstance(event, TurnFailed):
            break
        text = person.replies(state, has_failed=isinstance(event, TurnFailed))
    return tuple(events), calls, tokens


class _Person:
    def __init__(self, row: MissionRow, mission: Mission) -> None:
        self._row = row
        self._language = mission.locale.language
        self._mission = mission
        self._asked: Counter[str] = Counter()

    def replies(self, state: State, *, has_failed: bool) -> str:
        question = state.next_action.ask_user if state.next_action else None
        if has_failed or question is None:
            return _worded(_GO_ON, self._language)
        if question.facet == "value":
            return self._answers(question.path)
        return self._chooses(question, state)

    def _answers(self, path: str) -> str:
        listed = self._row.answers.get(path, ())
        self._asked[path] += 1
        if not listed:
            return _worded(_DOES_NOT_KNOW, self._language)
        return listed[min(self._asked[path], len(listed)) - 1].text

    def _chooses(self, question: AskUser, state: State) -> str:
        truth = self._row.hidden.get(question.path)
        wanted = {choice.id: choice.label for choice in question.choices or ()}
        if question.facet == "conflict":
            said = next((choice for choice in question.choices or () if choice.id == SAID), None)
            is_new = said is not None and _is_same(said.value, truth)
            return wanted[SAID] if is_new else next(label for key, label in wanted.items() if key != SAID)
        if not wanted:
            return self._answers(question.path)
        return wanted[YES if _is_same(find(state.domain, question.path), truth) else NO]


def _report(
    row: MissionRow, mission: Mission, events: Sequence[InterviewEvent], calls: int, tokens: int
) -> Played:
    state = fold(events)
    right, wrong, missing = 0, [], []
    for path, truth in row.hidden.items():
        fact, value = state.facts.get(path), find(state.domain, path)
        if truth is None and fact is not None and fact.status == "not_applicable":
            right += 1
        elif value is None:
            missing.append(path)
        elif truth is not None and _is_same(value, truth):
            right += 1
        else:
            wrong.append(path)
    wrong += [path for path in state.facts if path not in row.hidden]
    asked = [normalise(one.text) for one in state.dialogue.asked]
    return Played(
        id=row.id,
        pack=mission.id,
        expected=row.expected,
        status=state.meta.status,
        right=right,
        wrong=tuple(wrong),
        missing=tuple(missing),
        confirmed_changed=_count_changed(events),
        questions=len(asked),
        repeated=len(asked) - len(set(asked)),
        useless=_count_useless(events),
        turns=sum(turn.role == "user" for turn in state.dialogue.history),
        failed_turns=sum(isinstance(event, TurnFailed) for event in events),
        calls=calls,
        tokens=tokens,
        state_hash=hash_state(state),
    )


def _count_changed(events: Sequence[InterviewEvent]) -> int:
    """Return how many confirmed values changed in a turn that answered no question about them.

    A turn that says "I was wrong" and the new value, word for word, is the person's own correction.
    """
    changed = 0
    before = fold(events[:1])
    for length in range(2, len(events) + 1):
        after = fold(events[:length])
        question = before.next_action.ask_user if before.next_action else None
        settled = question.path if question is not None and question.facet != "value" else None
        event = events[length - 1]
        turns = event.turns if isinstance(event, TurnApplied) else ()
        said = " ".join(normalise(turn.text) for turn in turns)
        changed += sum(
            fact.status in {"confirmed", "disputed"}
            and path != settled
            and find(before.domain, path) != (value := find(after.domain, path))
            and not ("i was wrong" in said and value is not None and normalise(show(value)) in said)
            for path, fact in before.facts.items()
        )
        before = after
    return changed


def _count_useless(events: Sequence[InterviewEvent]) -> int:
    """After how many questions nothing was known that was not known before.

    That the person does not know a fact is no gain either.
    """
    useless, was_asked = 0, False
    for event in events:
        if isinstance(event, TurnApplied):
            if event.turns and was_asked and not event.facts and all(map(is_about_unknown, event.issues)):
                useless += 1
            was_asked = event.asked is not None
    return useless


def _is_same(value: JsonValue, truth: JsonValue) -> bool:
    if isinstance(value, str) and isinstance(truth, str):
        # With words around it, it is what a person would confirm: "it is the editor" for "the editor".
        return f" {normalise(truth)} " in f" {normalise(value)} "
    return value == truth or normalise(show(value)) == normalise(show(truth))


def _worded(words: dict[str, str], language: str) -> str:
    return words.get(language, words["en"])
