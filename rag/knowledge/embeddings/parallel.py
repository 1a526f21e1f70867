"""Runs a model over many texts, with one text per call and one call per core.

Both bundled models are fastest with one text at a time on few cores. Batches would also change the vectors,
because the int8 model scales its numbers over the whole batch. Each call uses one thread: several threads in
one call wait for each other at every layer, and beside a busy chat model a 20 ms question took 400 ms.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rag.knowledge.embedder import Vectors

MAX_CHARACTERS = 4000
"""Maximum characters of a text that are embedded; passages are shorter, and a vector cannot express more."""

_pool: ThreadPoolExecutor | None = None
_opening = threading.Lock()


def embed_each(texts: Sequence[str], embed: Callable[[str], Vectors]) -> Vectors:
    """Embed every text by its own call; shape (len(texts), dimension).

    Args:
        texts: Any texts; characters that UTF-8 cannot hold become replacement characters.
        embed: Returns the normalised vector of one text; called from several threads.
    """
    plain = [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
    if len(plain) == 1:
        return embed(plain[0])[np.newaxis]
    return np.stack(list(_threads().map(embed, plain)))


def _threads() -> ThreadPoolExecutor:
    global _pool  # one pool per process, for all models
    with _opening:
        if _pool is None:
            _pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)), thread_name_prefix="embedding")
    return _pool
