"""``thinktwice council``: several models answer, criticise and correct themselves; the record is printed."""

from __future__ import annotations

import asyncio
import json

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from bot.answer_json import to_json
from bot.app import running
from bot.service.council_view import member_text, ranking_lines
from bot.settings.tree import Settings
from bot.terminal.ask import add_to_statistics, read_question
from bot.terminal.drawing import Ticker, show_answer
from bot.terminal.index import Bars
from bot.texts import TEXTS
from rag.engine import accepted
from rag.errors import InputError
from rag.events import Answered
from rag.language.visible import visible
from rag.reasons import Reason
from rag.values import Answer, Question
from rag.values.council import STAGES, CouncilRecord, Review, Seat, StageName


def council(question: str, overrides: dict[str, object], *, as_json: bool) -> int:
    """Let the council answer on standard output; progress goes to standard error.

    Args:
        question: The question; ``-`` reads it from standard input.
        overrides: Settings that were given as options.
        as_json: Print one JSON object.

    Returns:
        0.

    Raises:
        ThinkTwiceError: nobody sits in the council, no member answered, or the question, a setting or the
            corpus cannot be used.
    """
    settings = Settings.load(**overrides)
    # Refused before the documents are indexed, which may take minutes the first time.
    if not settings.council.members:
        raise InputError(Reason("council-no-seats"))
    text = accepted(read_question(question), settings.budget.question_characters)
    asyncio.run(_asked(Question(text), settings, as_json=as_json))
    return 0


async def _asked(question: Question, settings: Settings, *, as_json: bool) -> None:
    progress = Console(stderr=True)
    found: Answer | None = None
    with Bars(progress) as bars:
        async with running(settings, None if as_json else bars, is_lasting=False) as app:
            bars.stop()
            with Ticker(progress, is_quiet=as_json) as ticker:
                async for event in app.engine.council(question):
                    ticker(event)
                    if isinstance(event, Answered):
                        found = event.answer
    assert found is not None  # the engine's promise: the last event
    if as_json:
        print(json.dumps(to_json(found), ensure_ascii=False))  # noqa: T201 - the command's output
    else:
        console = Console()
        show_answer(console, found)
        show_record(console, found)
    await add_to_statistics(found, settings)


def show_record(console: Console, answer: Answer) -> None:
    """Print what each stage of the council left; nothing for an answer of a single model."""
    record, language = answer.council, answer.language
    if record is None:
        return
    _title(console, "stage1", language)
    for response in record.stage1:
        if response.is_usable:
            _text(console, response.seat, response.text)
        else:
            told = Reason("council-not-answered", {"seat": response.seat, "status": response.status})
            _line(console, TEXTS.reason(told, language))
    _title(console, "stage2", language)
    for review in record.stage2:
        _show_review(console, review)
    console.print(Text(f"  {TEXTS.text('council-ranking', language)}", style="dim"))
    for line in ranking_lines(record, language):
        _line(console, line)
    _title(console, "stage2_5", language)
    for number, _correction in enumerate(record.stage2_5):
        heading, text = member_text(record, number, "corrected", language)
        _text(console, heading, text)
    _show_spent(console, record, language)


def _title(console: Console, stage: str, language: str) -> None:
    name = TEXTS.text(f"council-title-{stage.replace('_', '-')}", language)
    console.print()
    console.print(Text(name, style="bold"))


def _text(console: Console, heading: str, text: str) -> None:
    console.print(Text(f"  {visible(heading)}", style="cyan"))
    # As it was written: Markdown would hide the tags that small models put around their answers.
    console.print(Padding(Text(visible(text)), (0, 4)))


def _line(console: Console, line: str) -> None:
    console.print(Padding(Text(visible(line)), (0, 4)))


def _show_review(console: Console, review: Review) -> None:
    """Whom a reviewer criticised, by name: outside the prompts nobody need be anonymous."""
    if review.ballot is None:
        return
    seats = dict(review.letters)
    console.print(Text(f"  {visible(review.reviewer)}", style="cyan"))
    for critique in review.ballot.critiques:
        said = "; ".join(part for part in (critique.strengths, *critique.issues) if part)
        if said:
            _line(console, f"{seats[critique.letter]}: {said}")


def _show_spent(console: Console, record: CouncilRecord, language: str) -> None:
    """Show the cost of each member, stage by stage."""
    console.print()
    rows: dict[str, list[str]] = {}
    seat: str
    calls: dict[StageName, list[tuple[Seat, int, float]]] = {
        "stage1": [(one.seat, one.tokens, one.seconds) for one in record.stage1],
        "stage2": [(one.reviewer, one.tokens, one.seconds) for one in record.stage2],
        "stage2_5": [(one.seat, one.tokens, one.seconds) for one in record.stage2_5],
    }
    for stage, step in STAGES.items():
        name = TEXTS.text(f"step-{step}", language)
        for seat, tokens, seconds in calls.get(stage, ()):
            rows.setdefault(seat, []).append(f"{name}: {tokens} tok, {seconds:.1f} s")
    if record.stage3 is not None and not record.stage3.is_single_answer:
        name = TEXTS.text(f"step-{STAGES['stage3']}", language)
        seat = record.stage3.seat or record.stage3.model
        rows.setdefault(seat, []).append(f"{name}: {record.stage3.tokens} tok, {record.stage3.seconds:.1f} s")
    for seat, told in rows.items():
        console.print(Text(f"  {visible(seat)} – {' · '.join(told)}", style="dim"))
