"""Runs a model over many texts, one text a call, one call a core.

One text at a time is not a loss: both bundled models are quickest that way on few cores, and the int8
model scales its numbers over the whole batch, so a text would get another vector in other company.
Each call uses one thread. Several threads in one call wait for each other at every layer, and beside a
chat model that keeps the cores busy a 20 ms question was seen to take 400 ms.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rag.knowledge.embedder import Vectors

MAX_CHARACTERS = 4000
"""Of a text: more than a passage has, and more than an embedding can say in one vector."""

_pool: ThreadPoolExecutor | None = None
_opening = threading.Lock()


def embed_each(texts: Sequence[str], embed: Callable[[str], Vectors], dimension: int) -> Vectors:
    """Embed every text by its own call.

    Args:
        texts: Any texts; characters that UTF-8 cannot hold become replacement characters.
        embed: Gives the normalised vector of one text; called from several threads.
        dimension: Length of a vector.

    Returns:
        Shape (len(texts), dimension).
    """
    plain = [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
    if not plain:
        return np.empty((0, dimension), np.float32)
    if len(plain) == 1:
        return embed(plain[0])[np.newaxis]
    return np.stack(list(_threads().map(embed, plain)))


def _threads() -> ThreadPoolExecutor:
    global _pool  # one pool a process, whatever the number of models
    with _opening:
        if _pool is None:
            _pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)), thread_name_prefix="embedding")
    return _pool
