"""Turns what went wrong between us and a model server into our errors.

One table for all servers. The reasons name the address and the setting to change, and never hold a
key: a server's own words are quoted only where it cannot have been asked about the key, and cleaned.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2
from pydantic import BaseModel

from rag.errors import ModelError, ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.endpoint import Endpoint
from rag.models.quirks import Quirks
from rag.models.replies import Reply
from rag.reasons import Reason

LONGEST_WAIT_SECONDS = 20.0
"""A server that asks for a longer pause than this counts as unavailable."""

_QUOTED_CHARACTERS = 200
_READ_CHARACTERS = 4000
_RETRIED_STATUS = frozenset({408, 409, 424, 425, 429, 498})
_SAID = ("error", "message", "detail", "msg", "loc", "metadata", "raw")
"""Names under which servers say what is wrong, in whatever object."""
_NAMED = ("param", "code", "type")
_FILTERED: Final = re.compile(
    r"content.?filter|content management policy|moderation|flagged|guardrail|data_?inspection"
    r"|content exists risk|high risk"
    r"|(?:inappropriate|unsafe|sensitive|prohibited).?(?:content|information|word)"
    r"|safety.?check|violat\w{1,4} (?:\w{1,12} ){0,3}(?:usage|content|safety) (?:guidelines|polic)"
    r"|不安全|敏感|违规|不合规|\(1301\b",
    re.IGNORECASE,
)
_TOOL: Final = re.compile(r"tool_use_failed|model called a tool|failed to call a function", re.IGNORECASE)
_NO_CREDIT: Final = re.compile(
    r"insufficient.?(?:quota|balance|credit|funds)|credit balance|no credit|exceeded your current quota",
    re.IGNORECASE,
)
_TOO_LONG: Final = re.compile(
    r"context.?(?:length|window|size)|maximum context|too many tokens|(?:prompt|input) is too long"
    r"|reduce the length|request too large|reduce your message",
    re.IGNORECASE,
)
_NO_PATH: Final = re.compile(r"unexpected endpoint|no such (?:path|route|endpoint)", re.IGNORECASE)
_LOADING: Final = re.compile(
    r"loading model|model\b.{0,120}\bloading|still loading|warming up|starting up", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without a usable reply, and whether another try may help.

    Args:
        error: The error to raise in the end.
        transient: Another try may work.
        wait_seconds: The pause the server asked for, or None.
        is_loading: The server loads its model and will answer when it has.
        refused: What the server said about a request that it does not take.
        is_vague: It did not say what it does not take, so that the plainest request may work.
        is_lost: Nothing that answers chats is at this address; it does not say that the model is missing.
        reply: The reply that was paid for but cannot be used.
        next_quirks: Another way of asking that may work at once.
    """

    error: ModelError
    transient: bool = False
    wait_seconds: float | None = None
    is_loading: bool = False
    refused: str = ""
    is_vague: bool = False
    is_lost: bool = False
    reply: Reply | None = None
    next_quirks: Quirks | None = None


def of_status(
    status: int, body: object, endpoint: Endpoint, headers: Mapping[str, str] | None = None
) -> Failure:
    """Read a status that is no success; `body` is bytes, or a value that was read from them."""
    value = _read(body)
    words, about, shown = _words(value), who(endpoint), str(status)
    if status in {400, 403, 422, 451}:
        if _FILTERED.search(words):
            return Failure(ModelReplyError(Reason("model-filtered", {"model": about})))
        if _TOOL.search(words):
            return Failure(ModelReplyError(Reason("model-tool", {"model": about})))
    if status == 402 or _NO_CREDIT.search(words):
        # Some say for how long a reply the credit would do.
        reason = Reason("model-no-credit", {"model": about, "status": shown})
        return Failure(ModelRejectedError(reason), refused=words if "afford" in words else "")
    if status in {401, 403}:
        return Failure(ModelRejectedError(_refused_key(endpoint, shown)))
    if _TOO_LONG.search(words) and status not in {404, 429}:
        reason = Reason("model-conversation-too-long", {"model": about})
        return Failure(ModelRejectedError(reason), refused=words)
    if status in {404, 405} or _NO_PATH.search(words):
        is_lost = "model" not in words.lower()
        return Failure(ModelRejectedError(_unknown_model(endpoint)), is_lost=is_lost)
    if status not in _RETRIED_STATUS and status < 500:
        said = quote(words, endpoint)
        reason = Reason("model-refused", {"model": about, "status": shown, "error": said})
        return Failure(ModelRejectedError(reason), refused=words or shown, is_vague=True)
    wait, is_busy = _pause(value, headers or {}), status == 429
    if wait:
        reason = Reason(
            "model-busy-until" if is_busy else "model-failed-until",
            {"model": about, "status": shown, "seconds": wait},
        )
    else:
        reason = Reason("model-busy" if is_busy else "model-failed", {"model": about, "status": shown})
    return Failure(
        ModelUnavailableError(reason),
        transient=wait is None or wait <= LONGEST_WAIT_SECONDS,
        wait_seconds=wait,
        is_loading=bool(_LOADING.search(words)),
        refused="" if is_busy else words,
    )


def of_error(error: Exception, endpoint: Endpoint) -> Failure:
    """Read an exception of the HTTP library."""
    about = who(endpoint)
    if isinstance(error, httpx2.ConnectTimeout):
        reason = Reason("model-no-connection", {"model": about, "seconds": endpoint.connect_timeout_seconds})
    elif isinstance(error, TimeoutError | httpx2.TimeoutException):
        late = ModelUnavailableError(
            Reason("model-too-slow", {"model": about, "seconds": endpoint.timeout_seconds})
        )
        late.timed_out = True
        return Failure(late)
    elif isinstance(error, httpx2.ConnectError | httpx2.UnsupportedProtocol | httpx2.ProxyError):
        reason = Reason("model-not-running" if endpoint.loopback else "model-offline", {"model": about})
    else:
        reason = Reason("model-closed", {"model": about})
    return Failure(ModelUnavailableError(reason), transient=True)


