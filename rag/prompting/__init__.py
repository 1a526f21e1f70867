"""Prompts: the files, their template language, and delimiters around untrusted text."""
