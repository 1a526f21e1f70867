"""Web addresses of documents: what a document or a setting says, made safe to show as a link.

An address comes from whoever wrote the document. Only http and https are taken, without a user name, without
characters that a terminal or a chat would read as something else, and only with a host that is seen as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

import idna
import regex

_LONGEST = 2000
_LONGEST_ANCHOR = 200
# Spaces, controls, and marks that end an address, quote it, or turn the direction of writing.
_FORBIDDEN = regex.compile(r"[\s\p{C}\p{Zl}\p{Zp}<>\"\\^`{|}]")
_HOST = regex.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?")


def safe_address(text: str) -> str:
    """The address if a reader may open it, else an empty string."""
    text = text.strip()
    if not text or len(text) > _LONGEST or _FORBIDDEN.search(text):
        return ""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme.lower() not in {"http", "https"} or "@" in parts.netloc or not host:
        return ""
    if ":" not in host:
        try:
            # Letters that look alike must not pass for another host: they are written as their code.
            host = host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            return ""
        if not _HOST.fullmatch(host):
            return ""
    port = f":{parts.port}" if parts.port is not None else ""
    netloc = f"[{host}]{port}" if ":" in host else f"{host}{port}"
    path = quote(parts.path, safe="/%:@!$&'()*+,;=~-._")
    query = f"?{quote(parts.query, safe='/?%:@!$&()*+,;=~-._')}" if parts.query else ""
    fragment = f"#{quote(parts.fragment, safe='/?%:@!$&()*+,;=~-._')}" if parts.fragment else ""
    return f"{parts.scheme.lower()}://{netloc}{path or '/'}{query}{fragment}"


def safe_anchor(name: str) -> str:
    """A name in a document as the end of an address; empty when it is none."""
    return quote(name, safe="=&:@!$()*+,;~-._") if 0 < len(name) <= _LONGEST_ANCHOR else ""


def address_in(path: Path, addresses: Mapping[Path, str]) -> str:
    """The address of a file by the setting that maps folders to addresses; empty when none fits.

    Args:
        path: The file, resolved.
        addresses: Address by folder; the deepest folder that holds the file decides.
    """
    resolved = {folder.resolve(): folder for folder in addresses}
    fitting = [folder for folder in resolved if path.is_relative_to(folder)]
    if not fitting:
        return ""
    deepest = max(fitting, key=lambda folder: len(folder.parts))
    below, address = path.relative_to(deepest), addresses[resolved[deepest]]
    if below == Path():
        return safe_address(address)  # the file itself was given an address
    whole = quote(below.as_posix())
    page = quote(below.with_suffix("").as_posix())
    if "{path}" in address or "{page}" in address:
        return safe_address(address.replace("{path}", whole).replace("{page}", page))
    return safe_address(f"{address.rstrip('/')}/{whole}")
