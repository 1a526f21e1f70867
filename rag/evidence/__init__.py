"""Free comparison of a draft with the corpus and the conversation."""
