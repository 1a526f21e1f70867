"""What is played in a bot for crash tests."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

CLOCK = "CRASH_CLOCK_SECONDS"
"""Variable of the seconds that the clock of the process is ahead."""

NEWER = "CRASH_NEWER_VERSION"
"""Variable of a later version that the process is to be, with a migration that older ones bear."""


def play(words: list[str], points_file: str) -> int:
    """Run ``thinktwice`` with `words`; return its exit code.

    At each point of `bot.kill_points` it looks into the file `points_file`, whose first line names the point at
    which it kills itself; the file beside it (``.passed``) gets every point that it passed. Its vectors come from
    hashes.
    """
    import rag.knowledge.search
    import rag.knowledge.sync
    from bot import cli, kill_points
    from bot.exit_codes import reported
    from bot.jobs import attempts
    from rag.knowledge.embedder import Vectors
    from rag.knowledge.embeddings.hashed import HashedEmbedder
    from rag.knowledge.search import KnowledgeBase

    _shift_clock(float(os.environ.get(CLOCK, "0")))
    if os.environ.get(NEWER):
        _become_newer()
    # What crashes here is the cause itself; nobody waits to see whether something else ends the process.
    attempts.SETTLED_SECONDS = 0.3
    points = Path(points_file)

    class Embedder(HashedEmbedder):
        """Passes a point when passages are embedded and nothing of it is stored yet."""

        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            vectors = super().embed_passages(texts)
            strike("passages embedded")
            return vectors

        def embed_queries(self, texts: Sequence[str]) -> Vectors:
            return super().embed_passages(texts)

    embedder = Embedder()
    rag.knowledge.sync.open_embedder = lambda *_args: embedder  # type: ignore[attr-defined]
    rag.knowledge.search.open_embedder = lambda *_args: embedder  # type: ignore[attr-defined]
    whole = KnowledgeBase.open

    def quickly(*args: Any, **more: Any) -> KnowledgeBase:
        return whole(*args, **{**more, "use_chroma": False})

    KnowledgeBase.open = quickly  # type: ignore[method-assign]
    passed = os.open(f"{points}.passed", os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def strike(name: str) -> None:
        os.write(passed, f"{name}\n".encode())
        if points.exists() and points.read_text().strip() == name:
            os.kill(os.getpid(), signal.SIGKILL)

    kill_points.strike = strike
    sys.argv = ["thinktwice", *words]
    return reported(cli.app)


def _shift_clock(seconds: float) -> None:
    import time

    import bot.clock

    whole = time.time
    time.time = lambda: whole() + seconds

    class Shifted(datetime):
        """A clock that is wrong."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + timedelta(seconds=seconds)

    bot.clock.datetime = Shifted  # type: ignore[attr-defined]


def _become_newer() -> None:
    import importlib.metadata

    from sqlalchemy import Connection

    from bot.storage import migrations

    whole, version = migrations.upgrade, importlib.metadata.version
    oldest = migrations.HEAD

    def upgrade(connection: Connection) -> None:
        whole(connection, oldest)
        connection.exec_driver_sql("ALTER TABLE machines ADD COLUMN room TEXT")
        connection.exec_driver_sql("CREATE TABLE rooms (id TEXT PRIMARY KEY)")
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{migrations.HEAD}'")

    migrations.HEAD, migrations.OLDEST = "9000", oldest
    migrations.upgrade = upgrade  # type: ignore[assignment]

    def newer(distribution_name: str) -> str:
        return os.environ[NEWER] if distribution_name == "thinktwice" else version(distribution_name)

    importlib.metadata.version = newer
