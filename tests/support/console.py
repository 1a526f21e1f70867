"""The console over real HTTP on loopback, with real databases and a model of the test's own."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest

import bot.app
from bot import http_server
from bot.app import opened_database
from bot.clock import utcnow
from bot.jobs.values import Work
from bot.parts import Parts, open_parts
from bot.service.incoming import Place, Sender
from bot.service.owner_claim import Claim
from bot.service.passed_questions import PASSED, PassedQuestion
from bot.settings.tree import Settings
from bot.storage.passed_questions import StoredPassedQuestions
from bot.telegram.ids import to_peer
from bot.web.wiring import Console, console
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.models.chat import ChatModel, ChatRequest, Completion
from rag.models.scripted import ScriptedModel
from rag.runs.run import RunStep
from rag.values import Label
from tests.support.commanding import Records
from tests.support.stored import answer
from tests.support.wired import KEY, Models, Straight

OWNER, ADMIN, MEMBER, STRANGER = 41, 42, 43, 44
"""Ids of an owner, an administrator, a member, and a person without access."""

CORPUS = {
    "java.md": "# FxStore\n\n## Requirements\n\nFxStore needs Java 17. Older versions do not start it.\n"
}


@dataclass
class Served:
    """A console that listens on loopback; `told` holds the jobs that only a bot on Telegram carries out."""

    base: str
    parts: Parts
    jobs: Straight
    console: Console
    told: list[str]

    @asynccontextmanager
    async def browser(self, user_id: int | None = None, **headers: str) -> AsyncIterator[Browser]:
        """Open a browser that is logged in as a person; None: not logged in."""
        async with httpx.AsyncClient(
            base_url=self.base, trust_env=False, timeout=60, headers=headers
        ) as client:
            browser = Browser(client)
            if user_id is not None:
                link = await self.parts.logins.link(to_peer(user_id))
                assert (await client.post(f"/login/{link}")).status_code == 303
                browser.csrf = _csrf((await client.get("/")).text)
            yield browser


@dataclass
class Browser:
    """A browser without JavaScript."""

    client: httpx.AsyncClient
    csrf: str = ""

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.client.get(path, **more)

    async def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form with the token that the page gave."""
        return await self.client.post(path, data={"csrf": self.csrf} | fields)

    async def asks(self, question: str, **fields: str) -> str:
        """Ask a question, and return the path of its run."""
        reply = await self.post("/ask", question=question, **fields)
        assert reply.status_code == 303, reply.text
        return reply.headers["location"].partition("#")[0]


def _csrf(page: str) -> str:
    found = re.search(r'name="csrf" value="(\w+)"', page)
    return found[1] if found else ""


def _told_by_telegram(told: list[str]) -> dict[str, Work]:
    async def tell(payload: str, _run_step: RunStep) -> None:
        told.append(payload)

    return {PASSED: tell}


