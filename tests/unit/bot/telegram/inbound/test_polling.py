from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from telegram.error import BadRequest, Conflict, InvalidToken, NetworkError, RetryAfter, TimedOut

from bot.service.errors import StorageError
from bot.telegram.inbound.last_contact import Contact
from bot.telegram.inbound.polling import Polling, SecondPollerError
from bot.telegram.startup import TokenError


class Server:
    """Hands out what it is told to; then nothing comes any more."""

    def __init__(self, *replies: list[dict[str, Any]] | Exception) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[int | None, int]] = []

    async def __call__(
        self, offset: int | None, seconds: int, allowed: Sequence[str]
    ) -> list[dict[str, Any]]:
        self.asked.append((offset, seconds))
        if not self.replies:
            raise asyncio.CancelledError
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


class Taken:
    """Records updates, unless it cannot."""

    def __init__(self, *failures: Exception | None) -> None:
        self.failures = list(failures)
        self.updates: list[tuple[int, bool]] = []

    async def __call__(self, raw: dict[str, Any], *, is_backlog: bool) -> None:
        if self.failures and (failure := self.failures.pop(0)) is not None:
            raise failure
        self.updates.append((raw["update_id"], is_backlog))


def updates(*ids: int) -> list[dict[str, Any]]:
    return [{"update_id": update_id} for update_id in ids]


async def polled(server: Server, taken: Taken) -> list[float]:
    """Poll until the server has nothing more to say; return the pauses."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    with pytest.raises(asyncio.CancelledError):
        await Polling(server, taken, ("message",), sleep=sleep).run()
    return pauses


async def test_updates_are_confirmed_when_they_are_recorded_and_not_before() -> None:
    server, taken = Server(updates(5, 6), [], updates(7)), Taken()
    assert await polled(server, taken) == []
    assert [offset for offset, _ in server.asked] == [None, 7, 7, 8]
    assert [update_id for update_id, _ in taken.updates] == [5, 6, 7]


async def test_what_waited_is_fetched_at_once_and_told_from_what_is_live() -> None:
    server, taken = Server(updates(5), updates(6), [], updates(7)), Taken()
    await polled(server, taken)
    assert [seconds for _, seconds in server.asked] == [0, 0, 0, 30, 30]
    assert taken.updates == [(5, True), (6, True), (7, False)]


async def test_after_an_outage_updates_may_be_old_again() -> None:
    server, taken = Server([], NetworkError("away"), updates(5), [], updates(6)), Taken()
    await polled(server, taken)
    assert taken.updates == [(5, True), (6, False)]


async def test_update_that_cannot_be_recorded_is_asked_for_again_with_those_behind_it() -> None:
    full = StorageError("the disk is full", is_passing=True)
    server, taken = Server(updates(5, 6, 7), updates(6, 7)), Taken(None, full)
    assert await polled(server, taken) == [1.0]
    assert [offset for offset, _ in server.asked] == [None, 6, 8]
    assert [update_id for update_id, _ in taken.updates] == [5, 6, 7]


async def test_ids_that_start_again_lower_move_the_offset_down() -> None:
    server, taken = Server(updates(900), updates(3)), Taken()
    await polled(server, taken)
    assert [offset for offset, _ in server.asked] == [None, 901, 4]


async def test_pauses_grow_and_begin_again_after_an_answer() -> None:
    failures = [NetworkError("away"), TimedOut(), BadRequest("odd"), NetworkError("away")]
    server = Server(*failures, [], NetworkError("away"))
    assert await polled(server, Taken()) == [1.0, 2.0, 4.0, 8.0, 1.0]


async def test_long_outage_is_asked_about_twice_a_minute() -> None:
    assert max(await polled(Server(*[NetworkError("away")] * 12), Taken())) == 30.0


async def test_flood_is_waited_out_as_long_as_telegram_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")
    assert await polled(Server(RetryAfter(timedelta(seconds=17))), Taken()) == [17.0]


async def test_second_poller_is_given_up_on_after_a_while() -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    conflict = Conflict("terminated by other getUpdates request")
    with pytest.raises(SecondPollerError, match="Another program asks Telegram"):
        await Polling(Server(*[conflict] * 9), Taken(), (), sleep=sleep).run()
    assert len(pauses) == 4
    assert sum(pauses) >= 10


async def test_older_process_that_is_just_ending_is_waited_for() -> None:
    conflict = Conflict("terminated by other getUpdates request")
    taken = Taken()
    await polled(Server(conflict, conflict, updates(1), conflict, conflict, conflict, updates(2)), taken)
    assert [update_id for update_id, _ in taken.updates] == [1, 2]


async def test_token_that_stops_working_ends_it() -> None:
    with pytest.raises(TokenError):
        await Polling(Server(updates(1), InvalidToken("Unauthorized")), Taken(), ()).run()


class TestContact:
    NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)

    def test_first_start_has_no_gap(self, tmp_path: Path) -> None:
        assert Contact(tmp_path / "contact").gap() is None

    @pytest.mark.parametrize(
        ("hours", "gap"), [(23, None), (25, timedelta(hours=25))], ids=["within a day", "longer"]
    )
    def test_only_what_telegram_has_forgotten_is_a_gap(
        self, tmp_path: Path, hours: int, gap: timedelta | None
    ) -> None:
        Contact(tmp_path / "contact", lambda: self.NOW).touch()
        later = Contact(tmp_path / "contact", lambda: self.NOW + timedelta(hours=hours))
        assert later.gap() == gap

    def test_folder_that_cannot_be_written_loses_nothing(self, tmp_path: Path) -> None:
        Contact(tmp_path / "nowhere" / "contact").touch()
