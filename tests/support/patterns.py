"""Finds every pattern that the product compiles, and texts on which a pattern takes super-linear time.

Patterns are applied to replies of models, messages of strangers and documents. A pattern whose time grows with
the square of the text's length freezes the bot, so each is tried on long repetitions of its own parts.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import itertools
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import regex._main as regex_main

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rag", "bot")

_SHORT, _MIDDLE, _LONG = 500, 2_000, 8_000  # characters
_WORTH_A_LOOK_SECONDS = 0.0002
_HARMLESS_SECONDS = 0.01
_ENDLESS = re.compile(r"(?<!\\)(?:\\\\)*(?:[*+]|\{\d*,\})")
"""Matches an unbounded repetition; a pattern without one reads a bounded stretch at each place."""
_PATIENCE_SECONDS = 0.5
_MOST_GROWTH = 9.0
"""Allowed ratio of the times for a text and one four times as long: 4 is linear, 16 is quadratic."""

_CHARACTERS = (
    *" \t\n\raAzseéяЯ字。가다あカไب10９٣½三十일이\u0308\u0301😀☀\u200d\u200b\ufe0f_-–—=*+~^`'’\"“”«»()[]{}<>|/\\:：;,，、.…!！?？&#%$@（）「【\u00a0€",
)
_UNITS = (
    "[1]", "[1] ", "[^a]", "[1,2]", "[1-2]", "<!--", "-->", "](", "[a](", "![", "(a", "a.", "a. ", "1.", "1. ", "1.1", "1,", "1 ",
    "- ", "-a", "a-", "a'", "a b", "a ", "A ", "Aa ", "A-", "**", "*a", "*a*", "``", "```", "`a", "` ", "\n\n", "\na", "\n ", "\n\t",
    "\n|", "|-", "| ", "> ", "# ", " #", "//", "http://", "a/", "/a", "@a", "a@", "a:", "<a", "</a>", "<a>", "</", "&lt;", "\r\n",
    "a\n", "\n- ", "- a\n", "1. a\n", "百", "字字", "字 ", "字a", "あ字", "«a", "(1)", "{#", "$a", "\\a", "_a", "a_", "__", "a=", "=\n",
    "---\n", "1일 ", "2월 ", "a0", "0a", "Ab", "aB", "[", "[a", "[ ", "[[", "1/", "./", "..", "a|", "|a|\n", "1-", "1–", "v1.", "。a",
    "?!", "? ", "! ", "key: a\n", "#a\n", "a...", "（a", "“a", "'a", '"a',
)  # fmt: skip
_ENDINGS = ("", "\x00", "a")
_BEGINNINGS = ("[1]", "a", "- a", "a:", "`a", "[a", "](")
"""Beginnings of texts that then repeat a single character."""

_READ_IN_WINDOWS = {
    "rag/language/names.py:_NEW_START": 8,
    "rag/language/sentences.py:_LAST_WORD": 40,
}
"""Largest number of characters that the product gives to these patterns."""


class TooSlow(BaseException):
    """Raised by the alarm inside a pattern of the standard library."""


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern of the product.

    Args:
        place: File and name, or the line that compiles a pattern without a name.
        methods: The methods called on it: ``finditer`` for all that search, ``match``, ``fullmatch``.
    """

    place: str
    pattern: Any
    methods: tuple[str, ...]


def product_patterns() -> list[Found]:
    """Return every pattern that the product compiles on import, and those that it builds from data.

    Call this in a process that has not imported the product yet.
    """
    compiled: dict[tuple[str, int, str, int], Any] = {}
    _watch(re, compiled)
    _watch(regex_main, compiled)
    for module in _modules():
        _make_patterns_from_data(module)
    uses = {path: _uses(ROOT / path) for path in {place[0] for place in compiled}}
    return [
        Found(f"{path}:{_name(uses[path], line)}", pattern, _methods(uses[path], line))
        for (path, line, _, _), pattern in sorted(compiled.items(), key=lambda item: item[0])
    ]


def slow_text(found: Found) -> str:
    """Describe a text on which a pattern is super-linear; return an empty string when none was found."""
    if not _ENDLESS.search(_bare(found.pattern)):
        return ""
    window = _READ_IN_WINDOWS.get(found.place)
    for method, (beginning, unit, ending) in itertools.product(found.methods, _attacks(found.pattern)):

        def seconds(
            characters: int, method: str = method, whole: tuple[str, str, str] = (beginning, unit, ending)
        ) -> float:
            text = f"{whole[0]}{whole[1] * (characters // len(whole[1]))}{whole[2]}"
            return _seconds(found.pattern, method, text if window is None else text[:window])

        # A suspect is measured again: the processor may have done something else meanwhile.
        if _growing_times(seconds, 1) and (times := _growing_times(seconds, 5)):
            told = ", ".join(f"{one:.4f} s" for one in times)
            return f"{method} on {beginning!r}, {unit!r} again and again, {ending!r}: {told}"
    return ""


def _growing_times(seconds: Callable[[int], float], tries: int) -> list[float]:
    """Return the times for texts, each four times as long as the one before; nothing unless super-linear.

    `seconds` measures a text of so many characters; the shortest of the `tries` counts.
    """
    times = [seconds(_SHORT)]
    if times[0] < _WORTH_A_LOOK_SECONDS:
        return []
    for characters in (_MIDDLE, _LONG):
        times.append(min(seconds(characters) for _ in range(tries)))
        if times[-1] < _PATIENCE_SECONDS and times[-1] < _MOST_GROWTH * times[-2]:
            return []
    return times if times[-1] >= _HARMLESS_SECONDS else []


