"""Texts that mean harm, in every field of every form and of every operation over HTTP.

What there is to fill in is read from the pages and from the OpenAPI document, so a new field is attacked
without being listed here; only what its address names (a run, a session) must be known to `Seeds`.
"""

from __future__ import annotations

import html
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import httpx
import pytest
from playwright.async_api import expect

from bot.service.incoming import Place as Chat
from bot.service.incoming import Sender
from bot.web.app import PAGES
from rag.events import StepStarted
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.integration.test_console_conversations import talked
from tests.integration.test_council_in_telegram import MEMBERS, SEATS, Model
from tests.support.attacks import (
    Form,
    Operation,
    ReadPage,
    attack_texts,
    operations,
    pattern_of,
    without_halves,
)
from tests.support.browsers import launched, seen
from tests.support.console import MEMBER, OWNER, Browser, Served, served
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

GROUP = Chat(-500, "group", title="The team")

SETTINGS: dict[str, Any] = {
    "self_correction": {"mode": "quick", "second_reading": "doubtful"},
    "council": {"members": MEMBERS, "chairman": "anna", "seats": SEATS, "audience": "everyone"},
    "interviews": {
        "single_steps": True,
        "sessions_per_day": 100_000,
        "messages_per_session": 100_000,
        "tokens_per_session": 10**9,
        "tokens_per_day": 10**9,
    },
    "limits": {"chat_tokens_per_day": 10**12},
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
        """Return every page that links lead to, by its path, found anew."""
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
        """Return every form of these pages, once each."""
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
    """Serve a console in which something of everything is there."""
    model = Echo()
    async with (
        served(folder, ScriptedModel(model), monkeypatch, **SETTINGS | settings) as console,
        console.browser(OWNER) as browser,
    ):
        parts = console.parts
        await parts.users.seen(Sender(MEMBER, "person", "Mia"))
        await parts.users.seen(Sender(46, "person", "Somebody new"))
        await parts.chats.seen(GROUP)
        await talked(console, GROUP.conversation_id, MEMBER, "Which Java?", "Java 17.")
        await browser.post("/tokens", name="a program")
        run = await browser.asks("Which Java does FxStore need?")
        await browser.get(f"/api{run}/events")
        await browser.post(f"{run}/feedback", rating="wrong")
        council = await browser.asks("Which Java does FxStore need?", kind="council")
        await browser.get(f"/api{council}/events")
        # One that never ends, so that it can be cancelled.
        going = parts.runs.recorder("web:41:going", "answer", f"telegram:{OWNER}", f"web:{OWNER}:77")
        going.feed(StepStarted("draft"))
        await parts.runs.flush()
        session = (await browser.post("/interviews", pack="bug_report")).headers["location"]
        paths = {
            "run": run,
            "council": council,
            "going": "/runs/web:41:going",
            "session": session.partition("#")[0],
            "login": f"/login/{await parts.logins.link(OWNER)}",
        }
        await browser.client.post(
            "/documents", data={"csrf": browser.csrf}, files={"file": ("there.md", b"# A\n\nWords.\n")}
        )
        yield Seeds(console, browser, paths, await parts.logins.token(OWNER, "a test"))
        going.end("cancelled", {})


def faults_of(reply: httpx.Response, attack: str) -> list[str]:
    """What is wrong with a reply to a request that had the text in it."""
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


async def submitted(seeds: Seeds, form: Form, name: str, attack: str) -> httpx.Response:
    """Send a form with the text in one field; return the page that it leads to."""
    values = {"csrf": seeds.browser.csrf} | form.filled()
    files: dict[str, tuple[str, bytes]] = {
        one.name: ("there.md", b"# A\n\nWords.\n") for one in form.fields.values() if one.kind == "file"
    }
    if name in files:
        # The name and the words of a file: one that may not be called so is sent again under another name.
        reply = await sent(seeds, form, values, {name: (f"{attack}.md", attack.encode())})
        if reply.status_code == 200 or faults_of(reply, attack):
            return reply
        files[name] = ("there.md", attack.encode())
    else:
        values[name] = attack
    return await sent(seeds, form, values, files)


async def sent(
    seeds: Seeds, form: Form, values: dict[str, str], files: dict[str, tuple[str, bytes]]
) -> httpx.Response:
    client = seeds.browser.client
    if form.method == "get":
        return await client.get(form.action, params=values)
    reply = await client.post(form.action, data=values, files=files or None)
    if reply.status_code == 303:
        where = reply.headers["location"].partition("#")[0]
        if where.startswith("/runs/"):
            await client.get(f"/api{where}/events")
        return await client.get(where)
    return reply


def chosen(attacks: list[str], every: int, *about: str) -> list[str]:
    """Return one text in so many, for other fields other ones."""
    return attacks[zlib.crc32("".join(about).encode()) % every :: every]


def test_a_reply_in_which_something_is_wrong_is_found_out(shared: Path) -> None:
    """The texts as HTML would be found in many ways; escaped, in none."""
    found: Counter[str] = Counter()
    for attack in map(without_halves, attack_texts(shared)):
        for shown, is_faulty in ((attack, True), (html.escape(attack), False)):
            text = f"<!doctype html><html><body><p>{shown}</p></body></html>"
            reply = httpx.Response(200, html=text, headers={"x-content-type-options": "nosniff"})
            faults = faults_of(reply, attack)
            assert is_faulty or faults == [], attack
            found.update({re.split(r"[ =/]", fault)[0] for fault in faults})
    assert found["inline"] >= 5
    assert found["img"] >= 5
    assert found["not"] >= 20, found


async def test_every_page_that_takes_something_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each route of a page that is posted to has a form on some page, so no field is left out."""
    posted = {
        pattern_of(re.sub(r"\{\w+\}", "1", route.path))  # type: ignore[attr-defined]  # all are routes of FastAPI
        for router, _ in PAGES
        for route in router.routes
        if "POST" in route.methods  # type: ignore[attr-defined]  # likewise
    }
    async with seeded(tmp_path, monkeypatch) as seeds:
        forms = await seeds.forms()
        logins = ReadPage((await seeds.browser.get(seeds.paths["login"])).text).forms
    found = {action for method, action, _ in forms if method == "post"}
    assert [form.fields for form in logins] == [{}]
    assert found | {"/login/*"} >= posted


@EACH
async def test_attack_stays_a_text_in_every_field_of_every_form(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: Path,
    part: int,
    slices: int,
    words: int,
    others: int,
) -> None:
    attacks = [without_halves(text) for text in attack_texts(shared)[part::slices]]
    faults: list[tuple[str, ...]] = []
    tried, taken = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    named: set[str] = set()
    attacked = defaultdict[str, set[str]](set)
    async with seeded(tmp_path, monkeypatch) as seeds:
        for (_, action, names), form in (await seeds.forms()).items():
            # Another page may have the same field in another form.
            for name in {*names} - attacked[action]:
                attacked[action].add(name)
                known = form
                takes_words = form.fields[name].kind in {"text", "textarea", "file"}
                for attack in chosen(attacks, words if takes_words else others, action, name):
                    reply = await submitted(seeds, known, name, attack)
                    tried[action, name] += 1
                    taken[action, name] += reply.is_success
                    named |= {attack} if (action, name) == ("/tokens", "name") else set()
                    faults += [(action, name, attack, fault) for fault in faults_of(reply, attack)]
                    # What is hidden in a form can be other than before.
                    drawn = [each for each in ReadPage(reply.text).forms if name in each.fields]
                    known = next((each for each in drawn if pattern_of(each.action) == action), known)
        faults += await seeds.broken()
        tokens = (await seeds.browser.get("/tokens")).text
        assert seeds.console.jobs.failures == []
    assert faults == []
    # They were taken where words are taken, and are there to be read.
    for place in (
        ("/ask", "question"),
        ("/interviews/*", "message"),
        ("/documents", "file"),
        ("/tokens", "name"),
    ):
        assert taken[place] > tried[place] / 2 > 2, (place, taken)
    shown = [attack for attack in named if attack.strip() and html.escape(attack.strip()[:60]) in tokens]
    assert len(shown) > len(named) / 2


def prepared(seeds: Seeds, operation: Operation, name: str, where: str, attack: str) -> dict[str, Any]:
    """A request with the text in one place, and something that is taken in all others."""
    things = {
        "run_id": seeds.paths["run"].rpartition("/")[2],
        "session_id": seeds.paths["session"].rpartition("/")[2],
    }
    path, body = operation.path, dict(operation.required)
    headers = {"Authorization": f"Bearer {seeds.token}", "Content-Type": "application/json"}
    params: dict[str, Any] = {}
    for place in operation.places:
        if place.where == "path":
            named = attack if (place.name, place.where) == (name, where) else things[place.name]
            path = path.replace(f"{{{place.name}}}", quote(without_halves(named), safe=""))
    if where == "query":
        params[name] = without_halves(attack)
    elif where == "header":
        # A client sends no line breaks in a header.
        headers[name] = re.sub(r"[\x00-\x1f\x7f]", " ", attack).strip()
    elif where == "body":
        body[name] = attack
    return {
        "method": operation.method,
        "url": path,
        "params": params,
        "headers": {key: value.encode("utf-8", "replace") for key, value in headers.items()},
        "content": json.dumps(body) if operation.method == "POST" else None,
    }


@EACH
async def test_attack_stays_a_text_in_every_place_of_every_operation(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: Path,
    part: int,
    slices: int,
    words: int,
    others: int,
) -> None:
    attacks = attack_texts(shared)[part::slices]
    faults: list[tuple[str, ...]] = []
    tried, taken = Counter[tuple[str, str]](), Counter[tuple[str, str, int]]()
    async with (
        seeded(tmp_path, monkeypatch) as seeds,
        httpx.AsyncClient(base_url=seeds.console.base, trust_env=False, timeout=60) as client,
    ):
        document = (await seeds.browser.get("/api/openapi.json")).json()
        for operation in operations(document):
            for place in operation.places:
                takes_words = place.where == "body" and place.is_text
                for attack in chosen(attacks, words if takes_words else others, operation.path, place.name):
                    reply = await client.request(
                        **prepared(seeds, operation, place.name, place.where, attack)
                    )
                    about = (operation.path, f"{place.where} {place.name}")
                    tried[about] += 1
                    taken[*about, reply.status_code] += 1
                    kind = reply.headers.get("content-type", "")
                    if reply.status_code >= 500 or reply.headers["x-content-type-options"] != "nosniff":
                        faults.append((*about, attack, str(reply.status_code)))
                    elif reply.content and not kind.startswith(
                        ("application/json", "text/event-stream", "text/plain")
                    ):
                        faults.append((*about, attack, kind))
                    if reply.is_success and (where := reply.headers.get("location")):
                        if "/runs/" in where:
                            await client.get(
                                f"{where}/events", headers={"Authorization": f"Bearer {seeds.token}"}
                            )
                        page = await seeds.browser.get(
                            where.removeprefix("/api").replace("/session/", "/interviews/")
                        )
                        faults += [(*about, attack, fault) for fault in faults_of(page, attack)]
        faults += await seeds.broken()
        assert seeds.console.jobs.failures == []
    assert faults == []
    for path, name in (("/api/runs", "body question"), ("/api/session", "body initial_message")):
        assert taken[path, name, 202] + taken[path, name, 201] > tried[path, name] / 2 > 2, taken


async def test_browser_carries_nothing_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: Path
) -> None:
    """Texts that would do something as HTML stand on pages, and the browser has nothing to complain of."""
    active = [text for text in map(without_halves, attack_texts(shared)) if ReadPage(f"<p>{text}</p>").active]
    assert len(active) > 10
    async with seeded(tmp_path, monkeypatch) as seeds, launched() as running:
        browser, paths = (
            seeds.browser,
            [seeds.paths["session"], "/tokens", "/", "/conversations", "/documents"],
        )
        group = GROUP.conversation_id
        for attack in active:
            await browser.post("/tokens", name=attack)
            await browser.post(seeds.paths["session"], message=attack)
            await talked(seeds.console, group, MEMBER, attack, attack)
        for attack in active[:: len(active) // 5]:
            paths.append(await browser.asks(attack))
            await browser.get(f"/api{paths[-1]}/events")
        await seeds.console.parts.chats.seen(Chat(-500, "group", title=active[0]))
        async with seen(running, seeds.console, OWNER) as user:
            dialogs: list[str] = []
            user.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
            for path in [*paths, f"/conversations/{group}"]:
                await user.page.goto(path)
                await expect(user.page.locator("main")).to_be_visible()
                # A form that is closed too early, or a tag that is not, would put the end of the page elsewhere.
                assert await user.page.evaluate("document.body.lastElementChild.tagName") == "MAIN", path
            await expect(user.page.locator("main")).to_contain_text(active[0].strip()[:40])
            assert dialogs == []
            assert user.complaints == []
