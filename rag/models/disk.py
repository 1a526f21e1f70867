"""Room for large files, and what to say when there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import OperatorError
from rag.reasons import Reason, reason_of_os

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""

_SPARE_BYTES = 64 << 20
"""Room left on the disk beside a file, so that databases and logs can go on."""


def require_space(folder: Path, size: int) -> None:
    """Check that `size` more bytes fit on the disk.

    Raises:
        OperatorError: they do not; it says how many there are.
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
    """Turn errors of the disk under `folder` into one sentence.

    Raises:
        OperatorError: instead of OSError.
    """
    try:
        yield
    except OSError as exc:
        raise OperatorError(
            Reason("model-not-written", {"folder": str(folder), "reason": reason_of_os(exc)})
        ) from exc
