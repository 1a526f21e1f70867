"""Opens the packages of Office and their kin (OpenDocument, EPUB), after a look at what they claim to hold.

A package is a ZIP file of XML parts. Parts are found by the relations between them, and elements by their
local names: the two dialects of the standard differ in their namespaces only.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal

from lxml import etree

from rag.errors import DocumentError
from rag.knowledge.loaders.content import TextLimit
from rag.reasons import Reason

Program = Literal["Word", "Excel", "PowerPoint", "OpenDocument", "EPUB"]
"""The program that a package belongs to, as messages name it."""

_ENDINGS: Final[dict[Program, str]] = {
    "Word": "DOCX", "Excel": "XLSX", "PowerPoint": "PPTX", "OpenDocument": "ODF", "EPUB": "EPUB",
}  # fmt: skip
# What `zipfile` and `lxml` raise on damaged, encrypted and unknown content.
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, LookupError,
    etree.XMLSyntaxError, StopIteration,
)  # fmt: skip
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_PARTS = 10_000
_PROLOGUE_BYTES = 100_000
_SAFE: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False, "remove_comments": True}


def local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace; empty for an instruction."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: etree._Element | None, name: str) -> str:
    """Return the value of the attribute with a local name; an empty text when there is none."""
    attributes = {} if element is None else element.attrib
    return next((str(value) for key, value in attributes.items() if str(key).rpartition("}")[2] == name), "")


def is_on(value: str) -> bool:
    """Whether a yes-or-no attribute says yes."""
    return value in {"1", "true", "on"}


@dataclass(frozen=True, slots=True)
class Relation:
    """The target of a relation: the last word of its type, and the name of the other part."""

    kind: str
    part: str


@contextmanager
def opened(content: bytes, limit: TextLimit, program: Program) -> Iterator[Package]:
    """Open a package, and say of which program it is if a parser cannot make sense of it.

    Raises:
        DocumentError: It is damaged, encrypted, unpacks to too much, or declares XML entities.
    """
    if content.startswith(_COMPOUND_FILE):
        raise DocumentError(Reason("office-encrypted", {"program": program, "ending": _ENDINGS[program]}))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check(archive, limit.unpacked_bytes, program)
            yield Package(archive)
    except _BROKEN as error:
        raise DocumentError(Reason("office-damaged", {"program": program})) from error


def _check(archive: zipfile.ZipFile, max_unpacked_bytes: int, program: Program) -> None:
    parts = archive.infolist()
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > _PARTS or unpacked > max_unpacked_bytes:
        raise DocumentError(
            Reason(
                "office-too-large",
                {"program": program, "megabytes": unpacked // 1_000_000, "rows": len(parts)},
            )
        )
    for part in parts:
        if part.filename.endswith((".xml", ".rels", ".vml")):
            with archive.open(part) as file:
                # A declaration stands before the first element; UTF-16 has zeros between its letters.
                prologue = file.read(_PROLOGUE_BYTES).replace(b"\0", b"").upper()
            if b"<!DOCTYPE" in prologue or b"<!ENTITY" in prologue:
                raise DocumentError(Reason("office-entities", {"program": program}))


class Package:
    """The parts of an open package."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = set(archive.namelist())

    def holds(self, part: str) -> bool:
        """Whether there is a part of this name."""
        return part in self._names

    def main_part(self) -> str:
        """The name of the part that the others hang on; a `LookupError` if there is none."""
        return {one.kind: one.part for one in self.relations("").values()}["officeDocument"]

    def relations(self, part: str) -> dict[str, Relation]:
        """The relations of a part to parts that are held, by id; of the package itself for ``""``."""
        folder, name = posixpath.split(part)
        source = posixpath.join(folder, "_rels", f"{name}.rels")
        found: dict[str, Relation] = {}
        for element in self.root(source).iter("{*}Relationship") if self.holds(source) else ():
            target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", ""))).lstrip("/")
            if element.get("TargetMode") != "External" and self.holds(target):
                kind = element.get("Type", "").rpartition("/")[2]
                found[element.get("Id", "")] = Relation(kind, target)
        return found

    def related(self, part: str, kind: str) -> Iterator[etree._Element]:
        """Yield the XML of the parts that `part` refers to by relations of a kind, such as its notes."""
        yield from (self.root(one.part) for one in self.relations(part).values() if one.kind == kind)

    def content(self, part: str) -> bytes:
        """The content of a part."""
        return self._archive.read(part)

    def root(self, part: str) -> etree._Element:
        """The root of a part that fits into memory."""
        return etree.fromstring(self._archive.read(part), etree.XMLParser(**_SAFE))

    def elements(self, part: str, *names: str) -> Iterator[etree._Element]:
        """Yield the elements of these local names as they end, and forget each with what is below it."""
        tags = [f"{{*}}{name}" for name in names]
        with self._archive.open(part) as file:
            for _, element in etree.iterparse(file, events=("end",), tag=tags, **_SAFE):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]


def theme_colors(package: Package, part: str) -> dict[str, str]:
    """The colours that the theme of a part gives names to, as CSS writes them."""
    schemes = (one for root in package.related(part, "theme") for one in root.iter("{*}clrScheme"))
    colors = (one for scheme in schemes for one in scheme if len(one))
    return {local_name(one): f"#{one[0].get('lastClr') or one[0].get('val')}" for one in colors}
