from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.evaluate import contrast, measurement_setup
from bot.evaluate.contrast import Contrasted, ContrastReport
from bot.evaluate.recording import Recording
from bot.evaluate.rows import LabelledPair
from rag.engine import AnswerEngine
from rag.errors import InputError, ModelUnavailableError
from rag.models.scripted import Script, ScriptedModel
from rag.settings import Knowledge, Models

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


async def contrasted(
    tmp_path: Path,
    pairs: Sequence[LabelledPair],
    script: Script | None = None,
    *,
    verifier: str = "bundled",
    resume: bool = False,
) -> tuple[Contrasted, ...]:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(map(json.dumps, PASSAGES)), encoding="utf-8")
    models = Models(verifier=verifier)
    async with measurement_setup.indexed([corpus], tmp_path, Knowledge(), models) as base:
        with Recording(tmp_path / "contrasted.jsonl", Contrasted, resume=resume) as recording:
            tools = AnswerEngine(ScriptedModel(script or {}), base, model_settings=models).tools
            return await contrast.measure(pairs, base, tools, recording)


async def test_right_and_invented_texts_are_told_apart_without_a_model(tmp_path: Path) -> None:
    found = await contrasted(tmp_path, PAIRS)  # a script without a reply: any call would be an error
    for one in found:
        assert one.right.score > one.wrong.score
        assert one.wrong.is_vetoed  # neither figure nor name stands in the passage
    figures = ContrastReport(found).to_json()
    assert (figures["wrong_verified"], figures["right_at_wrong"]["0.02"]) == (0.0, 1.0)
    assert (figures["calls"], figures["tokens"]) == (0, 0)
    assert 0 < figures["ms"]["p50"] <= figures["ms"]["p95"]


async def test_chat_model_that_reads_is_counted(tmp_path: Path) -> None:
    found = await contrasted(tmp_path, PAIRS[:1], {"read": "Java 17"}, verifier="chat")
    assert (found[0].right.is_verified, found[0].wrong.is_verified) == (True, False)
    assert (found[0].calls, found[0].tokens > 50) == (1, True)  # both texts ask for the same reading


async def test_verifier_that_is_down_makes_no_figures(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError):
        await contrasted(tmp_path, PAIRS[:1], ModelUnavailableError(), verifier="chat")


async def test_stopped_measurement_checks_only_the_pairs_that_are_missing(tmp_path: Path) -> None:
    first = await contrasted(tmp_path, PAIRS[:1])
    found = await contrasted(tmp_path, PAIRS, resume=True)
    assert found[0] == first[0]  # its milliseconds, too: it was read
    assert [one.row.id for one in found] == ["1", "2"]


async def test_pairs_of_another_corpus_are_refused(tmp_path: Path) -> None:
    stranger = pair(1, "Which port?", "8443", "9000", passages=["quay"])
    with pytest.raises(InputError, match="name the passage 'quay', which the corpus does not hold"):
        await contrasted(tmp_path, [stranger])


async def test_pair_without_passages_is_checked_against_what_the_search_found(tmp_path: Path) -> None:
    row = pair(1, "Which Java does the service Pier need?", "Java 17", "Java 11", passages=[])
    (found,) = await contrasted(tmp_path, [row])
    assert found.right.score > found.wrong.score
