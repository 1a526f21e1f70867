"""Writes mails as Outlook saves them (MS-OXMSG in a compound file, MS-CFB), as small as the formats allow."""

from __future__ import annotations

import struct
from collections.abc import Mapping

_SECTOR = 512
_LEAST = 4096  # shorter streams would need the second allocation table of the format
_FREE, _END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_TEXT, _BYTES = 0x001F, 0x0102


def outlook_mail(texts: Mapping[int, str], attachments: Mapping[str, bytes]) -> bytes:
    """Build a mail from texts by the number of their property (0x0037: the subject), and files by name."""
    streams = _properties({key: (_TEXT, _long(text)) for key, text in texts.items()}, 32)
    tree: dict[str, object] = dict(streams)
    for number, (name, content) in enumerate(attachments.items()):
        values = {0x3707: (_TEXT, _long(name)), 0x3701: (_BYTES, content.ljust(_LEAST, b"\n"))}
        tree[f"__attach_version1.0_#{number:08X}"] = _properties(values, 8)
    return _compound_file(tree)


def _long(text: str) -> bytes:
    return text.ljust(_LEAST // 2).encode("utf-16-le")


def _properties(values: Mapping[int, tuple[int, bytes]], header: int) -> dict[str, bytes]:
    listed = b"".join(
        struct.pack("<HHIII", kind, key, 6, len(value), 0) for key, (kind, value) in values.items()
    )
    streams = {f"__substg1.0_{key:04X}{kind:04X}": value for key, (kind, value) in values.items()}
    return {"__properties_version1.0": bytes(header) + listed, **streams}


def _compound_file(tree: Mapping[str, object]) -> bytes:
    sectors: list[bytes] = []
    table: list[int] = []

    def store(content: bytes) -> int:
        start = len(sectors)
        for at in range(0, max(len(content), 1), _SECTOR):
            sectors.append(content[at : at + _SECTOR].ljust(_SECTOR, b"\0"))
            table.append(len(sectors))
        table[-1] = _END
        return start

    entries: list[bytes] = []

    def add(name: str, node: object) -> int:
        """Add an entry and what is below it; siblings form a chain to the right."""
        number = len(entries)
        entries.append(b"")
        if isinstance(node, bytes):
            padded = node.ljust(_LEAST, b"\0")
            entries[number] = _entry(name, 2, _FREE, store(padded), len(padded))
        else:
            assert isinstance(node, dict)
            child = _chain(node)
            entries[number] = _entry(name, 1 if number else 5, child, _END if not number else 0, 0)
        return number

    def _chain(node: Mapping[str, object]) -> int:
        after = _FREE
        for name in sorted(node, key=lambda name: (len(name), name.upper()), reverse=True):
            number = add(name, node[name])
            entries[number] = entries[number][:72] + struct.pack("<I", after) + entries[number][76:]
            after = number
        return after

    add("Root Entry", dict(tree))
    directory = store(b"".join(entries))
    tables = -(-(len(table) + 8) // (_SECTOR // 4))
    first = len(sectors)
    table += [_TABLE] * tables
    table += [_FREE] * (tables * (_SECTOR // 4) - len(table))
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6,
        0, tables, directory, 0, _LEAST, _END, 0, _END, 0,
    )  # fmt: skip
    places = [first + number for number in range(tables)] + [_FREE] * (109 - tables)
    return header + struct.pack("<109I", *places) + b"".join(sectors) + struct.pack(f"<{len(table)}I", *table)


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    written = name.encode("utf-16-le") + b"\0\0"
    return struct.pack(
        "<64sHBBIII16xI16xIII", written, len(written), kind, 1, _FREE, _FREE, child, 0, start, size, 0
    )
