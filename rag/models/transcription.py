"""Speech to text, by any server with OpenAI's ``/audio/transcriptions``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic import SecretStr

from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.endpoint import check_base_url, check_key, is_loopback, open_client, shown_address
from rag.reasons import Reason
from rag.values import ModelCall

_TRIES = 2
_LONGEST_ERROR = 200


@dataclass(frozen=True, slots=True)
class Transcript:
    """The text of a recording.

    Args:
        text: The words; empty if the server heard none.
        calls: The call, with its tokens; empty for a server that counts none.
    """

    text: str
    calls: tuple[ModelCall, ...] = ()


class Transcriber:
    """Asks the server; nothing is sent before the first call.

    Args:
        base_url: Address up to and including ``/v1``.
        model: Name of the model on the server.
        api_key: Key for the server, or empty.
        timeout_seconds: A call that takes longer counts as failed.

    Raises:
        OperatorError: The address or the key is invalid.
    """

    def __init__(self, base_url: str, model: str, api_key: str, timeout_seconds: float) -> None:
        self._base_url = check_base_url(base_url, "voice.base_url")
        self._model = model
        self._client = open_client(timeout_seconds, is_loopback=is_loopback(self._base_url))
        if key := check_key(SecretStr(api_key), "voice.api_key").get_secret_value():
            self._client.headers["Authorization"] = f"Bearer {key}"

    async def transcribe(self, recording: bytes, name: str) -> Transcript:
        """Return what is said in a recording.

        Args:
            recording: The file's content.
            name: The file's name, whose ending tells the format.

        Raises:
            ModelUnavailableError: The server does not answer now.
            ModelRejectedError: The server refuses the request.
            ModelReplyError: The reply holds no text.
        """
        began = time.monotonic()
        form = {"model": self._model, "response_format": "json"}
        response = await self._ask(
            "POST", "/audio/transcriptions", data=form, files={"file": (name, recording)}
        )
        reply = self._value(response)
        text = reply.get("text")
        if not isinstance(text, str):
            raise self._unusable()
        usage = reply.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        read, written = counts.get("input_tokens"), counts.get("output_tokens")
        if not isinstance(read, int) or not isinstance(written, int):
            return Transcript(text)
        seconds = time.monotonic() - began
        return Transcript(text, (ModelCall("transcribe", self._model, read, written, seconds),))

    async def list_models(self) -> tuple[str, ...]:
        """Return the names of the server's models; empty if it lists none. This costs nothing.

        Raises:
            ModelUnavailableError: The server does not answer now.
            ModelRejectedError: The server refuses the request, for example because of the key.
            ModelReplyError: The reply is no list.
        """
        response = await self._ask("GET", "/models", accepted=404)
        if response.status_code == 404:
            return ()
        listed = self._value(response).get("data")
        if not isinstance(listed, list):
            raise self._unusable()
        return tuple(str(one.get("id", "")) for one in listed if isinstance(one, dict))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _ask(
        self,
        method: str,
        path: str,
        accepted: int = 200,
        **content: Any,  # noqa: ANN401 - passed on
    ) -> httpx2.Response:
        address, error = shown_address(self._base_url), ""
        for _ in range(_TRIES):
            try:
                response = await self._client.request(method, f"{self._base_url}{path}", **content)
            except httpx2.HTTPError as exc:
                error = f"{type(exc).__name__}: {exc}"[:_LONGEST_ERROR]
                continue
            if response.is_success or response.status_code == accepted:
                return response
            error = f"{response.status_code}: {response.text}"[:_LONGEST_ERROR]
            if response.status_code < 500 and response.status_code not in {408, 409, 429}:
                raise ModelRejectedError(
                    Reason(
                        "transcription-refused",
                        {"address": address, "name": repr(self._model), "error": error},
                    )
                )
        raise ModelUnavailableError(Reason("transcription-away", {"address": address, "error": error}))

    def _value(self, response: httpx2.Response) -> dict[str, Any]:
        try:
            value = response.json()
        except (ValueError, RecursionError):
            raise self._unusable() from None
        return value if isinstance(value, dict) else {}

    def _unusable(self) -> ModelReplyError:
        return ModelReplyError(Reason("transcription-unusable", {"address": shown_address(self._base_url)}))
