"""Whether a model server would take a call, found out without making one."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from rag.models.endpoint import Endpoint

_PROBE_SECONDS = 3.0


class _Listed(BaseModel):
    id: str


class _Listing(BaseModel):
    data: list[_Listed]


async def probe(endpoint: Endpoint) -> tuple[str, bool]:
    """Ask a server for its list of models.

    Returns:
        A clause that says what is wrong or missing (may be empty), and whether a call has a chance.
    """
    import httpx2

    key = endpoint.api_key.get_secret_value()
    try:
        async with httpx2.AsyncClient(
            timeout=_PROBE_SECONDS, trust_env=not endpoint.loopback, follow_redirects=True
        ) as client:
            response = await client.get(
                f"{endpoint.base_url}/models", headers={"Authorization": f"Bearer {key}"} if key else {}
            )
    except httpx2.TimeoutException:
        return f"did not answer in {_PROBE_SECONDS:g} s: is it running?", False
    except httpx2.HTTPError:
        return "cannot be reached: is it running?", False
    if response.status_code in {401, 403}:
        return "refuses the key: check OPENAI_API_KEY" if key else "wants a key: set OPENAI_API_KEY", False
    if response.status_code >= 500:
        return f"has failed ({response.status_code}): try again later", False
    return _listing_problem(endpoint, response.content if response.status_code == 200 else b"")


def _listing_problem(endpoint: Endpoint, body: bytes) -> tuple[str, bool]:
    try:
        listed = {model.id for model in _Listing.model_validate_json(body).data}
    except ValidationError:
        # Some servers answer chats and list nothing.
        return "does not list its models", True
    if listed & {endpoint.model, f"{endpoint.model}:latest"}:
        return "", True
    pull = f"`ollama pull {endpoint.model}`, or " if endpoint.kind == "ollama" else ""
    return f"does not list {endpoint.model}: {pull}check {endpoint.model_setting}", False
