"""Draws blocks (`bot.views`) on a terminal, and work that goes on: the one renderer of this channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style as RichStyle
from rich.table import Table
from rich.text import Text

from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.views import answers, blocks
from bot.views.blocks import Block, Blocks, Fact, Line, Note, Source, Style, Tone
from bot.views.progress import Progress
from rag.events import Event, StepFinished
from rag.language.visible import visible
from rag.values import Answer

_TONES: Final[dict[Tone, tuple[str, str]]] = {
    "verified": ("✔ ", "green"),
    "partly": ("◐ ", "green"),
    "conversation": ("↩ ", "cyan"),
    "general": ("· ", "cyan"),
    "unverified": ("? ", "yellow"),
    "not_in_documents": ("∅ ", "magenta"),
    "person": ("👤 ", "cyan"),
    "good": ("", "green"),
    "warning": ("", "bold yellow"),
    "hint": ("", "dim"),
    "plain": ("", ""),
}
_STYLES: Final[dict[Style, str]] = {
    "bold": "bold",
    "italic": "italic",
    "strikethrough": "strike",
    "code": "cyan",
    "marked": "bold",
    "added": "underline green",
    "removed": "strike red",
    "small": "dim",
    "badge": "yellow",
}
_LINES_AROUND_THE_TEXT: Final = 4


def show(console: Console, found: Blocks, indent: int = 0) -> None:
    """Print blocks below each other; where the output is no terminal, lines of text are not broken."""
    is_terminal = console.is_terminal
    for drawn in _inset(_draw_all(found, is_terminal=is_terminal), indent, is_terminal=is_terminal):
        console.print(drawn, soft_wrap=isinstance(drawn, Text) and not is_terminal)


def show_answer(console: Console, answer: Answer) -> None:
    """Print an answer, its label and sources, why no model wrote it, and first what a council lacked."""
    show(console, answers.lacking(answer, answer.language))
    show(console, answers.text(answer), indent=2)
    remarks = answers.label(answer, answer.language)
    if answer.failure is not None:
        reason = TEXTS.text("model-failed", answer.language, reason=answer.failure.reason)
        remarks = (*remarks, Note(blocks.line(in_operator_words(reason)), "warning"))
    show(console, (*remarks, *answers.cited(answer)), indent=2)


def _inset(
    drawn: Iterable[RenderableType], indent: int = 4, *, is_terminal: bool
) -> Iterator[RenderableType]:
    for one in drawn:
        if isinstance(one, Text) and not is_terminal:
            yield Text("\n").join(Text(" " * indent) + line for line in one.split("\n"))
        else:
            yield Padding(one, (0, 0, 0, indent))


def _draw_all(found: Blocks, *, is_terminal: bool) -> Iterator[RenderableType]:
    for block in found:
        yield from _draw(block, is_terminal=is_terminal)


def _draw(block: Block, *, is_terminal: bool) -> Iterator[RenderableType]:
    match block:
        case blocks.Text(words, level):
            yield _line(words, "bold" if level else "")
        case blocks.Note(words, tone):
            mark, style = _TONES[tone]
            yield Text(mark, style) + _line(words, style)
        case blocks.Code(text):
            yield Padding(Text(visible(text), "cyan"), (0, 0, 0, 4))
        case blocks.Table():
            yield from (Text(block.caption, "bold"),) if block.caption else ()
            yield _table(block)
        case blocks.Facts(facts):
            yield from map(_fact, facts)
        case blocks.Steps():
            yield _steps(block)
        case blocks.Sources(sources):
            for source in sources:
                yield from _source(source, is_terminal=is_terminal)
        case blocks.Choices(choices):
            yield from (Text(f"  {n}. {visible(one.label)}") for n, one in enumerate(choices, 1))
        case _:
            yield from _nested(block, is_terminal=is_terminal)


def _nested(
    block: blocks.Quote | blocks.List | blocks.Section | blocks.Panels | blocks.Details, *, is_terminal: bool
) -> Iterator[RenderableType]:
    match block:
        case blocks.Quote(inner):
            yield from _inset(_draw_all(inner, is_terminal=is_terminal), is_terminal=is_terminal)
        case blocks.List(items, start):
            grid = Table.grid(padding=(0, 1, 0, 0))
            for number, item in enumerate(items, start or 0):
                mark, drawn = "•" if start is None else f"{number}.", _draw_all(item, is_terminal=is_terminal)
                match item:
                    case (blocks.Text(words),) if not is_terminal:
                        yield Text(f"{mark} ") + _line(words)
                    case _:
                        grid.add_row(mark, Group(*drawn))
            yield from (grid,) if grid.row_count else ()
        case blocks.Panels(panels):
            for one in panels:
                yield Text(f"  {visible(one.title)}", "cyan")
                yield from _inset(_draw_all(one.blocks, is_terminal=is_terminal), is_terminal=is_terminal)
        case blocks.Section(title, inner) | blocks.Details(title, inner):
            yield from (Text(), Text(visible(title), "bold"))
            yield from _draw_all(inner, is_terminal=is_terminal)


def _line(words: Line, style: str = "") -> Text:
    line = Text(style=style)
    for one in words:
        styles = " ".join(_STYLES[each] for each in one.styles)
        line.append(visible(one.text), RichStyle.parse(styles) + RichStyle(link=one.url or None))
    return line


def _table(block: blocks.Table) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.show_header = bool(block.headings)
    rows = [[_line(cell) for cell in row] for row in block.rows]
    for number, heading in enumerate(block.headings or rows[0]):
        are_figures = sum(row[number].plain[:1].isdigit() for row in rows) > len(rows) / 2
        shown = _line(heading) if isinstance(heading, tuple) else ""
        table.add_column(shown, justify="right" if are_figures else "left", no_wrap=not number)
    for row in rows:
        table.add_row(*row)
    return table


def _steps(block: blocks.Steps) -> Table:
    name, outcome, tokens, time = block.headings
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, style="dim")
    for heading, side in (
        (name, "left"),
        (time, "right"),
        (tokens, "right"),
        ("", "left"),
        (outcome, "left"),
    ):
        table.add_column(heading, justify="right" if side == "right" else "left", style="dim")
    for step in block.steps:
        told = Text("\n".join([visible(step.outcome), *(f"- {visible(note)}" for note in step.notes)]))
        table.add_row(step.name, step.time, step.tokens, step.model, told)
    return table


def _fact(fact: Fact) -> Text:
    named = f"{fact.name}: {fact.value}" if fact.value else fact.name
    return Text(visible(f"{fact.mark} {named}"), _TONES[fact.tone][1])


def _source(source: Source, *, is_terminal: bool) -> Iterator[RenderableType]:
    """Yield a source: a link of the terminal (OSC 8), or its address where there are no links."""
    number = f"[{source.number}] " if source.number else ""
    line = Text(f"{number}{visible(source.name)}", "bold" if source.quote else "dim")
    if source.url and is_terminal:
        line.stylize(RichStyle(link=source.url), len(number))
    elif source.url:
        line.append(f" – {source.url}")
    yield line
    if source.quote:
        yield from _inset((Text(visible(source.quote)),), is_terminal=is_terminal)


class Ticker:
    """Shows the step at which the engine works, in one line that changes.

    Below the spinner stands the text that is being written, dim because it is not checked yet. It goes when
    the work is over, or when another text is begun.

    Args:
        shows_steps: Each step that is over gets a line that stays.
        language: ISO 639-1 code of the language in which the spinner names the steps.
        first: The step that is shown before any has begun.
    """

    def __init__(
        self, console: Console, *, shows_steps: bool = False, language: str = "en", first: str = "classify"
    ) -> None:
        self._console = console
        self._shows_steps = shows_steps
        self._language = language
        self._status = console.status("")
        self._progress = Progress(first)

    def __enter__(self) -> Ticker:
        if self._console.is_terminal:
            self._draw()
            self._status.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._status.stop()

    def __call__(self, event: Event) -> None:
        """Draw one event."""
        self._progress.feed(event)
        if self._console.is_terminal:
            self._draw()
        if isinstance(event, StepFinished) and self._shows_steps:
            (step,) = answers.steps((event.trace,), self._language).steps
            took = ", ".join(filter(None, (step.time, step.tokens)))
            self._console.print(Text(f"  · {step.name}: {visible(step.outcome)} ({took})", style="dim"))

    def _draw(self) -> None:
        """Show the step at work, and as many of the last lines of the text as the terminal has room for."""
        shown = Text(self._progress.line(self._language), style="dim")
        room = max(1, self._console.height - _LINES_AROUND_THE_TEXT)
        written = Text(visible(self._progress.draft_text))
        if written:
            for line in written.wrap(self._console, self._console.width - 4)[-room:]:
                shown.append("\n  ").append(line)
        self._status.update(shown)
