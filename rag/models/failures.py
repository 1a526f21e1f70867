"""Turns what went wrong between us and a model server into our errors.

One table for all servers. The reasons name the address and the setting to change, and never hold a
key: a server's own words are quoted only where it cannot have been asked about the key, and cleaned.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import httpx2
from pydantic_ai import exceptions as theirs

from rag.errors import ModelError, ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.endpoint import Endpoint
from rag.models.providers import PROVIDERS
from rag.reasons import Reason

LONGEST_WAIT_SECONDS = 20.0
"""A server that asks for a longer pause than this counts as unavailable."""

_QUOTED_CHARACTERS = 200
_RETRIED_STATUS = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Failure:
    """The message about a failed call, and whether another try may help.

    Args:
        error: The error to raise in the end.
        transient: Another try may work.
        wait_seconds: The pause the server asked for, or None.
        rejected: What the server said about a parameter it does not take, or an empty string.
    """

    error: ModelError
    transient: bool = False
    wait_seconds: float | None = None
    rejected: str = ""


def failure_of(error: Exception, endpoint: Endpoint) -> Failure:
    """Read an exception of the client library."""
    if isinstance(error, theirs.ModelHTTPError):
        return _status(error, endpoint)
    if isinstance(error, TimeoutError | theirs.ModelRequestTimeout):
        return _too_slow(endpoint)
    if isinstance(error, theirs.ModelConnectionError):
        return _connection(error, endpoint)
    if isinstance(error, httpx2.HTTPError):
        return Failure(ModelReplyError(Reason("model-broke-off", {"model": _who(endpoint)})))
    if isinstance(error.__cause__, json.JSONDecodeError | UnicodeDecodeError):
        return _garbage(endpoint)
    if isinstance(error, theirs.ModelAPIError):
        return Failure(
            ModelReplyError(
                Reason("model-stopped", {"model": _who(endpoint), "error": _quoted(error, endpoint)})
            )
        )
    return _garbage(endpoint)


def empty_reply(endpoint: Endpoint, finish_reason: str | None) -> ModelReplyError:
    """The error for a reply without a word."""
    match finish_reason:
        case "length":
            return ModelReplyError(Reason("model-thinking", {"model": _who(endpoint)}))
        case "content_filter":
            return ModelReplyError(Reason("model-filtered", {"model": _who(endpoint)}))
        case _:
            return ModelReplyError(Reason("model-empty", {"model": _who(endpoint)}))


def wrong_form(endpoint: Endpoint, output: str, tries: int) -> ModelReplyError:
    """The error for a typed reply that cannot be used, also when asked again."""
    return ModelReplyError(Reason("model-form", {"model": _who(endpoint), "form": output, "tries": tries}))


def _who(endpoint: Endpoint) -> Reason:
    if endpoint.kind == "embedded":
        return Reason("model-name-embedded")
    return Reason("model-name-server", {"name": endpoint.name, "address": endpoint.address})


def _connection(error: theirs.ModelConnectionError, endpoint: Endpoint) -> Failure:
    if isinstance(error, theirs.ModelTimeoutError) and error.phase != "connect":
        return _too_slow(endpoint)
    if isinstance(error, theirs.ModelTimeoutError):
        reason = Reason(
            "model-no-connection", {"model": _who(endpoint), "seconds": endpoint.connect_timeout_seconds}
        )
        return Failure(ModelUnavailableError(reason), transient=True)
    if error.phase == "read":
        reason = Reason("model-closed", {"model": _who(endpoint)})
    elif endpoint.loopback:
        reason = Reason("model-not-running", {"model": _who(endpoint)})
    else:
        reason = Reason("model-offline", {"model": _who(endpoint)})
    return Failure(ModelUnavailableError(reason), transient=True)


def _too_slow(endpoint: Endpoint) -> Failure:
    error = ModelUnavailableError(
        Reason("model-too-slow", {"model": _who(endpoint), "seconds": endpoint.timeout_seconds})
    )
    error.timed_out = True
    return Failure(error)


def _garbage(endpoint: Endpoint) -> Failure:
    return Failure(ModelReplyError(Reason("model-no-chat", {"model": _who(endpoint)})))


def _status(error: theirs.ModelHTTPError, endpoint: Endpoint) -> Failure:
    status, who = str(error.status_code), _who(endpoint)
    if isinstance(error, theirs.ModelQuotaExceededError):
        return Failure(ModelRejectedError(Reason("model-no-credit", {"model": who, "status": status})))
    if isinstance(error, theirs.ModelContextWindowExceededError):
        return Failure(ModelRejectedError(Reason("model-conversation-too-long", {"model": who})))
    if isinstance(error, theirs.ModelAuthenticationError):
        return Failure(ModelRejectedError(_refused_key(endpoint, status)))
    if isinstance(error, theirs.ModelNotFoundError):
        return Failure(ModelRejectedError(_unknown_model(endpoint)))
    if error.status_code in _RETRIED_STATUS or error.status_code >= 500:
        return _transient_status(error, endpoint)
    refused = Reason("model-refused", {"model": who, "status": status, "error": _quoted(error, endpoint)})
    return Failure(ModelRejectedError(refused), rejected=_rejected(error))


def _transient_status(error: theirs.ModelHTTPError, endpoint: Endpoint) -> Failure:
    status, who, wait = str(error.status_code), _who(endpoint), error.retry_after
    if error.status_code != 429 and wait:
        reason = Reason("model-failed-until", {"model": who, "status": status, "seconds": wait})
    elif error.status_code != 429:
        reason = Reason("model-failed", {"model": who, "status": status})
    elif wait:
        reason = Reason("model-busy-until", {"model": who, "status": status, "seconds": wait})
    else:
        reason = Reason("model-busy", {"model": who, "status": status})
    return Failure(
        ModelUnavailableError(reason),
        transient=wait is None or wait <= LONGEST_WAIT_SECONDS,
        wait_seconds=wait,
        rejected=_rejected(error) if error.status_code == 501 else "",
    )


def _refused_key(endpoint: Endpoint, status: str) -> Reason:
    if endpoint.kind == "provider":
        return Reason(
            "model-key-provider",
            {"model": _who(endpoint), "status": status, "variable": PROVIDERS[endpoint.provider].key},
        )
    if endpoint.kind == "ollama":
        return Reason("model-refused-ollama", {"model": _who(endpoint), "status": status})
    if endpoint.api_key.get_secret_value():
        return Reason("model-key", {"model": _who(endpoint), "status": status})
    return Reason("model-no-key", {"model": _who(endpoint), "status": status})


def _unknown_model(endpoint: Endpoint) -> Reason:
    address, name, setting = endpoint.address, repr(endpoint.model), endpoint.model_setting
    if endpoint.kind == "ollama":
        return Reason(
            "model-to-pull",
            {"address": address, "name": name, "pull": endpoint.model, "setting": setting},
        )
    if endpoint.kind == "compatible":
        return Reason("model-unknown-there", {"address": address, "name": name, "setting": setting})
    return Reason("model-unknown", {"address": address, "name": name, "setting": setting})


def _rejected(error: theirs.ModelHTTPError) -> str:
    body = error.body
    if isinstance(body, dict):
        return str(body.get("param") or body.get("message") or body)
    return str(body or "")


def _quoted(error: theirs.ModelAPIError, endpoint: Endpoint) -> str:
    """The server's own words, shortened, on one line and without the key."""
    body = error.body
    words = str(body.get("message") or body) if isinstance(body, dict) else str(body or "")
    if not words and not isinstance(error, theirs.ModelHTTPError):
        words = error.message
    key = endpoint.api_key.get_secret_value()
    if key:
        words = words.replace(key, "…")
    words = " ".join(words.split())
    return words[:_QUOTED_CHARACTERS] + ("…" if len(words) > _QUOTED_CHARACTERS else "") or "no reason given"
