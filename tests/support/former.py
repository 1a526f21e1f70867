"""Puts what an earlier version has written into new databases."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from bot.storage.database import FILE_NAME
from tests.support.postgres import PostgresServer

_SCRIPTS = Path(__file__).parents[1] / "integration" / "former"


def restore(path: Path, *names: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for name in names:
            connection.executescript((_SCRIPTS / f"{name}.sql").read_text("utf-8"))


def restore_last_release(folder: Path, *more: str) -> None:
    """Make the SQLite database of the last release in a data folder, with the rows of more scripts."""
    restore(folder / FILE_NAME, "last_release.sqlite", *more)


def restore_last_release_on(server: PostgresServer) -> str:
    url = server.new_database()
    with psycopg.connect(url) as connection:
        connection.execute((_SCRIPTS / "last_release.postgres.sql").read_bytes())
    return url
