"""The library of prompts: `prompts/NAME.md`, loaded and validated once, rendered many times.

Every file is loaded when the library is created, so a mistake in any of them is one error at start-up and not
a broken prompt in the middle of a conversation.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rag.errors import PromptError
from rag.prompting.files import Prompt, RenderedPrompt, load, suggest
from rag.prompting.untrusted import Fenced
from rag.settings import Prompts

__all__ = ["SHIPPED_FOLDER", "Prompt", "PromptLibrary", "RenderedPrompt", "variables_table"]

SHIPPED_FOLDER = Path(__file__).resolve().parents[2] / "prompts"


class PromptLibrary:
    """All prompts of a folder, each in the version that the settings choose.

    Args:
        settings: The folder (empty: the shipped one), and versions by name (others: the newest).
        reference: The folder whose prompts the chosen ones replace.

    Raises:
        PromptError: A file cannot be read or has a mistake, a chosen version does not exist, or a prompt is
            missing or takes other variables than the one it replaces.
    """

    def __init__(self, settings: Prompts | None = None, reference: Path = SHIPPED_FOLDER) -> None:
        settings = settings or Prompts()
        self.folder = settings.folder or SHIPPED_FOLDER
        self._versions = _load_folder(self.folder)
        self._chosen = {name: max(versions) for name, versions in self._versions.items()}
        for name, version in settings.versions.items():
            self._choose(name, version)
        if self.folder != reference:
            for original in PromptLibrary(Prompts(folder=reference), reference).prompts:
                _check_stand_in(self.prompt(original.name), original)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The chosen prompts, by name."""
        return tuple(self._versions[name][self._chosen[name]] for name in sorted(self._versions))

    def prompt(self, name: str) -> Prompt:
        """Return the prompt `name` in the chosen version."""
        return self._versions_of(name)[self._chosen[name]]

    def render(self, name: str, /, **values: str | Fenced) -> RenderedPrompt:
        """Fill in the prompt `name`; see `Prompt.render`."""
        return self.prompt(name).render(**values)

    def _versions_of(self, name: str) -> dict[int, Prompt]:
        if name not in self._versions:
            raise PromptError(
                f"there is no prompt '{name}' in {self.folder}{suggest(name, self._versions)}; "
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


def _check_stand_in(prompt: Prompt, original: Prompt) -> None:
    """Reject a prompt that callers of `original` could not fill in, or with fewer fences."""
    for name, variable in original.front.variables.items():
        own = prompt.front.variables.get(name)
        if own is None:
            raise PromptError(f"{prompt.path}: the variable '{name}' is missing; declare and use it")
        if variable.untrusted and not own.untrusted:
            raise PromptError(f"{prompt.path}: the variable '{name}' has to be declared 'untrusted: true'")
    for name in sorted(prompt.required - original.required):
        raise PromptError(
            f"{prompt.path}: the variable '{name}' is not always given; write {{{{ {name} or 'default' }}}} "
            f"or put it between {{% if {name} %}} and {{% endif %}}"
        )


def variables_table(prompts: Iterable[Prompt]) -> str:
    """Return a Markdown table of prompts and their variables, for `prompts/README.md`."""
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
