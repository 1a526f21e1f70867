"""What every test may count on: no network beyond loopback, the shared data where it exists."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
from collections.abc import Callable, Iterator, Sized
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import hypothesis
import pytest

from bot.clock import use_zone
from tests.support import programs
from tests.support.postgres import PostgresServer

REPOSITORY = Path(__file__).resolve().parent.parent

# `make test` tries the same examples each time, `make soak` new ones. A busy machine may be slow.
_SETTINGS = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("default", _SETTINGS, derandomize=True)
hypothesis.settings.register_profile("thorough", _SETTINGS, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# A shell that starts make in the background ignores SIGINT, and every child would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish() -> None:
    """End what tests share."""
    programs.close()


class NetworkBlockedError(AssertionError):
    """A test tried to reach a host beyond loopback."""


def _is_loopback(host: str) -> bool:
    if host in {"localhost", ""}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _zone_of_its_own() -> Iterator[None]:
    """Undo the time zone that a test set by loading settings; it is one for the whole process."""
    yield
    use_zone(ZoneInfo("UTC"))


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail any test that connects or resolves beyond loopback."""
    connect = socket.socket.connect
    getaddrinfo = socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6} and not _is_loopback(str(address[0])):
            raise NetworkBlockedError(f"this test tried to reach {address[0]}")
        connect(self, address)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not _is_loopback(str(name)):
            raise NetworkBlockedError(f"this test tried to look up {name}")
        return getaddrinfo(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, address or setting of the developer's machine reaches a test."""
    for name in list(os.environ):
        if name.startswith(("THINKTWICE_", "OPENAI_", "OLLAMA_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The development data that lies beside the repository."""
    folder = Path(os.environ.get("DEVELOPMENT_DATA", REPOSITORY.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no development data at {folder} (set DEVELOPMENT_DATA)")
    return folder


@pytest.fixture
def attacked(record_property: Callable[[str, object], None]) -> Callable[[int, Sized], None]:
    """Count attacks for `bench.attacks`, and fail if one was won: how many were tried, and what was reached."""

    def count(tried: int, won: Sized) -> None:
        record_property("tried", tried)
        record_property("won", len(won))
        assert not won

    return count


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; each test that needs one takes a new database of it."""
    with PostgresServer() as server:
        yield server
