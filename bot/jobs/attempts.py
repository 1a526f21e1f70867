"""Decides when a job that crashes the process is given up.

A job may be running when another job crashes the process. The first crash of a job that was begun counts; a
later one counts only if one of its steps has begun since the restart. The count starts again at one if the
job has recorded a new step since the previous crash. After two such crashes the job gets one last attempt. It
runs alone among suspect jobs, so that the next crash shows which job caused it, and only once the process has
been up for `SETTLED_SECONDS`, so that a process that something else kills again and again gives no job up.
After the third crash the job is given up. A job that was handed over at an orderly stop has not crashed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

ALONE_FROM = 2
GIVE_UP_AT = 3

SETTLED_SECONDS = 20.0
"""A process that has been up for this long is not in a crash loop. On a busy machine, a start takes half as
long."""


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
        """Return how long the job is to wait before it begins."""
        return max(SETTLED_SECONDS - alive_seconds, 0.0) if self.is_suspect else 0.0

    def after_restart(self, steps: int) -> Attempts:
        """Return the record of a job that was begun and not finished when the process starts."""
        if self.is_handed_over or not self.has_begun:
            return replace(self, has_begun=False, is_handed_over=False)
        return Attempts(1 if steps > self.steps else self.crashes + 1, steps, has_begun=False)
