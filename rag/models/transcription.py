"""Speech to text, by any server with OpenAI's ``/audio/transcriptions``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.models.endpoint import check_base_url, is_loopback, shown_address
from rag.reasons import Reason
from rag.values import ModelCall

if TYPE_CHECKING:
    from openai import AsyncOpenAI


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
    """Asks the server.

    Args:
        model: Name of the model on the server.
        client: The client of the server.
    """

    def __init__(self, model: str, client: AsyncOpenAI) -> None:
        self._model = model
        self._client = client

    @classmethod
    def open(cls, base_url: str, model: str, api_key: str, timeout_seconds: float) -> Transcriber:
        """Create it; nothing is sent yet.

        Args:
            base_url: Address up to and including ``/v1``.
            model: Name of the model on the server.
            api_key: Key for the server, or empty.
            timeout_seconds: A call that takes longer counts as failed.

        Raises:
            OperatorError: The address is invalid.
        """
        from openai import AsyncOpenAI

        from rag.models.http_client import open_client

        address = check_base_url(base_url, "voice.base_url")
        client = AsyncOpenAI(
            base_url=address,
            # Never empty: a local server needs no key, but the client requires one.
            api_key=api_key or "none",
            timeout=timeout_seconds,
            max_retries=1,
            http_client=open_client(timeout_seconds, is_loopback=is_loopback(address)),
        )
        return cls(model, client)

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
        with self._translated():
            reply = await self._client.audio.transcriptions.create(
                model=self._model, file=(name, recording), response_format="json"
            )
        text = getattr(reply, "text", None)
        if not isinstance(text, str):
            raise _unusable(self._address)
        usage = getattr(reply, "usage", None)
        read, written = (getattr(usage, name, None) for name in ("input_tokens", "output_tokens"))
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
        import openai

        with self._translated():
            try:
                page = await self._client.models.list()
            except openai.NotFoundError:
                return ()
        listed = getattr(page, "data", None)
        if not isinstance(listed, list):
            raise _unusable(self._address)
        return tuple(str(getattr(one, "id", "")) for one in listed)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    @property
    def _address(self) -> str:
        return shown_address(str(self._client.base_url))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn errors of the client into ours."""
        import openai

        try:
            yield
        except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as error:
            raise ModelUnavailableError(
                Reason("transcription-away", {"address": self._address, "error": _shorten(error)})
            ) from error
        except openai.APIStatusError as error:
            raise ModelRejectedError(
                Reason(
                    "transcription-refused",
                    {"address": self._address, "name": repr(self._model), "error": _shorten(error)},
                )
            ) from error
        except (openai.OpenAIError, ValueError) as error:
            raise _unusable(self._address) from error


def _unusable(address: str) -> ModelReplyError:
    return ModelReplyError(Reason("transcription-unusable", {"address": address}))


def _shorten(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
