"""Telegram's limits on messages, after the Bots FAQ ("My bot is hitting limits").

In one chat about one message a second (short bursts go through, then 429), in one group at most 20 a
minute, in all about 30 a second. Edits and chat actions count like messages in a group (not documented, observed
by others). The windows are settings, so that a test of "20 a minute" need not take a minute.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.telegram.refusals import too_many_requests

COUNTED_IN_CHATS = frozenset(
    {
        "sendMessage",
        "sendDocument",
        "sendPhoto",
        "editMessageText",
        "editMessageCaption",
        "editMessageReplyMarkup",
        "sendChatAction",
        "setMessageReaction",
    }
)
COUNTED_IN_ALL = COUNTED_IN_CHATS | {"sendMessageDraft", "deleteMessage"}

Window: TypeAlias = tuple[int, float]


@dataclass(frozen=True)
class Rates:
    """Limits, each as number of calls and length of the window in seconds; None switches a limit off."""

    group: Window | None = (20, 60.0)
    chat: Window | None = (5, 5.0)
    overall: Window | None = (30, 1.0)


NO_RATES = Rates(None, None, None)


@dataclass
class Limits:
    rates: Rates
    _calls: dict[tuple[str, int], deque[float]] = field(default_factory=dict)

    def count(self, method: str, chat_id: int | None, now: float) -> None:
        """Count a call; beyond a limit raise `Refusal`, 429 with the seconds to wait, and do not count it."""
        if chat_id is None or method not in COUNTED_IN_ALL:
            return
        limits: dict[tuple[str, int], Window | None] = {("all", 0): self.rates.overall}
        if method in COUNTED_IN_CHATS:
            limits["chat", chat_id] = self.rates.chat
            if chat_id < 0:
                limits["group", chat_id] = self.rates.group
        windows = {key: window for key, window in limits.items() if window is not None}
        waits = [self._wait(key, window, now) for key, window in windows.items()]
        if (wait := max(waits, default=0.0)) > 0:
            raise too_many_requests(max(1, math.ceil(wait)))
        for key in windows:
            self._calls.setdefault(key, deque()).append(now)

    def _wait(self, key: tuple[str, int], window: Window, now: float) -> float:
        calls, seconds = window
        taken = self._calls.setdefault(key, deque())
        while taken and taken[0] <= now - seconds:
            taken.popleft()
        return taken[len(taken) - calls] + seconds - now if len(taken) >= calls else 0.0
