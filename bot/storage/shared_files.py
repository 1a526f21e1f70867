"""Files of one folder that several machines share: in the database, and in the same folder of each machine.

A hidden record in the folder says which version of each file this machine has. So a file that others changed
is told from one that was changed here, and one that others removed from one that was never shared.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from bot.storage.database import translated
from bot.storage.shared_knowledge import IDLE_ENDS, SharedKnowledge
from rag.errors import OperatorError
from rag.reasons import Reason, reason_of_os

_RECORD: Final = ".shared.json"
_ASIDE: Final = ".shared-new"
_REPLACED: Final = ".replaced-"
_LOCK: Final = 7_218_350_221_908

_NAME: Final = sa.text("SELECT name FROM version WHERE number = 1")
_LIST: Final = sa.text("SELECT name, number FROM uploads")
_FETCH: Final = sa.text("SELECT content FROM uploads WHERE name = :name")
_DELETE: Final = sa.text("DELETE FROM uploads WHERE name = :name")
_KEEP: Final = sa.text(
    "INSERT INTO uploads (name, content) VALUES (:name, :content) ON CONFLICT (name) DO UPDATE"
    " SET content = excluded.content, number = DEFAULT RETURNING number"
)


@dataclass(frozen=True, slots=True)
class _Known:
    """The version of a file that this machine has; its number in the database grows with every version."""

    number: int
    size: int
    mtime_ns: int


class SharedFiles:
    """The folder of one machine; every method blocks.

    Methods raise `StorageError` when the database cannot be used, and `OperatorError` when the folder cannot
    be written.

    Args:
        folder: The folder, which may be missing.
        is_shared: Whether a file belongs to all machines, by its path in the folder, with ``/``.
    """

    def __init__(self, shared: SharedKnowledge, folder: Path, is_shared: Callable[[str], bool]) -> None:
        self._shared = shared
        self._folder = folder
        self._is_shared = is_shared

    def refresh(self) -> None:
        """Get what others changed, and share what was never shared."""
        with self.changing():
            pass

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Bring the folder up to date, let the caller change its files, and share the changes.

        One machine changes files at a time.
        """
        with translated(self._shared.place), self._shared.connect() as connection:
            connection.exec_driver_sql(IDLE_ENDS)
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            database = connection.execute(_NAME).scalar_one()
            known = self._settle(connection, self._read_record(database), has_deleted=False)
            yield
            known = self._settle(connection, known, has_deleted=True)
            connection.commit()
            self._write_record(database, known)

    def _settle(
        self, connection: sa.Connection, known: dict[str, _Known], *, has_deleted: bool
    ) -> dict[str, _Known]:
        """Make folder and database equal; return what both hold then.

        With `has_deleted`, a known file that is missing here was deleted on purpose.
        """
        shared = {row.name: row.number for row in connection.execute(_LIST)}
        here = self._list()
        settled: dict[str, _Known] = {}
        for name in sorted({*shared, *here}):
            before = known.get(name)
            is_same_here = before is not None and here.get(name) == (before.size, before.mtime_ns)
            if before is not None and is_same_here and shared.get(name) == before.number:
                settled[name] = before
            elif name not in shared and is_same_here:
                (self._folder / name).unlink(missing_ok=True)  # deleted by others
            elif name in here and (name not in shared or shared[name] == (before and before.number)):
                settled[name] = self._share(connection, name)
            elif name not in here and has_deleted:
                connection.execute(_DELETE, {"name": name})
            else:
                settled[name] = self._fetch(connection, name, shared[name], is_foreign=before is None)
        return settled

    def _share(self, connection: sa.Connection, name: str) -> _Known:
        with _translated_folder(self._folder):
            path = self._folder / name
            status, content = path.stat(), path.read_bytes()
        number = connection.execute(_KEEP, {"name": name, "content": content}).scalar_one()
        return _Known(number, status.st_size, status.st_mtime_ns)

    def _fetch(self, connection: sa.Connection, name: str, number: int, *, is_foreign: bool) -> _Known:
        content = connection.execute(_FETCH, {"name": name}).scalar_one()
        with _translated_folder(self._folder):
            path, aside = self._folder / name, self._folder / _ASIDE
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(content)
            if is_foreign:
                # A file of the same name that was here before this machine knew of the others is not lost.
                with suppress(FileNotFoundError):
                    path.rename(path.with_name(f"{_REPLACED}{path.name}"))
            aside.replace(path)
            status = path.stat()
        return _Known(number, status.st_size, status.st_mtime_ns)

    def _list(self) -> dict[str, tuple[int, int]]:
        """Size and time of the files that are here, by their paths in the folder."""
        found = {}
        with _translated_folder(self._folder):
            for folder, _, files in os.walk(self._folder):
                for file in files:
                    path = Path(folder, file)
                    name = path.relative_to(self._folder).as_posix()
                    if self._is_shared(name) and not path.is_symlink():
                        with suppress(FileNotFoundError):
                            status = path.stat()
                            found[name] = (status.st_size, status.st_mtime_ns)
        return found

    def _read_record(self, database: str) -> dict[str, _Known]:
        """The versions that this machine has of the files of a database.

        Without a record of this very database, nothing here counts as deleted by others.
        """
        try:
            record = json.loads((self._folder / _RECORD).read_text("utf-8"))
            files = record["files"] if record["database"] == database else {}
            return {str(name): _Known(*known) for name, known in files.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}

    def _write_record(self, database: str, known: dict[str, _Known]) -> None:
        files = {name: [one.number, one.size, one.mtime_ns] for name, one in known.items()}
        record = {"database": database, "files": files}
        if not self._folder.exists():
            return
        with _translated_folder(self._folder):
            aside = self._folder / _ASIDE
            aside.write_text(json.dumps(record), "utf-8")
            aside.replace(self._folder / _RECORD)


@contextmanager
def _translated_folder(folder: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as exc:
        raise OperatorError(
            Reason("folder-not-written", {"folder": str(folder), "reason": reason_of_os(exc)})
        ) from exc
