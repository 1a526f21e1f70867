"""Load and validate one prompt file: its front matter and its two parts.

A prompt has two parts. The instructions are the same for every question, so that a server can reuse its
cache. The message, below the line `<!-- message -->`, has the question's values.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.errors import PromptError
from rag.language.recent_texts import cache_up_to
from rag.models.chat import ModelRole
from rag.prompting.templates import Template, parse
from rag.prompting.untrusted import Fenced, fence

MESSAGE_MARKER = "<!-- message -->"

_FILE_NAME = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(?:@(?P<version>[1-9][0-9]*))?\.md")
_FRONT_MATTER = re.compile(r"---\n(?P<front>.*?\n)---\n(?P<body>.*)", re.DOTALL)


class Variable(BaseModel):
    """A value that a prompt takes.

    Args:
        untrusted: Whether users or documents wrote it; it is then inserted between delimiters.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = Field(min_length=1)
    untrusted: bool = False


class FrontMatter(BaseModel):
    """The front matter of a prompt file.

    Args:
        purpose: One sentence: what the prompt makes the model do.
        version: Counts from 1; distinguishes files of the same prompt.
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
        message: The user message; empty if the prompt has none.
        id: `name@version#hash`, for the trace.
    """

    instructions: str
    message: str
    id: str
    role: ModelRole


@dataclass(frozen=True, slots=True)
class Prompt:
    """A loaded and validated prompt file.

    Args:
        name: Name of the file without version and suffix.
        body: Everything below the front matter, verbatim.
        digest: First 8 hexadecimal digits of the file's SHA-256.
        instructions: The part above the marker.
        message: The part below it.
    """

    path: Path
    name: str
    front: FrontMatter
    body: str
    digest: str
    instructions: Template
    message: Template

    @property
    def id(self) -> str:
        """`name@version#hash`: identifies the exact text that was used."""
        return f"{self.name}@{self.front.version}#{self.digest}"

    @property
    def required(self) -> frozenset[str]:
        """Variables that every call must supply."""
        return self.instructions.required | self.message.required

    def render(self, /, **values: str | Fenced) -> RenderedPrompt:
        """Fill in the values; untrusted ones are put between delimiters.

        Raises:
            PromptError: A variable is missing, or is not declared in this prompt.
        """
        for name in values:
            if name not in self.front.variables:
                raise PromptError(
                    f"prompt '{self.name}' has no variable '{name}'{suggest(name, self.front.variables)}"
                )
        for name in sorted(self.required - values.keys()):
            raise PromptError(f"prompt '{self.name}' needs a value for its variable '{name}'")
        tags = [name for name, value in values.items() if self._is_element(name, value)]
        tags += [tag for value in values.values() if isinstance(value, Fenced) for tag in value.names]
        texts = {name: self._text(name, value, tags) for name, value in values.items()}
        return RenderedPrompt(
            self.instructions.render(texts).strip(),
            self.message.render(texts).strip(),
            self.id,
            self.front.role,
        )

    def _is_element(self, name: str, value: str | Fenced) -> bool:
        """Return whether a value is shown between tags with the name of its variable."""
        return isinstance(value, str) and self.front.variables[name].untrusted and bool(value.strip())

    def _text(self, name: str, value: str | Fenced, tags: Sequence[str]) -> str:
        """Return the value for the template, unable to open or close any element named in `tags`."""
        if isinstance(value, Fenced):
            return value.render(*tags)
        return fence(name, value, *tags) if self._is_element(name, value) else value


def load(path: Path) -> Prompt:
    """Load and validate one prompt file.

    Raises:
        PromptError: Names the file and, if possible, the line or the variable.
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
        path,
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
        return _parse_front_matter(text)
    except RecursionError as exc:
        raise PromptError(f"{path}: the front matter is nested too deeply") from exc
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


@cache_up_to(4_000)  # every engine of a process reads the shipped prompts
def _parse_front_matter(text: str) -> FrontMatter:
    # A subclass of SafeLoader: it creates only plain values.
    return FrontMatter.model_validate(yaml.load(text, _StrictLoader))  # noqa: S506


class _StrictLoader(yaml.SafeLoader):
    """Rejects a key that occurs twice in a mapping; plain YAML would silently drop the first."""

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
            f"{suggest(name, declared)}"
        )
    for name in sorted(declared.keys() - used):
        raise PromptError(f"{path}: the variable '{name}' is declared in the front matter but not used")
    for name in sorted(prompt.instructions.names):
        if declared[name].untrusted:
            raise PromptError(
                f"{path}: the variable '{name}' is untrusted and must stand below '{MESSAGE_MARKER}'"
            )


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a hint with the known name most similar to `name`, or an empty string."""
    close = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""
