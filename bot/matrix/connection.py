"""The homeserver, as far as the bot needs it: the one module that calls `matrix-nio`.

A call that gets no answer is made again until it does: messages are sent with transaction ids, by which the
homeserver knows one that it has taken already.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
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
_TYPING_SECONDS: Final = 10
_LONGEST_PAUSE_SECONDS: Final = 30.0
_TRIES: Final = 3
_SECONDS: Final = 20.0

_NOTHING: Final[dict[str, Any]] = {"types": []}
_STATE: Final = {"types": ["m.room.member", "m.room.name", "m.room.canonical_alias"]}
_OF_ROOMS: Final = {"timeline": {"limit": 100}, "state": _STATE, "ephemeral": _NOTHING}
_FILTER: Final = {"presence": _NOTHING, "account_data": _NOTHING, "room": _OF_ROOMS}

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

    def room(self, room_id: str) -> Any:
        """Return what is known of a room, or None."""
        return self._client.rooms.get(room_id)

    async def sync(self, since: str, *, is_first: bool) -> Any:
        """Return the events behind a position; waits for some, but the first time for the state of rooms."""
        wait = 0 if is_first else _SYNC_MILLISECONDS
        sync = partial(self._client.sync, wait, _FILTER, since or None, full_state=is_first or None)
        return await self._ask(sync, ends_without_token=True)

    async def send(self, room_id: str, content: dict[str, Any]) -> str:
        """Send a message within a step, and return its event: the same one if the step is carried out again.

        Raises:
            ChatGoneError: the bot may not write to the room.
            DeliveryError: the homeserver rejects the message.
        """
        transaction = hashlib.sha256(step_key().encode()).hexdigest()[:40]
        send = partial(self._client.room_send, room_id, "m.room.message", content, tx_id=transaction)
        return str((await self._ask(send)).event_id)

    async def join(self, room_id: str) -> None:
        """Accept an invitation; raises as `send` does."""
        await self._ask(partial(self._client.join, room_id))

    async def leave(self, room_id: str) -> None:
        """Leave a room, or reject an invitation; raises as `send` does."""
        await self._ask(partial(self._client.room_leave, room_id))

    async def fetch(self, room_id: str, event_id: str) -> dict[str, Any]:
        """Return an event; raises as `send` does."""
        found = await self._ask(partial(self._client.room_get_event, room_id, event_id))
        return dict(found.event.source)

    async def download(self, url: str) -> bytes:
        """Return the content of a file; raises as `send` does."""
        return bytes((await self._ask(partial(self._client.download, url))).body)

    @asynccontextmanager
    async def typing(self, room_id: str) -> AsyncIterator[None]:
        """Show that the bot writes, as well as it goes, until the context ends."""

        async def show(*, is_typing: bool = True) -> None:
            with suppress(ThinkTwiceError, TimeoutError):
                async with asyncio.timeout(_TYPING_SECONDS):
                    await _answer(
                        partial(self._client.room_typing, room_id, is_typing, 2000 * _TYPING_SECONDS)
                    )

        async def keep_showing() -> None:
            while True:
                await show()
                await asyncio.sleep(_TYPING_SECONDS)

        shows = asyncio.create_task(keep_showing())
        try:
            yield
        finally:
            shows.cancel()
            await asyncio.gather(shows, return_exceptions=True)
            await show(is_typing=False)

    async def _ask(self, call: Callable[[], Awaitable[Any]], *, ends_without_token: bool = False) -> Any:
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
    """Refuse settings that cannot work, before anything is started."""
    if not settings.token.get_secret_value():
        raise BadSettingError(
            "matrix.homeserver is set, and there is no access token: set THINKTWICE_MATRIX__TOKEN"
        )
    if not settings.homeserver:
        raise BadSettingError(
            "THINKTWICE_MATRIX__TOKEN is set, and there is no homeserver: set matrix.homeserver"
        )
    if find_spec("nio") is None:
        raise OperatorError("Matrix needs the extra `matrix`: install thinktwice[matrix]")


@asynccontextmanager
async def open_homeserver(settings: Matrix) -> AsyncIterator[Homeserver]:
    """Log in, and find out whose token it is; raises `TokenError` or `UnreachableError`."""
    import nio

    config = nio.AsyncClientConfig(max_timeouts=_TRIES, request_timeout=_SECONDS, encryption_enabled=False)
    client = nio.AsyncClient(settings.homeserver, config=config)
    client.access_token = settings.token.get_secret_value()
    try:
        try:
            known = await _answer(client.whoami)
        except (ChatGoneError, DeliveryError) as exc:
            raise OperatorError("there is no Matrix at this address: check matrix.homeserver") from exc
        client.user_id, client.device_id = known.user_id, known.device_id
        name = ""
        with suppress(ChatGoneError):  # the account has no profile
            name = (await _answer(partial(client.get_displayname, known.user_id))).displayname or ""
        yield Homeserver(client, Account(known.user_id, name))
    finally:
        await client.close()


async def _answer(call: Callable[[], Awaitable[Any]]) -> Any:
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
