"""Pages of the web among the added documents: fetched, kept as files, and read again when they change.

A page lies in the folder of added documents. Which address it has, and which version it is, stands in a
hidden file beside it.
"""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import regex

from bot.documents.fetching import Fetcher, Page, PageError
from bot.documents.uploads import MANIFEST, write_whole
from rag.addresses import safe_address
from rag.knowledge.sources import Failure
from rag.reasons import Reason

_LONGEST_NAME: Final = 80
_HASH: Final = 8
_NOT_NAME = regex.compile(r"[^a-z0-9._-]+")
_LOCATION = regex.compile(rb"<loc>([^<>]{1,2000})</loc>", regex.IGNORECASE)
_SITEMAP = regex.compile(rb"<(?:urlset|sitemapindex)[\s>]", regex.IGNORECASE)
_SITEMAP_BEGINNING: Final = 2000

_ENDINGS: Final[Mapping[str, str]] = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "application/pdf": ".pdf",
}
"""Endings under which pages are kept, by their media type."""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page that is kept: its address, and the version that was fetched last."""

    url: str
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """The files of the pages that are kept now, and the addresses that could not be added."""

    names: tuple[str, ...]
    failed: tuple[Failure, ...] = ()


class Pages:
    """The pages in the folder of added documents, at most `most` of one sitemap; every method blocks.

    `changing` is entered around every change of the folder, and shares it with other machines.
    """

    def __init__(
        self,
        folder: Path,
        fetcher: Fetcher,
        most: int,
        changing: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._folder = folder
        self._fetcher = fetcher
        self._most = most
        self._changing = changing

    def addresses(self) -> dict[Path, str]:
        """The addresses of the kept pages, by file."""
        return {self._folder / name: page.url for name, page in self._kept().items()}

    def add(self, url: str) -> Added:
        """Fetch a page, or the pages of a sitemap, and keep them.

        Raises:
            PageError: The address itself cannot be fetched, or holds nothing that can be read.
            UploadsError: The folder cannot be written.
        """
        page = self._fetcher.fetch(url)
        if not _SITEMAP.search(page.content[:_SITEMAP_BEGINNING]):
            return Added((self._keep(page),))
        names: list[str] = []
        failed: list[Failure] = []
        listed = _locations(page)
        if not listed:
            raise PageError(Reason("sitemap-empty", {"url": page.url}))
        for address in listed[: self._most]:
            try:
                names.append(self._keep(self._fetcher.fetch(address)))
            except PageError as error:
                failed.append(Failure(address, error.reason))
        if len(listed) > self._most:
            left_out = len(listed) - self._most
            failed.append(Failure(page.url, Reason("sitemap-long", {"pages": left_out, "limit": self._most})))
        return Added(tuple(dict.fromkeys(names)), tuple(failed))

    def refresh(self) -> tuple[Failure, ...]:
        """Fetch the pages that have changed; return those that could not be fetched, whose text stays."""
        failed = []
        for page in self._kept().values():
            try:
                found = self._fetcher.fetch(page.url, etag=page.etag, modified=page.modified)
                if not found.is_unchanged:
                    self._keep(replace(found, url=page.url))
            except PageError as error:
                failed.append(Failure(page.url, error.reason))
        return tuple(failed)

    def _keep(self, page: Page) -> str:
        """Write a page and what is known of it; return the name of its file."""
        ending = _ENDINGS.get(page.kind)
        if ending is None:
            raise PageError(Reason("page-kind", {"url": page.url, "kind": page.kind or "–"}))
        if not page.content.strip():
            raise PageError(Reason("page-empty", {"url": page.url}))
        with self._changing():
            kept = self._kept()
            before = next((name for name, known in kept.items() if known.url == page.url), None)
            name = before or _name(page.url, ending)
            write_whole(self._folder / name, page.content)
            kept[name] = KeptPage(page.url, page.etag, page.modified)
            record = json.dumps({name: asdict(known) for name, known in kept.items()}, ensure_ascii=False)
            write_whole(self._folder / MANIFEST, record.encode())
        return name

    def _kept(self) -> dict[str, KeptPage]:
        """The pages whose files are there: a page that was removed is fetched no more."""
        try:
            record = json.loads((self._folder / MANIFEST).read_text("utf-8"))
            known = {str(name): KeptPage(**page) for name, page in record.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}
        return {
            name: page
            for name, page in known.items()
            if name == Path(name).name and safe_address(page.url) and (self._folder / name).is_file()
        }


def _locations(page: Page) -> list[str]:
    """The pages of a sitemap that lie on its own host."""
    host = urlsplit(page.url).hostname
    found = (
        safe_address(html.unescape(location.decode("utf-8", "replace")))
        for location in _LOCATION.findall(page.content)
    )
    return list(dict.fromkeys(address for address in found if address and urlsplit(address).hostname == host))


def _name(url: str, ending: str) -> str:
    """A file name that tells where a page is from, and is the page's own."""
    parts = urlsplit(url)
    words = _NOT_NAME.sub("-", f"{parts.hostname or ''}{parts.path}".lower()).strip("-.")
    mark = hashlib.sha256(url.encode()).hexdigest()[:_HASH]
    return f"{words.removesuffix(ending)[:_LONGEST_NAME].strip('-.')}-{mark}{ending}"
