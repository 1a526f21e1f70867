"""A server on loopback that serves one file, with ranges, and breaks off where a test wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.support.loopback import Handler, Loopback


class FileServer(Loopback):
    """Serves one file at every path.

    Args:
        ranges: Whether ``Range`` is honoured (206); otherwise the whole file is sent every time.
        etag: The entity tag of the file; an empty string leaves it out.
        cuts: Number of bytes after which the connection breaks, for the first, second … response.
    """

    def __init__(
        self,
        content: bytes,
        *,
        ranges: bool = True,
        etag: str = '"one"',
        cuts: Sequence[int] = (),
        status: int = 200,
        redirect: str = "",
    ) -> None:
        self.content = content
        self.ranges = ranges
        self.etag = etag
        self.cuts = list(cuts)
        self.status = status
        self.redirect = redirect
        fake = self

        class Serving(_FileHandler):
            server_double = fake

        super().__init__(Serving)

    @property
    def url(self) -> str:
        return f"{self.address}/model.gguf"


class _FileHandler(Handler):
    server_double: FileServer

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
        double = self.server_double
        with double.lock:
            double.requests.append(self.record({}))
            cut = double.cuts.pop(0) if double.cuts else None
        if double.redirect:
            self.send(302, b"", "text/plain", {"Location": double.redirect})
            return
        if double.status != 200:
            self.send(double.status, b"not here", "text/plain")
            return
        content, total = double.content, len(double.content)
        headers = {"ETag": double.etag} if double.etag else {}
        status, start = 200, 0
        wanted = self.headers.get("Range", "")
        condition = self.headers.get("If-Range")
        if double.ranges and wanted and condition in {None, double.etag}:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= total:
                self.send(416, b"", "text/plain", {"Content-Range": f"bytes */{total}"})
                return
            status = 206
            headers["Content-Range"] = f"bytes {start}-{total - 1}/{total}"
        self._send_cut(status, content[start:], headers, cut)

    def _send_cut(self, status: int, body: bytes, headers: Mapping[str, str], cut: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body if cut is None else body[:cut])
        self.close_connection = True
