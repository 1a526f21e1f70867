"""The parent's side of the parser process: starts it, sends jobs, ends what takes too long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import IO, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from rag.addresses import safe_address, safe_anchor
from rag.errors import DocumentError
from rag.knowledge.documents import Document, Section
from rag.knowledge.loaders.content import Content
from rag.knowledge.loaders.worker import OUT_OF_MEMORY, Job, receive, send
from rag.knowledge.sources import Kind
from rag.reasons import Reason, from_json, reason_of_os
from rag.settings import Knowledge
from rag.values import Anchor

# The folder that holds the package `rag`, which need not be installed.
_PACKAGES = Path(__file__).resolve().parents[3]
_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZ", "SYSTEMROOT")
_DOCUMENTS = 1000  # a parser may leak; a new process costs a third of a second
_ESCAPED: Final = 6  # bytes of one character in JSON at the most, "\\u0000"
_CRASHED = Reason("parser-crashed")


class _Anchor(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    start: int
    name: str


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    heading: str
    text: str
    anchors: list[_Anchor] = []


class _Reason(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    code: str
    values: dict[str, str | int | float | _Reason]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    key: str
    title: str
    sections: list[_Section]
    url: str = ""


class _Reply(BaseModel):
    """What the child may say; it has met untrusted documents and is not trusted either."""

    model_config = ConfigDict(extra="forbid", strict=True)
    error: _Reason | None = None
    title: str = ""
    sections: list[_Section] = []
    url: str = ""
    rows: list[_Row] = []
    notes: list[_Reason] = []


def _reasons(reply: _Reply) -> tuple[Reason, ...]:
    return tuple(from_json(note.model_dump()) for note in reply.notes)


class ParserProcess:
    """Parses documents in a child process that is started when needed and replaced when it fails.

    The child starts afresh (no fork), with an environment that holds no key, address or setting.
    """

    def __init__(self, settings: Knowledge) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def load(self, kind: Kind, path: Path, loader: str = "") -> Content:
        """Parse one file.

        Args:
            kind: Which parser.
            path: The file.
            loader: ``"module:Class"`` for the kind ``langchain``.

        Raises:
            DocumentError: It cannot be read, or not within the limits.
        """
        reply = self._answer(kind, path, self._settings.max_text_chars, loader=loader)
        return Content(reply.title, self._sections(reply.sections), _reasons(reply), safe_address(reply.url))

    def load_rows(self, path: Path, prefix: str) -> tuple[tuple[Document, ...], tuple[Reason, ...]]:
        """Parse a file of JSON Lines.

        Args:
            path: The file.
            prefix: Put before the id of each row to make a document key.

        Returns:
            The documents, and for each row left out what is wrong with it.

        Raises:
            DocumentError: It cannot be read, or not within the limits.
        """
        reply = self._answer("jsonl", path, self._settings.max_file_bytes, row_prefix=prefix)
        if not all(row.key.startswith(prefix) for row in reply.rows):
            raise DocumentError(_CRASHED)
        documents = tuple(
            Document(row.key, row.title, self._sections(row.sections), safe_address(row.url))
            for row in reply.rows
        )
        return documents, _reasons(reply)

    def _sections(self, parsed: list[_Section]) -> tuple[Section, ...]:
        sections = tuple(
            Section(
                section.heading,
                section.text,
                tuple(
                    Anchor(anchor.start, name)
                    for anchor in section.anchors
                    if (name := safe_anchor(anchor.name)) or not anchor.name
                ),
            )
            for section in parsed
        )
        if sum(len(section.text) for section in sections) > 2 * self._settings.max_text_chars:
            raise DocumentError(_CRASHED)
        return sections

    def _answer(
        self, kind: Kind, path: Path, most_characters: int, *, loader: str = "", row_prefix: str = ""
    ) -> _Reply:
        settings = self._settings
        job = Job(
            kind,
            str(path.absolute()),
            loader,
            row_prefix,
            settings.max_file_bytes,
            settings.max_text_chars,
            settings.loader_seconds,
            settings.loader_memory_mb,
        )
        reply = self._ask(json.dumps(asdict(job)).encode(), most_characters)
        if reply.error:
            raise DocumentError(from_json(reply.error.model_dump()))
        return reply

    def close(self) -> None:
        """End the child."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            _close(stream)
        process.wait()

    def _ask(self, message: bytes, most_characters: int) -> _Reply:
        if self._served >= _DOCUMENTS or (self._process and self._process.poll() is not None):
            self.close()
        process = self._process or self._start()
        assert process.stdin
        assert process.stdout
        too_slow = threading.Event()

        def end() -> None:
            too_slow.set()
            process.kill()

        clock = threading.Timer(self._settings.loader_seconds, end)
        clock.start()
        try:
            send(process.stdin, message)
            reply = receive(process.stdout, limit=_ESCAPED * 2 * most_characters + 1_000_000)
            self._served += 1
            if reply is not None:
                return _Reply.model_validate_json(reply)
        except (BrokenPipeError, ValidationError):
            reply = None
        except BaseException:  # an interrupt: the reply to this job must not be taken for the next one's
            self.close()
            raise
        finally:
            clock.cancel()
            clock.join()
            if too_slow.is_set():
                process.wait()
        raise DocumentError(self._reason(process, timed_out=too_slow.is_set()))

    def _reason(self, process: subprocess.Popen[bytes], *, timed_out: bool) -> Reason:
        """End a child that failed, and say why it did."""
        self.close()
        if timed_out or process.returncode == -signal.SIGXCPU:
            return Reason("too-slow", {"limit": self._settings.loader_seconds})
        if process.returncode == OUT_OF_MEMORY:
            return Reason("too-much-memory", {"limit": self._settings.loader_memory_mb})
        return _CRASHED

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        environment |= {
            "PYTHONPATH": str(_PACKAGES),
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "rag.knowledge.loaders.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the parent, which ends the child itself
            )
        except OSError as error:
            raise DocumentError(Reason("parser-not-started", {"reason": reason_of_os(error)})) from error
        self._served = 0
        return self._process


def _close(stream: IO[bytes] | None) -> None:
    try:
        if stream:
            stream.close()
    except BrokenPipeError:
        pass  # the child is gone, with what it had not read
