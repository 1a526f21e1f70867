"""Select the layers that check an answer, from its mode and the settings."""

from __future__ import annotations

from dataclasses import dataclass

from rag.settings import BUNDLED, EMBEDDED, Critique, Models, Review, SelfCorrection
from rag.values import Mode


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers that cost a model call; the evidence is always active.

    Args:
        judge: A judge decides what the free layers leave open.
        reading: The verifier reads; the bundled one costs no call, so it reads in every mode.
        critic: A critic scores, and a refiner improves, an answer that would not be labelled verified.
    """

    judge: bool
    reading: bool
    reviewer: bool
    critic: bool


def select_layers(
    mode: Mode, self_correction: SelfCorrection, review: Review, critique: Critique, models: Models
) -> Layers:
    """Return the layers of a question.

    Args:
        self_correction: ``enabled`` switches off all layers; ``judge`` only that one.
        review: ``enabled`` switches off the reviewer.
        critique: ``enabled`` switches off the critic; ``embedded`` lets the embedded model criticise itself.
        models: The verifier, and the models of the critic and of the writer, which refines.
    """
    is_small_on_its_own = models.named("critic") == models.named("writer") == EMBEDDED
    is_on = self_correction.enabled
    is_careful = is_on and mode == "careful"
    return Layers(
        judge=is_on and mode != "quick" and self_correction.judge,
        reading=is_on and (mode != "quick" or models.verifier == BUNDLED),
        reviewer=is_careful and review.enabled,
        critic=is_careful and critique.enabled and (critique.embedded or not is_small_on_its_own),
    )
