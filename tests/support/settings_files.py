"""Settings files in the folder that a test works in."""

from __future__ import annotations

from pathlib import Path


def config(text: str, name: str = "thinktwice.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")
