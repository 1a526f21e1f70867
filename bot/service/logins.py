"""Logins of the console: a one-time link opens a session, and a token admits a program.

Each is a long random secret of which only a hash is stored. The rights of its owner are not stored with it
but looked up each time, so a denied person loses access at once.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from bot.service.keys import PeerId

LoginKind = Literal["link", "session", "token"]

LINK_LIFETIME: Final = timedelta(minutes=10)

TOKEN_PREFIX: Final = "tt_"  # noqa: S105 - how all tokens begin, so that one is recognised where it must not be
_SECRET_BYTES: Final = 32

_LONGEST_NAME: Final = 80
"""Largest number of characters of a token's name."""


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of a program, without its secret; the program has the rights of the person who made it."""

    id: int
    user_id: PeerId
    name: str
    created_at: datetime


class LoginStore(Protocol):
    """Stores hashes of secrets; see `bot.storage.logins.StoredLogins`. Methods raise `StorageError`."""

    async def add(
        self, kind: LoginKind, hashed: str, user_id: PeerId, lifetime: timedelta | None, name: str = ""
    ) -> None:
        """Store the hash of a secret; without a lifetime it is valid until it is revoked."""
        ...

    async def find(self, kind: LoginKind, hashed: str) -> PeerId | None:
        """Return the user id that a secret belongs to, or None when the secret is unknown or has expired."""
        ...

    async def take(self, kind: LoginKind, hashed: str) -> PeerId | None:
        """Return what `find` returns, and delete the secret, which works once."""
        ...

    async def tokens(self) -> tuple[ApiToken, ...]:
        """Return the tokens of programs, newest first."""
        ...

    async def revoke(self, token_id: int) -> bool:
        """Delete a token; return whether it existed."""
        ...


class Logins:
    """Makes and checks secrets. Every method raises `StorageError` when the store cannot be used."""

    def __init__(self, store: LoginStore, session_lifetime: timedelta = timedelta(days=7)) -> None:
        self._store = store
        self.session_lifetime = session_lifetime

    async def link(self, user_id: PeerId) -> str:
        """Make a link that logs this person in, once and within `LINK_LIFETIME`; return its secret."""
        return await self._make("link", user_id, LINK_LIFETIME)

    async def open_session(self, link: str) -> str | None:
        """Open a session with the secret of a link; return the session's secret, or None."""
        user_id = await self._store.take("link", _hash(link))
        return None if user_id is None else await self._make("session", user_id, self.session_lifetime)

    async def close_session(self, session: str) -> None:
        """End a session."""
        await self._store.take("session", _hash(session))

    async def user_of_session(self, session: str) -> PeerId | None:
        """Return the user id that a session belongs to, or None."""
        return await self._store.find("session", _hash(session))

    async def token(self, user_id: PeerId, name: str) -> str:
        """Make a token for programs that act for this person; the returned secret cannot be read again."""
        return await self._make("token", user_id, None, " ".join(name.split())[:_LONGEST_NAME])

    async def user_of_token(self, token: str) -> PeerId | None:
        """Return the user id that a token belongs to, or None."""
        return await self._store.find("token", _hash(token))

    async def tokens(self) -> tuple[ApiToken, ...]:
        """Return the tokens of programs, newest first."""
        return await self._store.tokens()

    async def revoke(self, token_id: int) -> bool:
        """Revoke a token; return whether it existed."""
        return await self._store.revoke(token_id)

    async def _make(
        self, kind: LoginKind, user_id: PeerId, lifetime: timedelta | None, name: str = ""
    ) -> str:
        secret = (TOKEN_PREFIX if kind == "token" else "") + secrets.token_urlsafe(_SECRET_BYTES)
        await self._store.add(kind, _hash(secret), user_id, lifetime, name)
        return secret


def _hash(secret: str) -> str:
    # No salt and no slow hash: the secret is random and as long as a key.
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
