from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.evaluate import measurement_setup, retrieval, rows, verdicts
from bot.evaluate.rows import LabelledDraft, LabelledQuestion
from rag.errors import InputError
from rag.evidence import Gatherer
from rag.evidence.material import Hit, Material
from rag.knowledge.search import KnowledgeBase
from rag.loop import checking
from rag.loop.state import State
from rag.loop.verification import read_passages
from rag.models.scripted import ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.runs.run import Run, Tools
from rag.settings import Budget, Knowledge, Models, SelfCorrection
from rag.steps.classify import classify
from rag.values import Classification, Draft, Passage, Question

HANDBOOKS = Path(__file__).resolve().parents[2] / "bench" / "data" / "verdicts"


def tools(base: KnowledgeBase) -> Tools:
    return Tools(
        models=ScriptedModel({}),
        corpus=base,
        evidence=Gatherer(base),
        prompts=PromptLibrary(),
        self_correction=SelfCorrection(),
        budget=Budget(),
        model_settings=Models(),
    )


async def test_drafts_are_judged_without_a_model(tmp_path: Path) -> None:
    folder = HANDBOOKS / "ru"
    drafts = rows.read(folder / "verdicts.jsonl", LabelledDraft).rows[::10]
    async with measurement_setup.indexed([folder / "corpus.jsonl"], tmp_path, Knowledge(), Models()) as base:
        own = tools(base)
        judged = [await verdicts.judge_row(row, base, own, use_model=False) for row in drafts]
    figures = verdicts.VerdictReport(tuple(judged)).to_json()
    assert figures["accuracy"] >= 0.75  # bench/quality.py measures all of them
    assert figures["tokens"] == 0
    assert all(one.evidence is not None for one in judged if one.row.kind == "doc_right")


async def test_verdict_on_a_draft_is_what_the_loop_would_do_with_it(tmp_path: Path) -> None:
    folder = HANDBOOKS / "zh"
    drafts = rows.read(folder / "verdicts.jsonl", LabelledDraft).rows[::6]
    async with measurement_setup.indexed([folder / "corpus.jsonl"], tmp_path, Knowledge(), Models()) as base:
        own = replace(tools(base), self_correction=SelfCorrection(judge=False))
        said, done = [], []
        for row in drafts:
            judged = await verdicts.judge_row(row, base, own, use_model=False)
            run = Run(row.asked(), own)
            state = State(classify(run.question))
            if state.classification.intent != "small_talk":
                state.probe = await base.search(state.classification.queries)
                await read_passages(run, state, [hit.passage for hit in state.probe.hits])
            candidate = await checking.check_text(run, state, Draft(row.draft))
            said.append(judged.said)
            done.append(
                "undecided" if candidate.verdict.quality == "unchecked" else candidate.verdict.quality
            )
    assert said == done
    assert len(set(said)) >= 4  # every next step is among them


class Watched(Gatherer):
    """Notes what is embedded when."""

    def __init__(self, corpus: KnowledgeBase) -> None:
        super().__init__(corpus)
        self.steps: list[str] = []

    async def prepare(self, classification: Classification) -> None:
        self.steps.append("prepare")
        await super().prepare(classification)

    async def gather(
        self,
        question: Question,
        classification: Classification,
        draft: str,
        hits: Sequence[Hit],
        shown: Sequence[Passage] = (),
    ) -> Material:
        self.steps.append("gather")
        return await super().gather(question, classification, draft, hits, shown)


async def test_known_texts_of_a_language_are_embedded_before_a_verdict_is_timed(tmp_path: Path) -> None:
    folder = HANDBOOKS / "es"
    drafts = [
        row for row in rows.read(folder / "verdicts.jsonl", LabelledDraft).rows if row.kind == "doc_wrong"
    ]
    async with measurement_setup.indexed([folder / "corpus.jsonl"], tmp_path, Knowledge(), Models()) as base:
        watched = Watched(base)
        await verdicts.judge_row(drafts[0], base, replace(tools(base), evidence=watched), use_model=False)
    assert watched.steps == ["prepare", "gather"]


async def test_retrieval_is_measured_for_words_vectors_and_fusion(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    passages = [
        {"id": "pier", "title": "Pier", "text": "The service Pier listens on port 8443."},
        {"id": "leave", "title": "Leave", "text": "Every employee has 31 days of leave a year."},
        {"id": "parking", "title": "Parking", "text": "A parking permit costs 60 euros."},
    ]
    corpus.write_text("\n".join(json.dumps(passage) for passage in passages), encoding="utf-8")
    history = [
        {"role": "user", "text": "Which port does Pier listen on?"},
        {"role": "assistant", "text": "8443."},
    ]
    questions = [
        {"id": "1", "question": "How many days of leave does an employee have?", "passages": ["leave"]},
        {"id": "2", "question": "What does a parking permit cost?", "answers": ["60 euros"]},
        {"id": "3", "question": "And why that one?", "history": history, "passages": ["pier"]},
        {"id": "4", "question": "Who founded Rome?", "kind": "unanswerable", "answers": ["Romulus"]},
    ]
    data = tmp_path / "questions.jsonl"
    data.write_text("\n".join(json.dumps(question) for question in questions), encoding="utf-8")
    useful = filter(retrieval.has_gold, rows.read(data, LabelledQuestion).rows)
    async with measurement_setup.indexed([corpus], tmp_path, Knowledge(), Models()) as base:
        searched = [await retrieval.search_row(row, base) for row in useful]

    figures = retrieval.RetrievalReport(tuple(searched), without_gold=1).to_json()
    assert (figures["rows"], figures["without_gold"]) == (3, 1)
    assert figures["recall"]["fusion"]["5"] == 1.0
    assert figures["recall"]["words"]["1"] == pytest.approx(2 / 3, abs=1e-3)  # nothing to go by in the third
    assert figures["with_history"]["recall"]["words"]["1"] == 1.0
    assert figures["with_history"]["without_it"]["rows"] == 1


async def test_measurement_needs_a_corpus_with_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give --corpus"):
        async with measurement_setup.indexed([], tmp_path, Knowledge(), Models()):
            pass
    empty = tmp_path / "corpus"
    empty.mkdir()
    with pytest.raises(InputError, match="holds no text"):
        async with measurement_setup.indexed([empty], tmp_path, Knowledge(), Models()):
            pass
