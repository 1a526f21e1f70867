"""The console in a real browser."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from bot.service.incoming import Place
from bot.telegram.ids import to_peer
from rag.events import StepFinished, StepStarted, Text
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import Reason
from rag.values import StepTrace
from tests.support.browsers import seen
from tests.support.console import ADMIN, MEMBER, OWNER, Gated, Serve, Served, a_question_waits, talked
from tests.support.loop import scripted

QUESTION = "Which Java does FxStore need?"


async def test_ask_watch_and_reload_in_the_middle(serve: Serve, browser: Browser) -> None:
    model = Gated(scripted())
    async with serve(model) as console, seen(browser, console, MEMBER) as user:
        page = user.page
        field = page.get_by_label("Your question")
        await field.fill("Which Java")
        await field.press("Shift+Enter")
        await field.press_sequentially("does FxStore need?")
        await expect(field).to_have_value("Which Java\ndoes FxStore need?")
        await field.press("Enter")
        await page.wait_for_url("**/runs/**")
        trail = page.locator(".trail")
        await expect(trail).to_contain_text("Drafting")
        await expect(page.get_by_role("status")).to_contain_text("Working")
        await page.reload()
        await expect(trail).to_contain_text("Drafting")
        await expect(page.get_by_role("button", name="Stop")).to_be_visible()
        model.gate.set()
        await expect(page.locator(".answer")).to_contain_text("Java 17")
        await expect(page.get_by_role("status")).to_have_text("Done")
        await expect(page.locator(".label")).to_have_text("verified against the documents")
        await expect(page.locator(".live")).to_be_hidden()
        # How it came about is folded. The first draft said otherwise.
        await expect(page.locator(".sides")).to_be_hidden()
        await page.get_by_text("How was this checked?").click()
        await expect(page.locator(".sides del").first).to_contain_text("11")
        await expect(page.locator(".sides ins").first).to_contain_text("17")
        sides = [await side.bounding_box() for side in await page.locator(".sides article").all()]
        assert [side and side["y"] for side in sides] == [sides[0] and sides[0]["y"]] * 2
        await page.get_by_role("button", name="Useful").click()
        await expect(page.get_by_role("button", name="Useful")).to_have_attribute("aria-pressed", "true")
        assert await user.barriers() == []
        await page.locator(".source").click()
        await expect(page.locator("mark")).to_have_text("FxStore needs Java 17.")
        await expect(page.get_by_role("heading", name="Requirements")).to_be_visible()
        assert await user.barriers() == []
        await page.get_by_role("link", name="Back to the chat").click()
        await page.locator(".answer a", has_text="[1]").click()
        await expect(page.locator("mark")).to_be_in_viewport()
        assert user.complaints == []


@pytest.mark.parametrize("width", [1280, 390])
async def test_thread_keeps_the_field_on_the_screen_and_is_found_and_deleted(
    serve: Serve, browser: Browser, width: int
) -> None:
    async with serve() as console, seen(browser, console, MEMBER, width=width) as user:
        page = user.page
        await page.get_by_role("button", name="What does “FxStore” say about “Requirements”?").click()
        await expect(page.locator(".answer")).to_be_visible()
        field = page.get_by_label("Ask a follow-up")
        await expect(field).to_be_in_viewport(ratio=1)
        await field.fill("And which Java does it need?")
        await field.press("Enter")
        await expect(page.locator(".answer")).to_have_count(2)
        # Asked again in another mode, it is the next question of the same chat.
        await page.get_by_text("Ask again").last.click()
        await page.get_by_role("button", name="quick").last.click()
        await expect(page.locator(".answer")).to_have_count(3)
        await expect(page.locator(".asked")).to_have_text(
            ["What does “FxStore” say about “Requirements”?", *["And which Java does it need?"] * 2]
        )
        await expect(page.locator(".asked").last).to_be_in_viewport()
        await expect(field).to_be_in_viewport(ratio=1)
        assert await user.barriers() == []

        async def look_for(words: str) -> None:
            await page.goto("/")
            if width < 900:
                await page.get_by_role("button", name="Menu").click()
                assert await user.barriers() == []
            await page.get_by_role("searchbox", name="Search your chats").fill(words)
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/?q=*")

        await look_for("no such words")
        found = page.get_by_role("main").get_by_role("link")
        await expect(found).to_have_count(0)
        await look_for("fxstore")
        await found.click()
        await expect(page.locator(".answer")).to_have_count(3)
        await page.get_by_role("button", name="Delete this chat").click()
        await expect(page.get_by_role("main")).to_contain_text("It cannot be brought back.")
        await page.get_by_role("link", name="No").click()
        await expect(page.locator(".answer")).to_have_count(3)
        await page.get_by_role("button", name="Delete this chat").click()
        await page.get_by_role("button", name="Yes").click()
        await expect(page).to_have_url(f"{console.base}/")
        await expect(page.locator(".chats a")).to_have_count(0)
        assert user.complaints == []


async def test_question_that_is_refused_says_why_and_stays_in_the_field(
    serve: Serve, browser: Browser
) -> None:
    words = "Which Java? " * 2_000
    async with serve() as console, seen(browser, console, MEMBER) as user:
        await user.page.get_by_label("Your question").fill(words)
        await user.page.get_by_role("button", name="Ask", exact=True).click()
        await expect(user.page.get_by_role("alert")).to_contain_text("the limit is 8,000")
        await expect(user.page.get_by_label("Your question")).to_have_value(words)


async def test_nothing_shifts_and_nothing_doubles_while_text_is_written(
    serve: Serve, browser: Browser
) -> None:
    observe = """() => { window.shift = 0; new PerformanceObserver((list) => {
        for (const one of list.getEntries()) window.shift += one.value;
    }).observe({ type: "layout-shift" }); }"""
    async with serve() as console, seen(browser, console, MEMBER) as user:
        run = console.parts.runs.recorder("web:43:long", "answer", f"telegram:{MEMBER}", f"web:{MEMBER}:1")
        run.feed(StepStarted("draft"))
        await console.parts.runs.flush()
        await user.page.goto("/runs/web:43:long#latest")
        await user.page.evaluate(observe)
        while not console.parts.runs.is_watched("web:43:long"):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
        live = user.page.locator(".live > div")
        for number in (1, 2):
            # A model that fails half-way is asked once more.
            if number == 2:
                run.feed(StepStarted("draft", number))
                await expect(live).to_contain_text("Mechanics, line 39")
            for line in range(40):
                run.feed(Text("draft", f"Mechanics, line {line}.\n", number))
                await asyncio.sleep(0)
            await expect(live).to_contain_text("line 39")
        run.feed(StepStarted("evaluate"))
        await expect(user.page.locator(".working")).to_contain_text("Checking")
        assert (await live.inner_text()).count("line 39") == 1
        await expect(user.page.get_by_label("Ask a follow-up")).to_be_in_viewport(ratio=1)
        run.end("complete", {})
        await expect(user.page.get_by_role("status")).to_have_text("Done")
        assert await user.page.evaluate("window.shift") == 0
        assert user.complaints == []


async def test_stopping_from_the_page(serve: Serve, browser: Browser) -> None:
    model = Gated(scripted())
    async with serve(model) as console, seen(browser, console, MEMBER) as user:
        await user.page.get_by_label("Your question").fill(QUESTION)
        await user.page.get_by_role("button", name="Ask", exact=True).click()
        await user.page.get_by_role("button", name="Stop").click()
        await expect(user.page.get_by_role("status")).to_have_text("Stopped")
        assert user.complaints == []


async def test_without_javascript_everything_can_be_read(serve: Serve, browser: Browser) -> None:
    async with serve() as console, seen(browser, console, MEMBER, scripts=False) as user:
        await user.page.get_by_label("Your question").fill(QUESTION)
        await user.page.get_by_role("button", name="Ask", exact=True).click()
        # While it is at work, the page asks for itself again.
        await expect(user.page.locator(".answer")).to_contain_text("Java 17", timeout=30_000)
        await expect(user.page.locator(".trail")).to_contain_text("Drafting")
        await user.page.locator(".source").click()
        await expect(user.page.locator("mark")).to_be_visible()


async def test_member_sees_no_page_of_administrators(serve: Serve, browser: Browser) -> None:
    async with serve() as console, seen(browser, console, MEMBER) as user:
        await expect(user.page.get_by_role("navigation")).not_to_contain_text("Documents")
        reply = await user.page.goto("/documents")
        assert reply is not None
        assert reply.status == 403
        await expect(user.page.locator("main")).to_contain_text("Only administrators may see this.")


async def test_upload_shows_its_progress_and_ends_on_the_list(serve: Serve, browser: Browser) -> None:
    async with serve() as console, seen(browser, console, ADMIN) as user:
        page = user.page
        await page.goto("/documents")
        file: Any = {
            "name": "leave.md",
            "mimeType": "text/markdown",
            "buffer": b"# Leave\n\n28 days a year.\n",
        }
        await page.set_input_files("#file", file)
        await page.get_by_role("button", name="Send").click()
        await expect(page.get_by_role("table")).to_contain_text("leave.md")
        await page.get_by_role("button", name="Remove: ").click()
        await expect(page.get_by_role("main")).to_contain_text("Remove this document?")
        await page.get_by_role("button", name="Yes").click()
        await expect(page.get_by_role("table")).not_to_contain_text("leave.md")
        assert user.complaints == []


async def test_document_that_was_missing_is_added_where_its_question_is_listed(
    serve: Serve, browser: Browser
) -> None:
    question, told = "How many days of leave are there a year?", "There are 28 days of leave a year."

    def knowing(request: ChatRequest) -> Reply:
        """It knows what the passages say, and nothing else."""
        if request.purpose == "judge":
            return {"answer_quality": "needs_docs", "reason": "no passage says it", "confidence": 0.9}
        if request.purpose == "rewrite":
            return {"query": "days of leave"}
        if told in request.messages[-1].text:
            return f"{told[:-1]} [1]."
        return "I do not know that; please see the documents."

    async with serve(ScriptedModel(knowing)) as console, seen(browser, console, ADMIN) as user:
        page = user.page
        answer, label = page.locator(".answer"), page.locator(".label")

        async def ask() -> None:
            await page.goto("/")
            await page.get_by_label("Your question").fill(question)
            await page.get_by_role("button", name="Ask", exact=True).click()
            await expect(answer).to_be_visible()

        await ask()
        await expect(label).to_contain_text("not in the documents")
        await page.goto("/statistics")
        await expect(page.get_by_role("region", name="did not answer")).to_contain_text(question)
        file: Any = {
            "name": "leave.md",
            "mimeType": "text/markdown",
            "buffer": f"# Leave\n\n{told}\n".encode(),
        }
        await page.set_input_files("#file", file)
        await page.get_by_role("button", name="Send").click()
        await expect(page.get_by_role("status")).to_contain_text("Documents: 2")
        await expect(page.get_by_role("table")).to_contain_text("leave.md")
        await ask()
        await expect(answer).to_contain_text("28 days")
        await expect(label).to_have_text("verified against the documents")
        await expect(page.locator(".sources")).to_contain_text("Leave")
        assert user.complaints == []


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1200, "light"), (1200, "dark"), (390, "light"), (640, "light")],
    ids=["light", "dark", "390 px", "200 %"],
)
async def test_pages_have_no_barriers_and_fit(
    serve: Serve, tmp_path: Path, browser: Browser, width: int, scheme: str
) -> None:
    async with (
        serve() as console,
        console.browser(OWNER) as http,
        seen(browser, console, OWNER, width=width, scheme=scheme) as user,
    ):
        run = await http.asks(QUESTION)
        await http.get(f"/api{run}/events")
        await upload_fault(tmp_path)
        await a_question_waits(console)
        for path in (
            "/",
            "/?q=",
            run,
            f"{run}/sources/1",
            "/interviews",
            "/documents",
            "/people",
            "/passed",
            "/conversations",
            f"/conversations/{await a_group_talks(console)}",
            "/statistics",
            "/quality",
            "/health",
            "/tokens",
        ):
            await user.page.goto(path)
            assert await user.barriers() == [], path
            overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert await user.page.evaluate(overflow) <= 0, path
            # Everything can be reached by the keyboard, the content first.
            await user.page.keyboard.press("Tab")
            assert await user.page.evaluate("document.activeElement.className") == "skip", path
        assert user.complaints == []


async def test_reply_of_a_person_appears_without_a_reload(serve: Serve, browser: Browser) -> None:
    model = ScriptedModel(
        lambda request: "NOT STATED" if request.purpose == "read" else "I do not know that."
    )
    async with (
        serve(model, access={"experts": str(OWNER)}) as console,
        seen(browser, console, MEMBER) as user,
        console.browser(OWNER) as owner,
    ):
        page = user.page
        await page.goto("/")
        await page.get_by_label("Your question").fill("When is tea?")
        await page.get_by_role("button", name="Ask", exact=True).click()
        await page.get_by_role("button", name="Ask a person").click()
        await expect(page.get_by_role("main")).to_contain_text("This question is with the people who know.")
        await expect(page.get_by_role("button", name="Ask a person")).to_have_count(0)
        assert (await owner.post("/passed/1", key="1", text="At four.")).status_code == 303
        await expect(page.get_by_role("main")).to_contain_text("At four.")
        await expect(page.get_by_role("main")).to_contain_text("answered by a person")
        assert user.complaints == []


async def a_group_talks(console: Served) -> str:
    """A group asks something; the key of its conversation."""
    group = Place(to_peer(-100), "group", 7, "The team")
    await console.parts.chats.seen(group)
    await talked(console, group.conversation_id, MEMBER, "Which Java?", "Java 17.")
    return group.conversation_id


async def upload_fault(folder: Path) -> None:
    """A document that cannot be read belongs on the page."""
    await asyncio.to_thread((folder / "corpus" / "broken.pdf").write_bytes, b"no pdf")


async def test_text_that_is_cut_at_any_byte_arrives_whole(serve: Serve, browser: Browser) -> None:
    """A proxy in between hands on one to five bytes at a time."""
    words = "Жук № 7 😀 – 漢字, naïve\u2028ﬁn"
    async with serve() as console, cutting(int(console.base.rpartition(":")[2])) as port:
        console.base = f"http://127.0.0.1:{port}"
        run = console.parts.runs.recorder("web:43:cut", "answer", f"telegram:{MEMBER}", f"web:{MEMBER}:1")
        run.feed(StepStarted("draft"))
        await console.parts.runs.flush()
        async with seen(browser, console, MEMBER) as user:
            await user.page.goto("/runs/web:43:cut")
            while not console.parts.runs.is_watched("web:43:cut"):  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
            for word in words:
                run.feed(Text("draft", word))
            await expect(user.page.locator(".live > div")).to_have_text(words, use_inner_text=False)
            run.feed(StepFinished(StepTrace("draft", 1.0, Reason("judge-said", {"text": words}))))
            await expect(user.page.locator(".trail")).to_contain_text("Жук № 7 😀 – 漢字, naïve")
            run.end("complete", {})
            await expect(user.page.get_by_role("status")).to_have_text("Done")
            assert user.complaints == []


class cutting:  # noqa: N801 - used like a function
    """A proxy that cuts what the server sends into small pieces."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._chance = random.Random(3)

    async def __aenter__(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream, down = await asyncio.open_connection("127.0.0.1", self._port)
        sending = asyncio.create_task(self._hand_on(reader, down, cuts=False))
        try:
            await self._hand_on(upstream, writer, cuts=True)
        finally:
            sending.cancel()
            for one in (down, writer):
                one.close()

    async def _hand_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, cuts: bool
    ) -> None:
        try:
            while data := await reader.read(65_536):
                if (
                    not cuts
                    or not data.startswith((b"id:", b"data:", b"retry", b"HTTP"))
                    or len(data) > 4_000
                ):
                    writer.write(data)
                    await writer.drain()
                    continue
                while data:
                    size = self._chance.randrange(1, 6)
                    writer.write(data[:size])
                    await writer.drain()
                    await asyncio.sleep(0)
                    data = data[size:]
        except ConnectionError:
            return
