"""The steps of the loop, one per file."""
