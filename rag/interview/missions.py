"""Mission packs: a folder that says what an interview collects.

    mission.yaml         what is asked for, in which order, with which limits, and who asks
    domain.schema.json   the form of what is collected (JSON Schema)

A pack is checked as a whole when it is loaded; each fault is one sentence.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from rag.errors import OperatorError
from rag.interview.documents import Checks, Choice, Limits, Locale
from rag.interview.pointers import PointerError, matches, split_pointer

SHIPPED = Path(__file__).parent / "packs"
MAX_FILE_BYTES = 262_144

_ANY_ELEMENT = re.compile(r"[*]|[0-9]+")

_PART = ConfigDict(extra="forbid", frozen=True)


class MissionError(OperatorError):
    """A mission pack cannot be used."""


class QuestionTemplate(BaseModel):
    """The wording of the question about a path, for when the model words none of its own."""

    model_config = _PART

    text: str = Field(min_length=1)
    why: str = ""
    choices: tuple[Choice, ...] = ()


class Category(BaseModel):
    """A group of facts that must be known before the interview is complete.

    ``required`` holds JSON pointers into the domain in which ``*`` stands for each element of a list. In each
    group of ``any_of`` one pointer is enough; the first is asked for, and the next one where a person says
    that it does not apply or is not known.
    """

    model_config = _PART

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str = Field(min_length=1)
    required: tuple[str, ...] = ()
    any_of: tuple[tuple[str, ...], ...] = ()


class Migration(BaseModel):
    """The step from one version of a pack to another: new paths of facts by their old ones."""

    model_config = _PART

    from_version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    to_version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    moves: dict[str, str] = Field(default_factory=dict)


class Mission(BaseModel):
    """A loaded mission pack."""

    model_config = _PART

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    title: str = Field(min_length=1)
    locale: Locale
    persona: str = Field(min_length=1)
    categories: tuple[Category, ...] = Field(min_length=1)
    titles: dict[str, str] = Field(default_factory=dict)
    questions: dict[str, QuestionTemplate] = Field(default_factory=dict)
    not_applicable: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    affirmative: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    finished: tuple[str, ...] = ()
    limits: Limits = Limits()
    checks: Checks = Checks()
    migrations: tuple[Migration, ...] = ()
    domain_schema: dict[str, JsonValue] = Field(default_factory=dict, exclude=True)

    def title_of(self, path: str) -> str:
        """Return what people call the fact at a path."""
        named = next((title for pattern, title in self.titles.items() if matches(path, pattern)), None)
        return named or split_pointer(path)[-1].replace("_", " ")

    def question_for(self, path: str) -> QuestionTemplate | None:
        """Return how the pack asks for a path, or None."""
        return next((asked for pattern, asked in self.questions.items() if matches(path, pattern)), None)


def load_mission(folder: Path) -> Mission:
    """Load and check a mission pack.

    Raises:
        MissionError: a file is missing or wrong; the message names the file and says what to mend.
    """
    raw = _read_yaml(folder / "mission.yaml")
    schema = _read_schema(folder / "domain.schema.json")
    if "domain_schema" in raw:
        raise MissionError(f"{folder / 'mission.yaml'}: the schema belongs into domain.schema.json")
    try:
        mission = Mission.model_validate({**raw, "domain_schema": schema})
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise MissionError(f"{folder / 'mission.yaml'}: {where}: {first['msg']}") from exc
    _check_paths(mission, folder)
    return mission


def list_missions(folders: tuple[Path, ...] = (SHIPPED,)) -> dict[str, Path]:
    """Return the packs of some folders by name; a later folder replaces an earlier one."""
    return {
        pack.name: pack
        for folder in folders
        if folder.is_dir()
        for pack in sorted(folder.iterdir())
        if (pack / "mission.yaml").is_file()
    }


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        raw = yaml.safe_load(_read(path))
    except yaml.YAMLError as exc:
        raise MissionError(f"{path} is not YAML: {' '.join(str(exc).split())}") from exc
    except RecursionError as exc:
        raise MissionError(f"{path} is nested too deeply") from exc
    if not isinstance(raw, dict):
        raise MissionError(f"{path} must hold fields such as `id` and `categories`")
    return raw


def _read_schema(path: Path) -> dict[str, Any]:
    try:
        schema = json.loads(_read(path))
        jsonschema.Draft202012Validator.check_schema(schema)
    except RecursionError as exc:
        raise MissionError(f"{path} is nested too deeply") from exc
    except ValueError as exc:
        raise MissionError(f"{path} is not JSON: {exc}") from exc
    except jsonschema.SchemaError as exc:
        raise MissionError(f"{path} is not a JSON Schema: {exc.message}") from exc
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise MissionError(f"{path} must describe an object")
    return schema


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise MissionError(f"{path} is larger than {MAX_FILE_BYTES} bytes")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as exc:
        raise MissionError(f"{path} is missing") from exc
    except (OSError, UnicodeDecodeError) as exc:
        raise MissionError(f"{path} cannot be read: {exc}") from exc


def _check_paths(mission: Mission, folder: Path) -> None:
    """Check that every path of the pack is one that its schema describes."""
    paths = [path for category in mission.categories for path in category.required]
    paths += [path for category in mission.categories for group in category.any_of for path in group]
    if not paths:
        raise MissionError(f"{folder / 'mission.yaml'}: no category requires anything")
    moved = [new for migration in mission.migrations for new in migration.moves.values()]
    for path in (*paths, *mission.titles, *mission.questions, *moved):
        try:
            tokens = split_pointer(path)
        except PointerError as exc:
            raise MissionError(f"{folder / 'mission.yaml'}: {exc}") from exc
        if not tokens or schema_at(mission.domain_schema, path) is None:
            raise MissionError(f"{folder / 'mission.yaml'}: {path} is not described by domain.schema.json")
    ids = [category.id for category in mission.categories]
    if len(set(ids)) < len(ids):
        raise MissionError(f"{folder / 'mission.yaml'}: two categories have the same id")


def schema_at(schema: JsonValue, path: str) -> JsonValue | None:
    """Return the schema of what stands at a path, or None if the schema describes nothing there."""
    root = schema
    for token in split_pointer(path):
        schema = _resolve(root, schema)
        if not isinstance(schema, dict):
            return None
        properties, items = schema.get("properties"), schema.get("items")
        if isinstance(properties, dict) and token in properties:
            schema = properties[token]
        elif isinstance(items, dict) and _ANY_ELEMENT.fullmatch(token):
            schema = items
        else:
            return None
    return _resolve(root, schema)


def is_described(mission: Mission, path: str) -> bool:
    """Return whether the schema of a pack describes something at a path."""
    try:
        return bool(split_pointer(path)) and schema_at(mission.domain_schema, path) is not None
    except PointerError:
        return False


def _resolve(root: JsonValue, schema: JsonValue) -> JsonValue:
    """Follow references inside the document."""
    for _ in range(10):
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        found: JsonValue = root
        for token in reference[2:].split("/"):
            found = found.get(token) if isinstance(found, dict) else None
        schema = found
    return schema


def domain_errors(mission: Mission, domain: dict[str, JsonValue]) -> tuple[str, ...]:
    """Return what the schema of the pack objects to in a domain, each with its path; empty if nothing.

    Missing fields are no error: they are what the interview asks for.
    """
    validator = jsonschema.Draft202012Validator(
        mission.domain_schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    return tuple(
        f"/domain{error.json_path[1:].replace('.', '/')}: {error.message}"
        for error in sorted(validator.iter_errors(domain), key=lambda error: error.json_path)
        if error.validator not in {"required", "minItems", "minProperties", "dependentRequired"}
    )
