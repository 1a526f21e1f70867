"""The effect of a layer is what the reader gets with it against what he gets without it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import judging, layer_effects
from bench.layer_effects import Effect, Layer, Text
from bench.recorded_model import NotRecordedError, Records
from rag.models.scripted import ScriptedModel
from tests.support.loop import MemoryCorpus

RIGHT = "The metal that is liquid at room temperature is mercury, as any school book says."
WRONG = "The metal that is liquid at room temperature is iron, as any school book says."
GOOD = {"accuracy": 0.9, "helpfulness": 0.9, "completeness": 0.9}
BAD = {"accuracy": 0.2, "helpfulness": 0.2, "completeness": 0.2, "issues": ["it is another metal"]}


CORPUS = MemoryCorpus(())


def text(said: str, **more: Any) -> Text:
    row = {"id": "1", "set": "everyday", "kind": "general", "lang": "en", "answers": ["mercury"]}
    return Text.model_validate(
        {**row, "question": "Which metal is liquid at room temperature?", "text": said, **more}
    )


def model(**replies: Any) -> ScriptedModel:
    scripts = {
        "critique": [BAD, GOOD],
        "refine": {"answer": RIGHT},
        "review": {"status": "pass"},
        "judge": {"answer_quality": "adequate", "reason": "common knowledge", "confidence": 0.9},
        **replies,
    }
    return ScriptedModel(scripts)


async def effect(said: Text, layer: Layer, **replies: Any) -> Effect | None:
    return await layer_effects.effect(said, layer, CORPUS, Records(), model(**replies))


async def measured(said: str, layer: Layer, **replies: Any) -> Effect:
    found = await effect(text(said), layer, **replies)
    assert found is not None
    return found


async def test_refinement_that_gives_the_gold_answer_is_for_the_better() -> None:
    found = await measured(WRONG, "critic")
    assert (found.before.text, found.after.text, found.step) == (WRONG, RIGHT, 2)
    assert (found.is_asked, found.is_changed) == (True, True)
    assert found.scores == pytest.approx((0.2, 0.9))
    assert found.added.calls == 3


async def test_refinement_that_loses_the_gold_answer_is_for_the_worse() -> None:
    found = await measured(RIGHT, "critic", refine={"answer": WRONG})
    assert found.step == -2
    assert found.would_be == (-2,)


async def test_version_that_is_refused_counts_as_proposed_and_not_as_a_change() -> None:
    found = await measured(WRONG, "critic", critique=[BAD, {**BAD, "accuracy": 0.0}])
    assert (found.would_be, found.is_changed, found.step) == ((2,), False, 0)


async def test_repair_of_the_reviewer_is_compared_by_the_product() -> None:
    patch = {"status": "fixed", "patched_answer": WRONG, "issues": [{"type": "hygiene"}]}
    found = await measured(RIGHT, "reviewer", review=patch)
    assert (found.would_be, found.is_changed) == ((-2,), False)
    assert found.added.calls == 1


async def test_layer_that_cannot_be_read_was_not_asked() -> None:
    found = await measured(WRONG, "critic", critique=["no JSON"])
    assert not found.is_asked
    assert not found.is_changed


async def test_text_that_was_cut_off_is_no_matter_of_a_layer() -> None:
    assert await effect(text(WRONG, finish_reason="length"), "reviewer") is None


async def test_replies_that_were_recorded_give_the_same_effect_without_a_model(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    corpus = CORPUS
    unknown = text("The metal that is liquid at room temperature is one that nobody has criticised.")
    await layer_effects.effect(text(WRONG), "critic", corpus, Records(path), model())

    found, missing = await layer_effects.effects([text(WRONG), unknown], "critic", corpus, Records(path))

    assert [one.after.text for one in found] == [RIGHT]
    assert missing == 1
    with pytest.raises(NotRecordedError):
        await layer_effects.effect(unknown, "critic", corpus, Records(path))


async def test_figures_tell_what_was_changed_and_what_was_held_back() -> None:
    effects = [
        await measured(WRONG, "critic"),
        await measured(RIGHT, "critic", critique=[GOOD]),
        await measured(WRONG, "critic", critique=[BAD, {**BAD, "accuracy": 0.0}]),
    ]
    found = judging.layer_figures(effects)
    assert (found["texts"], found["changed"], found["better"], found["worse"]) == (3, 1, 1, 0)
    assert (found["proposed"], found["proposed_better"], found["proposed_worse"]) == (2, 2, 0)
    assert found["grades"] == {"wrong": 2, "right": 1}
    assert found["worse_bound"] == pytest.approx(1 - 0.05 ** (1 / 3), abs=1e-4)
    assert found["calls"] == pytest.approx((3 + 1 + 3) / 3, abs=0.01)


async def test_threshold_is_laid_out_by_the_first_score_of_each_text() -> None:
    effects = [await measured(WRONG, "critic"), await measured(RIGHT, "critic", critique=[GOOD])]
    found = judging.threshold(effects)
    at = {choice["threshold"]: choice for choice in found["choices"]}
    assert found["cases"] == {"scored answers": 2}
    assert (at[0.75]["accepted"], at[0.75]["wrong"], at[0.75]["lost"]) == (0.5, 0.0, 0.0)


async def test_short_texts_are_out_of_the_critics_reach() -> None:
    short = await measured("Mercury.", "critic", critique=[GOOD])
    long = await measured(RIGHT, "critic", critique=[GOOD])
    assert judging.within_reach([short, long]) == [long]


def test_recorded_texts_are_read_with_what_they_were_written_from(tmp_path: Path) -> None:
    row = {"id": "1", "set": "handbooks", "question": "Which Java?", "text": "Java 17 [1]."}
    drafted = Text.model_validate_json(json.dumps(row))
    written = Text.model_validate({**row, "shown": ["ru-01"]})
    assert (drafted.given[0], written.given[0]) == ("draft", "regenerate")
