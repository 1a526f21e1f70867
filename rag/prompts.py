"""Prompts as files: `prompts/NAME.md`, read and checked once, rendered many times.

Every file is read when the library is made, so a mistake in any of them is one sentence at start-up
and not a hole in a prompt in the middle of a conversation. A prompt has two parts, the instructions
(the same for every question, so that a server can reuse what it has already read) and the message
below the line `<!-- message -->`, which carries the question's values.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.errors import PromptError
from rag.fences import Fenced, fence
from rag.models.chat import ModelRole
from rag.settings import Prompts
from rag.templates import Template, parse

SHIPPED_FOLDER = Path(__file__).resolve().parent.parent / "prompts"
MESSAGE_MARKER = "<!-- message -->"

_FILE_NAME = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(?:@(?P<version>[1-9][0-9]*))?\.md")
_FRONT_MATTER = re.compile(r"---\n(?P<front>.*?\n)---\n(?P<body>.*)", re.DOTALL)


class Variable(BaseModel):
    """A value that a prompt takes.

    Args:
        description: What it is, for whoever edits the prompt.
        untrusted: Whether users or documents wrote it; it is then inserted between delimiters.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = Field(min_length=1)
    untrusted: bool = False


class FrontMatter(BaseModel):
    """What a prompt file says about itself.

    Args:
        purpose: One sentence: what the prompt makes the model do.
        role: Which model it is for.
        version: Counts from 1; files of the same prompt differ in it.
        variables: Every variable of the body, by name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    purpose: str = Field(min_length=1)
    role: ModelRole
    version: int = Field(ge=1)
    variables: dict[str, Variable] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """A prompt with its values filled in.

    Args:
        instructions: The system prompt.
        message: The user message, or an empty string when the prompt has none.
        id: `name@version#hash`, for the trace.
        role: Which model it is for.
    """

    instructions: str
    message: str
    id: str
    role: ModelRole


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file, read and checked.

    Args:
        name: Name of the file without version and ending.
        front: Its front matter.
        body: Everything below the front matter, as written.
        digest: First 8 hexadecimal digits of the file's SHA-256.
        instructions: The part above the marker.
        message: The part below it.
    """

    name: str
    front: FrontMatter
    body: str
    digest: str
    instructions: Template
    message: Template

    @property
    def id(self) -> str:
        """`name@version#hash`: which text exactly was used."""
        return f"{self.name}@{self.front.version}#{self.digest}"

    @property
    def required(self) -> frozenset[str]:
        """Variables that every call must give."""
        return self.instructions.required | self.message.required

    def render(self, /, **values: str | Fenced) -> RenderedPrompt:
        """Fill in the values; untrusted ones are put between delimiters.

        Raises:
            PromptError: a variable is missing, or not one of this prompt's.
        """
        for name in values:
            if name not in self.front.variables:
                raise PromptError(
                    f"prompt '{self.name}' has no variable '{name}'{_nearest(name, self.front.variables)}"
                )
        for name in sorted(self.required - values.keys()):
            raise PromptError(f"prompt '{self.name}' needs a value for its variable '{name}'")
        texts = {name: self._text(name, value) for name, value in values.items()}
        return RenderedPrompt(
            self.instructions.render(texts).strip(),
            self.message.render(texts).strip(),
            self.id,
            self.front.role,
        )

    def _text(self, name: str, value: str | Fenced) -> str:
        if isinstance(value, Fenced):
            return value.text
        return fence(name, value) if self.front.variables[name].untrusted and value.strip() else value


