"""A council: how far it is, what went wrong, who said what, who came first.

While it works its events are read, and afterwards the same form of its record (`rag.council.record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.texts.figures import duration
from bot.views import markdown
from bot.views.blocks import (
    Block,
    Blocks,
    Details,
    Note,
    Panels,
    Section,
    Table,
    Text,
    Words,
    bullets,
    line,
    paragraph,
    table,
)
from bot.views.comparison import compare
from rag.council import record as records
from rag.events import CouncilEvent
from rag.reasons import Reason, from_json
from rag.values.council import STAGES, CouncilRecord, Degradation, Seat, StageName

Version = Literal["original", "corrected"]
"""Which of a member's two texts."""

_FINE: Final = {"answered", "reviewed", "corrected"}
_Left = Mapping[str, Any]
"""What a stage has left of a member's part in it."""


class CouncilProgress:
    """A council as far as its events tell of it; feed it each of them.

    `single` is the member that speaks alone, because nobody could conclude; empty otherwise.
    """

    def __init__(self) -> None:
        self.degraded: list[Degradation] = []
        self.single = ""
        self._at: StageName | None = None
        self._parts: dict[StageName, dict[str, _Left]] = {}
        self._complete: dict[StageName, _Left] = {}

    @classmethod
    def of(cls, record: CouncilRecord) -> CouncilProgress:
        """Return a council that is over."""
        progress = cls()
        for stage in STAGES:
            progress.feed(CouncilEvent(f"{stage}_complete", records.stage_to_json(record, stage)))
        return progress

    def feed(self, event: CouncilEvent) -> None:
        """Take one event."""
        name, _, what = event.name.rpartition("_")
        stage, data = next((one for one in STAGES if one == name), None), event.data
        match what:
            case _ if stage is None:
                pass
            case "start":
                seats = data.get("seats", self._answered if stage != "stage3" else ())
                self._at, self._parts[stage] = stage, {seat: {} for seat in seats}
            case "model":
                self._parts.setdefault(stage, {})[str(data.get("seat", ""))] = data
            case "complete":
                self._end(stage, data)
            case _:
                pass

    def _end(self, stage: StageName, data: _Left) -> None:
        left = data.get(stage) or ()
        every = [left] if isinstance(left, Mapping) else left
        parts: dict[str, _Left] = {one["seat"]: {**one, "status": _status(stage, one)} for one in every}
        if stage == "stage3":
            # Whoever was asked before and could not conclude stays on the page.
            before = self._parts.get(stage, {})
            parts = {
                seat: one for seat, one in before.items() if one and one.get("status") not in _FINE
            } | parts
            # What is checked from here on has names of its own.
            self._at = None
            if isinstance(left, Mapping) and left["is_single_answer"]:
                self.single = left["seat"] or left["model"]
        self._parts[stage], self._complete[stage] = parts, data
        self.degraded += (
            Degradation(one["stage"], Seat(one["seat"]), one["reason"]) for one in data.get("degraded", ())
        )

    @property
    def _answered(self) -> Sequence[str]:
        return [
            seat for seat, one in self._parts.get("stage1", {}).items() if one.get("status") == "answered"
        ]

    def line(self, language: str) -> str:
        """Return the state in a short line, or an empty text when no stage is at work."""
        if self._at is None:
            return ""
        answered, members = len(self._answered), len(self._parts.get("stage1", ()))
        return TEXTS.text(
            f"council-{self._at.replace('_', '-')}",
            language,
            done=sum(bool(one) for one in self._parts[self._at].values()),
            of=members if self._at == "stage1" else answered,
            answered=answered,
            members=members,
        )

    def faults(self, language: str) -> Blocks:
        """Return which members are missing so far, and whether one member alone is speaking."""
        return _faults(self.degraded, self.single, language)

    def view(self, language: str, *, is_over: bool = True) -> Blocks:
        """Return the stages that have begun, each with what its members do or did in it."""
        return tuple(self._stage(stage, language, is_over=is_over) for stage in self._parts)

    def _stage(self, stage: StageName, language: str, *, is_over: bool) -> Section:
        name, complete = stage.replace("_", "-"), self._complete.get(stage, {})
        skipped = (_told(from_json(one["reason"]), language) for one in complete.get("skipped", ()))
        panels = (
            Section(
                _title(seat, one), tuple(_part(stage, seat, one, language, is_over=is_over)), f"{stage}-{n}"
            )
            for n, (seat, one) in enumerate(self._parts[stage].items())
        )
        blocks: Blocks = (
            Note(line(TEXTS.text(f"council-{name}-what", language)), "hint"),
            *map(paragraph, skipped),
            *_standings(complete, language),
            Panels(tuple(panels), stage),
        )
        return Section(TEXTS.text(f"council-{name}-title", language), blocks, stage)


