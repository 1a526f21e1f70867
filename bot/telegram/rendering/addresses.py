"""Finds addresses in a text, and decides which of them a reader may tap.

Telegram turns everything that looks like an address into a link. A text of a model may contain an address
that a document smuggled in, so only addresses of hosts in the settings stay links. Every other address, and
every mention of an account, is shown as code, in which Telegram makes no links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import regex

from bot.telegram.rendering.styled import Span, Styled, nest
from bot.views.html import allows_host

# A dot between letters is enough: top-level domains change, and a word shown as code is harmless.
_CORE = regex.compile(
    r"""(?P<scheme>://)
      | (?P<host>(?<=[^\s\p{P}]|[_-])\.(?=\p{L}[\p{L}\p{N}-]))
      | (?P<numeric>(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]))
      | (?P<mention>@(?=[A-Za-z]\w\w))""",
    regex.VERBOSE,
)
_ENDS = r"\s<>\"`。，、；：！？）】」』》“”"
_REST = regex.compile(rf"[^{_ENDS}]*+")
_PATH = rf"(?::\d{{1,5}})?(?:[/?\#][^{_ENDS}]*+)?"
_ACCENTS = regex.compile(r"[\p{M}\u200c\u200d]*+")
_ASCII_HOST_REST = regex.compile(rf"[A-Za-z0-9_.@-]*+{_PATH}")
_ANY_HOST_REST = regex.compile(rf"(?:[^\s\p{{P}}]|[_.@-])*+{_PATH}")
# Matched backwards from the address, so that a long text before it is read only once.
_BEFORE_SCHEME = regex.compile(r"[A-Za-z0-9+.-]*+\Z", regex.REVERSE)
_BEFORE_ASCII_HOST = regex.compile(r"[A-Za-z0-9_.+%~/@:-]*+\Z", regex.REVERSE)
_BEFORE_ANY_HOST = regex.compile(r"(?:[^\s\p{P}]|[_.+%~/@:-])*+\Z", regex.REVERSE)
_FAR = 250
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_TRAILING = ".,:;!?…'\"*_~|«»‘’"

_SAFE = regex.compile(
    r"(?:(?P<scheme>https?)://)?(?P<host>[a-z0-9-]++(?:\.[a-z0-9-]++)*+)(?P<rest>(?::\d{1,5})?(?:[/?#][^\s<>\"`\\]*)?)",
    regex.IGNORECASE,
)
_LONGEST = 2000


def target(address: str, allowed_hosts: Collection[str]) -> str:
    """Return the URL that an address leads to if a reader may tap it, otherwise an empty string.

    Args:
        address: An absolute http(s) address, or a host with or without a path.
        allowed_hosts: Host names in lower case; a name that begins with a dot stands for all hosts under it.
    """
    found = _SAFE.fullmatch(address)
    if found is None or len(address) > _LONGEST:
        return ""
    host = found["host"].lower()
    if not allows_host(host, allowed_hosts):
        return ""
    return f"{(found['scheme'] or 'https').lower()}://{host}{found['rest']}"


def mark_addresses(whole: Styled, allowed_hosts: Collection[str] = ()) -> Styled:
    """Format the addresses of allowed hosts as links, and all other addresses as code."""
    fixed = [span for span in whole.spans if span.kind in {"code", "pre", "text_link"}]
    added: list[Span] = []
    for start, end in find_stretches(whole.text):
        if any(span.start <= start and end <= span.end for span in fixed):
            continue
        url = target(whole.text[start:end], allowed_hosts)
        if url and not any(span.start < end and start < span.end for span in fixed):
            added.append(Span("text_link", start, end, url))
        else:
            added.append(Span("code", start, end))
    return nest(Styled(whole.text, (*whole.spans, *added)))


def find_stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches that Telegram might turn into links or mentions: ``(start, end)``, in order."""
    position = 0
    for core in _CORE.finditer(text):
        if core.start() < position:
            continue
        if core["scheme"]:
            before, rest = _BEFORE_SCHEME, _REST
        elif core["host"]:
            before = _BEFORE_ASCII_HOST if text[core.start() - 1].isascii() else _BEFORE_ANY_HOST
            rest = _ASCII_HOST_REST if text[core.end()].isascii() else _ANY_HOST_REST
        else:
            before, rest = _BEFORE_ASCII_HOST, _ASCII_HOST_REST
        start = core.start() - _measure_tail(before, text[max(position, core.start() - _FAR) : core.start()])
        behind = rest.match(text, core.end())
        end = behind.end() if behind else core.end()
        end = _trim_punctuation(text, core.end(), end)
        # A combining accent belongs to the letter before it, and a format must not separate them.
        end += len(_ACCENTS.match(text, end)[0])  # type: ignore[index]  # matches nothing at the least
        yield start, end
        position = end


def _measure_tail(pattern: regex.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return len(found.group()) if found else 0


def _trim_punctuation(text: str, least: int, end: int) -> int:
    """Return the end of an address without the full stop or closing bracket of the sentence around it."""
    stretch = text[least:end]
    surplus = {close: stretch.count(close) - stretch.count(opening) for close, opening in _BRACKETS.items()}
    while end > least:
        last = text[end - 1]
        if surplus.get(last, 0) > 0:
            surplus[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return end
