"""How the outcome of a step is kept: pickled, with the layout of the classes in it.

Outcomes are values of our own that only this program reads, from a database that only it writes, and
pickle keeps every one of them, errors included, without a second description of each. What pickle does
not notice is a class whose fields have changed since: it would put old values into the wrong fields. So
the names and types of the fields are kept as well, and a record that does not fit any more is refused:
whoever reads it begins from the start.
"""

from __future__ import annotations

import base64
import importlib
import io
import pickle
from dataclasses import fields, is_dataclass
from typing import Any

from dbos import Serializer

from rag.errors import ThinkTwiceError

Layouts = dict[tuple[str, str], tuple[str, ...]]


class UnreadableRecordError(ThinkTwiceError):
    """A recorded step was written by another version and cannot be read."""


class Records(Serializer):
    """Writes and reads outcomes."""

    def name(self) -> str:
        """Tells records of this form from others."""
        return "thinktwice_1"

    def serialize(self, data: Any) -> str:  # noqa: ANN401 - any outcome
        """Return a record of `data`.

        Raises:
            TypeError, AttributeError, PicklingError: it holds something that cannot be pickled.
        """
        content = io.BytesIO()
        pickler = _Pickler(content)
        pickler.dump(data)
        return base64.b64encode(pickle.dumps((pickler.layouts, content.getvalue()))).decode("ascii")

    def deserialize(self, serialized_data: str) -> Any:  # noqa: ANN401 - any outcome
        """Return what a record holds.

        Raises:
            UnreadableRecordError: it is damaged, or its classes are others now.
        """
        try:
            layouts, content = pickle.loads(base64.b64decode(serialized_data))  # noqa: S301 - only we write there
            if all(_layout(_class(*name)) == layout for name, layout in layouts.items()):
                return pickle.loads(content)  # noqa: S301 - only we write there
        except Exception as exc:  # pickle raises whatever it meets
            raise UnreadableRecordError from exc
        raise UnreadableRecordError


class _Pickler(pickle.Pickler):
    """Notes the fields of every dataclass that it comes by."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.layouts: Layouts = {}

    def reducer_override(self, obj: object) -> Any:  # noqa: ANN401 - NotImplemented has no type to speak of
        kind = type(obj)
        if is_dataclass(kind):
            self.layouts[kind.__module__, kind.__qualname__] = _layout(kind)
        return NotImplemented


def _layout(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - a class that is a dataclass
    return tuple(f"{field.name}: {field.type}" for field in fields(kind))


def _class(module: str, name: str) -> Any:  # noqa: ANN401 - as above
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found
