"""Evaluate a text: free checks on the text, free evidence from the corpus, then a judge.

The free checks and the evidence form one step (`evaluate`). The judge is a step of its own, because it costs
a model call. It runs only if the free part is undecided, and always sees the passages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rag import checks, evidence
from rag.evidence import citations
from rag.evidence.material import Material
from rag.knowledge.search import SearchResult
from rag.language import detect
from rag.language.markdown import blank
from rag.language.sentences import without_markers
from rag.prompting.library import RenderedPrompt
from rag.prompting.untrusted import dialogue, number_passages
from rag.reasons import Reason
from rag.runs import weighing
from rag.runs.candidates import NOT_JUDGED, Candidate
from rag.runs.run import Outcome, Run
from rag.steps.classify import find_carried_passages, select_thread
from rag.steps.continuation import cut_unfinished
from rag.values import Classification, Draft, Finding, FindingKind, Passage, Question, Verdict

_JUDGED_PASSAGES = 3
_JUDGED_TURNS = 4
_CITED_PASSAGES = 5
_CONTENTLESS_KINDS: frozenset[FindingKind] = frozenset({"empty", "leftover", "thoughts", "citation"})
"""Kinds of faults without content. A text that consists only of such faults has nothing to send."""


class Judgement(BaseModel):
    """The judge's reply."""

    model_config = ConfigDict(extra="ignore")

    reason: str = Field(default="", max_length=2000)
    answer_quality: Literal["adequate", "needs_docs", "hallucination", "off_topic"]
    confidence: float = Field(ge=0.0, le=1.0)


async def evaluate(
    run: Run,
    classification: Classification,
    draft: Draft,
    probe: SearchResult | None,
) -> Outcome[Candidate]:
    """Evaluate a text without a model: rules on the text, then evidence from the corpus."""
    # Run in a thread: the time depends on the text, and other chats must not wait.
    findings, text = await asyncio.to_thread(_run_free_checks, run, classification, draft)
    repaired = replace(draft, text=text)
    candidate = Candidate(
        repaired,
        NOT_JUDGED,
        None,
        flags=tuple(str(finding.description) for finding in findings if finding.severity == "complex"),
        is_mended=repaired.text != draft.text,
    )
    if faults := [finding for finding in findings if finding.severity == "critical"]:
        verdict = Verdict("unchecked", faults[0].description, 1.0, "rules")
        is_cut = all(fault.kind == "truncated" for fault in faults) and cut_unfinished(draft.text)
        return outcome_of(
            replace(
                candidate,
                verdict=verdict,
                is_defective=True,
                is_void=_is_void(draft.text, faults),
                cut=draft.text if is_cut else "",
            )
        )
    if classification.intent == "small_talk":
        return outcome_of(
            replace(candidate, verdict=Verdict("adequate", Reason("verdict-small-talk"), 1.0, "rules"))
        )
    return outcome_of(await _compare(run, classification, candidate, probe))


def _is_void(text: str, faults: Sequence[Finding]) -> bool:
    void = [(fault.start, fault.end) for fault in faults if fault.kind in _CONTENTLESS_KINDS]
    return bool(void) and not checks.says_something(blank(text, void))


def _run_free_checks(
    run: Run, classification: Classification, draft: Draft
) -> tuple[tuple[Finding, ...], str]:
    """Run the free checks. If they are switched off, report only an empty text."""
    if not run.tools.self_correction.free_checks and checks.says_something(draft.text):
        return (), draft.text
    findings = checks.run(
        draft.text,
        language=classification.language,
        finish_reason=draft.finish_reason,
        asked=run.question.text,
        passage_count=len(draft.passages) or None,
        known="" if draft.text.isascii() else _texts_in(draft.passages, classification.language),
    )
    return findings, checks.repair(draft.text, findings)


def _texts_in(passages: Sequence[Passage], language: str) -> str:
    """Return the passages in a language; words copied from other ones still need translation."""
    return "\n".join(one.text for one in passages if detect.detect(one.text, default="") == language)


async def _compare(
    run: Run, classification: Classification, candidate: Candidate, probe: SearchResult | None
) -> Candidate:
    draft = candidate.draft
    # A draft without passages cites nothing: its brackets are its own text.
    cited = citations.CitedText(draft.text, ())
    if draft.passages:
        cited = await asyncio.to_thread(
            citations.verify, draft.text, draft.passages, classification.language, classification.standalone
        )
    material = await run.tools.evidence.gather(
        _keep_supporting_history(run.question, classification),
        classification,
        cited.text,
        probe.hits if probe else (),
        draft.passages,
    )
    return await asyncio.to_thread(_decide, candidate, material, cited, _find_citable(run, draft, probe))


def _decide(
    candidate: Candidate, material: Material, cited: citations.CitedText, citable: Sequence[Passage]
) -> Candidate:
    draft, classification = candidate.draft, material.classification
    found = evidence.compare(material, cited.text)
    verdict = evidence.decide(found, has_documents=bool(draft.passages))
    if verdict.quality == "needs_docs" and cited.citations:
        # A refusal is based on no passage.
        cited = citations.CitedText(without_markers(cited.text), ())
    if verdict.quality == "adequate" and not cited.citations and draft.passages:
        # Small models forget to cite. A draft of the fast path is cited where the verifier reads the same.
        cited = citations.attach(cited.text, citable, classification.language, classification.standalone)
    return replace(
        candidate,
        draft=replace(draft, text=cited.text),
        verdict=verdict,
        evidence=found,
        citations=cited.citations,
        is_covered=evidence.is_covered(found),
    )


