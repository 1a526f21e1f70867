"""Ids of people and chats name their channel: ``telegram:5`` where the number 5 stood.

The operator of a machine without Telegram was the person 0 and is ``terminal:owner``. In the sums of tokens
and the notices, 0 stood for no chat and nobody in particular, where an empty text stands now. Conversations
in the console had the numbers of their people in their keys.
A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

_PEER = sa.String(100)
_NUMBER = sa.BigInteger()

_COLUMNS = {
    "chats": ("id", "migrated_to"),
    "users": ("id",),
    "asks": ("chat_id", "user_id"),
    "ask_messages": ("chat_id",),
    "sent_messages": ("chat_id",),
    "arrivals": ("chat_id", "user_id"),
    "spent": ("chat_id", "user_id"),
    "notices": ("chat_id", "user_id"),
    "confirmations": ("user_id", "chat_id"),
    "chat_documents": ("chat_id",),
    "logins": ("user_id",),
    "access_requests": ("user_id", "decided_by"),
    "access_request_messages": ("user_id", "admin_id"),
}
_ZERO_IS_NOBODY = {"spent", "notices"}
_NEVER_REUSED = {"asks", "arrivals", "confirmations", "logins"}
"""Tables that number their rows and never give a number twice."""

_CHILDREN = {"asks": "ask_messages", "access_requests": "access_request_messages"}
"""Tables whose rows go with the rows of another table: they are set aside while that one is copied."""

_OTHERS = {"ask_messages": ("message_id", "ask_id"), "access_request_messages": ("message_id",)}
"""The other columns of these."""

_PEOPLE = {
    "messages": ("user_key",),
    "asked": ("user_key",),
    "runs": ("person",),
    "interview_sessions": ("owner",),
    "interview_days": ("owner",),
}
_CONVERSATIONS = ("messages", "summaries", "asked", "runs", "interview_sessions")

_OWNER = "terminal:owner"
_OLD_OWNER = "telegram:0"
_OLD_WEB = re.compile(r"web:([0-9]{1,18}):(.+)")
_NEW_WEB = re.compile(r"web:(?:telegram:([0-9]{1,18})|terminal:owner):(.+)")


def upgrade() -> None:
    """Put the channel in front of each number."""
    for table, columns in _COLUMNS.items():
        _convert(table, columns, _PEER, _to_peer)
    _rename_people(_OLD_OWNER, _OWNER)
    _rename_conversations(_OLD_WEB, _name_anew)


def downgrade() -> None:
    """Take it back."""
    _rename_conversations(_NEW_WEB, lambda found: f"web:{found[1] or 0}:{found[2]}")
    _rename_people(_OWNER, _OLD_OWNER)
    for table, columns in _COLUMNS.items():
        _convert(table, columns, _NUMBER, _to_number)


def _to_peer(column: str, table: str) -> str:
    zero = "" if table in _ZERO_IS_NOBODY else _OWNER
    return f"CASE {column} WHEN 0 THEN '{zero}' ELSE 'telegram:' || {column} END"


def _to_number(column: str, _table: str) -> str:
    number = f"CAST(substr({column}, 10) AS BIGINT)"
    return (
        f"CASE WHEN substr({column}, 1, 9) = 'telegram:' THEN {number} WHEN {column} IS NOT NULL THEN 0 END"
    )


def _name_anew(found: re.Match[str]) -> str:
    person = f"telegram:{found[1]}" if int(found[1]) else _OWNER
    return f"web:{person}:{found[2]}"


def _convert(
    table: str, columns: tuple[str, ...], new: sa.String | sa.BigInteger, convert: Callable[[str, str], str]
) -> None:
    if table in _CHILDREN.values():
        return  # with the table whose rows it follows
    child = _CHILDREN.get(table)
    tables = {table: columns} | ({child: _COLUMNS[child]} if child else {})
    (_alter if op.get_context().dialect.name == "postgresql" else _copy)(tables, new, convert)


def _alter(
    tables: dict[str, tuple[str, ...]],
    new: sa.String | sa.BigInteger,
    convert: Callable[[str, str], str],
) -> None:
    """Change the types of columns on PostgreSQL."""
    is_tied = "access_requests" in tables
    if is_tied:
        op.drop_constraint("fk_access_request_messages_user_id", "access_request_messages")
    for table, columns in tables.items():
        for column in columns:
            op.alter_column(table, column, type_=new, postgresql_using=convert(column, table))
    if is_tied:
        op.create_foreign_key(
            "fk_access_request_messages_user_id",
            "access_request_messages",
            "access_requests",
            ["user_id"],
            ["user_id"],
            ondelete="CASCADE",
        )


def _copy(
    tables: dict[str, tuple[str, ...]],
    new: sa.String | sa.BigInteger,
    convert: Callable[[str, str], str],
) -> None:
    """Change the types of columns on SQLite, which copies the tables."""
    parent, *children = tables
    bind = op.get_bind()
    aside: dict[str, list[dict[str, object]]] = {}
    for child in children:
        converted: list[sa.ColumnElement[object]] = [
            sa.literal_column(convert(name, child)).label(name) for name in tables[child]
        ]
        others: list[sa.ColumnClause[object]] = [sa.column(name) for name in _OTHERS[child]]
        rows = bind.execute(sa.select(*converted, *others).select_from(sa.table(child)))
        aside[child] = [dict(row) for row in rows.mappings()]
        op.execute(sa.delete(sa.table(child)))
    last = _last_number(parent)
    _update(parent, tables[parent], convert)
    for table, columns in tables.items():
        options = {"sqlite_autoincrement": True} if table in _NEVER_REUSED else {}
        with op.batch_alter_table(table, recreate="always", table_kwargs=options) as batch:
            for column in columns:
                batch.alter_column(column, type_=new)
    for child, kept in aside.items():
        op.bulk_insert(_table(child, *tables[child], *_OTHERS[child]), kept)
    if last:
        sequence = _table("sqlite_sequence", "name", "seq")
        op.execute(sa.delete(sequence).where(sequence.c.name == parent))
        op.bulk_insert(sequence, [{"name": parent, "seq": last}])


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(column) for column in columns))


def _update(table: str, columns: tuple[str, ...], convert: Callable[[str, str], str]) -> None:
    changes: dict[str, sa.ColumnClause[object]] = {
        column: sa.literal_column(convert(column, table)) for column in columns
    }
    op.execute(sa.update(_table(table, *columns)).values(changes))


def _last_number(table: str) -> int:
    if table not in _NEVER_REUSED:
        return 0
    sequence = _table("sqlite_sequence", "name", "seq")
    return int(op.get_bind().scalar(sa.select(sequence.c.seq).where(sequence.c.name == table)) or 0)


def _rename_people(old: str, new: str) -> None:
    for name, columns in _PEOPLE.items():
        table = _table(name, *columns)
        for column in table.c:
            op.execute(sa.update(table).where(column == old).values({column: new}))


def _rename_conversations(pattern: re.Pattern[str], rename: Callable[[re.Match[str]], str]) -> None:
    bind = op.get_bind()
    conversations = _table("conversations", "id", "created_at")
    tables = [_table(name, "conversation_id") for name in _CONVERSATIONS]
    ids = {
        found
        for column in (conversations.c.id, *(table.c.conversation_id for table in tables))
        for found in bind.scalars(sa.select(column).where(column.like("web:%")).distinct())
    }
    for old in sorted(ids):
        if not (matched := pattern.fullmatch(old)):
            continue
        new = rename(matched)
        renamed = sa.select(sa.literal(new), conversations.c.created_at).where(conversations.c.id == old)
        bind.execute(sa.insert(conversations).from_select(["id", "created_at"], renamed))
        for table in tables:
            moved = sa.update(table).where(table.c.conversation_id == old)
            bind.execute(moved.values(conversation_id=new))
        bind.execute(sa.delete(conversations).where(conversations.c.id == old))
