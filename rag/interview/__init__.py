"""Guided interviews: a talk that ends in a complete, checked state.

A model reads what a person says and words the questions; code decides what may change, what is asked next,
and when it is enough. The log of turns (`events`) is what is kept, and the state is its fold. Start with
`workflow`: one turn from beginning to end.

All modules are pure but for `missions` and `steering`, which read files, and those that ask a model.
"""

STEPS = ("interpret", "extract", "gate check", "word")
"""The names under which the steps of an interview are recorded."""
