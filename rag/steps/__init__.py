"""What the steps of the loop do; `rag.loop` decides which one runs.

A module holds a step of its name, or several: `judge` is in `evaluate`, `choose` in `quote`, `refine` in
`critique`. `background` and `wording` hold what several steps put into their prompts.
"""
