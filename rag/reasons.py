"""Reasons: what happened, or why, as a code and values.

Steps, verdicts, findings and errors carry a `Reason` and never a sentence. The sentence is made from the
message catalogues where somebody reads it, in that person's language: the message of a code is
``reason-<code>`` in ``rag/texts``. ``str(reason)`` is the English sentence, for logs, prompts and programs.

To add a reason, write ``Reason("the-code", {"name": value})`` where it arises and its message in every
catalogue; a test finds every code in the source and misses its message where there is none.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

AS_WRITTEN = "as-written"
"""The code of a sentence that has no code of its own: it is shown as it was written, in no other language."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What happened, or why.

    Args:
        code: Names the message, in small letters with hyphens (``"file-too-large"``).
        values: What the message says it of: words, numbers, and reasons inside the reason.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Hash it by code and values, whatever their order."""
        return hash((self.code, tuple(sorted(self.values.items(), key=lambda item: item[0]))))

    def __str__(self) -> str:
        """Return the English sentence."""
        # Imported here: most reasons are never read, and reading one takes the catalogues.
        from rag.texts import ENGLISH

        return ENGLISH.reason(self)

    def to_json(self) -> dict[str, Any]:
        """Return it as values of JSON, for records; `from_json` reads them."""
        values = {
            name: value.to_json() if isinstance(value, Reason) else value
            for name, value in self.values.items()
        }
        return {"code": self.code, "values": values}


Value: TypeAlias = "str | int | float | Reason"


def as_written(sentence: str) -> Reason:
    """Return the reason that is a sentence of somebody else, or of nobody's catalogue."""
    return Reason(AS_WRITTEN, {"text": sentence})


def from_json(record: object) -> Reason:
    """Read a reason out of a record; a record of a former version is the sentence itself.

    Args:
        record: What `Reason.to_json` returned, or a sentence.
    """
    match record:
        case {"code": str(code), "values": dict(values)}:
            return Reason(
                code,
                {
                    name: from_json(value) if isinstance(value, dict) else value
                    for name, value in values.items()
                },
            )
        case _:
            return as_written(str(record))


_CODES_OF_ERRNO = {
    errno.EACCES: Reason("no-rights"),
    errno.EPERM: Reason("no-rights"),
    errno.ENOENT: Reason("not-there"),
    errno.ENOSPC: Reason("disk-full"),
}


def reason_of_os(error: OSError) -> Reason:
    """Return why the operating system refused something, in its own words where we have none."""
    known = _CODES_OF_ERRNO.get(error.errno or 0)
    return known or as_written(error.strerror or type(error).__name__)
