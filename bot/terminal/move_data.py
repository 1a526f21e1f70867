"""``thinktwice move-data``: moves what the SQLite file holds to the PostgreSQL database of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from rich.console import Console

from bot.documents.shared import open_shared
from bot.settings.tree import Settings
from bot.storage import data_folder
from bot.storage.database import FILE_NAME, open_database
from bot.storage.database_copy import copy_rows
from rag.errors import OperatorError


def move_data(overrides: dict[str, object]) -> int:
    """Copy everything to the database that the settings name; the file stays as it is.

    Raises:
        OperatorError: no database is named, there is no file, a bot runs, or a database cannot be used.
    """
    settings = Settings.load(**overrides)
    url = settings.database_url.get_secret_value()
    if not url:
        raise OperatorError("there is nowhere to move to: set THINKTWICE_DATABASE_URL to the new database")
    path = settings.data_dir / FILE_NAME
    if not path.exists():
        raise OperatorError(f"there is nothing to move: {path} does not exist")
    with data_folder.alone_in(settings.data_dir):
        counts = asyncio.run(_moved(settings, url))
        shared = open_shared(settings)
        assert shared is not None  # there is an address
        shared.refresh()
    rows = sum(counts.values())
    shown = ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{rows:,} rows moved{f': {shown}' if shown else ''}.")
    console.print("The added documents and the index are in the database as well; every machine copies them.")
    console.print(f"{path} was not changed: keep it as a backup.")
    return 0


async def _moved(settings: Settings, url: str) -> Mapping[str, int]:
    async with open_database(settings.data_dir) as source, open_database(settings.data_dir, url) as target:
        return await copy_rows(source, target)
