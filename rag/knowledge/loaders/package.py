"""Opens the packages of Office (DOCX, XLSX, PPTX), after a look at what they claim to hold.

A package is a ZIP file of XML parts. Parts are found by the relations between them, and elements by their
local names: the two dialects of the standard differ in their namespaces only.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Literal, Self

from lxml import etree

from rag.errors import DocumentError
from rag.reasons import Reason

Program = Literal["Word", "Excel", "PowerPoint"]
"""The program that a package belongs to, as messages name it."""

_ENDINGS: Final[dict[Program, str]] = {"Word": "DOCX", "Excel": "XLSX", "PowerPoint": "PPTX"}

# What `zipfile` raises on damaged, encrypted and unknown content.
BROKEN_PACKAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)

_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_PARTS = 10_000
_PROLOGUE_BYTES = 100_000
_MAIN_PART = "officeDocument"


def check_package(content: bytes, max_unpacked_bytes: int, program: Program) -> None:
    """Refuse what is no package or is made to do harm, before a parser sees it.

    Raises:
        DocumentError: It is damaged, encrypted, unpacks to too much, or declares XML entities.
    """
    if content.startswith(_COMPOUND_FILE):
        raise DocumentError(Reason("office-encrypted", {"program": program, "ending": _ENDINGS[program]}))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = package.infolist()
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
                    with package.open(part) as file:
                        # A declaration stands before the first element; UTF-16 has zeros between its letters.
                        prologue = file.read(_PROLOGUE_BYTES).replace(b"\0", b"").upper()
                    if b"<!DOCTYPE" in prologue or b"<!ENTITY" in prologue:
                        raise DocumentError(Reason("office-entities", {"program": program}))
    except BROKEN_PACKAGE as error:
        raise damaged(program) from error


def damaged(program: Program) -> DocumentError:
    """Return the error of a package that a parser cannot make sense of."""
    return DocumentError(Reason("office-damaged", {"program": program}))


def local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace; empty for a comment or an instruction."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """Return the value of the attribute with a local name; an empty text when the element has none."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def is_on(value: str) -> bool:
    """Whether a yes-or-no attribute says yes."""
    return value in {"1", "true", "on"}


@dataclass(frozen=True, slots=True)
class Relation:
    """The target of a relation: the last word of its type, and the name of the other part."""

    kind: str
    part: str


class Package:
    """An open package.

    Args:
        content: The bytes of the file.
        max_unpacked_bytes: Bytes that its parts may have together.
        program: Which kind of file it should be.

    Raises:
        DocumentError: It is damaged, encrypted, unpacks to too much, or declares XML entities.
    """

    def __init__(self, content: bytes, max_unpacked_bytes: int, program: Program) -> None:
        check_package(content, max_unpacked_bytes, program)
        self.program: Final = program
        self._archive = zipfile.ZipFile(io.BytesIO(content))
        self._names = set(self._archive.namelist())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._archive.close()
        if isinstance(error, (etree.XMLSyntaxError, LookupError, *BROKEN_PACKAGE)):
            raise damaged(self.program) from error

    def main_part(self) -> str:
        """The name of the part that the others hang on."""
        for relation in self.relations("").values():
            if relation.kind == _MAIN_PART:
                return relation.part
        raise damaged(self.program)

    def holds(self, part: str) -> bool:
        """Whether there is a part of this name."""
        return part in self._names

    def relations(self, part: str) -> dict[str, Relation]:
        """The relations of a part to parts of the same package, by id; of the package itself for ``""``."""
        folder, name = posixpath.split(part)
        source = posixpath.join(folder, "_rels", f"{name}.rels")
        if source not in self._names:
            return {}
        found: dict[str, Relation] = {}
        for element in self.root(source):
            if local_name(element) == "Relationship" and element.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", "")))
                kind = element.get("Type", "").rpartition("/")[2]
                found[element.get("Id", "")] = Relation(kind, target.lstrip("/"))
        return found

    def root(self, part: str) -> etree._Element:
        """The root of a part that fits into memory."""
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        return etree.fromstring(self._archive.read(part), parser)

    def elements(self, part: str, *names: str) -> Iterator[etree._Element]:
        """Yield the elements of these local names as they end, and forget each with what is below it."""
        with self._archive.open(part) as file:
            tags = [f"{{*}}{name}" for name in names]
            for _, element in etree.iterparse(
                file, events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False
            ):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
