"""Files that were made, or damaged, to break their parser: every one is read or refused with a reason."""

from __future__ import annotations

import io
import random
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sized
from pathlib import Path
from typing import Any, get_args

import pytest

from rag.errors import DocumentError
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import KINDS, Kind, discover
from rag.settings import Knowledge
from tests.field.messy_folder import write_folder
from tests.support.outlook import outlook_mail

PARSED = sorted({*get_args(Kind)} - {"langchain"})  # whose loaders are the operator's choice

OTHERS = {
    "a.rst": b"Set-up\n======\n\n.. note:: Java 17\n\n.. image:: a.png\n\n====  ====\na     b\n====  ====\n1     2\n====  ====\n",
    "a.adoc": b"= Set-up\n:toc:\n\n== Java [[java]]\n\n|===\n|a |b\n|===\n\n// gone\nNOTE: Java 17 is needed.\n",
    "a.jsonl": b'{"id": "a", "title": "A", "text": "Java 17"}\n{"id": "b", "title": "B", "text": "Java 11"}\n',
    "a.msg": outlook_mail({0x0037: "Keys", 0x1000: "In locker 31."}, {"stock.csv": b"Item,Shelf\nRope,B4\n"}),
}

PIECES = (
    b"\x00", b"\xff\xfe", b"\x1b[2J", b"\xf0\x9f\x92\xa9", b"%n%s", b"99999999999999999999", b"-1", b"NaN", b"]]>",
    b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>", b"<a>" * 500, b"[" * 5000, b"{\\rtf1" * 500, b"obj <<",
    b"../../etc/passwd", b"\r\n\r\n--x\r\n", b"/Kids [2 0 R]", b"1e999", b"\xed\xa0\x80", b"PK\x03\x04",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[Kind, list[bytes]]:
    """Well-formed files of every kind."""
    folder = tmp_path_factory.mktemp("messy")
    write_folder(folder)
    found: dict[Kind, list[bytes]] = {}
    named = {path.name: path.read_bytes() for path in sorted((folder / "docs").iterdir())} | OTHERS
    for name, content in named.items():
        found.setdefault(KINDS[Path(name).suffix], []).append(content)
    return found


def packed(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr(name, content)
    return file.getvalue()


def repacked(content: bytes, change: Any) -> bytes:
    """The same package with other parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, change(part.filename, old.read(part)))
    return file.getvalue()


def bombs(kind: Kind, whole: bytes) -> Iterator[bytes]:
    """Small files that unpack to, nest to, or repeat to far too much."""
    for opened in (b"[", b"<div>", b"> ", b'{"a":', b"{\\rtf1 ", b"- ", b"a,", b'"', b"\\u-1?", b"*_"):
        yield opened * (300_000 // len(opened))
    if zipfile.is_zipfile(io.BytesIO(whole)):
        yield repacked(
            whole,
            lambda name, part: (
                part + b" " * 100_000_000
                if name.endswith(("content.xml", "document.xml", "sheet1.xml", "slide1.xml", "xhtml"))
                else part
            ),
        )
        yield repacked(whole, lambda _, part: part.replace(b">", b">" + b"<a>" * 200_000, 1))
        lol = b"<!DOCTYPE a [<!ENTITY b '" + b"c" * 10_000 + b"'>]>"
        yield repacked(
            whole,
            lambda _, part: part.replace(b"?>", b"?>" + lol, 1).replace(b"</", b"&b;" * 9000 + b"</", 1),
        )
    if kind == "pdf":
        for layers in (1, 2):
            stream = b" " * 200_000_000
            for _ in range(layers):
                stream = zlib.compress(stream, 1)
            filters = b"/FlateDecode " * layers
            head = b"<< /Length %d /Filter [%s] >>\nstream\n" % (len(stream), filters)
            yield whole.replace(b"stream\n", b"stream\n" + head, 1) + stream
        yield b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R 1 0 R] /Count 99999999 >>\nendobj\n%%EOF"
    if kind == "eml":
        yield b"".join(
            b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(20_000)
        )


def changed(draw: random.Random, wholes: list[bytes]) -> bytes:
    """A file with a few changes anywhere: within its parts, too, if it is a package."""
    content = draw.choice(wholes)
    if zipfile.is_zipfile(io.BytesIO(content)) and draw.random() < 0.8:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            chosen = draw.choice(package.namelist())
        return repacked(content, lambda name, part: damaged(draw, part, [part]) if name == chosen else part)
    return damaged(draw, content, wholes)


def damaged(draw: random.Random, content: bytes, wholes: list[bytes]) -> bytes:
    for _ in range(draw.randint(1, 8)):
        at, end = sorted((draw.randint(0, len(content)), draw.randint(0, len(content))))
        match draw.randrange(6):
            case 0:
                content = content[:at] + draw.choice(PIECES) + content[at:]
            case 1:
                content = content[:at] + draw.randbytes(draw.randint(1, 8)) + content[at + 1 :]
            case 2:
                content = content[:at] + content[end if draw.random() < 0.2 else at + 9 :]
            case 3:
                content = content[:end] + content[at : at + 2000] * draw.randint(1, 9) + content[end:]
            case 4:
                other = draw.choice(wholes)
                content = content[:at] + other[draw.randint(0, len(other)) :][:2000] + content[at:]
            case _:
                numbers = [place for place, sign in enumerate(content) if sign in b"0123456789"] or [0]
                at = draw.choice(numbers)
                content = content[:at] + draw.choice((b"0", b"-", b"9" * 20, b".")) + content[at + 1 :]
    return content


def outcome(reader: DocumentReader, path: Path, content: bytes) -> str:
    """Read a file; return the code of the reason for which it was refused."""
    path.write_bytes(content)
    (found,) = discover([path]).sources
    try:
        reader.read(found)
    except DocumentError as error:
        return error.reason.code
    return ""


@pytest.mark.parametrize("kind", PARSED)
def test_bomb_of_every_kind_is_refused_or_read_within_its_limits(
    kind: Kind, files: dict[Kind, list[bytes]], tmp_path: Path, attacked: Callable[[int, Sized], None]
) -> None:
    whole, ending = files[kind][0], ending_of(kind)
    made = list(bombs(kind, whole))
    with DocumentReader(Knowledge(loader_seconds=10, loader_memory_mb=256)) as reader:
        for bomb in made:
            outcome(reader, tmp_path / f"a{ending}", bomb)
    with DocumentReader(Knowledge(loader_seconds=60)) as reader:
        outcome(reader, tmp_path / f"a{ending}", made[-1])
        code = outcome(reader, tmp_path / f"a{ending}", whole)
    attacked(len(made), [code] if code else [])


@pytest.mark.parametrize(
    "seconds", [pytest.param(0, id="some"), pytest.param(34, id="half a minute", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("kind", PARSED)
def test_file_of_every_kind_that_is_damaged_anywhere_is_read_or_refused_with_a_reason(
    kind: Kind, seconds: int, files: dict[Kind, list[bytes]], tmp_path: Path
) -> None:
    """In its long form ten minutes for all kinds, with other damage each time."""
    seed = time.time_ns() if seconds else 1
    draw, end, tried = random.Random(seed), time.monotonic() + seconds, 0
    with DocumentReader(Knowledge(loader_seconds=60, loader_memory_mb=512)) as reader:
        while tried < 20 or time.monotonic() < end:
            tried += 1
            code = outcome(reader, tmp_path / f"a{ending_of(kind)}", changed(draw, files[kind]))
            assert code not in {"unreadable-document", "parser-crashed", "too-slow"}, (seed, tried, code)


def ending_of(kind: Kind) -> str:
    return next(ending for ending, known in KINDS.items() if known == kind)
