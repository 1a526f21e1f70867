"""A text that grows piece by piece, with its formats."""

from __future__ import annotations

from bot.telegram.rendering.styled import Span, Styled, shifted


class Page:
    """What is written so far.

    A line begins with its prefix, the indentation or the bullet of a list, before anything else is written.
    """

    def __init__(self) -> None:
        self.length = 0
        self.breaks = 0  # line breaks at the end
        self._pieces: list[str] = []
        self._spans: list[Span] = []

    @property
    def is_at_line_start(self) -> bool:
        """Whether the next character is the first one of its line."""
        return self.breaks > 0 or self.length == 0

    def put(self, text: str) -> None:
        """Write text as it is."""
        if not text:
            return
        self._pieces.append(text)
        self.length += len(text)
        ending = len(text) - len(text.rstrip("\n"))
        self.breaks = ending + (self.breaks if ending == len(text) else 0)

    def append(self, whole: Styled) -> None:
        """Write a text that has its formats already."""
        self._spans += shifted(whole.spans, self.length)
        self.put(whole.text)

    def format(self, span: Span) -> None:
        """Give a stretch that is written a format."""
        self._spans.append(span)

    def since(self, place: int) -> str:
        """What stands behind `place`."""
        first = len(self._pieces)
        length = self.length
        while length > place:
            first -= 1
            length -= len(self._pieces[first])
        return "".join(self._pieces[first:])[place - length :]

    def styled(self) -> Styled:
        """The page."""
        return Styled("".join(self._pieces), tuple(self._spans))
