"""Fetch one large file over HTTPS, and resume after an interruption.

The received bytes are in ``NAME.part``; a file beside it holds the entity tag of that version. If the server
has another version by now, or does not support ranges, it sends the file from the start. The caller checks
the hash, so a mixture of versions is never used.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import httpx2

from rag.errors import OperatorError
from rag.models.disk import Progress, require_space
from rag.models.endpoint import is_loopback, shown_address

_MAX_FRUITLESS_TRIES = 4
"""Number of consecutive attempts without a new byte before the download fails; it can be resumed later."""

_TIMEOUT = httpx2.Timeout(30.0, connect=10.0)
_PARTIAL_CONTENT = 206
_RANGE_NOT_SATISFIABLE = 416


class _BrokenOffError(Exception):
    """The connection failed or ended early; another attempt may continue."""


def fetch(
    url: str,
    partial: Path,
    size: int,
    progress: Progress | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Path:
    """Fetch `url` into `partial`.

    Args:
        url: HTTPS address; plain HTTP is allowed only on loopback.
        partial: Destination; bytes that are already there are kept.
        size: Expected size of the file in bytes.
        progress: Called with the number of bytes done and the total.
        sleep: Waits between two attempts.

    Returns:
        `partial`, with exactly `size` bytes of unverified content.

    Raises:
        OperatorError: The address is refused or leads elsewhere, or the server stopped answering.
    """
    _require_safe(url)
    fruitless = 0
    with httpx2.Client(
        timeout=_TIMEOUT,
        follow_redirects=True,
        trust_env=not is_loopback(url),
        event_hooks={"request": [lambda request: _require_safe(str(request.url))]},
    ) as client:
        while True:
            before = _size(partial)
            if before == size:
                _tag_path(partial).unlink(missing_ok=True)
                return partial
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
                raise OperatorError(
                    f"{shown_address(url)} leads nowhere: correct models.embedded_url"
                ) from exc


def _fetch_rest(client: httpx2.Client, url: str, partial: Path, size: int, progress: Progress | None) -> None:
    start = _size(partial)
    if start > size:
        partial.unlink()
        start = 0
    tag = _tag_path(partial)
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if tag.is_file():
            headers["If-Range"] = tag.read_text("utf-8")
    with client.stream("GET", url, headers=headers) as response:
        status = response.status_code
        if status == _RANGE_NOT_SATISFIABLE or (
            status == _PARTIAL_CONTENT and not _continues(response, start, size)
        ):
            partial.unlink(missing_ok=True)
            raise _BrokenOffError
        if status >= 500:
            raise _BrokenOffError
        if status not in {200, _PARTIAL_CONTENT}:
            raise OperatorError(
                f"{shown_address(url)} answered with status {status}: correct models.embedded_url"
            )
        if status == 200:
            start = 0
            _require_size(response, url, size)
            _save_tag(tag, response.headers.get("ETag", ""))
        _write(response, partial, start, size, progress, url)


def _write(
    response: httpx2.Response, partial: Path, start: int, size: int, progress: Progress | None, url: str
) -> None:
    done = start
    with partial.open("ab" if start else "wb") as out:
        for block in response.iter_raw():
            done += len(block)
            if done > size:
                raise _other_file(url)
            out.write(block)
            if progress is not None:
                progress(done, size)
    if done < size:
        raise _BrokenOffError


def _continues(response: httpx2.Response, start: int, size: int) -> bool:
    return response.headers.get("Content-Range", "") == f"bytes {start}-{size - 1}/{size}"


def _require_size(response: httpx2.Response, url: str, size: int) -> None:
    announced = response.headers.get("Content-Length")
    if announced is not None and announced != str(size):
        raise _other_file(url)


def _other_file(url: str) -> OperatorError:
    return OperatorError(
        f"{shown_address(url)} is another file (its size differs): correct models.embedded_url"
    )


def _require_safe(url: str) -> None:
    if not (url.lower().startswith("https://") or (url.lower().startswith("http://") and is_loopback(url))):
        raise OperatorError(
            f"the model is not fetched from {shown_address(url)}: only https addresses are allowed"
        )


def _save_tag(tag: Path, etag: str) -> None:
    # A weak tag does not guarantee the same bytes, so it must not be used to resume.
    if etag and not etag.startswith("W/"):
        tag.write_text(etag, "utf-8")
    else:
        tag.unlink(missing_ok=True)


def _tag_path(partial: Path) -> Path:
    return partial.with_name(f"{partial.name}.etag")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
