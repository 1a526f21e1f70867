"""The evaluation cascade: free checks on the text, free evidence from the corpus, then a judge.

The first two are one step (`evaluate`), the judge is another: it costs a model call, is asked only
when they do not decide, and never without the evidence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rag import checks, evidence
from rag.evidence import citations
from rag.fences import dialogue, number_passages
from rag.knowledge.search import SearchResult
from rag.labels import Candidate
from rag.steps.classify import carried, thread
from rag.steps.run import Outcome, Run
from rag.values import Classification, Draft, Passage, Question, Verdict

_JUDGED_PASSAGES = 3
_JUDGED_TURNS = 4


class Judgement(BaseModel):
    """The judge's reply."""

    model_config = ConfigDict(extra="ignore")

    reason: str = Field(default="", max_length=2000)
    answer_quality: Literal["adequate", "needs_docs", "hallucination", "off_topic"]
    confidence: float = Field(ge=0.0, le=1.0)


async def evaluate(
    run: Run, reading: Classification, draft: Draft, probe: SearchResult | None
) -> Outcome[Candidate]:
    """Judge a text without any model: rules on the text, then evidence from the corpus.

    Args:
        run: The question's run.
        reading: What the message was classified as.
        draft: The text.
        probe: What a search for the question found; None when nothing was searched.
    """
    findings = checks.run(
        draft.text,
        language=reading.language,
        finish_reason=draft.finish_reason,
        asked=run.question.text,
        passage_count=len(draft.passages) or None,
    )
    repaired = replace(draft, text=checks.repair(draft.text, findings) if findings else draft.text)
    flags = tuple(finding.description for finding in findings if finding.severity == "complex")
    candidate = Candidate(repaired, Verdict("unchecked", "not judged", 0.0, "rules"), None, flags=flags)
    if faults := [finding for finding in findings if finding.severity == "critical"]:
        verdict = Verdict("unchecked", faults[0].description, 1.0, "rules")
        return _outcome(replace(candidate, verdict=verdict, is_defective=True))
    if reading.intent == "small_talk":
        return _outcome(
            replace(candidate, verdict=Verdict("adequate", "small talk, and the text is clean", 1.0, "rules"))
        )
    return _outcome(await _compared(run, reading, candidate, probe))


async def _compared(
    run: Run, reading: Classification, candidate: Candidate, probe: SearchResult | None
) -> Candidate:
    """Compare a text with the corpus and the conversation; verify or find its citations."""
    draft = candidate.draft
    # Without passages there is nothing to cite: what stands in brackets is the draft's own.
    cited = citations.CitedText(draft.text, (), ())
    if draft.passages:
        cited = citations.verify(draft.text, draft.passages, reading.language)
    material = await run.tools.evidence.gather(
        _telling(run.question, reading), reading, cited.text, probe.hits if probe else (), draft.passages
    )
    found = evidence.compare(material, cited.text)
    verdict = evidence.decide(found, has_documents=bool(draft.passages))
    if verdict.quality == "adequate" and not cited.citations:
        # Small models forget to cite; a draft of the fast path had nothing to cite yet.
        carrying = draft.passages or (*carried(run.question), *_supporting(probe))
        cited = citations.attach(cited.text, carrying, reading.language)
    return replace(
        candidate,
        draft=replace(draft, text=cited.text),
        verdict=verdict,
        evidence=found,
        citations=cited.citations,
        is_covered=evidence.is_covered(found),
    )


async def covers(run: Run, reading: Classification, probe: SearchResult) -> Outcome[bool]:
    """Find out whether the documents clearly talk about a question, before anything is drafted."""
    material = await run.tools.evidence.gather(run.question, reading, "", probe.hits)
    is_covered = evidence.is_covered(evidence.compare(material, ""))
    return Outcome(is_covered, "the documents cover this" if is_covered else "not a matter of the documents")


async def judge(
    run: Run, reading: Classification, candidate: Candidate, probe: SearchResult | None
) -> Outcome[Candidate]:
    """Ask the judge model, with the passages before it.

    Args:
        run: The question's run.
        reading: What the message was classified as.
        candidate: The text, as the evidence left it.
        probe: What a search for the question found.

    Raises:
        ModelError: the judge gave no usable reply; the caller must not take that for a pass.
        BudgetExhaustedError: the budget allows no call.
    """
    passages = candidate.draft.passages or (_supporting(probe) if candidate.is_covered else ())
    prompt = run.tools.prompts.render(
        "evaluate",
        question=reading.standalone,
        draft=candidate.draft.text,
        passages=number_passages(passages[:_JUDGED_PASSAGES]),
        history=dialogue(run.question.history[-_JUDGED_TURNS:]),
        flags="; ".join(candidate.flags),
    )
    reply, call = await run.ask_typed("judge", "judge", prompt, Judgement)
    verdict = Verdict(reply.answer_quality, reply.reason or "no reason given", reply.confidence, "judge")
    return Outcome(replace(candidate, verdict=verdict), describe(verdict), (call,), prompt.id)


def unchecked(candidate: Candidate, reason: str) -> Candidate:
    """The same text without a verdict: never a pass."""
    return replace(candidate, verdict=Verdict("unchecked", reason, 0.0, "rules"))


def describe(verdict: Verdict) -> str:
    """Return a verdict as one clause for the trail."""
    return (
        f"{verdict.quality.replace('_', ' ')} ({verdict.confidence:.2f}, {verdict.source}): {verdict.reason}"
    )


def _outcome(candidate: Candidate) -> Outcome[Candidate]:
    return Outcome(candidate, describe(candidate.verdict))


def _telling(question: Question, reading: Classification) -> Question:
    """The question with the part of its history that may support an answer.

    Repeating an earlier answer that nothing confirmed makes it no truer; and a follow-up is answered by
    the exchange it leans on, not by another one further up.
    """
    history = thread(question.history) if reading.intent == "follow_up" else question.history
    return replace(question, history=tuple(turn for turn in history if turn.label != "unverified"))


def _supporting(probe: SearchResult | None) -> tuple[Passage, ...]:
    return tuple(hit.passage for hit in probe.hits[:_JUDGED_PASSAGES]) if probe else ()
