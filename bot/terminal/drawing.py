"""Answers and trails on a terminal, with rich.

Everything here only draws. Texts come from the catalogues in the answer's language.
"""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bot.service.answer_view import explain_missing_review
from bot.service.council_view import CouncilProgress, faults
from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from rag import prices
from rag.events import CouncilEvent, Event, StepFinished, StepStarted
from rag.events import Text as TextWritten
from rag.language.visible import visible
from rag.reasons import Value
from rag.values import Answer, Label, StepTrace, Usage

_STYLE: dict[Label, tuple[str, str]] = {
    "verified": ("✔", "green"),
    "general": ("·", "cyan"),
    "unverified": ("?", "yellow"),
    "not_in_documents": ("∅", "magenta"),
}

_LINES_AROUND_THE_TEXT = 4


def show_answer(console: Console, answer: Answer) -> None:
    """Print the answer, its label and its sources; what a council lacked comes first."""
    if answer.council is not None and (said := faults(answer.council, answer.language)):
        console.print(Text(said, style="bold yellow"))
    console.print(Padding(Markdown(answer.text), (0, 2)))
    mark, style = _STYLE[answer.label]
    console.print(Text(f"  {mark} {_text(answer, f'label-{answer.label}')}", style=style))
    if answer.failure is not None:
        reason = _text(answer, "model-failed", reason=answer.failure.reason)
        console.print(Text(f"  {in_operator_words(reason)}", style="yellow"))
    if answer.citations:
        console.print(Text(f"  {_text(answer, 'sources')}:", style="dim"))
        for citation in answer.citations:
            place = _place(citation.document, citation.section)
            console.print(_source(console, f"  [{citation.n}] ", place, citation.url, "dim"), soft_wrap=True)


def show_sources(console: Console, answer: Answer) -> None:
    """Print the words behind each source, or the closest passages when nothing is cited."""
    if answer.citations:
        for citation in answer.citations:
            place = _place(citation.document, citation.section)
            console.print(_source(console, f"[{citation.n}] ", place, citation.url, "bold"), soft_wrap=True)
            console.print(Padding(Text(citation.quote), (0, 4)))
    elif answer.passages:
        console.print(Text(f"{_text(answer, 'nearest-sources')}:", style="bold"))
        for passage in answer.passages:
            place, url = _place(passage.document, passage.section), passage.address_of(passage.text)
            console.print(_source(console, "", place, url, "bold"), soft_wrap=True)
            console.print(Padding(Text(passage.text), (0, 4)))
    else:
        console.print(_text(answer, "chat-no-sources"))


def show_trail(console: Console, answer: Answer, currency: str = "USD") -> None:
    """Print every step with its time, tokens, model and outcome, the verdict, and what all of it took.

    Args:
        console: Where to print.
        answer: The answer with its trace.
        currency: Name of the currency that prices are given in.
    """
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for heading in ("step", "ms", "tokens", "model", "what came out"):
        table.add_column(heading, justify="right" if heading in {"ms", "tokens"} else "left", style="dim")
    for step in answer.trace:
        tokens = str(step.tokens) if step.tokens else ""
        detail = Text(in_operator_words(TEXTS.reason(step.detail, answer.language)))
        table.add_row(step.step, f"{step.milliseconds:,.0f}", tokens, step.model, detail)
        for note in step.notes:
            said = in_operator_words(TEXTS.reason(note, answer.language))
            table.add_row("", "", "", "", Text(f"- {visible(said)}"))
    console.print(Padding(table, (0, 2)))
    verdict = answer.verdict
    reason = TEXTS.reason(verdict.reason, answer.language)
    lines = [
        f"{verdict.quality} ({verdict.confidence:.2f}, {verdict.source}): {reason}",
        f"{_spent(answer.usage, currency)}; {answer.seconds:.1f} s in all, {answer.retries} corrections",
        *(f"  {role}: {_spent(part, currency)}" for role, part in answer.usage.by_role.items()),
        *(
            f"    {seat}, {step}: {_spent(part, currency)}"
            for seat, steps in answer.usage.by_seat.items()
            for step, part in steps.items()
        ),
        *filter(None, [explain_missing_review(answer, answer.language)]),
        *_saved(answer),
        *_prompts(answer),
    ]
    console.print(Text("\n".join(f"  {line}" for line in lines), style="dim"))
    if answer.unrefined:
        console.print(Text(f"  {_text(answer, 'why-unrefined')}", style="dim"))
        console.print(Padding(Text(visible(answer.unrefined)), (0, 4)))


