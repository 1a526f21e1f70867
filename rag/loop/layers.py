"""Which layers check an answer: what its mode asks for and the settings allow."""

from __future__ import annotations

from dataclasses import dataclass

from rag.settings import Critique, Review, SelfCorrection
from rag.values import Mode


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers that cost a model call; evidence always works.

    Args:
        judge: A judge decides what rules and evidence leave open.
        reading: The cited passage is read a second time before an answer is called verified.
        reviewer: A reviewer reads the text before it is judged.
        critic: A critic scores, and refines, an answer that would not go out as verified.
    """

    judge: bool
    reading: bool
    reviewer: bool
    critic: bool


def layers(mode: Mode, self_correction: SelfCorrection, review: Review, critique: Critique) -> Layers:
    """Return the layers of a question.

    Args:
        mode: The mode of the question.
        self_correction: ``enabled`` switches off all layers, ``judge`` and ``second_reading`` those.
        review: ``enabled`` switches off the reviewer.
        critique: ``enabled`` switches off the critic.
    """
    is_on = self_correction.enabled
    is_careful = is_on and mode == "careful"
    return Layers(
        judge=is_on and mode != "quick" and self_correction.judge,
        reading=is_on and mode != "quick" and self_correction.second_reading != "never",
        reviewer=is_careful and review.enabled,
        critic=is_careful and critique.enabled,
    )
