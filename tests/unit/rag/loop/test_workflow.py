"""The loop by itself: scripted models, scripted verdicts, an in-memory corpus."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from rag.errors import (
    InputError,
    ModelRejectedError,
    ModelReplyError,
    ModelUnavailableError,
)
from rag.events import Answered, StepFinished, StepStarted, Text
from rag.knowledge.embedder import Vectors
from rag.knowledge.search import SearchResult
from rag.loop import workflow
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.runs import work as work_module
from rag.runs.run import Outcome
from rag.settings import Budget, FastPath, Models
from rag.values import Passage, PassageId, Question, Turn, Verdict
from tests.support.loop import PASSAGES, QUESTION, MemoryCorpus, engine, purposes, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")


async def test_adequate_draft_is_sent_after_one_call(verdicts: list[str]) -> None:
    verdicts[:] = ["cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft"]
    assert (answer.text, answer.label, answer.retries) == ("It needs Java 11.", "verified", 0)
    assert not answer.used_documents


async def test_hallucinated_draft_is_written_again_from_documents(verdicts: list[str]) -> None:
    verdicts[:] = ["hallucination", "cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert (answer.text, answer.label, answer.retries) == ("It needs Java 17 [1].", "verified", 1)
    assert answer.used_documents
    steps = [step.step for step in answer.trace]
    assert (steps[0], set(steps[1:3])) == ("classify", {"draft", "probe"})
    assert steps[3:] == ["evaluate", "retrieve", "regenerate", "evaluate"]


async def test_refusal_after_documents_rewrites_the_query_and_ends_as_not_in_documents(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "needs_docs", "needs_docs"]
    corpus = MemoryCorpus()
    model = scripted(regenerate="The documents do not say.", read="not stated")
    answer = await engine(model, corpus).answer(Question("Who founded the company?"))
    assert purposes(model) == ["draft", "regenerate", "rewrite", "regenerate"]
    assert answer.label == "not_in_documents"
    assert answer.retries == 2
    assert "guide3.md" in answer.text, "the nearest sources are named"
    assert corpus.queries[1][0] == "FxStore runtime version"


async def test_second_search_brings_passages_that_were_not_shown(verdicts: list[str]) -> None:
    verdicts[:] = ["hallucination", "hallucination", "cited"]
    model = scripted()
    await engine(model).answer(QUESTION)
    first, second = (request for request in model.requests if request.purpose == "regenerate")
    assert "FxStore needs Java 17." in first.messages[-1].text
    assert "Install FxStore." not in first.messages[-1].text
    assert "Install FxStore." in second.messages[-1].text
    assert "FxStore needs Java 17." in second.messages[-1].text, "what it got wrong may stand here"
    assert "because" in second.messages[-1].text, "the defect is named"


async def test_search_that_brings_nothing_new_ends_the_loop(verdicts: list[str]) -> None:
    verdicts[:] = ["hallucination", "hallucination"]
    model = scripted()
    answer = await engine(model, MemoryCorpus(PASSAGES[:2]), max_retries=5).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "unverified"
    assert answer.text == "It needs Java 17 [1].", "a text from documents beats one from memory"


async def test_repeated_query_ends_the_loop(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "needs_docs"]
    question = Question("Who founded the company?")
    model = scripted(rewrite={"query": question.text.upper()}, read="not stated")
    answer = await engine(model, max_retries=5).answer(question)
    assert purposes(model) == ["draft", "regenerate", "rewrite"]
    assert answer.label == "not_in_documents"


async def test_off_topic_draft_is_classified_again_with_the_reason(verdicts: list[str]) -> None:
    verdicts[:] = ["off_topic", "cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "classify", "draft"]
    assert "because" in model.requests[1].messages[-1].text
    assert "because" in model.requests[2].messages[-1].text
    assert answer.label == "verified"


async def test_model_cannot_declare_a_question_small_talk_to_get_it_through(verdicts: list[str]) -> None:
    verdicts[:] = ["off_topic", "hallucination", "cited"]
    model = scripted(classify={"intent": "small_talk", "question": "Which Java?"})
    answer = await engine(model).answer(QUESTION)
    assert answer.used_documents


async def test_faulty_text_is_written_again_with_its_fault_named(verdicts: list[str]) -> None:
    verdicts[:] = ["faulty", "cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "draft"]
    assert "cut off" in model.requests[1].messages[-1].text
    assert answer.label == "verified"


@pytest.mark.parametrize("max_retries", [0, 1, 2, 3])
async def test_there_are_never_more_corrections_than_allowed(verdicts: list[str], max_retries: int) -> None:
    verdicts[:] = ["faulty"] * 10
    model = scripted()
    answer = await engine(model, max_retries=max_retries).answer(QUESTION)
    assert answer.retries == max_retries
    assert len(model.requests) == 1 + max_retries
    assert answer.label == "unverified"
    assert answer.text


async def test_undecided_evidence_asks_the_judge_once(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("off_topic", as_written("not sure"), 0.4, "evidence")]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "judge"]
    assert answer.verdict.source == "judge"
    assert answer.label == "unverified", "a judge alone does not verify a matter of the documents"


async def test_unsure_negative_on_a_covered_question_reads_the_documents_without_a_judge(
    verdicts: list[Any],
) -> None:
    verdicts[:] = [Verdict("hallucination", as_written("not sure"), 0.4, "evidence"), "cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "verified"


async def test_decided_evidence_saves_the_judge(verdicts: list[Any]) -> None:
    verdicts[:] = ["hallucination", "cited"]
    model = scripted()
    await engine(model).answer(QUESTION)
    assert "judge" not in purposes(model)


async def test_unsure_adequate_on_a_covered_question_reads_the_documents(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("adequate", as_written("maybe"), 0.5, "evidence"), "cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "verified"


async def test_threshold_is_a_setting(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("off_topic", as_written("maybe"), 0.5, "evidence"), "cited"]
    model = scripted()
    await engine(model, evaluation_threshold=0.5).answer(QUESTION)
    assert purposes(model) == ["draft", "classify", "draft"], "sure enough: no judge"


async def test_right_draft_that_no_passage_can_be_cited_for_reads_the_documents(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("adequate", as_written("supported"), 0.95, "evidence"), "cited"]
    model = scripted()
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "verified"


@pytest.mark.parametrize(
    "failure",
    [ModelReplyError("no JSON"), ModelUnavailableError("timed out")],
    ids=["garbage", "time-out"],
)
async def test_failed_judge_leaves_the_answer_unchecked_and_searches_nothing(
    verdicts: list[Any], failure: Exception
) -> None:
    verdicts[:] = [Verdict("off_topic", as_written("not sure"), 0.4, "evidence")]
    model = scripted(judge=failure)
    answer = await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "judge"]
    assert answer.verdict.quality == "unchecked"
    assert answer.label == "unverified"
    assert answer.failure is None


async def test_switched_off_correction_sends_the_draft_as_not_verified(verdicts: list[str]) -> None:
    model = scripted()
    answer = await engine(model, enabled=False).answer(QUESTION)
    assert purposes(model) == ["draft"]
    assert (answer.label, answer.verdict.quality) == ("unverified", "unchecked")


@pytest.mark.parametrize(
    ("fast_path", "is_covered", "expected"),
    [
        pytest.param("always", True, ["draft"], id="always drafts"),
        pytest.param("auto", True, ["regenerate"], id="auto skips the draft on a covered question"),
        pytest.param("auto", False, ["draft"], id="auto drafts on any other"),
        pytest.param("never", False, ["regenerate"], id="never reads documents first"),
    ],
)
async def test_fast_path_setting_decides_what_comes_first(
    verdicts: list[str],
    monkeypatch: pytest.MonkeyPatch,
    fast_path: FastPath,
    is_covered: bool,
    expected: list[str],
) -> None:
    async def covers(*_args: object) -> Outcome[bool]:
        return Outcome(is_covered, as_written("scripted"))

    monkeypatch.setattr(workflow, "covers", covers)
    verdicts[:] = ["cited"]
    model = scripted()
    answer = await engine(model, fast_path=fast_path).answer(QUESTION)
    assert purposes(model) == expected
    assert answer.retries == 0, "reading documents first is no correction"


async def test_small_talk_is_drafted_without_a_search_in_every_mode(verdicts: list[str]) -> None:
    for fast_path in ("always", "auto", "never"):
        verdicts[:] = ["adequate"]
        corpus = MemoryCorpus()
        model = scripted(draft="You are welcome!")
        answer = await engine(model, corpus, fast_path=fast_path).answer(Question("thanks!"))
        assert (answer.label, corpus.searches, corpus.queries) == ("general", 0, [])


async def test_empty_corpus_still_answers(verdicts: list[str]) -> None:
    verdicts[:] = ["adequate"]
    answer = await engine(scripted(), MemoryCorpus(())).answer(QUESTION)
    assert answer.text == "It needs Java 11."


async def test_probe_runs_while_the_draft_is_written(verdicts: list[str]) -> None:
    verdicts[:] = ["cited"]
    probed = asyncio.Event()

    class WaitingCorpus(MemoryCorpus):
        async def search(self, *args: Any, **kwargs: Any) -> SearchResult:
            probed.set()
            return await super().search(*args, **kwargs)

    async def draft(_request: object) -> Reply:
        # Would wait for ever if the probe only began after the draft.
        await asyncio.wait_for(probed.wait(), 5)
        return "It needs Java 11."

    await engine(ScriptedModel(draft), WaitingCorpus()).answer(QUESTION)
    assert probed.is_set()


async def test_no_model_at_all_quotes_the_best_passages_and_says_so(verdicts: list[str]) -> None:
    dead = ModelUnavailableError("nobody listens at 127.0.0.1:9: is it running?")
    answer = await engine(scripted(draft=dead, regenerate=dead)).answer(QUESTION)
    assert answer.label == "unverified"
    assert "FxStore needs Java 17." in answer.text
    assert "No language model" in answer.text
    assert [citation.document for citation in answer.citations] == ["guide1.md", "guide2.md"]
    assert answer.failure is not None
    assert answer.failure.kind == "unavailable"
    assert "nobody listens" in str(answer.verdict.reason)


@pytest.mark.parametrize(
    ("question", "begins", "cited"),
    [
        (QUESTION, "The allowance for today is used up", ["guide1.md", "guide2.md"]),
        (Question("Какая версия Java нужна для FxStore?"), "Дневной лимит здесь исчерпан", ["guide1.md", "guide2.md"]),
        (Question("Hello!"), "The allowance for today is used up", []),
    ],
    ids=["question", "another language", "small talk"],
)  # fmt: skip
async def test_question_whose_day_is_spent_is_answered_by_passages_and_asks_no_model(
    question: Question, begins: str, cited: list[str]
) -> None:
    model = scripted()
    answer = await engine(model).answer(replace(question, quote_only=True))
    assert answer.text.startswith(begins)
    assert [citation.document for citation in answer.citations] == cited
    assert ("> FxStore needs Java 17." in answer.text) is bool(cited)
    assert (answer.label, answer.failure, answer.usage.calls) == ("unverified", None, 0)
    assert purposes(model) == []


async def test_refused_key_is_told_apart_from_a_dead_server(verdicts: list[str]) -> None:
    refused = ModelRejectedError("the key was refused: check OPENAI_API_KEY")
    answer = await engine(scripted(draft=refused, regenerate=refused)).answer(QUESTION)
    assert answer.failure is not None
    assert answer.failure.kind == "rejected"


async def test_no_model_says_so_in_the_language_of_the_question(verdicts: list[str]) -> None:
    dead = ModelUnavailableError("down")
    answer = await engine(scripted(draft=dead, regenerate=dead)).answer(
        Question("Какая версия Java нужна для FxStore?")
    )
    assert "языковая модель" in answer.text


async def test_other_model_writes_from_documents_when_the_drafting_one_is_down(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["cited"]
    other = Models(writer="ollama:other")
    product = engine(scripted(draft=ModelUnavailableError("down")), model_settings=other)
    answer = await product.answer(QUESTION)
    assert answer.text == "It needs Java 17 [1]."
    assert answer.failure is None


@pytest.mark.parametrize("error", [ModelUnavailableError("down"), ModelRejectedError("no such key")])
async def test_model_that_just_failed_is_not_waited_for_again_until_the_next_question(
    verdicts: list[str], error: Exception
) -> None:
    verdicts[:] = ["cited"]
    model = scripted(draft=[error, "It needs Java 17."])
    product = engine(model)
    failed = await product.answer(QUESTION)
    assert purposes(model) == ["draft"], "its writer is the same model"
    assert failed.failure is not None
    assert (await product.answer(QUESTION)).label == "verified"


async def test_texts_that_cannot_be_sent_leave_the_passages_to_the_reader(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "faulty", "faulty"]
    model = scripted(draft="I do not know that.")
    answer = await engine(model).answer(Question("Какая версия Java нужна для FxStore?"))
    assert purposes(model) == ["draft", "regenerate", "regenerate"]
    assert answer.text.startswith("После нескольких попыток")
    assert "> FxStore needs Java 17." in answer.text
    assert answer.label == "unverified", "no usable text says that the documents lack it"


async def test_text_that_only_stops_too_early_is_still_sent(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "cut", "cut"]
    answer = await engine(scripted(draft="I do not know that.")).answer(QUESTION)
    assert "It needs Java 17" in answer.text
    assert answer.label == "unverified"


async def test_model_that_dies_during_a_correction_leaves_the_best_answer_so_far(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "needs_docs"]
    replies: list[Reply] = ["The documents do not say.", ModelUnavailableError("down")]
    answer = await engine(scripted(regenerate=replies)).answer(QUESTION)
    assert answer.text.startswith("The documents do not say.")
    assert answer.label == "not_in_documents"


@pytest.mark.parametrize("draft_says", ["needs_docs", "hallucination"])
async def test_writer_that_never_read_the_passages_leaves_them_to_the_reader(
    verdicts: list[str], draft_says: str
) -> None:
    verdicts[:] = [draft_says]
    answer = await engine(scripted(regenerate=ModelUnavailableError("down"))).answer(QUESTION)
    assert "FxStore needs Java 17." in answer.text
    assert answer.label == "unverified", "nobody has looked whether the documents hold it"
    assert answer.citations


async def test_budget_that_ends_before_the_writer_leaves_the_passages_to_the_reader(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs"]
    answer = await engine(scripted(), budget=Budget(calls=1)).answer(QUESTION)
    assert "FxStore needs Java 17." in answer.text
    assert "budget" in answer.text
    assert answer.label == "unverified"


async def test_answer_from_documents_without_citations_beats_the_refusal_before_it(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "adequate"]
    answer = await engine(scripted(regenerate="It needs Java 17.")).answer(QUESTION)
    assert (answer.text, answer.label) == ("It needs Java 17.", "unverified")


async def test_another_reading_is_searched_anew(verdicts: list[str]) -> None:
    verdicts[:] = ["off_topic", "cited"]
    corpus = MemoryCorpus()
    await engine(scripted(), corpus).answer(QUESTION)
    assert corpus.searches == 2


async def test_trail_names_the_prompt_of_each_model_call(verdicts: list[str]) -> None:
    verdicts[:] = ["hallucination", "cited"]
    answer = await engine(scripted()).answer(QUESTION)
    prompts = {step.step: step.prompt.split("#")[0] for step in answer.trace if step.prompt}
    assert prompts == {"draft": "draft@1", "regenerate": "regenerate@1"}


async def test_thanks_between_a_question_and_its_follow_up_do_not_lose_the_passages(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "cited"]
    carried = Passage(PassageId("old"), "old.md", "", "FxStore ran on Java 8 in 2015.")
    history = (
        Turn("user", "Which Java does FxStore need?"),
        Turn("assistant", "17", passages=(carried,)),
        Turn("user", "thanks!"),
        Turn("assistant", "You are welcome!"),
    )
    model = scripted()
    await engine(model).answer(Question("and in 2015?", history))
    assert "FxStore ran on Java 8 in 2015." in model.requests[-1].messages[-1].text


@pytest.mark.parametrize(
    ("budget", "calls"),
    [
        pytest.param(Budget(calls=1), 1, id="calls"),
        pytest.param(Budget(tokens=1), 1, id="tokens"),
        pytest.param(Budget(calls=2), 2, id="one correction"),
    ],
)
async def test_used_up_budget_sends_the_best_answer_so_far(
    verdicts: list[str], budget: Budget, calls: int
) -> None:
    verdicts[:] = ["hallucination"] * 5
    model = scripted()
    answer = await engine(model, budget=budget, max_retries=5).answer(QUESTION)
    assert len(model.requests) == calls
    assert answer.usage.calls == calls
    assert answer.label == "unverified"
    assert any("budget" in str(step.detail) for step in answer.trace)


async def test_model_that_hangs_is_cut_off_by_the_budget(verdicts: list[str]) -> None:
    async def hang(_request: object) -> Reply:
        await asyncio.Event().wait()
        return ""

    answer = await engine(ScriptedModel(hang), budget=Budget(seconds=0.05)).answer(QUESTION)
    assert answer.label == "unverified"
    assert "used up" in answer.text


async def test_embedding_server_that_hangs_is_cut_off_by_the_budget(
    verdicts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class HangingCorpus(MemoryCorpus):
        async def search(self, *args: Any, **kwargs: Any) -> SearchResult:
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(work_module, "_GRACE_SECONDS", 0.05)
    answer = await engine(scripted(), HangingCorpus(), budget=Budget(seconds=0.05)).answer(QUESTION)
    assert answer.label == "unverified"
    assert any("budget" in str(step.detail) for step in answer.trace if step.step == "probe")


async def test_vectors_that_never_come_leave_the_nearest_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    class HangingCorpus(MemoryCorpus):
        async def embed_texts(self, texts: Sequence[str]) -> Vectors:
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(work_module, "_GRACE_SECONDS", 0.05)
    question = replace(QUESTION, quote_only=True)
    answer = await engine(scripted(), HangingCorpus(), budget=Budget(seconds=0.05)).answer(question)
    assert answer.text
    assert any("budget" in str(step.detail) for step in answer.trace if step.step == "choose")


async def test_call_that_the_budget_ends_is_counted(
    verdicts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step's own end comes a moment later than the call's, also without the seconds of grace."""

    async def hang(_request: object) -> Reply:
        await asyncio.Event().wait()
        return ""

    monkeypatch.setattr(work_module, "_GRACE_SECONDS", 0.0)
    answer = await engine(ScriptedModel(hang), budget=Budget(seconds=0.2)).answer(QUESTION)
    assert answer.usage.by_role["draft"].calls == 1
    assert answer.usage.by_role["draft"].input_tokens > 0


