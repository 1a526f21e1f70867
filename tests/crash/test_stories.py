"""Every step of every kind of work has a story that passes it, so that a kill at each step is tried."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bot.service import answering, apologies, interviews, stopping, voice_questions
from bot.web import interviews as web_interviews
from rag import council, interview
from rag.loop import STEPS as ENGINE_STEPS
from tests.conftest import REPOSITORY
from tests.crash.stories import CAREFUL, STORIES

ELSEWHERE = {
    "obey", "look", "open", "carry out", "index", "fetch", "keep", "confirm", "take", "picture", "clear",
    "count", "menus", "meanwhile", "request", "shown", "marked", "welcome", "digest", "interview begin",
    "interview find", "interview close", "extract", "join", "pass", "experts", "passed", "replied", "noted", "brought",
}  # fmt: skip
"""Steps of commands, of requests for access, of passed questions, of the digest, and of small models in interviews: they are killed
at each of their steps in tests of their own, without a process; those of the console and of the parts of
messages in tests/crash/test_web_interview_killed.py and tests/crash/test_parts_killed.py."""


def kind(name: str) -> str:
    """Return the name of a step without the number behind it: "send 2" is a step "send"."""
    return re.sub(r" \d+$", "", name)


def named_in(folder: str) -> set[str]:
    return {name for path in (REPOSITORY / folder).rglob("*.py") for name in _named_steps(path)}


def test_every_step_has_a_story() -> None:
    told = {kind(step) for steps in (*STORIES.values(), *CAREFUL.values()) for step in steps}
    listed = {
        *ENGINE_STEPS, *answering.STEPS, *apologies.STEPS, *stopping.STEPS, *interview.STEPS, *interviews.STEPS,
        *web_interviews.STEPS, *voice_questions.STEPS, *named_in("bot/telegram"), *named_in("bot/talk"),
    }  # fmt: skip
    assert told | ELSEWHERE == listed
    assert not told & ELSEWHERE


def _named_steps(path: Path) -> Iterator[str]:
    """The names that a module's source gives to steps."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called not in {"run_step", "step", "do"}:
            continue
        match node.args[0]:
            case ast.Constant(value=str(name)):
                yield kind(name)
            case ast.JoinedStr(values=[ast.Constant(value=str(name)), *_]):
                yield name.strip()


def test_every_step_in_the_code_is_listed() -> None:
    named = named_in("bot/service") | named_in("rag")
    listed = {kind(step) for steps in (*STORIES.values(), *CAREFUL.values()) for step in steps} | ELSEWHERE
    # Councils are killed in tests/crash/test_council_killed.py.
    assert named <= {*listed, *council.STEPS, *interview.STEPS}
    assert {"classify", "apologise", "remember"} <= named
    assert {"deliver", "tidy", "obey"} <= named_in("bot/telegram")
