"""Reasons: what happened, or why, as a code and values.

Steps, verdicts, findings and errors have a `Reason`, never a sentence. The message catalogues turn it into a
sentence in the reader's language: the message of a code is ``reason-<code>`` in ``rag/texts``.
``str(reason)`` is the English sentence, for logs, prompts and programs.

To add a reason, write ``Reason("the-code", {"name": value})`` where it occurs, and add its message to every
catalogue. A test finds every code in the source and fails if a message is missing.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

AS_WRITTEN = "as-written"
"""The code of a sentence without a code of its own; it is shown verbatim in every language."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The code and values of something that happened, or of its cause.

    Args:
        code: Name of the message, in lower case with hyphens (``"file-too-large"``).
        values: Values of the message: words, numbers, and nested reasons.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __hash__(self) -> int:
        """Hash by code and values, independent of their order."""
        return hash((self.code, tuple(sorted(self.values.items(), key=lambda item: item[0]))))

    def __str__(self) -> str:
        # Imported here, because most reasons are never rendered, and loading the catalogues takes time.
        from rag.texts import ENGLISH

        return ENGLISH.reason(self)

    def to_json(self) -> dict[str, Any]:
        """Return the reason as JSON values, for records; `from_json` restores it."""
        values = {
            name: value.to_json() if isinstance(value, Reason) else value
            for name, value in self.values.items()
        }
        return {"code": self.code, "values": values}


Value: TypeAlias = "str | int | float | Reason"


def as_written(sentence: str) -> Reason:
    """Return a reason with a verbatim sentence, such as a message of another program."""
    return Reason(AS_WRITTEN, {"text": sentence})


def from_json(record: object) -> Reason:
    """Restore a reason from a record; a record of an older version is a plain sentence."""
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
    """Return why the operating system refused something; its own message if we have none."""
    known = _CODES_OF_ERRNO.get(error.errno or 0)
    return known or as_written(error.strerror or type(error).__name__)
