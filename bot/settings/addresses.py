"""Where the console is opened: what its settings mean as an address."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from bot.settings.tree import Console

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what it means is looked at here


def base(settings: Console, port: int | None = None) -> str:
    """Return the address at which people open the console, without a slash at the end.

    Args:
        settings: The settings.
        port: The port that it listens on, if that was left to the system.
    """
    return settings.public_url or listening(settings, port)


def listening(settings: Console, port: int | None = None) -> str:
    """Return the address at which programs on this machine reach the console, without a slash at the end."""
    host = "127.0.0.1" if settings.host in _EVERYWHERE else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port if port is None else port}"


def link(settings: Console, secret: str, port: int | None = None) -> str:
    """Return the one-time link with this secret."""
    return f"{base(settings, port)}/login/{secret}"


def hosts(settings: Console) -> frozenset[str]:
    """Return the names under which the console may be asked for: another one is an attack by DNS."""
    public = urlsplit(settings.public_url).hostname or ""
    return frozenset({"localhost", "127.0.0.1", "::1", settings.host.casefold(), public}) - {"", *_EVERYWHERE}


def is_loopback(settings: Console) -> bool:
    """Whether only programs on this machine can reach it."""
    if settings.host == "localhost":
        return True
    try:
        return ipaddress.ip_address(settings.host).is_loopback
    except ValueError:
        return False


def is_encrypted(settings: Console) -> bool:
    """Whether browsers reach it over HTTPS."""
    return settings.public_url.startswith("https://")
