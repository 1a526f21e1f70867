"""What choosing a sentence knows of human languages; the words are data (``words.yaml``)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import regex
import yaml

Name = Literal["leaning", "name", "when", "count", "choice"]


@cache
def patterns(name: Name) -> tuple[regex.Pattern[str], ...]:
    """The patterns of all languages together, because chats mix languages; compiled once."""
    return tuple(regex.compile(block[name]) for block in _blocks().values())


@cache
def _blocks() -> dict[str, dict[Name, str]]:
    text = Path(__file__).with_name("words.yaml").read_text(encoding="utf-8")
    blocks: dict[str, dict[Name, str]] = yaml.safe_load(text)
    return blocks
