"""Writes what comes from the code, parts of the documentation and schemas; a test fails when they differ.

A generated part stands between ``<!-- NAME:start -->`` and ``<!-- NAME:end -->``. To add one, add an
entry to `PARTS` and the two markers to a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from bot.cli import app
from bot.settings.tree import settings_table
from bot.telegram.commands import COMMANDS, description
from rag.interview import documents
from rag.loop.routing import TABLE, Rule
from rag.prompting.library import PromptLibrary, variables_table
from tools import reliance_tables, summary
from tools.aims import Committed

ROOT = Path(__file__).resolve().parent.parent
_SCHEMAS = "1.0.0"
"""The version of the JSON Schema files."""
PAGES = (
    "README.md",
    "docs/the-loop.md",
    "prompts/README.md",
    "docs/how-evidence-decides.md",
    "docs/how-good-is-it.md",
    "docs_corpus/settings.md",
    "docs_corpus/command-line.md",
    "docs_corpus/telegram.md",
)


def picture() -> str:
    """The loop as a Mermaid diagram: every arrow out of "evaluate" is a row of the routing table."""
    lines = [
        "```mermaid",
        "flowchart LR",
        "    question([question]) --> classify",
        "    classify --> draft",
        "    classify -. at the same time .-> probe[search the documents]",
        "    draft --> evaluate{evaluate}",
        "    probe --> evaluate",
        "    evaluate -. undecided .-> judge -.-> evaluate",
        "    evaluate -. before it is called verified .-> read[read the cited passage again] -.-> evaluate",
        "    evaluate -. careful .-> review[review and mend] -.-> evaluate",
        "    continue[write on from the cut] --> evaluate",
        "    again[write it again] --> evaluate",
        "    rewrite[rewrite the query] --> retrieve",
        "    retrieve --> regenerate[write from the documents]",
        "    regenerate --> evaluate",
        "    retrieve -- small model --> quote[read the passages one by one, quote what answers]",
        "    quote --> evaluate",
        "    finish([answer with its label])",
        "    finish -. careful, not verified .-> refine[score and refine] -.-> finish",
    ]
    lines += [f'    evaluate -- "{_condition(rule)}" --> {rule.then}' for rule in TABLE]
    return "\n".join([*lines, "```"])


def routing_table() -> str:
    """The routing table in words."""
    lines = ["| after an evaluation that says | next step | because |", "| --- | --- | --- |"]
    lines += [f"| {_condition(rule)} | {rule.then} | {rule.why} |" for rule in TABLE]
    return "\n".join(lines)


def _condition(rule: Rule) -> str:
    parts = [rule.quality.replace("_", " ")] if rule.quality else []
    if rule.has_documents is not None:
        parts.append("with documents" if rule.has_documents else "without documents")
    if rule.has_retries is False:
        parts.append("no retries left")
    if rule.is_doubted:
        parts.append("a doubt of the reviewer")
    if rule.is_disputed:
        parts.append("a dispute with the second reading" + (", again" if rule.was_disputed else ""))
    if rule.is_cut:
        parts.append("a text that was cut off")
    if rule.is_defective:
        parts.append("a second fault in the text" if rule.was_defective else "a fault in the text")
    if rule.is_covered:
        parts.append("a passage that answers")
    if rule.is_exhausted:
        parts.append("nothing new to read")
    return ", ".join(parts)


def _commands() -> str:
    parts: list[str] = []

    def describe(words: list[str], command: object) -> None:
        shown = CliRunner().invoke(app, [*words, "--help"], prog_name="thinktwice", env={"COLUMNS": "100"})
        parts.append(f"### `thinktwice {' '.join(words)}`\n\n```\n{shown.stdout.strip()}\n```")
        if isinstance(command, TyperGroup):
            for name, subcommand in command.commands.items():
                describe([*words, name], subcommand)

    root = get_command(app)
    assert isinstance(root, TyperGroup)
    for name, command in root.commands.items():
        describe([name], command)
    return "\n\n".join(parts)


def _committed() -> Committed:
    figures: Committed = json.loads((ROOT / "bench" / "quality.json").read_text(encoding="utf-8"))
    return figures


def _telegram_commands() -> str:
    lines = ["| command | what it does | who | where |", "| --- | --- | --- | --- |"]
    for command in COMMANDS:
        who = "everyone" if command.audience == "everyone" else "administrators"
        where = "everywhere" if "group" in command.places else "private chats"
        lines.append(f"| `/{command.name}` | {description(command, 'en')} | {who} | {where} |")
    return "\n".join(lines)


PARTS: dict[str, Callable[[], str]] = {
    "picture": picture,
    "routing": routing_table,
    "settings": settings_table,
    "variables": lambda: variables_table(PromptLibrary().prompts),
    "commands": _commands,
    "telegram-commands": _telegram_commands,
    "headlines": lambda: summary.headlines(_committed()),
    "quality": lambda: summary.tables(_committed()),
    "reliance": lambda: reliance_tables.tables(_committed()),
    "aims": lambda: summary.aims(_committed()),
    "questions": lambda: summary.held_out(_committed()["evidence"], "questions"),
    "sets": lambda: summary.held_out(_committed()["evidence"], "sets"),
    "without": lambda: summary.without(_committed()["evidence"]),
}


def rendered(page: str) -> str:
    """Return a page's text with its generated parts written anew."""

    def part(match: re.Match[str]) -> str:
        name = match["name"]
        return f"<!-- {name}:start -->\n{PARTS[name]()}\n<!-- {name}:end -->"

    # Other markers (the transcript of the README) stand around what a person puts there.
    names = "|".join(PARTS)
    return re.sub(rf"<!-- (?P<name>{names}):start -->.*?<!-- (?P=name):end -->", part, page, flags=re.DOTALL)


def schemas() -> dict[Path, str]:
    """Return the text of each JSON Schema file of interviews by its path."""
    folder = Path(documents.__file__).parent / "schemas"
    kinds: dict[str, type[documents.Document]] = {
        "pre_skeleton_state": documents.State,
        "llm_step_output": documents.StepOutput,
    }
    found = {name: documents.schema_of(kind, name, _SCHEMAS) for name, kind in kinds.items()}
    return {
        folder / f"{name}.schema.json": json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in found.items()
    }


def main() -> None:
    """Write all pages and schema files anew."""
    for path, text in schemas().items():
        path.write_text(text, encoding="utf-8")
    for name in PAGES:
        path = ROOT / name
        path.write_text(rendered(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
