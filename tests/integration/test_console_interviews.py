"""The page of an interview, in a real browser and by plain forms."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, FloatRect, expect

from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support import console as http
from tests.support.browsers import Seen, seen
from tests.support.console import MEMBER, Serve
from tests.support.interviews import FACTS, attentive, objects

EVERYTHING = " ".join(FACTS.values())
TITLE = "Something is odd about /version"


@pytest.fixture
async def talking(serve: Serve, browser: Browser) -> AsyncIterator[Seen]:
    """A member in a browser who has begun an interview about a bug."""
    async with serve(ScriptedModel(attentive)) as console, seen(browser, console, MEMBER) as user:
        await user.page.goto("/interviews")
        await user.page.get_by_role("button", name="Bug report").click()
        yield user


@pytest.mark.parametrize(
    ("width", "scripts"), [(1200, True), (400, False)], ids=["wide", "400 px, no scripts"]
)
async def test_interview_to_the_gate_and_back(
    serve: Serve, browser: Browser, width: int, scripts: bool
) -> None:
    async with (
        serve(ScriptedModel(attentive)) as console,
        seen(browser, console, MEMBER, width=width, scripts=scripts) as user,
    ):
        page = user.page
        if not scripts:
            await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("link", name="Interviews").click()
        await page.get_by_role("button", name="Bug report").click()
        log, known = page.get_by_role("log"), page.get_by_role("region", name="What is known")
        await expect(page.locator(".asking")).to_have_text("Which product or part of it is affected?")
        await expect(page.locator(".talk")).to_contain_text("The report goes to the people")
        await page.get_by_label("Your answer").fill(EVERYTHING)
        await page.get_by_role("button", name="Send").click()
        await expect(log).to_contain_text("an empty one")
        changed = known.locator("mark", has_text="a saved file")

        async def turn_to(tab: str) -> None:
            if not scripts:  # on a phone, the talk and what is known stand behind tabs
                await page.get_by_role("link", name=tab).click()

        await turn_to("What is known")
        await expect(changed).to_be_visible()
        await expect(known.locator("li", has_text="a saved file")).to_contain_text("said by you")
        # A branch closes and opens by the keyboard.
        branch = known.locator("details.branch", has_text="a saved file")
        for is_visible in (False, True):
            await branch.locator("summary").first.press("Enter")
            await expect(changed).to_be_visible(visible=is_visible)
        await expect(page.locator(".missing li")).to_have_count(1)
        await turn_to("What was said")
        await page.get_by_role("button", name="It is a nuisance").click()
        await expect(page.locator(".missing")).to_have_count(0)
        await turn_to("What is known")
        await expect(known).to_contain_text("Everything is there.")
        if scripts:
            assert await user.barriers() == []
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        if scripts:
            assert await page.evaluate(overflow) <= 0
        await turn_to("What was said")
        await page.get_by_role("button", name="Take the last answer back").click()
        await expect(page.locator(".missing li")).to_have_count(1)
        await page.reload()
        await page.get_by_role("button", name="It is a nuisance").click()
        await page.get_by_role("button", name="Finish").click()
        await expect(page.get_by_role("status")).to_have_text("This interview is finished.")
        assert user.complaints == []


async def test_buttons_rest_while_a_turn_runs(talking: Seen) -> None:
    page = talking.page
    send = page.get_by_role("button", name="Send")
    await expect(send).to_be_enabled()
    await page.wait_for_load_state()
    # The turn never ends, as far as the page knows.
    await page.evaluate(
        "document.querySelector('.talk form').addEventListener('submit', event => event.preventDefault())"
    )
    await send.click()
    await expect(send).to_be_disabled()
    await expect(page.get_by_role("button", name="Take the last answer back")).to_be_disabled()
    await expect(page.get_by_label("Your answer")).not_to_be_editable()
    assert talking.complaints == []


async def test_panes_have_two_thirds_and_one_third_and_are_stacked_where_there_is_no_room(
    talking: Seen,
) -> None:
    page = talking.page
    await expect(page.locator(".asking")).to_be_visible()

    async def boxes() -> tuple[FloatRect, FloatRect]:
        found = [await page.locator(f".{name}").bounding_box() for name in ("pane", "talk")]
        assert found[0] is not None
        assert found[1] is not None
        return found[0], found[1]

    for width in (900, 1200, 1600):
        await page.set_viewport_size({"width": width, "height": 600})
        state, talk = await boxes()
        assert state["y"] == talk["y"]
        assert state["x"] < talk["x"]
        assert state["width"] / talk["width"] == pytest.approx(2, abs=0.01)
        # Both fill the height that is left, and what does not fit scrolls in its pane.
        assert state["height"] == talk["height"]
        assert await page.evaluate("document.documentElement.scrollHeight") <= 600 + 200
        pane = page.locator(".pane")
        assert await pane.evaluate("one => getComputedStyle(one).overflowY") == "auto"
        assert await pane.evaluate("one => one.scrollHeight > one.clientHeight")
    for width in (899, 390):
        # The question comes first, and the state is behind a tab.
        await page.set_viewport_size({"width": width, "height": 600})
        await expect(page.locator(".pane")).to_be_hidden()
        await expect(page.locator(".asking")).to_be_in_viewport()
        await expect(page.get_by_label("Your answer")).to_be_in_viewport()
        await page.get_by_role("link", name="What is known").click()
        await expect(page.locator(".pane")).to_be_visible()
        await expect(page.locator(".asking")).to_be_hidden()
        await page.get_by_role("link", name="What was said").click()
        await expect(page.locator(".asking")).to_be_visible()
    assert talking.complaints == []


async def begun(browser: http.Browser, key: str = "") -> str:
    reply = await browser.post("/interviews", pack="bug_report", key=key)
    assert reply.status_code == 303
    return reply.headers["location"].partition("#")[0]


async def test_what_is_wrong_stands_on_the_page_and_words_are_kept(serve: Serve) -> None:
    async with serve(ScriptedModel(attentive)) as console, console.browser(MEMBER) as browser:
        path = await begun(browser, "twice")
        assert await begun(browser, "twice") == path
        reply = await browser.post(path, message="my <b>words</b>", answer_to="q-99")
        assert reply.status_code == 409
        assert 'role="alert"' in reply.text
        assert "my &lt;b&gt;words&lt;/b&gt;</textarea>" in reply.text
        assert (await browser.post(path, message=" ")).status_code == 422
        assert (await browser.post(f"{path}/undo")).status_code == 422
        # The same form again is one message.
        for _ in range(2):
            assert (
                await browser.post(path, message="<img src=x onerror=alert(1)>", key="k")
            ).status_code == 303
        shown = (await browser.get(path)).text
        assert "<img" not in shown
        assert shown.count('class="turn turn-user"') == 1


async def test_two_tabs_stay_consistent(talking: Seen) -> None:
    first = talking.page
    await first.get_by_label("Your answer").fill(EVERYTHING)
    await first.get_by_role("button", name="Send").click()
    await expect(first.get_by_role("button", name="It is a nuisance")).to_be_visible()
    second = await first.context.new_page()
    await second.goto(first.url)
    await expect(second.locator(".asking")).to_have_text(await first.locator(".asking").inner_text())
    await second.get_by_role("button", name="It is a nuisance").click()
    await expect(second.locator(".missing")).to_have_count(0)
    # The first tab still shows the question. Its answer is refused in words, and the page is the new one.
    await first.get_by_role("button", name="I cannot work").click()
    await expect(first.get_by_role("alert")).to_contain_text("not open any more")
    await expect(first.locator(".missing")).to_have_count(0)
    await expect(first.get_by_role("button", name="I cannot work")).to_have_count(0)
    known = first.get_by_role("region", name="What is known")
    await expect(known).to_contain_text("minor")
    await second.reload()
    assert await second.get_by_role("log").inner_text() == await first.get_by_role("log").inner_text()


async def test_issues_are_filtered(serve: Serve) -> None:
    def objecting(request: ChatRequest) -> Reply:
        """It doubts the version at the gate."""
        is_said = "<last_message>" in request.messages[-1].text
        return attentive(request) if is_said else objects("/version", "Is it really <i>that</i> version?")

    async with serve(ScriptedModel(objecting)) as console, console.browser(MEMBER) as browser:
        path = await begun(browser)
        assert (await browser.get(f"{path}/why")).status_code == 404
        assert (await browser.get(f"{path}/why", params={"turn": "none"})).status_code == 404
        assert (await browser.post(path, message=f"{EVERYTHING} blocker")).status_code == 303

        async def is_shown(**query: str) -> bool:
            return f'<strong dir="auto">{TITLE}<' in (await browser.get(path, params=query)).text

        assert await is_shown()
        assert await is_shown(severity="critical", status="open")
        assert not await is_shown(severity="low")
        assert not await is_shown(severity="critical", status="resolved")
        page = (await browser.get(path)).text
        assert "Is it really &lt;i&gt;that&lt;/i&gt; version?" in page
        assert "<i>that" not in page


async def test_turn_is_explained_on_a_page_of_its_own(talking: Seen) -> None:
    page = talking.page
    for text in ("the editor", f"2.1, {FACTS['/steps']}"):
        await page.get_by_label("Your answer").fill(text)
        await page.get_by_role("button", name="Send").click()
        await expect(page.get_by_role("log")).to_contain_text(text)
    await page.get_by_role("log").get_by_role("link", name="Why?").first.click()
    await expect(page.locator("blockquote")).to_have_text("the editor")
    await expect(page.get_by_role("main")).to_contain_text(
        "product: the editor, because you said “the editor”"
    )
    await expect(page.get_by_role("main")).not_to_contain_text("2.1")
    assert await talking.barriers() == []
    await page.get_by_role("main").get_by_role("link", name="Bug report").click()
    await expect(page.locator(".asking")).to_be_visible()
    await page.get_by_role("button", name="Delete this interview").click()
    assert await talking.barriers() == []
    await page.get_by_role("button", name="Yes").click()
    await expect(page).to_have_url(re.compile(r"/interviews$"))
    await expect(page.locator(".interviews")).to_have_count(0)
    assert await talking.barriers() == []
    assert talking.complaints == []
