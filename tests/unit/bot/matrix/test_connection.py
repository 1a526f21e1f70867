"""What `bot.matrix.connection` refuses before anything is started."""

from __future__ import annotations

import pytest
from pydantic import SecretStr, ValidationError

from bot.matrix import connection
from bot.settings.sections import Matrix
from rag.errors import OperatorError

TOKEN = SecretStr("t")


def test_bot_without_the_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "find_spec", lambda _name: None)
    with pytest.raises(OperatorError, match=r"install thinktwice\[matrix\]"):
        connection.check_settings(Matrix(homeserver="https://matrix.example.org", token=TOKEN))


def test_token_without_a_homeserver_is_a_mistake() -> None:
    with pytest.raises(OperatorError, match="there is no homeserver"):
        connection.check_settings(Matrix(token=TOKEN))


def test_address_is_taken_with_a_slash_and_refused_without_a_scheme() -> None:
    assert Matrix(homeserver="https://matrix.example.org/").homeserver == "https://matrix.example.org"
    with pytest.raises(ValidationError, match="write it like"):
        Matrix(homeserver="matrix.example.org")
