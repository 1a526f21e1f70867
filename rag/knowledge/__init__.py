"""Documents in, passages out: loading, splitting, indexing, searching."""
