"""Every catalogue says everything, in every language of the product."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import get_args

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Junk, Message, VariableReference
from fluent.syntax.visitor import Visitor

import bot.texts
import bot.web
from bot.texts import TEXTS
from rag.loop import STEPS, checking, quotation, refining, verification, workflow
from rag.texts import ENGINE_FOLDER
from rag.values import VerdictSource

BOT_FOLDER = Path(bot.texts.__file__).parent
CONSOLE_FOLDER = Path(bot.web.__file__).parent / "texts"
CATALOGUES = [
    pytest.param(folder, path.stem, id=f"{folder.parent.name}-{path.stem}")
    for folder in (ENGINE_FOLDER, BOT_FOLDER, CONSOLE_FOLDER)
    for path in sorted(folder.glob("*.ftl"))
]


class Placeables(Visitor):
    """Collects the names of the values that a message needs."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: VariableReference) -> None:  # noqa: N802 - the name of the class
        self.names.add(node.id.name)


def messages(folder: Path, language: str) -> dict[str, set[str]]:
    """Names of the values of each message of a catalogue."""
    found: dict[str, set[str]] = {}
    for entry in FluentParser().parse((folder / f"{language}.ftl").read_text(encoding="utf-8")).body:
        assert not isinstance(entry, Junk), entry.content
        if isinstance(entry, Message):
            assert entry.id.name not in found, f"{entry.id.name} stands there twice"
            placeables = Placeables()
            placeables.visit(entry)
            found[entry.id.name] = placeables.names
    return found


def steps() -> set[str]:
    """Names of the steps in the source of the workflow and of what it leaves to others."""
    return {
        call.args[0].value
        for module in (workflow, checking, verification, quotation, refining)
        for call in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "step"
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    }


def test_engine_and_bot_speak_the_same_languages() -> None:
    engine, terminal, console = (
        {path.stem for path in folder.glob("*.ftl")} for folder in (ENGINE_FOLDER, BOT_FOLDER, CONSOLE_FOLDER)
    )
    assert engine == terminal == console >= {"en", "es", "id", "ko", "ru", "zh"}


@pytest.mark.parametrize(("folder", "language"), CATALOGUES)
def test_catalogue_has_the_messages_and_values_of_the_english_one(folder: Path, language: str) -> None:
    assert messages(folder, language) == messages(folder, "en")


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_step_has_a_name_for_the_reader(language: str) -> None:
    assert {"classify", "draft", "evaluate", "cover", "read"} <= steps()
    for step in steps() | {"recall"}:
        assert TEXTS.text(f"step-{step}", language)


@pytest.mark.parametrize("language", TEXTS.languages)
def test_everybody_who_gives_a_verdict_has_a_name_for_the_reader(language: str) -> None:
    for source in get_args(VerdictSource):
        assert TEXTS.text(f"verdict-{source}", language)


def test_every_step_of_the_engine_is_listed() -> None:
    assert steps() == set(STEPS)


@pytest.mark.parametrize(
    ("language", "count", "says"),
    [
        pytest.param("en", 1, "1 message)", id="en one"),
        pytest.param("en", 2, "2 messages)", id="en other"),
        pytest.param("es", 1, "1 mensaje)", id="es one"),
        pytest.param("es", 12, "12 mensajes)", id="es other"),
        pytest.param("ru", 21, "21 сообщение)", id="ru one"),
        pytest.param("ru", 4, "4 сообщения)", id="ru few"),
        pytest.param("ru", 12, "12 сообщений)", id="ru many"),
        pytest.param("id", 2, "2 pesan", id="id"),
        pytest.param("ko", 2, "메시지 2개", id="ko"),
        pytest.param("zh", 2, "2 条消息", id="zh"),
    ],
)
def test_number_of_messages_is_said_as_the_language_does(language: str, count: int, says: str) -> None:
    assert says in " ".join(TEXTS.text("chat-resumed", language, messages=count).split())
