"""A delivery with the usual limits and the usual patience."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.delivering import Desk, desk
from tests.telegram.server import FakeTelegram


@pytest.fixture
async def d() -> AsyncIterator[Desk]:
    """A delivery to a server of its own."""
    async with FakeTelegram() as telegram, desk(telegram) as made:
        yield made
