"""Parameters of a call, whether sent in the address, as JSON, as a form or as multipart.

The reference page ("Making requests") allows all four. python-telegram-bot sends forms, and multipart when
there are files; in a form, lists and objects are JSON texts and numbers are digits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.telegram.refusals import bad_request


@dataclass(frozen=True)
class Upload:
    name: str
    content: bytes
    mime_type: str


@dataclass(frozen=True)
class Params:
    """The parameters of a call; absent names are read as None."""

    values: Mapping[str, Any]
    uploads: Mapping[str, Upload] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        value = self.values.get(name)
        if value is None:
            return None
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError as exc:  # a lone surrogate, which JSON can contain
            raise bad_request("strings must be encoded in UTF-8") from exc
        return text

    def required(self, name: str) -> str:
        value = self.text(name)
        if value is None or value == "":
            raise bad_request(f'parameter "{name}" is required')
        return value

    def integer(self, name: str) -> int | None:
        value = self.values.get(name)
        if value is None or value == "":
            return None
        try:
            return int(value)
        except (TypeError, ValueError) as exc:
            raise bad_request(f'invalid parameter "{name}": expected an Integer') from exc

    def flag(self, name: str) -> bool:
        value = self.values.get(name)
        return value is True or str(value).lower() in {"true", "1", "yes"}

    def json(self, name: str) -> Any:
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except ValueError as exc:
            raise bad_request(f"can't parse {name} JSON object") from exc

    def mapping(self, name: str) -> dict[str, Any] | None:
        value = self.json(name)
        if value is not None and not isinstance(value, dict):
            raise bad_request(f'invalid parameter "{name}": expected an Object')
        return value

    def listing(self, name: str) -> list[Any] | None:
        value = self.json(name)
        if value is not None and not isinstance(value, list):
            raise bad_request(f'invalid parameter "{name}": expected an Array')
        return value

    def upload(self, name: str) -> Upload | None:
        """Return the file of a parameter: its own part, or the part that ``attach://`` names."""
        if name in self.uploads:
            return self.uploads[name]
        value = self.values.get(name)
        if isinstance(value, str) and value.startswith("attach://"):
            return self.uploads.get(value.removeprefix("attach://"))
        return None

    def decoded(self) -> dict[str, Any]:
        """Return all values for the record, with the JSON texts and digits of a form parsed."""
        return {name: _decode(name, value) for name, value in self.values.items()}


_NUMBERS = frozenset(
    {"chat_id", "message_id", "message_thread_id", "draft_id", "user_id", "offset", "limit", "timeout"}
)
_FREE_TEXTS = frozenset({"text", "caption"})


def _decode(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _FREE_TEXTS:
        return value
    if name in _NUMBERS and value.lstrip("-").isdigit():
        return int(value)
    if value[:1] in {"{", "["}:
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
