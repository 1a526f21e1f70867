"""A council in words, for every channel: how far it is, what went wrong, who said what, who came first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bot.texts import TEXTS
from rag.council import record as records
from rag.events import CouncilEvent
from rag.reasons import Reason
from rag.values.council import STAGES, CouncilRecord, Degradation, Response, Seat, StageName

Version = Literal["original", "corrected"]
"""Which of a member's two texts."""


class CouncilProgress:
    """The progress of a council; feed it each of its events."""

    def __init__(self) -> None:
        self._stage = ""
        self._members = 0
        self._done = 0
        self._answered = 0

    def feed(self, event: CouncilEvent) -> None:
        """Take one event."""
        stage, _, what = event.name.rpartition("_")
        match what:
            case "start":
                self._stage, self._done = stage, 0
                self._members = len(event.data.get("seats", ())) or self._members
            case "model" if stage == self._stage:
                self._done += 1
                self._answered += stage == "stage1" and event.data.get("status") == "answered"
            case "complete" if stage == "stage3":
                # What is checked from here on has names of its own.
                self._stage = ""
            case _:
                pass

    def line(self, language: str) -> str:
        """Return the state in a short line, or an empty text when no stage is at work."""
        if self._stage not in STAGES:
            return ""
        of = self._members if self._stage == "stage1" else self._answered
        name = self._stage.replace("_", "-")
        return TEXTS.text(
            f"council-{name}",
            language,
            done=self._done,
            of=of,
            answered=self._answered,
            members=self._members,
        )


def faults(record: CouncilRecord, language: str) -> str:
    """Say first what a reader must know: who is missing, and that one member alone is speaking."""
    said = []
    if record.stage3 is not None and record.stage3.is_single_answer:
        said.append(TEXTS.text("council-single", language, seat=record.stage3.seat))
    if record.degraded:
        told = [TEXTS.reason(records.describe(one), language) for one in _together(record.degraded)]
        said.append(TEXTS.text("council-degraded", language, faults="; ".join(told)))
    return "\n".join(f"⚠ {sentence}" for sentence in said)


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


def members(record: CouncilRecord | None) -> tuple[Seat, ...]:
    """Return the members whose texts can be shown, in the order of the settings; none without a council."""
    return () if record is None else tuple(one.seat for one in record.stage2_5 or _usable(record))


def _usable(record: CouncilRecord) -> tuple[Response, ...]:
    return tuple(one for one in record.stage1 if one.is_usable)


def member_text(record: CouncilRecord, number: int, version: Version, language: str) -> tuple[str, str]:
    """Return what a member wrote, as a heading and a text in Markdown.

    Args:
        record: The council.
        number: Place of the member in `members`.
        version: Which of its texts.
        language: ISO 639-1 code of the reader's language.

    Raises:
        IndexError: there is no such member.
    """
    if not record.stage2_5 and version == "original":
        # A record from before members corrected themselves.
        first = _usable(record)[number]
        return TEXTS.text("council-original", language, seat=first.seat), first.text
    one = record.stage2_5[number]
    model = next((each.model for each in record.stage1 if each.seat == one.seat), "")
    name = one.seat if model in {"", one.seat} else f"{one.seat} ({model})"
    heading = TEXTS.text(f"council-{version}", language, seat=name)
    if version == "original":
        return heading, one.original
    if one.fallback is not None:
        said = TEXTS.reason(Reason("council-kept", {"seat": one.seat, "status": one.fallback}), language)
        return f"{heading}\n{said}", one.corrected
    if not one.is_changed:
        said = TEXTS.reason(Reason("council-unchanged", {"seat": one.seat}), language)
        return f"{heading}\n{said}", one.corrected
    return heading, one.corrected


def ranking_lines(record: CouncilRecord, language: str) -> list[str]:
    """Return the common ranking, the votes behind it, and what was left out."""
    lines = [
        TEXTS.text(
            "council-place",
            language,
            place=one.place,
            seat=one.seat,
            percent=round(100 * one.score),
            ballots=one.ballots,
        )
        for one in record.standings
    ]
    for review in record.stage2:
        names = dict(review.letters)
        if review.ballot is not None and len(review.ballot.ranking) > 1:
            order = " > ".join(names[letter] for letter in review.ballot.ranking)
            lines.append(
                TEXTS.reason(Reason("council-ranked", {"seat": review.reviewer, "ranking": order}), language)
            )
        elif review.abstention is not None:
            why = Reason("council-abstained", {"seat": review.reviewer, "status": review.abstention})
            lines.append(TEXTS.reason(why, language))
    lines += [TEXTS.reason(one.reason, language) for one in record.skipped]
    return lines
