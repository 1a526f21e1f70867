"""The administrators' pages do what they say."""

from __future__ import annotations

import asyncio
import html
import json
import re
from pathlib import Path

import pytest
from structlog.testing import CapturingLogger

from bot.jobs.values import Job
from bot.service.incoming import Place, Sender
from bot.telegram.ids import to_peer
from bot.web import runs
from rag.texts import FALLBACK
from tests.support.console import ADMIN, MEMBER, OWNER, STRANGER, Browser, Serve, Served
from tests.support.loop import scripted

QUESTION = "Which Java does FxStore need?"


async def settled(browser: Browser) -> str:
    """The page of the documents once nothing is being read."""
    async with asyncio.timeout(60):
        while True:
            page = (await browser.get("/documents")).text
            if "data-refresh" not in page:
                return page
            await asyncio.sleep(0.05)


def words_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


async def upload(browser: Browser, name: str, content: bytes, **fields: str) -> tuple[int, str]:
    reply = await browser.client.post(
        "/documents", data={"csrf": browser.csrf} | fields, files={"file": (name, content)}
    )
    return reply.status_code, reply.text


async def test_first_page_takes_few_requests_and_kilobytes(console: Served) -> None:
    """Everything that a browser fetches for an empty chat, of which all but the page is kept."""
    async with console.browser(MEMBER) as browser:
        page = await browser.get("/")
        parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        fetched = [page, *[await browser.get(part) for part in dict.fromkeys(parts)]]
        assert {reply.status_code for reply in fetched} == {200}
        assert 4 <= len(fetched) <= 6
        assert sum(len(reply.content) for reply in fetched) < 120_000


