"""Opens HTTP clients for servers of chat, speech and embedding models."""

from __future__ import annotations

import ssl
from functools import cache
from typing import TypedDict

import httpx2


def open_client(timeout: httpx2.Timeout | float, *, is_loopback: bool) -> httpx2.AsyncClient:
    """Open a client for one server.

    Args:
        timeout: Timeouts in seconds.
        is_loopback: Whether the server is on this machine.
    """
    return httpx2.AsyncClient(timeout=timeout, **_options(is_loopback))


def open_blocking_client(timeout: httpx2.Timeout | float, *, is_loopback: bool) -> httpx2.Client:
    """Open a client for one server whose calls block; the arguments are those of `open_client`."""
    return httpx2.Client(timeout=timeout, **_options(is_loopback))


class _Options(TypedDict):
    trust_env: bool
    follow_redirects: bool
    verify: ssl.SSLContext


def _options(is_loopback: bool) -> _Options:
    # A proxy from the environment cannot reach this machine's loopback addresses.
    trust_env = not is_loopback
    return {"trust_env": trust_env, "follow_redirects": True, "verify": _certificates(trust_env)}


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """Load the trusted certificates once per process, because that takes 40 ms."""
    return httpx2.create_ssl_context(trust_env=trust_env)
