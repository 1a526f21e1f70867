"""Mission packs: a folder that says what an interview collects.

    mission.yaml         what is asked for, in which order, with which limits, and who asks
    domain.schema.json   the form of what is collected (JSON Schema)

A pack is checked as a whole when it is loaded; each fault is one sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import jsonschema
import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from rag.errors import OperatorError
from rag.interview.documents import Checks, Choice, Limits, Locale
from rag.interview.outline import Outline
from rag.interview.pointers import PointerError, join_pointer, matches, split_pointer

SHIPPED = Path(__file__).parent / "packs"
MAX_FILE_BYTES = 262_144

_ANY_ELEMENT = re.compile(r"[*]|[0-9]+")

_NUMBER = re.compile(r"-?[0-9]+(?:[.,][0-9]+)?")
_MAX_DEPTH = 10

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
    """A loaded mission pack.

    ``not_applicable`` to ``finished`` hold words besides those of `rag.interview.steering`; ``recipients``
    the Telegram numbers of those who get the report of a finished interview, none: the owners of the bot;
    ``document`` what the interview ends in.
    """

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
    recipients: tuple[int, ...] = ()
    limits: Limits = Limits()
    checks: Checks = Checks()
    migrations: tuple[Migration, ...] = ()
    document: Outline | None = None
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
    paths = [path for category in mission.categories for path in category.required]
    paths += [path for category in mission.categories for group in category.any_of for path in group]
    if not paths:
        raise MissionError(f"{folder / 'mission.yaml'}: no category requires anything")
    moved = [new for migration in mission.migrations for new in migration.moves.values()]
    named = mission.document.list_paths() if mission.document else ()
    for path in (*paths, *mission.titles, *mission.questions, *moved, *named):
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


def list_paths(schema: JsonValue) -> Iterator[str]:
    """Yield a pattern for each single value that a schema describes."""

    def walk(described: JsonValue, base: str, depth: int) -> Iterator[str]:
        described = _resolve(schema, described)
        parts = described if isinstance(described, dict) and depth < _MAX_DEPTH else {}
        properties, items = parts.get("properties"), parts.get("items")
        if isinstance(properties, dict):
            for name, part in properties.items():
                yield from walk(part, base + join_pointer([name]), depth + 1)
        elif isinstance(_resolve(schema, items), dict) and "properties" in cast("dict[str, Any]", items):
            yield from walk(items, f"{base}/*", depth + 1)
        elif base:
            yield base

    yield from walk(schema, "", 0)


def find_path(mission: Mission, path: str) -> str:
    """Return the path that a model means: as it is, in other letters, without its beginning, or by its title.

    What can mean two paths, or none, stays as it is.
    """
    if is_described(mission, path):
        return path
    tokens = split_pointer(path)
    if tokens[-1] in {"value", "text"} and is_described(mission, join_pointer(tokens[:-1])):
        return join_pointer(tokens[:-1])
    plain = [_plain(token) for token in tokens]
    patterns = [split_pointer(pattern) for pattern in list_paths(mission.domain_schema)]
    meant = {
        join_pointer([*pattern[: -len(plain)], *_filled(pattern[-len(plain) :], tokens)])
        for pattern in patterns
        if "*" not in pattern[: -len(plain)]
        and len(pattern) >= len(plain)
        and all(
            (one == "*" and _ANY_ELEMENT.fullmatch(token)) or _plain(one) == token
            for one, token in zip(pattern[-len(plain) :], plain, strict=True)
        )
    } or {known for known, title in mission.titles.items() if _plain(title) == plain[-1] and "*" not in known}
    return meant.pop() if len(meant) == 1 else path


def fit_value(mission: Mission, path: str, value: JsonValue) -> JsonValue:
    """Return a value in the form that the schema of a pack wants, where it leaves no doubt; else as it is."""
    described = schema_at(mission.domain_schema, path)
    if not isinstance(described, dict):
        return value
    named = described.get("type", [])
    kinds = {kind for kind in (named if isinstance(named, list) else [named]) if isinstance(kind, str)}
    template = mission.question_for(path)
    labels = {_plain(choice.label): choice.value for choice in template.choices} if template else {}
    match value:
        case str() if "enum" in described or "const" in described:
            allowed = described.get("enum", [described.get("const")])
            known = {_plain(show(one)): one for one in allowed} if isinstance(allowed, list) else {}
            return known.get(_plain(value), labels.get(_plain(value), value))
        case str() if isinstance(pattern := described.get("pattern"), str):
            packed = re.sub(r"[\s-]+", "", value)
            return packed if not re.search(pattern, value) and re.search(pattern, packed) else value
        case str() if kinds and "string" not in kinds and (number := _NUMBER.fullmatch(value.strip())):
            return int(number[0]) if number[0].isdecimal() else float(number[0].replace(",", "."))
        case bool():
            return value
        case int() | float() if "string" in kinds and not {"number", "integer"} & kinds:
            return show(value)
        case list() if "string" in kinds and "array" not in kinds:
            return "; ".join(map(show, value))
        case str() | int() | float() if "array" in kinds:
            return [value]
    return value


def list_choices(mission: Mission, path: str) -> tuple[Choice, ...]:
    """Return what can be chosen at a path: the choices of the pack, or else the values of its schema."""
    template = mission.question_for(path)
    if template is not None and template.choices:
        return template.choices
    described = schema_at(mission.domain_schema, path)
    allowed = described.get("enum") if isinstance(described, dict) else None
    values = (
        [one for one in allowed if isinstance(one, str | int | float)] if isinstance(allowed, list) else []
    )
    return tuple(Choice(id=f"c{number}", label=show(one), value=one) for number, one in enumerate(values, 1))


def describe_possible(mission: Mission, path: str) -> str:
    """Return what is possible at a path, in the words of the pack; empty if it says nothing of it."""
    if choices := list_choices(mission, path):
        return ", ".join(choice.label for choice in choices)
    described = schema_at(mission.domain_schema, path)
    told = described.get("description", "") if isinstance(described, dict) else ""
    return str(told)


def show(value: JsonValue) -> str:
    """Return a value as people read it, never as JSON."""
    match value:
        case None:
            return "–"
        case bool():
            return "✓" if value else "✗"
        case dict():
            return "; ".join(f"{key.replace('_', ' ')}: {show(part)}" for key, part in value.items())
        case list():
            return ", ".join(map(show, value))
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)


def _plain(word: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", word).casefold().split())


def _filled(pattern: Sequence[str], tokens: Sequence[str]) -> list[str]:
    return [token if one == "*" else one for one, token in zip(pattern, tokens, strict=True)]


def _resolve(root: JsonValue, schema: JsonValue) -> JsonValue:
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
