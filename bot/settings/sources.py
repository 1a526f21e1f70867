"""Reads variables and settings files, before they are checked against the tree of settings."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dotenv.parser import parse_stream
from pydantic import BaseModel

from bot.settings import faults, files
from bot.settings.faults import BadSettingError
from bot.settings.names import PREFIX

# Variables with our prefix that are no settings: a short form, the place of the file, and a switch for
# reports of bugs.
_SHORT_FORM = "THINKTWICE_MODEL"
_CONFIG_VARIABLE = "THINKTWICE_CONFIG"
_OTHER_VARIABLES = frozenset({_SHORT_FORM, _CONFIG_VARIABLE, "THINKTWICE_TRACEBACK"})

_ADDRESSES_AND_KEYS = (
    ("models.openai_base_url", "models.openai_api_key"),
    ("models.verifier_base_url", "models.verifier_api_key"),
    ("telegram.api_url", "telegram.token"),
    ("matrix.homeserver", "matrix.token"),
    ("voice.base_url", "voice.api_key"),
)
"""An address and the key that is sent there: both from one place, or the address is the default."""


@dataclass(frozen=True, slots=True)
class Given:
    """The values that were set outside of the command line.

    Args:
        variables: Variables of the environment and of `.env`.
        table: What the settings file holds, sections as tables within.
        openai: What OpenAI's own client reads as well, as such a table.
    """

    variables: Mapping[str, str]
    table: dict[str, Any]
    openai: dict[str, Any]


def read(tree: type[BaseModel]) -> Given:
    """Read the variables and the settings file.

    Raises:
        BadSettingError: a file cannot be read, a name is unknown, or a key lies apart from its address.
    """
    layers = _variables(tree)
    variables = _merged(layers)
    place, table = _config_file(tree, variables)
    faults.raise_if_faulty(_scattered_key(layers, place, table))
    return Given(variables, table, _openai_variables(variables))


def _variables(tree: type[BaseModel]) -> dict[str, dict[str, str]]:
    """The variables of the environment and of `.env` by their place, the first wins; without blank ones.

    White space around a value is nobody's intention: it comes along when a token is copied.
    """
    file = files.find(os.environ).variables
    layers: dict[str, dict[str, str]] = {}
    for place, layer in (("the environment", os.environ), (str(file), _env_file(file) if file else {})):
        values = {name.upper(): value.strip() for name, value in layer.items() if value.strip()}
        # Each layer for itself: the short form in the environment wins over the long one in .env.
        if _SHORT_FORM in values:
            values.setdefault(f"{PREFIX}MODELS__DEFAULT", values[_SHORT_FORM])
        layers[place] = values
    merged = _merged(layers)
    faults.raise_if_faulty(faults.describe_unknown_variable(tree, merged, _OTHER_VARIABLES))
    faults.raise_if_faulty(faults.describe_missing_table(tree, merged))
    return layers


def _merged(layers: dict[str, dict[str, str]]) -> dict[str, str]:
    return {name: value for layer in reversed(layers.values()) for name, value in layer.items()}


def _scattered_key(layers: Mapping[str, Mapping[str, str]], place: str, table: Mapping[str, Any]) -> str:
    """Say which key is set in another place than the address that it would be sent to."""
    for address, key in _ADDRESSES_AND_KEYS:
        places = [_place_of(name, layers, place, table) for name in (address, key)]
        if all(places) and places[0] != places[1]:
            return (
                f"{address} is set in {places[0]} and {key} in {places[1]}: a key is never sent to an "
                "address from another place; set both in one of them"
            )
    return ""


def _place_of(
    name: str, layers: Mapping[str, Mapping[str, str]], place: str, table: Mapping[str, Any]
) -> str:
    """Return the place where a setting got its value; empty for a default."""
    section, _, own = name.partition(".")
    variable, whole = f"{PREFIX}{section}__{own}".upper(), f"{PREFIX}{section}".upper()
    for origin, layer in layers.items():
        if variable in layer or own in json.loads(layer.get(whole, "{}")):
            return origin
    if own in table.get(section, {}):
        return place
    return next((origin for origin, layer in layers.items() if own.upper() in layer), "")


def _env_file(path: Path) -> dict[str, str]:
    """Return the variables of `.env`; a line that sets nothing is refused, so that no setting is missing."""
    try:
        with path.open(encoding="utf-8") as text:
            lines = list(parse_stream(text))
    except (OSError, UnicodeDecodeError) as exc:
        raise BadSettingError(f"the file {path} cannot be read ({exc}); correct or remove it") from exc
    for line in lines:
        if line.error:
            raise BadSettingError(
                f"line {line.original.line} of the file {path.resolve()} cannot be read: write NAME=value, "
                "and close what is quoted"
            )
    return {line.key: line.value for line in lines if line.key is not None and line.value is not None}


def _openai_variables(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the variables that OpenAI's own client reads as well: a server and a key, never a model."""
    return {
        "models": {
            name.lower(): variables[name]
            for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY")
            if name in variables
        }
    }


def _config_file(tree: type[BaseModel], variables: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """The name of the settings file and what it sets."""
    explicit = variables.get(_CONFIG_VARIABLE)
    path = Path(explicit).expanduser() if explicit else files.find(os.environ).table
    if path is None:
        return "", {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise BadSettingError(
            f"the settings file {path} does not exist; correct {_CONFIG_VARIABLE} or remove it"
        ) from exc
    except OSError as exc:
        raise BadSettingError(f"the settings file {path} cannot be read ({exc.strerror})") from exc
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise BadSettingError(f"the settings file {path} is not valid TOML: {exc}") from exc
    faults.raise_if_faulty(faults.describe_unknown_name(tree, table, f"the settings file {path}"))
    return str(path), table
