"""Fetches single pages of the web, whose addresses people send and pages redirect to.

An address may lead to the machine itself or into its network. So every host is resolved here, every address
it has must be public, and the connection goes to the very address that was checked: a name that means
something else a moment later is not asked again. The same holds for each redirect. Nothing here uses a proxy,
a cookie or a key.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx2

from rag.addresses import safe_address
from rag.errors import InputError
from rag.reasons import Reason

AGENT: Final = "ThinkTwice"
"""Name under which sites are asked, and which their robots.txt may name."""

_REDIRECTS = 5
_REDIRECTED = {301, 302, 303, 307, 308}
_NOT_MODIFIED = 304
_ROBOTS_BYTES = 500_000

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
_SPECIAL = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "168.63.129.16/32", "3fff::/20")))
"""Python counts these as global: two with the metadata of a cloud, and addresses of documentation."""


class PageError(InputError):
    """A page cannot be fetched."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was fetched.

    Args:
        url: Its address, behind all redirects.
        kind: Its media type, in lower case without parameters.
        content: Its bytes; empty when it has not changed.
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
        if address.is_site_local:
            return False
    if any(address in special for special in _SPECIAL):
        return False
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
        """Fetch a page, if its site allows that; `etag` and `modified` are those of the known version.

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
        deadline = time.monotonic() + self._seconds
        return self._followed(address, headers, self._max_bytes, deadline, obeys=True)

    def _is_allowed(self, url: str, deadline: float) -> bool:
        """Whether the robots.txt of a site lets us fetch a page; a site without one does."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            rules = RobotFileParser()
            try:
                page = self._followed(f"{site}/robots.txt", {}, _ROBOTS_BYTES, deadline)
            except _StatusError as error:
                # A site that has none, or shows it to nobody, allows everything; one that fails, nothing.
                rules.parse(["User-agent: *", "Disallow: /"] if error.status >= 500 else [])
            else:
                rules.parse(page.content.decode("utf-8", "replace").splitlines())
            self._robots[site] = rules
        return self._robots[site].can_fetch(AGENT, url)

    def _followed(
        self, url: str, headers: Mapping[str, str], max_bytes: int, deadline: float, *, obeys: bool = False
    ) -> Page:
        """Fetch an address and go where it redirects to, within its own site; `obeys`: its robots.txt too."""
        first = url
        for _ in range(_REDIRECTS + 1):
            if obeys and not self._is_allowed(url, deadline):
                raise PageError(Reason("page-robots", {"url": url}))
            if isinstance(found := self._asked(url, headers, max_bytes, deadline), Page):
                return found
            url = _redirected(first, url, found)
        raise PageError(Reason("page-redirects", {"url": first}))

    def _asked(self, url: str, headers: Mapping[str, str], max_bytes: int, deadline: float) -> Page | str:
        """Ask for one address; returns the page, or where the server says to go."""
        try:
            target = httpx2.URL(url)
        except httpx2.InvalidURL as error:
            raise PageError(Reason("page-address", {"url": url})) from error
        # As it is written: decoded and encoded again, by an older rule, a name may be that of another site.
        address = self._checked_address(target.raw_host.decode(), target.port or 0)
        call = self._call(target, address, headers, max_bytes)
        try:
            # The whole of it, because a server that sends a byte a minute would keep every other timeout.
            return asyncio.run(asyncio.wait_for(call, max(deadline - time.monotonic(), 0)))
        except TimeoutError as error:
            raise PageError(Reason("page-too-slow", {"url": url, "limit": self._seconds})) from error
        except (httpx2.HTTPError, httpx2.StreamError, OSError, ValueError) as error:
            raise PageError(
                Reason("page-not-reached", {"url": url, "error": type(error).__name__})
            ) from error

    async def _call(
        self, url: httpx2.URL, address: str, headers: Mapping[str, str], max_bytes: int
    ) -> Page | str:
        sent = {
            "Host": url.netloc.decode(),
            "User-Agent": AGENT,
            "Accept": "text/html, text/plain, text/markdown, application/pdf;q=0.9, */*;q=0.1",
            # What is packed may unpack to anything.
            "Accept-Encoding": "identity",
            **headers,
        }
        context = ssl.create_default_context() if url.scheme == "https" else False
        # Not by the name, which might be looked up again and mean something else.
        place, by_name = url.copy_with(host=address), {"sni_hostname": url.raw_host.decode()}
        async with (
            httpx2.AsyncClient(verify=context, trust_env=False, timeout=None) as client,
            client.stream("GET", place, headers=sent, extensions=by_name) as response,
        ):
            if response.status_code in _REDIRECTED:
                return response.headers.get("Location", "")
            return await _read(str(url), response, max_bytes)

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
    """The server answered with another status than that of a page."""

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


async def _read(url: str, response: httpx2.Response, max_bytes: int) -> Page:
    named = response.headers
    kind = named.get("Content-Type", "").partition(";")[0].strip().lower()
    etag, modified = named.get("ETag", "")[:500], named.get("Last-Modified", "")[:100]
    if response.status_code == _NOT_MODIFIED:
        return Page(url, kind, b"", etag, modified, is_unchanged=True)
    if response.status_code != 200:
        raise _StatusError(url, response.status_code)
    if named.get("Content-Encoding", "identity").lower() != "identity":
        raise PageError(Reason("page-packed", {"url": url}))
    content = bytearray()
    async for piece in response.aiter_raw():
        content += piece
        if len(content) > max_bytes:
            raise PageError(Reason("page-too-large", {"url": url, "limit": max_bytes}))
    return Page(url, kind, bytes(content), etag, modified)
