"""The homeserver, as far as the bot needs it: the one module that calls `matrix-nio`.

A call that gets no answer is made again until it does: messages are sent with transaction ids, by which the
homeserver knows one that it has taken already.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.current_step import step_key
from bot.matrix.parsing import Account
from bot.service.errors import ChatGoneError, DeliveryError
from bot.settings.faults import BadSettingError
from bot.settings.sections import Matrix
from rag.errors import OperatorError, ThinkTwiceError
from rag.reasons import as_written

if TYPE_CHECKING:
    import nio

_log = structlog.get_logger(__name__)

_SYNC_MILLISECONDS: Final = 30_000
_TYPING_MILLISECONDS: Final = 30_000
_LONGEST_PAUSE_SECONDS: Final = 30.0
_TRIES: Final = 3
_SECONDS: Final = 20.0

# The types of state that say who is in a room, how it is called, and whether it is encrypted.
_STATE: Final = ["m.room.member", "m.room.name", "m.room.canonical_alias", "m.room.encryption"]
_FILTER: Final[dict[str, Any]] = {
    "presence": {"types": []},
    "account_data": {"types": []},
    "room": {
        "timeline": {"limit": 100},
        "state": {"types": _STATE},
        "ephemeral": {"types": []},
        "account_data": {"types": []},
    },
}

_GONE: Final = frozenset({"M_FORBIDDEN", "M_NOT_FOUND", "M_GUEST_ACCESS_FORBIDDEN"})


class TokenError(OperatorError):
    """The homeserver does not know this access token: make another one and set THINKTWICE_MATRIX__TOKEN."""


class UnreachableError(ThinkTwiceError):
    """The homeserver of Matrix cannot be reached: check the network and matrix.homeserver."""


class Homeserver:
    """Calls the homeserver."""

    def __init__(self, client: nio.AsyncClient, me: Account) -> None:
        self._client = client
        self.me = me

    def room(self, room_id: str) -> Any:  # noqa: ANN401 - nio has no types
        """Return what is known of a room, or None."""
        return self._client.rooms.get(room_id)

    async def sync(self, since: str, *, is_first: bool) -> Any:  # noqa: ANN401 - as above
        """Wait for events behind a position, and return them; the first call also asks who is in each room.

        Raises:
            TokenError: the token was taken back.
        """
        return await self._ask(
            lambda: self._client.sync(
                0 if is_first else _SYNC_MILLISECONDS, _FILTER, since or None, full_state=is_first or None
            ),
            ends_without_token=True,
        )

    async def send(self, room_id: str, content: dict[str, Any]) -> str:
        """Send a message within a step, and return its event: the same one if the step is carried out again.

        Raises:
            ChatGoneError: the bot may not write to the room.
            DeliveryError: the homeserver rejects the message.
        """
        transaction = hashlib.sha256(step_key().encode()).hexdigest()[:40]
        sent = await self._ask(
            lambda: self._client.room_send(room_id, "m.room.message", content, tx_id=transaction)
        )
        return str(sent.event_id)

    async def join(self, room_id: str) -> None:
        """Accept an invitation; raises as `send` does."""
        await self._ask(lambda: self._client.join(room_id))

    async def leave(self, room_id: str) -> None:
        """Leave a room, or reject an invitation; raises as `send` does."""
        await self._ask(lambda: self._client.room_leave(room_id))

    async def fetch(self, room_id: str, event_id: str) -> dict[str, Any]:
        """Return an event; raises as `send` does."""
        found = await self._ask(lambda: self._client.room_get_event(room_id, event_id))
        return dict(found.event.source)

    async def download(self, url: str) -> bytes:
        """Return the content of a file; raises as `send` does."""
        return bytes((await self._ask(lambda: self._client.download(url))).body)

    @asynccontextmanager
    async def typing(self, room_id: str) -> AsyncIterator[None]:
        """Show that the bot writes, as well as it goes, until the context ends."""
        shows = asyncio.create_task(self._show_typing(room_id))
        try:
            yield
        finally:
            shows.cancel()
            await asyncio.gather(shows, return_exceptions=True)
            await self._try_typing(room_id, is_typing=False)

    async def _show_typing(self, room_id: str) -> None:
        while True:
            await self._try_typing(room_id, is_typing=True)
            await asyncio.sleep(_TYPING_MILLISECONDS / 2000)

    async def _try_typing(self, room_id: str, *, is_typing: bool) -> None:
        with suppress(ThinkTwiceError):
            await _answer(lambda: self._client.room_typing(room_id, is_typing, _TYPING_MILLISECONDS))

    async def _ask(self, call: Callable[[], Awaitable[Any]], *, ends_without_token: bool = False) -> Any:  # noqa: ANN401 - nio has no types
        """Call until there is an answer.

        Raises:
            TokenError: the token was taken back.
            ChatGoneError: the homeserver forbids it.
            DeliveryError: the homeserver rejects it.
        """
        pause = 1.0
        while True:
            try:
                return await _answer(call)
            except UnreachableError as exc:
                _log.warning("the homeserver does not answer", reason=str(exc), seconds=pause)
            except TokenError:
                if ends_without_token:
                    raise
                # The program ends, and what it is at is left for a start with another token.
                await asyncio.Event().wait()
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)


def check_settings(settings: Matrix) -> None:
    """Refuse settings that cannot work, before anything is started.

    Raises:
        BadSettingError: a setting cannot work.
        OperatorError: a package is missing.
    """
    if not settings.token.get_secret_value():
        raise BadSettingError(
            "matrix.homeserver is set, and there is no access token: set THINKTWICE_MATRIX__TOKEN"
        )
    if find_spec("nio") is None:
        raise OperatorError("Matrix needs the extra `matrix`: install thinktwice[matrix]")


@asynccontextmanager
async def open_homeserver(settings: Matrix) -> AsyncIterator[Homeserver]:
    """Log in, and find out whose token it is.

    Raises:
        TokenError: the homeserver does not know the token.
        UnreachableError: the homeserver does not answer.
    """
    import nio

    config = nio.AsyncClientConfig(max_timeouts=_TRIES, request_timeout=_SECONDS, encryption_enabled=False)
    client = nio.AsyncClient(settings.homeserver, config=config)
    client.access_token = settings.token.get_secret_value()
    try:
        known = await _answer(client.whoami)
        client.user_id, client.device_id = known.user_id, known.device_id
        profile = await _answer(lambda: client.get_displayname(known.user_id))
        yield Homeserver(client, Account(known.user_id, profile.displayname or ""))
    finally:
        await client.close()


async def _answer(call: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401 - as above
    """Return an answer of nio, or raise what its error means."""
    import aiohttp
    import nio

    try:
        response = await call()
    except (aiohttp.ClientError, OSError, TimeoutError) as exc:
        raise UnreachableError from exc
    if not isinstance(response, nio.ErrorResponse):
        return response
    transport = response.transport_response
    if response.status_code == "M_UNKNOWN_TOKEN" or (transport is not None and transport.status == 401):
        raise TokenError
    if transport is None or transport.status >= 500 or response.status_code is None:
        raise UnreachableError(as_written(str(response)))
    if response.status_code in _GONE:
        raise ChatGoneError(as_written(str(response)))
    raise DeliveryError(as_written(str(response)))
