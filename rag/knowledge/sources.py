"""Finds the files of a corpus without opening one: names, sizes and times only.

A sync of ten thousand unchanged files spends most of its time here, so each file costs only one directory
entry and one `stat`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from rag.errors import InputError
from rag.knowledge.exclusions import Exclusions
from rag.reasons import Reason, reason_of_os

Kind = Literal[
    "markdown", "text", "rst", "asciidoc", "rtf", "html", "epub", "pdf", "docx", "xlsx", "pptx",
    "opendocument", "csv", "json", "jsonl", "ipynb", "eml", "msg", "langchain",
]  # fmt: skip

_ENDINGS: dict[Kind, str] = {
    "markdown": ".md .markdown .mdx",
    "text": ".txt .text",
    "rst": ".rst",
    "asciidoc": ".adoc .asciidoc",
    "html": ".html .htm .xhtml",
    "epub": ".epub",
    "pdf": ".pdf",
    "docx": ".docx",
    "xlsx": ".xlsx .xlsm",
    "pptx": ".pptx",
    "opendocument": ".odt .ods .odp",
    "rtf": ".rtf",
    "csv": ".csv .tsv",
    "json": ".json",
    "jsonl": ".jsonl",
    "ipynb": ".ipynb",
    "eml": ".eml",
    "msg": ".msg",
}
KINDS: dict[str, Kind] = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
"""Kind of a file by its lower-case ending."""

CorpusState: TypeAlias = frozenset[tuple[str, int, int, int]]

_HIDDEN = (".", "~$")  # Word leaves "~$name.docx" beside an open document
# Files of the program itself, and the rules that it reads.
_OWN = (".partial-", ".before", ".answers.json", ".pages.json", ".gitignore")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the corpus that holds one document, or many if it is JSON Lines.

    Args:
        key: Unique name inside the corpus: the path relative to its root, with ``/``.
        row_prefix: Prefix of the document keys of a JSONL file's rows. Empty for a file that was named
            directly, so that its rows keep their ids; ``"<key>#"`` for a file found in a folder.
    """

    key: str
    path: Path
    size: int
    mtime_ns: int
    kind: Kind
    row_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that could not be read, and why."""

    path: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was left out although nothing is wrong with it, or a folder with some, and why."""

    path: str
    reason: Reason
    files: int = 1


