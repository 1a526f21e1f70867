"""Work that answers no question: steps, model calls, costs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic import BaseModel

from rag.errors import BudgetExhaustedError, ModelUnavailableError, ThinkTwiceError
from rag.events import Event, StepFinished
from rag.models.calls import ModelTools
from rag.models.chat import ChatModel, ChatRequest, Completion
from rag.models.scripted import ScriptedModel
from rag.prompting.files import RenderedPrompt
from rag.reasons import as_written
from rag.runs.work import Outcome, Work
from rag.settings import Budget, Council, Models, Price, Prices, Seat
from tests.support.loop import PROMPTS

WRITTEN = as_written("written")
PROMPT = RenderedPrompt("Answer.", "Which Java?", "p@1#0", "member")


def tools(model: ChatModel, **changes: Any) -> ModelTools:
    fields: dict[str, Any] = {
        "prompts": PROMPTS,
        "budget": Budget(),
        "model_settings": Models(default="openai:m"),
    }
    return ModelTools(models=model, **fields | changes)


def asking(work: Work, seat: str = "") -> Callable[[], Awaitable[Outcome[str]]]:
    async def step() -> Outcome[str]:
        completion, call = await work.ask("propose", PROMPT, seat=seat)
        return Outcome(completion.text, WRITTEN, (call,))

    return step


class Meeting:
    """A model whose replies come when everybody has been asked; who is away never answers."""

    def __init__(self, count: int, away: str = "") -> None:
        self.most = self.open = 0
        self._count = count
        self._away = away
        self._all = asyncio.Event()

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        self.open += 1
        self.most = max(self.most, self.open)
        if self.open == self._count:
            self._all.set()
        await self._all.wait()
        self.open -= 1
        if request.seat == self._away:
            raise ModelUnavailableError("it is away")
        return Completion(f"by {request.seat}", "stop", 100, 10, request.seat, 0.1)


async def test_steps_run_side_by_side_under_numbered_names_and_one_that_fails_stops_no_other() -> None:
    names: list[tuple[str, bool]] = []

    async def run_step(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
        names.append((name, is_light))
        return await work()

    events: list[Event] = []
    meeting = Meeting(3, away="b")
    work = Work(tools(meeting), run_step, events.append)
    found = await work.steps("propose", [asking(work, seat) for seat in "abc"])
    assert meeting.most == 3, "all three were asked at the same time"
    assert names == [("propose", False), ("propose 2", False), ("propose 3", False)]
    assert (found[0], found[2]) == ("by a", "by c")
    assert isinstance(found[1], ModelUnavailableError)
    assert work.ledger.usage().calls == 3, "the call that failed is in the ledger, too"
    assert sorted(line.model for line in work.trace) == ["", "a", "c"]
    assert len([event for event in events if isinstance(event, StepFinished)]) == 3


@pytest.mark.parametrize("last", ["a", "b"])
async def test_trace_is_in_the_order_in_which_steps_began_whichever_ends_first(last: str) -> None:
    events: list[Event] = []
    others_ended = asyncio.Event()
    work = Work(tools(ScriptedModel("yes")), emit=events.append)

    async def end(seat: str) -> Outcome[str]:
        if seat == last:
            await others_ended.wait()
        else:
            others_ended.set()
        return Outcome(seat, as_written(seat))

    await work.steps("propose", [lambda: end("a"), lambda: end("b")])
    ended = [str(event.trace.detail) for event in events if isinstance(event, StepFinished)]
    assert ended[-1] == last
    assert [str(line.detail) for line in work.trace] == ["a", "b"]


async def test_fault_of_ours_in_one_of_several_steps_is_not_taken_for_an_outcome() -> None:
    async def broken() -> Outcome[str]:
        raise ZeroDivisionError

    work = Work(tools(ScriptedModel("yes")))
    with pytest.raises(ZeroDivisionError):
        await work.steps("propose", [broken, asking(work)])


async def test_calls_on_their_way_count_for_the_budget() -> None:
    work = Work(tools(Meeting(2), budget=Budget(calls=2)))
    found = await work.steps("propose", [asking(work, seat) for seat in "abc"])
    assert [isinstance(outcome, ThinkTwiceError) for outcome in found] == [False, False, True]
    assert isinstance(found[2], BudgetExhaustedError)


@pytest.mark.parametrize(("calls", "repairs"), [(1, 0), (2, 1), (3, 2), (8, 2)])
async def test_asking_again_for_a_typed_reply_stays_within_the_budget(calls: int, repairs: int) -> None:
    class Ballot(BaseModel):
        ranking: list[str]

    model = ScriptedModel({"rank": {"ranking": ["A"]}})
    await Work(tools(model, budget=Budget(calls=calls))).ask_typed("rank", PROMPT, Ballot, repairs=2)
    assert [request.repairs for request in model.requests] == [repairs]


async def test_seat_that_hangs_is_given_up_and_costs_what_its_model_costs() -> None:
    async def hang(request: ChatRequest) -> str:
        if request.seat == "slow":
            await asyncio.Event().wait()
        return "done"

    council = Council(members=("slow", "openai:fast"), seats={"slow": Seat(model="openai:m")})
    prices = Prices(models={"openai:m": Price(input=1.0, output=1.0)})
    work = Work(
        tools(
            ScriptedModel(hang),
            council=council,
            prices=prices,
            model_settings=Models(default="openai:m", first_patience_seconds=0.0),
        )
    )

    async def ask(seat: str) -> Outcome[str]:
        completion, call = await work.ask("propose", PROMPT, seat=seat, patience=0.05)
        return Outcome(completion.text, WRITTEN, (call,))

    found = await work.steps("propose", [lambda: ask("slow"), lambda: ask("openai:fast")])
    assert isinstance(found[0], ModelUnavailableError)
    assert found[1] == "done"
    assert work.ledger.usage().cost > 0, "what was read has a price"


async def test_typed_reply_is_validated_by_the_work_that_asks() -> None:
    class Ballot(BaseModel):
        ranking: list[str]

    def is_permutation(ballot: Ballot) -> str:
        return "" if sorted(ballot.ranking) == ["A", "B"] else "name A and B once each"

    work = Work(tools(ScriptedModel({"rank": {"ranking": ["A", "A"]}})))
    with pytest.raises(ThinkTwiceError, match="name A and B once each"):
        await work.ask_typed("rank", PROMPT, Ballot, validate=is_permutation)
