"""Turns what went wrong between us and a model server into our errors.

One table for all servers. The messages name the address and the setting to change, and never hold a
key: a server's own words are quoted only where it cannot have been asked about the key, and cleaned.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import httpx2
from pydantic_ai import exceptions as theirs

from rag.errors import ModelError, ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.endpoint import Endpoint

LONGEST_WAIT_SECONDS = 20.0
"""A server that asks for a longer pause than this counts as unavailable."""

_QUOTED_CHARACTERS = 200
_RETRIED_STATUS = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Failure:
    """What to tell, and whether another try may help.

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
        return Failure(ModelReplyError(f"{_who(endpoint)} broke off in the middle of its reply: ask again"))
    if isinstance(error.__cause__, json.JSONDecodeError | UnicodeDecodeError):
        return _garbage(endpoint)
    if isinstance(error, theirs.ModelAPIError):
        return Failure(
            ModelReplyError(
                f"{_who(endpoint)} stopped in the middle of its reply ({_quoted(error, endpoint)})"
            )
        )
    return _garbage(endpoint)


def empty_reply(endpoint: Endpoint, finish_reason: str | None) -> ModelReplyError:
    """The error for a reply without a word."""
    why = {
        "length": ": it used up its limit by thinking",
        "content_filter": ": the provider's filter held the reply back",
    }.get(finish_reason or "", "")
    return ModelReplyError(f"{_who(endpoint)} gave an empty reply{why}")


def wrong_form(endpoint: Endpoint, output: str, tries: int) -> ModelReplyError:
    """The error for a typed reply that cannot be used, also when asked again."""
    counted = {1: "one try", 2: "two tries"}.get(tries, f"{tries} tries")
    return ModelReplyError(
        f"{_who(endpoint)} did not give a {output} in the form that was asked for, in {counted}"
    )


def _who(endpoint: Endpoint) -> str:
    if endpoint.kind == "embedded":
        return "the embedded model"
    return f"{endpoint.name} at {endpoint.address}"


def _connection(error: theirs.ModelConnectionError, endpoint: Endpoint) -> Failure:
    if isinstance(error, theirs.ModelTimeoutError) and error.phase != "connect":
        return _too_slow(endpoint)
    if isinstance(error, theirs.ModelTimeoutError):
        message = (
            f"{_who(endpoint)} did not take the connection within {endpoint.connect_timeout_seconds:g} s: "
            "is it running?"
        )
        return Failure(ModelUnavailableError(message), transient=True)
    if error.phase == "read":
        return Failure(
            ModelUnavailableError(f"{_who(endpoint)} closed the connection without a whole reply"),
            transient=True,
        )
    hint = "is it running?" if endpoint.loopback else "is it running, and is this machine online?"
    return Failure(ModelUnavailableError(f"{_who(endpoint)} cannot be reached: {hint}"), transient=True)


def _too_slow(endpoint: Endpoint) -> Failure:
    error = ModelUnavailableError(
        f"{_who(endpoint)} did not answer in {endpoint.timeout_seconds:g} s: is it running, or is "
        "models.timeout_seconds too short for it?"
    )
    error.timed_out = True
    return Failure(error)


def _garbage(endpoint: Endpoint) -> Failure:
    return Failure(
        ModelReplyError(
            f"{_who(endpoint)} answered with something that is no chat reply: does the address lead to an "
            "OpenAI-compatible server (it usually ends in /v1)?"
        )
    )


def _status(error: theirs.ModelHTTPError, endpoint: Endpoint) -> Failure:
    status = error.status_code
    who = _who(endpoint)
    if isinstance(error, theirs.ModelQuotaExceededError):
        return Failure(ModelRejectedError(f"{who} refused: the account has no credit left ({status})"))
    if isinstance(error, theirs.ModelContextWindowExceededError):
        return Failure(
            ModelRejectedError(
                f"the conversation is longer than {who} can read: lower history_limit or "
                "passage_budget_tokens"
            )
        )
    if isinstance(error, theirs.ModelAuthenticationError):
        return Failure(ModelRejectedError(f"{who} refused {_key_hint(endpoint)} ({status})"))
    if isinstance(error, theirs.ModelNotFoundError):
        return Failure(ModelRejectedError(_unknown_model(endpoint)))
    if status in _RETRIED_STATUS or status >= 500:
        return _transient_status(error, endpoint)
    return Failure(
        ModelRejectedError(f"{who} refused the request ({status}): {_quoted(error, endpoint)}"),
        rejected=_rejected(error),
    )


def _transient_status(error: theirs.ModelHTTPError, endpoint: Endpoint) -> Failure:
    wait = error.retry_after
    asked = f"; it asks to wait {wait:g} s" if wait else ""
    slow_down = "takes no more requests for now" if error.status_code == 429 else "has failed"
    return Failure(
        ModelUnavailableError(f"{_who(endpoint)} {slow_down} ({error.status_code}){asked}: try again later"),
        transient=wait is None or wait <= LONGEST_WAIT_SECONDS,
        wait_seconds=wait,
        rejected=_rejected(error) if error.status_code == 501 else "",
    )


def _key_hint(endpoint: Endpoint) -> str:
    if endpoint.kind == "ollama":
        return "the request: check THINKTWICE_MODELS__OLLAMA_BASE_URL"
    if endpoint.api_key.get_secret_value():
        return "the key: check OPENAI_API_KEY (or models.openai_api_key)"
    return "a request without a key: set OPENAI_API_KEY (or models.openai_api_key)"


def _unknown_model(endpoint: Endpoint) -> str:
    remedy = f"check {endpoint.model_setting}"
    if endpoint.kind == "ollama":
        remedy = f"`ollama pull {endpoint.model}`, or {remedy}"
    elif endpoint.kind == "compatible":
        remedy += " and OPENAI_BASE_URL (it usually ends in /v1)"
    return f"the server at {endpoint.address} knows no model {endpoint.model!r}: {remedy}"


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
