"""Prompts: the files, the template language in them, and how untrusted text is put between delimiters."""
