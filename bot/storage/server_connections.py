"""Replaces connections that PostgreSQL has closed meanwhile, without asking the server.

SQLAlchemy's `pool_pre_ping` sends an empty statement before each use, and the server counts it as a
transaction: half of all transactions of an answer were such pings. A server that stops or ends a connection
closes the socket, which is seen on this side. A server that is cut off without a word is seen by neither way.
"""

from __future__ import annotations

import select

import psycopg
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry


def replace_closed_connections(engine: sa.Engine) -> None:
    """Have each connection looked at before it leaves the pool, and replaced if the server has closed it."""
    event.listen(engine, "checkout", _look_at)


def _look_at(_connection: object, record: ConnectionPoolEntry, _proxy: object) -> None:
    connection = record.driver_connection
    assert isinstance(connection, psycopg.Connection | psycopg.AsyncConnection)
    if connection.closed or _has_something_to_read(connection.fileno()):
        raise sa.exc.DisconnectionError("the server has closed this connection")


def _has_something_to_read(descriptor: int) -> bool:
    """Whether a socket is at its end or holds bytes; to an idle client the server says only its farewell."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
