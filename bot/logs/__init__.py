"""Logging: `setup` configures it, `redaction` takes secrets out of every line."""
