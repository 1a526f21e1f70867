"""The self-correcting loop. Start with `workflow.answer`.

What its steps work with is in `rag.runs`.
"""

STEPS = (
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
    "rewrite",
    "regenerate",
    "critique",
    "second_opinion",
    "refine",
)
"""The names under which the steps of answering are recorded. Each kind of work has its own list."""
