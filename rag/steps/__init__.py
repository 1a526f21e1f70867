"""The functions that carry out the steps of the loop; `rag.loop` decides which step comes next.

A module holds a step of its name, or several: `judge` is in `evaluate`, `refine` in `critique`. `background`
and `wording` hold what several steps put into their prompts.

A step that asks a model raises `ModelError` where it gives no usable reply or is too slow, and
`BudgetExhaustedError` where the budget allows no call.
"""
