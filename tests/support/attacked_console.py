"""A console with something of everything in it, the texts to try in it, and the faults of its replies.

What there is to fill in is read from the pages and from the OpenAPI document, so a new field is attacked
without being listed here; only what its address names (a run, a session) must be known to `Seeds`.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from bot.service.incoming import Place as Chat
from bot.service.incoming import Sender
from bot.telegram.ids import to_peer
from rag.events import StepStarted
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.attacks import Form, ReadPage
from tests.support.console import MEMBER, OWNER, Browser, Served, a_question_waits, served, talked
from tests.support.councils import MEMBERS, SEATS, Model
from tests.support.interviews import changes, passes

SLICES = 12
"""Each is a test with a console of its own in the long form, so that several can run at once."""

EACH = pytest.mark.parametrize(
    ("part", "slices", "words", "others"),
    [
        pytest.param(0, 1, 32, 96, id="some"),
        *(
            pytest.param(
                part, SLICES, 1, 1, id=f"all {part}", marks=[pytest.mark.soak, pytest.mark.timeout(1_800)]
            )
            for part in range(SLICES)
        ),
    ],
)
"""The long form tries each text in each field. The short one tries one in `words` texts where words are taken, and
one in `others` where a token, a number or one of a few words is: always other ones, so that the fields together
see most of them."""

GROUP = Chat(to_peer(-500), "group", title="The team")

_OPEN_QUESTIONS = 80
"""Each takes one reply, and so one text."""

SETTINGS: dict[str, Any] = {
    "self_correction": {"mode": "quick"},
    "council": {"members": MEMBERS, "chairman": "anna", "seats": SEATS, "audience": "everyone"},
    "interviews": {
        "single_steps": True,
        "sessions_per_day": 100_000,
        "messages_per_session": 100_000,
        "tokens_per_session": 10**9,
        "tokens_per_day": 10**9,
    },
    "limits": {"chat_tokens_per_day": 10**12},
    "access": {"experts": f"{OWNER}, {MEMBER}"},
}


class Echo(Model):
    """A model that says back what it is told, so that each text is also an answer, a fact, a review."""

    async def __call__(self, request: ChatRequest) -> Reply:
        shown = request.messages[-1].text
        match request.purpose:
            case "interpret":
                message = shown.rpartition("<last_message>")[2].partition("</last_message>")[0].strip()
                return changes({"/product": message, "/steps": message} if message else {})
            case "gate_check":
                return passes()
            case "propose" | "self_correct" | "conclude":
                return f"{shown} {request.seat}"
            case "draft":
                return shown
            case _:
                return await super().__call__(request)


@dataclass
class Seeds:
    """Things that the pages and paths are about; without them, forms that are about them are on no page."""

    console: Served
    browser: Browser
    paths: dict[str, str]
    token: str

    async def pages(self) -> dict[str, str]:
        waiting, known, pages = ["/", *self.paths.values()], set(), {}
        while waiting:
            path = waiting.pop()
            about = urlsplit(path)
            # Two pages that differ in what the query says have the same forms.
            key = (about.path, tuple(sorted(name for name, _ in parse_qsl(about.query))))
            if key in known or about.path.startswith(("/static", "/api", "/quality/")):
                continue
            known.add(key)
            reply = await self.browser.get(path)
            if reply.status_code != 200 or "html" not in reply.headers["content-type"]:
                continue
            pages[path] = reply.text
            waiting += ReadPage(reply.text).links
        return pages

    async def forms(self) -> dict[tuple[str, str, tuple[str, ...]], Form]:
        found: dict[tuple[str, str, tuple[str, ...]], Form] = {}
        for text in (await self.pages()).values():
            for form in ReadPage(text).forms:
                found.setdefault(form.identity, form)
        return found

    async def broken(self) -> list[tuple[str, ...]]:
        """Return what is wrong with each of these pages, whatever stands in them."""
        faults: list[tuple[str, ...]] = []
        for path, text in (await self.pages()).items():
            page = ReadPage(text)
            faults += [(path, fault) for fault in [*page.active, *page.unbalanced]]
        return faults


@asynccontextmanager
async def seeded(folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> AsyncIterator[Seeds]:
    model = Echo()
    async with (
        served(folder, ScriptedModel(model), monkeypatch, **SETTINGS | settings) as console,
        console.browser(OWNER) as browser,
    ):
        parts = console.parts
        await parts.users.seen(Sender(to_peer(MEMBER), "person", "Mia"))
        await parts.users.seen(Sender(to_peer(46), "person", "Somebody new"))
        await parts.chats.seen(GROUP)
        await talked(console, GROUP.conversation_id, MEMBER, "Which Java?", "Java 17.")
        await browser.post("/tokens", name="a program")
        run = await browser.asks("Which Java does FxStore need?")
        await browser.get(f"/api{run}/events")
        await browser.post(f"{run}/feedback", rating="wrong")
        council = await browser.asks("Which Java does FxStore need?", kind="council")
        await browser.get(f"/api{council}/events")
        unknown = await browser.asks("When does the king of the moon drink tea?")
        await browser.get(f"/api{unknown}/events")
        for number in range(_OPEN_QUESTIONS):
            await a_question_waits(console, number)
        # One that never ends, so that it can be cancelled.
        going = parts.runs.recorder("web:41:going", "answer", f"telegram:{OWNER}", f"web:{OWNER}:77")
        going.feed(StepStarted("draft"))
        await parts.runs.flush()
        session = (await browser.post("/interviews", pack="bug_report")).headers["location"]
        paths = {
            "run": run,
            "council": council,
            "unknown": unknown,
            "going": "/runs/web:41:going",
            "session": session.partition("#")[0],
            "login": f"/login/{await parts.logins.link(to_peer(OWNER))}",
        }
        added = await browser.client.post(
            "/documents", data={"csrf": browser.csrf}, files={"file": ("there.md", b"# A\n\nWords.\n")}
        )
        assert added.status_code == 303, added.text
        async with asyncio.timeout(60):  # it is listed once it has been read, which takes a while under load
            while True:
                if "/documents/remove" in (await browser.get("/documents")).text:
                    break
                await asyncio.sleep(0.05)
        yield Seeds(console, browser, paths, await parts.logins.token(to_peer(OWNER), "a test"))
        going.end("cancelled", {})


def faults_of(reply: httpx.Response, attack: str) -> list[str]:
    if reply.status_code >= 500:
        return [f"status {reply.status_code}"]
    kind = reply.headers.get("content-type", "")
    if reply.headers.get("x-content-type-options") != "nosniff":
        return ["a browser may guess what it is"]
    if kind.startswith("text/html"):
        page = ReadPage(reply.text)
        faults = [*page.active, *page.unbalanced]
        # A tag of the text stands in the page as it was written.
        if re.search(r"<[a-zA-Z/!?]", attack) and attack in reply.text:
            faults.append("not escaped")
        return faults if reply.text.rstrip().endswith("</html>") else [*faults, "the page is cut off"]
    return []


def chosen(attacks: list[str], every: int, *about: str) -> list[str]:
    """Return one text in so many, for other fields other ones."""
    return attacks[zlib.crc32("".join(about).encode()) % every :: every]
