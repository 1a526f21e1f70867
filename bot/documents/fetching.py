"""Fetches single pages of the web, whose addresses people send and pages redirect to.

An address may lead to the machine itself or into its network. So every host is resolved here, every address
it has must be public, and the connection goes to the very address that was checked: a name that means
something else a moment later is not asked again. The same holds for each redirect. Nothing here uses a proxy,
a cookie or a key.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from rag.addresses import safe_address
from rag.errors import InputError
from rag.reasons import Reason

AGENT: Final = "ThinkTwice"
"""Name under which sites are asked, and which their robots.txt may name."""

_REDIRECTS = 5
_REDIRECTED = {301, 302, 303, 307, 308}
_NOT_MODIFIED = 304
_ROBOTS_BYTES = 500_000
_PIECE = 65_536

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")


class PageError(InputError):
    """A page cannot be fetched."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was fetched.

    Args:
        url: Its address, behind all redirects.
        kind: Its media type, in lower case without parameters.
        content: Its bytes; empty when it has not changed.
        etag: The tag of this version, or an empty string.
        modified: When the server says it was changed, or an empty string.
        is_unchanged: The server has no other version than the one that is known.
    """

    url: str
    kind: str
    content: bytes
    etag: str = ""
    modified: str = ""
    is_unchanged: bool = False


def is_public(address: IPAddress) -> bool:
    """Whether an address belongs to the public internet, also the one that is wrapped into it."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            return is_public(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


class Fetcher:
    """Fetches pages of sites that allow it; blocking.

    Args:
        max_bytes: Bytes of a page; a larger one is refused.
        seconds: Time for one page, with its redirects.
        allows: Whether an address may be connected to. Tests let it allow the machine itself; no setting can.
    """

    def __init__(
        self, max_bytes: int, seconds: float, allows: Callable[[IPAddress], bool] | None = None
    ) -> None:
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._allows = allows or is_public
        self._robots: dict[str, RobotFileParser] = {}

    def fetch(self, url: str, *, etag: str = "", modified: str = "") -> Page:
        """Fetch a page, if its site allows that.

        Args:
            url: An http or https address.
            etag: The tag of the version that is known.
            modified: When that was changed, as the server said.

        Raises:
            PageError: It is not public, not allowed, too large, or not there.
        """
        address = safe_address(url).partition("#")[0]
        if not address:
            # As code: what is no address must not become a link.
            shown = url[:200].replace("`", "'")
            raise PageError(Reason("page-address", {"url": f"`{shown}`"}))
        known = {"If-None-Match": etag, "If-Modified-Since": modified}
        headers = {name: value for name, value in known.items() if value}
        return self._followed(address, headers, self._max_bytes, obeys=True)

    def _is_allowed(self, url: str) -> bool:
        """Whether the robots.txt of a site lets us fetch a page; a site without one does."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            rules = RobotFileParser()
            try:
                page = self._followed(f"{site}/robots.txt", {}, _ROBOTS_BYTES)
            except _StatusError as error:
                # A site that has none, or shows it to nobody, allows everything; one that fails, nothing.
                rules.parse(["User-agent: *", "Disallow: /"] if error.status >= 500 else [])
            else:
                rules.parse(page.content.decode("utf-8", "replace").splitlines())
            self._robots[site] = rules
        return self._robots[site].can_fetch(AGENT, url)

    def _followed(self, url: str, headers: Mapping[str, str], max_bytes: int, *, obeys: bool = False) -> Page:
        """Fetch an address and go where it redirects to, within its own site; `obeys`: its robots.txt too."""
        deadline = time.monotonic() + self._seconds
        first = url
        for _ in range(_REDIRECTS + 1):
            if obeys and not self._is_allowed(url):
                raise PageError(Reason("page-robots", {"url": url}))
            found = self._asked(url, headers, max_bytes, deadline)
            if isinstance(found, Page):
                return found
            url = _redirected(first, url, found)
        raise PageError(Reason("page-redirects", {"url": first}))

    def _asked(self, url: str, headers: Mapping[str, str], max_bytes: int, deadline: float) -> Page | str:
        """Ask for one address; returns the page, or where the server says to go."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        left = deadline - time.monotonic()
        if left <= 0:
            raise PageError(Reason("page-too-slow", {"url": url, "limit": self._seconds}))
        address = self._checked_address(host, port)
        connection = _connection(parts.scheme, host, port, address, left)
        # A server that sends a byte a minute would keep every timeout of a socket.
        clock = threading.Timer(left, _shut, (connection,))
        clock.start()
        try:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(
                "GET",
                target,
                headers={
                    "User-Agent": AGENT,
                    "Accept": "text/html, text/plain, text/markdown, application/pdf;q=0.9, */*;q=0.1",
                    # What is packed may unpack to anything.
                    "Accept-Encoding": "identity",
                    **headers,
                },
            )
            with closing(connection.getresponse()) as response:
                if response.status in _REDIRECTED:
                    return response.getheader("Location") or ""
                return self._page(url, response, max_bytes)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if time.monotonic() >= deadline:
                raise PageError(Reason("page-too-slow", {"url": url, "limit": self._seconds})) from error
            raise PageError(
                Reason("page-not-reached", {"url": url, "error": type(error).__name__})
            ) from error
        finally:
            clock.cancel()
            connection.close()

    def _page(self, url: str, response: http.client.HTTPResponse, max_bytes: int) -> Page:
        kind = (response.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        etag, modified = response.getheader("ETag") or "", response.getheader("Last-Modified") or ""
        if response.status == _NOT_MODIFIED:
            return Page(url, kind, b"", etag, modified, is_unchanged=True)
        if response.status != 200:
            raise _StatusError(url, response.status)
        if (response.getheader("Content-Encoding") or "identity").lower() != "identity":
            raise PageError(Reason("page-packed", {"url": url}))
        content = bytearray()
        while piece := response.read(_PIECE):
            content += piece
            if len(content) > max_bytes:
                raise PageError(Reason("page-too-large", {"url": url, "limit": max_bytes}))
        if response.length:
            raise http.client.IncompleteRead(bytes(content), response.length)
        return Page(url, kind, bytes(content), etag[:500], modified[:100])

    def _checked_address(self, host: str, port: int) -> str:
        """An address of a host that may be connected to; a host with any other is refused."""
        try:
            addresses = [str(ipaddress.ip_address(host))]
        except ValueError:
            try:
                found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError) as error:
                raise PageError(Reason("page-no-host", {"host": host})) from error
            addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
        if not addresses or not all(self._allows(ipaddress.ip_address(one)) for one in addresses):
            raise PageError(Reason("page-private", {"host": host}))
        return addresses[0]


