"""Where a chat model is: its server, its key, and everything an error message about it needs.

A name is `embedded`, `openai:NAME`, `ollama:NAME`, or `PROVIDER:NAME` with a provider of `PROVIDERS`.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Final, Literal, get_args
from urllib.parse import urlsplit, urlunsplit

import httpx2
from pydantic import SecretStr

from rag.errors import OperatorError
from rag.reasons import Reason
from rag.settings import EMBEDDED, DecisionKind, Models, Seat

ServerKind = Literal["openai", "compatible", "ollama", "embedded", "provider"] | DecisionKind
"""OpenAI itself, a server that speaks its protocol, Ollama, our own child process, one of `PROVIDERS`, or a
server of decision models."""

OPENAI_ADDRESS = "https://api.openai.com/v1"

MAX_REPLY_BYTES: Final = 16_000_000
"""No honest reply is longer: thousands of pages, or 64 vectors of 3,072 numbers three times over."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model on one server.

    Args:
        name: As the settings and the trace name it (``openai:gpt-5-mini``).
        model: As the server names it (``gpt-5-mini``).
        base_url: Address up to and including ``/v1``; empty for a provider, which knows its own.
        timeout_seconds: A call that takes longer counts as failed.
        connect_timeout_seconds: A connection not taken for this long counts as refused.
        model_setting: The setting that names the model, for error messages.
        key_variable: Environment variable of the provider's key.
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
    key_variable: str = ""

    @property
    def address(self) -> str:
        """The base URL as it may be shown, without user name, password and query; or the provider's name."""
        return shown_address(self.base_url) if self.base_url else self.provider

    @property
    def loopback(self) -> bool:
        """Whether the server runs on this machine."""
        return is_loopback(self.base_url)

    @property
    def decides(self) -> bool:
        """Whether a decision model is there, which answers typed questions and writes no text."""
        return self.kind in get_args(DecisionKind)


@dataclass(frozen=True, slots=True)
class Provider:
    """The requirements of a provider.

    Args:
        key: Environment variable of its key; empty: it has other credentials, which its package finds.
        address: Its address, if it speaks OpenAI's protocol.
        module: Module that it needs besides `pydantic-ai`; `package` on PyPI holds it.
    """

    key: str = ""
    address: str = ""
    module: str = ""
    package: str = ""


