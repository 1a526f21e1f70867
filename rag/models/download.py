"""Fetch one large file over HTTPS, and resume after an interruption.

The received bytes are in ``NAME.part``; a file beside it holds the entity tag of that version. If the server
has another version by now, or does not support ranges, it sends the file from the start. The caller checks
the hash, so a mixture of versions is never used.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import httpx2

from rag.errors import OperatorError
from rag.models.endpoint import is_loopback, shown_address
from rag.reasons import Reason

Progress = Callable[[int, int], None]
"""Called with the number of bytes done and the total."""

_MAX_FRUITLESS_TRIES = 4
"""Number of consecutive attempts without a new byte before the download fails; it can be resumed later."""
_SPARE_BYTES = 64 << 20
"""Disk space that is kept free for databases and logs."""
_TIMEOUT = httpx2.Timeout(30.0, connect=10.0)
_PARTIAL_CONTENT = 206
_RANGE_NOT_SATISFIABLE = 416


class _BrokenOffError(Exception):
    """The connection failed or ended early; another attempt may continue."""


def require_space(folder: Path, size: int) -> None:
    """Check that `size` more bytes fit on the disk.

    Raises:
        OperatorError: They do not fit; the message states the needed and the free space.
    """
    free, needed = shutil.disk_usage(folder).free, size + _SPARE_BYTES
    if free < needed:
        raise OperatorError(
            Reason(
                "model-no-space",
                {"needed": round(needed / 1e9, 2), "free": round(free / 1e9, 2), "folder": str(folder)},
            )
        )


def fetch(
    url: str,
    partial: Path,
    size: int,
    progress: Progress | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Path:
    """Fetch `size` unverified bytes into `partial`, whose bytes are kept; plain HTTP only on loopback.

    Raises:
        OperatorError: The address is refused or leads elsewhere, or the server stopped answering.
    """
    fruitless = 0
    with httpx2.Client(
        timeout=_TIMEOUT,
        follow_redirects=True,
        trust_env=not is_loopback(url),
        event_hooks={"request": [_require_safe]},
    ) as client:
        while (before := _size(partial)) != size:
            require_space(partial.parent, size - before)
            try:
                _fetch_rest(client, url, partial, size, progress)
            except (_BrokenOffError, httpx2.TransportError) as exc:
                fruitless = 0 if _size(partial) > before else fruitless + 1
                if fruitless >= _MAX_FRUITLESS_TRIES:
                    raise OperatorError(
                        f"the download from {shown_address(url)} broke off at {_size(partial)} of {size} "
                        "bytes: check the connection and run the same command again, it goes on from there"
                    ) from exc
                sleep(min(2.0**fruitless, 10.0))
            except (httpx2.TooManyRedirects, httpx2.InvalidURL) as exc:
                raise _wrong_address(url, "leads nowhere") from exc
    _tag_path(partial).unlink(missing_ok=True)
    return partial


def _fetch_rest(client: httpx2.Client, url: str, partial: Path, size: int, progress: Progress | None) -> None:
    start, tag = _size(partial), _tag_path(partial)
    if start > size:
        partial.unlink()
        start = 0
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if tag.is_file():
            headers["If-Range"] = tag.read_text("utf-8")
    with client.stream("GET", url, headers=headers) as response:
        if _is_fresh(response, url, partial, size):
            start = 0
        with partial.open("ab" if start else "wb") as out:
            for block in response.iter_raw():
                start += len(block)
                if start > size:
                    raise _wrong_address(url, "is another file (its size differs)")
                out.write(block)
                if progress is not None:
                    progress(start, size)
    if start < size:
        raise _BrokenOffError


def _is_fresh(response: httpx2.Response, url: str, partial: Path, size: int) -> bool:
    """Whether the server sends the file from its start, and not the rest of it."""
    status, tag = response.status_code, _tag_path(partial)
    if status == _PARTIAL_CONTENT:
        if response.headers.get("Content-Range") == f"bytes {_size(partial)}-{size - 1}/{size}":
            return False
        status = _RANGE_NOT_SATISFIABLE
    if status == _RANGE_NOT_SATISFIABLE:
        partial.unlink(missing_ok=True)
    if status == _RANGE_NOT_SATISFIABLE or status >= 500:
        raise _BrokenOffError
    if status != 200:
        raise _wrong_address(url, f"answered with status {status}")
    if response.headers.get("Content-Length", str(size)) != str(size):
        raise _wrong_address(url, "is another file (its size differs)")
    # A weak tag does not guarantee the same bytes, so it must not be used to resume.
    if (etag := response.headers.get("ETag", "W/")).startswith("W/"):
        tag.unlink(missing_ok=True)
    else:
        tag.write_text(etag, "utf-8")
    return True


def _wrong_address(url: str, problem: str) -> OperatorError:
    return OperatorError(f"{shown_address(url)} {problem}: correct models.embedded_url")


def _require_safe(request: httpx2.Request) -> None:
    url = request.url
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback(str(url))):
        raise OperatorError(
            f"the model is not fetched from {shown_address(str(url))}: only https addresses are allowed"
        )


def _tag_path(partial: Path) -> Path:
    return partial.with_name(f"{partial.name}.etag")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
