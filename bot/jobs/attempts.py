"""When a job that takes the process down with it is given up.

A job that runs while the process dies is not therefore the one that killed it. So only beginnings count
in which a step was at work, that ended in a crash, and that recorded nothing new. A job that crashed
twice gets one last try: alone among its like, so that the next crash tells which one it was, and only in
a process that has lived for a while, so that a process that something else ends again and again gives up
nobody's question. After the third crash the job is given up. A job that was handed over at an orderly
stop has not crashed at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

ALONE_FROM = 2
GIVE_UP_AT = 3

SETTLED_SECONDS = 20.0
"""A process that has lived for so long is in no crash loop; a start on a busy machine takes half as long."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """The crashes of a job, and whether it has begun since the last start.

    Args:
        crashes: Beginnings since its last new step that ended in a crash.
        steps: Steps that were recorded when the last crash was counted.
        has_begun: A step of it is at work since the last start, so that a crash now may be its own.
        is_handed_over: It was stopped in an orderly way.
    """

    crashes: int = 0
    steps: int = 0
    has_begun: bool = True
    is_handed_over: bool = False

    @property
    def is_suspect(self) -> bool:
        """Whether it is to be carried out alone."""
        return self.crashes >= ALONE_FROM

    @property
    def is_given_up(self) -> bool:
        """Whether it is not to be begun again."""
        return self.crashes >= GIVE_UP_AT

    def seconds_to_wait(self, alive_seconds: float) -> float:
        """Return how long the job is to wait before it begins.

        Args:
            alive_seconds: How long the process has carried out jobs.
        """
        return max(SETTLED_SECONDS - alive_seconds, 0.0) if self.is_suspect else 0.0

    def after_restart(self, steps: int) -> Attempts:
        """Return the record of a job that was begun and not finished when the process starts.

        Args:
            steps: Its steps that are recorded.
        """
        if self.is_handed_over or not self.has_begun:
            return replace(self, has_begun=False, is_handed_over=False)
        return Attempts(1 if steps > self.steps else self.crashes + 1, steps, has_begun=False)

    def to_attributes(self) -> dict[str, object]:
        """Return the record in the form that is stored beside the job."""
        return {"attempts": asdict(self)}


def from_attributes(attributes: Mapping[str, object] | None) -> Attempts:
    """Read what is kept beside a job; nothing, or what another version wrote, is a clean sheet."""
    kept = (attributes or {}).get("attempts")
    if not isinstance(kept, dict):
        return Attempts()
    try:
        return Attempts(**kept)
    except TypeError:
        return Attempts()
