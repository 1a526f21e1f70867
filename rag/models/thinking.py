"""Remove a model's inline thinking from its reply.

Some servers send ``<think>…</think>`` before the answer, in pieces that can split the tags anywhere. Only a
block at the very beginning is thinking; later tags belong to the text.
"""

from __future__ import annotations

_OPEN = "<think>"
_CLOSE = "</think>"


class ThinkingFilter:
    """Passes on the visible part of a streamed reply.

    Attributes:
        thought: True once the reply is known to begin with thinking.
    """

    def __init__(self) -> None:
        self.thought = False
        self._held = ""
        self._visible = False

    def feed(self, piece: str) -> str:
        """Add the next piece, and return the text that has become visible."""
        if self._visible:
            return piece
        self._held += piece
        if not self.thought:
            start = self._held.lstrip()
            if start.startswith(_OPEN):
                self.thought = True
            elif _OPEN.startswith(start):
                return ""  # may be the beginning of the tag
            else:
                return self._release(self._held)
        _, tag, rest = self._held.partition(_CLOSE)
        # White space after the closing tag belongs to the block, and may be in a later piece.
        return self._release(rest.lstrip()) if tag and rest.strip() else ""

    def finish(self) -> str:
        """Return held text that turned out to be visible; an unclosed block never is."""
        return "" if self._visible or self.thought else self._release(self._held)

    def _release(self, text: str) -> str:
        self._visible = True
        self._held = ""
        return text


def without_thinking(reply: str) -> str:
    """Return the visible part of a complete reply; empty if the model only thought.

    A chat template may add the opening tag itself, so that the reply has only the closing one.
    """
    filtered = ThinkingFilter()
    visible = filtered.feed(reply) + filtered.finish()
    if not filtered.thought and _CLOSE in visible and _OPEN not in visible:
        return visible.partition(_CLOSE)[2].lstrip()
    return visible
