"""Checks at start-up: are the settings usable, does the token work, and which bot is it?"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar
from urllib.parse import urlsplit

import structlog
from telegram import Bot
from telegram.error import BadRequest, EndPointNotFound, InvalidToken, TelegramError

from bot.service.incoming import Me
from bot.settings.faults import BadSettingError
from bot.settings.sections import Telegram
from bot.telegram.outbound.telegram_errors import pause
from rag.errors import OperatorError, ThinkTwiceError

_log = structlog.get_logger(__name__)

T = TypeVar("T")

_TRIES: Final = 4
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
# The HTTP client's prefix of the operating system's message.
_TECHNICAL = re.compile(r"^(?:httpx\.\w+: )?(?:\[Errno -?\d+\] )?")


class TokenError(OperatorError):
    """Telegram does not know this token: get it from @BotFather and set THINKTWICE_TELEGRAM__TOKEN."""


class UnreachableError(ThinkTwiceError):
    """Telegram cannot be reached: check the network and telegram.api_url."""


def check_settings(settings: Telegram) -> None:
    """Refuse settings that cannot work, before anything is started; `BadSettingError` says what they take."""
    if not settings.token.get_secret_value():
        raise BadSettingError(
            "there is no token: get one from @BotFather in Telegram and set THINKTWICE_TELEGRAM__TOKEN"
        )
    if not _TOKEN.fullmatch(settings.token.get_secret_value()):
        raise BadSettingError(
            "telegram.token (THINKTWICE_TELEGRAM__TOKEN) is no token of a bot: copy it from @BotFather as a "
            "whole, digits, a colon and letters without a space between"
        )
    address = urlsplit(settings.api_url)
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise BadSettingError(
            f"telegram.api_url is '{settings.api_url}', but takes an address like https://api.telegram.org"
        )
    if settings.mode == "webhook":
        if urlsplit(settings.webhook_url).scheme != "https":
            raise BadSettingError(
                f"telegram.webhook_url is '{settings.webhook_url}', but Telegram sends to https:// "
                "addresses only; set it, or use telegram.mode=polling"
            )
        if settings.webhook_listen:
            read_listening_address(settings)
        given = settings.webhook_secret.get_secret_value()
        if given and not _SECRET.fullmatch(given):
            raise BadSettingError(
                "telegram.webhook_secret takes 1 to 256 letters, digits, _ and -; "
                "leave it empty to have one made"
            )


def read_listening_address(settings: Telegram) -> tuple[str, int]:
    """Return the address and the port for the webhook; raises `BadSettingError` if they cannot be parsed."""
    host, _, port = settings.webhook_listen.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or not 0 <= int(port) < 65536:
        raise BadSettingError(
            f"telegram.webhook_listen is '{settings.webhook_listen}', "
            "but takes address:port, e.g. 127.0.0.1:8443"
        )
    return host.strip("[]"), int(port)


def secret(settings: Telegram) -> str:
    """Return the secret of the webhook: the setting, or one derived from the bot's token."""
    given = settings.webhook_secret.get_secret_value()
    token = settings.token.get_secret_value().encode()
    return given or hmac.new(token, b"webhook", hashlib.sha256).hexdigest()


async def fetch_account(
    bot: Bot,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    tries: int = _TRIES,
    *,
    hears: bool = False,
) -> Me:
    """Open the client and return the bot's own account; errors are those of `call_at_start`."""
    await call_at_start(bot.initialize, sleep, tries)
    return Me(bot.id, bot.username, bot.first_name, hears=hears)


async def call_at_start(
    call: Callable[[], Awaitable[T]],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    tries: int = _TRIES,
) -> T:
    """Make a call that the bot needs to start, with a few tries for a bad network; return its result.

    Raises:
        TokenError: Telegram does not know the token.
        UnreachableError: Telegram does not answer, or refuses the call.
    """
    for attempt in itertools.count(1):
        try:
            return await call()
        except (InvalidToken, EndPointNotFound) as exc:
            raise TokenError from exc
        except TelegramError as exc:
            reason = _TECHNICAL.sub("", exc.message)
            if attempt == tries or isinstance(exc, BadRequest):
                raise UnreachableError(
                    f"Telegram cannot be reached ({reason}): check the network and telegram.api_url"
                ) from exc
            _log.warning("Telegram does not answer", reason=reason, tries=attempt)
            await sleep(pause(exc, 2.0 ** (attempt - 1)))
    raise AssertionError  # unreachable: the loop has no end
