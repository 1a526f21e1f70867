"""What every engine is made of: work that has steps, and the texts that the steps compare.

Of its modules, `layers`, `candidates`, `weighing` and `replacement` are pure.
"""
