from __future__ import annotations

from dataclasses import replace

import pytest

from rag.runs.layers import Layers, select_layers
from rag.settings import Critique, Models, Review, SelfCorrection
from rag.values import MODES, Mode
from tests.support.loop import QUESTION, engine, scripted

LARGE = Models(default="openai:large")


@pytest.mark.parametrize(("mode", "is_asked"), [("quick", False), ("balanced", True), ("careful", True)])
@pytest.mark.parametrize("verifier", ["chat", "systemone:small"])
def test_verifier_that_costs_a_call_reads_in_every_mode_but_quick(
    verifier: str, mode: Mode, *, is_asked: bool
) -> None:
    models = LARGE.model_copy(update={"verifier": verifier})
    assert select_layers(mode, SelfCorrection(), Review(), Critique(), models).reading is is_asked


def test_switched_off_correction_switches_off_all_layers() -> None:
    off = select_layers("careful", SelfCorrection(enabled=False), Review(), Critique(), LARGE)
    assert off == Layers(judge=False, reading=False, reviewer=False, critic=False)


@pytest.mark.parametrize(
    ("models", "critique", "is_asked"),
    [
        pytest.param(Models(), Critique(), False, id="embedded on its own text"),
        pytest.param(Models(), Critique(embedded=True), True, id="embedded on its own text, as asked for"),
        pytest.param(Models(critic="openai:large"), Critique(), True, id="another critic"),
        pytest.param(Models(writer="openai:large"), Critique(), True, id="another writer"),
        pytest.param(LARGE, Critique(), True, id="a large model on its own text"),
    ],
)
def test_embedded_model_does_not_criticise_what_it_wrote_itself(
    models: Models, critique: Critique, *, is_asked: bool
) -> None:
    assert select_layers("careful", SelfCorrection(), Review(), critique, models).critic is is_asked


@pytest.mark.parametrize("mode", MODES)
async def test_free_checks_are_switched_off_by_one_setting(mode: Mode) -> None:
    said = "You are welcome, and come back.</answer>"
    thanks = replace(QUESTION, text="thanks!", mode=mode)
    assert (await engine(scripted(draft=said)).answer(thanks)).text == "You are welcome, and come back."
    without = await engine(scripted(draft=said), free_checks=False).answer(thanks)
    assert (without.text, without.label) == (said, "general")


async def test_empty_text_is_no_answer_even_without_free_checks() -> None:
    model = scripted(draft=["…", "You are welcome."])
    answer = await engine(model, free_checks=False).answer(replace(QUESTION, text="thanks!"))
    assert answer.text == "You are welcome."
