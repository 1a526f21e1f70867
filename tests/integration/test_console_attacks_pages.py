"""Texts that mean harm stay texts in every field of every form of the console, and in a browser."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Sized
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from bot.service.incoming import Place as Chat
from bot.telegram.ids import to_peer
from bot.web.app import PAGES
from tests.support.attacked_console import EACH, GROUP, Seeds, chosen, faults_of, seeded
from tests.support.attacks import Form, ReadPage, attack_texts, pattern_of, without_halves
from tests.support.browsers import launched, seen
from tests.support.console import MEMBER, OWNER, talked

_TAKES_WORDS = {"text", "textarea", "file"}


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


def test_a_reply_in_which_something_is_wrong_is_found_out(shared: Path) -> None:
    """Texts that stand in a page unescaped are reported as faults of many kinds, and escaped texts as none."""
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
    attacked: Callable[[int, Sized], None],
) -> None:
    attacks = [without_halves(text) for text in attack_texts(shared)[part::slices]]
    faults: list[tuple[str, ...]] = []
    tried, taken = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    named: set[str] = set()
    seen_fields = set[tuple[str, str, bool]]()
    async with seeded(tmp_path, monkeypatch) as seeds:
        for (_, action, names), form in (await seeds.forms()).items():
            # What takes words comes first: a question that waits for a person takes one reply, and so one text.
            for name in sorted(names, key=lambda name: form.fields[name].kind not in _TAKES_WORDS):
                # Another page may have the same field in another form, as a button there and to type in here.
                takes_words = form.fields[name].kind in _TAKES_WORDS
                if (action, name, takes_words) in seen_fields:
                    continue
                seen_fields.add((action, name, takes_words))
                known = form
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
        tokens = html.unescape((await seeds.browser.get("/tokens")).text)
        assert seeds.console.jobs.failures == []
    attacked(tried.total(), faults)
    # They were taken where words are taken, and are there to be read.
    for place in (
        ("/ask", "question"),
        ("/interviews/*", "message"),
        ("/documents", "file"),
        ("/tokens", "name"),
        ("/passed/*", "text"),
    ):
        assert taken[place] > tried[place] / 2 > 2, (place, taken)
    shown = [attack for attack in named if attack.strip() and " ".join(attack.split())[:60] in tokens]
    assert len(shown) > len(named) / 2


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
        await seeds.console.parts.chats.seen(Chat(to_peer(-500), "group", title=active[0]))
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
