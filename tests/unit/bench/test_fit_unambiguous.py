"""The condition is fitted on pairs, and judged on passages that it was not fitted on."""

from __future__ import annotations

from dataclasses import replace

from bench import fit_unambiguous
from bench.fit_unambiguous import Example
from bot.evaluate.ablation import SIGNALS, UNWEIGHED
from rag.evidence import scoring
from rag.evidence.scoring import Weights
from rag.values import Evidence, Objection

EVERYTHING = UNWEIGHED.union(*SIGNALS.values())


def example(part: int, *, is_right: bool, objections: tuple[Objection, ...] = ()) -> Example:
    measured = {**dict.fromkeys(EVERYTHING, 0.0), "dated": 1.0, "timely": 1.0}
    found = Evidence(
        0.0, 0.0, signals={**measured, "slot_near": 0.7 * is_right + part / 160}, objections=objections
    )
    return Example("en", f"passage {part}", "bare", is_right, is_carried=True, found=found)


def pairs(*objections: Objection) -> list[Example]:
    return [
        example(part, is_right=is_right, objections=objections)
        for part in range(40)
        for is_right in (True, False)
    ]


def test_right_answers_pass_and_wrong_neighbours_do_not() -> None:
    examples = pairs()
    passed = fit_unambiguous.halves(examples)
    wrong = [bool(one) for example, one in zip(examples, passed, strict=True) if not example.is_right]
    assert passed.sum() - sum(wrong) == len(wrong)
    assert sum(wrong) <= 0.2 * len(wrong)


def test_nothing_passes_that_an_objection_speaks_against() -> None:
    weights = fit_unambiguous.fit(pairs())
    assert not fit_unambiguous.passing(pairs(Objection("order")), weights).any()


def test_weights_have_every_feature_and_a_threshold_for_each_language() -> None:
    examples = [*pairs(), *(replace(one, set="ru") for one in pairs() if not one.is_right)]
    fitted = fit_unambiguous.fit(examples)
    assert set(fitted) == {*scoring.FEATURES["unambiguous"], "bias", "bias en", "bias ru"}


def test_language_in_which_no_wrong_answer_can_pass_lets_not_everything_pass() -> None:
    russian = [replace(one, set="ru") for one in pairs(Objection("order"))]
    fitted = fit_unambiguous.fit([*pairs(), *russian])
    clear = [replace(one, set="ru") for one in pairs()]
    passed = fit_unambiguous.passing(clear, fitted)
    assert 0 < passed.sum() < len(clear)


def test_language_without_a_threshold_of_its_own_has_the_general_one() -> None:
    measured = dict.fromkeys(EVERYTHING, 0.0)
    weights: Weights = {
        "supported": {},
        "off_topic": {},
        "common": {},
        "unambiguous": {**dict.fromkeys(scoring.FEATURES["unambiguous"], 0.0), "bias": -1.0, "bias ru": 1.0},
    }
    told = [scoring.probability("unambiguous", measured, weights, language=code) for code in ("ru", "ko", "")]
    assert told[0] > 0.5 > told[1] == told[2]
