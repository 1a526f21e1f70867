"""Calls of methods of the Telegram server for tests, without a connection to it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.telegram.methods import METHODS
from tests.telegram.params import Params
from tests.telegram.refusals import Refusal
from tests.telegram.server import FakeTelegram


def call(telegram: FakeTelegram, method: str, **params: Any) -> Any:
    return METHODS[method](telegram.world, Params(params))


def refusal_of(telegram: FakeTelegram, method: str, **params: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        call(telegram, method, **params)
    return refused.value


def keyboard(data: str, text: str = "useful") -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": text, "callback_data": data}]]}
