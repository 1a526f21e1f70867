"""Unit tests are pure: no socket, not even to loopback, and no real model."""

from __future__ import annotations

import socket
import subprocess
from typing import Any

import pytest


class ImpureTestError(AssertionError):
    """A unit test reached for a server or a model."""


@pytest.fixture(autouse=True)
def _nothing_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def refused(self: socket.socket, address: Any) -> None:
        # An event loop wakes itself up through a pair of local sockets.
        if self.family == socket.AF_UNIX:
            connect(self, address)
            return
        raise ImpureTestError(f"a unit test tried to reach {address}")

    start = subprocess.Popen.__init__

    def guarded(self: subprocess.Popen[Any], args: Any, *rest: Any, **options: Any) -> None:
        # A fresh interpreter may show what an import loads; the embedded model may not start.
        if "embedded_server" in str(args):
            raise ImpureTestError("a unit test tried to start the embedded model")
        start(self, args, *rest, **options)

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(subprocess.Popen, "__init__", guarded)
