"""Finds the settings files to read: the user's own, but not those that come with a folder of documents.

A settings file decides which server gets a key and which model reads the documents. So `thinktwice.toml` and
`.env` in the current folder are read only if the user trusted the folder once (`thinktwice trust`) or if it
is the data folder that the environment names. The user's own files are in the configuration folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

CONFIG_FILE = "thinktwice.toml"
VARIABLES_FILE = ".env"
_TRUSTED = "trusted"
_OURS = ("THINKTWICE_", "OPENAI_")


@dataclass(frozen=True, slots=True)
class Files:
    """The settings files of this user; `ignored` ones lie in a folder that the user has not trusted."""

    table: Path | None
    variables: Path | None
    ignored: tuple[Path, ...]


def find(environment: Mapping[str, str]) -> Files:
    """Find the settings files: in the current folder if it is trusted, else in the configuration folder."""
    here, own = Path.cwd(), config_folder()
    is_read = is_trusted(here, environment)
    folders = (here, own) if is_read else (own,)
    return Files(
        table=_first(folders, CONFIG_FILE, Path.exists),
        variables=_first(folders, VARIABLES_FILE, _is_file),
        ignored=() if is_read else tuple(filter(_is_ours, (here / CONFIG_FILE, here / VARIABLES_FILE))),
    )


def config_folder() -> Path:
    """Return the folder of the user's own settings files; ``XDG_CONFIG_HOME`` can move it."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    # The XDG specification says that a relative path in this variable must be ignored.
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".config") / "thinktwice"


def is_trusted(folder: Path, environment: Mapping[str, str]) -> bool:
    """Return whether the settings files of a folder may be read."""
    data_folder = environment.get("THINKTWICE_DATA_DIR", "").strip()
    own = [config_folder(), *([Path(data_folder).expanduser()] if data_folder else [])]
    return folder.resolve() in {path.resolve() for path in (*own, *trusted_folders())}


def trusted_folders() -> tuple[Path, ...]:
    """Return the folders that the user has trusted."""
    try:
        lines = (config_folder() / _TRUSTED).read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except OSError:
        return ()
    return tuple(Path(line) for line in lines if line)


def trust(folder: Path) -> None:
    """Record that the settings files of a folder may be read from now on; raise `OSError` if that fails."""
    known = trusted_folders()
    folder = folder.resolve()
    if folder in known:
        return
    config_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    text = "".join(f"{path}\n" for path in (*known, folder))
    (config_folder() / _TRUSTED).write_text(text, encoding="utf-8", errors="surrogateescape")


def _first(folders: tuple[Path, ...], name: str, is_there: Callable[[Path], bool]) -> Path | None:
    return next((folder / name for folder in folders if is_there(folder / name)), None)


def _is_file(path: Path) -> bool:
    # A folder with this name is a Python environment.
    return path.exists() and not path.is_dir()


def _is_ours(path: Path) -> bool:
    """Return whether a file sets something of this program: many projects have an `.env` of their own."""
    if path.name != VARIABLES_FILE:
        return path.exists()
    if not _is_file(path):
        return False
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(name in text.upper() for name in _OURS)


def default_data_dir() -> Path:
    """Return the data folder when no setting names one."""
    base = os.environ.get("XDG_DATA_HOME", "")
    # The XDG rules say that a relative path there is to be ignored.
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "thinktwice"
