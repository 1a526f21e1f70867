"""The names of all steps: what a crash test must be able to kill the process at.

A name may carry a number behind it (``deliver 2``), for the second time or the second part.
"""

from __future__ import annotations

import re
from typing import Final

STEPS = (
    # See rag/loop/workflow.py and rag/loop/refining.py.
    "classify",
    "probe",
    "cover",
    "draft",
    "continue",
    "evaluate",
    "review",
    "compare",
    "judge",
    "standalone",
    "read",
    "retrieve",
    "choose",
    "rewrite",
    "regenerate",
    "critique",
    "second_opinion",
    "refine",
)
"""The steps of the engine."""

_LIGHT: Final = {
    "probe", "cover", "evaluate", "compare", "retrieve", "choose",
    "overhear", "admit", "recall", "tidy",
}  # fmt: skip


def is_light(name: str) -> bool:
    """Whether a step pays for nothing and shows nothing, and changes nothing when it comes a second time."""
    # The first reading is made by rules; another one is asked of a model.
    return name == "classify" or kind(name) in _LIGHT


def kind(name: str) -> str:
    """The name of a step without its number."""
    return re.sub(r" \d+$", "", name)
