"""``thinktwice evaluate`` on the sets of a folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support import programs


def environment(folder: Path, server: str = "") -> dict[str, str]:
    """Return variables that name corpus and data folder there, and the model of a server if one is named."""
    named = {"THINKTWICE_DATA_DIR": str(folder / "data"), "THINKTWICE_CORPUS": str(folder / "corpus.jsonl")}
    if server:
        named |= {"OPENAI_BASE_URL": server, "OPENAI_API_KEY": "k", "THINKTWICE_MODEL": "openai:test-model"}
    return programs.environment(**named)


def evaluate(folder: Path, *words: str, server: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    return programs.run("evaluate", *words, variables=environment(folder, server) | more)
