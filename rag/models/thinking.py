"""Takes a model's inline thinking out of its reply.

Some servers hand over ``<think>…</think>`` in front of the answer, in pieces that may cut the tags
anywhere. Only a block at the very beginning is thinking; the same tags later are somebody's text.
"""

from __future__ import annotations

_OPEN = "<think>"
_CLOSE = "</think>"


class ThinkingFilter:
    """Lets the visible part of a streamed reply through.

    Attributes:
        thought: True once the reply turned out to begin with thinking.
    """

    def __init__(self) -> None:
        self.thought = False
        self._held = ""
        self._visible = False

    def feed(self, piece: str) -> str:
        """Take the next piece; give back what of the reply can be shown by now."""
        if self._visible:
            return piece
        self._held += piece
        if not self.thought:
            start = self._held.lstrip()
            if start.startswith(_OPEN):
                self.thought = True
            elif _OPEN.startswith(start):
                return ""  # could still become the tag
            else:
                return self._release(self._held)
        _, tag, rest = self._held.partition(_CLOSE)
        # White space behind the closing tag belongs to the block, and may come in a later piece.
        return self._release(rest.lstrip()) if tag and rest.strip() else ""

    def finish(self) -> str:
        """Give back what was held and turned out to be visible; an unclosed block never is."""
        return "" if self._visible or self.thought else self._release(self._held)

    def _release(self, text: str) -> str:
        self._visible = True
        self._held = ""
        return text


def without_thinking(reply: str) -> str:
    """The visible part of a whole reply; empty when the model did nothing but think.

    A chat template may write the opening tag itself, so that the reply holds the closing one alone.
    """
    filtered = ThinkingFilter()
    visible = filtered.feed(reply) + filtered.finish()
    if not filtered.thought and _CLOSE in visible and _OPEN not in visible:
        return visible.partition(_CLOSE)[2].lstrip()
    return visible
