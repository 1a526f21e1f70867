"""Derives the console's address from its settings."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from bot.settings.sections import Console

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what it means is looked at here


def base(settings: Console, port: int | None = None) -> str:
    """Return the address at which people open the console, without a slash at the end.

    Args:
        settings: The settings.
        port: The port that the console listens on, if the system chose it.
    """
    return settings.public_url or listening(settings, port)


def listening(settings: Console, port: int | None = None) -> str:
    """Return the address at which programs on this machine reach the console, without a slash at the end."""
    host = "127.0.0.1" if settings.host in _EVERYWHERE else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port if port is None else port}"


def link(settings: Console, secret: str, port: int | None = None) -> str:
    """Return the one-time login link with this secret."""
    return f"{base(settings, port)}/login/{secret}"


def hosts(settings: Console) -> frozenset[str]:
    """Return the host names that requests to the console may use; another one is a DNS rebinding attack."""
    public = urlsplit(settings.public_url).hostname or ""
    return frozenset({"localhost", "127.0.0.1", "::1", settings.host.casefold(), public}) - {"", *_EVERYWHERE}


def is_loopback(settings: Console) -> bool:
    """Return whether only programs on this machine can reach the console."""
    if settings.host == "localhost":
        return True
    try:
        return ipaddress.ip_address(settings.host).is_loopback
    except ValueError:
        return False


def is_encrypted(settings: Console) -> bool:
    """Return whether browsers reach the console over HTTPS."""
    return settings.public_url.startswith("https://")
