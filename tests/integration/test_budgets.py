"""What models take counts against the day of the bot, of a chat and of a person, whatever came of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from bot import parts
from bot.app import App, conversation_memory, opened_database, running
from bot.jobs import Job
from bot.service.incoming import Place, Sender
from bot.service.limits import Limits
from bot.service.people import Refusal
from bot.service.spending import metered
from bot.settings.sections import Rates
from bot.settings.tree import Settings
from bot.storage.arrivals import StoredArrivals
from bot.storage.database import Database, open_database
from bot.storage.notices import Notices
from bot.storage.privacy import Privacy
from bot.storage.spent import Spent
from bot.telegram.ids import to_peer
from rag.errors import ModelUnavailableError
from rag.knowledge.embeddings.server import ServerEmbedder
from rag.models.chat import ChatRequest, Completion
from rag.models.scripted import ScriptedModel
from rag.models.tokens import estimate_tokens
from rag.prompting.library import PromptLibrary
from rag.reasons import as_written
from rag.runs.run import Outcome, RunStep
from rag.settings import Models
from rag.values import Answer, ModelCall, Usage, Verdict
from tests.support.embedding_server import EmbeddingServer
from tests.support.jobs import SECONDS, abandoned, reached
from tests.support.jobs import running as running_jobs
from tests.support.stored import NOW, Clock
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat
from tests.telegram.people import Person

ANN, BOB = Sender(to_peer(42), "person", "Ann"), Sender(to_peer(43), "person", "Bob")
GROUP, ALONE = Place(to_peer(-500), "group", None, "Team"), Place(to_peer(42), "private")
CALL = ModelCall("writer", "openai:draft", 60, 40, 0.1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limits_of(database: Database, clock: Clock, told: list[tuple[str, str]], **rates: int | bool) -> Limits:
    async def tell(text: str, _values: Mapping[str, str | float], key: str) -> None:
        told.append((text, key))

    given: dict[str, Any] = {"chat_tokens_per_day": 0, "quotes_when_spent": False, **rates}
    return Limits(
        StoredArrivals(database, clock),
        Spent(database, clock),
        Notices(database, clock),
        Rates(**given),
        tell,
    )


def reason(refusal: Refusal | None) -> str | None:
    return None if refusal is None else refusal.message_id


async def test_person_has_one_budget_in_all_chats(database: Database, clock: Clock) -> None:
    limits, spent = limits_of(database, clock, [], user_tokens_per_day=100), Spent(database, clock)
    await spent.add(60, chat_id=GROUP.chat_id, user_id=ANN.id)
    assert await limits.check(GROUP, ANN, "w1") is None
    await spent.add(40, chat_id=ALONE.chat_id, user_id=ANN.id)
    for number, place in enumerate((GROUP, ALONE)):
        refusal = await limits.check(place, ANN, f"w2{number}")
        assert reason(refusal) == "limit-user-budget"
        assert refusal is not None
        assert refusal.values == {"until": "00:00 UTC"}
    assert await limits.check(GROUP, BOB, "w3") is None
    # Forgetting a person gives nothing back; the next day does.
    await Privacy(database, clock).erase(ANN.id)
    assert reason(await limits.check(GROUP, ANN, "w4")) == "limit-user-budget"
    clock.now = datetime(2026, 5, 21, tzinfo=UTC)
    assert await limits.check(GROUP, ANN, "w5") is None


async def test_budget_of_the_bot_holds_everywhere_and_the_admins_hear_of_it_in_time(
    database: Database, clock: Clock
) -> None:
    told: list[tuple[str, str]] = []
    limits, spent = limits_of(database, clock, told, bot_tokens_per_day=1000), Spent(database, clock)
    await spent.add(799, chat_id=GROUP.chat_id, user_id=ANN.id)
    assert await limits.check(ALONE, ANN, "w1") is None
    assert told == []
    # Of no chat and nobody in particular, such as documents that a server embeds.
    await spent.add(1)
    for work in ("w2", "w3"):
        assert await limits.check(GROUP, BOB, work) is None
    assert told == [("admin-nearly-spent-bot", "nearly-spent-bot::20260521")]
    await spent.add(200, chat_id=ALONE.chat_id, user_id=ANN.id)
    for work, place in (("w4", GROUP), ("w5", Place(BOB.id, "private"))):
        assert reason(await limits.check(place, BOB, work)) == "limit-bot-budget"
    assert told[1:] == [("admin-spent-bot", "spent-bot::20260521")]


async def test_zero_is_no_limit(database: Database, clock: Clock) -> None:
    limits = limits_of(database, clock, [])
    await Spent(database, clock).add(10**12, chat_id=GROUP.chat_id, user_id=ANN.id)
    assert await limits.check(GROUP, ANN, "w1") is None


async def test_days_that_no_budget_looks_at_are_forgotten(database: Database, clock: Clock) -> None:
    spent = Spent(database, clock)
    await spent.add(5, chat_id=to_peer(1), user_id=to_peer(2))
    clock.now = datetime(2026, 5, 23, 12, tzinfo=UTC)
    await spent.add(7, chat_id=to_peer(1), user_id=to_peer(2))
    assert await spent.prune() == 1
    assert (await spent.today(to_peer(1), to_peer(2))).bot == 7


# ---- what counts


async def _straight(_name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
    return await work()


async def test_step_counts_when_it_is_done_and_when_it_fails_but_not_when_it_is_handed_back(
    database: Database, clock: Clock
) -> None:
    spent = Spent(database, clock)

    async def done() -> Outcome[str]:
        return Outcome("x", as_written(""), (CALL, CALL))

    async def failed() -> Outcome[str]:
        error = ModelUnavailableError(as_written("away"))
        error.spent = (CALL,)
        raise error

    async def from_record(
        _name: str, _work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Any:
        return Outcome("x", as_written(""), (CALL,))

    step = metered(_straight, spent, chat_id=to_peer(-500), user_id=to_peer(42))
    await step("draft", done)
    assert (await spent.today(to_peer(-500), to_peer(42))).user == 200
    with pytest.raises(ModelUnavailableError):
        await step("evaluate", failed)
    assert (await spent.today(to_peer(-500), to_peer(42))).chat == 300
    await metered(from_record, spent, chat_id=to_peer(-500), user_id=to_peer(42))("draft", done)
    assert (await spent.today(to_peer(-500), to_peer(42))).bot == 300


async def test_call_under_way_when_the_process_is_killed_counts_with_its_prompt(
    url: str, tmp_path: Path
) -> None:
    begun = asyncio.Event()

    async def done() -> Outcome[str]:
        return Outcome("x", as_written(""), (CALL,))

    async def endless() -> Outcome[str]:
        begun.set()
        return await asyncio.Future()

    async def asked(second: Callable[[], Awaitable[Outcome[str]]], _payload: str, run_step: RunStep) -> None:
        spent = Spent(jobs.journal.database)
        step = metered(run_step, spent, chat_id=to_peer(-500), user_id=to_peer(42))
        for name, work in (("draft", done), ("evaluate", second), ("regenerate", done)):
            await step(name, work)

    async with abandoned(url, tmp_path, {"ask": partial(asked, endless)}) as jobs:
        await jobs.submit(Job("1", "ask", ""))
        await asyncio.wait_for(begun.wait(), SECONDS)
    async with open_database(tmp_path, url) as database:
        assert (await Spent(database).today(to_peer(-500), to_peer(42))).user == 100
    async with running_jobs(url, tmp_path, {"ask": partial(asked, done)}) as jobs:
        await reached(jobs, "1", "done")
        # Three calls of 100 tokens, and the 60 that the call read which nobody waited for any more.
        assert (await Spent(jobs.journal.database).today(to_peer(-500), to_peer(42))).user == 360


def _vectors(**usage: int) -> Callable[[list[str]], tuple[int, Any]]:
    def reply(texts: list[str]) -> tuple[int, Any]:
        rows = [{"object": "embedding", "index": n, "embedding": [3.0, 4.0]} for n in range(len(texts))]
        return 200, {"object": "list", "data": rows, "model": "m", "usage": usage}

    return reply


@pytest.mark.parametrize(
    ("reply", "counted"),
    [
        pytest.param(_vectors(total_tokens=9, prompt_tokens=9), 9, id="as the server says"),
        pytest.param(
            _vectors(), estimate_tokens("Which Java does FxStore need?"), id="estimated where it does not"
        ),
    ],
)
async def test_embeddings_by_a_server_count(
    database: Database, clock: Clock, reply: Callable[[list[str]], tuple[int, Any]], counted: int
) -> None:
    spent = Spent(database, clock)
    server = EmbeddingServer(reply)
    try:
        models = {"openai_base_url": server.url, "openai_api_key": "a-key"}
        embedder = ServerEmbedder.named("openai:small", Models.model_validate(models))

        async def retrieve() -> None:
            await asyncio.to_thread(embedder.embed_queries, ["Which Java does FxStore need?"])

        await metered(_straight, spent, chat_id=to_peer(-500), user_id=to_peer(42))(
            "retrieve", retrieve, is_light=True
        )
    finally:
        server.close()
    assert (await spent.today(to_peer(-500), to_peer(42))).user == counted


async def test_documents_that_a_server_embeds_at_the_start_count_for_the_bot(
    tmp_path: Path, database: Database
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "java.md").write_text("# Java\n\nFxStore needs Java 17.\n", encoding="utf-8")
    server = EmbeddingServer(_vectors(total_tokens=9, prompt_tokens=9))
    try:
        settings = Settings.load(
            data_dir=tmp_path / "data",
            corpus=(documents,),
            knowledge={"embedding": "openai:small"},
            models={"default": "openai:x", "openai_base_url": server.url, "openai_api_key": "a-key"},
        )
        for _ in range(2):
            async with running(settings, is_lasting=False, spend=Spent(database).add):
                # The second start finds the documents indexed.
                assert (await Spent(database).today(to_peer(0), to_peer(0))).bot == 9
    finally:
        server.close()


async def test_summary_counts_for_its_chat(tmp_path: Path) -> None:
    settings = Settings.load(data_dir=tmp_path, self_correction={"history_limit": 2})
    nothing = cast("Any", None)  # a memory needs neither knowledge nor engine
    models = cast("Any", ScriptedModel("Ann asked."))
    app = App(settings, nothing, models, PromptLibrary(), nothing, tmp_path, nothing, nothing)
    verdict = Verdict("adequate", as_written("fine"), 0.9, "evidence")
    async with opened_database(settings) as database:
        async with conversation_memory(app, database) as memory:
            for number, place in ((number, place) for place in (GROUP, ALONE) for number in range(3)):
                answer = Answer(
                    "q", f"a{number}", "general", "en", verdict, (), (), False, 0, Usage(), 0.1, ()
                )
                await memory.remember(place.conversation_id, f"q{number}", answer)
                # Until no summary is being written.
                if others := asyncio.all_tasks() - {asyncio.current_task()}:
                    await asyncio.wait(others, timeout=10)
        group = await Spent(database).today(GROUP.chat_id, ANN.id)
        alone = await Spent(database).today(ALONE.chat_id, ANN.id)
    assert group.chat > 0
    assert alone.chat > 0
    # Who talks to the bot alone is known; in a group a summary is of everybody's words.
    assert group.user == alone.chat
    assert group.bot == group.chat + alone.chat


# ---- the whole bot


class Held(ScriptedModel):
    """A model whose writer waits until it is let go."""

    def __init__(self, replies: dict[str, Any]) -> None:
        super().__init__(replies)
        self.begun, self.may_end = asyncio.Event(), asyncio.Event()
        self.may_end.set()

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        self.begun.set()
        await self.may_end.wait()
        return await super().complete(request, on_text)


@asynccontextmanager
async def opened(
    folder: Path, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, **limits: Any
) -> AsyncIterator[tuple[Stage, Person, Chat]]:
    (folder / "corpus").mkdir()
    (folder / "corpus" / "fxstore.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", "utf-8")
    # Or the day might end meanwhile.
    for name, kept in (("StoredArrivals", StoredArrivals), ("Notices", Notices), ("Spent", Spent)):
        monkeypatch.setattr(parts, name, partial(kept, clock=lambda: NOW))
    async with staged(folder, model, monkeypatch, limits=limits) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        yield stage, ann, stage.telegram.private(ann)


async def asks(stage: Stage, person: Person, chat: Chat) -> str:
    await stage.happens(person.says(chat, "Which Java does FxStore need?"))
    return chat.texts[-1]


async def test_stopped_answer_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Held({"draft": "FxStore needs Java 17.", "regenerate": "FxStore needs Java 17 [1]."})
    limits = {"user_tokens_per_day": 1, "quotes_when_spent": False}
    async with opened(tmp_path, model, monkeypatch, **limits) as (stage, ann, chat):
        model.may_end.clear()
        await stage.feed(ann.says(chat, "Which Java does FxStore need?"))
        await asyncio.wait_for(model.begun.wait(), 30)
        await stage.happens(ann.says(chat, "/stop"))
        model.may_end.set()
        # What was sent to the model is counted, though it never replied.
        assert (await Spent(stage.database, lambda: NOW).today(to_peer(chat.id), to_peer(ann.id))).user > 20
        assert await asks(stage, ann, chat) == (
            "You have used up your allowance for today. I will answer you again from 00:00 UTC."
        )


async def test_answer_that_fails_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel({"draft": "FxStore needs Java 17.", "regenerate": "FxStore needs Java 17 [1]."})
    async with opened(tmp_path, model, monkeypatch) as (stage, ann, chat):
        stage.telegram.fail_next(
            "sendMessage",
            status=400,
            description="Bad Request: cursed",
            chat_id=chat.id,
            times=1000,
            where=lambda request: "Java 17" in request.text,
        )
        assert (await asks(stage, ann, chat)).startswith("Sorry")
        assert (await Spent(stage.database, lambda: NOW).today(to_peer(chat.id), to_peer(ann.id))).chat > 0


async def test_person_whose_day_is_used_up_elsewhere_reads_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedModel({"draft": "FxStore needs Java 17.", "regenerate": "FxStore needs Java 17 [1]."})
    async with opened(tmp_path, model, monkeypatch, user_tokens_per_day=1) as (stage, ann, chat):
        group = stage.telegram.group("Team", [ann])
        await stage.happens(ann.says(group, "@thinktwice_bot Which Java does FxStore need?"))
        calls = len(model.requests)
        assert (await asks(stage, ann, chat)).startswith("“FxStore needs Java 17.” [1]"), (
            "what is sure costs no tokens"
        )
        assert len(model.requests) == calls
