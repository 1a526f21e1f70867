"""A stranger asks for access, and what administrators decide about it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Outcome = Literal["allowed", "refused"]
"""What an administrator decided. A refusal closes nothing: it only ends the request; `/deny` closes."""

Made = Literal["new", "waiting", "declined", "too many"]
"""What becomes of a request: it is passed on; an earlier one waits or was declined; nobody is told of it."""

MOST_A_DAY: Final = 30
"""Requests of all strangers that administrators are told of within 24 hours: more is a flood, not a team."""


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A request for access.

    Args:
        user_id: Who asks.
        outcome: What was decided; None: nothing yet.
        decided_by: Id of the administrator who decided.
    """

    user_id: int
    outcome: Outcome | None = None
    decided_by: int | None = None
