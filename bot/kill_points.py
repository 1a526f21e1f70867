"""Named points at which a test may strike; in production nothing happens there.

A crash test puts a function of its own into `strike`; the program never does.
"""

from __future__ import annotations

from collections.abc import Callable


def _nothing(_name: str) -> None:
    pass


strike: Callable[[str], None] = _nothing
"""Called with the name of every point that is passed."""


def point(name: str) -> None:
    """Pass the point `name`."""
    strike(name)
