"""Named points at which a crash test can kill the process; in production nothing happens there.

A crash test sets `strike` to a function of its own; the program never does.
"""

from __future__ import annotations

from collections.abc import Callable


def _nothing(_name: str) -> None: ...


strike: Callable[[str], None] = _nothing
"""Called with the name of each point that the program passes."""


def point(name: str) -> None:
    """Call `strike` with the name of this point."""
    strike(name)
