"""A real browser: the system's own headless Chromium, driven by Playwright. Nothing is ever downloaded."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from bot.telegram.ids import to_peer
from tests.support.console import Served

_CANDIDATES = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome")


# Long enough for a machine under triple load.
expect.set_options(timeout=60_000)


def executable() -> str:
    """Return the path of the system's browser; skip the test if there is none."""
    named = [shutil.which(name) for name in ("chromium-headless-shell", "chromium", "google-chrome")]
    for path in (*_CANDIDATES, *filter(None, named)):
        if Path(path).is_file():
            return path
    pytest.skip("no browser: install Debian's package chromium-headless-shell (`make browser`)")


@dataclass
class Seen:
    page: Page
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        def said(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                self.complaints.append(message.text)

        self.page.on("console", said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    async def barriers(self) -> list[str]:
        """Return the accessibility faults that axe finds in the page."""
        found = await Axe().run(self.page)
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found.response["violations"]]


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    path = executable()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def seen(
    browser: Browser,
    console: Served,
    user_id: int,
    *,
    width: int = 1200,
    scripts: bool = True,
    scheme: str = "light",
) -> AsyncIterator[Seen]:
    context = await browser.new_context(
        base_url=console.base,
        viewport={"width": width, "height": 900},
        java_script_enabled=scripts,
        color_scheme=scheme,  # type: ignore[arg-type]  # one of theirs
    )
    # No page may load anything from another host.
    strange: list[str] = []
    context.on(
        "request",
        lambda one: strange.append(one.url) if not one.url.startswith((console.base, "data:")) else None,
    )
    page = await context.new_page()
    shown = Seen(page)
    shown.listen()
    try:
        await page.goto(f"/login/{await console.parts.logins.link(to_peer(user_id))}")
        await page.get_by_role("button", name="Log in").click()
        await page.wait_for_url("**/")
        yield shown
        assert strange == []
    finally:
        await context.close()