class PromptLibrary:
    """All prompts of a folder, each in the version that the settings choose.

    Args:
        settings: The folder (empty: the shipped one) and the versions by name (others: the newest).

    Raises:
        PromptError: a file cannot be read or has a mistake; a version that does not exist.
    """

    def __init__(self, settings: Prompts | None = None) -> None:
        settings = settings or Prompts()
        self.folder = settings.folder or SHIPPED_FOLDER
        self._versions = _load_folder(self.folder)
        self._chosen = {name: max(versions) for name, versions in self._versions.items()}
        for name, version in settings.versions.items():
            self._choose(name, version)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The chosen prompts, by name."""
        return tuple(self._versions[name][self._chosen[name]] for name in sorted(self._versions))

    def prompt(self, name: str) -> Prompt:
        """The prompt `name` in the chosen version."""
        return self._versions_of(name)[self._chosen[name]]

    def render(self, name: str, /, **values: str | Fenced) -> RenderedPrompt:
        """Fill in the prompt `name`; see `Prompt.render`."""
        return self.prompt(name).render(**values)

    def raw(self, name: str) -> str:
        """The body of the prompt `name` as written, nothing filled in."""
        return self.prompt(name).body

    def _versions_of(self, name: str) -> dict[int, Prompt]:
        if name not in self._versions:
            raise PromptError(
                f"there is no prompt '{name}' in {self.folder}{_nearest(name, self._versions)}; "
                "add the file, or empty the setting prompts.folder to use the shipped ones"
            )
        return self._versions[name]

    def _choose(self, name: str, version: int) -> None:
        versions = self._versions_of(name)
        if version not in versions:
            there = ", ".join(str(number) for number in sorted(versions))
            raise PromptError(
                f"prompt '{name}' has no version {version}; set prompts.versions to one of: {there}"
            )
        self._chosen[name] = version


def variables_table(prompts: Iterable[Prompt]) -> str:
    """A Markdown table of prompts and their variables; `prompts/README.md` shows it."""
    lines = ["| prompt | role | variable | value |", "| --- | --- | --- | --- |"]
    for prompt in prompts:
        lines.append(f"| `{prompt.name}` | {prompt.front.role} | | *{prompt.front.purpose}* |")
        for name, variable in prompt.front.variables.items():
            notes = ["required" if name in prompt.required else "optional"]
            notes += ["untrusted"] if variable.untrusted else []
            lines.append(f"| | | `{name}` ({', '.join(notes)}) | {variable.description} |")
    return "\n".join(lines)


def _load_folder(folder: Path) -> dict[str, dict[int, Prompt]]:
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".md" and path.name != "README.md")
    except OSError as exc:
        raise PromptError(
            f"the prompt folder {folder} cannot be read ({exc.strerror}); correct the setting prompts.folder"
        ) from exc
    found: dict[str, dict[int, Prompt]] = {}
    for path in files:
        prompt = load(path)
        versions = found.setdefault(prompt.name, {})
        if prompt.front.version in versions:
            raise PromptError(
                f"{path}: another file is version {prompt.front.version} of this prompt; change one of them"
            )
        versions[prompt.front.version] = prompt
    if not found:
        raise PromptError(f"there are no prompts in {folder}; correct the setting prompts.folder")
    return found


def load(path: Path) -> Prompt:
    """Read and check one prompt file.

    Raises:
        PromptError: with the file and, where there is one, the line or the variable.
    """
    name = _FILE_NAME.fullmatch(path.name)
    if name is None:
        raise PromptError(f"{path}: a prompt file is named name.md or name@2.md, in small letters")
    content = _read(path)
    text = content.decode("utf-8").replace("\r\n", "\n")
    parts = _FRONT_MATTER.fullmatch(text)
    if parts is None:
        raise PromptError(f"{path}: a prompt starts with front matter between two lines of '---'")
    front = _front_matter(path, parts["front"])
    if name["version"] and int(name["version"]) != front.version:
        raise PromptError(f"{path}: the front matter says version {front.version}, the file name another")
    body = parts["body"]
    instructions, marker, message = body.partition(f"\n{MESSAGE_MARKER}\n")
    if MESSAGE_MARKER in message:
        raise PromptError(f"{path}: the line '{MESSAGE_MARKER}' may stand there only once")
    first_line = text[: parts.start("body")].count("\n") + 1
    prompt = Prompt(
        name["name"],
        front,
        body,
        hashlib.sha256(content).hexdigest()[:8],
        parse(instructions, str(path), first_line),
        parse(message, str(path), first_line + instructions.count("\n") + 2 * bool(marker)),
    )
    _check_variables(path, prompt)
    return prompt


def _read(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        content.decode("utf-8")
    except OSError as exc:
        raise PromptError(f"{path}: the file cannot be read ({exc.strerror})") from exc
    except UnicodeDecodeError as exc:
        raise PromptError(f"{path}: byte {exc.start} is not UTF-8; save the file as UTF-8") from exc
    return content


def _front_matter(path: Path, text: str) -> FrontMatter:
    try:
        # A subclass of SafeLoader: nothing but plain values is made from the text.
        return FrontMatter.model_validate(yaml.load(text, _StrictLoader))  # noqa: S506
    except yaml.YAMLError as exc:
        mark = exc.problem_mark if isinstance(exc, yaml.MarkedYAMLError) else None
        # The mark counts from 0 and from the line below the opening '---'.
        place = f", line {mark.line + 2}" if mark else ""
        problem = f" ({exc.problem})" if isinstance(exc, yaml.MarkedYAMLError) and exc.problem else ""
        raise PromptError(f"{path}{place}: the front matter is not valid YAML{problem}") from exc
    except ValidationError as exc:
        error = exc.errors()[0]
        field = ".".join(str(part) for part in error["loc"]) or "all of it"
        raise PromptError(f"{path}: front matter, {field}: {error['msg']}") from exc


class _StrictLoader(yaml.SafeLoader):
    """Refuses a name that stands twice in one mapping; YAML's own way is to drop the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        names = [self.construct_object(key, deep=True) for key, _ in node.value]
        for position, name in enumerate(names):
            if name in names[:position]:
                raise yaml.constructor.ConstructorError(
                    problem=f"'{name}' stands there twice", problem_mark=node.value[position][0].start_mark
                )
        return super().construct_mapping(node, deep)


def _check_variables(path: Path, prompt: Prompt) -> None:
    declared = prompt.front.variables
    used = prompt.instructions.names | prompt.message.names
    for name in sorted(used - declared.keys()):
        raise PromptError(
            f"{path}: the variable '{name}' is used but not declared in the front matter"
            f"{_nearest(name, declared)}"
        )
    for name in sorted(declared.keys() - used):
        raise PromptError(f"{path}: the variable '{name}' is declared in the front matter but not used")
    for name in sorted(prompt.instructions.names):
        if declared[name].untrusted:
            raise PromptError(
                f"{path}: the variable '{name}' is untrusted and must stand below '{MESSAGE_MARKER}'"
            )


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""
