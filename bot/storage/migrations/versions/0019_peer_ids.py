"""Ids of people and chats name their channel: ``telegram:5`` where the number 5 stood.

In the sums of tokens and the notices, 0 stood for no chat and nobody in particular, where an empty text
stands now. Elsewhere 0 was the operator of a machine without Telegram. On the way back, both are 0 again, so
the operator's own sums and notices go.
A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

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
_ZERO_IS_NOBODY = ("spent", "notices")
_NEVER_REUSED = {"asks", "arrivals", "confirmations", "logins"}
"""These tables number their rows, and never use the number of a deleted row again."""

_CHILDREN = {"asks": "ask_messages", "access_requests": "access_request_messages"}
"""Tables whose rows go with the rows of another table: they are set aside while that one is copied."""

_OTHERS = {"ask_messages": ("message_id", "ask_id"), "access_request_messages": ("message_id",)}
"""The other columns of these."""

_OPERATOR = "telegram:0"

_Columns = tuple[str, ...]
_Convert = Callable[[str, str], str]


def upgrade() -> None:
    """Put the channel in front of each number."""
    _convert_all(_PEER, _to_peer)


def downgrade() -> None:
    """Take it back."""
    for name in _ZERO_IS_NOBODY:
        table = _table(name, *_COLUMNS[name])
        op.execute(sa.delete(table).where(sa.or_(*(column == _OPERATOR for column in table.c))))
    _convert_all(_NUMBER, _to_number)


def _to_peer(column: str, table: str) -> str:
    peer = f"'telegram:' || {column}"
    return f"CASE {column} WHEN 0 THEN '' ELSE {peer} END" if table in _ZERO_IS_NOBODY else peer


def _to_number(column: str, _table: str) -> str:
    return f"CASE {column} WHEN '' THEN 0 ELSE CAST(substr({column}, 10) AS BIGINT) END"


def _convert_all(new: sa.String | sa.BigInteger, convert: _Convert) -> None:
    change = _alter if op.get_context().dialect.name == "postgresql" else _copy
    for table, columns in _COLUMNS.items():
        if table not in _CHILDREN.values():  # these are changed with the table whose rows they go with
            child = _CHILDREN.get(table)
            change({table: columns} | ({child: _COLUMNS[child]} if child else {}), new, convert)


def _alter(tables: dict[str, _Columns], new: sa.String | sa.BigInteger, convert: _Convert) -> None:
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


def _copy(tables: dict[str, _Columns], new: sa.String | sa.BigInteger, convert: _Convert) -> None:
    """Change the types of columns on SQLite, which copies the tables."""
    parent, *children = tables
    for child in children:
        _set_aside(child, tables[child], new, convert)
    last = _last_number(parent)
    _update(parent, tables[parent], convert)
    for table, columns in tables.items():
        options = {"sqlite_autoincrement": True} if table in _NEVER_REUSED else {}
        with op.batch_alter_table(table, recreate="always", table_kwargs=options) as batch:
            for column in columns:
                batch.alter_column(column, type_=new)
    for child in children:
        _bring_back(child, tables[child])
    if last:
        sequence = _table("sqlite_sequence", "name", "seq")
        op.execute(sa.delete(sequence).where(sequence.c.name == parent))
        op.bulk_insert(sequence, [{"name": parent, "seq": last}])


def _set_aside(child: str, columns: _Columns, new: sa.String | sa.BigInteger, convert: _Convert) -> None:
    others = _OTHERS[child]
    aside = op.create_table(
        "aside",
        *(sa.Column(column, new) for column in columns),
        *(sa.Column(column, _NUMBER) for column in others),
        prefixes=["TEMPORARY"],
    )
    converted: list[sa.ColumnElement[object]] = [sa.literal_column(convert(name, child)) for name in columns]
    rows = sa.select(*converted, *map(sa.column, others)).select_from(sa.table(child))
    op.execute(sa.insert(aside).from_select([*columns, *others], rows))
    op.execute(sa.delete(sa.table(child)))


def _bring_back(child: str, columns: _Columns) -> None:
    names = (*columns, *_OTHERS[child])
    op.execute(sa.insert(_table(child, *names)).from_select(names, sa.select(_table("aside", *names))))
    op.drop_table("aside")


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns))


def _update(table: str, columns: _Columns, convert: _Convert) -> None:
    changes: dict[str, sa.ColumnClause[object]] = {
        column: sa.literal_column(convert(column, table)) for column in columns
    }
    op.execute(sa.update(_table(table, *columns)).values(changes))


def _last_number(table: str) -> int:
    if table not in _NEVER_REUSED:
        return 0
    sequence = _table("sqlite_sequence", "name", "seq")
    return int(op.get_bind().scalar(sa.select(sequence.c.seq).where(sequence.c.name == table)) or 0)
