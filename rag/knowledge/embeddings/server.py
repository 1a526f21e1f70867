"""Embeddings from an OpenAI-compatible server, OpenAI's own or Ollama's included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError
from rag.knowledge.embedder import Vectors
from rag.knowledge.embeddings.parallel import MAX_CHARACTERS
from rag.models.endpoint import OPENAI_ADDRESS, check_base_url, is_loopback, shown_address
from rag.models.tokens import count_embedding, estimate_tokens
from rag.reasons import Reason
from rag.settings import Models

if TYPE_CHECKING:
    from openai import OpenAI

_BATCH = 64
"""Texts per request, within the limit of every known server."""


class ServerEmbedder:
    """Embeds by HTTP; safe to call from several threads."""

    def __init__(self, name: str, client: OpenAI) -> None:
        self.fingerprint = name
        self._model = name.partition(":")[2]
        self._client = client

    @classmethod
    def named(cls, name: str, models: Models) -> ServerEmbedder:
        """Create an embedder from the settings; nothing is sent yet."""
        import httpx2
        from openai import OpenAI

        from rag.models.endpoint import open_blocking_client

        is_ollama = name.startswith("ollama:")
        address = models.ollama_base_url if is_ollama else models.openai_base_url or OPENAI_ADDRESS
        address = check_base_url(address, "models.ollama_base_url" if is_ollama else "models.openai_base_url")
        timeout = httpx2.Timeout(models.timeout_seconds, connect=models.connect_timeout_seconds)
        client = OpenAI(
            base_url=address,
            # Never empty: a local server needs no key, but the client requires one.
            api_key=("" if is_ollama else models.openai_api_key.get_secret_value()) or "none",
            timeout=timeout,
            max_retries=models.attempts - 1,
            http_client=open_blocking_client(timeout, is_loopback=is_loopback(address)),
        )
        return cls(name, client)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (len(texts), dimension); raises `ModelError` without usable ones."""
        batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
        return np.concatenate([self._embed(batch) for batch in batches])

    embed_queries = embed_passages

    def _embed(self, texts: Sequence[str]) -> Vectors:
        import openai

        # A server may refuse an empty text.
        plain = [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() or " " for text in texts]
        try:
            reply = self._client.embeddings.create(model=self._model, input=plain, encoding_format="float")
            ordered = sorted(reply.data, key=lambda row: row.index)
            vectors = np.array([row.embedding for row in ordered], np.float32)
            # Not every server says what it read.
            told = getattr(reply.usage, "total_tokens", 0)
            count_embedding(told or sum(map(estimate_tokens, plain)))
        except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as error:
            raise ModelUnavailableError(
                Reason("embedding-away", {"address": self._address, "error": _short(error)})
            ) from error
        except openai.APIStatusError as error:
            raise ModelRejectedError(
                Reason(
                    "embedding-refused",
                    {"address": self._address, "name": repr(self._model), "error": _short(error)},
                )
            ) from error
        except (openai.OpenAIError, AttributeError, TypeError, ValueError) as error:
            raise self._unreadable() from error
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(norms).all() or not norms.all():
            raise self._unreadable()
        normalised: Vectors = vectors / norms
        return normalised

    @property
    def _address(self) -> str:
        return shown_address(str(self._client.base_url))

    def _unreadable(self) -> ModelReplyError:
        return ModelReplyError(
            Reason("embedding-unusable", {"address": self._address, "name": repr(self._model)})
        )


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