PROVIDERS: Final[Mapping[str, Provider]] = MappingProxyType(
    {
        "alibaba": Provider("ALIBABA_API_KEY", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
        "anthropic": Provider("ANTHROPIC_API_KEY", module="anthropic", package="anthropic"),
        "bedrock": Provider("", module="boto3", package="boto3"),
        "cerebras": Provider("CEREBRAS_API_KEY", "https://api.cerebras.ai/v1"),
        "cohere": Provider("CO_API_KEY", module="cohere", package="cohere"),
        "deepseek": Provider("DEEPSEEK_API_KEY", "https://api.deepseek.com"),
        "fireworks": Provider("FIREWORKS_API_KEY", "https://api.fireworks.ai/inference/v1"),
        "google": Provider("GOOGLE_API_KEY", module="google.genai", package="google-genai"),
        "groq": Provider("GROQ_API_KEY", module="groq", package="groq"),
        "huggingface": Provider("HF_TOKEN", "https://router.huggingface.co/v1"),
        "mistral": Provider("MISTRAL_API_KEY", module="mistralai", package="mistralai"),
        "moonshotai": Provider("MOONSHOTAI_API_KEY", "https://api.moonshot.ai/v1"),
        "nebius": Provider("NEBIUS_API_KEY", "https://api.studio.nebius.com/v1"),
        "openrouter": Provider("OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
        "ovhcloud": Provider("OVHCLOUD_API_KEY", "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1"),
        "sambanova": Provider("SAMBANOVA_API_KEY", "https://api.sambanova.ai/v1"),
        "together": Provider("TOGETHER_API_KEY", "https://api.together.xyz/v1"),
        "xai": Provider("XAI_API_KEY", module="xai_sdk", package="xai-sdk"),
        "zai": Provider("ZAI_API_KEY", "https://api.z.ai/api/paas/v4"),
    }
)
"""What must be there before a provider's client is imported, which takes seconds. Those with an address speak
OpenAI's protocol; the others have one of their own, which `pydantic-ai` knows."""


def make_endpoint(name: str, setting: str, settings: Models, seat: Seat | None = None) -> Endpoint | None:
    """Return where the chat model is that `setting` names; None for the embedded one.

    Raises:
        OperatorError: A name, an address or a key cannot be used; it says which setting to change.
    """
    if name == EMBEDDED:
        return None
    seat = seat or Seat(model=name)
    kind, _, model = name.partition(":")
    if kind not in {"openai", "ollama", *PROVIDERS} or not model.strip():
        raise OperatorError(
            f"{setting} names no model that is known ({name!r}): use `embedded`, `openai:NAME` (for any "
            "OpenAI-compatible server, with models.openai_base_url), `ollama:NAME`, or PROVIDER:NAME with "
            f"one of these providers: {', '.join(PROVIDERS)}"
        )
    made = _make_plain(name, setting, settings)
    made = replace(made, timeout_seconds=seat.timeout_seconds or settings.timeout_seconds)
    own_key = seat.api_key
    has_own_key = bool(own_key.get_secret_value())
    if kind in PROVIDERS:
        if seat.base_url:
            raise OperatorError(f"{setting} has a base_url, but {kind} has its own: leave it out")
        address = PROVIDERS[kind].address
        return replace(
            made,
            base_url=address,
            kind="compatible" if address else "provider",
            api_key=_find_key(kind, own_key if has_own_key else settings.keys.get(kind, own_key)),
            provider=kind,
            key_variable=PROVIDERS[kind].key,
        )
    address, address_setting = seat.base_url, f"{setting}.base_url"
    if not address:
        address, address_setting = settings.openai_base_url or OPENAI_ADDRESS, "models.openai_base_url"
        if kind == "ollama":
            address, address_setting = settings.ollama_base_url, "models.ollama_base_url"
        elif not has_own_key:
            # A key is sent to the server that it was given for, and to no other.
            own_key = settings.openai_api_key
    base_url = check_base_url(address, address_setting)
    check_key(own_key, f"{setting}.api_key" if has_own_key else "models.openai_api_key")
    if kind == "ollama":
        return replace(made, base_url=base_url, kind="ollama", api_key=own_key)
    if base_url == OPENAI_ADDRESS and not own_key.get_secret_value():
        raise OperatorError(
            f"{name} needs a key: set models.openai_api_key, or models.openai_base_url to the address of a "
            "server that wants none"
        )
    is_openai = base_url == OPENAI_ADDRESS
    return replace(made, base_url=base_url, kind="openai" if is_openai else "compatible", api_key=own_key)


def make_decision_endpoint(settings: Models) -> Endpoint:
    """Return the address of the decision model that verifies.

    Raises:
        OperatorError: The address is invalid, or OpenAI's has no key.
    """
    is_ours = settings.verifier.startswith("systemone:")
    # A key is sent to the server that it was given for, and to no other.
    if settings.verifier_base_url:
        base_url = check_base_url(settings.verifier_base_url, "models.verifier_base_url")
        key = check_key(settings.verifier_api_key, "models.verifier_api_key")
    elif is_ours:
        base_url, key = check_base_url(settings.ollama_base_url, "models.ollama_base_url"), SecretStr("")
    else:
        base_url = check_base_url(settings.openai_base_url or OPENAI_ADDRESS, "models.openai_base_url")
        key = check_key(settings.openai_api_key, "models.openai_api_key")
    if base_url == OPENAI_ADDRESS and not key.get_secret_value():
        raise OperatorError(
            f"{settings.verifier} needs a key: set models.openai_api_key, or models.verifier_api_key beside "
            "models.verifier_base_url"
        )
    made = _make_plain(settings.verifier, "models.verifier", settings)
    return replace(made, base_url=base_url, kind="systemone" if is_ours else "openai-decisions", api_key=key)


def _make_plain(name: str, setting: str, settings: Models) -> Endpoint:
    return Endpoint(
        name=name,
        model=name.partition(":")[2],
        base_url="",
        timeout_seconds=settings.timeout_seconds,
        connect_timeout_seconds=settings.connect_timeout_seconds,
        attempts=settings.attempts,
        model_setting=setting,
    )


def _find_key(name: str, given: SecretStr) -> SecretStr:
    provider = PROVIDERS[name]
    if provider.module and not _is_installed(provider.module):
        raise OperatorError(Reason("provider-no-package", {"provider": name, "package": provider.package}))
    key = given.get_secret_value() or os.environ.get(provider.key, "")
    if provider.key and not key:
        raise OperatorError(Reason("provider-no-key", {"provider": name, "variable": provider.key}))
    return check_key(SecretStr(key), provider.key)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def shown_address(url: str) -> str:
    """`url` without anything that may be secret."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def is_loopback(url: str) -> bool:
    """Whether `url` leads to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_base_url(url: str, setting: str) -> str:
    """`url` without its trailing slash, and without the path of chats, which clients add.

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
    return url.rstrip("/").removesuffix("/chat/completions").rstrip("/")


def check_key(key: SecretStr, setting: str) -> SecretStr:
    """`key`, if it can be sent.

    Raises:
        OperatorError: A character of it is none of a key, such as one from another keyboard.
    """
    for place, character in enumerate(key.get_secret_value(), 1):
        if not "!" <= character <= "~":
            raise OperatorError(Reason("key-character", {"setting": setting, "place": place}))
    return key


class _BoundedBody(httpx2.AsyncByteStream, httpx2.SyncByteStream):
    """A body that breaks off with `httpx2.DecodingError` behind `MAX_REPLY_BYTES`."""

    def __init__(self, body: Any) -> None:  # noqa: ANN401 - a stream of either kind
        self._body = body
        self._left = MAX_REPLY_BYTES

    def _counted(self, piece: bytes) -> bytes:
        self._left -= len(piece)
        if self._left < 0:
            raise httpx2.DecodingError("the reply is too long")
        return piece

    def __iter__(self) -> Iterator[bytes]:
        return map(self._counted, self._body)

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        async for piece in self._body:
            yield self._counted(piece)

    def close(self) -> None:
        self._body.close()

    async def aclose(self) -> None:
        await self._body.aclose()


def _bound(response: httpx2.Response) -> None:
    response.stream = _BoundedBody(response.stream)
    # What is unpacked from it counts as well: a thousandth of it may have come.
    unpack, unpack_later = response.iter_bytes, response.aiter_bytes
    response.iter_bytes = lambda chunk_size=None: iter(_BoundedBody(unpack(chunk_size)))  # type: ignore[method-assign]
    response.aiter_bytes = lambda chunk_size=None: aiter(_BoundedBody(unpack_later(chunk_size)))  # type: ignore[method-assign]


async def _bound_later(response: httpx2.Response) -> None:
    _bound(response)


def open_client(timeout: httpx2.Timeout | float, *, is_loopback: bool) -> httpx2.AsyncClient:
    """Open an HTTP client for one server that reads `MAX_REPLY_BYTES` at most; `timeout` in seconds."""
    hooks = {"response": [_bound_later]}
    return httpx2.AsyncClient(timeout=timeout, event_hooks=hooks, **_options(is_loopback))


def open_blocking_client(timeout: httpx2.Timeout | float, *, is_loopback: bool) -> httpx2.Client:
    """Open a client for one server whose calls block; the arguments are those of `open_client`."""
    return httpx2.Client(timeout=timeout, event_hooks={"response": [_bound]}, **_options(is_loopback))


def _options(is_loopback: bool) -> dict[str, Any]:
    # A proxy from the environment cannot reach this machine's loopback addresses.
    trust_env = not is_loopback
    return {"trust_env": trust_env, "follow_redirects": True, "verify": _load_certificates(trust_env)}


@cache
def _load_certificates(trust_env: bool) -> ssl.SSLContext:
    """Load the trusted certificates once per process, because that takes 40 ms."""
    return httpx2.create_ssl_context(trust_env=trust_env)