async def test_ledger_tells_calls_and_tokens_by_role(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("off_topic", as_written("not sure"), 0.4, "evidence"), "cited"]
    model = scripted(judge={"answer_quality": "needs_docs", "reason": "vague", "confidence": 0.9})
    answer = await engine(model).answer(QUESTION)
    assert {role: usage.calls for role, usage in answer.usage.by_role.items()} == {
        "draft": 1,
        "judge": 1,
        "writer": 1,
    }
    assert answer.usage.tokens == sum(usage.tokens for usage in answer.usage.by_role.values())


async def test_follow_up_carries_the_passages_of_the_turn_before(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "cited"]
    carried = Passage(PassageId("old"), "old.md", "", "FxStore ran on Java 8 in 2015.")
    history = (Turn("user", "Which Java does FxStore need?"), Turn("assistant", "17", passages=(carried,)))
    model = scripted()
    await engine(model).answer(Question("and in 2015?", history))
    writer = model.requests[-1]
    assert "FxStore ran on Java 8 in 2015." in writer.messages[-1].text
    assert "Which Java did FxStore need in 2015?" in writer.messages[-1].text


async def test_history_limit_bounds_what_the_model_sees(verdicts: list[str]) -> None:
    verdicts[:] = ["cited"]
    history = tuple(Turn("user" if n % 2 == 0 else "assistant", f"message number {n}") for n in range(30))
    model = scripted()
    await engine(model, history_limit=4).answer(replace(QUESTION, history=history))
    shown = [message.text for message in model.requests[0].messages[:-1]]
    assert shown == [f"message number {n}" for n in (26, 27, 28, 29)]