@dataclass(frozen=True, slots=True)
class SkippedGroup:
    """Files that were left out for one reason: how many, and the paths of files or their folders in order."""

    reason: Reason
    paths: tuple[str, ...]
    files: int

    def named(self, most: int) -> str:
        """The first `most` paths, with "…" where there are more."""
        shown = ", ".join(self.paths[:most])
        return f"{shown}, …" if len(self.paths) > most else shown


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files of a corpus, in the order of their keys; `state` also has the times when rights changed."""

    sources: tuple[Source, ...]
    failed: tuple[Failure, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    state: CorpusState = field(default=frozenset(), compare=False, repr=False)


def grouped(skipped: Iterable[Skipped]) -> tuple[SkippedGroup, ...]:
    """Group the files that were left out by reason, the largest group first."""
    found: dict[Reason, list[Skipped]] = {}
    for one in skipped:
        found.setdefault(one.reason, []).append(one)
    groups = [
        SkippedGroup(reason, tuple(sorted(one.path for one in group)), sum(one.files for one in group))
        for reason, group in found.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.files, group.paths)))


def discover(
    paths: Sequence[Path], langchain_endings: Collection[str] = (), exclude: Sequence[str] = ()
) -> Discovery:
    """List the documents below some folders and among some files.

    Hidden files, links that leave their folder, files of unknown kinds, and what patterns or ``.gitignore``
    files exclude are left out; a file that is reached twice is listed once. If two roots contain the same
    relative path, the later one's key begins with its folder's name.

    Args:
        langchain_endings: File endings, with the dot, that a LangChain loader reads.
        exclude: Patterns as in a ``.gitignore`` file, of what is left out below each folder.

    Raises:
        InputError: A path does not exist.
    """
    others: dict[str, Kind] = dict.fromkeys((ending.lower() for ending in langchain_endings), "langchain")
    walk = _Walk({**KINDS, **others}, exclude)
    for path in paths:
        walk.add_root(path)
    return Discovery(
        tuple(sorted(walk.sources.values(), key=lambda source: source.key)),
        tuple(walk.failed),
        tuple(sorted(walk.skipped, key=lambda skipped: skipped.path)),
        frozenset(walk.state),
    )


class _Walk:
    def __init__(self, kinds: dict[str, Kind], exclude: Sequence[str]) -> None:
        self.sources: dict[str, Source] = {}
        self.failed: list[Failure] = []
        self.skipped: list[Skipped] = []
        self.state: set[tuple[str, int, int, int]] = set()
        self._kinds = kinds
        self._exclude = exclude
        self._seen: set[str] = set()
        self._root = ""
        self._exclusions = Exclusions("/", ())
        self._links: list[tuple[str, str]] = []

    def add_root(self, path: Path) -> None:
        try:
            root = path.resolve(strict=True)
            status = root.stat()
        except FileNotFoundError as error:
            raise InputError(Reason("corpus-gone", {"path": str(path)})) from error
        except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
            reason = reason_of_os(error) if isinstance(error, OSError) else Reason("links-in-a-loop")
            raise InputError(Reason("corpus-not-opened", {"path": str(path), "reason": reason})) from error
        if stat.S_ISDIR(status.st_mode):
            self._add_folder(root)
        elif not stat.S_ISREG(status.st_mode):
            raise InputError(Reason("corpus-no-file", {"path": str(path)}))
        elif path.suffix.lower() not in self._kinds:
            known = ", ".join(sorted(self._kinds))
            self.failed.append(Failure(_readable(path.name), Reason("unknown-kind", {"endings": known})))
        else:
            self._add_file(path.name, str(root), status, root.parent.name, named=True)

    def _add_folder(self, root: Path) -> None:
        self._root = str(root)
        self._exclusions = Exclusions(self._root, self._exclude)
        self._links = []
        self._scan(self._root, "")
        # Links come last, so that a file that is also there under its own name keeps that name.
        while self._links:
            link, key = self._links.pop(0)
            self._follow(link, key)

    def _scan(self, folder: str, prefix: str) -> None:
        pending = [(folder, prefix)]
        while pending:
            current, prefix = pending.pop()
            if current in self._seen:
                continue
            self._seen.add(current)
            for entry in self._entries(current, prefix):
                key = prefix + entry.name
                is_link = entry.is_symlink()
                # Of a link, `DirEntry.is_dir` raises what keeps it from being followed.
                is_folder = os.path.isdir(entry.path) if is_link else entry.is_dir(follow_symlinks=False)  # noqa: PTH112
                hidden = Reason("hidden") if entry.name.startswith(_HIDDEN) else None
                if reason := hidden or self._exclusions.find(entry.path, is_folder=is_folder):
                    # A hidden folder counts as one: what it holds is walked at no look.
                    files = (
                        1
                        if hidden or is_link or not is_folder
                        else sum(len(found) for *_, found in os.walk(entry.path))
                    )
                    if files:
                        self._skip(f"{key}/" if is_folder else key, reason, files)
                elif is_link:
                    self._links.append((entry.path, key))
                elif is_folder:
                    pending.append((entry.path, key + "/"))
                else:
                    self._consider(entry.path, key)

    def _entries(self, folder: str, prefix: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                yield from sorted((e for e in entries if not e.name.startswith(_OWN)), key=lambda e: e.name)
        except OSError as error:
            name = _readable(prefix.rstrip("/") or Path(folder).name)
            self.failed.append(Failure(name, Reason("folder-not-opened", {"reason": reason_of_os(error)})))

    def _follow(self, link: str, key: str) -> None:
        try:
            target = os.path.realpath(link, strict=True)
        except OSError:
            self._skip(key, Reason("link-broken"))
            return
        if target != self._root and not target.startswith(self._root.rstrip(os.sep) + os.sep):
            self._skip(key, Reason("link-outside"))
            return
        if Path(target).is_dir():
            self._scan(target, key + "/")
        else:
            self._consider(target, key)

    def _consider(self, path: str, key: str) -> None:
        ending = os.path.splitext(key)[1].lower()  # noqa: PTH122 - Path objects would double the time of a walk
        try:
            status = os.stat(path)  # noqa: PTH116 - as above
        except OSError as error:
            if ending in self._kinds:
                self.failed.append(
                    Failure(_readable(key), Reason("file-not-opened", {"reason": reason_of_os(error)}))
                )
            return
        if not stat.S_ISREG(status.st_mode):
            self._skip(key, Reason("not-a-file"))  # reading a pipe or a device may never end
        elif ending in self._kinds:
            self._add_file(key, path, status, os.path.basename(self._root), named=False)  # noqa: PTH119 - as above
        else:
            self._skip(key, Reason("skipped-kind", {"ending": ending}) if ending else Reason("no-ending"))

    def _skip(self, key: str, reason: Reason, files: int = 1) -> None:
        self.skipped.append(Skipped(_readable(key), reason, files))

    def _add_file(self, key: str, path: str, status: os.stat_result, root_name: str, *, named: bool) -> None:
        if path in self._seen:
            return
        self._seen.add(path)
        self.state.add((path, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
        kind = self._kinds[os.path.splitext(key)[1].lower()]  # noqa: PTH122 - as above
        key = self._unused(_readable(key), _readable(root_name))
        source = Source(key, Path(path), status.st_size, status.st_mtime_ns, kind)
        if kind == "jsonl" and not named:
            source = replace(source, row_prefix=f"{key}#")
        self.sources[key] = source

    def _unused(self, key: str, root_name: str) -> str:
        if key not in self.sources:
            return key
        candidate = f"{root_name}/{key}"
        number = 2
        while candidate in self.sources:
            candidate = f"{root_name}-{number}/{key}"
            number += 1
        return candidate


def _readable(name: str) -> str:
    """The name as storable text: bytes that are not UTF-8 become replacement characters."""
    return os.fsencode(name).decode("utf-8", "replace")
