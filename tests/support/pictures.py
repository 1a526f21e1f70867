"""Makes the pictures of the console for README and handbook: ``make pictures``."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from bot.service.incoming import Sender
from tests.support.browsers import launched, seen
from tests.support.console import OWNER, served
from tests.support.loop import scripted

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"


async def make(folder: Path = FOLDER) -> None:
    """Write the pictures to a folder."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, pytest.MonkeyPatch.context() as patch:
        async with served(Path(data), scripted(), patch) as console, launched() as browser:
            await console.parts.users.seen(Sender(OWNER, "person", "Ann"))
            async with console.browser(OWNER) as http:
                run = await http.asks("Which Java does FxStore need?")
                await http.get(f"/api{run}/events")
            async with seen(browser, console, OWNER, width=1100) as user:
                for name, path in (
                    ("run", run),
                    ("documents", "/documents"),
                    ("statistics", "/statistics"),
                ):
                    await user.page.goto(path)
                    await user.page.screenshot(path=folder / f"console-{name}.png", full_page=True)


if __name__ == "__main__":
    asyncio.run(make())
