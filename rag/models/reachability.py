"""Whether a model server would take a call, found out without making one."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from rag.models.endpoint import Endpoint
from rag.reasons import Reason

_PROBE_SECONDS = 3.0


class _Listed(BaseModel):
    id: str


class _Listing(BaseModel):
    data: list[_Listed]


async def probe(endpoint: Endpoint) -> tuple[Reason | None, bool]:
    """Ask a server for its list of models.

    Returns:
        What is wrong or missing, if anything, and whether a call has a chance.
    """
    import httpx2

    from rag.models.http_client import open_client

    if endpoint.kind == "provider":
        # Each lists its models in its own way, and some not at all.
        return Reason("probe-not-asked", {"provider": endpoint.provider}), True
    key = endpoint.api_key.get_secret_value()
    try:
        async with open_client(_PROBE_SECONDS, is_loopback=endpoint.loopback) as client:
            response = await client.get(
                f"{endpoint.base_url}/models", headers={"Authorization": f"Bearer {key}"} if key else {}
            )
    except httpx2.TimeoutException:
        return Reason("probe-too-slow", {"seconds": _PROBE_SECONDS}), False
    except httpx2.HTTPError:
        return Reason("probe-not-running"), False
    if response.status_code in {401, 403}:
        return Reason("probe-key") if key else Reason("probe-no-key"), False
    if response.status_code >= 500:
        return Reason("probe-failed", {"status": str(response.status_code)}), False
    return _listing_problem(endpoint, response.content if response.status_code == 200 else b"")


def _listing_problem(endpoint: Endpoint, body: bytes) -> tuple[Reason | None, bool]:
    try:
        listed = {model.id for model in _Listing.model_validate_json(body).data}
    except ValidationError:
        # Some servers answer chats and list nothing.
        return Reason("probe-no-list"), True
    if listed & {endpoint.model, f"{endpoint.model}:latest"}:
        return None, True
    name, setting = endpoint.model, endpoint.model_setting
    if endpoint.kind == "ollama":
        return Reason("probe-to-pull", {"name": name, "pull": name, "setting": setting}), False
    return Reason("probe-unknown", {"name": name, "setting": setting}), False