def _watch(module: ModuleType, compiled: dict[tuple[str, int, str, int], Any]) -> None:
    real: Callable[..., Any] = module._compile

    def watch(pattern: Any, flags: Any, *more: Any, **named: Any) -> Any:
        made = real(pattern, flags, *more, **named)
        if place := _caller():
            compiled.setdefault((*place, str(getattr(made, "pattern", pattern)), int(flags)), made)
        return made

    module._compile = watch  # type: ignore[attr-defined]


def _caller() -> tuple[str, int] | None:
    """Return the place in the product that compiles a pattern; None when a library compiles its own."""
    frame: FrameType | None = sys._getframe(2)
    while frame:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PACKAGES:
            return str(path.relative_to(ROOT)), frame.f_lineno
        if not {"re", "regex"} & set(path.parts) and path.name not in {"re.py", "functools.py"}:
            return None
        frame = frame.f_back
    return None


def _modules() -> Iterator[ModuleType]:
    for name in PACKAGES:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if "migrations" not in found.name and not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def _make_patterns_from_data(module: ModuleType) -> None:
    """Call the cached functions that build patterns; their argument is one of a few names or a language."""
    for made in list(vars(module).values()):
        if not isinstance(made, functools._lru_cache_wrapper) or made.__module__ != module.__name__:
            continue
        signature = inspect.signature(made)
        if "Pattern" not in str(signature.return_annotation):
            continue
        choices = [_choices(module, parameter) for parameter in signature.parameters.values()]
        for arguments in itertools.product(*choices):
            made(*arguments)


def _choices(module: ModuleType, parameter: inspect.Parameter) -> tuple[str, ...]:
    if parameter.name in {"language", "code"}:
        return ("en", "ru", "es", "id", "ko", "zh", "de")
    if hasattr(module, "Questions"):
        return tuple(module.Questions.model_fields)
    kind = getattr(module, str(parameter.annotation), None)
    return getattr(kind, "__args__", ("word",))


@dataclass(frozen=True, slots=True)
class _Use:
    """A pattern with a name: the lines of its assignment or function, and the methods called on it."""

    name: str
    lines: range
    methods: set[str]


def _uses(path: Path) -> list[_Use]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {
        target.id: _Use(target.id, range(node.lineno, (node.end_lineno or node.lineno) + 1), set())
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for made in tree.body:
        if isinstance(made, ast.FunctionDef) and "Pattern" in ast.unparse(made.returns or ast.Constant("")):
            lines = range(made.lineno, (made.end_lineno or made.lineno) + 1)
            named[made.name] = _Use(made.name, lines, set())
    called = {
        id(_called_or_itself(node.func.value)): node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in named:
            # A pattern that is passed on may be used with any method.
            named[node.id].methods.add(called.get(id(node), "finditer"))
    return list(named.values())


def _called_or_itself(node: ast.expr) -> ast.expr:
    """Return the function of a call such as ``_first()``, and anything else unchanged."""
    return node.func if isinstance(node, ast.Call) else node


def _name(uses: list[_Use], line: int) -> str:
    return next((use.name for use in uses if line in use.lines), str(line))


def _methods(uses: list[_Use], line: int) -> tuple[str, ...]:
    """Return the methods that may be called on a pattern; all of them if other modules can import it."""
    use = next((use for use in uses if line in use.lines), None)
    if use is None or not use.name.startswith("_"):
        return ("finditer",)
    anchored = tuple(sorted(use.methods & {"match", "fullmatch"}))
    return anchored if use.methods and len(anchored) == len(use.methods) else ("finditer", *anchored)


def _attacks(pattern: Any) -> Iterator[tuple[str, str, str]]:
    for unit, ending in itertools.product(_units_for(pattern), _ENDINGS):
        yield "", unit, ending
    for beginning, character in itertools.product(_BEGINNINGS, _CHARACTERS):
        yield beginning, character, "\x00"


def _bare(pattern: Any) -> str:
    """Return the source of a pattern without the names of groups and classes."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode()
    return re.sub(r"\\p\{[^}]*\}|\(\?P<\w+>|\\[a-zA-Z]", " ", source)


def _units_for(pattern: Any) -> list[str]:
    bare = _bare(pattern)
    words = list(dict.fromkeys(re.findall(r"[^\W\d_]{2,}", bare)))[:20]
    marks = [mark for mark in dict.fromkeys(bare) if not mark.isalnum()][:12]
    pairs = ["".join(pair) for pair in itertools.product(["a", "1", " ", *marks], repeat=2)]
    return list(dict.fromkeys((*_CHARACTERS, *_UNITS, *words, *(f"{word} " for word in words[:8]), *pairs)))


def _seconds(pattern: Any, method: str, text: str) -> float:
    """Return the processor time of one use in seconds, at most `_PATIENCE_SECONDS`."""
    subject: Any = text if isinstance(pattern.pattern, str) else text.encode()
    is_ours = isinstance(pattern, re.Pattern)
    started = time.thread_time()
    try:
        if is_ours:
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE_SECONDS)
        limits = {} if is_ours else {"timeout": _PATIENCE_SECONDS}
        outcome = getattr(pattern, method)(subject, **limits)
        if method == "finditer":
            for _ in outcome:
                pass
    except (TooSlow, TimeoutError):
        return _PATIENCE_SECONDS
    finally:
        if is_ours:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return time.thread_time() - started


def main() -> None:
    def ring(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGALRM, ring)
    only = sys.argv[1:]
    found = [one for one in product_patterns() if not only or any(part in one.place for part in only)]
    for one in found:
        if slow := slow_text(one):
            print(f"{one.place} {slow}", flush=True)  # noqa: T201
    print(f"{len(found)} patterns", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