class _StatusError(PageError):
    """The server has no such page."""

    def __init__(self, url: str, status: int) -> None:
        super().__init__(Reason("page-status", {"url": url, "status": str(status)}))
        self.status = status


def _redirected(first: str, url: str, location: str) -> str:
    """Return the target of a redirect if it is on the same site and no less protected."""
    target = safe_address(urljoin(url, location)).partition("#")[0] if location else ""
    if not target:
        raise PageError(Reason("page-redirects", {"url": first}))
    if _site(target) != _site(first) or (url.startswith("https:") and not target.startswith("https:")):
        raise PageError(Reason("page-elsewhere", {"url": first, "target": target}))
    return target


def _site(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _connection(
    scheme: str, host: str, port: int, address: str, seconds: float
) -> http.client.HTTPConnection:
    """A connection that goes to a checked address, and calls the server by its name."""
    context = ssl.create_default_context() if scheme == "https" else None

    class Pinned(http.client.HTTPConnection):
        def connect(self) -> None:
            # Not by a name, nor by anything that looks one up: this is the address that was checked.
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            plain = socket.socket(family, socket.SOCK_STREAM)
            plain.settimeout(seconds)
            try:
                plain.connect((address, port))
            except BaseException:
                plain.close()
                raise
            self.sock = plain if context is None else context.wrap_socket(plain, server_hostname=host)

    pinned = Pinned(host, port, timeout=seconds)
    pinned.default_port = 443 if scheme == "https" else 80
    return pinned


def _shut(connection: http.client.HTTPConnection) -> None:
    opened = connection.sock
    if opened is not None:
        with suppress(OSError):
            opened.shutdown(socket.SHUT_RDWR)
