"""The bot that a database belongs to.

Chats, conversations and the work in progress carry no bot: private chats have the same id for every bot, but
other messages. So a second bot on the same data would answer into the first one's conversations.
"""

from __future__ import annotations

from typing import Protocol

import sqlalchemy as sa

from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import bots
from rag.errors import OperatorError


class OtherBotError(OperatorError):
    """The data belong to another bot."""

    def __init__(self, owner: str, other: str, place: str) -> None:
        super().__init__(
            f"the data in {place} belong to another bot, {owner}: start with the token of that bot, or give "
            f"{other} data of its own (another --data-dir or THINKTWICE_DATABASE_URL)"
        )


class Bot(Protocol):
    """A bot, as `getMe` tells; `bot.service.incoming.Me` is one."""

    @property
    def id(self) -> int:
        """The id of the bot, which stays the same with a new token."""
        ...

    @property
    def username(self) -> str:
        """Without @."""
        ...


async def assign(database: Database, bot: Bot) -> None:
    """Let the data belong to a bot, unless they belong to another one already.

    Raises:
        OtherBotError: they belong to another bot.
        StorageError: the database cannot be used.
    """
    async with database.writing() as connection:
        owner = (await connection.execute(sa.select(bots).where(bots.c.id != bot.id))).first()
        if owner is not None:
            raise OtherBotError(
                _named(owner.id, owner.username), _named(bot.id, bot.username), database.place
            )
        name = {"username": bot.username}
        await connection.execute(
            insert(connection, bots)
            .values(id=bot.id, **name)
            .on_conflict_do_update(index_elements=[bots.c.id], set_=name)
        )


def _named(bot_id: int, username: str) -> str:
    return f"@{username} ({bot_id})"
