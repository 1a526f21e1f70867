"""Back a data folder up while the bot works on it, and restore one.

A backup is a compressed tar archive. It begins with ``backup.json``, which lists its files and their SHA-256.
Then come the databases, all as they were at one moment, and the documents that were added. It holds neither
what can be built or fetched again (the search index, the embedded model) nor logs, and no key or token.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from pydantic import BaseModel, ValidationError

from bot.clock import utcnow
from bot.storage import data_folder
from rag.errors import InputError, OperatorError

_FORMAT: Final = 1
_MANIFEST: Final = "backup.json"
_MOST_MANIFEST_BYTES: Final = 50_000_000
_LOCK_SECONDS: Final = 30.0
_UNPACKED: Final = ".unpacked-"


class BackupError(InputError):
    """The archive cannot be used as a backup."""


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of an archive; `sizes` has the bytes of each file, by its path below the data folder."""

    made_at: datetime
    version: str
    sizes: Mapping[str, int]


class _File(BaseModel):
    """A file of a backup: its path below the data folder, its length and its SHA-256."""

    path: str
    bytes: int
    sha256: str


class _Manifest(BaseModel):
    format: int
    made_at: datetime
    version: str
    files: tuple[_File, ...]

    def describe(self) -> Backup:
        return Backup(self.made_at, self.version, {file.path: file.bytes for file in self.files})


def back_up(folder: Path, archive: Path) -> Backup:
    """Write a backup of a data folder; a bot may work on it meanwhile.

    Args:
        archive: The file to write. It appears when it is complete, and only its owner may read it.

    Raises:
        BackupError: There is nothing to back up.
        OperatorError: A database or a file cannot be read, or the archive cannot be written.
    """
    data_folder.check_folder(folder)
    databases = [path for path in sorted(folder.rglob("*.sqlite3")) if _is_kept(path.relative_to(folder))]
    if not databases:
        raise BackupError(f"there is nothing to back up: {folder} holds no database")
    try:
        for left in archive.parent.glob(".backup-*"):  # by a backup that was killed: others are younger
            if left.exists() and left.stat().st_mtime < utcnow().timestamp() - 86_400:
                shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=archive.parent, prefix=".backup-") as place:
            copies = _copy_databases(folder, databases, Path(place))
            written = Path(place) / archive.name
            backup = _write(written, {**copies, **dict(_find_documents(folder))})
            written.replace(archive)
    except sqlite3.Error as exc:
        raise OperatorError(f"a database in {folder} cannot be copied ({exc}): check the disk") from exc
    except OSError as exc:
        raise OperatorError(
            f"the backup {archive} cannot be written ({exc.strerror or exc}): check the path and the disk"
        ) from exc
    return backup


def restore(archive: Path, folder: Path, *, replaces: bool = False) -> Backup:
    """Restore a data folder from a backup. Nothing is changed before the whole archive has been checked.

    Links, sessions and tokens of the console are not restored: some may have been revoked since.

    Args:
        folder: The data folder; it is made if it is missing.
        replaces: Whether a folder that holds data may be restored. Its data is moved to a folder
            ``before-restore-…`` inside it, so nothing is lost.

    Raises:
        BackupError: The archive is no backup, is damaged, or was made by a newer version.
        AlreadyRunningError: A bot works in the folder.
        OperatorError: The folder holds data and must not be replaced, or cannot be written.
    """
    data_folder.create_folder(folder)
    with data_folder.writing(folder), data_folder.alone_in(folder):
        for left in folder.glob(f"{_UNPACKED}*"):
            shutil.rmtree(left, ignore_errors=True)  # by a restore that was killed
        with tempfile.TemporaryDirectory(dir=folder, prefix=_UNPACKED) as place:
            unpacked = Path(place) / "data"
            backup = _unpack(archive, unpacked)
            if not replaces and any(map(data_folder.is_data, folder.iterdir())):
                raise OperatorError(
                    f"{folder} holds data already: name another folder with --data-dir, or add --replace, "
                    f"which moves that data to a folder {data_folder.SET_ASIDE}-… inside it"
                )
            data_folder.put_in_place(folder, unpacked)
    return backup


def _is_kept(path: Path) -> bool:
    return len(path.parts) == 1 or path.parts[0] in data_folder.FOLDERS


def _copy_databases(folder: Path, databases: Sequence[Path], place: Path) -> dict[str, Path]:
    """Copy SQLite files as they all are at one moment; writers wait for that moment only."""
    copies: dict[str, Path] = {}
    with ExitStack() as readers:
        sources = [readers.enter_context(_connect(path)) for path in databases]
        with ExitStack() as writers:
            for path in databases:
                writers.enter_context(_connect(path)).execute("BEGIN IMMEDIATE")
            for source in sources:
                source.execute("BEGIN")
                # The first read fixes what the transaction sees.
                source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        for number, (path, source) in enumerate(zip(databases, sources, strict=True)):
            copy = copies[path.relative_to(folder).as_posix()] = place / str(number)
            with closing(sqlite3.connect(copy)) as target:
                source.backup(target)
    return copies


