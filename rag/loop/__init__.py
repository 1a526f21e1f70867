"""The self-correcting loop. Start with `workflow.answer`.

workflow      the loop: draft, check, route, correct, finish
routing       the table: which step follows which verdict (pure)
checking      the cascade of checks: free checks, evidence, verifier, reviewer, judge
verification  what the verifier reads, and what a text may be called because of it
quotation     answers that quote the sentence that answers
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
    "rewrite",
    "regenerate",
    "critique",
    "second_opinion",
    "refine",
)
"""The names under which the steps of answering are recorded. Each kind of work has its own list."""
