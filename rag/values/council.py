"""The results of each stage of a council, as values that can be stored, shown and replayed.

``tokens`` are the input and output tokens of a call, ``seconds`` its wall time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType

from rag.reasons import Reason

Seat = NewType("Seat", str)
"""The name of a member as the settings give it. It is never part of a prompt."""

Letter = NewType("Letter", str)
"""What stands for an answer in one reviewer's prompt: ``A``, ``B``, …"""

ResponseStatus = Literal["answered", "failed", "timed_out", "empty", "cut_off"]

ConclusionStatus = Literal[
    "answered", "failed", "timed_out", "empty", "cut_off", "echo", "other_language", "unrelated"
]
"""The outcome of the call to a chairman; ``unrelated``: the text has no word of the members' answers."""

Abstention = Literal["no_reply", "not_a_ranking", "nothing_to_review"]
"""Why a reviewer has no vote."""

FallbackReason = Literal[
    "failed",
    "timed_out",
    "empty",
    "refused",
    "cut_off",
    "other_language",
    "echo",
    "too_short",
    "lost_citation",
    "no_feedback",
]
"""Why the answer of the first stage stands in place of its correction."""


@dataclass(frozen=True, slots=True)
class Response:
    """A member's answer of the first stage; the text is empty when there is none."""

    seat: Seat
    text: str
    status: ResponseStatus = "answered"
    model: str = ""
    tokens: int = 0
    seconds: float = 0.0

    @property
    def is_usable(self) -> bool:
        """Whether the other stages work with this answer."""
        return self.status == "answered" and bool(self.text.strip())


@dataclass(frozen=True, slots=True)
class Critique:
    """A reviewer's opinion of one answer."""

    letter: Letter
    strengths: str = ""
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ballot:
    """What of a review counts.

    Args:
        ranking: The letters of all answers that were shown, best first; empty without a vote.
        critiques: At most one for each letter.
    """

    ranking: tuple[Letter, ...]
    critiques: tuple[Critique, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's work.

    Args:
        letters: Whose answer each letter stood for in this reviewer's prompt, in the order of the prompt.
        ballot: The vote and the critiques; None when there is neither.
        text: The whole reply as it was received.
    """

    reviewer: Seat
    letters: tuple[tuple[Letter, Seat], ...]
    ballot: Ballot | None = None
    abstention: Abstention | None = None
    text: str = ""
    tokens: int = 0
    seconds: float = 0.0

    def letter_of(self, seat: Seat) -> Letter | None:
        """Return the letter that stood for a member's answer, or None if it was not shown."""
        return next((letter for letter, shown in self.letters if shown == seat), None)


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's place in the common ranking of the first drafts.

    Args:
        score: Mean of the normalised Borda scores, 0 (always last) to 1 (always first).
        place: 1 for the best; members with equal scores share a place.
    """

    seat: Seat
    score: float
    place: int
    ballots: int


@dataclass(frozen=True, slots=True)
class Correction:
    """A member's answer after self-correction (stage 2.5).

    Args:
        feedback: The peers' evaluations that the member was shown.
        corrected: The answer from here on; equal to `original` when the correction was not usable.
        fallback: Why the original stands, or None if the member's own correction does.
        is_shortened: Evaluations were shortened to fit the member's context.
    """

    seat: Seat
    original: str
    feedback: str
    corrected: str
    fallback: FallbackReason | None = None
    is_shortened: bool = False
    tokens: int = 0
    seconds: float = 0.0

    @property
    def is_changed(self) -> bool:
        """Whether the corrected text differs from the original in more than white space."""
        return self.original.split() != self.corrected.split()


StageName = Literal["stage1", "stage2", "stage2_5", "stage3"]

STAGES: dict[StageName, str] = {
    "stage1": "propose",
    "stage2": "peer_review",
    "stage2_5": "self_correct",
    "stage3": "conclude",
}
"""The stages in their order, as events and records name them, each with the name of its step."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The final text.

    Args:
        text: The text as it was written; what goes out was checked after that.
        is_single_answer: Nobody could conclude: it is the best-ranked member's own answer.
    """

    seat: Seat
    text: str
    is_single_answer: bool = False
    model: str = ""
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Degradation:
    """Something that did not go as it should: in which stage, for which member, and why."""

    stage: StageName
    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that a council left out, and why."""

    stage: Literal["stage2", "ranking", "stage2_5"]
    reason: Reason


@dataclass(frozen=True, slots=True)
class CouncilRecord:
    """Everything that a council did, in the order of its stages.

    Args:
        start_value: What letters and orders were drawn from.
        standings: The rankings of all reviewers as one; empty when there was nothing to rank.
        stage3: The final text; None when no member answered.
    """

    start_value: int
    stage1: tuple[Response, ...] = ()
    stage2: tuple[Review, ...] = ()
    standings: tuple[Standing, ...] = ()
    stage2_5: tuple[Correction, ...] = ()
    stage3: Conclusion | None = None
    degraded: tuple[Degradation, ...] = ()
    skipped: tuple[Skip, ...] = ()
