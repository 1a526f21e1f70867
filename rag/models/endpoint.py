"""The address of a chat model, with everything an error message about it needs."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

from rag.errors import OperatorError

ServerKind = Literal["openai", "compatible", "ollama", "embedded", "provider"]
"""OpenAI itself, a server that speaks its protocol, Ollama, our own child process, or one of `PROVIDERS`."""

OPENAI_ADDRESS = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model on one server.

    Args:
        name: As the settings and the trace name it (``openai:gpt-5-mini``).
        model: As the server names it (``gpt-5-mini``).
        base_url: Address up to and including ``/v1``; empty for a provider, which knows its own.
        kind: What sort of server it is.
        api_key: Key for it, or empty.
        timeout_seconds: A call that takes longer counts as failed.
        connect_timeout_seconds: A connection not taken for this long counts as refused.
        attempts: Tries of one call.
        model_setting: The setting that names the model, for error messages.
        provider: The provider, for the kind ``provider``.
    """

    name: str
    model: str
    base_url: str
    kind: ServerKind = "compatible"
    api_key: SecretStr = field(default_factory=lambda: SecretStr(""))
    timeout_seconds: float = 120.0
    connect_timeout_seconds: float = 5.0
    attempts: int = 2
    model_setting: str = "models.default"
    provider: str = ""

    @property
    def address(self) -> str:
        """The base URL as it may be shown, without user name, password and query; or the provider's name."""
        return shown_address(self.base_url) if self.base_url else self.provider

    @property
    def loopback(self) -> bool:
        """Whether the server runs on this machine."""
        return is_loopback(self.base_url)


def shown_address(url: str) -> str:
    """`url` without anything that may be secret."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def is_loopback(url: str) -> bool:
    """Whether `url` leads to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_base_url(url: str, setting: str) -> str:
    """`url` without its trailing slash.

    Raises:
        OperatorError: it is no http address.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise OperatorError(
            f"{setting} is not an http or https address; it should look like http://127.0.0.1:8000/v1"
        )
    return url.rstrip("/")
