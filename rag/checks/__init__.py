"""Free checks on a text, before any model is asked."""
