"""A council as the page of its run shows it: its stages, put together from the events that were recorded.

While it works and afterwards the same events are read, so a reload shows the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from bot.service import council_view
from bot.service.runs import RunEvent
from rag.council.record import describe
from rag.events import CouncilEvent, from_json
from rag.reasons import Reason
from rag.reasons import from_json as reason_from_json
from rag.values.council import Conclusion, CouncilRecord, Degradation, Seat, StageName

_FINE: Final = {"answered", "reviewed", "corrected"}


@dataclass(frozen=True, slots=True)
class Part:
    """A member's part of a stage.

    Args:
        stage: The stage.
        seat: The member; empty for a chairman without a seat.
        status: What came of the call; empty while it is at work.
        milliseconds: Wall time of the call.
        tokens: Tokens of the call.
        left: What the stage has left of it, as in `rag.council.record`; None until the stage is complete.
    """

    stage: StageName
    seat: str
    status: str = ""
    milliseconds: int = 0
    tokens: int = 0
    left: Mapping[str, Any] | None = None

    @property
    def title(self) -> str:
        """The name of the member and its model, as far as they are known."""
        model = str((self.left or {}).get("model", ""))
        return f"{self.seat} ({model})" if model and self.seat and model != self.seat else self.seat or model

    @property
    def note(self) -> Reason | None:
        """A remark that readers must see; None when all is well or there is no result yet."""
        if self.status == "unchanged":
            return Reason("council-unchanged", {"seat": self.seat})
        if not self.status or self.status in _FINE:
            return None
        return describe(Degradation(self.stage, Seat(self.seat), self.status))

    @property
    def names(self) -> Mapping[str, str]:
        """Of a review: whose answer each letter stood for."""
        return {letter: str(seat) for letter, seat in (self.left or {}).get("label_map", {}).items()}

    @property
    def order(self) -> Reason | None:
        """Of a review: whom it ranks before whom; None when there is nothing to compare."""
        ranking = (self.left or {}).get("ranking") or ()
        if len(ranking) < 2:
            return None
        named = " > ".join(self.names[letter] for letter in ranking)
        return Reason("council-ranked", {"seat": self.seat, "ranking": named})


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage that has begun.

    Args:
        name: Which.
        parts: What the members do in it.
        standings: The common ranking, as in `rag.council.record`; of the second stage alone.
        skipped: What was left out.
    """

    name: StageName
    parts: tuple[Part, ...] = ()
    standings: tuple[Mapping[str, Any], ...] = ()
    skipped: tuple[Reason, ...] = ()

    @property
    def message(self) -> str:
        """The message of its title."""
        return f"web-council-{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class CouncilView:
    """A council as far as it is.

    Args:
        stages: The stages that have begun, in their order.
        record: What went wrong, and who concluded; the rest of it is empty.
        progress: Says how far it is.
    """

    stages: tuple[Stage, ...]
    record: CouncilRecord
    progress: council_view.CouncilProgress

    @property
    def single(self) -> str:
        """The member that speaks alone, because nobody could conclude; empty otherwise."""
        stage3 = self.record.stage3
        return stage3.seat or stage3.model if stage3 is not None and stage3.is_single_answer else ""

    def faults(self, language: str) -> list[str]:
        """Return what a reader must know first, a sentence each."""
        return council_view.faults(self.record, language).splitlines()


def view(events: Iterable[RunEvent]) -> CouncilView:
    """Return a council as far as its events tell of it."""
    stages: dict[StageName, Stage] = {}
    record, progress = CouncilRecord(0), council_view.CouncilProgress()
    for event in events:
        told = from_json(event.data)
        if not isinstance(told, CouncilEvent):
            continue
        progress.feed(told)
        name, _, what = told.name.rpartition("_")
        stage = next((one for one in get_args(StageName) if one == name), None)
        if stage is None:
            continue
        match what:
            case "start":
                seats = told.data.get("seats", _answered(stages) if stage != "stage3" else ())
                stages[stage] = Stage(stage, tuple(Part(stage, seat) for seat in seats))
            case "model":
                stages[stage] = _with(stages.get(stage, Stage(stage)), told.data)
            case "complete":
                stages[stage] = _complete(stages.get(stage, Stage(stage)), told.data)
                record = _noted(record, told.data)
            case _:
                pass
    return CouncilView(tuple(stages.values()), record, progress)


def _answered(stages: Mapping[StageName, Stage]) -> Sequence[str]:
    """The members that go on."""
    first = stages.get("stage1", Stage("stage1"))
    return [part.seat for part in first.parts if part.status == "answered"]


def _with(stage: Stage, data: Mapping[str, Any]) -> Stage:
    """The stage, with what came of one call; a chairman is known once it was asked."""
    done = Part(stage.name, data["seat"], data["status"], data["ms"], data["tokens"])
    if any(part.seat == done.seat for part in stage.parts):
        return replace(stage, parts=tuple(done if part.seat == done.seat else part for part in stage.parts))
    return replace(stage, parts=(*stage.parts, done))


def _complete(stage: Stage, data: Mapping[str, Any]) -> Stage:
    """The stage with what it has left."""
    left = data[stage.name] or ()
    parts = [_left(stage.name, one) for one in ([left] if isinstance(left, Mapping) else left)]
    if stage.name == "stage3":
        # Whoever was asked before and could not conclude stays on the page.
        parts = [part for part in stage.parts if part.status not in _FINE] + parts
    return Stage(
        stage.name,
        tuple(parts),
        tuple(data.get("aggregate", ())),
        tuple(reason_from_json(one["reason"]) for one in data["skipped"]),
    )


def _left(stage: StageName, left: Mapping[str, Any]) -> Part:
    """A member's part, once the stage is complete."""
    status = "answered"
    if stage == "stage1":
        status = left["status"]
    elif stage == "stage2":
        status = left["abstained"] or "reviewed"
    elif stage == "stage2_5":
        status = left["reason"] or ("corrected" if left["is_changed"] else "unchanged")
    return Part(stage, left["seat"], status, left["ms"], left["tokens"], left)


def _noted(record: CouncilRecord, data: Mapping[str, Any]) -> CouncilRecord:
    """The record, with what went wrong in a stage and with who concluded."""
    new = (Degradation(one["stage"], Seat(one["seat"]), one["reason"]) for one in data["degraded"])
    record = replace(record, degraded=(*record.degraded, *new))
    if stage3 := data.get("stage3"):
        conclusion = Conclusion(
            Seat(stage3["seat"]), stage3["response"], stage3["is_single_answer"], stage3["model"]
        )
        record = replace(record, stage3=conclusion)
    return record
