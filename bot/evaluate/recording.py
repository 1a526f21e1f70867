"""The results of a measurement so far, row by row on disk, so that Ctrl-C or a crash loses only one row.

A recording belongs to one set, one corpus and one configuration. Its name is a fingerprint of all of them, so
that `--resume` can never mix figures of two programs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from rag.errors import ModelUnavailableError

FOLDER = Path("evaluate") / "runs"

Tick = Callable[[int, int], None]
"""A function that shows progress; it is called with the number of finished rows and with that of all rows."""

_FAILURES_IN_A_ROW = 3
"""After this many failures in a row the model counts as unreachable, and the measurement stops."""

T = TypeVar("T")
Work = Sequence[tuple[str, Callable[[], Awaitable[T]]]]
"""What measures each result, by key."""


class Recording(Generic[T]):
    """Results by key, appended to a file as they arrive; open it with ``with``.

    Args:
        path: The file, JSON Lines of ``{"key", "result"}``.
        resume: Continue the existing file; otherwise it is renamed (``.previous``).
    """

    def __init__(self, path: Path, kind: type[T], *, resume: bool) -> None:
        self.done: dict[str, T] = {}
        self._adapter: TypeAdapter[T] = TypeAdapter(kind)
        if path.exists() and resume:
            self._read(path)
        elif path.exists():
            path.replace(path.with_suffix(".previous"))
        path.parent.mkdir(parents=True, exist_ok=True)
        # Rewritten, because a line that a crash cut off would merge with the next one.
        with path.open("w", encoding="utf-8") as file:
            file.writelines(self._line(key, result) for key, result in self.done.items())
        self._file = path.open("a", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, key: str, result: T) -> None:
        """Store a result."""
        self.done[key] = result
        self._file.write(self._line(key, result))
        self._file.flush()

    async def complete(self, work: Work[T], on_progress: Tick) -> tuple[T, ...]:
        """Return the result of every key; what is recorded is not measured again, and a failure is not kept.

        Args:
            work: What measures each result; one with a `failure` is a failure.
            on_progress: Called before the first and after every result.

        Raises:
            ModelUnavailableError: several results in a row are failures.
        """
        found: list[T] = []
        failures = 0
        on_progress(0, len(work))
        for key, measure in work:
            result = self.done.get(key)
            if result is None:
                result = await measure()
                failure = getattr(result, "failure", "")
                failures = failures + 1 if failure else 0
                if failures == _FAILURES_IN_A_ROW:
                    raise ModelUnavailableError(
                        f"no model answered {failures} times in a row ({failure}); what was answered before "
                        "is kept: mend it and run the same command with --resume"
                    )
                if not failure:
                    self.add(key, result)
            found.append(result)
            on_progress(len(found), len(work))
        return tuple(found)

    def _line(self, key: str, result: T) -> str:
        kept = {"key": key, "result": self._adapter.dump_python(result, mode="json")}
        return json.dumps(kept, ensure_ascii=False) + "\n"

    def _read(self, path: Path) -> None:
        # Not `splitlines`, which would also split at other separators inside a text.
        for line in path.read_text(encoding="utf-8").split("\n"):
            try:
                kept = json.loads(line)
                self.done[str(kept["key"])] = self._adapter.validate_python(kept["result"])
            except (ValueError, KeyError, TypeError, ValidationError):
                continue


def fingerprint(files: Iterable[Path], *facts: object) -> str:
    """A name for a measurement, from the content of files and everything else that its figures depend on.

    Raises:
        OSError: a file cannot be read.
    """
    whole = hashlib.sha256()
    for path in files:
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    for fact in facts:
        whole.update(json.dumps(fact, sort_keys=True, default=str).encode() + b"\0")
    return whole.hexdigest()[:16]


def program_files() -> tuple[Path, ...]:
    """The files that determine answers and verdicts: code, weights, phrases and prompts."""
    root = Path(__file__).resolve().parents[2]
    suffixes, sums = {".py", ".json", ".yaml", ".ftl"}, "SHA256SUMS"  # the verifier's weights are large
    found = [path for path in (root / "rag").rglob("*") if path.suffix in suffixes or path.name == sums]
    return (*sorted(found), *sorted((root / "prompts").glob("*.md")))
