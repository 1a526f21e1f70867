"""A text with formats that is built piece by piece."""

from __future__ import annotations

from bot.telegram.rendering.styled import Span, Styled, shift


class Page:
    """The text written so far, with its formats.

    Each line begins with its prefix: the indentation or the bullet of a list.
    """

    def __init__(self) -> None:
        self.length = 0
        self.breaks = 0  # line breaks at the end
        self._pieces: list[str] = []
        self._spans: list[Span] = []

    @property
    def is_at_line_start(self) -> bool:
        """Return whether the next character is the first of its line."""
        return self.breaks > 0 or self.length == 0

    def put(self, text: str) -> None:
        """Append plain text."""
        if not text:
            return
        self._pieces.append(text)
        self.length += len(text)
        ending = len(text) - len(text.rstrip("\n"))
        self.breaks = ending + (self.breaks if ending == len(text) else 0)

    def append(self, whole: Styled) -> None:
        """Append a text with formats."""
        self._spans += shift(whole.spans, self.length)
        self.put(whole.text)

    def format(self, span: Span) -> None:
        """Add a format to text that is already written."""
        self._spans.append(span)

    def since(self, place: int) -> str:
        """Return the text from the offset `place` to the end."""
        first = len(self._pieces)
        length = self.length
        while length > place:
            first -= 1
            length -= len(self._pieces[first])
        return "".join(self._pieces[first:])[place - length :]

    def styled(self) -> Styled:
        """Return the whole text with its formats."""
        return Styled("".join(self._pieces), tuple(self._spans))
