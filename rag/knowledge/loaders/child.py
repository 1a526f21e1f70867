"""The parent's side of the parser process: starts it, sends jobs, ends what takes too long."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from rag.addresses import safe_address, safe_anchor
from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders.content import Content
from rag.knowledge.loaders.worker import OUT_OF_MEMORY, Job, receive, send
from rag.knowledge.sources import Source
from rag.reasons import Reason, reason_of_os
from rag.settings import Knowledge

# The folder that holds the package `rag`, which need not be installed.
_PACKAGES = Path(__file__).resolve().parents[3]
_KEPT_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZ", "SYSTEMROOT")
_DOCUMENTS = 1000  # a parser may leak; a new process costs a third of a second
_ESCAPED: Final = 6  # bytes of one character in JSON at the most, "\\u0000"
_CRASHED = Reason("parser-crashed")


class _Reply(BaseModel):
    """What the child may say; it has met untrusted documents and is not trusted either."""

    model_config = ConfigDict(extra="forbid", strict=True)
    error: Reason | None = None
    content: Content | None = None


class ParserProcess:
    """Parses documents in a child process that is started when needed and replaced when it fails.

    The child starts afresh (no fork), with an environment that holds no key, address or setting.
    """

    def __init__(self, settings: Knowledge) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._served = 0

    def load(self, source: Source, loader: str = "") -> Content:
        """Parse one file.

        Raises:
            DocumentError: It cannot be read, or not within the limits.
        """
        settings = self._settings
        job = Job(
            source.kind,
            str(source.path.absolute()),
            loader,
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
        if not all(row.key.startswith(source.row_prefix) for row in content.rows):
            raise DocumentError(_CRASHED)
        rows = tuple(
            replace(row, sections=self._checked(row.sections), url=safe_address(row.url))
            for row in content.rows
        )
        return replace(
            content, sections=self._checked(content.sections), url=safe_address(content.url), rows=rows
        )

    def _checked(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        if sum(len(section.text) for section in sections) > 2 * self._settings.max_text_chars:
            raise DocumentError(_CRASHED)
        return tuple(
            replace(
                section,
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
