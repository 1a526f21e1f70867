from __future__ import annotations

import ssl

import pytest

from bot.telegram.connection import open_bot
from rag.models.endpoint import open_client


def test_certificates_are_loaded_once_for_all_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_loopback in (False, True):
        open_client(1.0, is_loopback=is_loopback)
    open_bot("1:token", "http://localhost")

    def create_default_context(*_: object, **__: object) -> ssl.SSLContext:
        raise AssertionError("the certificates are loaded again")

    monkeypatch.setattr(ssl, "create_default_context", create_default_context)
    for is_loopback in (False, True):
        open_client(1.0, is_loopback=is_loopback)
    open_bot("2:token", "http://localhost")