@asynccontextmanager
async def served(
    folder: Path,
    model: ChatModel,
    monkeypatch: pytest.MonkeyPatch,
    *,
    port: int = 0,
    wrap: Callable[[Any], Any] = lambda app: app,
    **given: Any,
) -> AsyncIterator[Served]:
    """Serve the console over the documents in ``folder/corpus``; `given` are settings."""
    embedder = HashedEmbedder()
    for module in ("rag.knowledge.sync", "rag.knowledge.search"):
        monkeypatch.setattr(f"{module}.open_embedder", lambda name, models: embedder)
    monkeypatch.setattr(bot.app, "RoleModels", lambda *_args: Models(model))
    for name in ("corpus", "data"):
        (folder / name).mkdir(exist_ok=True)
    for name, text in CORPUS.items():
        (folder / "corpus" / name).write_text(text, "utf-8")
    settings = Settings.load(
        data_dir=folder / "data",
        corpus=(folder / "corpus",),
        **{
            "admins": (OWNER,),
            **given,
            "telegram": {"token": "1:token-of-nobody", **given.get("telegram", {})},
            "limits": {"user_per_minute": 10_000, "user_per_hour": 10_000, "chat_per_minute": 10_000}
            | given.get("limits", {}),
            "console": {"requests_per_minute": 1_000_000} | given.get("console", {}),
            "models": {"openai_api_key": KEY, "default": "openai:none", **given.get("models", {})},
        },
    )
    jobs = Straight()
    # Personal jobs are read from the database of the durable runner.
    monkeypatch.setattr("bot.web.wiring.PersonalJobs", lambda _jobs: Records())
    async with (
        opened_database(settings) as database,
        bot.app.running(settings, is_lasting=False) as app,
        open_parts(app, database, Claim()) as parts,
    ):
        await parts.users.set_role(to_peer(ADMIN), "admin")
        await parts.users.set_access(to_peer(MEMBER), "allowed")
        built = console(parts, jobs)  # type: ignore[arg-type]  # has what is asked of jobs
        told: list[str] = []
        jobs.events = parts.runs
        jobs.works = {**built.works, "failed": _make_failed(built), **_told_by_telegram(told)}
        async with http_server.listening(
            wrap(built.application()), "127.0.0.1", port, setting="console.port", most_connections=1000
        ) as taken:
            try:
                yield Served(f"http://127.0.0.1:{taken}", parts, jobs, built, told)
            finally:
                await jobs.aclose()


class Serve(Protocol):
    """Serves the console over the documents in the folder of a test; see `served`."""

    def __call__(
        self, model: ChatModel | None = None, **given: Any
    ) -> AbstractAsyncContextManager[Served]: ...


class Gated(ScriptedModel):
    """Writes nothing until it is let."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model
        self.gate = asyncio.Event()
        self.asked = asyncio.Event()

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        self.asked.set()
        await self.gate.wait()
        return await self._model.complete(request, on_text)


def understood(stream: bytes) -> list[dict[str, Any]]:
    """The events that a reader has understood: whole ones."""
    whole, _, _ = stream.rpartition(b"\n\n")
    found = []
    for block in whole.split(b"\n\n"):
        lines = block.decode("utf-8").split("\n")
        data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        if data:
            found.append(json.loads("\n".join(data)))
    return found


async def read_in_pieces(
    browser: Browser, path: str, chance: random.Random, longest: int
) -> tuple[list[dict[str, Any]], int]:
    """Read a run to its end, cut off up to a hundred times at a random byte; return its events and the cuts.

    Each reader goes on behind the last event that it has understood.
    """
    got: list[dict[str, Any]] = []
    cuts = 0
    while not got or got[-1]["type"] != "complete":
        limit = chance.randrange(1, longest) if cuts < 100 else 10**9
        received = b""
        headers = {"Last-Event-ID": str(got[-1]["seq"] if got else 0)}
        async with browser.client.stream("GET", path, headers=headers) as reply:
            assert reply.status_code == 200
            async for chunk in reply.aiter_raw():
                received += chunk
                if len(received) >= limit:
                    received, cuts = received[:limit], cuts + 1
                    break
        got += understood(received)
    return got, cuts


async def talked(
    console: Served, conversation_id: str, user_id: int, question: str, reply: str, label: Label = "verified"
) -> None:
    given = replace(answer(""), question=question, text=reply, label=label)
    await console.parts.memory.remember(
        conversation_id, question, given, f"person {user_id}", to_peer(user_id)
    )


def _make_failed(built: Console) -> Any:
    async def failed(payload: str, _run_step: object) -> None:
        await built.runs.give_up(payload)

    return failed


async def a_question_waits(console: Served, number: int = 0) -> None:
    await console.parts.users.seen(Sender(to_peer(MEMBER), "person", "Ann"))
    place = Place(to_peer(MEMBER), "private")
    of = (
        0,
        to_peer(MEMBER),
        place.conversation_id,
        place,
        None,
        "",
        "When is tea?",
        "I do not know [1].",
        "",
    )
    await StoredPassedQuestions(console.parts.database).make(PassedQuestion(*of, utcnow()), f"x{number}")
