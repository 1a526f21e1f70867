"""The evaluation cascade: free checks on the text, free evidence from the corpus, then a judge.

The first two are one step (`evaluate`), the judge is another: it costs a model call, is asked only
when they do not decide, and never without the evidence.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rag import checks, evidence
from rag.checks import parroting
from rag.evidence import citations
from rag.knowledge.search import SearchResult
from rag.language import detect
from rag.language.markdown import blank
from rag.language.sentences import without_markers
from rag.loop import routing
from rag.loop.candidates import NOT_JUDGED, Candidate
from rag.loop.run import Outcome, Run
from rag.prompting.library import RenderedPrompt
from rag.prompting.untrusted import dialogue, number_passages
from rag.reasons import Reason
from rag.steps.classify import carried, thread
from rag.steps.continuation import kept
from rag.values import Classification, Draft, Finding, Passage, Question, Verdict

_JUDGED_PASSAGES = 3
_JUDGED_TURNS = 4
_CITED_PASSAGES = 5
_VOID = frozenset({"empty", "leftover", "thoughts", "citation"})
"""Kinds of faults that say nothing: a text that is nothing else is void."""


class Judgement(BaseModel):
    """The judge's reply."""

    model_config = ConfigDict(extra="ignore")

    reason: str = Field(default="", max_length=2000)
    answer_quality: Literal["adequate", "needs_docs", "hallucination", "off_topic"]
    confidence: float = Field(ge=0.0, le=1.0)


async def evaluate(
    run: Run,
    reading: Classification,
    draft: Draft,
    probe: SearchResult | None,
    told: Sequence[Verdict] = (),
) -> Outcome[Candidate]:
    """Judge a text without any model: rules on the text, then evidence from the corpus.

    Args:
        run: The question's run.
        reading: What the message was classified as.
        draft: The text.
        probe: What a search for the question found; None when nothing was searched.
        told: The verdicts on the texts before it, which its writer may have been told.
    """
    findings = _findings(run, reading, draft, told)
    repaired = replace(draft, text=checks.repair(draft.text, findings) if findings else draft.text)
    candidate = Candidate(
        repaired,
        NOT_JUDGED,
        None,
        flags=tuple(str(finding.description) for finding in findings if finding.is_told),
        is_mended=repaired.text != draft.text,
    )
    if faults := [finding for finding in findings if finding.severity == "critical"]:
        verdict = Verdict("unchecked", faults[0].description, 1.0, "rules")
        is_cut = all(fault.kind == "truncated" for fault in faults) and kept(draft.text)
        return outcome_of(
            replace(
                candidate,
                verdict=verdict,
                is_defective=True,
                is_void=_is_void(draft.text, faults),
                cut=draft.text if is_cut else "",
            )
        )
    if reading.intent == "small_talk":
        return outcome_of(
            replace(candidate, verdict=Verdict("adequate", Reason("verdict-small-talk"), 1.0, "rules"))
        )
    return outcome_of(await _compared(run, reading, candidate, probe))


def _is_void(text: str, faults: Sequence[Finding]) -> bool:
    """Whether nothing is said beside the faults."""
    void = [(fault.start, fault.end) for fault in faults if fault.kind in _VOID]
    return bool(void) and not checks.says_something(blank(text, void))


def _findings(
    run: Run, reading: Classification, draft: Draft, told: Sequence[Verdict]
) -> tuple[Finding, ...]:
    """What the free checks find; where they are switched off, only that there is no text at all."""
    if not run.tools.self_correction.free_checks and checks.says_something(draft.text):
        return ()
    said = (run.question.text, run.question.summary, *(turn.text for turn in run.question.history))
    known = "\n".join((*said, *(passage.text for passage in draft.passages)))
    if parroted := parroting.find(draft.text, told, known):
        return (parroted,)
    return checks.run(
        draft.text,
        language=reading.language,
        finish_reason=draft.finish_reason,
        asked=run.question.text,
        passage_count=len(draft.passages) or None,
        known="" if draft.text.isascii() else _copied_from(draft.passages, reading.language),
    )


def _copied_from(passages: Sequence[Passage], language: str) -> str:
    """The passages in a language: what is copied from another one still has to be translated."""
    return "\n".join(one.text for one in passages if detect.detect(one.text, default="") == language)


