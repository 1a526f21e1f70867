"""Room for large files, and what to say when there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import OperatorError

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
            f"the model needs {_gigabytes(needed)} of disk space under {folder}, and {_gigabytes(free)} are "
            "free: free some, or choose another --data-dir"
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
            f"the model cannot be written to {folder} ({exc.strerror or exc}): free some space, correct the "
            "rights, or choose another --data-dir"
        ) from exc


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.2f} GB"
