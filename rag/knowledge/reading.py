"""Reads the files of a corpus in a child process with limits: any format can be made to do harm."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from rag.addresses import address_in, safe_address, safe_anchor
from rag.errors import DocumentError
from rag.knowledge.documents import Document, Section
from rag.knowledge.loaders.content import Content
from rag.knowledge.loaders.worker import OUT_OF_MEMORY, Job
from rag.knowledge.sources import Source
from rag.language.visible import one_line
from rag.reasons import Reason, reason_of_os
from rag.settings import Knowledge

# The folder that holds the package `rag`, which need not be installed.
_PACKAGES = Path(__file__).resolve().parents[2]
_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZ", "SYSTEMROOT")
_DOCUMENTS = 1000  # a parser may leak; a new process costs a third of a second
_ESCAPED: Final = 6  # bytes of one character in JSON at the most, "\\u0000"
_CRASHED = Reason("parser-crashed")


class _Reply(BaseModel):
    """What the child may say; it has met untrusted documents and is not trusted either."""

    model_config = ConfigDict(extra="forbid", strict=True)
    error: Reason | None = None
    content: Content | None = None


class DocumentReader:
    """Reads documents one after the other; not thread-safe.

    The child process is started for the first file, serves until the reader is closed, and is replaced when a
    document breaks it. It starts afresh (no fork), with an environment that holds no key, address or setting.
    """

    def __init__(self, settings: Knowledge) -> None:
        self._settings = settings
        self._loaders = {ending.lower(): name for ending, name in settings.langchain_loaders.items()}
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def read(self, source: Source) -> Content:
        """Read one file; whatever its kind is, the content holds its documents.

        Raises:
            DocumentError: Nothing of it can be read; the message says why and what to do.
        """
        if source.size == 0:
            raise DocumentError(Reason("file-empty"))
        if source.size > self._settings.max_file_bytes:
            raise DocumentError(
                Reason("file-too-large", {"bytes": source.size, "limit": self._settings.max_file_bytes})
            )
        content = self.load(source)
        address = address_in(source.path, self._settings.addresses)
        if source.kind == "jsonl":
            rows = (replace(row, url=row.url or address) for row in content.documents)
            return replace(content, documents=tuple(rows))
        if not content.sections:
            raise DocumentError(Reason("no-text"))
        title = content.title or _title_of(source.key)
        document = Document(source.key, title, content.sections, content.url or address)
        return replace(content, documents=(document,))

    def load(self, source: Source) -> Content:
        """Parse one file, which may be empty or hold nothing; `DocumentError` also if it exceeds a limit."""
        settings = self._settings
        job = Job(
            source.kind,
            str(source.path.absolute()),
            self._loaders.get(source.path.suffix.lower(), ""),
            source.row_prefix,
            settings.max_file_bytes,
            settings.max_text_chars,
            settings.loader_seconds,
            settings.loader_memory_mb,
            settings.ocr_languages,
        )
        most = settings.max_file_bytes if source.kind == "jsonl" else settings.max_text_chars
        reply = self._ask(json.dumps(asdict(job)).encode(), most)
        if reply.error or not reply.content:
            raise DocumentError(reply.error or _CRASHED)
        content = reply.content
        if not all(row.key.startswith(source.row_prefix) for row in content.documents):
            raise DocumentError(_CRASHED)
        rows = tuple(
            replace(row, sections=self._checked(row.sections), url=safe_address(row.url))
            for row in content.documents
        )
        return replace(
            content, sections=self._checked(content.sections), url=safe_address(content.url), documents=rows
        )

    def _checked(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        if sum(len(section.text) for section in sections) > 2 * self._settings.max_text_chars:
            raise DocumentError(_CRASHED)
        return tuple(
            replace(
                section,
                lead=0,
                lead_heading="",
                anchors=tuple(
                    replace(anchor, name=safe_anchor(anchor.name))
                    for anchor in section.anchors
                    if safe_anchor(anchor.name) or not anchor.name
                ),
            )
            for section in sections
        )

    def close(self) -> None:
        """End the child."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        for stream in filter(None, (process.stdin, process.stdout)):
            with contextlib.suppress(BrokenPipeError):  # the child is gone, with what it had not read
                stream.close()
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
            _kill(process)

        clock = threading.Timer(self._settings.loader_seconds, end)
        clock.start()
        try:
            process.stdin.write(message + b"\n")
            process.stdin.flush()
            reply = process.stdout.readline(_ESCAPED * 2 * most_characters + 1_000_000)
            self._served += 1
            return _Reply.model_validate_json(reply)
        except (BrokenPipeError, ValidationError):
            pass
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
        kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        own = {"PYTHONPATH": str(_PACKAGES), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "rag.knowledge.loaders.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=kept | own,
                start_new_session=True,  # Ctrl-C is for the parent, which ends the child itself
            )
        except OSError as error:
            raise DocumentError(Reason("parser-not-started", {"reason": reason_of_os(error)})) from error
        self._served = 0
        return self._process


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a child with the programs that it started; they are a group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def _title_of(key: str) -> str:
    """A title made from a file name: ``"team/vacation_policy.md"`` is "vacation policy"."""
    stem = PurePosixPath(key).stem
    return one_line(stem.replace("_", " ").replace("-", " ")) or one_line(key) or key
