"""Computes when a call to Telegram may go. Pure: times are arguments, in seconds of a monotonic clock.

Telegram accepts about one new message a second in a chat (short bursts pass), 20 calls a minute in a group
(edits and "typing" count there), and 30 calls a second in all unless more is paid for. Each urgency may use
only its share of a budget, so that progress and typing never delay an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, Field

_Budget: TypeAlias = Literal["chat", "group"]
_BUDGETS: Final[tuple[_Budget, ...]] = get_args(_Budget)


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
    """A budget: at most `calls` in a window of `seconds`, or fewer after a call of an urgency in `shares`."""

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
    """Return the budget of all chats together; Telegram accepts `messages_per_second` calls a second."""

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
    """The budgets of calls: in any one chat, in a group, and to all chats together."""

    chat: Rate = _CHAT
    group: Rate = _GROUP
    overall: Rate = field(default_factory=lambda: overall(_MESSAGES_PER_SECOND))


@dataclass
class _Window:
    """The times of the latest calls, of this machine and of others."""

    rate: Rate
    calls: deque[float] = field(default_factory=deque)
    elsewhere: Sequence[float] = ()

    def wait(self, urgency: Urgency, now: float, parts: int = 1) -> float:
        """Return the seconds until a call of this urgency fits into one of `parts`; 0 when it fits now."""
        self._drop_old(now)
        calls = sorted([*self.calls, *self.elsewhere]) if self.elsewhere else self.calls
        surplus = len(calls) - max(self.rate.allowed(urgency) // parts, 1)
        return calls[surplus] + self.rate.seconds - now if surplus >= 0 else 0.0

    def is_empty(self, now: float) -> bool:
        self._drop_old(now)
        return not self.calls and not self.elsewhere

    def _drop_old(self, now: float) -> None:
        while self.calls and self.calls[0] <= now - self.rate.seconds:
            self.calls.popleft()
        if self.elsewhere:
            self.elsewhere = [call for call in self.elsewhere if call > now - self.rate.seconds]


class CallReport(BaseModel):
    """The calls and pauses that a machine tells the other machines of its fleet.

    Args:
        calls: Ages of the latest calls in milliseconds, by chat and budget.
        pauses: Milliseconds that Telegram wants a chat to be left alone for.
    """

    calls: dict[int, dict[str, list[int]]] = Field(default_factory=dict)
    pauses: dict[int, int] = Field(default_factory=dict)


class Schedule:
    """Counts calls against the budgets, and remembers the pauses that Telegram asked for.

    Args:
        machines: Returns how many machines share the budget of all chats, each with an equal part. The
            budgets of a chat are not parted, because the questions of a chat are answered one at a time: what
            other machines called there counts as soon as they tell it.
    """

    def __init__(self, rates: Rates | None = None, machines: Callable[[], int] = lambda: 1) -> None:
        self._rates = rates or Rates()
        self._machines = machines
        self._overall = _Window(self._rates.overall)
        self._windows: dict[tuple[int, _Budget], _Window] = {}
        self._paused: dict[int, float] = {}
        self._paused_elsewhere: dict[int, float] = {}
        self._latest: dict[int, float] = {}

    def wait(self, chat_id: int, urgency: Urgency, effect: Effect, now: float) -> float:
        """Return the seconds that a call has to wait for the budget of its chat; 0 when it may go now."""
        waits = [window.wait(urgency, now) for window in self._find_windows(chat_id, effect)]
        paused_until = max(self._paused.get(chat_id, now), self._paused_elsewhere.get(chat_id, now))
        return max(paused_until - now, *waits, 0.0)

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

    def report(self, now: float) -> CallReport:
        """Return what the other machines of a fleet have to know of this one's calls and pauses."""
        self.forget(now)
        report = CallReport(pauses={chat: _milliseconds(until - now) for chat, until in self._paused.items()})
        for (chat_id, kind), window in self._windows.items():
            if window.calls:
                ages = [_milliseconds(now - call) for call in window.calls]
                report.calls.setdefault(chat_id, {})[kind] = ages
        return report

    def hear(self, reports: Iterable[tuple[float, CallReport]]) -> None:
        """Count what other machines report, with the times of reports, instead of what was heard before."""
        calls: dict[tuple[int, _Budget], list[float]] = {}
        self._paused_elsewhere = {}
        for made_at, report in reports:
            for chat_id, by_budget in report.calls.items():
                for budget in _BUDGETS:
                    called = [made_at - age / 1000 for age in by_budget.get(budget, ())]
                    calls.setdefault((chat_id, budget), []).extend(called)
            for chat_id, milliseconds in report.pauses.items():
                until = made_at + milliseconds / 1000
                self._paused_elsewhere[chat_id] = max(until, self._paused_elsewhere.get(chat_id, until))
        for window in self._windows.values():
            window.elsewhere = ()
        for (chat_id, budget), called in calls.items():
            self._window(chat_id, budget).elsewhere = called

    def forget(self, now: float) -> None:
        """Drop windows without counting calls, and pauses that are over."""
        self._paused = {chat_id: until for chat_id, until in self._paused.items() if until > now}
        self._windows = {key: window for key, window in self._windows.items() if not window.is_empty(now)}
        self._latest = {chat_id: at for chat_id, at in self._latest.items() if self.is_fresh(chat_id, now)}

    def _find_windows(self, chat_id: int, effect: Effect) -> list[_Window]:
        found = []
        if effect is Effect.MESSAGE:
            found.append(self._window(chat_id, "chat"))
        # Groups and channels have negative ids.
        if chat_id < 0 and effect is not Effect.SLIGHT:
            found.append(self._window(chat_id, "group"))
        return found

    def _window(self, chat_id: int, budget: _Budget) -> _Window:
        rate = self._rates.chat if budget == "chat" else self._rates.group
        return self._windows.setdefault((chat_id, budget), _Window(rate))


def _milliseconds(seconds: float) -> int:
    return max(round(seconds * 1000), 0)
