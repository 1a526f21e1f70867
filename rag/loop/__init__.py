"""The self-correcting loop. Begin with `workflow.answer`.

workflow      the loop: draft, check, route, correct, finish
routing       the table: which step follows which verdict (pure)
checking      the cascade of checks: free checks, evidence, second reading, reviewer, judge
confirmation  the second reading of the cited passage
quotation     answers that quote the sentence in which a reading stands
refining      the critic and the writer that follows its advice
candidates    a text with its verdict, and its label (pure)
replacement   whether one version of an answer may replace another (pure)
composing     the finished answer, with sources and label
run           one question: what its steps work with, and how much it is checked
work          any work made of steps: their costs, trail and events, and how they ask models
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
