"""Answers that administrators gave: documents that belong to one question, and alone answer it.

They lie in a folder of their own among the added documents, those for a document set in a folder with the
set's name. Which question each belongs to stands in a hidden file beside them. A document that was replaced
is kept, hidden, until it is brought back or its successor goes. A change can be begun again after a kill: the
record is written after the files that it names, and before files that nobody names any more are deleted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import regex

from bot.documents.uploads import write_whole, writing
from bot.service.given_answers import FOLDER, MANIFEST, folder_of
from rag.language.same_question import is_same_question
from rag.language.visible import one_line

_BEFORE: Final = ".before"
_NAME_BYTES: Final = 80
_HASH: Final = 8
_NOT_NAME = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that an administrator gave.

    Args:
        number: Tells it from every other; of two the later has the larger one.
        day: When it was given, ISO 8601.
        replaced: File of the answer that it took the place of, if there is one.
        replaced_as: The record of that answer.
    """

    question: str
    number: int
    day: str
    replaced: str = ""
    replaced_as: Mapping[str, str | int] | None = None


class Corrections:
    """The given answers; every method blocks. Changes raise `UploadsError` when the folder cannot be written.

    `changing` is entered around every change, and shares it with other machines.
    """

    def __init__(
        self, uploads: Path, changing: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self._uploads = uploads
        self._changing = changing
        self._folder = uploads / FOLDER
        self._known: tuple[int, dict[str, Given]] = (-1, {})

    def questions(self) -> dict[str, str]:
        """Return the question of each answer by the key of its file, the oldest first."""
        return {file: given.question for file, given in self.all().items()}

    def all(self) -> dict[str, Given]:
        """Return the given answers whose files are there, by the keys of their files, the oldest first."""
        try:
            changed = (self._folder / MANIFEST).stat().st_mtime_ns
        except OSError:
            return {}
        if self._known[0] != changed:
            self._known = (changed, self._read())
        return {file: given for file, given in self._known[1].items() if (self._uploads / file).is_file()}

    def put_text(
        self, question: str, answer: str, title: str, number: int, day: str, set_name: str = ""
    ) -> str:
        """Keep a text as the answer to a question; return the key of its file.

        Again with the same number, it changes nothing.

        Args:
            answer: The text, Markdown or plain.
            title: What readers see as the name of such documents.
            set_name: The document set of the chat; empty: for all.
        """
        content = f"---\ntitle: {one_line(title)}\n---\n\n# {one_line(question)}\n\n{answer.strip()}\n"
        return self._put(question, content.encode("utf-8", "replace"), ".md", number, day, set_name)

    def put_file(
        self, question: str, content: bytes, ending: str, number: int, day: str, set_name: str = ""
    ) -> str:
        """Keep a file as the answer to a question; see `put_text`. Its `ending` is like ``.pdf``."""
        return self._put(question, content, ending, number, day, set_name)

    def remove(self, file: str) -> None:
        """Delete an answer; one that is gone already is deleted."""
        with self._changing():
            known = self.all()
            gone = known.pop(file, None)
            self._write(known)
            self._unlink(self._uploads / file)
            if gone is not None:
                self._forget(gone)

    def undo(self, number: int) -> str | None:
        """Take an answer back, and bring back the one that it took the place of.

        Returns its question; None when it is not there any more.
        """
        with self._changing():
            return self._undo(number)

    def _undo(self, number: int) -> str | None:
        known = self.all()
        file = next((key for key, given in known.items() if given.number == number), None)
        if file is None:
            return None
        given = known.pop(file)
        if given.replaced and given.replaced_as is not None:
            before = Given(**given.replaced_as)  # type: ignore[arg-type]  # as it was written
            self._copy(self._aside(given.replaced, before.number), self._uploads / given.replaced)
            known[given.replaced] = before
        self._write(known)
        if file != given.replaced:
            self._unlink(self._uploads / file)
        self._forget(given)
        return given.question

    def _put(self, question: str, content: bytes, ending: str, number: int, day: str, set_name: str) -> str:
        with self._changing():
            return self._replace(question, content, ending, number, day, set_name)

    def _replace(
        self, question: str, content: bytes, ending: str, number: int, day: str, set_name: str
    ) -> str:
        known = self.all()
        folder = folder_of(set_name)
        before = next(
            (
                file
                for file, given in known.items()
                if file.rpartition("/")[0] == folder and is_same_question(given.question, question)
            ),
            None,
        )
        file = f"{folder}/{_name(question, ending)}"
        if before is None:
            write_whole(self._uploads / file, content)
            known[file] = Given(one_line(question), number, day)
            self._write(known)
            return file
        former = known.pop(before)
        if former.number == number:
            return before
        aside = self._aside(before, former.number)
        # There already: this was begun before, and the file may be the new one.
        if not aside.is_file():
            self._copy(self._uploads / before, aside)
        write_whole(self._uploads / file, content)
        replaced_as: dict[str, str | int] = {
            "question": former.question,
            "number": former.number,
            "day": former.day,
        }
        known[file] = Given(one_line(question), number, day, before, replaced_as)
        self._write(known)
        if before != file:
            self._unlink(self._uploads / before)
        self._forget(former)
        return file

    def _forget(self, given: Given) -> None:
        """Delete the answer that one which is gone took the place of."""
        if given.replaced and given.replaced_as is not None:
            self._unlink(self._aside(given.replaced, int(given.replaced_as["number"])))

    def _aside(self, file: str, number: int) -> Path:
        mark = hashlib.sha256(file.encode("utf-8", "replace")).hexdigest()[:16]
        return self._folder / _BEFORE / f"{mark}-{number}{Path(file).suffix}"

    def _read(self) -> dict[str, Given]:
        try:
            record = json.loads((self._folder / MANIFEST).read_text("utf-8"))
            found = {str(file): Given(**given) for file, given in record.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}
        in_order = sorted(found.items(), key=lambda pair: pair[1].number)
        # Nobody but this program writes the record; but a path out of the folder must do no harm.
        return {file: given for file, given in in_order if file.startswith(f"{FOLDER}/") and ".." not in file}

    def _write(self, known: Mapping[str, Given]) -> None:
        record = {file: asdict(given) for file, given in known.items()}
        content = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
        write_whole(self._folder / MANIFEST, content)
        self._known = (-1, {})

    def _copy(self, source: Path, target: Path) -> None:
        with writing(self._folder), suppress(FileNotFoundError):
            write_whole(target, source.read_bytes())

    def _unlink(self, path: Path) -> None:
        with writing(self._folder):
            path.unlink(missing_ok=True)


def _name(question: str, ending: str) -> str:
    """A file name that tells the question, and is the question's own."""
    words = _NOT_NAME.sub(" ", question).strip().encode()[:_NAME_BYTES].decode("utf-8", "ignore").strip()
    mark = hashlib.sha256(question.strip().casefold().encode("utf-8", "replace")).hexdigest()[:_HASH]
    return f"{words or 'question'}-{mark}{ending}"
