from __future__ import annotations

from typing import Any

import pytest
from telegram.error import BadRequest, EndPointNotFound, InvalidToken, NetworkError, TimedOut

from bot.settings.faults import BadSettingError
from bot.settings.sections import Telegram
from bot.telegram.startup import (
    TokenError,
    UnreachableError,
    call_at_start,
    check_settings,
    read_listening_address,
    secret,
)

TOKEN = "7000000001:AAF-fake-token-for-the-tests-0123456789"
WEBHOOK = {"mode": "webhook", "webhook_url": "https://bot.example/telegram"}


def settings(**fields: Any) -> Telegram:
    return Telegram(**{"token": TOKEN, **fields})


@pytest.mark.parametrize(
    "fields",
    [{}, WEBHOOK, {**WEBHOOK, "webhook_secret": "A_b-9" * 51 + "x"}, {"api_url": "http://127.0.0.1:8081"}],
    ids=["polling", "webhook", "the longest secret", "a server of one's own"],
)
def test_settings_that_work_are_accepted(fields: dict[str, Any]) -> None:
    check_settings(settings(**fields))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"token": ""}, "there is no token: get one from @BotFather"),
        ({"token": f"{TOKEN} with space"}, "is no token of a bot: copy it from @BotFather"),
        ({"token": "AAF-only-the-second-part"}, "is no token of a bot: copy it from @BotFather"),
        ({"api_url": "api.telegram.org"}, "takes an address like https://"),
        ({"api_url": "ftp://host"}, "takes an address like https://"),
        ({"mode": "webhook"}, "Telegram sends to https:// addresses only"),
        ({**WEBHOOK, "webhook_url": "http://bot.example"}, "Telegram sends to https:// addresses only"),
        ({**WEBHOOK, "webhook_listen": "8443"}, "takes address:port, e.g. 127.0.0.1:8443"),
        ({**WEBHOOK, "webhook_listen": "127.0.0.1:99999"}, "takes address:port"),
        ({**WEBHOOK, "webhook_listen": "127.0.0.1:"}, "takes address:port"),
        ({**WEBHOOK, "webhook_secret": "with space"}, "takes 1 to 256 letters, digits, _ and -"),
        ({**WEBHOOK, "webhook_secret": "x" * 257}, "takes 1 to 256 letters, digits, _ and -"),
    ],
    ids=[
        "no token", "token in two parts", "half a token", "no scheme", "another scheme", "no address", "no TLS", "no host", "no such port", "no port",
        "bad secret", "long secret",
    ],
)  # fmt: skip
def test_settings_that_cannot_work_are_one_sentence(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSettingError) as caught:
        check_settings(settings(**fields))
    assert words in str(caught.value)
    assert "with space" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [("127.0.0.1:8443", ("127.0.0.1", 8443)), ("[::1]:80", ("::1", 80)), ("0.0.0.0:0", ("0.0.0.0", 0))],
    ids=["IPv4", "IPv6", "any"],
)
def test_address_to_listen_on_is_read(given: str, expected: tuple[str, int]) -> None:
    assert read_listening_address(settings(webhook_listen=given)) == expected


def test_secret_is_made_from_the_token_and_tells_nothing_of_it() -> None:
    made = secret(settings())
    assert made == secret(settings())
    assert made != secret(settings(token=TOKEN + "x"))
    assert len(made) == 64
    assert TOKEN not in made
    assert secret(settings(webhook_secret="my-own")) == "my-own"


class Call:
    """Fails as it is told, then succeeds."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.times = 0

    async def __call__(self) -> None:
        self.times += 1
        if self.failures:
            raise self.failures.pop(0)


async def slept(pauses: list[float], call: Call) -> None:
    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    await call_at_start(call, sleep)


async def test_network_that_stutters_is_given_some_tries() -> None:
    call, pauses = Call(TimedOut(), NetworkError("away")), []  # type: tuple[Call, list[float]]
    await slept(pauses, call)
    assert (call.times, pauses) == (3, [1.0, 2.0])


@pytest.mark.parametrize(
    ("failures", "error", "times"),
    [
        ([InvalidToken()], TokenError, 1),
        ([EndPointNotFound("Not Found")], TokenError, 1),
        ([BadRequest("bad webhook")], UnreachableError, 1),
        ([NetworkError("away")] * 9, UnreachableError, 4),
    ],
    ids=["wrong token", "no such bot", "refused", "away"],
)
async def test_call_that_cannot_work_ends_the_start(
    failures: list[Exception], error: type[Exception], times: int
) -> None:
    call = Call(*failures)
    with pytest.raises(error):
        await slept([], call)
    assert call.times == times


async def test_failure_of_the_network_is_told_without_the_words_of_the_client() -> None:
    call = Call(*[NetworkError("httpx.ConnectError: [Errno -2] Name or service not known")] * 4)
    with pytest.raises(
        UnreachableError, match=r"cannot be reached \(Name or service not known\): check the network"
    ):
        await slept([], call)
