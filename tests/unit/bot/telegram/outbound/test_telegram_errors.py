from __future__ import annotations

from datetime import timedelta

import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.telegram.outbound.telegram_errors import Refused, pause, reason

CASES = [
    (RetryAfter(17), Refused.FLOOD),
    (NetworkError("Too Many Requests"), Refused.FLOOD),
    (TimedOut(), Refused.NETWORK),
    (NetworkError("Bad Gateway"), Refused.NETWORK),
    (TelegramError("Invalid server response"), Refused.NETWORK),
    (ChatMigrated(-1001), Refused.MIGRATED),
    (Forbidden("Forbidden: bot was blocked by the user"), Refused.CHAT_GONE),
    (Forbidden("Forbidden: bot was kicked from the supergroup chat"), Refused.CHAT_GONE),
    (Forbidden("Forbidden: user is deactivated"), Refused.CHAT_GONE),
    (Forbidden("Forbidden: CHAT_WRITE_FORBIDDEN"), Refused.NO_RIGHTS),
    (BadRequest("Chat not found"), Refused.CHAT_GONE),
    (BadRequest("Not enough rights to send text messages to the chat"), Refused.NO_RIGHTS),
    (BadRequest("TOPIC_CLOSED"), Refused.NO_RIGHTS),
    (BadRequest("Message is not modified: specified new message content …"), Refused.UNCHANGED),
    (BadRequest("Can't parse entities: can't find end of the entity"), Refused.MARKUP),
    (BadRequest("ENTITY_BOUNDS_INVALID"), Refused.MARKUP),
    (BadRequest("Message to edit not found"), Refused.MESSAGE_GONE),
    (BadRequest("Message can't be edited"), Refused.MESSAGE_GONE),
    (BadRequest("MESSAGE_ID_INVALID"), Refused.MESSAGE_GONE),
    (BadRequest("Message to delete not found"), Refused.MESSAGE_GONE),
    (BadRequest("Message to be replied not found"), Refused.REPLY_GONE),
    (BadRequest("Message thread not found"), Refused.THREAD_GONE),
    (BadRequest("Message is too long"), Refused.REFUSED),
    (BadRequest("Query is too old and response timeout expired or query ID is invalid"), Refused.REFUSED),
    (BadRequest("TEXTDRAFT_PEER_INVALID"), Refused.REFUSED),
    (BadRequest("Something nobody has heard of"), Refused.REFUSED),
    (InvalidToken("Not Found"), Refused.UNKNOWN_METHOD),
    (InvalidToken("Unauthorized"), Refused.UNAUTHORIZED),
    (InvalidToken("Unknown HTTPError"), Refused.NETWORK),
    (Conflict("terminated by other getUpdates request"), Refused.REFUSED),
]


@pytest.mark.parametrize(
    ("error", "refused"), [pytest.param(*case, id=f"{type(case[0]).__name__}: {case[0]}") for case in CASES]
)
def test_every_answer_of_telegram_has_one_meaning(error: TelegramError, refused: Refused) -> None:
    assert reason(error) is refused


def test_no_meaning_is_without_an_answer_that_has_it() -> None:
    assert {refused for _, refused in CASES} == set(Refused)


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        pytest.param(RetryAfter(17), 17.0, id="as Telegram says"),
        pytest.param(RetryAfter(timedelta(minutes=1)), 60.0, id="as a span"),
        pytest.param(NetworkError("Too Many Requests"), 5.0, id="without saying how long"),
    ],
)
def test_pause_is_what_telegram_asks_for(error: TelegramError, seconds: float) -> None:
    assert pause(error, 5.0) == seconds


def test_pause_is_read_also_where_the_library_gives_a_bare_number(monkeypatch: pytest.MonkeyPatch) -> None:
    error = RetryAfter(17)
    monkeypatch.setenv("PTB_TIMEDELTA", "0")
    with pytest.warns(DeprecationWarning, match="retry_after"):
        assert pause(error, 5.0) == 17.0
