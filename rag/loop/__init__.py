"""The self-correcting loop. Start with `workflow.answer`.

workflow      the loop: draft, check, route, correct, finish
routing       the table: which step follows which verdict (pure)
checking      the cascade of checks: free checks, evidence, second reading, reviewer, judge
confirmation  the second reading of the cited passage
quotation     answers that quote the sentence that a reading confirms
refining      the critic, and the refiner that follows its advice
composing     the finished answer, with sources and label

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
    "choose",
    "rewrite",
    "regenerate",
    "critique",
    "second_opinion",
    "refine",
)
"""Names of the steps of answering. Each kind of work has its own list."""
