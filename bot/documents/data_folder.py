"""Creates, checks and locks the data folder; each failure is an error with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rag.errors import OperatorError

_REMEDY = "correct THINKTWICE_DATA_DIR or --data-dir, or check its rights and the free space"


_LOCK_FILE: Final = "run.lock"


class AlreadyRunningError(OperatorError):
    """Another bot works with this data: stop it, or use another data folder."""


class DataFolderError(OperatorError):
    """The data folder cannot be used."""


def create_folder(folder: Path) -> Path:
    """Create the folder unless it exists, and return it.

    Raises:
        DataFolderError: the folder cannot be created; the message says why.
    """
    refuse_file(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise DataFolderError(
            f"the data folder {folder} cannot be made ({exc.strerror or exc}): {_REMEDY}"
        ) from exc
    return folder


def refuse_file(folder: Path) -> None:
    """Refuse a path that is a file or leads through a file; a path that does not exist is accepted.

    Raises:
        DataFolderError: the path or a part of it is a file, which the message names.
    """
    for place in (folder, *folder.parents):
        if place.exists():
            if not place.is_dir():
                raise DataFolderError(
                    f"the data folder {folder} cannot be used, {place} is a file: {_REMEDY}"
                )
            return


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock the data folder, so that a second bot cannot take this bot's jobs for its own.

    Raises:
        AlreadyRunningError: another bot uses the folder.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / _LOCK_FILE, timeout=0):
            yield
    except Timeout as exc:
        raise AlreadyRunningError(
            f"another `thinktwice run` uses the data folder {folder}: stop it, or use another --data-dir"
        ) from exc
