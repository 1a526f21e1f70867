"""``thinktwice run`` as one machine of several: who it is, and its place among the others."""

from __future__ import annotations

import asyncio
import importlib.metadata
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.fleet.leading import Leading
from bot.fleet.machines import Machines
from bot.fleet.membership import Membership
from bot.storage.data_folder import DataFolderError

if TYPE_CHECKING:
    from bot.jobs.runner import Jobs
    from bot.service.fence import Fence
    from bot.settings.tree import Settings
    from bot.storage.database import Database

ALONE: Final = "main"
"""Name of the machine that has its work in a file."""

_NAME_FILE: Final = "machine"
UPDATES: Final = "telegram-updates"
DOCUMENTS: Final = "documents"
ROOMS: Final = "matrix-rooms"


def name_machine(settings: Settings) -> str:
    """Return the name of this machine; a name that it gave itself is kept in its data folder.

    Raises:
        DataFolderError: The name cannot be kept.
    """
    if settings.instance:
        return settings.instance
    if not settings.database_url.get_secret_value():
        return ALONE
    return _own_name(settings.data_dir / _NAME_FILE)


def _own_name(file: Path) -> str:
    try:
        if file.exists() and (name := file.read_text("utf-8").strip()):
            return name
        name = f"{socket.gethostname()[:40]}-{secrets.token_hex(4)}"
        file.write_text(f"{name}\n", "utf-8")
    except (OSError, UnicodeError) as exc:
        raise DataFolderError(f"the name of this machine cannot be kept in {file} ({exc})") from exc
    return name


@dataclass(frozen=True, slots=True)
class Fleet:
    """The place of this machine among others; `heartbeats` ends only with the error that ends the machine."""

    machines: Machines
    membership: Membership
    heartbeats: asyncio.Task[None]

    async def lead(self, lease: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do work whenever no other machine does; an error of the work ends it."""
        await Leading(self.machines, lease, self.membership.machine).run(work)

    async def is_first(self) -> bool:
        """Return whether no other machine is recorded."""
        return all(known.id == self.membership.machine for known in await self.machines.list())


@asynccontextmanager
async def join_fleet(
    database: Database, machine: str, jobs: Jobs, fence: Fence
) -> AsyncIterator[Fleet | None]:
    """Be a machine of the fleet that shares a database; with a SQLite file, yield None.

    Args:
        fence: Closed while the others may declare this machine dead.

    Raises:
        StorageError: The database cannot be used.
    """
    if not database.is_server:
        yield None
        return
    machines = Machines(database)
    version = importlib.metadata.version("thinktwice")
    membership = Membership(
        machines, machine, version, fence=fence, at_work=lambda: jobs.at_work, take_over=jobs.take_over
    )
    await membership.join()
    heartbeats = asyncio.create_task(membership.run())
    try:
        yield Fleet(machines, membership, heartbeats)
    finally:
        heartbeats.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await heartbeats
        await membership.leave()
