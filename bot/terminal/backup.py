"""``thinktwice backup`` and ``thinktwice restore``."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from bot import backups
from bot.documents.shared import open_shared
from bot.service.errors import StorageError
from bot.settings.tree import Settings
from bot.texts.figures import date_time, size


def back_up(overrides: dict[str, object], archive: Path) -> int:
    """Back the data folder up to an archive; the bot may run meanwhile."""
    settings = Settings.load(**overrides)
    console = Console(highlight=False, soft_wrap=True, markup=False)
    shared = open_shared(settings)
    if shared is not None:
        try:
            shared.refresh()
        except StorageError as exc:
            console.print(f"The documents are those of this machine's last copy: {exc}.")
    backup = backups.back_up(settings.data_dir, archive)
    console.print(f"{archive}: {_describe(backup)}")
    console.print(
        "Settings, keys and the documents of your own folders are not in it: back them up yourself."
    )
    if shared is not None:
        console.print(
            "Of what PostgreSQL holds, only the added documents and the index are in it: "
            "back that database up with pg_dump."
        )
    return 0


def restore(overrides: dict[str, object], archive: Path, *, replaces: bool) -> int:
    """Restore the data folder from an archive."""
    settings = Settings.load(**overrides)
    backup = backups.restore(archive, settings.data_dir, replaces=replaces)
    console = Console(highlight=False, soft_wrap=True, markup=False)
    console.print(f"{settings.data_dir} is as it was at {date_time(backup.made_at)}: {_describe(backup)}")
    console.print("The search index is built again at the next start.")
    return 0


def _describe(backup: backups.Backup) -> str:
    databases = sum(name.endswith(".sqlite3") for name in backup.sizes)
    others = len(backup.sizes) - databases
    whole = size(sum(backup.sizes.values()), "en")
    return f"databases {databases}, added files {others}, {whole} in all"