class Ticker:
    """Shows live what the engine does: a spinner for the step at work, a line for each that is over.

    Below the spinner stands the text that is being written, dim because it is not checked yet. It goes when
    the work is over, or when another text is begun.

    Args:
        console: Where to draw.
        is_quiet: Only the spinner, for whoever prints the whole trail afterwards.
        language: ISO 639-1 code of the language in which the spinner names the steps.
    """

    def __init__(self, console: Console, *, is_quiet: bool = False, language: str = "en") -> None:
        self._console = console
        self._is_quiet = is_quiet
        self._language = language
        self._status = console.status("")
        self._step = ""
        # The step that writes, and what it has written so far.
        self._writer, self._written = "", ""
        self._council = CouncilProgress()

    def __enter__(self) -> Ticker:
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._status.stop()

    def __call__(self, event: Event) -> None:
        """Draw one event."""
        match event:
            case StepStarted(step):
                self._step = step
                if step == self._writer:
                    self._written = ""
                self._draw()
            case TextWritten(step, piece):
                if step != self._writer:
                    self._writer, self._written = step, ""
                self._written += piece
                self._draw()
            case CouncilEvent():
                self._council.feed(event)
                self._draw()
            case StepFinished(trace) if not self._is_quiet:
                self._console.print(Text(f"  · {_line(trace, self._language)}", style="dim"))
            case _:
                pass

    def _draw(self) -> None:
        """Show the step at work, and as many of the last lines of the text as the terminal has room for."""
        if not self._console.is_terminal:
            return
        step = f"{TEXTS.text(f'step-{self._step}', self._language)} …"
        shown = Text(self._council.line(self._language) or step, style="dim")
        room = max(1, self._console.height - _LINES_AROUND_THE_TEXT)
        written = Text(visible(self._written)) if self._written else None
        for line in written.wrap(self._console, self._console.width - 4)[-room:] if written else ():
            shown.append("\n  ").append(line)
        self._status.update(shown)


def _line(trace: StepTrace, language: str) -> str:
    tokens = f", {trace.tokens} tokens" if trace.tokens else ""
    detail = in_operator_words(TEXTS.reason(trace.detail, language))
    return f"{trace.step}: {detail} ({trace.milliseconds:,.0f} ms{tokens})"


def _spent(usage: Usage, currency: str) -> str:
    calls = "1 model call" if usage.calls == 1 else f"{usage.calls} model calls"
    return (
        f"{calls}, {usage.input_tokens} + {usage.output_tokens} tokens, {usage.seconds:.1f} s, "
        f"{prices.worded(usage, currency)}"
    )


def _saved(answer: Answer) -> list[str]:
    """Return the line about the judge calls that were saved."""
    savings = answer.savings
    calls = "1 judge call" if savings.calls == 1 else f"{savings.calls} judge calls"
    layers = ", ".join(f"{layer} {own.calls}" for layer, own in savings.by_layer.items())
    by = f" (by {layers})" if layers else ""
    return [f"saved: {calls}, about {savings.tokens} tokens{by}"] if savings.calls else []


def _prompts(answer: Answer) -> list[str]:
    """The prompts that were used, so that an answer can be traced to their very words."""
    used = dict.fromkeys(step.prompt for step in answer.trace if step.prompt)
    return [f"prompts: {', '.join(used)}"] if used else []


def _place(document: str, section: str) -> str:
    """Name a source once: the heading path of a Markdown page begins with its title."""
    inside = section.removeprefix(document).removeprefix(" > ")
    return f"{document} › {inside}" if inside else document


def _source(console: Console, number: str, place: str, url: str, style: str) -> Text:
    """A source that can be opened: a link of the terminal (OSC 8), or its address where there is none."""
    line = Text(f"{number}{place}", style=style)
    if url and console.is_terminal:
        line.stylize(Style(link=url), len(number))
    elif url:
        line.append(f" – {url}")
    return line


def _text(answer: Answer, message: str, **values: Value) -> str:
    return TEXTS.text(message, answer.language, **values)