async def test_durable_runner_gets_unique_step_names_and_can_hand_back_their_outcomes(
    verdicts: list[str],
) -> None:
    recorded: dict[str, Any] = {}

    async def record(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
        assert name not in recorded
        recorded[name] = await work()
        return recorded[name]

    async def replay(name: str, _work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
        return recorded[name]

    verdicts[:] = ["hallucination", "needs_docs", "cited"]
    first = await engine(scripted()).answer(QUESTION, run_step=record)
    silent = ScriptedModel({})
    second = await engine(silent).answer(QUESTION, run_step=replay)
    assert silent.requests == [], "a replay pays nothing"
    assert (second.text, second.label, second.citations) == (first.text, first.label, first.citations)
    assert second.usage.calls == first.usage.calls == 4
    assert "regenerate" in recorded
    assert "regenerate 2" in recorded


async def test_stream_tells_each_step_and_ends_with_the_answer(verdicts: list[str]) -> None:
    verdicts[:] = ["hallucination", "cited"]
    events = [event async for event in engine(scripted()).stream(QUESTION)]
    assert isinstance(events[-1], Answered)
    assert events[-1].answer.text == "It needs Java 17 [1]."
    started = [event.step for event in events if isinstance(event, StepStarted)]
    finished = [event.trace.step for event in events if isinstance(event, StepFinished)]
    assert sorted(started) == sorted(finished)
    pieces = "".join(
        event.piece for event in events if isinstance(event, Text) and event.step == "regenerate"
    )
    assert pieces == "It needs Java 17 [1]."


async def test_leaving_the_stream_early_cancels_the_work(verdicts: list[str]) -> None:
    cancelled = asyncio.Event()

    async def hang(_request: object) -> Reply:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return ""

    stream = engine(ScriptedModel(hang)).stream(QUESTION)
    async for event in stream:
        if isinstance(event, StepStarted) and event.step == "draft":
            break
    await asyncio.sleep(0)
    await stream.aclose()  # type: ignore[attr-defined]  # an async generator
    assert cancelled.is_set()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param(" \n\t ", "empty", id="whitespace"),
        pytest.param("x" * 1_000_000, "1,000,000 characters", id="1 MB"),
        pytest.param("abc\x00def", "not readable text", id="NUL"),
        pytest.param("\x01\x02\x03\x04\x05" * 10, "not readable text", id="binary"),
        pytest.param("caf\udce9", "not readable text", id="broken encoding"),
    ],
)
async def test_what_is_no_question_is_refused_in_one_sentence_before_anything_is_paid(
    text: str, says: str
) -> None:
    model = scripted()
    with pytest.raises(InputError, match=says) as refused:
        await engine(model).answer(Question(text))
    assert len(str(refused.value).splitlines()) == 1
    assert model.requests == []


async def test_emoji_with_joiners_are_text(verdicts: list[str]) -> None:
    verdicts[:] = ["adequate"]
    assert (await engine(scripted()).answer(Question("👩‍👩‍👧‍👦 👍🏽"))).text
