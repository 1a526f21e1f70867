"""The loop by itself, with scripted models and verdicts: the ways of questions, and what follow-ups see."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from rag.errors import ModelReplyError, ModelUnavailableError
from rag.knowledge.search import SearchResult
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.settings import FastPath
from rag.values import Passage, PassageId, Quality, Question, Turn, Verdict
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import (
    PASSAGES,
    QUESTION,
    MemoryCorpus,
    UndecidedVerifier,
    engine,
    purposes,
    scripted,
)

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
    assert (steps[0], set(steps[1:4])) == ("classify", {"draft", "probe", "cover"})
    assert steps[4:] == ["evaluate", "retrieve", "regenerate", "evaluate"]
    prompts = {step.step: step.prompt.split("#")[0] for step in answer.trace if step.prompt}
    assert prompts == {"draft": "draft@1", "regenerate": "regenerate@1"}


async def test_refusal_after_documents_rewrites_the_query_and_ends_as_not_in_documents(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "needs_docs", "needs_docs"]
    corpus = MemoryCorpus()
    model = scripted(regenerate="The documents do not say.")
    answer = await engine(model, corpus).answer(Question("Who founded the company?"))
    assert purposes(model) == ["draft", "regenerate", "rewrite", "regenerate"]
    assert answer.label == "not_in_documents"
    assert answer.retries == 2
    assert answer.text == "The documents do not say it."
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


async def test_search_that_brings_nothing_new_ends_the_loop_and_no_invention_goes_out(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["hallucination", "hallucination"]
    model = scripted()
    answer = await engine(model, MemoryCorpus(PASSAGES[:2]), max_retries=5).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "unverified"
    assert "It needs" not in answer.text
    assert "FxStore needs Java 17." in answer.text, "the nearest passages are shown"


async def test_repeated_query_ends_the_loop(verdicts: list[str]) -> None:
    verdicts[:] = ["needs_docs", "needs_docs"]
    question = Question("Who founded the company?")
    model = scripted(rewrite={"query": question.text.upper()})
    answer = await engine(model, max_retries=5).answer(question)
    assert purposes(model) == ["draft", "regenerate", "rewrite"]
    assert answer.label == "not_in_documents"


async def test_off_topic_draft_is_classified_again_with_the_reason_and_searched_anew(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["off_topic", "cited"]
    model = scripted()
    corpus = MemoryCorpus()
    answer = await engine(model, corpus).answer(QUESTION)
    assert corpus.searches == 2
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
    assert answer.label == "general", "a judge alone verifies nothing"


@pytest.mark.parametrize(
    ("quality", "confidence"),
    [
        pytest.param("hallucination", 0.4, id="unsure negative"),
        pytest.param("adequate", 0.5, id="unsure adequate"),
        pytest.param("adequate", 0.95, id="right, and no passage can be cited"),
    ],
)
async def test_draft_that_is_not_known_to_be_right_reads_the_documents_that_cover_it_without_a_judge(
    verdicts: list[Any], quality: Quality, confidence: float
) -> None:
    verdicts[:] = [Verdict(quality, as_written("not sure"), confidence, "evidence"), "cited"]
    model = scripted()
    answer = await engine(model, verifier=UndecidedVerifier()).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert answer.label == "verified"


async def test_threshold_is_a_setting(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("off_topic", as_written("maybe"), 0.5, "evidence"), "cited"]
    model = scripted()
    await engine(model, evaluation_threshold=0.5).answer(QUESTION)
    assert purposes(model) == ["draft", "classify", "draft"], "sure enough: no judge"


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
    verdicts: list[str], fast_path: FastPath, is_covered: bool, expected: list[str]
) -> None:
    verdicts[:] = ["cited"]
    model = scripted()
    verifier = ScriptedVerifier({"Java": "Java 17"} if is_covered else {})
    answer = await engine(model, fast_path=fast_path, verifier=verifier).answer(QUESTION)
    assert purposes(model) == expected
    assert answer.retries == 0, "reading documents first is no correction"


async def test_small_talk_is_drafted_without_a_search_in_every_mode(verdicts: list[str]) -> None:
    for fast_path in ("always", "auto", "never"):
        verdicts[:] = ["adequate"]
        corpus = MemoryCorpus()
        model = scripted(draft="You are welcome!")
        answer = await engine(model, corpus, fast_path=fast_path).answer(Question("thanks!"))
        assert (answer.label, corpus.searches, corpus.queries) == ("general", 0, [])


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


async def test_answer_from_documents_without_citations_beats_the_refusal_before_it(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs", "adequate"]
    answer = await engine(scripted(regenerate="It needs Java 17.")).answer(QUESTION)
    assert (answer.text, answer.label) == ("It needs Java 17.", "unverified")


@pytest.mark.parametrize(
    "between",
    [(), (Turn("user", "thanks!"), Turn("assistant", "You are welcome!"))],
    ids=["at once", "after thanks"],
)
async def test_follow_up_carries_the_passages_of_the_answer_before(
    verdicts: list[str], between: tuple[Turn, ...]
) -> None:
    verdicts[:] = ["needs_docs", "cited"]
    carried = Passage(PassageId("old"), "old.md", "", "FxStore ran on Java 8 in 2015.")
    history = (Turn("user", "Which Java does FxStore need?"), Turn("assistant", "17", passages=(carried,)))
    model = scripted()
    await engine(model).answer(Question("and in 2015?", (*history, *between)))
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


@pytest.mark.parametrize("fault", ["faulty", "cut"])
async def test_faulty_draft_leads_to_the_documents_that_answer(verdicts: list[str], fault: str) -> None:
    verdicts[:] = [fault, "cited"]
    model = scripted()
    answer = await engine(model, verifier=ScriptedVerifier({"Java": "Java 17"})).answer(QUESTION)
    assert purposes(model) == ["draft", "regenerate"]
    assert (answer.text, answer.label, answer.retries) == ("It needs Java 17 [1].", "verified", 1)


async def test_second_faulty_draft_leads_to_the_documents_all_the_same(verdicts: list[str]) -> None:
    verdicts[:] = ["faulty", "faulty", "cited"]
    model = scripted()
    await engine(model).answer(QUESTION)
    assert purposes(model) == ["draft", "draft", "regenerate"]


async def test_faulty_small_talk_reads_no_documents(verdicts: list[str]) -> None:
    verdicts[:] = ["faulty", "faulty", "adequate"]
    model = scripted(draft="Hello!")
    answer = await engine(model).answer(Question("hello"))
    assert purposes(model) == ["draft", "draft", "draft"]
    assert answer.label == "general"
