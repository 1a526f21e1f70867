"""The names of the engine's steps for a reader."""

from __future__ import annotations

from bot.texts import TEXTS


def step_name(step: str, language: str) -> str:
    """Return what a step does, as the reader's language says it.

    A stored answer may hold a step that only a former version knew: its bare name has to do.
    """
    try:
        name = TEXTS.text(f"step-{step}", language)
    except LookupError:
        name = step.replace("_", " ")
    return name[:1].upper() + name[1:]
