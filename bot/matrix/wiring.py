"""Puts the channel together from what all channels share."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from bot.jobs import values
from bot.jobs.runner import Jobs
from bot.matrix.connection import Homeserver
from bot.matrix.intake import MATRIX, Intake, Rooms
from bot.matrix.work import Work
from bot.parts import Parts
from bot.service.limits import Tell
from bot.talk.desk import Desk

_POSITION_FILE: Final = "matrix-position"


@dataclass(frozen=True, slots=True)
class MatrixChannel:
    """The running channel.

    Args:
        works: The handlers of jobs, by kind.
        give_up: Ends what a job of the channel was for that was given up.
        run: Records events until cancelled.
    """

    works: Mapping[str, values.Work]
    give_up: values.Work
    run: Callable[[], Coroutine[Any, Any, None]]


def open_matrix(parts: Parts, homeserver: Homeserver, jobs: Jobs, tell: Tell) -> MatrixChannel:
    """Build the channel; nothing is sent or received yet.

    Args:
        parts: The parts shared with the other channels.
        homeserver: The homeserver.
        jobs: Records and cancels jobs; need not be open yet.
        tell: Tells the administrators that somebody has used up the day.
    """
    rooms, settings = Rooms(homeserver, Desk(parts, jobs, tell)), parts.settings
    max_age = timedelta(minutes=settings.matrix.max_age_minutes)
    intake = Intake(rooms, settings.data_dir / _POSITION_FILE, max_age)
    work = Work(rooms, intake)
    return MatrixChannel({MATRIX: work.carry_out}, work.give_up, intake.run)
