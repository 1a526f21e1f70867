"""What `bot.matrix.connection` refuses before anything is started."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from bot.matrix import connection
from bot.settings.sections import Matrix
from rag.errors import OperatorError


def test_bot_without_the_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "find_spec", lambda _name: None)
    with pytest.raises(OperatorError, match=r"install thinktwice\[matrix\]"):
        connection.check_settings(Matrix(homeserver="https://matrix.example.org", token=SecretStr("t")))
