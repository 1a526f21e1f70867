"""Which model does which job: reads the settings and sends each request to its role's model.

A name is `embedded`, `openai:NAME` or `ollama:NAME`. Roles with the same name share one client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from rag.errors import OperatorError
from rag.models import embedded, reachability
from rag.models.chat import ChatRequest, Completion, ModelRole
from rag.models.client import ServerModel
from rag.models.embedded import EmbeddedModel
from rag.models.endpoint import OPENAI_ADDRESS, Endpoint, ServerKind, checked_base_url
from rag.models.weights import Weights
from rag.reasons import Reason
from rag.settings import Models

ROLES: tuple[ModelRole, ...] = get_args(ModelRole)


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What `thinktwice models` shows of one role.

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
    """Sends each request to the model of its role.

    Args:
        settings: Names, addresses and limits.
        data_folder: Where the embedded model's file and log lie.

    Raises:
        OperatorError: a name or an address cannot be used; it says which setting to change.
    """

    def __init__(self, settings: Models, data_folder: Path) -> None:
        self._settings = settings
        self._names = {role: settings.named(role) for role in ROLES}
        self._endpoints = {
            name: _endpoint(name, self._setting_of(name), settings) for name in set(self._names.values())
        }
        self._embedded = EmbeddedModel(
            weights(settings, data_folder), settings, data_folder / "logs" / "embedded-model.log"
        )
        self._clients: dict[str, ServerModel | EmbeddedModel] = {}

    def name(self, role: ModelRole) -> str:
        """The model of `role`, as the settings name it."""
        return self._names[role]

    async def start(self) -> None:
        """Make every model ready ahead of the first request: load the client library, start the child.

        Raises:
            ModelUnavailableError: the embedded model cannot run here.
        """
        await asyncio.gather(*(self._client(name).start() for name in sorted(self._endpoints)))

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request` with the model of its role."""
        return await self._client(self._names[request.role]).complete(request, on_text)

    async def describe(self) -> list[ModelStatus]:
        """Every role's model, and whether it can be reached."""
        names = sorted(self._endpoints)
        found = dict(zip(names, await asyncio.gather(*map(self._probed, names)), strict=True))
        return [ModelStatus(role, name, *found[name]) for role, name in self._names.items()]

    async def aclose(self) -> None:
        """Close connections and stop the embedded model."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    def _client(self, name: str) -> ServerModel | EmbeddedModel:
        if name not in self._clients:
            endpoint = self._endpoints[name]
            self._clients[name] = self._embedded if endpoint is None else ServerModel(endpoint)
        return self._clients[name]

    def _setting_of(self, name: str) -> str:
        """The setting that names this model first."""
        if name == self._settings.default:
            return "THINKTWICE_MODEL"
        return next(
            (f"THINKTWICE_MODELS__{role.upper()}" for role in ROLES if getattr(self._settings, role) == name),
            "THINKTWICE_MODEL",
        )

    async def _probed(self, name: str) -> tuple[str, bool, Reason | None]:
        endpoint = self._endpoints[name]
        if endpoint is None:
            problem = await asyncio.to_thread(self._embedded.problem)
            return str(self._embedded.weights.path), not problem, problem
        reason, reachable = await reachability.probe(endpoint)
        return endpoint.address, reachable, reason


def weights(settings: Models, data_folder: Path) -> Weights:
    """The embedded model's file, for `thinktwice models pull`."""
    return Weights(data_folder / "models", given=settings.embedded_path)


def _endpoint(name: str, setting: str, settings: Models) -> Endpoint | None:
    """Where a model is reached; None for the embedded one."""
    if name == embedded.NAME:
        return None
    provider, _, model = name.partition(":")
    if provider not in {"openai", "ollama"} or not model.strip():
        raise OperatorError(
            f"{setting} names no model that is known ({name!r}): use `embedded`, `openai:NAME` (for any "
            "OpenAI-compatible server, with OPENAI_BASE_URL) or `ollama:NAME`"
        )
    kind: ServerKind
    if provider == "ollama":
        kind, base_url = (
            "ollama",
            checked_base_url(settings.ollama_base_url, "THINKTWICE_MODELS__OLLAMA_BASE_URL"),
        )
    elif settings.openai_base_url:
        base_url = checked_base_url(settings.openai_base_url, "OPENAI_BASE_URL")
        kind = "openai" if base_url == OPENAI_ADDRESS else "compatible"
    else:
        kind, base_url = "openai", OPENAI_ADDRESS
    if kind == "openai" and not settings.openai_api_key.get_secret_value():
        raise OperatorError(
            f"{name} needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL to the address of a server that "
            "wants none"
        )
    return Endpoint(
        name=name,
        model=model,
        base_url=base_url,
        kind=kind,
        **({} if kind == "ollama" else {"api_key": settings.openai_api_key}),
        timeout_seconds=settings.timeout_seconds,
        connect_timeout_seconds=settings.connect_timeout_seconds,
        attempts=settings.attempts,
        model_setting=setting,
    )
