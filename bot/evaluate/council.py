"""Does a council help? The best single member, a council without self-correction, and one with it.

All three work on the same first answers and the same reviews: what a member has said once is handed to each
of them instead of being asked for again, so that they differ by nothing but the stage that is measured. Each
text then goes through the same checks and gets its label. These are not counted, because they are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bot.evaluate import figures, grading
from bot.evaluate.grading import Outcome, Rarity
from bot.evaluate.recording import Recording, Tick
from bot.evaluate.rows import LabelledQuestion, Malformed
from rag.council import workflow as council
from rag.engine import AnswerEngine
from rag.errors import ModelError
from rag.runs.run import Outcome as StepOutcome
from rag.runs.run import Run, Tools
from rag.values import Answer, Label
from rag.values.council import CouncilRecord, Seat

GOOD: frozenset[Outcome] = frozenset({"right", "refused_rightly"})

MAX_WORSE_SHARE = 0.05
"""Stage 2.5 should be switched off where it spoils more than this share of the answers: one in 20. A guess
until a larger model has been measured; three seats of the embedded model spoiled 3 of 63."""

_COUNCIL_ROLES = ("member", "chairman")
_BEFORE_CORRECTION = ("assign", "propose", "peer_review")


@dataclass(frozen=True, slots=True)
class Graded:
    """A text that went out, or would have.

    Args:
        text: The text.
        label: What its reader would be told.
        outcome: Right, wrong or a refusal.
        calls: Calls of members and of the chairman.
        tokens: Input and output tokens of these calls.
        seconds: Time in these calls, one after the other.
    """

    text: str
    label: Label
    outcome: Outcome
    calls: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Corrected:
    """The effect of a member's correction on its answer."""

    seat: str
    before: Outcome
    after: Outcome
    is_changed: bool
    fallback: str | None

    @property
    def effect(self) -> str:
        """``better``, ``worse`` or ``same``, by whether the text is right."""
        was_good, is_good = self.before in GOOD, self.after in GOOD
        return "same" if was_good == is_good else "better" if is_good else "worse"


@dataclass(frozen=True, slots=True)
class CouncilResult:
    """The result of one question.

    Args:
        row: The question and what is right.
        members: Each member's own first answer, checked like any; those that failed are left out.
        without: The council's answer without self-correction.
        full: The council's answer.
        corrections: What each correction did.
        abstained: Why reviews did not count.
        failure: Why nobody answered, or an empty string.
    """

    row: LabelledQuestion
    members: Mapping[str, Graded]
    without: Graded | None
    full: Graded | None
    corrections: tuple[Corrected, ...] = ()
    reviews: int = 0
    abstained: tuple[str, ...] = ()
    failure: str = ""


class _Memory:
    """Hands out what a step returned before; fulfils `RunStep`."""

    def __init__(self, known: Mapping[str, Any] | None = None) -> None:
        self.known = dict(known or {})

    async def __call__(
        self,
        name: str,
        work: Callable[[], Awaitable[Any]],
        /,
        *,
        is_light: bool = False,  # noqa: ARG002 - everything is remembered
    ) -> Any:  # noqa: ANN401 - a step's own type
        if name not in self.known:
            self.known[name] = await work()
        return self.known[name]

    def until_correction(self) -> _Memory:
        """Return the results of the steps before members corrected themselves."""
        return _Memory(
            {name: one for name, one in self.known.items() if name.split(" ")[0] in _BEFORE_CORRECTION}
        )


async def measure_row(row: LabelledQuestion, engine: AnswerEngine, rarity: Rarity) -> CouncilResult:
    """Ask the council one question, with and without self-correction, and grade everything it said.

    Raises:
        ModelError: no member answered.
    """
    question, memory = row.asked(), _Memory()
    tools = council.with_budget(engine.tools)
    full = await council.hold(Run(question, _correcting(tools, is_on=True), memory))
    record = full.council
    assert record is not None  # a council leaves its record
    before = memory.until_correction()
    without = await council.hold(Run(question, _correcting(tools, is_on=False), before))
    members: dict[str, Graded] = {}
    for number, response in enumerate(record.stage1, 1):
        if response.is_usable:
            step = "propose" if number == 1 else f"propose {number}"
            members[response.seat] = _grade_answer(
                row, await _alone(Run(question, tools, before), step, memory.known[step]), rarity
            )
    return CouncilResult(
        row,
        members,
        _grade_answer(row, without, rarity),
        _grade_answer(row, full, rarity),
        tuple(_corrections(row, record, rarity)),
        len(record.stage2),
        tuple(one.abstention for one in record.stage2 if one.abstention is not None),
    )


def _correcting(tools: Tools, *, is_on: bool) -> Tools:
    return replace(tools, council=tools.council.model_copy(update={"self_correction": is_on}))