def faults(record: CouncilRecord, language: str) -> Blocks:
    """Return which members are missing from a council's answer, and whether one member alone is speaking."""
    end = record.stage3
    return _faults(record.degraded, end.seat if end is not None and end.is_single_answer else "", language)


def view(record: CouncilRecord, language: str) -> Blocks:
    """Return what each stage of a council has left."""
    return CouncilProgress.of(record).view(language)


def ranking(record: CouncilRecord, language: str) -> Blocks:
    """Return the common ranking, the votes behind it, and what was left out."""
    data = records.stage_to_json(record, "stage2")
    votes = [_told(vote, language) for one in data["stage2"] if (vote := _vote(one)) is not None]
    votes += (_told(one.reason, language) for one in record.skipped)
    title = TEXTS.text("council-ranking", language)
    return (
        Section(title, (*(replace(one, caption="") for one in _standings(data, language)), bullets(votes))),
    )


def members(record: CouncilRecord | None) -> tuple[Seat, ...]:
    """Return the members whose texts can be shown, in the order of the settings; none without a council."""
    if record is None:
        return ()
    return tuple(one.seat for one in record.stage2_5 or (each for each in record.stage1 if each.is_usable))


def member(record: CouncilRecord, number: int, version: Version, language: str) -> Blocks:
    """Return what a member wrote, by its place in `members` from 0; nothing when there is no such member."""
    seats = members(record)
    if number >= len(seats) or (version == "corrected" and not record.stage2_5):
        return ()
    first = next(one for one in record.stage1 if one.seat == seats[number])
    text, remark = first.text, None
    # A record from before members corrected themselves has first answers alone.
    if record.stage2_5:
        one = record.stage2_5[number]
        text = one.original if version == "original" else one.corrected
        if version == "corrected":
            remark = _remark(
                "stage2_5", one.seat, one.fallback or ("corrected" if one.is_changed else "unchanged")
            )
    heading = TEXTS.text(f"council-{version}", language, seat=_title(first.seat, {"model": first.model}))
    said = () if remark is None else (paragraph(_told(remark, language), "bold"),)
    return (Section(heading, (*said, *markdown.parse(text))),)


def _faults(degraded: Iterable[Degradation], single: str, language: str) -> Blocks:
    said = []
    if single:
        said.append(TEXTS.text("council-single", language, seat=single))
    if alike := _together(degraded):
        told = "; ".join(_told(records.describe(one), language) for one in alike)
        said.append(TEXTS.text("council-degraded", language, faults=told))
    return tuple(Note(line(sentence), "warning") for sentence in said)


def _together(degraded: Iterable[Degradation]) -> list[Degradation]:
    """Return one degradation for several members that failed alike, so that it is told once."""
    seats: dict[tuple[StageName, str], list[str]] = {}
    for one in degraded:
        # Why somebody could not conclude is in the record; a reader need not know.
        reason = "" if one.stage == "stage3" else one.reason
        seats.setdefault((one.stage, reason), []).append(one.seat)
    return [
        Degradation(stage, Seat(", ".join(filter(None, names))), reason)
        for (stage, reason), names in seats.items()
    ]


def _told(reason: Reason, language: str) -> str:
    return in_operator_words(TEXTS.reason(reason, language))


def _title(seat: str, left: _Left) -> str:
    model = str(left.get("model", ""))
    return f"{seat} ({model})" if model and seat and model != seat else seat or model


