"""Who uses the console: a one-time link opens a session, and a token lets a program in.

Each is a long random secret of which only a hash is kept. What its owner may do is not kept with it: that is
looked up each time, so a person who was denied is out at once.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

LoginKind = Literal["link", "session", "token"]

LINK_LIFETIME: Final = timedelta(minutes=10)

TOKEN_PREFIX: Final = "tt_"  # noqa: S105 - how all tokens begin, so that one is recognised where it must not be
_SECRET_BYTES: Final = 32

_LONGEST_NAME: Final = 80
"""Characters of what a token is for."""


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of a program, without its secret.

    Args:
        id: By which it is revoked.
        user_id: Who made it; the program may do what this person may.
        name: What it is for.
        created_at: When it was made.
    """

    id: int
    user_id: int
    name: str
    created_at: datetime


class LoginStore(Protocol):
    """Keeps hashes of secrets; see `bot.storage.logins.StoredLogins`. Raises `StorageError`."""

    async def add(
        self, kind: LoginKind, hashed: str, user_id: int, lifetime: timedelta | None, name: str = ""
    ) -> None:
        """Keep a secret; without a lifetime, until it is revoked."""
        ...

    async def find(self, kind: LoginKind, hashed: str) -> int | None:
        """Return whose secret it is, if it is still good."""
        ...

    async def take(self, kind: LoginKind, hashed: str) -> int | None:
        """Return the same, and forget the secret: it works once."""
        ...

    async def tokens(self) -> tuple[ApiToken, ...]:
        """Return the tokens of programs, newest first."""
        ...

    async def revoke(self, token_id: int) -> bool:
        """Forget a token; say whether there was one."""
        ...


class Logins:
    """Makes and checks secrets. Every method raises `StorageError` when the store cannot be used.

    Args:
        store: Keeps their hashes.
        session_lifetime: How long somebody who has logged in stays so.
    """

    def __init__(self, store: LoginStore, session_lifetime: timedelta = timedelta(days=7)) -> None:
        self._store = store
        self.session_lifetime = session_lifetime

    async def link(self, user_id: int) -> str:
        """Return the secret of a link that logs this person in, once and within `LINK_LIFETIME`."""
        return await self._made("link", user_id, LINK_LIFETIME)

    async def open_session(self, link: str) -> str | None:
        """Return the secret of a session for whoever has the secret of a link, or None."""
        user_id = await self._store.take("link", _hashed(link))
        return None if user_id is None else await self._made("session", user_id, self.session_lifetime)

    async def close_session(self, session: str) -> None:
        """End a session."""
        await self._store.take("session", _hashed(session))

    async def user_of_session(self, session: str) -> int | None:
        """Return whose session it is, or None."""
        return await self._store.find("session", _hashed(session))

    async def token(self, user_id: int, name: str) -> str:
        """Return a new token for programs that act for this person; it is not shown again."""
        return await self._made("token", user_id, None, " ".join(name.split())[:_LONGEST_NAME])

    async def user_of_token(self, token: str) -> int | None:
        """Return for whom a program with this token acts, or None."""
        return await self._store.find("token", _hashed(token))

    async def tokens(self) -> tuple[ApiToken, ...]:
        """Return the tokens of programs, newest first."""
        return await self._store.tokens()

    async def revoke(self, token_id: int) -> bool:
        """Make a token worthless; say whether there was one."""
        return await self._store.revoke(token_id)

    async def _made(self, kind: LoginKind, user_id: int, lifetime: timedelta | None, name: str = "") -> str:
        secret = (TOKEN_PREFIX if kind == "token" else "") + secrets.token_urlsafe(_SECRET_BYTES)
        await self._store.add(kind, _hashed(secret), user_id, lifetime, name)
        return secret


def _hashed(secret: str) -> str:
    # No salt and no slow hash: the secret is random and as long as a key.
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