async def _compared(
    run: Run, reading: Classification, candidate: Candidate, probe: SearchResult | None
) -> Candidate:
    """Compare a text with the corpus and the conversation; verify or find its citations."""
    draft = candidate.draft
    # Without passages there is nothing to cite: what stands in brackets is the draft's own.
    cited = citations.CitedText(draft.text, ())
    if draft.passages:
        cited = citations.verify(draft.text, draft.passages, reading.language, reading.standalone)
    material = await run.tools.evidence.gather(
        _telling(run.question, reading), reading, cited.text, probe.hits if probe else (), draft.passages
    )
    found = evidence.compare(material, cited.text)
    verdict = evidence.decide(found, has_documents=bool(draft.passages))
    if verdict.quality == "needs_docs" and cited.citations:
        # A text that declines rests on no passage.
        cited = citations.CitedText(without_markers(cited.text), ())
    if verdict.quality == "adequate" and not cited.citations:
        # Small models forget to cite; a draft of the fast path had nothing to cite yet.
        citable = _citable(run, draft, probe)
        cited = citations.attach(cited.text, citable, reading.language, reading.standalone)
    return replace(
        candidate,
        draft=replace(draft, text=cited.text),
        verdict=verdict,
        evidence=found,
        citations=cited.citations,
        is_covered=evidence.is_covered(found),
        is_answering=evidence.is_answering(found),
        is_unambiguous=evidence.is_unambiguous(found),
    )


