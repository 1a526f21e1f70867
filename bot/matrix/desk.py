"""Builds what answers an event in its room: a job has a messenger of its own, which knows where it writes."""

from __future__ import annotations

from bot.jobs.runner import Jobs
from bot.matrix.connection import Homeserver
from bot.matrix.messenger import RoomMessenger
from bot.matrix.parsing import Raw
from bot.parts import Parts
from bot.service.admission import Reception
from bot.service.answering import Answering
from bot.service.apologies import Apologies
from bot.service.explanations import Explanations
from bot.service.limits import Limits, Tell
from bot.service.stopping import Stopping
from bot.service.stores import Stores
from bot.storage.asks import Asks


class Desk:
    """The parts that all channels share, for the jobs of this one.

    Args:
        homeserver: Sends.
        parts: The parts that all channels share.
        jobs: Records and cancels jobs; need not be open yet.
        tell: Tells the administrators that somebody has used up the day.
    """

    def __init__(self, homeserver: Homeserver, parts: Parts, jobs: Jobs, tell: Tell) -> None:
        self.homeserver = homeserver
        self.parts = parts
        self.jobs = jobs
        self.asks = Asks(parts.database)
        self.limits = Limits(parts.arrivals, parts.spent, parts.notices, parts.settings.limits, tell)
        self.stores = Stores(
            parts.memory,
            self.asks,
            parts.chats,
            parts.users,
            parts.answers,
            parts.notices,
            parts.runs,
            parts.document_sets,
            parts.spent,
            parts.database.together,
            parts.database.after_commit,
        )
        self.explanations = Explanations(self.stores)

    def messenger(self, raw: Raw) -> RoomMessenger:
        """Return what writes into the room of an event."""
        hosts = self.parts.settings.telegram.link_hosts
        return RoomMessenger(self.homeserver, self.asks, self.jobs.recorded, raw, hosts)

    def reception(self, raw: Raw) -> Reception:
        """Return what decides on the question of an event."""
        return Reception(
            self.stores,
            self.messenger(raw),
            self.parts.access,
            self.limits,
            lambda _asked: str(raw["job"]),
            self.parts.councils,
        )

    def stopping(self, raw: Raw) -> Stopping:
        """Return what stops answers because of an event."""
        return Stopping(self.stores, self.messenger(raw), self.jobs, self.parts.access)

    def answering(self, raw: Raw) -> Answering:
        """Return what answers the question of an event."""
        return Answering(
            self.parts.app.engine,
            self.stores,
            self.messenger(raw),
            self.reception(raw),
            self.stopping(raw).abandon,
        )

    def apologies(self, raw: Raw) -> Apologies:
        """Return what ends the question of an event whose job was given up."""
        return Apologies(
            self.stores,
            self.messenger(raw),
            self.answering(raw),
            self.jobs.recorded,
            lambda _asked: str(raw["job"]),
        )
