from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.evaluate import contrast, measurement_setup
from bot.evaluate.contrast import Contrasted, ContrastReport
from bot.evaluate.recording import Recording
from bot.evaluate.rows import LabelledPair
from rag.errors import InputError
from rag.evidence import Gatherer
from rag.knowledge.search import KnowledgeBase
from rag.models.scripted import Script, ScriptedModel
from rag.prompting.library import PromptLibrary
from rag.runs.run import Tools
from rag.settings import Budget, Knowledge, Models, SelfCorrection

PASSAGES = [
    {
        "id": "pier",
        "title": "Pier",
        "text": "The service Pier needs Java 17. Its default port is 8443. Olga Vetrova keeps its schedule.",
    },
    {"id": "leave", "title": "Leave", "text": "Every employee has 31 days of leave a year."},
    {"id": "parking", "title": "Parking", "text": "A parking permit costs 60 euros a year."},
]


def pair(number: int, question: str, right: str, wrong: str, **more: object) -> LabelledPair:
    row = {"id": str(number), "kind": "number", "lang": "en", "passages": ["pier"]}
    return LabelledPair.model_validate({**row, "question": question, "right": right, "wrong": wrong, **more})


PAIRS = [
    pair(1, "Which Java does the service Pier need?", "Java 17", "Java 11"),
    pair(2, "Who keeps the schedule of Pier?", "Olga Vetrova", "Peter Holloway", kind="name"),
]


def tools(base: KnowledgeBase, script: Script, loop: SelfCorrection | None = None) -> Tools:
    return Tools(
        models=ScriptedModel(script),
        corpus=base,
        evidence=Gatherer(base),
        prompts=PromptLibrary(),
        self_correction=loop or SelfCorrection(),
        budget=Budget(),
        model_settings=Models(),
    )


async def contrasted(
    tmp_path: Path,
    pairs: Sequence[LabelledPair],
    script: Script = "never asked",
    *,
    loop: SelfCorrection | None = None,
    use_model: bool = False,
    resume: bool = False,
) -> tuple[Contrasted, ...]:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(map(json.dumps, PASSAGES)), encoding="utf-8")
    async with measurement_setup.indexed([corpus], tmp_path, Knowledge(), Models()) as base:
        with Recording(tmp_path / "contrasted.jsonl", Contrasted, resume=resume) as recording:
            return await contrast.measure(
                pairs, base, tools(base, script, loop), recording, use_model=use_model
            )


async def test_right_and_invented_texts_are_told_apart_in_both_forms_without_a_model(tmp_path: Path) -> None:
    found = await contrasted(tmp_path, PAIRS, {})  # a script without a reply: any call would be an error
    for one in found:
        for form in (one.draft, one.written):
            assert (form.right.label, form.wrong.is_verified) == ("verified", False)
    figures = ContrastReport(found).to_json()
    assert (figures["right_verified"], figures["wrong_verified"]) == (1.0, 0.0)
    assert figures["written"] == {"right_verified": 1.0, "wrong_verified": 0.0}
    assert (figures["decided_free"], figures["calls"], figures["tokens"]) == (1.0, 0, 0)
    assert 0 < figures["ms"]["p50"] <= figures["ms"]["p95"]


async def test_models_that_are_asked_are_counted(tmp_path: Path) -> None:
    judgement = {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9}
    unsure = SelfCorrection(evaluation_threshold=1.0)
    found = await contrasted(
        tmp_path, PAIRS[:1], {"judge": judgement, "read": "Java 17"}, loop=unsure, use_model=True
    )
    figures = ContrastReport(found).to_json()
    assert figures["calls"] >= 2  # both written texts, whose verdicts are less than wholly sure
    assert figures["tokens"] > 100
    assert figures["decided_free"] < 1.0
    # The same without a model: what is not decided is not called verified.
    free = ContrastReport(await contrasted(tmp_path, PAIRS[:1], {}, loop=unsure)).to_json()
    assert (free["calls"], free["written"]["right_verified"]) == (0, 0.0)


async def test_written_text_of_several_sentences_is_read_again_as_one_with_its_markers(
    tmp_path: Path,
) -> None:
    row = pair(
        1,
        "Which Java does the service Pier need?",
        "The service Pier needs Java 17. Its default port is 8443.",
        "The service Pier needs Java 17. Its default port is 9000.",
    )
    (found,) = await contrasted(tmp_path, [row], {"read": "Java 17"}, use_model=True)
    assert (found.written.right.label, found.written.wrong.is_verified) == ("verified", False)
    # Nobody reads it again without a model, and free evidence speaks of single claims.
    (free,) = await contrasted(tmp_path, [row])
    assert (free.written.right.label, free.written.right.verdict.quality) == ("unverified", "adequate")


async def test_stopped_measurement_checks_only_the_pairs_that_are_missing(tmp_path: Path) -> None:
    first = await contrasted(tmp_path, PAIRS[:1])
    found = await contrasted(tmp_path, PAIRS, resume=True)
    assert found[0] == first[0]  # its milliseconds, too: it was read
    assert [one.row.id for one in found] == ["1", "2"]


async def test_pairs_of_another_corpus_are_refused(tmp_path: Path) -> None:
    stranger = pair(1, "Which port?", "8443", "9000", passages=["quay"])
    with pytest.raises(InputError, match="name the passage 'quay', which the corpus does not hold"):
        await contrasted(tmp_path, [stranger])


async def test_pair_without_passages_cites_whatever_the_search_found(tmp_path: Path) -> None:
    row = pair(1, "Which Java does the service Pier need?", "Java 17", "Java 11", passages=[])
    (found,) = await contrasted(tmp_path, [row])
    assert (found.written.right.label, found.written.wrong.is_verified) == ("verified", False)