@contextmanager
def _connect(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None)) as connection:
        yield connection


def _find_documents(folder: Path) -> Iterator[tuple[str, Path]]:
    """Find the files of the kept folders that are no part of a database, and that nothing can build again."""
    for top in data_folder.FOLDERS:
        for path in sorted((folder / top).rglob("*")):
            below = path.relative_to(folder)
            is_other = not data_folder.BUILT_AGAIN.isdisjoint(below.parts) or path.name.endswith(
                (*data_folder.OF_DATABASES, ".lock")
            )
            if path.is_file() and not path.is_symlink() and not is_other:
                yield below.as_posix(), path


def _write(file: Path, files: Mapping[str, Path]) -> Backup:
    listed = [
        _File(path=name, bytes=path.stat().st_size, sha256=_hash_file(path)) for name, path in files.items()
    ]
    version = importlib.metadata.version("thinktwice")
    manifest = _Manifest(format=_FORMAT, made_at=utcnow(), version=version, files=tuple(listed))
    content = manifest.model_dump_json(indent=1).encode()
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            entry = tarfile.TarInfo(_MANIFEST)
            entry.size, entry.mode = len(content), 0o600
            archive.addfile(entry, io.BytesIO(content))
            for name, path in files.items():
                archive.add(path, name, recursive=False)
        out.flush()
        os.fsync(out.fileno())
    return manifest.describe()


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack(file: Path, place: Path) -> Backup:
    try:
        with tarfile.open(file, "r:gz") as archive:
            manifest = _read_manifest(archive, file)
            left = {listed.path: listed for listed in manifest.files}
            while (entry := archive.next()) is not None:
                listed = left.pop(entry.name, None)
                if listed is None or not entry.isfile() or entry.size != listed.bytes:
                    raise BackupError(f"{file} is damaged: its list does not match {entry.name!r}")
                _unpack_file(archive, entry, place / entry.name)
                if _hash_file(place / entry.name) != listed.sha256:
                    raise BackupError(f"{file} is damaged: {entry.name} is not what was backed up")
    except FileNotFoundError as exc:
        raise BackupError(f"there is no file {file}") from exc
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as exc:
        raise BackupError(f"{file} is no backup of Think Twice, or it is cut off or damaged ({exc})") from exc
    except OSError as exc:
        cause = f"{exc.strerror or exc}); nothing has changed: check the file and the disk"
        raise OperatorError(f"the backup {file} cannot be unpacked ({cause}") from exc
    if left:
        raise BackupError(f"{file} is cut off: {min(left)} is missing")
    backup = manifest.describe()
    for name in backup.sizes:
        if name.endswith(".sqlite3"):
            _check_database(place / name, file)
            _drop_logins(place / name)
    return backup


def _unpack_file(archive: tarfile.TarFile, entry: tarfile.TarInfo, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    source = archive.extractfile(entry)
    assert source is not None  # it is a file
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        shutil.copyfileobj(source, out)
        out.flush()
        os.fsync(out.fileno())


def _read_manifest(archive: tarfile.TarFile, file: Path) -> _Manifest:
    entry = archive.next()
    if entry is None or entry.name != _MANIFEST or not entry.isfile() or entry.size > _MOST_MANIFEST_BYTES:
        raise BackupError(f"{file} is no backup of Think Twice")
    source = archive.extractfile(entry)
    assert source is not None  # it is a file
    try:
        manifest = _Manifest.model_validate_json(source.read())
    except ValidationError as exc:
        raise BackupError(f"{file} is no backup of Think Twice: its list cannot be read") from exc
    if manifest.format > _FORMAT:
        raise BackupError(f"{file} was made by a newer version of Think Twice; install that version")
    for listed in manifest.files:
        if not _is_safe(listed.path):
            raise BackupError(f"{file} is no backup of Think Twice: it names the path {listed.path!r}")
    return manifest


def _is_safe(name: str) -> bool:
    path = PurePosixPath(name)
    if path.is_absolute() or path.as_posix() != name or ".." in path.parts or "\0" in name:
        return False
    is_database = len(path.parts) == 1 and name.endswith(".sqlite3")
    return is_database or (len(path.parts) > 1 and path.parts[0] in data_folder.FOLDERS)


def _check_database(path: Path, archive: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError:
        raise  # the fault of the disk
    except sqlite3.Error as exc:
        found = str(exc)
    if found != "ok":
        raise BackupError(f"{archive} is damaged: the database {path.name} in it cannot be used ({found})")


def _drop_logins(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'logins'").fetchone():
            connection.execute("DELETE FROM logins")
