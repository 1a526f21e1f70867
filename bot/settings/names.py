"""Describes the tree of settings: names, variables, allowed values and defaults, in words."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import NoDecode

PREFIX = "THINKTWICE_"

_WORDS = {
    "bool": "true or false",
    "int": "whole number",
    "float": "number",
    "dict": "table",
    "tuple": "paths",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: a leaf of the tree, with its names from the root, e.g. `("models", "judge")`."""

    path: tuple[str, ...]
    field: FieldInfo

    @property
    def name(self) -> str:
        """The name in files and messages: `models.judge`."""
        return ".".join(self.path)

    @property
    def variable(self) -> str:
        """The name in the environment: `THINKTWICE_MODELS__JUDGE`."""
        return PREFIX + "__".join(self.path).upper()

    @property
    def is_table(self) -> bool:
        """Whether it holds names of the operator's own choice."""
        return get_origin(self.field.annotation) is dict

    @property
    def is_secret(self) -> bool:
        """Whether its value must not be shown."""
        return self.field.annotation is SecretStr

    @property
    def takes(self) -> str:
        """Return the allowed values, in words."""
        annotation = self.field.annotation
        if get_origin(annotation) in {Union, types.UnionType}:
            annotation = next(part for part in get_args(annotation) if part is not type(None))
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        origin = get_origin(annotation)
        if origin is Literal:
            return "one of " + ", ".join(f"`{choice}`" for choice in get_args(annotation))
        kind = origin if origin is not None else annotation
        if isinstance(kind, type) and issubclass(kind, Path):
            return "path"
        if kind is tuple and get_args(get_args(annotation)[0])[:1] == (int,):
            bounds = " ".join(_bounds(get_args(get_args(annotation)[0])[1].metadata))
            return f"whole numbers {bounds}, separated by commas"
        if kind is tuple and get_args(annotation)[0] is str:
            return "texts, separated by commas" if NoDecode in self.field.metadata else "list of texts"
        return " ".join((_WORDS.get(getattr(kind, "__name__", ""), "text"), *_bounds(self.field.metadata)))

    @property
    def example(self) -> object:
        """A value of a table, as the field has one; None without."""
        return next(iter(self.field.examples or ()), None)

    @property
    def default(self) -> str:
        """The default in words."""
        value = self.field.get_default(call_default_factory=True)
        if self.is_secret or value in ("", None, {}):
            return "empty"
        return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _bounds(metadata: Iterable[object]) -> Iterator[str]:
    for bound in metadata:
        if isinstance(bound, Ge):
            yield f"from {bound.ge}"
        elif isinstance(bound, Gt):
            yield f"above {bound.gt}"
        elif isinstance(bound, Le):
            yield f"to {bound.le}"


def leaves(model: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[Setting]:
    """Every setting of a tree, in the order of the code."""
    for name, field in model.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield from leaves(annotation, (*above, name))
        else:
            yield Setting((*above, name), field)
