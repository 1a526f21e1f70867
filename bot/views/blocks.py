"""What a channel can draw: a result is a row of these blocks, and each channel has one renderer for them.

A block holds words and figures, never markup. Words may come from anybody: a renderer shows them as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rag.language.visible import visible
from rag.values import Label

Style = Literal["bold", "italic", "strikethrough", "code", "marked", "added", "removed", "small", "badge"]

Styles: TypeAlias = tuple[Style, ...]

Tone = Literal["plain", "hint", "good", "warning"] | Label

_CODE: Final = re.compile("`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Words:
    """Words in one style.

    Args:
        url: Where a link leads, as somebody wrote it; each channel decides which ones may be opened.
        source: The number of the source that a marker such as ``[1]`` points to; 0: they are no marker.
    """

    text: str
    styles: Styles = ()
    url: str = ""
    source: int = 0


Line: TypeAlias = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, or a heading of a text if it has a level, 1 to 6."""

    words: Line
    level: int = 0
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Note:
    """A remark about what stands beside it, such as the label of an answer; `tone` says how good that is."""

    words: Line
    tone: Tone = "plain"
    kind: Literal["note"] = "note"


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody else has written."""

    blocks: Blocks
    kind: Literal["quote"] = "quote"


@dataclass(frozen=True, slots=True)
class Code:
    """Lines in which every space counts, and their language as far as it is known."""

    text: str
    language: str = ""
    kind: Literal["code"] = "code"


@dataclass(frozen=True, slots=True)
class List:
    """Items, counted from `start` or with bullets."""

    items: tuple[Blocks, ...]
    start: int | None = None
    kind: Literal["list"] = "list"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; `bars` are shares from 0 to 1, one for each row, drawn where the channel can."""

    rows: tuple[tuple[Line, ...], ...]
    headings: tuple[Line, ...] = ()
    caption: str = ""
    bars: tuple[float, ...] = ()
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Fact:
    """A named value: where it comes from as a sign and in words, how sure that is, and its quote."""

    name: str
    value: str = ""
    mark: str = ""
    status: str = ""
    tone: Tone = "plain"
    quote: str = ""
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values below each other."""

    facts: tuple[Fact, ...]
    kind: Literal["facts"] = "facts"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of some work, with time and tokens in words; one without an outcome is at work."""

    name: str
    outcome: str = ""
    notes: tuple[str, ...] = ()
    time: str = ""
    tokens: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of some work, under four headings: step, outcome, tokens, time."""

    steps: tuple[Step, ...]
    headings: tuple[str, str, str, str]
    kind: Literal["steps"] = "steps"


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a document.

    Args:
        number: Its number in the text; 0: it has none.
        url: Where it can be opened, as it was checked when it was indexed; may be empty.
        quote: The words that carry the claim; empty: it is named alone.
    """

    name: str
    number: int = 0
    url: str = ""
    before: str = ""
    quote: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """The places that a text stands on."""

    sources: tuple[Source, ...]
    kind: Literal["sources"] = "sources"


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that can be given with one press."""

    label: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """Answers to choose from; a channel may show them as buttons of its own."""

    choices: tuple[Choice, ...]
    kind: Literal["choices"] = "choices"


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a title; `anchor` names it within its page."""

    title: str
    blocks: Blocks
    anchor: str = ""
    kind: Literal["section"] = "section"


@dataclass(frozen=True, slots=True)
class Panels:
    """Voices side by side: as tabs, in columns, or below each other; `anchor` names them in their page."""

    panels: tuple[Section, ...]
    anchor: str = ""
    are_compared: bool = False
    kind: Literal["panels"] = "panels"


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that a reader opens."""

    summary: str
    blocks: Blocks
    is_open: bool = False
    kind: Literal["details"] = "details"


Block: TypeAlias = (
    Text | Note | Quote | Code | List | Table | Facts | Steps | Sources | Choices | Section | Panels | Details
)
Blocks: TypeAlias = tuple[Block, ...]


def line(text: str, *styles: Style, url: str = "") -> Line:
    """Return words in one style as a line; no words give an empty one."""
    return (Words(text, styles, url),) if text else ()


def paragraph(text: str, *styles: Style) -> Text:
    """Return a paragraph that shows a text unchanged: backticks in it mark no code, unlike in `message`."""
    return Text(line(text, *styles))


def message(text: str) -> Text:
    """Return a message of a catalogue: what stands between two backticks is code, such as a command."""
    pieces = _CODE.split(text)
    return Text(tuple(Words(piece, ("code",) if n % 2 else ()) for n, piece in enumerate(pieces) if piece))


def code(name: str) -> str:
    """Return a name as `message` takes it for code: between backticks, and without any inside."""
    return f"`{' '.join(visible(name).replace('`', chr(39)).split())}`"


def bullets(texts: Iterable[str]) -> List:
    """Return texts as a list."""
    return List(tuple((paragraph(text),) for text in texts))


def table(headings: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "") -> Table:
    """Return texts as a table."""
    cells = tuple(tuple(line(cell) for cell in row) for row in rows)
    return Table(cells, tuple(line(heading) for heading in headings), caption)
