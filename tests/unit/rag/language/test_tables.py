"""The language files: each is valid, and no word of one language is left in the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import regex
from pydantic import BaseModel, ValidationError

import rag
from rag.language import tables

CODE = Path(rag.__file__).parent

MAY_HOLD_FOREIGN_LETTERS = {
    "checks/language.py": "letters that look alike in two alphabets",
    "evidence/marker_styles.py": "words that models write in markers, whatever language they answer in",
    "knowledge/loaders/text.py": "letters of Romanian that old files write with a cedilla",
    "language/dates.py": "signs of years, months, days and hours in the scripts of East Asia",
    "language/detect.py": "letters that only one language of a script has",
    "language/han.py": "traditional characters and their simplified forms",
    "language/numbers.py": "signs of numbers and how they are put together",
    "language/phrases.py": "laughter, which is a form: any number of ha",
    "language/words.py": "two letters that stand for one another",
    "models/failures.py": "error messages of servers",
    "models/tokens.py": "ranges of scripts",
    "prompting/untrusted.py": "letters that look alike in two alphabets",
    "verifier/blind.py": "half-translated forms of the one reply that the prompt asks for",
}
"""Modules with letters of other scripts in their literals, and what these are."""

MAY_LIST_WORDS = {
    "evidence/marker_styles.py": "words that models write in markers, whatever language they answer in",
    "knowledge/store.py": "SQL",
    "language/phrases.py": "laughter, which is a form: any number of ha",
    "language/scripts.py": "top-level domains",
    "models/client.py": "what a server without schemas is told",
    "models/failures.py": "error messages of servers",
    "models/quirks.py": "error messages of servers",
    "models/thinking.py": "what models write before they think",
}
"""Modules with literals that look like a list of everyday words, and what these are."""

_FOREIGN = regex.compile(r"[[\p{L}]--[\p{Latin}ー々]]|[[\p{Latin}]--[a-zA-Z]]", regex.VERSION1)
_LETTERS = regex.compile(r"\p{L}{2,}")
_FEWEST_WORDS = 3


def literals(module: Path) -> Iterator[str]:
    """The strings of a module without its docstrings."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def lists_words(literal: str) -> bool:
    """Whether a pattern or a block of words holds several stop words of languages in Latin letters."""
    is_list = "|" in literal or "\\b" in literal or "\n" in literal
    words = {word.casefold() for word in _LETTERS.findall(literal)} if is_list else set()
    stop = {word for one in tables.languages().values() for word in one.words.stop if word.isascii()}
    return len(words & stop) >= _FEWEST_WORDS


def modules() -> Iterator[tuple[str, Path]]:
    for module in CODE.rglob("*.py"):
        yield module.relative_to(CODE).as_posix(), module


def patterns(part: BaseModel, path: str = "") -> Iterator[tuple[str, str]]:
    """Every pattern of a language with its key."""
    of_lists = {
        "declining",
        "refusing",
        "offering",
        "ignorance",
        "openings",
        "tasks",
        "recent",
        "moments",
        "ours",
        "amounts",
    }
    for name in type(part).model_fields:
        value = getattr(part, name)
        if isinstance(value, BaseModel):
            yield from patterns(value, f"{path}{name}.")
        elif name == "qualifiers":
            yield from ((f"qualifiers.{kind}", one) for kind, one in value.items())
        elif isinstance(value, str) and name != "family":
            yield f"{path}{name}", value
        elif name in of_lists:
            yield from ((f"{path}{name}", one) for one in value)


@pytest.mark.parametrize("code", tables.languages())
def test_patterns_of_a_language_are_well_formed_and_need_words(code: str) -> None:
    for key, pattern in patterns(tables.language(code)):
        compiled = regex.compile(pattern)
        assert not pattern or not compiled.search(""), key


@pytest.mark.parametrize("code", tables.languages())
def test_months_and_weekdays_are_complete_where_there_are_any(code: str) -> None:
    dates = tables.language(code).dates
    assert len(dates.months) in {0, 12}
    assert len(dates.short_months) in {0, 12}
    assert len(dates.weekdays) in {0, 7}


def test_key_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValidationError, match="stopp"):
        tables.Language.model_validate({"words": {"stopp": "the a"}})


def test_words_and_phrases_are_split() -> None:
    read = tables.Language.model_validate(
        {"words": {"stop": "no\n  yes on"}, "conversation": {"small_talk": "good night, no"}}
    )
    assert read.words.stop == ("no", "yes", "on")
    assert read.conversation.small_talk == ("good night", "no")


def test_language_without_a_file_has_no_words() -> None:
    assert tables.language("xx") == tables.Language()


def test_english_stands_first_so_that_ties_go_to_it() -> None:
    assert next(iter(tables.languages())) == "en"


def test_no_words_of_other_scripts_are_left_in_the_code() -> None:
    found = {name for name, module in modules() if any(map(_FOREIGN.search, literals(module)))}
    assert found == set(MAY_HOLD_FOREIGN_LETTERS)


def test_no_list_of_everyday_words_is_left_in_the_code() -> None:
    found = {name for name, module in modules() if any(map(lists_words, literals(module)))}
    assert found == set(MAY_LIST_WORDS)
