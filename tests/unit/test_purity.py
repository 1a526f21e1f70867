from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from rag.models.embedded import _COMMAND


@pytest.mark.parametrize("address", [("127.0.0.1", 9), ("192.0.2.1", 443)], ids=["loopback", "beyond"])
def test_unit_suite_reaches_no_server(address: tuple[str, int]) -> None:
    with socket.socket() as client, pytest.raises(AssertionError, match="tried to reach"):
        client.connect(address)


def test_unit_suite_starts_no_real_model(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="embedded model"):
        subprocess.Popen([*_COMMAND], cwd=tmp_path, stdin=subprocess.DEVNULL, executable=sys.executable)
