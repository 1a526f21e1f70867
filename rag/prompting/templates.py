"""The templates of the prompt files: Jinja2 in its sandbox.

``{{ name }}`` inserts a value, ``{{ name or "default" }}`` a value or its default, and ``{% if name %}``,
``{% else %}``, ``{% endif %}`` choose. Values are inserted verbatim: nothing in a value can become a tag. A
block tag alone on a line also removes that line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import jinja2
from jinja2 import nodes
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rag.errors import PromptError

_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,  # models read text, not HTML
)
_FORMER_TAG = "{{#if"


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed text.

    Args:
        names: Every variable that the template uses.
        required: The variables that must have a value.
        file: Name for messages.
    """

    names: frozenset[str]
    required: frozenset[str]
    text: jinja2.Template
    file: str

    def render(self, values: Mapping[str, str]) -> str:
        """Fill in `values`, which must include those of `required`; a blank one counts as missing.

        Raises:
            PromptError: The template does what the sandbox forbids.
        """
        given = {name: value if value.strip() else "" for name, value in values.items()}
        try:
            return self.text.render({**dict.fromkeys(self.names, ""), **given})
        except (jinja2.TemplateError, OverflowError) as exc:
            raise PromptError(f"{self.file}: {exc}") from exc


def parse(text: str, file: str, first_line: int = 1) -> Template:
    """Parse a text.

    Args:
        first_line: Line of the file that the text begins on.

    Raises:
        PromptError: A tag is wrong; it names the file and the line.
    """
    if _FORMER_TAG in text:
        line = first_line + text[: text.index(_FORMER_TAG)].count("\n")
        raise PromptError(f"{file}, line {line}: '{{{{#if name}}}}' is now written '{{% if name %}}'")
    try:
        tree = _ENVIRONMENT.parse(text)
        names = frozenset(find_undeclared_variables(tree))
        return Template(names, frozenset(_required(tree, frozenset())), _ENVIRONMENT.from_string(tree), file)
    except jinja2.TemplateSyntaxError as exc:
        raise PromptError(f"{file}, line {first_line + exc.lineno - 1}: {exc.message}") from exc
    except jinja2.TemplateError as exc:
        raise PromptError(f"{file}, line {first_line}: {exc}") from exc


def _required(node: nodes.Node, guarded: frozenset[str]) -> Iterator[str]:
    """Yield the variables whose absence would leave a hole: neither chosen by an "if" nor with a default."""
    if isinstance(node, nodes.If) and isinstance(node.test, nodes.Name):
        for branch, names in ((node.body, guarded | {node.test.name}), (node.else_, guarded)):
            for each in branch:
                yield from _required(each, names)
        for other in node.elif_:
            yield from _required(other, guarded)
    elif isinstance(node, nodes.Or):
        yield from _required(node.right, guarded)
    elif isinstance(node, nodes.Name):
        if node.name not in guarded:
            yield node.name
    else:
        for child in node.iter_child_nodes():
            yield from _required(child, guarded)
