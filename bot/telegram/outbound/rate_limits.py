"""When a call to Telegram may go. Pure: time comes in, in seconds of a clock that never jumps.

Telegram takes about one message a second in a private chat, 20 calls a minute in a group (edits and
"typing" count), 30 a second in all unless it is paid for more. Every urgency may fill only its part of a
budget, so that progress and typing never take the place of an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum


class Urgency(IntEnum):
    """What goes first when a chat may not have everything; lower is sooner."""

    FINAL = 0
    PLACEHOLDER = 1
    PROGRESS = 2
    TYPING = 3


@dataclass(frozen=True, slots=True)
class Rate:
    """A budget.

    Args:
        calls: How many calls are taken in any `seconds`.
        seconds: Length of the window.
        shares: How many of the calls there may be before one of this urgency goes; all when it is missing.
    """

    calls: int
    seconds: float
    shares: Mapping[Urgency, int] = field(default_factory=dict)

    def allowed(self, urgency: Urgency) -> int:
        """How many calls the window may hold after one of this urgency went."""
        return self.shares.get(urgency, self.calls)


_PRIVATE = Rate(5, 5.0, {Urgency.PROGRESS: 3, Urgency.TYPING: 3})
_GROUP = Rate(20, 60.0, {Urgency.PLACEHOLDER: 18, Urgency.PROGRESS: 10, Urgency.TYPING: 4})
_PLACEHOLDERS = 0.83
# A bot that is allowed more has more to do than to show progress: each call takes processor time.
_PROGRESS, _MOST_PROGRESS = 0.6, 18
_TYPING, _MOST_TYPING = 0.4, 12
# A little less than allowed: two clocks never agree on where a second begins.
_OVERALL_USED = 0.93
_MESSAGES_PER_SECOND = 30


def overall(messages_per_second: int) -> Rate:
    """The budget of all chats together.

    Args:
        messages_per_second: What Telegram takes.
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
    """The budgets of a private chat, of a group, and of all chats together."""

    private: Rate = _PRIVATE
    group: Rate = _GROUP
    overall: Rate = field(default_factory=lambda: overall(_MESSAGES_PER_SECOND))


@dataclass
class _Window:
    """The times of the latest calls."""

    rate: Rate
    calls: deque[float] = field(default_factory=deque)

    def wait(self, urgency: Urgency, now: float) -> float:
        """Seconds until a call of this urgency fits; 0 when it fits now."""
        while self.calls and self.calls[0] <= now - self.rate.seconds:
            self.calls.popleft()
        surplus = len(self.calls) - self.rate.allowed(urgency)
        return self.calls[surplus] + self.rate.seconds - now if surplus >= 0 else 0.0


class Schedule:
    """Keeps the budgets and the pauses that Telegram asked for.

    Args:
        rates: The budgets.
    """

    def __init__(self, rates: Rates | None = None) -> None:
        self._rates = rates or Rates()
        self._overall = _Window(self._rates.overall)
        self._chats: dict[int, _Window] = {}
        self._paused: dict[int, float] = {}

    def wait(self, chat_id: int, urgency: Urgency, now: float) -> float:
        """Return how many seconds a call has to wait because of its own chat; 0 when it need not."""
        pause = self._paused.get(chat_id, now) - now
        window = self._chats.get(chat_id)
        return max(pause, window.wait(urgency, now) if window else 0.0, 0.0)

    def wait_overall(self, urgency: Urgency, now: float) -> float:
        """Return how many seconds a call has to wait because of all chats together; 0 when it need not."""
        return self._overall.wait(urgency, now)

    def is_fresh(self, chat_id: int, now: float) -> bool:
        """Whether the chat has just seen something: there is a call in its window."""
        window = self._chats.get(chat_id)
        return window is not None and bool(window.calls) and window.calls[-1] > now - window.rate.seconds

    def begin(self, now: float) -> None:
        """Count a call that goes out now."""
        self._overall.calls.append(now)

    def end(self, chat_id: int, now: float) -> None:
        """Count a call in its chat, once it is over: Telegram counts when it arrives, which is not later."""
        window = self._chats.setdefault(chat_id, _Window(self._of(chat_id)))
        window.calls.append(now)

    def pause(self, chat_id: int, until: float) -> None:
        """Let nothing go to a chat before `until`."""
        self._paused[chat_id] = max(until, self._paused.get(chat_id, until))

    def forget(self, now: float) -> None:
        """Drop what says nothing any more: chats without a call in their window and pauses that are over."""
        self._paused = {chat_id: until for chat_id, until in self._paused.items() if until > now}
        self._chats = {
            chat_id: window for chat_id, window in self._chats.items() if self.is_fresh(chat_id, now)
        }

    def _of(self, chat_id: int) -> Rate:
        # Groups and channels have negative ids.
        return self._rates.group if chat_id < 0 else self._rates.private
