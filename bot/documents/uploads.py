"""Documents that people added in a channel: files in one flat folder, under names that are safe there."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path, PurePosixPath

from bot.service import given_answers
from rag.errors import OperatorError
from rag.language.visible import one_line
from rag.reasons import Reason, reason_of_os

LONGEST_NAME = 160
"""Bytes of a file name: file systems take 255, and a name grows when it is written in another form."""

_FORBIDDEN = dict.fromkeys(map(ord, '<>:"|?*'), "_")
_PARTIAL = ".partial-"
"""How the names of files begin that are being written; hidden files are no documents."""

MANIFEST = ".pages.json"
"""File in which the pages of the web among the documents are listed."""


class UploadsError(OperatorError):
    """The folder of added documents cannot be written."""


def safe_name(name: str, endings: Collection[str]) -> str:
    """Return the name under which a file is kept, or an empty one when it has no ending of these.

    Args:
        name: As it was sent: anything at all, paths included.
        endings: Endings that are read, such as ``.md``, in lower case.
    """
    last = PurePosixPath(one_line(unicodedata.normalize("NFC", name)).replace("\\", "/")).name
    # Names that begin with a dot or with "~$" are hidden ones, which nobody indexes.
    plain = last.translate(_FORBIDDEN).lstrip(".~$ ").rstrip(". ")
    stem, dot, ending = plain.rpartition(".")
    if f".{ending.lower()}" not in endings or not dot:
        return ""
    longest = LONGEST_NAME - len(f".{ending}".encode())
    short = stem.encode()[:longest].decode("utf-8", "ignore").rstrip(". ")
    return f"{short or 'document'}.{ending}"


def is_kept(name: str) -> bool:
    """Whether a file is a document, is put aside to become one, or lists the pages or the given answers.

    `name` is its path in the folder, with ``/``.
    """
    folder, _, last = name.rpartition("/")
    if folder:
        # Given answers, and those that they took the place of.
        is_given = folder.partition("/")[0] == given_answers.FOLDER
        return is_given and (last == given_answers.MANIFEST or not last.startswith("."))
    if name == MANIFEST or not name.startswith("."):
        return True
    return name.removeprefix(_PARTIAL).partition("-")[0].isdecimal()


class Uploads:
    """The folder; every method blocks. Changes raise `UploadsError` when they fail.

    `changing` is entered around every change, and shares it with other machines.
    """

    def __init__(
        self, folder: Path, changing: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self.folder = folder
        self._changing = changing

    def names(self) -> tuple[str, ...]:
        """Return the names of the files, sorted."""
        try:
            with os.scandir(self.folder) as entries:
                return tuple(
                    sorted(
                        entry.name
                        for entry in entries
                        if entry.is_file(follow_symlinks=False) and not entry.name.startswith(".")
                    )
                )
        except FileNotFoundError:
            return ()

    def find(self, name: str) -> str | None:
        """Return the file with this name; capitals and the form of accents do not count."""
        wanted = _folded(name)
        found = [known for known in self.names() if _folded(known) == wanted]
        return name if name in found else next(iter(found), None)

    def aside(self, name: str, number: int) -> Path:
        """Return where a file is put aside; `number` keeps two of the same name apart."""
        return self.folder / f"{_PARTIAL}{number}-{name}"

    def put_aside(self, partial: Path, content: bytes) -> None:
        """Write a file beside the documents, where nobody reads it yet."""
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._changing():
                _write(partial, content)

    def keep(self, partial: Path, name: str) -> None:
        """Make a file that was put aside the document `name`, in one move; again, it changes nothing."""
        with writing(self.folder), self._changing(), suppress(FileNotFoundError):
            partial.replace(self.folder / name)

    def put_aside_before(self, moment: float) -> dict[Path, int]:
        """Return the files that were put aside before a moment (seconds of the epoch), with their numbers.

        Pages of the web have no number: 0, which no work has.
        """
        found = {}
        for path in self.folder.glob(f"{_PARTIAL}*"):
            number = path.name.removeprefix(_PARTIAL).partition("-")[0]
            with suppress(OSError):
                if path.stat().st_mtime < moment:
                    found[path] = int(number) if number.isdecimal() else 0
        return found

    def delete(self, name: str) -> None:
        """Delete a document; one that is gone already is deleted."""
        with writing(self.folder), self._changing():
            (self.folder / PurePosixPath(name).name).unlink(missing_ok=True)


def write_whole(file: Path, content: bytes) -> None:
    """Put a file into a folder, whole or not at all; raise `UploadsError` where it cannot be written."""
    aside = file.parent / f"{_PARTIAL}page-{file.name.lstrip('.')}"
    with writing(file.parent):
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(aside, content)
        aside.replace(file)


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Change a folder; raise `UploadsError` where it cannot be changed."""
    try:
        yield
    except OSError as exc:
        reason = Reason("folder-not-written", {"folder": str(folder), "reason": reason_of_os(exc)})
        raise UploadsError(reason) from exc
