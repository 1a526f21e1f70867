"""Says which files of a folder are left out: by the patterns of a setting, and by ``.gitignore`` files."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

from pathspec import GitIgnoreSpec, RegexPattern

from rag.reasons import Reason

_IGNORE_FILE: Final = ".gitignore"
_READ_BYTES: Final = 100_000
_FOLDER_MARK: Final = "ps_d"
"""The group in which the expressions of `pathspec` match the slash behind a folder."""
_MOST_STARS: Final = 3
"""A name in a pattern with more of them could take forever to compare; such a pattern is not applied."""

_Ignores: TypeAlias = tuple[tuple[str, GitIgnoreSpec], ...]


class Exclusions:
    """What is left out below one folder of the corpus.

    ``.gitignore`` files count from the top of the checkout that holds the folder, unless the folder itself is
    ignored there: whoever names it wants it read.

    `root` is an absolute path without links; the patterns are relative to it, as in a ``.gitignore`` file.
    """

    def __init__(self, root: str, patterns: Sequence[str]) -> None:
        self._root = root
        self._spec = GitIgnoreSpec.from_lines(patterns)
        self._known: dict[str, _Ignores] = {}
        places = (Path(root), *Path(root).parents)
        self._top = next((str(place) for place in places if (place / ".git").exists()), root)
        if any(
            self._is_ignored(str(place), is_folder=True)
            for place in places
            if len(str(place)) > len(self._top)
        ):
            self._top = root
            self._known.clear()

    def find(self, path: str, *, is_folder: bool) -> Reason | None:
        """Return why a file or a folder below the root is left out; None when it is read."""
        if found := _find_pattern(self._spec, _below(self._root, path, is_folder=is_folder)):
            return Reason("excluded", {"pattern": str(found.pattern)})
        return Reason("git-ignored") if self._is_ignored(path, is_folder=is_folder) else None

    def _is_ignored(self, path: str, *, is_folder: bool) -> bool:
        for folder, spec in self._ignores(os.path.dirname(path)):  # noqa: PTH120 - Path objects are slow
            if found := _find_pattern(spec, _below(folder, path, is_folder=is_folder)):
                return bool(found.include)
        return False

    def _ignores(self, folder: str) -> _Ignores:
        """The ``.gitignore`` files that count in a folder, the nearest first."""
        if folder not in self._known:
            above = () if folder == self._top else self._ignores(os.path.dirname(folder))  # noqa: PTH120
            spec = _read(os.path.join(folder, _IGNORE_FILE))  # noqa: PTH118
            self._known[folder] = ((folder, spec), *above) if spec else above
        return self._known[folder]


def is_usable(pattern: str) -> bool:
    """Return whether a pattern is one of a ``.gitignore`` file, and quickly compared with any name."""
    try:
        GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error):
        return False
    names = pattern.replace("**/", "").replace("/**", "")
    return names.count("*") <= _MOST_STARS and pattern.count("*") <= 3 * _MOST_STARS


def _read(path: str) -> GitIgnoreSpec | None:
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            lines = file.read(_READ_BYTES).splitlines()
    except OSError:
        return None  # what cannot be read hides nothing
    return GitIgnoreSpec.from_lines(filter(is_usable, lines))


def _find_pattern(spec: GitIgnoreSpec, path: str) -> RegexPattern | None:
    """The last pattern that names this very path; `GitIgnoreSpec` also takes those that name its folder."""
    for pattern in reversed(spec.patterns):
        assert isinstance(pattern, RegexPattern)  # as all patterns of a `GitIgnoreSpec`
        if pattern.include is None or pattern.regex is None:
            continue  # a blank line or a comment
        found = pattern.regex.search(path)
        while found and found.groupdict().get(_FOLDER_MARK) and found.end() < len(path):
            found = pattern.regex.search(path, found.end())
        if found:
            return pattern
    return None


def _below(folder: str, path: str, *, is_folder: bool) -> str:
    relative = path[len(folder.rstrip(os.sep)) + 1 :]
    return f"{relative}/" if is_folder else relative
