"""HTTP clients for chat and speech servers."""

from __future__ import annotations

import ssl
from functools import cache

import httpx2


def open_client(timeout: httpx2.Timeout | float, *, is_loopback: bool) -> httpx2.AsyncClient:
    """Open a client for one server.

    Args:
        timeout: Timeouts in seconds.
        is_loopback: Whether the server is on this machine. A proxy from the environment cannot reach it.
    """
    trust_env = not is_loopback
    return httpx2.AsyncClient(
        timeout=timeout, trust_env=trust_env, follow_redirects=True, verify=_certificates(trust_env)
    )


@cache
def _certificates(trust_env: bool) -> ssl.SSLContext:
    """Load the trusted certificates once per process, because that takes 40 ms."""
    return httpx2.create_ssl_context(trust_env=trust_env)
