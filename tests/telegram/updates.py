"""The queue of updates, with the offsets of ``getUpdates``.

Official statements behind it (reference page, "Getting updates"): an update is confirmed as soon as
getUpdates is called with an offset higher than its id; a negative offset counts from the end and forgets all
earlier ones; updates are kept for at most 24 hours; ids rise by one, but after a week without updates the next
id is random; ``allowed_updates`` does not touch updates created before the call, an empty list means all kinds
except chat_member, message_reaction and message_reaction_count, and without it the last setting stays.
According to the server's source, an offset more than 10 beyond the newest id is ignored and the queue is read
from its head, so that ids that restart lower reach a bot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.telegram.chats import Clock
from tests.telegram.entities import Wire

KEPT_SECONDS = 24 * 3600
ONLY_BY_NAME = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
# How far beyond the newest id an offset can be.
_AHEAD = 10


@dataclass
class Update:
    """An update that waits.

    Args:
        lane: The chat or user that it belongs to: a webhook gets the updates of a lane one at a time.
        expires_at: When it is dropped, in seconds of the server's clock.
        again: Sent once more on a test's order, whatever the offset.
    """

    update_id: int
    kind: str
    payload: Wire
    lane: int
    expires_at: float
    again: bool = False

    def wire(self) -> Wire:
        return {"update_id": self.update_id, self.kind: self.payload}


class UpdateQueue:
    def __init__(self, clock: Clock, first_id: int = 100_000_001) -> None:
        self._clock = clock
        self._next_id = first_id
        self._waiting: list[Update] = []
        self._allowed: frozenset[str] | None = None
        self.sent: dict[int, Update] = {}
        self.delivered: dict[int, int] = {}
        self.on_change: Callable[[], None] = lambda: None

    @property
    def pending(self) -> list[Update]:
        now = self._clock.now()
        self._waiting = [update for update in self._waiting if update.expires_at > now]
        return list(self._waiting)

    @property
    def allowed(self) -> list[str] | None:
        """Return the kinds that the bot asked for, or None for the default."""
        return None if self._allowed is None else sorted(self._allowed)

    def allow(self, kinds: list[str] | None) -> None:
        """Set ``allowed_updates``; None leaves the setting unchanged."""
        if kinds is not None:
            self._allowed = frozenset(kinds) or None

    def push(self, kind: str, payload: Wire, lane: int) -> Update | None:
        """Queue an update with the next id, unless its kind is not asked for."""
        if kind in ONLY_BY_NAME if self._allowed is None else kind not in self._allowed:
            return None
        update = Update(self._next_id, kind, payload, lane, self._clock.now() + KEPT_SECONDS)
        self._next_id += 1
        self._waiting.append(update)
        self.sent[update.update_id] = update
        self.on_change()
        return update

    def read(self, offset: int, limit: int) -> list[Update]:
        """Confirm the updates before an offset, and return the next ones, as getUpdates does."""
        pending = self.pending
        again = [update for update in pending if update.again]
        ordinary = [update for update in pending if not update.again]
        if offset < 0:
            ordinary = ordinary[offset:]
        elif offset <= self._next_id + _AHEAD:
            ordinary = [update for update in ordinary if update.update_id >= offset]
        self._waiting = again + ordinary
        given = self._waiting[:limit]
        for update in given:
            self.delivered[update.update_id] = self.delivered.get(update.update_id, 0) + 1
        # A redelivery happens once, whatever the offset is.
        self._waiting = [update for update in self._waiting if not (update.again and update in given)]
        return given

    def confirm(self, update: Update) -> None:
        self.delivered[update.update_id] = self.delivered.get(update.update_id, 0) + 1
        self._waiting = [waiting for waiting in self._waiting if waiting is not update]

    def drop_pending(self) -> None:
        self._waiting.clear()

    def redeliver(self, update_id: int) -> None:
        """Deliver an update once more, confirmed or not."""
        old = self.sent[update_id]
        self._waiting.append(
            Update(
                old.update_id, old.kind, old.payload, old.lane, self._clock.now() + KEPT_SECONDS, again=True
            )
        )
        self.on_change()

    def restart_at(self, update_id: int) -> None:
        """Continue with another id, as after a week without updates, when waiting updates have expired."""
        if abs(update_id - self._next_id) <= 10 * _AHEAD:
            raise ValueError("Telegram's random ids lie far apart; choose one further away")
        self._waiting.clear()
        self._next_id = update_id