async def covers(run: Run, reading: Classification, probe: SearchResult) -> Outcome[bool]:
    """Find out whether the documents clearly talk about a question, before anything is drafted."""
    material = await run.tools.evidence.gather(run.question, reading, "", probe.hits)
    is_covered = evidence.is_covered(evidence.compare(material, ""))
    return Outcome(is_covered, Reason("documents-cover" if is_covered else "documents-do-not-cover"))


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
        ModelError: the judge gave no usable reply, or was too slow; the caller must not take that for a pass.
        BudgetExhaustedError: the budget allows no call.
    """
    prompt = judge_prompt(run, reading, candidate, probe)
    patience = run.tools.self_correction.judge_patience_seconds
    reply, call = await run.ask_typed("judge", prompt, Judgement, patience=patience)
    reason = Reason("judge-said", {"text": reply.reason}) if reply.reason else Reason("judge-silent")
    verdict = Verdict(reply.answer_quality, reason, reply.confidence, "judge")
    return Outcome(replace(candidate, verdict=verdict), describe(verdict), (call,), prompt.id)


def judge_prompt(
    run: Run, reading: Classification, candidate: Candidate, probe: SearchResult | None
) -> RenderedPrompt:
    """What the judge is asked, or would have been asked, about a text."""
    return run.tools.prompts.render(
        "evaluate",
        question=reading.standalone,
        draft=candidate.draft.text,
        passages=number_passages(shown_passages(run, candidate, probe)),
        history=dialogue(run.question.history[-_JUDGED_TURNS:]),
        summary=run.question.summary,
        flags="; ".join(candidate.flags),
    )


def shown_passages(run: Run, candidate: Candidate, probe: SearchResult | None) -> tuple[Passage, ...]:
    """The passages that a reader of an evaluated text is shown; ``[n]`` in the text is the n-th of them.

    The cited ones come first, because verified citations are numbered anew; there are at least as many
    as are cited.
    """
    own = candidate.draft.passages
    cited = _cited(candidate, _citable(run, candidate.draft, probe))
    others = own or (_supporting(probe) if candidate.is_covered else ())
    chosen = dict.fromkeys((*cited, *others))
    return tuple(chosen)[: max(len(cited), _JUDGED_PASSAGES)]


def again(candidate: Candidate, text: str) -> Draft:
    """Another version of an evaluated text, made ready to be evaluated itself.

    Its ``[n]`` count as the evaluated text's do. Where those were put in by code, code does it again.
    """
    draft = candidate.draft
    if not draft.passages:
        # A model that is shown numbered passages points to them; brackets of the text's own stay.
        is_marked = bool(candidate.citations) or without_markers(draft.text) == draft.text
        bare = without_markers(text) if is_marked else text
        return replace(draft, text=bare, finish_reason="stop")
    passages = tuple(dict.fromkeys((*_cited(candidate, draft.passages), *draft.passages)))
    return replace(draft, text=text, passages=passages, finish_reason="stop")


def weighed(run: Run, candidate: Candidate, *, is_judged: bool) -> routing.Action:
    """What a verdict is worth against the threshold."""
    return routing.weigh(
        candidate.verdict,
        threshold=run.tools.self_correction.evaluation_threshold,
        is_covered=candidate.is_covered and not candidate.draft.passages,
        is_judged=is_judged,
    )


async def settled(
    run: Run, evaluating: Awaitable[Outcome[Candidate]], *, is_judged: bool
) -> Outcome[Candidate]:
    """The outcome of an evaluation with the doubts that the threshold and missing citations put on it.

    Args:
        run: The question's run.
        evaluating: `evaluate` or `judge` at work.
        is_judged: It is the judge.
    """
    outcome = await evaluating
    candidate = settle(run, outcome.value, is_judged=is_judged)
    return replace(outcome, value=candidate, detail=describe(candidate.verdict))


def settle(run: Run, candidate: Candidate, *, is_judged: bool) -> Candidate:
    """An evaluated text with the doubts of `settled` in its verdict."""
    action = weighed(run, candidate, is_judged=is_judged)
    if action == "read_documents":
        doubt = Reason("verdict-unsure", {"reason": candidate.verdict.reason})
    elif action == "accept" and _is_unquotable(run, candidate):
        # "Adequate" on a matter of the documents must be shown there: otherwise they are read.
        doubt = Reason("verdict-unquotable")
    else:
        return candidate
    return replace(candidate, verdict=replace(candidate.verdict, quality="needs_docs", reason=doubt))


def _is_unquotable(run: Run, candidate: Candidate) -> bool:
    return (
        candidate.verdict.quality == "adequate"
        and candidate.verdict.source == "evidence"
        and candidate.is_covered
        and not candidate.draft.passages
        and not candidate.citations
        and not (candidate.evidence and evidence.is_repeated(candidate.evidence))
        and not run.tools.corpus.is_empty
    )


def unchecked(candidate: Candidate, reason: Reason) -> Candidate:
    """The same text without a verdict: never a pass."""
    return replace(candidate, verdict=Verdict("unchecked", reason, 0.0, "rules"))


def describe(verdict: Verdict) -> Reason:
    """Return a verdict as the trail says it."""
    return Reason(
        "verdict",
        {
            "quality": verdict.quality,
            "confidence": round(verdict.confidence * 100),
            "source": verdict.source,
            "reason": verdict.reason,
        },
    )


def outcome_of(candidate: Candidate) -> Outcome[Candidate]:
    """A text with its verdict as the trail says it."""
    return Outcome(candidate, describe(candidate.verdict))


def _telling(question: Question, reading: Classification) -> Question:
    """The question with the part of its conversation that may support an answer.

    Repeating an earlier answer that nothing confirmed makes it no truer; and a follow-up is answered by
    the exchange it leans on, not by another one further up.
    """
    history = thread(question.history) if reading.intent == "follow_up" else question.history
    summary = question.summary if history == question.history else ""
    told = tuple(turn for turn in history if turn.label != "unverified")
    return replace(question, history=told, summary=summary)


def _citable(run: Run, draft: Draft, probe: SearchResult | None) -> tuple[Passage, ...]:
    """What a text may cite: the passages it was written from, else those near the question."""
    return draft.passages or (*carried(run.question), *_supporting(probe, _CITED_PASSAGES))


def cited_passages(run: Run, candidate: Candidate, probe: SearchResult | None) -> dict[int, Passage]:
    """The passages behind the citations of an evaluated text, by number of the citation."""
    by_id = {passage.id: passage for passage in _citable(run, candidate.draft, probe)}
    return {one.n: by_id[one.passage] for one in candidate.citations if one.passage in by_id}


def _cited(candidate: Candidate, passages: Sequence[Passage]) -> list[Passage]:
    """Those of `passages` that a text cites, in the order of its citations."""
    by_id = {passage.id: passage for passage in passages}
    return [by_id[citation.passage] for citation in candidate.citations if citation.passage in by_id]


def _supporting(probe: SearchResult | None, most: int = _JUDGED_PASSAGES) -> tuple[Passage, ...]:
    return tuple(hit.passage for hit in probe.hits[:most]) if probe else ()
