"""Computes when a call to Telegram may go. Pure: times are arguments, in seconds of a monotonic clock.

Telegram accepts about one new message a second in a chat (short bursts pass), 20 calls a minute in a group
(edits and "typing" count there), and 30 calls a second in all unless more is paid for. Each urgency may use
only its share of a budget, so that progress and typing never delay an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Literal


class Urgency(IntEnum):
    """The priority of a call; lower values go first."""

    FINAL = 0
    PLACEHOLDER = 1
    PROGRESS = 2
    TYPING = 3


class Effect(Enum):
    """The effect of a call on a chat, which decides against which budgets the call counts."""

    MESSAGE = "a new message: counts in every chat"
    CHANGE = "an edit, or a notice that the bot is typing: counts in groups"
    SLIGHT = "a draft or a deletion: counts only among the calls to all chats"


@dataclass(frozen=True, slots=True)
class Rate:
    """A budget of calls.

    Args:
        calls: Largest number of calls in a window.
        seconds: Length of the window.
        shares: Largest number of calls in the window after a call of this urgency; by default `calls`.
    """

    calls: int
    seconds: float
    shares: Mapping[Urgency, int] = field(default_factory=dict)

    def allowed(self, urgency: Urgency) -> int:
        """Return the largest number of calls in the window after a call of this urgency."""
        return self.shares.get(urgency, self.calls)


# Telegram gives no number for "short bursts"; a burst that is too long ends in a 429, which is obeyed.
_CHAT = Rate(5, 5.0)
_GROUP = Rate(20, 60.0, {Urgency.PLACEHOLDER: 18, Urgency.PROGRESS: 10, Urgency.TYPING: 4})
_PLACEHOLDERS = 0.83
# A limit on progress for bots with a larger budget as well: each call takes processor time.
_PROGRESS, _MOST_PROGRESS = 0.6, 18
_TYPING, _MOST_TYPING = 0.4, 12
# A little less than allowed, because Telegram's seconds begin at other times than ours.
_OVERALL_USED = 0.93
_MESSAGES_PER_SECOND = 30


def overall(messages_per_second: int) -> Rate:
    """Return the budget of all chats together.

    Args:
        messages_per_second: Calls that Telegram accepts per second.
    """

    def share(part: float, most: int = messages_per_second) -> int:
        return max(min(round(messages_per_second * part), most), 1)

    return Rate(
        share(_OVERALL_USED),
        1.0,
        {
            Urgency.PLACEHOLDER: share(_PLACEHOLDERS),
            Urgency.PROGRESS: share(_PROGRESS, _MOST_PROGRESS),
            Urgency.TYPING: share(_TYPING, _MOST_TYPING),
        },
    )


@dataclass(frozen=True, slots=True)
class Rates:
    """The budgets of calls.

    Args:
        chat: New messages in any one chat.
        group: New messages, edits and typing notices in a group.
        overall: Calls to all chats together.
    """

    chat: Rate = _CHAT
    group: Rate = _GROUP
    overall: Rate = field(default_factory=lambda: overall(_MESSAGES_PER_SECOND))


@dataclass
class _Window:
    """The times of the latest calls."""

    rate: Rate
    calls: deque[float] = field(default_factory=deque)

    def wait(self, urgency: Urgency, now: float, parts: int = 1) -> float:
        """Return the seconds until a call of this urgency fits into one of `parts`; 0 when it fits now."""
        while self.calls and self.calls[0] <= now - self.rate.seconds:
            self.calls.popleft()
        surplus = len(self.calls) - max(self.rate.allowed(urgency) // parts, 1)
        return self.calls[surplus] + self.rate.seconds - now if surplus >= 0 else 0.0

    def is_empty(self, now: float) -> bool:
        """Return whether all calls are older than the window."""
        return not self.calls or self.calls[-1] <= now - self.rate.seconds


class Schedule:
    """Counts calls against the budgets, and remembers the pauses that Telegram asked for.

    Args:
        rates: The budgets.
        machines: Returns how many machines share the budget of all chats, each with an equal part. The
            budgets of a chat are not parted: the questions of a chat are answered one at a time.
    """

    def __init__(self, rates: Rates | None = None, machines: Callable[[], int] = lambda: 1) -> None:
        self._rates = rates or Rates()
        self._machines = machines
        self._overall = _Window(self._rates.overall)
        self._windows: dict[tuple[int, Literal["chat", "group"]], _Window] = {}
        self._paused: dict[int, float] = {}
        self._latest: dict[int, float] = {}

    def wait(self, chat_id: int, urgency: Urgency, effect: Effect, now: float) -> float:
        """Return the seconds that a call has to wait for the budget of its chat; 0 when it may go now."""
        waits = [window.wait(urgency, now) for window in self._find_windows(chat_id, effect)]
        return max(self._paused.get(chat_id, now) - now, *waits, 0.0)

    def wait_overall(self, urgency: Urgency, now: float) -> float:
        """Return the seconds that a call has to wait for the budget of all chats; 0 when it may go now."""
        return self._overall.wait(urgency, now, self._machines())

    def is_fresh(self, chat_id: int, now: float) -> bool:
        """Return whether a call was made to the chat within the last window of its budget."""
        return self._latest.get(chat_id, -float("inf")) > now - self._rates.chat.seconds

    def begin(self, now: float) -> None:
        """Count a call that begins now, in the budget of all chats."""
        self._overall.calls.append(now)

    def end(self, chat_id: int, effect: Effect, now: float) -> None:
        """Count a finished call in the budgets of its chat: Telegram counted it on arrival, not later."""
        self._latest[chat_id] = now
        for window in self._find_windows(chat_id, effect):
            window.calls.append(now)

    def pause(self, chat_id: int, until: float) -> None:
        """Hold back all calls to a chat until `until`."""
        self._paused[chat_id] = max(until, self._paused.get(chat_id, until))

    def forget(self, now: float) -> None:
        """Drop windows without counting calls, and pauses that are over."""
        self._paused = {chat_id: until for chat_id, until in self._paused.items() if until > now}
        self._windows = {key: window for key, window in self._windows.items() if not window.is_empty(now)}
        self._latest = {chat_id: at for chat_id, at in self._latest.items() if self.is_fresh(chat_id, now)}

    def _find_windows(self, chat_id: int, effect: Effect) -> list[_Window]:
        """Return the windows of a chat in which a call with this effect counts."""
        found = []
        if effect is Effect.MESSAGE:
            found.append(self._windows.setdefault((chat_id, "chat"), _Window(self._rates.chat)))
        # Groups and channels have negative ids.
        if chat_id < 0 and effect is not Effect.SLIGHT:
            found.append(self._windows.setdefault((chat_id, "group"), _Window(self._rates.group)))
        return found