async def _alone(run: Run, name: str, proposed: StepOutcome[Any]) -> Answer:
    """A member's own answer, checked as if nobody else had been asked."""

    async def known() -> StepOutcome[Any]:
        return proposed

    assignment, probe = await council.prepare(run)
    run_alone = Run(run.question, run.tools)
    response = await run_alone.step(name, known)
    return await council.check(run_alone, assignment, probe, response.text, response.model)


def _corrections(row: LabelledQuestion, record: CouncilRecord, rarity: Rarity) -> list[Corrected]:
    def grade_text(text: str) -> Outcome:
        return grading.grade(row, text, "unverified", rarity, cites="[" in text)

    return [
        Corrected(one.seat, grade_text(one.original), grade_text(one.corrected), one.is_changed, one.fallback)
        for one in record.stage2_5
    ]


def _grade_answer(row: LabelledQuestion, answer: Answer, rarity: Rarity) -> Graded:
    spent = [part for role, part in answer.usage.by_role.items() if role in _COUNCIL_ROLES]
    return Graded(
        answer.text,
        answer.label,
        grading.grade(row, answer.text, answer.label, rarity, cites=bool(answer.citations)),
        sum(part.calls for part in spent),
        sum(part.tokens for part in spent),
        sum(part.seconds for part in spent),
    )


async def measure(
    rows: Sequence[LabelledQuestion],
    engine: AnswerEngine,
    rarity: Rarity,
    recording: Recording[CouncilResult],
    on_progress: Tick | None = None,
) -> tuple[CouncilResult, ...]:
    """Ask every question; what was recorded before is not asked again.

    Raises:
        ModelUnavailableError: nobody answered several times in a row; these are not kept.
    """

    async def ask(row: LabelledQuestion) -> CouncilResult:
        try:
            return await measure_row(row, engine, rarity)
        except ModelError as exc:
            return CouncilResult(row, {}, None, None, failure=str(exc))

    work = [(str(position), partial(ask, row)) for position, row in enumerate(rows)]
    return await recording.complete(work, on_progress)


@dataclass(frozen=True, slots=True)
class CouncilReport:
    """The figures of a measurement.

    Args:
        results: The result of each question.
        seats: The members, in the order of the settings.
        without_gold: Rows of the set that do not say what is right.
        malformed: Lines that could not be read.
    """

    results: tuple[CouncilResult, ...]
    seats: tuple[Seat, ...]
    without_gold: int = 0
    malformed: tuple[Malformed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The figures as an object for machines: shares and means per question."""
        rows = [one for one in self.results if not one.failure]
        members = {
            seat: _figures([one.members[seat] for one in rows if seat in one.members], len(rows))
            for seat in self.seats
        }
        best = max(
            self.seats,
            key=lambda seat: (
                members[seat]["right"] + members[seat]["refused_rightly"],
                -members[seat]["wrong_verified"],
            ),
            default=None,
        )
        corrections = [correction for one in rows for correction in one.corrections]
        effects = Counter(one.effect for one in corrections)
        worse_share = figures.mean([one.effect == "worse" for one in corrections])
        return {
            "rows": len(rows),
            "failed": len(self.results) - len(rows),
            "systems": {
                "best_member": members[best] if best is not None else None,
                "council_without_correction": _figures(
                    [one.without for one in rows if one.without], len(rows)
                ),
                "council": _figures([one.full for one in rows if one.full], len(rows)),
            },
            "best_member": best,
            "members": members,
            "corrections": {
                "made": len(corrections),
                "changed": sum(one.is_changed for one in corrections),
                "better": effects["better"],
                "worse": effects["worse"],
                "same": effects["same"],
                "worse_share": round(worse_share, 4),
                "is_within_bound": worse_share <= MAX_WORSE_SHARE,
                "fallbacks": dict(Counter(one.fallback for one in corrections if one.fallback)),
            },
            "reviews": {
                "asked": sum(one.reviews for one in rows),
                "abstained": dict(Counter(reason for one in rows for reason in one.abstained)),
            },
            "without_gold": self.without_gold,
            "malformed": [{"line": fault.line, "reason": fault.reason} for fault in self.malformed],
        }


def _figures(found: Sequence[Graded], rows: int) -> dict[str, Any]:
    """Shares of all rows: who has no answer to one is not right there."""

    def share(holds: Callable[[Graded], bool]) -> float:
        return round(sum(map(holds, found)) / rows, 4) if rows else 0.0

    return {
        "answered": len(found),
        "right": share(lambda one: one.outcome == "right"),
        "refused_rightly": share(lambda one: one.outcome == "refused_rightly"),
        "refused_wrongly": share(lambda one: one.outcome == "refused_wrongly"),
        "wrong": share(lambda one: one.outcome == "wrong"),
        "wrong_verified": share(lambda one: one.outcome == "wrong" and one.label == "verified"),
        "verified": share(lambda one: one.label == "verified"),
        "calls": round(figures.mean([one.calls for one in found]), 3),
        "tokens": round(figures.mean([one.tokens for one in found]), 1),
        "seconds": round(figures.mean([one.seconds for one in found]), 3),
    }