def _status(stage: str, left: _Left) -> str:
    match stage:
        case "stage1":
            return str(left["status"])
        case "stage2":
            return left["abstained"] or "reviewed"
        case "stage2_5":
            return left["reason"] or ("corrected" if left["is_changed"] else "unchanged")
        case _:
            return "answered"


def _remark(stage: StageName, seat: str, status: str) -> Reason | None:
    """Return what readers must know of a member's part; None when all is well or there is no result yet."""
    if status == "unchanged":
        return Reason("council-unchanged", {"seat": seat})
    if not status or status in _FINE:
        return None
    return records.describe(Degradation(stage, Seat(seat), status))


def _standings(data: _Left, language: str) -> tuple[Table, ...]:
    standings = data.get("aggregate", ())
    if not standings:
        return ()
    rows = (
        (str(one["place"]), one["seat"], f"{round(100 * one['score'])} %", str(one["ballots"]))
        for one in standings
    )
    names = ("place", "member", "score", "votes")
    headings = (TEXTS.text(f"council-table-{name}", language) for name in names)
    shown = table(headings, rows, TEXTS.text("council-table", language))
    return (replace(shown, bars=tuple(one["score"] for one in standings)),)


def _vote(left: _Left) -> Reason | None:
    """Return whom a reviewer ranks before whom, or why it has no vote; None: there is nothing to compare."""
    if left["abstained"]:
        return Reason("council-abstained", {"seat": left["seat"], "status": left["abstained"]})
    order = [str(left["label_map"][letter]) for letter in left["ranking"] or ()]
    return (
        Reason("council-ranked", {"seat": left["seat"], "ranking": " > ".join(order)}) if order[1:] else None
    )


def _part(stage: StageName, seat: str, left: _Left, language: str, *, is_over: bool) -> Iterator[Block]:
    status, remark = str(left.get("status", "")), _remark(stage, seat, str(left.get("status", "")))
    if left.get("is_single_answer"):
        said = TEXTS.text("council-single", language, seat=_title(seat, left))
    elif remark is not None:
        said = _told(remark, language)
    elif status:
        said = TEXTS.text("council-done", language)
    else:
        said = "–" if is_over else TEXTS.text("council-at-work", language)
    words = [Words(said)]
    if remark is not None and stage == "stage2_5" and status != "unchanged":
        words.insert(0, Words(TEXTS.text("council-first-kept", language), ("badge",)))
        words.insert(1, Words(" · "))
    if status:
        took = duration(left.get("ms", 0) / 1000, language)
        tokens = TEXTS.text("why-tokens", language, tokens=left.get("tokens", 0))
        words.append(Words(f" · {took} · {tokens}", ("small",)))
    yield Text(tuple(words))
    if "original_response" in left:
        yield from _correction(left, language)
    elif "critiques" in left:
        yield from _review(left, language)
    elif response := left.get("response"):
        if stage == "stage3":
            yield Note(line(TEXTS.text("council-as-written", language)), "hint")
        yield from markdown.parse(response)


def _correction(left: _Left, language: str) -> Iterator[Block]:
    original, corrected = left["original_response"], left["corrected_response"]
    titles = tuple(TEXTS.text(f"council-{version}-title", language) for version in ("original", "corrected"))
    if left["is_changed"]:
        yield from compare(original, corrected, titles).panels  # type: ignore[arg-type]  # two titles
    else:
        yield from (
            Section(title, markdown.parse(text))
            for title, text in zip(titles, (original, corrected), strict=True)
        )
    if left["peer_critiques"]:
        said = (paragraph(left["peer_critiques"]),)
        yield Details(TEXTS.text("council-critiques", language), said)


def _review(left: _Left, language: str) -> Iterator[Block]:
    if (vote := _vote(left)) is not None and not left["abstained"]:
        yield paragraph(_told(vote, language))
    for one in left["critiques"]:
        said: Blocks = ()
        if one["strengths"]:
            strengths = (
                Words(TEXTS.text("council-strengths", language), ("bold",)),
                Words(f" {one['strengths']}"),
            )
            said = (Text(strengths),)
        if one["issues"]:
            issues = paragraph(TEXTS.text("council-issues", language), "bold")
            said = (*said, issues, bullets(one["issues"]))
        if said:
            yield Section(str(left["label_map"][one["label"]]), said)
