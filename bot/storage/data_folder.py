"""Creates, checks and locks the data folder; each failure is an error with one sentence.

A restore is made by one rename: what was unpacked and checked becomes the folder ``.restoring-TIME``. Until
then nothing has changed; from then on, whoever opens the data folder next carries the restore out, however
often it was killed. The folder itself cannot be swapped: it may be a mount point, or its parent closed to us.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bot.clock import utcnow
from bot.settings.tree import Settings
from rag.errors import OperatorError

_REMEDY = "correct THINKTWICE_DATA_DIR or --data-dir, or check its rights and the free space"

_LOCK_FILE: Final = "run.lock"

_locked: Final[set[Path]] = set()
"""The data folders that this process is `alone_in`."""

FOLDERS: Final = ("documents", "corpora")
"""Folders of the data folder that nothing can build again: added documents, and other corpora."""

BUILT_AGAIN: Final = frozenset({"chroma"})
"""Folders that belong to the databases beside them and are built again."""

OF_DATABASES: Final = (".sqlite3", ".sqlite3-wal", ".sqlite3-shm")
SET_ASIDE: Final = "before-restore"
_BEGUN: Final = ".restoring"
_READY: Final = ".restored"

_MADE: Final = "databases-made"
_NEEDED: Final = "thinktwice.sqlite3"


class AlreadyRunningError(OperatorError):
    """Another bot works with this data: stop it, or use another data folder."""


class DataFolderError(OperatorError):
    """The data folder cannot be used."""


def create_folder(folder: Path) -> Path:
    """Create the folder unless it exists; raise `DataFolderError` if that fails, and as `check_folder`."""
    check_folder(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise DataFolderError(
            f"the data folder {folder} cannot be made ({exc.strerror or exc}): {_REMEDY}"
        ) from exc
    return folder


def check_folder(folder: Path) -> None:
    """Refuse a path that is a file or leads through one, and carry out a restore that was killed.

    Raises:
        DataFolderError: the path or a part of it is a file, which the message names; or the restore fails.
        AlreadyRunningError: a restore is at work.
    """
    place = next(place for place in (folder, *folder.parents) if place.exists())
    if not place.is_dir():
        raise DataFolderError(f"the data folder {folder} cannot be used, {place} is a file: {_REMEDY}")
    if any(begun for name in (_BEGUN, _READY) for begun in folder.glob(f"{name}-*")):
        with alone_in(folder):
            pass


def check_data(settings: Settings) -> None:
    """Refuse a data folder that cannot be used, or has lost the database that nothing can build again.

    Raises:
        DataFolderError: the database that was there is missing or empty; and as `check_folder`.
        AlreadyRunningError: a restore is at work.
    """
    folder = settings.data_dir
    check_folder(folder)
    if settings.database_url.get_secret_value() or not (folder / _MADE).exists():
        return
    path = folder / _NEEDED
    if not path.exists() or not path.stat().st_size:
        raise DataFolderError(
            f"the data folder {folder} is not whole, {_NEEDED} is missing or empty: restore a backup with "
            f"`thinktwice restore --replace`, or delete the file {_MADE} there to begin without"
        )


def note_databases(folder: Path) -> None:
    """Note that the database of the folder is there; from now on it is missed (see `check_data`)."""
    if (folder / _NEEDED).exists():
        (folder / _MADE).touch(mode=0o600)


def is_data(path: Path) -> bool:
    """Whether a restore replaces this file or folder of the data folder."""
    return path.name.endswith(OF_DATABASES) or path.name in {*FOLDERS, *BUILT_AGAIN, _MADE}


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock the data folder, so that a second bot cannot take this bot's jobs for its own.

    Raises:
        AlreadyRunningError: another bot uses the folder.
        DataFolderError: a restore that was killed cannot be carried out.
    """
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / _LOCK_FILE, timeout=0):
            _finish_restore(folder)
            _locked.add(folder.resolve())
            try:
                yield
            finally:
                _locked.discard(folder.resolve())
    except Timeout as exc:
        raise AlreadyRunningError(
            f"another `thinktwice run` uses the data folder {folder}: stop it, or use another --data-dir"
        ) from exc


@contextmanager
def still_alone_in(folder: Path) -> Iterator[None]:
    """Do nothing if this process has locked the data folder, else lock it like `alone_in`."""
    if folder.resolve() in _locked:
        yield
        return
    with alone_in(folder):
        yield


def put_in_place(folder: Path, unpacked: Path) -> None:
    """Let a folder on the same disk take the place of the data; the caller is `alone_in` the data folder.

    Raises:
        DataFolderError: the data folder cannot be written.
    """
    with writing(folder):
        note_databases(unpacked)
        # The clock may show a moment again whose folder is there.
        unpacked.rename(folder / f"{_BEGUN}-{utcnow():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
    _finish_restore(folder)


def _finish_restore(folder: Path) -> None:
    """Carry out a restore that has begun, from wherever it was killed."""
    with writing(folder):
        for begun in folder.glob(f"{_BEGUN}-*"):
            aside = folder / begun.name.replace(_BEGUN, SET_ASIDE)
            for path in filter(is_data, sorted(folder.iterdir())):
                aside.mkdir(mode=0o700, exist_ok=True)
                path.rename(aside / path.name)
            # Nothing old is left, so what has the name of data from here on is new.
            begun.rename(folder / begun.name.replace(_BEGUN, _READY))
        for ready in folder.glob(f"{_READY}-*"):
            for path in sorted(ready.iterdir()):
                path.rename(folder / path.name)
            ready.rmdir()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Change the data folder, and the databases in it, in a way that a full disk interrupts without loss.

    Raises:
        DataFolderError: it cannot be written.
    """
    try:
        yield
    except (OSError, sqlite3.OperationalError) as exc:
        cause = getattr(exc, "strerror", "") or exc
        raise DataFolderError(f"{folder} cannot be written ({cause}); nothing is lost: {_REMEDY}") from exc
