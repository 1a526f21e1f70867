"""Derives the console's address from its settings."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from bot.settings.sections import Console

if TYPE_CHECKING:
    from bot.settings.tree import Settings

_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what it means is looked at here


def base(settings: Console) -> str:
    """Return the address at which people open the console, without a slash at the end."""
    return settings.public_url or listening(settings)


def listening(settings: Console) -> str:
    """Return the address at which programs on this machine reach the console, without a slash at the end."""
    host = "127.0.0.1" if settings.host in _EVERYWHERE else settings.host
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def link(settings: Console, secret: str) -> str:
    """Return the one-time login link with this secret."""
    return f"{base(settings)}/login/{secret}"


def choose_port(settings: Settings) -> Settings:
    """Return the settings with a free port for the console instead of port 0, so that links can name it."""
    if not settings.console.enabled or settings.console.port:
        return settings
    family = socket.AF_INET6 if ":" in settings.console.host else socket.AF_INET
    # An invalid host is reported when the server starts listening.
    with socket.socket(family) as free, suppress(OSError):
        free.bind((settings.console.host, 0))
        chosen = settings.console.model_copy(update={"port": free.getsockname()[1]})
        return settings.model_copy(update={"console": chosen})
    return settings


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
