"""The place of answers that administrators gave, among the documents."""

from __future__ import annotations

from typing import Final

FOLDER: Final = "answers by admins"
"""Folder among the added documents; a part of the documents' names, so it is the same in every language."""

MANIFEST: Final = ".answers.json"
"""File in that folder in which the answers and their questions are listed."""


def folder_of(set_name: str) -> str:
    """Return the folder of the answers for a document set, as documents are named; empty name: for all."""
    return f"{FOLDER}/{set_name}" if set_name else FOLDER