async def test_document_is_added_asked_about_replaced_and_removed(serve: Serve) -> None:
    model = scripted(draft="Everybody has 28 days of paid leave a year.")
    async with serve(model) as console, console.browser(ADMIN) as browser:
        status, _ = await upload(
            browser, "leave.md", b"# Leave\n\nEverybody has 28 days of paid leave a year.\n"
        )
        assert status == 303
        page = await settled(browser)
        assert "leave.md" in page
        path = await browser.asks("How many days of paid leave does everybody have a year?", mode="quick")
        await browser.get(f"/api{path}/events")
        answer = (await browser.get(f"/api{path}")).json()["answer"]
        assert [citation["document"] for citation in answer["citations"]] == ["Leave"]
        await upload(browser, "leave.md", b"# Leave\n\nEverybody has 30 days.\n")
        assert "⚠ leave.md: there is a document of this name already" in words_of(await settled(browser))
        status, _ = await upload(browser, "leave.md", b"# Leave\n\nEverybody has 30 days.\n", replace="yes")
        assert status == 303
        await settled(browser)
        assert (await browser.post("/documents/remove", name="leave.md", sure="yes")).status_code == 303
        page = await settled(browser)
        assert "leave.md" not in page, page.partition("<main")[2]
        assert "java.md" in page


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("virus.exe", b"MZ", "⚠ virus.exe: files of the type .exe cannot be read"),
        ("../../evil.md", b"# Title\n\nSome words.\n", "new: 2"),
        ("broken.pdf", b"no pdf at all", "⚠ broken.pdf: the file is not a PDF"),
        ("empty.md", b"", "⚠ empty.md: the file is empty"),
    ],
    ids=["another kind", "a path", "no pdf", "nothing in it"],
)
async def test_upload_that_cannot_be_used_says_why_and_the_others_are_added(
    console: Served, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    async with console.browser(ADMIN) as browser:
        files = [("file", (name, content)), ("file", ("tea.md", b"# Tea\n\nAt four.\n"))]
        await browser.client.post("/documents", data={"csrf": browser.csrf}, files=files)
        page = words_of(await settled(browser))
        assert words in page
        assert "tea.md Tea" in page
    left = {path.name for path in await asyncio.to_thread(lambda: list(tmp_path.rglob("*")))}
    assert not [name for name in left if name.startswith(".partial-")]
    assert ("evil.md" in left) == (name == "../../evil.md")


async def test_everything_is_read_again(console: Served) -> None:
    async with console.browser(ADMIN) as browser:
        assert (await browser.post("/documents/reindex", rebuild="yes", sure="yes")).status_code == 303
        page = await settled(browser)
        assert "✔ Documents: 1, passages: 1" in page


async def test_reading_that_died_with_its_machine_is_carried_out_by_another(
    console: Served, tmp_path: Path
) -> None:
    (tmp_path / "corpus/more.md").write_text("# More\n\nMore words.\n")
    payload = {"key": "index:1", "who": "Ann", "rebuild": False}
    await console.jobs.submit(Job("index:1", "index", json.dumps(payload)))
    await asyncio.wait(console.jobs.unfinished)
    assert (await console.parts.library.measure_size()).documents == 2
    async with console.browser(ADMIN) as browser:
        assert "✔ Documents: 2" in await settled(browser)


async def test_people_are_let_in_blocked_and_appointed(console: Served) -> None:
    users = console.parts.users
    await users.seen(Sender(to_peer(STRANGER), "person", "Sam <b>Stranger</b>"))
    await console.parts.chats.seen(Place(to_peer(-700), "group", title="The team"))
    async with console.browser(ADMIN) as admin, console.browser(OWNER) as owner:
        page = (await admin.get("/people")).text
        assert "Sam &lt;b&gt;Stranger&lt;/b&gt;" in page
        assert "The team" in page
        assert (await admin.post("/people/decide", id=str(STRANGER), decision="allow")).status_code == 303
        assert (await users.get(to_peer(STRANGER))).access == "allowed"
        async with console.browser(STRANGER) as stranger:
            assert (await stranger.get("/")).status_code == 200
            assert (await admin.post("/people/decide", id=str(STRANGER), decision="deny")).status_code == 303
            assert (await stranger.get("/")).status_code == 403
        assert (await admin.post("/people/decide", id="-700", decision="allow")).status_code == 303
        assert (await console.parts.chats.get(to_peer(-700))).access == "allowed"
        # An administrator has no power over the owner, themselves or other administrators.
        for target in (OWNER, ADMIN):
            assert (await admin.post("/people/decide", id=str(target), decision="deny")).status_code == 403
        assert (await admin.post("/people/appoint", id=str(MEMBER), is_admin="yes")).status_code == 403
        assert (await owner.post("/people/appoint", id=str(MEMBER), is_admin="yes")).status_code == 303
        assert (await users.get(to_peer(MEMBER))).role == "admin"
        assert (await owner.post("/people/appoint", id=str(MEMBER), is_admin="no")).status_code == 303
        assert (await users.get(to_peer(MEMBER))).role is None
        for bad in ("", "x", "1e5", "٣", "9" * 30, "--5"):
            assert (await admin.post("/people/decide", id=bad, decision="allow")).status_code == 422, bad


def part_of(page: str, name: str) -> str:
    """A section of a page."""
    return page.partition(f'<section aria-labelledby="{name}">')[2].partition("</section>")[0]


async def test_statistics_of_a_chosen_time(console: Served) -> None:
    async with console.browser(OWNER) as browser:
        path = await browser.asks(QUESTION)
        await browser.get(f"/api{path}/events")
        page = (await browser.get("/statistics")).text
        assert QUESTION not in page
        await browser.post(f"{path}/feedback", rating="wrong")
        page = (await browser.get("/statistics")).text
        assert "useful / wrong" in page
        assert QUESTION in part_of(page, "marked-wrong")
        assert QUESTION not in part_of(page, "unanswered")
        picture = await browser.get("/statistics/picture.png")
        assert picture.content.startswith(b"\x89PNG")
        # The lists are of the chosen time as well.
        page = (await browser.get("/statistics?since=2001-01-01&until=2001-02-01")).text
        assert "2001-01-01 – 2001-02-01" in page
        assert "picture.png" not in page
        assert QUESTION not in (await browser.get("/statistics?since=2020-01-01&until=2025-01-01")).text
        assert QUESTION in (await browser.get("/statistics?since=2020-01-01")).text
        for bad in ("since=x", "since=2026-01-02&until=2026-01-01", "since=0001-01-01", "until=9999-12-31"):
            assert (await browser.get(f"/statistics?{bad}")).status_code == 422, bad


async def test_reports_are_shown(console: Served, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "reports"
    folder.mkdir()
    (folder / "verdicts.json").write_text('{"accuracy": 0.912345, "by": {"rules": 7}, "rows": [1]}')
    (folder / "answers.json").write_text("{broken")
    async with console.browser(ADMIN) as browser:
        page = (await browser.get("/quality")).text
        assert "0.9123" in page
        assert "by · rules" in page


async def test_pages_speak_the_language_of_the_visitor(console: Served) -> None:
    async with console.browser(OWNER) as browser:
        for language in ("ru", "ko", "zh", "es", "id", FALLBACK):
            await console.parts.users.set_language(to_peer(OWNER), language)
            for path in (
                "/",
                "/documents",
                "/people",
                "/passed",
                "/statistics",
                "/quality",
                "/health",
                "/tokens",
            ):
                reply = await browser.get(path)
                assert reply.status_code == 200
                assert f'<html lang="{language}">' in reply.text
        await console.parts.users.set_language(to_peer(OWNER), None)
        reply = await browser.get("/", headers={"Accept-Language": "fr, ru;q=0.8, en;q=0.5"})
        assert "Спросите свои документы" in reply.text


async def test_page_of_a_run_shows_each_issue_of_the_reviewer_or_that_nobody_reviewed(serve: Serve) -> None:
    issue = {"type": "logic", "severity": "complex", "description": "It says <b>17</b> and 21."}
    model = scripted(
        draft="FxStore needs Java 17.",
        review={"status": "pass_with_flags", "issues": [issue]},
        read="Java 17",
    )
    async with serve(model) as console, console.browser(ADMIN) as browser:
        pages = {}
        for mode in ("careful", "quick"):
            path = await browser.asks("Which Java does FxStore need?", mode=mode)
            await browser.get(f"/api{path}/events")
            pages[mode] = (await browser.get(path)).text
    assert "contradiction, for the judge: It says &lt;b&gt;17&lt;/b&gt; and 21." in pages["careful"]
    assert "Not reviewed" not in pages["careful"]
    assert "Not reviewed in this mode (quick)." in pages["quick"]


async def test_each_answer_has_one_line_of_the_log_with_score_and_rounds(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = CapturingLogger()
    monkeypatch.setattr(runs, "_log", log)
    model = scripted(draft="FxStore needs Java 17.", read="Java 17")
    async with serve(model) as console, console.browser(ADMIN) as browser:
        path = await browser.asks("Which Java does FxStore need?", mode="balanced")
        await browser.get(f"/api{path}/events")
    (line,) = log.calls
    assert (line.method_name, line.args) == ("info", ("a question was answered",))
    told = [line.kwargs[name] for name in ("label", "score", "rounds", "mode")]
    assert told == ["verified", None, 0, "balanced"]
    assert "FxStore" not in str(line)
