"""Check disk space for large files, and translate disk errors."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import OperatorError
from rag.reasons import Reason, reason_of_os

Progress = Callable[[int, int], None]
"""Called with the number of bytes done and the total."""

_SPARE_BYTES = 64 << 20
"""Disk space that is kept free for databases and logs."""


def require_space(folder: Path, size: int) -> None:
    """Check that `size` more bytes fit on the disk.

    Raises:
        OperatorError: They do not fit; the message states the needed and the free space.
    """
    free = shutil.disk_usage(folder).free
    needed = size + _SPARE_BYTES
    if free < needed:
        raise OperatorError(
            Reason(
                "model-no-space",
                {"needed": round(needed / 1e9, 2), "free": round(free / 1e9, 2), "folder": str(folder)},
            )
        )


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Translate disk errors under `folder` into one sentence.

    Raises:
        OperatorError: Instead of OSError.
    """
    try:
        yield
    except OSError as exc:
        raise OperatorError(
            Reason("model-not-written", {"folder": str(folder), "reason": reason_of_os(exc)})
        ) from exc
