"""Makes the pictures of the console for README and handbook: ``make pictures``."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, FloatRect

from bot.service.incoming import Sender
from bot.telegram.ids import to_peer
from rag.models.chat import ChatModel, ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.browsers import launched, seen
from tests.support.console import OWNER, Served, served
from tests.support.interviews import attentive
from tests.support.loop import scripted

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"

_WIDTHS = (1280, 390)
_PAGES = {
    "new": "/",
    "search": "/?q=java",
    "interviews": "/interviews",
    "conversations": "/conversations",
    "people": "/people",
    "passed": "/passed",
    "quality": "/quality",
    "health": "/health",
    "tokens": "/tokens",
}

SEATS = ("careful", "quick", "thorough")
_FIRST = {
    "careful": "FxStore needs Java 17 or newer [1].",
    "quick": "FxStore needs Java 11 [1].",
    "thorough": "FxStore needs Java 17 [1]. Older versions do not start it [1].",
}
_CORRECTED = {**_FIRST, "quick": "FxStore needs Java 17 or newer [1]."}


def confer(request: ChatRequest) -> Reply:
    """Play three members, one of which makes a mistake and mends it, and their chairman."""
    match request.purpose:
        case "propose":
            return _FIRST[request.seat]
        case "peer_review":
            asked = request.messages[-1].text
            (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", asked)
            shown = str(listed).split(", ")
            found = re.search(r"\b([A-Z])\b[^A-Z]{0,40}FxStore needs Java 11", asked)
            wrong = found[1] if found else shown[-1]
            ranking = [*(letter for letter in shown if letter != wrong), wrong]
            return {"ranking": ranking, "critiques": [{"label": wrong, "issues": ["Passage 1 says 17."]}]}
        case "self_correct":
            return _CORRECTED[request.seat]
        case "conclude":
            return "FxStore needs Java 17 or newer [1]."
        case "read":
            return "Java 17"
        case _:
            return {"answer_quality": "adequate", "reason": "The passage says so.", "confidence": 0.9}


async def make(folder: Path = FOLDER) -> None:
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    async with launched() as browser:
        async with _shown(scripted()) as console:
            async with console.browser(OWNER) as http:
                run = await http.asks("Which Java does FxStore need?")
                await http.get(f"/api{run}/events")
            paths = {"run": run, "documents": "/documents", "statistics": "/statistics"}
            await _take(folder, browser, console, paths)
            await _take(folder, browser, console, {"phone": run}, width=390, scheme="dark", is_whole=False)
            await _take_pages(folder, browser, console, paths | _PAGES)
        council = {
            "members": SEATS,
            "chairman": "careful",
            "seats": {name: {"model": f"openai:{name}"} for name in SEATS},
            "audience": "everyone",
        }
        async with _shown(ScriptedModel(confer), council=council) as console:
            async with console.browser(OWNER) as http:
                run = await http.asks("Which Java does FxStore need?", kind="council")
                await http.get(f"/api{run}/events")
            async with seen(browser, console, OWNER, width=1100) as user:
                await user.page.goto(run)
                stages = user.page.locator("section.stage")
                await stages.nth(2).get_by_role("tab", name="quick").click()
                # Boxes are counted from the top of what is shown.
                await user.page.evaluate("document.querySelector('.composer').remove(); scrollTo(0, 0)")
                first, last = await stages.nth(1).bounding_box(), await stages.nth(2).bounding_box()
                assert first is not None
                assert last is not None
                clip: FloatRect = {
                    "x": first["x"],
                    "y": first["y"],
                    "width": first["width"],
                    "height": last["y"] + last["height"] - first["y"],
                }
                await user.page.screenshot(path=folder / "console-council.png", full_page=True, clip=clip)
            await _take_pages(folder, browser, console, {"council": run})
        async with _shown(ScriptedModel(attentive)) as console:
            async with console.browser(OWNER) as http:
                begun = await http.post("/interviews", pack="bug_report", key="")
                path = begun.headers["location"].partition("#")[0]
                await http.post(path, message="the editor 2.1", key="a")
            await _take(folder, browser, console, {"interview": path}, is_whole=False)
            await _take_pages(folder, browser, console, {"interview": path})


@asynccontextmanager
async def _shown(model: ChatModel, **settings: Any) -> AsyncIterator[Served]:
    with tempfile.TemporaryDirectory() as data, pytest.MonkeyPatch.context() as patch:
        async with served(Path(data), model, patch, **settings) as console:
            await console.parts.users.seen(Sender(to_peer(OWNER), "person", "Ann"))
            yield console


async def _take_pages(folder: Path, browser: Browser, console: Served, paths: dict[str, str]) -> None:
    await asyncio.to_thread((folder / "pages").mkdir, exist_ok=True)
    for width in _WIDTHS:
        for scheme in ("light", "dark"):
            named = {f"{name}-{width}-{scheme}": path for name, path in paths.items()}
            await _take(folder / "pages", browser, console, named, width=width, scheme=scheme)


async def _take(
    folder: Path,
    browser: Browser,
    console: Served,
    paths: dict[str, str],
    *,
    is_whole: bool = True,
    width: int = 1100,
    scheme: str = "light",
) -> None:
    async with seen(browser, console, OWNER, width=width, scheme=scheme) as user:
        for name, path in paths.items():
            await user.page.goto(path)
            await user.page.screenshot(path=folder / f"console-{name}.png", full_page=is_whole)


if __name__ == "__main__":
    asyncio.run(make())
