"""The groups of signals are those of the evidence: a new signal has to be put into one, or named as not weighed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.evaluate.ablation import SIGNALS, UNWEIGHED
from rag import evidence
from rag.evidence import Material
from rag.evidence.scoring import FEATURES
from rag.steps.classify import classify
from rag.values import Question

GROUPED = [name for group in SIGNALS.values() for name in group]
WEIGHED = {factor.lstrip("!") for names in FEATURES.values() for name in names for factor in name.split("*")}


def rarity(terms: Iterable[str]) -> Mapping[str, float]:
    return dict.fromkeys(terms, 0.5)


def test_every_signal_is_in_a_group_or_named_as_not_weighed() -> None:
    question = "Which Java does Pier need?"
    material = Material(question, classify(Question(question)), (), (), None, None, rarity, None, ())
    measured = evidence.compare(material, "Pier needs Java 17.").signals
    assert sorted([*GROUPED, *UNWEIGHED]) == sorted(measured)


def test_signals_are_grouped_exactly_when_they_have_a_weight() -> None:
    assert sorted(GROUPED) == sorted(WEIGHED)
