"""The names of all steps: what a crash test must be able to kill the process at.

A name may carry a number behind it (``deliver 2``), for the second time or the second part.
"""

from __future__ import annotations

import re

STEPS = (
    # The engine's, see rag/workflow.py and rag/refinement.py.
    "classify",
    "probe",
    "cover",
    "draft",
    "continue",
    "evaluate",
    "review",
    "compare",
    "judge",
    "retrieve",
    "rewrite",
    "regenerate",
    "critique",
    "second_opinion",
    "refine",
)


def kind(name: str) -> str:
    """The name of a step without its number."""
    return re.sub(r" \d+$", "", name)
