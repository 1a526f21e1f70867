"""The port between a sync and the database of documents, passages and vectors.

`rag.knowledge.store.Store` keeps them in a SQLite file, which is searched as well. An application that runs
on several machines can hand in another implementation, such as one on a server; each machine then searches a
`Store` of its own, which `rag.knowledge.copying` brings to the state of the origin.

Statements are written once for every database, in SQL that SQLite and PostgreSQL share, with values by name
(``:key``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

Row: TypeAlias = Sequence[Any]
"""One row of a result, in the order of the selected columns."""

_TOGETHER = 500
"""Values of one ``IN (…)``; databases limit the values of a statement."""


class Rows(Protocol):
    """The rows that a statement returned."""

    def fetchone(self) -> Any:  # noqa: ANN401 - None or a row, whose values have the types of the columns
        """The next row, or None."""
        ...

    def fetchall(self) -> Sequence[Any]:
        """All rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        ...


class Connection(Protocol):
    """A connection in a transaction; `sqlite3.Connection` is one."""

    def execute(self, statement: str, values: Mapping[str, Any] = ..., /) -> Rows:
        """Execute one statement."""
        ...

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> object:
        """Execute one statement for each of the given values."""
        ...


Writing: TypeAlias = Callable[[], AbstractContextManager[Connection]]
"""Opens a write transaction: committed at the end, rolled back on an exception."""


class Origin(Protocol):
    """A database of documents, passages and vectors; every method may be called from any thread."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection that sees a snapshot; raise `ThinkTwiceError` if it cannot be read."""
        ...

    def alone(self) -> AbstractContextManager[Writing]:
        """Be the only one who writes, among all processes and machines that share the database.

        Yields:
            Opens write transactions, until the end of the context or until somebody else took over because
            this process recorded no heartbeat.

        Raises:
            KnowledgeBusyError: Somebody else writes, or has taken over.
            ThinkTwiceError: The database cannot be written.
        """
        ...


def select_in(
    connection: Connection, statement: str, wanted: Iterable[str], values: Mapping[str, Any] | None = None
) -> Iterator[Row]:
    """Yield the rows for many values of a column, however many there are."""
    listed = list(wanted)
    for start in range(0, len(listed), _TOGETHER):
        named = {f"w{number}": value for number, value in enumerate(listed[start : start + _TOGETHER])}
        places = ", ".join(f":{name}" for name in named)
        yield from connection.execute(statement.format(wanted=places), {**(values or {}), **named})
