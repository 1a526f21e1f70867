"""A council in the console, in a real browser."""

from __future__ import annotations

from playwright.async_api import Browser, expect

from rag.errors import ModelUnavailableError
from tests.integration.test_console_council import council_console
from tests.support.browsers import seen
from tests.support.console import MEMBER, Serve
from tests.support.councils import QUESTION, Model


async def test_council_with_a_failing_member_is_watched_by_keyboard(serve: Serve, browser: Browser) -> None:
    model = Model()
    model.script = lambda request: (
        ModelUnavailableError("down") if (request.purpose, request.seat) == ("propose", "chen") else None
    )
    # The correction of one member is there, the other one is waited for.
    model.closed = "self_correct"
    async with council_console(serve, model) as console, seen(browser, console, MEMBER) as user:
        page = user.page
        await page.get_by_label("Answered by").select_option("council")
        await page.get_by_label("Your question").fill(QUESTION)
        await page.get_by_label("Your question").press("Enter")
        await page.wait_for_url("**/runs/**")
        await expect(page.get_by_role("status")).to_contain_text("correcting their answers: 1 of 2")
        # Who is missing stands first, and is there before the answer.
        await expect(page.locator(".reply > [data-state] > :first-child")).to_contain_text("chen: no answer")
        await expect(page.locator(".answer")).to_have_count(0)
        corrections = page.get_by_role("tablist", name="Stage 2.5: Self-Corrections")
        await expect(corrections.get_by_role("tab")).to_have_count(2)
        first = page.get_by_role("tablist", name="Stage 1: First Answers").get_by_role("tab")
        await expect(first).to_have_count(3)
        await first.nth(0).focus()
        await page.keyboard.press("End")
        await expect(first.nth(2)).to_be_focused()
        await expect(first.nth(2)).to_have_attribute("aria-selected", "true")
        await expect(page.locator(".panel[id$=stage1-2]")).to_contain_text("chen: no answer")
        await page.keyboard.press("ArrowRight")
        await expect(first.nth(0)).to_be_focused()
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("ArrowLeft")
        await expect(first.nth(1)).to_be_focused()
        assert await first.evaluate_all("tabs => tabs.map((tab) => tab.tabIndex)") == [-1, 0, -1]
        assert await user.barriers() == []
        # Somebody reads a panel: words are selected, and the panel is told from one that is drawn anew.
        panel = page.locator(".panel[id$=stage1-1]")
        await panel.evaluate("one => { one.isTheSame = true; one.querySelector('h4').isTheSame = true; }")
        select = "one => getSelection().selectAllChildren(one)"
        await panel.get_by_text("So says boris.").evaluate(select)
        # Letters of the colour behind them are no barrier to axe.
        colour = "one => getComputedStyle(one).color"
        assert await first.nth(1).evaluate(colour) == await page.locator("main").evaluate(colour)
        model.gate.set()
        await expect(page.get_by_role("status")).to_have_text("Done")
        await expect(page.locator(".label")).to_have_text("verified against the documents")
        # What came meanwhile changed nothing of what the reader reads, and the reader is where the reader was.
        await expect(first.nth(1)).to_be_focused()
        assert await panel.evaluate("one => one.isTheSame && one.querySelector('h4').isTheSame")
        assert "FxStore needs Java 17 [1]. So says boris." in await page.evaluate("getSelection().toString()")
        await expect(page.locator(".panel[id$=stage1-1]")).to_be_visible()
        await expect(page.locator(".panel[id$=stage1-0]")).to_be_hidden()
        tabs = corrections.get_by_role("tab")
        await tabs.nth(1).click()
        panel = page.get_by_role("tabpanel").filter(has_text="Original Response")
        await expect(panel).to_have_count(1)
        await expect(panel.locator("ins").last).to_contain_text("corrected that.")
        assert await user.barriers() == []
        shown = await page.locator(".reply").inner_text()
        await page.reload()
        await expect(page.locator(".degraded")).to_contain_text("chen: no answer")
        await page.get_by_role("tablist", name="Stage 1:").get_by_role("tab").nth(1).click()
        await page.get_by_role("tablist", name="Stage 2.5").get_by_role("tab").nth(1).click()
        assert await page.locator(".reply").inner_text() == shown
        await page.set_viewport_size({"width": 400, "height": 900})
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.evaluate(overflow) <= 0
        assert user.complaints == []


async def test_finished_council_can_be_read_without_javascript(serve: Serve, browser: Browser) -> None:
    async with (
        council_console(serve, Model()) as console,
        console.browser(MEMBER) as http,
        seen(browser, console, MEMBER, scripts=False) as user,
    ):
        run = await http.asks(QUESTION, kind="council")
        await http.get(f"/api{run}/events")
        await user.page.goto(run)
        panels = user.page.locator(".panel")
        await expect(panels).to_have_count(10)
        for number in range(10):
            await expect(panels.nth(number)).to_be_visible()
            await expect(panels.nth(number).locator("h4")).to_be_visible()
