"""Guided interviews: a talk that ends in a complete, checked state.

A model reads what a person says and words the questions; code decides what may change, what is asked next,
and when it is enough.

    documents   the state and a model's reply as JSON documents, and their schemas
    pointers    JSON pointers: read, compare, list the leaves of a value
    patch       changes of the domain, all of them or none
    quotes      whether a value stands in what the person said
    policy      which changes are kept, and what becomes of facts
    issues      what becomes of issues
    questions   what is asked next
    gate        what is missing before the interview is complete
    events      the log of turns, and the state as its fold
    missions    mission packs: a folder that says what is collected
    turns       what a person said and what was made of it, as an event
    replies     a model's reply, as it is recorded
    interpret   the steps that ask a model what a person said
    gatekeeping the step in which a model may object to a complete state
    outline     the document of a pack: sections and clauses, and the language of their templates
    papers      the document of an interview, drawn up from its state, and what is wrong with it
    wording     clauses that a model words, and the checks of what it writes
    trail       what is kept of a turn for whoever wants to know why
    registry    versions of the schemas, and how a session comes from one to the next
    workflow    one turn from beginning to end: start here

All are pure but for `missions` and `registry`, which read files, and those that ask a model.
"""

STEPS = ("interpret", "extract", "gate check", "word")
"""The names under which the steps of an interview are recorded."""
