"""Measures quality: verdicts, retrieval and answers on labelled sets."""
