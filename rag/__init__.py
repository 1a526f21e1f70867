"""The answer engine: drafts, checks its draft against the documents, and corrects it."""
