"""Interviews over HTTP: the shapes, the statuses, and that nobody meets another one's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any
from uuid import UUID

import httpx
import pytest

from bot.service.incoming import Sender
from bot.service.interview_values import Party
from bot.telegram.ids import to_peer
from rag.errors import ModelError
from rag.interview.documents import State
from rag.models.scripted import ScriptedModel
from tests.support.console import ADMIN, MEMBER, Browser, Gated, Serve, Served
from tests.support.interviews import FACTS, attentive

BUG: Mapping[str, Any] = {"pack": "bug_report"}
OPENING = f"{FACTS['/product']} {FACTS['/version']}"


@pytest.fixture
async def console(serve: Serve) -> AsyncIterator[Served]:
    async with serve(ScriptedModel(attentive)) as running:
        yield running


async def send(browser: Browser, path: str = "", *, key: str = "", **body: Any) -> httpx.Response:
    headers = {"X-CSRF-Token": browser.csrf} | ({"Idempotency-Key": key} if key else {})
    content = json.dumps(body)  # in ASCII, so that it can hold what is no text
    headers["Content-Type"] = "application/json"
    return await browser.client.post(f"/api/session{path}", content=content, headers=headers)


async def began(browser: Browser, **more: Any) -> dict[str, Any]:
    reply = await send(browser, **BUG, **more)
    assert reply.status_code == 201, reply.text
    begun: dict[str, Any] = reply.json()
    assert reply.headers["location"] == f"/api/session/{begun['session_id']}"
    return begun


def refused(reply: httpx.Response, status: int, code: str) -> None:
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code), reply.text
    assert reply.json()["error"]["message"]


def said(interview: dict[str, Any]) -> list[str]:
    turns = interview["state"]["dialogue"]["history"]
    return [turn["text"] for turn in turns if turn["role"] == "user"]


async def test_interview_from_its_first_message_to_the_gate(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        begun = await began(browser, initial_message=OPENING)
        assert begun.keys() == {"session_id", "state", "next_action"}
        assert str(UUID(begun["session_id"])) == begun["session_id"]
        assert State.model_validate(begun["state"]).domain == {"product": "the editor", "version": "2.1"}
        assert said(begun) == [OPENING]
        path = f"/{begun['session_id']}"
        reply = await send(browser, path, message=" ".join(FACTS.values()))
        assert reply.status_code == 200
        shown = reply.json()
        assert shown.keys() == {"state", "next_action"}
        question = shown["next_action"]["ask_user"]
        assert question["answer_format"] == "choices"
        # The id of a choice is an answer.
        reply = await send(browser, path, message="minor", answer_to_question_id=question["question_id"])
        shown = reply.json()
        assert shown["state"]["domain"]["severity"] == "minor"
        assert (shown["state"]["meta"]["status"], shown["next_action"]["kind"]) == (
            "ready",
            "proceed_to_skeleton",
        )
        again = await browser.get(f"/api/session{path}")
        assert again.content == reply.content
    assert (await console.parts.spent.today(to_peer(MEMBER), to_peer(MEMBER))).user > 0


async def test_token_is_enough_for_a_program(console: Served) -> None:
    token = await console.parts.logins.token(to_peer(ADMIN), "a program")
    async with console.browser(None, Authorization=f"Bearer {token}") as browser:
        begun = await began(browser)
        assert begun["next_action"]["ask_user"]["question_text"]
        assert said(begun) == []
        assert (await browser.get(f"/api/session/{begun['session_id']}")).status_code == 200


async def test_request_that_names_no_pack_is_about_a_contract(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        begun = (await send(browser, initial_message="Нужен договор.")).json()
        assert begun["state"]["meta"]["schema_id"].startswith("contract_ru")


async def test_same_request_again_changes_nothing(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        first = await began(browser, initial_message=OPENING, key="k/1")
        second = await began(browser, initial_message=OPENING, key="k/1")
        assert first == second
        path = f"/{first['session_id']}"
        replies = [await send(browser, path, message="I press save", key="k/2") for _ in range(2)]
        assert replies[0].content == replies[1].content
        assert said(replies[1].json()) == [OPENING, "I press save"]
        # A key of the log's own is no key of a request.
        assert "Linux" in said((await send(browser, path, message="Linux", key="begin:0")).json())


async def test_two_messages_at_once_are_both_there(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        begun = await began(browser)
        path = f"/{begun['session_id']}"
        await asyncio.gather(*(send(browser, path, message=text) for text in ("2.1", "Linux")))
        shown = (await browser.get(f"/api/session{path}")).json()
        assert sorted(said(shown)) == ["2.1", "Linux"]
        assert shown["state"]["meta"]["state_version"] == begun["state"]["meta"]["state_version"] + 2


async def test_nobody_meets_the_interview_of_somebody_else_or_of_a_chat(console: Served) -> None:
    async with console.browser(MEMBER) as browser, console.browser(ADMIN) as other:
        begun = await began(browser, key="shared")
        chat = await console.parts.interviews.create(
            Party(f"telegram:{ADMIN}", f"telegram:{ADMIN}:0"), "bug_report"
        )
        for session in (begun["session_id"], chat.session.id, "none"):
            refused(await other.get(f"/api/session/{session}"), 404, "interview-unknown")
            refused(await send(other, f"/{session}", message="hi"), 404, "interview-unknown")
            reply = await send(other, f"/{session}/step", step="GATE_CHECK")
            refused(reply, 404, "interview-unknown")
        # Not even under the same key.
        assert (await began(other, key="shared"))["session_id"] != begun["session_id"]
        left = await console.parts.interviews.get(
            Party(f"telegram:{ADMIN}", f"telegram:{ADMIN}:0"), chat.session.id
        )
        assert left.events == chat.events


async def test_answer_to_a_question_that_is_not_open_changes_nothing(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        path = f"/{(await began(browser))['session_id']}"
        before = (await browser.get(f"/api/session{path}")).content
        reply = await send(browser, path, message="2.1", answer_to_question_id="q-99")
        refused(reply, 409, "interview-question-closed")
        assert (await browser.get(f"/api/session{path}")).content == before


async def test_finished_interview_takes_nothing_more(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        session = (await began(browser))["session_id"]
        party = Party(f"telegram:{MEMBER}", f"web:{MEMBER}:0")
        await console.parts.interviews.close(party, session)
        refused(await send(browser, f"/{session}", message="2.1"), 409, "interview-over")


@pytest.mark.parametrize("text", ["", "  \n", "a\x00b", "x" * 8_001, "x" * 100_001, "\ud800"],
                         ids=["empty", "blank", "nul", "long", "longer", "surrogate"])  # fmt: skip
async def test_message_that_cannot_be_used_costs_nothing(console: Served, text: str) -> None:
    async with console.browser(MEMBER) as browser:
        session = (await began(browser))["session_id"]
        for path, body in (("", {**BUG, "initial_message": text}), (f"/{session}", {"message": text})):
            reply = await send(browser, path, **body)
            assert reply.status_code == 422
            assert reply.json()["error"]["message"]
        assert said((await browser.get(f"/api/session/{session}")).json()) == []
    assert (await console.parts.spent.today(to_peer(MEMBER), to_peer(MEMBER))).user == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{", 422), (b"\xff\xfe", 422), (b"[]", 422), (b'{"message": 1}', 422), (b" " * (256 << 10) + b"{}", 413)],
    ids=["no JSON", "no text", "a list", "a number", "too large"],
)  # fmt: skip
async def test_body_that_cannot_be_read(console: Served, body: bytes, status: int) -> None:
    async with console.browser(MEMBER) as browser:
        session = (await began(browser))["session_id"]
        headers = {"X-CSRF-Token": browser.csrf, "Content-Type": "application/json"}
        for path in ("/api/session", f"/api/session/{session}", f"/api/session/{session}/step"):
            reply = await browser.client.post(path, content=body, headers=headers)
            assert reply.status_code == status, path


async def test_pack_that_is_not_there(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        refused(await send(browser, pack="<b>"), 422, "interview-pack-unknown")


async def test_single_steps_are_switched_off(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        path = f"/{(await began(browser))['session_id']}/step"
        refused(await send(browser, path, step="GATE_CHECK"), 422, "interview-steps-off")
        refused(await send(browser, path, step="UNDO"), 422, "web-error-422")


async def test_limits_are_those_of_runs_and_of_interviews(serve: Serve) -> None:
    async with (
        serve(
            ScriptedModel(attentive),
            interviews={"sessions_per_day": 2, "messages_per_session": 1},
            limits={"user_per_minute": 5},
        ) as console,
        console.browser(MEMBER) as browser,
    ):
        session = (await began(browser))["session_id"]
        await began(browser)
        refused(await send(browser, **BUG), 429, "interview-sessions-spent")
        assert (await send(browser, f"/{session}", message="2.1")).status_code == 200
        refused(await send(browser, f"/{session}", message="Linux"), 429, "interview-turns-spent")
        refused(await send(browser, f"/{session}", message="Linux"), 429, "limit-user-minute")


async def test_model_that_is_down_loses_no_message(serve: Serve) -> None:
    down = [True]

    def model(request: Any) -> Any:
        if down[0]:
            raise ModelError("it is down")
        return attentive(request)

    async with (
        serve(ScriptedModel(model), interviews={"single_steps": True}) as console,
        console.browser(MEMBER) as browser,
    ):
        begun = await began(browser, initial_message=OPENING)
        assert begun["next_action"]["kind"] == "halt_error"
        path = f"/{begun['session_id']}"
        down[0] = False
        # With single steps, nobody has to say it again.
        shown = (await send(browser, f"{path}/step", step="INTERPRET")).json()
        assert shown["state"]["domain"] == {"product": "the editor", "version": "2.1"}
        shown = (await send(browser, f"{path}/step", step="GATE_CHECK")).json()
        assert shown["state"]["gate"]["ready_for_skeleton"] is False
        shown = (await send(browser, path, message="Linux")).json()
        assert said(shown) == [OPENING, "Linux"]


async def test_person_who_is_denied_while_a_turn_waits_gets_a_refusal(serve: Serve) -> None:
    model = Gated(ScriptedModel(attentive))
    async with serve(model) as console, console.browser(MEMBER) as browser:
        path = f"/{(await began(browser))['session_id']}"
        first = asyncio.create_task(send(browser, path, message="2.1"))
        await model.asked.wait()
        second = asyncio.create_task(send(browser, path, message="Linux"))
        while len(await console.console.interviews.list_at_work(_sender(), path[1:])) < 2:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
        await console.parts.users.set_access(to_peer(MEMBER), "denied")
        model.gate.set()
        assert (await first).status_code == 200
        refused(await second, 403, "refused-person")
        await console.parts.users.set_access(to_peer(MEMBER), "allowed")
        assert said((await browser.get(f"/api/session{path}")).json()) == ["2.1"]


async def test_turn_whose_job_is_given_up_is_told_to_whoever_waits(
    console: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_args: object, **_more: object) -> None:
        raise RuntimeError("a mistake of ours")

    async with console.browser(MEMBER) as browser:
        path = f"/{(await began(browser))['session_id']}"
        monkeypatch.setattr(console.parts.interviews, "post", broken)
        for _ in range(2):
            refused(await send(browser, path, message="2.1", key="k"), 503, "web-error-503")
        assert len(console.jobs.failures) == 1
        assert await console.console.interviews.list_at_work(_sender(), path[1:]) == ()


async def test_turn_that_is_cancelled_changes_nothing_and_ends_the_wait(serve: Serve) -> None:
    asked = asyncio.Event()

    async def never(_request: Any) -> Any:
        asked.set()
        await asyncio.Event().wait()

    async with serve(ScriptedModel(never)) as console, console.browser(MEMBER) as browser:
        path = f"/{(await began(browser))['session_id']}"
        waiting = asyncio.create_task(send(browser, path, message="2.1"))
        await asked.wait()
        # The turn may ask its model before its run is recorded.
        await console.parts.runs.flush()
        (run,) = await console.parts.stored_runs.latest(f"telegram:{MEMBER}", 1)
        reply = await browser.client.post(
            f"/api/runs/{run.id}/cancel", headers={"X-CSRF-Token": browser.csrf}
        )
        assert reply.json()["state"] == "cancelled"
        assert said((await waiting).json()) == []
        # The page of a run and the list of questions are for questions.
        assert (await browser.get(f"/runs/{run.id}")).status_code == 404
        assert run.id not in (await browser.get("/")).text


async def test_interview_that_is_deleted_while_a_turn_runs_is_gone_for_whoever_waits(serve: Serve) -> None:
    model = Gated(ScriptedModel(attentive))
    async with serve(model) as console, console.browser(MEMBER) as browser, console.browser(ADMIN) as other:
        session = (await began(browser))["session_id"]
        waiting = asyncio.create_task(send(browser, f"/{session}", message="2.1"))
        await model.asked.wait()
        assert (await other.post(f"/interviews/{session}/delete")).status_code == 404
        assert (await browser.post(f"/interviews/{session}/delete", sure="yes")).status_code == 303
        refused(await waiting, 404, "interview-unknown")
        # A turn that another process was at adds nothing to what is gone.
        model.gate.set()
        while console.jobs.unfinished:
            await asyncio.wait(console.jobs.unfinished)
        assert not console.jobs.failures
        refused(await browser.get(f"/api/session/{session}"), 404, "interview-unknown")
        assert (await console.parts.interviews.list_all(Party(f"telegram:{MEMBER}", f"web:{MEMBER}:0"))) == ()


def _sender() -> Sender:
    return Sender(to_peer(MEMBER), "person")


async def test_document_follows_the_answers_and_is_taken_as_a_file(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        begun = await began(browser, initial_message=OPENING)
        path = f"/{begun['session_id']}"
        document = (await browser.get(f"/api/session{path}/document")).json()
        assert document["title"] == "Bug report: the editor 2.1"
        assert document["gaps"] == ["/expected", "/actual", "/severity", "/environment/os", "/steps"]
        assert document["faults"] == []
        assert (await send(browser, f"{path}/document")).json()["title"] == document["title"]
        for form, first in (("docx", b"PK"), ("pdf", b"%PDF"), ("md", b"# Bug report")):
            reply = await browser.get(f"/api/session{path}/document?form={form}")
            assert reply.content.startswith(first)
            assert reply.headers["content-disposition"].endswith(f'.{form}"')
        refused(await browser.get(f"/api/session{path}/document?form=exe"), 422, "web-error-422")
        exported = (await browser.get(f"/api/session{path}/export")).json()
        assert exported["state"]["domain"] == {"product": "the editor", "version": "2.1"}


async def test_interviews_are_listed_undone_finished_and_deleted(console: Served) -> None:
    async with console.browser(MEMBER) as browser, console.browser(ADMIN) as other:
        begun = await began(browser, initial_message=OPENING)
        path = f"/{begun['session_id']}"
        await send(browser, path, message=FACTS["/steps"])
        undone = (await send(browser, f"{path}/undo")).json()
        assert said(undone) == [OPENING]
        assert (await send(browser, f"{path}/finish")).json()["state"]["gate"]["blockers"]
        (listed,) = (await browser.get("/api/session")).json()
        assert (listed["session_id"], listed["title"], listed["is_open"]) == (path[1:], "Bug report", True)
        assert (await other.get("/api/session")).json() == []
        assert (
            await other.client.delete(f"/api/session{path}", headers={"X-CSRF-Token": other.csrf})
        ).status_code == 404
        assert (await browser.client.delete(f"/api/session{path}")).status_code == 403
        await send(browser, path, message=" ".join(FACTS.values()))
        await send(browser, path, message="minor")
        finished = (await send(browser, f"{path}/finish")).json()
        assert finished["state"]["meta"]["status"] == "ready"
        refused(await send(browser, path, message="more"), 409, "interview-over")
        reply = await browser.client.delete(f"/api/session{path}", headers={"X-CSRF-Token": browser.csrf})
        assert reply.status_code == 204
        assert (await browser.get("/api/session")).json() == []


async def change(browser: Browser, page: str, path: str, answer: str) -> httpx.Response:
    form = {"csrf": browser.csrf, "path": path, "answer": answer}
    return await browser.client.post(page, data=form)


async def test_answer_is_changed_beside_the_document_which_follows(console: Served) -> None:
    async with console.browser(MEMBER) as browser:
        begun = (await send(browser, pack="onboarding")).json()
        page = f"/interviews/{begun['session_id']}/document"
        shown = (await browser.get(page)).text
        assert "____ (name)" in shown
        reply = await change(browser, page, "/person/name", "Anna <b>Rossi</b>")
        assert reply.status_code == 303
        shown = (await browser.get(page)).text
        assert "Onboarding plan: Anna &lt;b&gt;Rossi&lt;/b&gt;" in shown
        assert '<a href="#place-0-0">1.1</a>' in shown
        assert (await change(browser, page, "/person/name", "Marta Gil")).status_code == 303
        assert (await change(browser, page, "/start/place", "remote")).status_code == 303
        reply = await change(browser, page, "/start/place", "the moon")
        assert reply.status_code == 422
        assert "Possible: In the office, From home, Some days each" in reply.text
        assert (await change(browser, page, "/nowhere", "x")).status_code == 422
        state = (await browser.get(f"/api/session/{begun['session_id']}")).json()["state"]
        assert state["domain"] == {"person": {"name": "Marta Gil"}, "start": {"place": "remote"}}
        assert {fact["status"] for fact in state["facts"].values()} == {"confirmed"}
        # The question about the name was answered there; what is asked now is still open.
        assert state["next_action"]["ask_user"]["path"] == "/person/role"
        assert (await browser.post(page)).status_code == 303
