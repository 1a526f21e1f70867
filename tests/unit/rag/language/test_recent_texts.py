"""What was read in texts of people, documents and models is kept for a bounded number of characters."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from rag.language.recent_texts import cache_recent, cache_up_to

ROOT = Path(__file__).resolve().parents[4]

_SHORT = {"code", "default", "kind", "language", "name", "script", "statement", "token", "word"}
"""Names of arguments that hold a word, the code of a language, or a text of the product itself.

Codes of number formats come from documents, and are read in a process that has limits of its own.
"""

_COUNTED_IN_TEXTS = {
    # At most 512 texts (4,096 sentences), each of an answer, of a question or of a passage.
    "rag/evidence/attribution.py:_language",
    "rag/evidence/attribution.py:claim",
    "rag/evidence/conversation.py:_stating_sentences",
}


def _counted(function: Callable[..., str]) -> tuple[Callable[..., str], list[str]]:
    read: list[str] = []

    def reading(text: str, language: str = "") -> str:
        read.append(text)
        return function(text)

    return reading, read


def test_recent_text_is_read_once() -> None:
    reading, read = _counted(str.upper)
    cached = cache_recent(reading)
    assert [cached("text"), cached("text"), cached("text", "en"), cached("text", language="en")] == [
        "TEXT"
    ] * 4
    assert len(read) == 3


@pytest.mark.parametrize(
    "others", [(), ("x" * 60,)], ids=["one long text", "two texts that are long together"]
)
def test_long_text_is_read_each_time_and_not_kept(others: tuple[str, ...]) -> None:
    reading, read = _counted(str.upper)
    cached = cache_up_to(100)(reading)
    text = "x" * (101 - sum(map(len, others)))
    assert cached(text, *others) == cached(text, *others)
    assert read == [text, text]


def test_caches_hold_as_many_characters_whatever_the_length_of_their_texts() -> None:
    for longest in (500, 8000):
        reading, read = _counted(str.upper)
        cached = cache_up_to(longest)(reading)
        most = 2_048_000 // longest
        for number in range(most + 1):
            cached(f"{number}".rjust(longest))
        cached("0".rjust(longest))  # the oldest one had to go
        assert len(read) == most + 2
        cached(f"{most}".rjust(longest))
        assert len(read) == most + 2


def test_every_cache_of_texts_is_bounded_in_characters() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{function.name}"
        for folder in ("rag", "bot")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.is_relative_to(ROOT / "bot" / "evaluate")  # measurements read the sets of the operator
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        if any(
            ast.unparse(one).split("(")[0].split(".")[-1] in {"cache", "lru_cache"}
            for one in function.decorator_list
        )
        if any(
            one.annotation is not None and ast.unparse(one.annotation) == "str" and one.arg not in _SHORT
            for one in (*function.args.posonlyargs, *function.args.args)
        )
    }
    assert found == _COUNTED_IN_TEXTS
