"""A council in the console: ordered, watched, and looked through afterwards."""

from __future__ import annotations

import random
import re
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from bot.web.guard import HEADERS
from rag.errors import ModelUnavailableError
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.attacks import ReadPage
from tests.support.console import MEMBER, OWNER, Serve, Served, read_in_pieces, understood
from tests.support.councils import MEMBERS, QUESTION, SEATS, Model

OPEN_TO_MEMBERS = {"members": MEMBERS, "chairman": "anna", "seats": SEATS, "audience": "everyone"}


def council_console(serve: Serve, model: Model, **settings: Any) -> AbstractAsyncContextManager[Served]:
    return serve(ScriptedModel(model), council=OPEN_TO_MEMBERS | settings)


async def finished_page(console: Served) -> str:
    """The page of a council that has ended."""
    async with console.browser(MEMBER) as browser:
        path = await browser.asks(QUESTION, kind="council")
        await browser.get(f"/api{path}/events")
        reply = await browser.get(path)
        assert "data-events" not in reply.text  # it has ended
        # Nothing is carried out that stands in the page, and nothing is loaded from elsewhere.
        assert reply.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
        assert {"unsafe-inline", "unsafe-eval"}.isdisjoint(
            reply.headers["content-security-policy"].split("'")
        )
        assert ReadPage(reply.text).active == []
        return reply.text


def panel(page: str, name: str) -> str:
    """The part of a member in a stage."""
    found = re.search(
        rf'<div id="\w+-{name}" class="panel">(.*?)(?:class="panel"|</section>)', page, re.DOTALL
    )
    assert found, name
    return found[1]


async def test_page_shows_every_stage_and_who_kept_the_first_answer(serve: Serve) -> None:
    model = Model()

    def script(request: ChatRequest) -> Reply | None:
        match request.purpose, request.seat:
            case "propose", "boris":
                return "FxStore needs Java 17 [1]. <script>alert(1)</script> ![x](https://example.org/x.png)"
            case "self_correct", "chen":
                return ModelUnavailableError("down")
            case _:
                return None

    model.script = script
    async with council_console(serve, model) as console:
        page = await finished_page(console)
    titles = re.findall(r'<h3(?: id="\w+-stage\w+")?>(.*?)</h3>', page)
    assert titles == [
        "The council’s answer",
        "Stage 1: First Answers",
        "Stage 2: Reviews",
        "Stage 2.5: Self-Corrections",
        "Stage 3: Conclusion",
    ]
    # What went wrong comes before the answer.
    assert page.index('class="degraded"') < page.index('class="answer"')
    assert "verified against the documents" in page
    # What a member wrote is text.
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in panel(page, "stage1-1")
    # A member's numbers are those of its passages: only the answer's lead to its sources.
    assert "/sources/" not in page[page.index('class="stages"') : page.index('class="trail"')]
    corrected = panel(page, "stage2_5-0")
    assert corrected.index("Original Response") < corrected.index("Corrected Response")
    assert " ".join(re.findall(r"<ins>(.*?)</ins>", corrected)).endswith("has corrected that.")
    assert " ".join(re.findall(r"<del>(.*?)</del>", corrected)).endswith("So says anna.")
    assert "badge" not in corrected
    kept = panel(page, "stage2_5-2")
    assert '<strong class="badge">First answer kept</strong>' in kept
    assert "chen: no usable correction, so the first answer stands" in kept
    assert kept.count("So says chen.") == 2
    review = panel(page, "stage2-0")
    assert re.search(r"anna ranks (boris &gt; chen|chen &gt; boris)", review)
    assert "too long" in review
    # The ranking is drawn and stands in a table.
    page = page[page.index('<svg class="bars"') :]
    chart = page[: page.index("</svg>")]
    assert sorted(re.findall(r"<text[^>]*>(\w+)</text>", chart)) == sorted(MEMBERS)
    assert len(re.findall(r"<tr><td", page[page.index("</svg>") :])) == 3


async def test_council_that_nobody_concludes_is_one_members_answer(serve: Serve) -> None:
    model = Model()
    model.script = lambda request: (
        ModelUnavailableError("down")
        if request.purpose == "conclude" or (request.purpose, request.seat) == ("propose", "chen")
        else None
    )
    async with council_console(serve, model) as console:
        page = await finished_page(console)
    banner = page[page.index('class="degraded"') : page.index('class="said"')]
    assert "this is the answer of one member" in banner
    assert "chen: no answer" in banner
    assert re.search(r"<h3>The answer of one member: (anna|boris)<", page)
    assert "only two members answered" in page
    assert '<svg class="bars"' not in page
    assert "chen: no answer" in panel(page, "stage1-2")
    conclusions = page[page.index("Stage 3: Conclusion") :]
    assert "anna could not conclude" in conclusions
    assert "this is the answer of one member" in conclusions


async def test_council_without_an_answer_keeps_its_stages_on_the_page(serve: Serve) -> None:
    model = Model()
    model.script = lambda request: ModelUnavailableError("down") if request.purpose == "propose" else None
    async with council_console(serve, model) as console:
        page = await finished_page(console)
    assert all(f"{seat}: no answer" in panel(page, f"stage1-{n}") for n, seat in enumerate(MEMBERS))


@pytest.mark.parametrize(
    ("settings", "user", "is_offered"),
    [
        ({}, MEMBER, True),
        ({"audience": "admins"}, MEMBER, False),
        ({"audience": "admins"}, OWNER, True),
        ({"members": (), "chairman": ""}, OWNER, False),
    ],
    ids=["everyone", "admins alone", "an admin", "no members"],
)
async def test_council_is_offered_to_those_who_may_ask_it(
    serve: Serve, settings: dict[str, Any], user: int, is_offered: bool
) -> None:
    async with council_console(serve, Model(), **settings) as console, console.browser(user) as browser:
        assert ('<option value="council"' in (await browser.get("/")).text) is is_offered


async def test_council_read_in_pieces_by_readers_who_go_is_whole(serve: Serve) -> None:
    """Each reader is cut off at a random byte, in the middle of Cyrillic and emoji too; nobody stops the run."""
    model = Model()
    said = "FxStore нуждается в Java 17 [1]. 🐞 Так сказано в документе."
    model.script = lambda request: said if request.purpose == "propose" else None
    chance = random.Random(12)
    async with council_console(serve, model) as console, console.browser(MEMBER) as browser:
        path = await browser.asks(QUESTION, kind="council")
        got, cuts = await read_in_pieces(browser, f"/api{path}/events", chance, 400)
        whole = await browser.client.get(f"/api{path}/events")
        page = (await browser.get(path)).text
    assert cuts > 10
    assert [event["seq"] for event in got] == sorted({event["seq"] for event in got})
    assert got == understood(whole.content)
    (first,) = (event for event in got if event["type"] == "stage1_complete")
    assert [response["response"] for response in first["data"]["stage1"]] == [said] * 3
    assert "🐞" in panel(page, "stage1-0")