def of_report(report: object, endpoint: Endpoint) -> Failure:
    """Read an error that came in the place of a reply, with a status that says that all is well."""
    code = str(report.get("code")) if isinstance(report, dict) else ""
    said = _words(report)
    is_final = _FILTERED.search(said) or _TOOL.search(said)
    status = int(code) if re.fullmatch("[45][0-9]{2}", code) else 400 if is_final else 500
    failure = of_status(status, {"error": report}, endpoint)
    if failure.error.reason.code != "model-failed":
        return failure
    stopped = Reason("model-stopped", {"model": who(endpoint), "error": quote(said, endpoint)})
    return replace(failure, error=ModelReplyError(stopped))


def no_chat(endpoint: Endpoint, *, transient: bool = False) -> Failure:
    """Return the failure of something that is no reply to what was asked."""
    reason = Reason(
        "model-no-decision" if endpoint.decides else "model-no-chat",
        {"model": who(endpoint)},
    )
    return Failure(ModelReplyError(reason), transient)


def broke_off(endpoint: Endpoint) -> Failure:
    """Return the failure of a reply without an end."""
    return Failure(ModelReplyError(Reason("model-broke-off", {"model": who(endpoint)})), transient=True)


def without_text(endpoint: Endpoint, reply: Reply, *, is_tool: bool, thought: bool) -> Failure:
    """Return the failure of a reply without a text, as what it is; only an empty one may pass."""
    about = who(endpoint)
    if reply.refusal:
        reason = Reason("model-declined", {"model": about, "error": quote(reply.refusal, endpoint)})
    elif reply.is_filtered:
        reason = Reason("model-filtered", {"model": about})
    elif is_tool:
        reason = Reason("model-tool", {"model": about})
    elif reply.finish_reason == "length":
        reason = Reason("model-thinking", {"model": about})
    else:
        return Failure(ModelReplyError(Reason("model-empty", {"model": about})), transient=not thought)
    return Failure(ModelReplyError(reason))


def wrong_form(endpoint: Endpoint, output: type[BaseModel], tries: int) -> ModelReplyError:
    """Return the error that a model gave no usable typed reply, although it was asked again."""
    form = output.__name__
    return ModelReplyError(Reason("model-form", {"model": who(endpoint), "form": form, "tries": tries}))


def quote(words: str, endpoint: Endpoint) -> str:
    """Return the server's own words, shortened, on one line and without the key."""
    if key := endpoint.api_key.get_secret_value():
        words = words.replace(key, "…")
    words = "" if words.lstrip().startswith("<") else " ".join(words.split())
    return words[:_QUOTED_CHARACTERS] + ("…" if len(words) > _QUOTED_CHARACTERS else "") or "no reason given"


def who(endpoint: Endpoint) -> Reason:
    """Return the name of a model in a message."""
    if endpoint.kind == "embedded":
        return Reason("model-name-embedded")
    return Reason("model-name-server", {"name": endpoint.name, "address": endpoint.address})


def _pause(value: object, headers: Mapping[str, str]) -> float | None:
    """Return the pause that a server asks for, in seconds: a number, a date, or milliseconds."""
    asked, milliseconds = headers.get("retry-after", ""), headers.get("retry-after-ms")
    try:
        if milliseconds:
            return float(milliseconds) / 1000
        if not asked:
            estimate = value.get("estimated_time") if isinstance(value, dict) else None
            return float(estimate) if isinstance(estimate, int | float) else None
        if re.fullmatch(r"[\d.]+", asked):
            return float(asked)
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except ValueError:
        return None


def _read(body: object) -> object:
    if not isinstance(body, bytes):
        return body
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace").strip()


def _words(value: object, depth: int = 9) -> str:
    if isinstance(value, str) or not depth:
        return value[:_READ_CHARACTERS] if isinstance(value, str) else ""
    if isinstance(value, list):
        return " ".join(filter(None, (_words(one, depth - 1) for one in value)))
    if not isinstance(value, dict):
        return ""
    said = [_words(value.get(name), depth - 1) for name in _SAID]
    names = [value[name] for name in _NAMED if isinstance(value.get(name), str)]
    return " ".join(filter(None, [*said, f"({', '.join(names)})" if names else ""]))


def _refused_key(endpoint: Endpoint, status: str) -> Reason:
    about, variable = who(endpoint), endpoint.key_variable
    if variable:
        return Reason("model-key-provider", {"model": about, "status": status, "variable": variable})
    if endpoint.decides:
        return Reason("model-key-verifier", {"model": about, "status": status})
    if endpoint.kind == "ollama":
        return Reason("model-refused-ollama", {"model": about, "status": status})
    has_key = bool(endpoint.api_key.get_secret_value())
    return Reason("model-key" if has_key else "model-no-key", {"model": about, "status": status})


def _unknown_model(endpoint: Endpoint) -> Reason:
    address, name, setting = endpoint.address, repr(endpoint.model), endpoint.model_setting
    if endpoint.kind == "ollama":
        pull = endpoint.model
        return Reason("model-to-pull", {"address": address, "name": name, "pull": pull, "setting": setting})
    is_own = endpoint.kind == "compatible" and not endpoint.provider
    return Reason(
        "model-unknown-there" if is_own else "model-unknown",
        {"address": address, "name": name, "setting": setting},
    )