async def judge(
    run: Run, classification: Classification, candidate: Candidate, probe: SearchResult | None
) -> Outcome[Candidate]:
    """Ask the judge model, with the passages in the prompt; its failure must not count as a pass."""
    prompt = render_judge_prompt(run, classification, candidate, probe)
    patience = run.tools.self_correction.judge_patience_seconds
    reply, call = await run.ask_typed("judge", prompt, Judgement, patience=patience)
    reason = Reason("judge-said", {"text": reply.reason}) if reply.reason else Reason("judge-silent")
    verdict = Verdict(reply.answer_quality, reason, reply.confidence, "judge")
    return Outcome(replace(candidate, verdict=verdict), describe(verdict), (call,), prompt.id)


def render_judge_prompt(
    run: Run, classification: Classification, candidate: Candidate, probe: SearchResult | None
) -> RenderedPrompt:
    """Render the prompt of the judge; also used to count the cost of a judge call that was not needed."""
    return run.tools.prompts.render(
        "evaluate",
        question=classification.standalone,
        draft=candidate.draft.text,
        passages=number_passages(select_shown_passages(run, candidate, probe)),
        has_documents="yes" if candidate.draft.passages else "",
        history=dialogue(run.question.history[-_JUDGED_TURNS:]),
        summary=run.question.summary,
        flags="; ".join(candidate.flags),
    )


def select_shown_passages(run: Run, candidate: Candidate, probe: SearchResult | None) -> tuple[Passage, ...]:
    """Return the passages that a reviewer, judge or critic sees; ``[n]`` in the text is the n-th of them.

    The cited passages come first, because verified citations are renumbered. All cited passages are included.
    """
    own = candidate.draft.passages
    cited = _select_cited(candidate, _find_citable(run, candidate.draft, probe))
    others = own or (_select_probe_passages(probe) if candidate.is_covered else ())
    chosen = dict.fromkeys((*cited, *others))
    return tuple(chosen)[: max(len(cited), _JUDGED_PASSAGES)]


def make_next_version(candidate: Candidate, text: str) -> Draft:
    """Return another version of an evaluated text as a draft that can be evaluated itself.

    Its ``[n]`` refer to the same passages as in the evaluated text. Markers that code had added are removed,
    and the evaluation adds them again.
    """
    draft = candidate.draft
    if not draft.passages:
        # Models that see numbered passages cite them; brackets that belong to the text itself stay.
        is_marked = bool(candidate.citations) or without_markers(draft.text) == draft.text
        bare = without_markers(text) if is_marked else text
        return replace(draft, text=bare, finish_reason="stop")
    passages = tuple(dict.fromkeys((*_select_cited(candidate, draft.passages), *draft.passages)))
    return replace(draft, text=text, passages=passages, finish_reason="stop")


def choose_action(run: Run, candidate: Candidate, *, is_judged: bool) -> weighing.Action:
    """Return what to do with a verdict, given the threshold of the settings."""
    return weighing.weigh(
        candidate.verdict,
        threshold=run.tools.self_correction.evaluation_threshold,
        is_covered=candidate.is_covered and not candidate.draft.passages,
        is_judged=is_judged,
    )


async def evaluate_with_doubts(
    run: Run, evaluating: Awaitable[Outcome[Candidate]], *, is_judged: bool
) -> Outcome[Candidate]:
    """Run an evaluation and apply `settle` to its outcome."""
    outcome = await evaluating
    candidate = settle(run, outcome.value, is_judged=is_judged)
    return replace(outcome, value=candidate, detail=describe(candidate.verdict))


def settle(run: Run, candidate: Candidate, *, is_judged: bool) -> Candidate:
    """Lower an adequate verdict to ``needs_docs`` below the threshold or without a required citation."""
    action = choose_action(run, candidate, is_judged=is_judged)
    if action == "read_documents":
        doubt = Reason("verdict-unsure", {"reason": candidate.verdict.reason})
    elif action == "accept" and _is_unquotable(run, candidate):
        # The documents cover the question, so an adequate text must have a citation; otherwise read them.
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
    """Return the text with the verdict ``unchecked``, which never counts as a pass."""
    return replace(candidate, verdict=Verdict("unchecked", reason, 0.0, "rules"))


def describe(verdict: Verdict) -> Reason:
    """Return a verdict as a reason for the trace."""
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
    """Return an evaluated text as a step outcome, described by its verdict."""
    return Outcome(candidate, describe(candidate.verdict))


def _keep_supporting_history(question: Question, classification: Classification) -> Question:
    """Return the question with only the turns that can support an answer.

    An unverified answer does not become true by repetition, so it is removed. A follow-up is answered from
    its own thread, not from an earlier exchange.
    """
    history = select_thread(question.history) if classification.intent == "follow_up" else question.history
    summary = question.summary if history == question.history else ""
    told = tuple(turn for turn in history if turn.label != "unverified")
    return replace(question, history=told, summary=summary)


def _find_citable(run: Run, draft: Draft, probe: SearchResult | None) -> tuple[Passage, ...]:
    return draft.passages or (
        *find_carried_passages(run.question),
        *_select_probe_passages(probe, _CITED_PASSAGES),
    )


def find_cited_passages(run: Run, candidate: Candidate, probe: SearchResult | None) -> dict[int, Passage]:
    """Return the passages that an evaluated text cites, by citation number."""
    by_id = {passage.id: passage for passage in _find_citable(run, candidate.draft, probe)}
    return {one.n: by_id[one.passage] for one in candidate.citations if one.passage in by_id}


def _select_cited(candidate: Candidate, passages: Sequence[Passage]) -> list[Passage]:
    by_id = {passage.id: passage for passage in passages}
    return [by_id[citation.passage] for citation in candidate.citations if citation.passage in by_id]


def _select_probe_passages(probe: SearchResult | None, most: int = _JUDGED_PASSAGES) -> tuple[Passage, ...]:
    return tuple(hit.passage for hit in probe.hits[:most]) if probe else ()
