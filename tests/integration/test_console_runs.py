"""A run over HTTP: ordered once, followed by anybody of that person, whatever breaks meanwhile."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from bot.storage.tables import runs as runs_table
from bot.telegram.ids import to_peer
from bot.web import events
from rag.events import StepFinished, StepStarted
from rag.models.chat import Completion
from rag.models.scripted import ScriptedModel
from rag.reasons import Reason
from rag.values import StepTrace
from rag.verifier.bundled import BundledReader
from rag.verifier.scripted import ScriptedVerifier
from tests.support.console import (
    ADMIN,
    MEMBER,
    OWNER,
    Browser,
    Gated,
    Serve,
    Served,
    read_in_pieces,
    understood,
)
from tests.support.loop import scripted

QUESTION = "Which Java does FxStore need?"


async def read(browser: Browser, path: str, after: int | None = None) -> list[dict[str, Any]]:
    """All that a reader is sent until the stream ends."""
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    reply = await browser.get(path, headers=headers)
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/event-stream")
    return understood(reply.content)


async def test_run_is_ordered_followed_and_answered(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        reply = await browser.client.post(
            "/api/runs", json={"question": QUESTION}, headers={"X-CSRF-Token": browser.csrf}
        )
        assert reply.status_code == 202
        run = reply.json()
        assert reply.headers["location"] == f"/api/runs/{run['id']}"
        assert run["state"] in {"running", "complete"}
        told = await read(browser, run["events"])
        assert [told[0]["type"], told[0]["question"]] == ["accepted", QUESTION]
        assert told[-1]["type"] == "complete"
        assert {"step_started", "step_finished"} <= {event["type"] for event in told}
        shown = (await browser.get(f"/api/runs/{run['id']}")).json()
        assert shown["state"] == "complete"
        assert "Java 17" in shown["answer"]["answer"]
        # Nothing is behind the end: browsers need not come back.
        last = told[-1]["seq"]
        reply = await browser.get(run["events"], headers={"Last-Event-ID": str(last)})
        assert reply.status_code == 204
        # No database holds a number of sixty digits.
        assert (await browser.get(f"{run['events']}?after={'9' * 60}")).status_code == 422
    # It is remembered and counted like any other question.
    assert (await console.parts.answers.totals()).questions.keys() == {
        ("web", shown["answer"]["label"], shown["answer"]["verdict"]["source"])
    }


@pytest.mark.parametrize("by", ["program", "form", "chat"])
async def test_documents_only_holds_for_the_question_or_for_all_of_the_person(
    console: Served, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setattr(BundledReader, "find", ScriptedVerifier().find)
    asked = "What is the capital of Japan?"
    async with console.browser(MEMBER) as browser:
        if by == "program":
            order = {"question": asked, "documents_only": True}
            reply = await browser.client.post("/api/runs", json=order, headers={"X-CSRF-Token": browser.csrf})
            run = reply.json()["id"]
        else:
            if by == "chat":
                await console.parts.chats.set_documents_only(to_peer(MEMBER), is_on=True)
            path = await browser.asks(asked, **({"from": "documents"} if by == "form" else {}))
            run = path.removeprefix("/runs/")
        await read(browser, f"/api/runs/{run}/events")
        shown = (await browser.get(f"/api/runs/{run}")).json()
        page = (await browser.get(f"/runs/{run}")).text
    assert shown["answer"]["label"] == "not_in_documents"
    assert shown["answer"]["usage"]["calls"] == 0
    assert "The documents do not say it." in page


async def test_same_key_is_the_same_run(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        headers = {"X-CSRF-Token": browser.csrf, "Idempotency-Key": "an order of mine/1"}
        replies = [
            await browser.client.post("/api/runs", json={"question": QUESTION}, headers=headers)
            for _ in range(3)
        ]
        assert len({reply.json()["id"] for reply in replies}) == 1
        await read(browser, replies[0].json()["events"])
    assert sum((await console.parts.answers.totals()).questions.values()) == 1


async def test_further_question_knows_what_was_said(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        headers = {"X-CSRF-Token": browser.csrf}
        first = (await browser.client.post("/api/runs", json={"question": QUESTION}, headers=headers)).json()
        await read(browser, first["events"])
        second = await browser.client.post(
            "/api/runs",
            json={"question": "And older ones?", "conversation": first["conversation"]},
            headers=headers,
        )
        await read(browser, second.json()["events"])
        history, _ = await console.parts.memory.recall(f"web:{MEMBER}:{first['conversation']}")
        assert [turn.text for turn in history if turn.role == "user"] == [QUESTION, "And older ones?"]


async def test_second_reader_sees_all_and_one_who_goes_changes_nothing(serve: Serve) -> None:
    model = Gated(scripted())
    async with serve(model) as console, console.browser(MEMBER) as browser:
        path = f"/api{await browser.asks(QUESTION, key='k')}/events"
        early = asyncio.create_task(read(browser, path))
        await model.asked.wait()
        with pytest.raises(httpx.ReadTimeout):
            await browser.get(path, timeout=0.3)
        late = asyncio.create_task(read(browser, path))
        await asyncio.sleep(0)
        model.gate.set()
        recorded = [event for event in await early if event["seq"]]
        assert recorded[-1]["type"] == "complete"
        assert [event for event in await late if event["seq"]] == recorded


async def test_hundred_random_disconnects_lose_and_double_nothing(console: Served) -> None:
    """Each reader is cut off at a random byte and goes on behind the last event that it has understood."""
    chance = random.Random(20)
    run = console.parts.runs.recorder("web:43:long", "answer", f"telegram:{MEMBER}", f"web:{MEMBER}:1")
    steps = 150

    async def work() -> None:
        for number in range(1, steps + 1):
            run.feed(StepStarted("read", number))
            run.feed(
                StepFinished(StepTrace("read", 1.0, Reason("judge-said", {"text": "Жук № 7 😀"})), number)
            )
            await asyncio.sleep(0.002)
        run.end("complete", {})

    run.feed(StepStarted("draft"))
    await console.parts.runs.flush()
    working = asyncio.create_task(work())
    async with console.browser(MEMBER) as browser:
        got, cuts = await read_in_pieces(browser, "/api/runs/web:43:long/events", chance, 900)
    await working
    assert cuts == 100
    expected = [("step_started", "draft", 1)]
    for number in range(1, steps + 1):
        expected += [("step_started", "read", number), ("step_finished", "read", number)]
    assert [
        (event["type"], event.get("step") or event["trace"]["step"], event["number"]) for event in got[:-1]
    ] == expected
    assert {
        event["trace"]["detail"]["values"]["text"] for event in got if event["type"] == "step_finished"
    } == {"Жук № 7 😀"}


async def test_stream_that_says_nothing_beats(console: Served) -> None:
    run = console.parts.runs.recorder("web:43:quiet", "answer", f"telegram:{MEMBER}", f"web:{MEMBER}:1")
    run.feed(StepStarted("draft"))
    stream = events.stream(console.parts.runs, "web:43:quiet", 0, heartbeat_seconds=0.05)
    said = [(await anext(stream)).split(b":")[0]]
    while said.count(b"") < 2 or b"id" not in said:  # a slow machine beats before it finds the event
        said.append((await anext(stream)).split(b":")[0])
    assert said[0] == b"retry"
    assert said.count(b"id") == 1
    await stream.aclose()
    assert not console.parts.runs.is_watched("web:43:quiet")
    assert events.HEARTBEAT_SECONDS <= 15


async def test_streams_of_one_session_are_limited_and_leave_the_others_alone(serve: Serve) -> None:
    model = Gated(scripted())
    async with serve(model) as console, AsyncExitStack() as stack:
        browser = await stack.enter_async_context(console.browser(MEMBER))
        path = f"/api{await browser.asks(QUESTION)}/events"
        replies = [await stack.enter_async_context(browser.client.stream("GET", path)) for _ in range(40)]
        assert [reply.status_code for reply in replies] == [200] * 32 + [429] * 8
        async with console.browser(ADMIN) as other:
            assert (await other.get("/")).status_code == 200
        model.gate.set()


async def test_run_can_be_cancelled(serve: Serve) -> None:
    model = Gated(scripted())
    async with serve(model) as console, console.browser(MEMBER) as browser:
        path = await browser.asks(QUESTION)
        reading = asyncio.create_task(read(browser, f"/api{path}/events"))
        await model.asked.wait()
        reply = await browser.client.post(f"/api{path}/cancel", headers={"X-CSRF-Token": browser.csrf})
        assert (reply.status_code, reply.json()["state"]) == (202, "cancelled")
        assert (await reading)[-1]["type"] == "cancelled"
        model.gate.set()
        page = await browser.get(path)
        assert "Stopped" in page.text
        assert (await console.parts.answers.totals()).questions == {}
        again = await browser.client.post(f"/api{path}/cancel", headers={"X-CSRF-Token": browser.csrf})
        assert again.json()["state"] == "cancelled"


async def test_failure_is_told_by_a_code_and_ends_the_run(serve: Serve) -> None:
    class Broken(ScriptedModel):
        async def complete(self, *_args: Any) -> Completion:
            raise ZeroDivisionError("a secret of the house")

    async with serve(Broken({})) as console, console.browser(MEMBER) as browser:
        path = await browser.asks(QUESTION)
        told = await read(browser, f"/api{path}/events")
        assert told[-1]["type"] == "error"
        shown = (await browser.get(f"/api{path}")).json()
        assert shown["state"] == "error"
        assert shown["error"]["code"]
        page = (await browser.get(path)).text
        assert "This question could not be answered." in page
        assert "a secret of the house" not in page + json.dumps(told)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": ""}, 422, "question-empty"),
        ({"question": "x" * 20_000}, 422, "question-too-long"),
        ({"question": "\x00\x01\x02"}, 422, "question-unreadable"),
        ({"question": "bad \ud83d half"}, 422, "web-error-422"),
        ({"question": 7}, 422, "web-error-422"),
        ({"question": "q", "kind": "poem"}, 422, "web-error-422"),
        ({"question": "q", "extra": 1}, 422, "web-error-422"),
        ({"question": "q", "conversation": 0}, 422, "web-error-422"),
        ([], 422, "web-error-422"),
        ({}, 422, "web-error-422"),
    ],
    ids=[
        "empty", "too long", "no text", "half a character", "a number", "unknown kind", "unknown field", "no conversation", "a list",
        "nothing",
    ],
)  # fmt: skip
async def test_bad_order_is_one_sentence_and_leaves_nothing(
    console: Served, body: Any, status: int, code: str
) -> None:
    async with console.browser(MEMBER) as browser:
        headers = {"X-CSRF-Token": browser.csrf, "Content-Type": "application/json"}
        reply = await browser.client.post("/api/runs", content=json.dumps(body), headers=headers)
        assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
        assert reply.json()["error"]["message"].endswith(".")
    async with console.parts.database.reading() as connection:
        assert (await connection.execute(runs_table.select())).all() == []


async def test_limits_of_the_person_hold(serve: Serve) -> None:
    async with serve(limits={"user_per_minute": 1}) as console, console.browser(MEMBER) as browser:
        await browser.asks(QUESTION)
        reply = await browser.post("/ask", question="And another one?")
        assert reply.status_code == 429
        assert "limit of questions per minute" in reply.text


async def test_program_with_a_token_asks_until_it_is_revoked(console: Served) -> None:
    async with console.browser(ADMIN) as admin, console.browser() as program:
        page = await admin.post("/tokens", name="nightly report")
        token = page.text.split("<code>")[1].split("</code>")[0]
        headers = {"Authorization": f"Bearer {token}"}
        reply = await program.client.post("/api/runs", json={"question": QUESTION}, headers=headers)
        assert reply.status_code == 202
        told = await program.client.get(reply.json()["events"], headers=headers)
        assert understood(told.content)[-1]["type"] == "complete"
        assert (await program.get("/metrics", headers=headers)).status_code == 200
        # A token is for programs alone: no page takes it.
        assert (await program.get("/health", headers=headers)).status_code == 401
        listed = (await admin.get("/tokens")).text
        assert "nightly report" in listed
        assert token not in listed
        (kept,) = await console.parts.logins.tokens()
        await admin.post(f"/tokens/{kept.id}/revoke", sure="yes")
        assert (await program.get("/metrics", headers=headers)).status_code == 401


async def test_person_who_was_denied_is_out_at_once(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        await console.parts.users.set_access(to_peer(MEMBER), "denied")
        assert (await browser.get("/")).status_code == 403
        assert (await browser.post("/ask", question=QUESTION)).status_code == 403


async def test_metrics_count_by_label_and_source(console: Served) -> None:
    async with console.browser(OWNER) as browser:
        path = await browser.asks(QUESTION)
        await read(browser, f"/api{path}/events")
        text = (await browser.get("/metrics")).text
        assert 'thinktwice_questions_total{channel="web",label="verified",source="reading"} 1.0' in text
        for name in (
            "answer_seconds_total",
            "input_tokens_total",
            "cost_total",
            "dead_letters",
            "runs_at_work",
        ):
            assert f"thinktwice_{name} " in text
        assert (await browser.get("/healthz")).text == "ok\n"


async def test_chat_is_called_what_its_person_calls_it(console: Served) -> None:
    async with console.browser(MEMBER) as browser, console.browser(OWNER) as other:
        path = await browser.asks(QUESTION)
        await read(browser, f"/api{path}/events")
        number = (await browser.get(f"/api{path}")).json()["conversation"]

        async def named(title: str) -> str:
            assert (await browser.post(f"/chats/{number}/rename", title=title)).status_code == 303
            return (await browser.get("/?q=")).text

        # A chat of another person has the same number, and stays as it is.
        assert (await other.post(f"/chats/{number}/rename", title="Mine")).status_code == 303
        assert "Mine" not in (await browser.get("/")).text
        found = await named(f"  Versions\x00 of <Java>\n{'x' * 300}")
        assert " of &lt;Java&gt; xxx" in found
        assert "x" * 190 not in found
        assert QUESTION not in found
        assert ">Versions" in (await browser.get("/?q=of <java>")).text
        assert QUESTION in await named(" ")


async def test_rating_and_forgetting(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        path = await browser.asks(QUESTION)
        await read(browser, f"/api{path}/events")
        run_id = path.rpartition("/")[2]
        assert (await browser.post(f"{path}/feedback", rating="wrong")).status_code == 303
        assert await console.parts.answers.rating(run_id) == "wrong"
        assert (await browser.post(f"{path}/feedback", rating="none")).status_code == 303
        assert await console.parts.answers.rating(run_id) is None
        assert (await browser.post(f"{path}/feedback", rating="nice")).status_code == 400
        number = (await browser.get(f"/api{path}")).json()["conversation"]
        assert (await browser.post(f"/chats/{number}/forget", sure="yes")).status_code == 303
        assert (await browser.get(path)).status_code == 404
        assert await console.parts.memory.recall(f"web:{MEMBER}:{number}") == ((), "")
