"""``thinktwice council``: several models answer, criticise and correct themselves; the record is printed."""

from __future__ import annotations

import asyncio
import json

from rich.console import Console

from bot.answer_json import to_json
from bot.app import running
from bot.settings.tree import Settings
from bot.terminal.ask import add_to_statistics, read_question
from bot.terminal.drawing import Ticker, show, show_answer
from bot.terminal.index import Bars
from bot.views import councils
from rag.engine import accepted
from rag.errors import InputError
from rag.events import Answered
from rag.reasons import Reason
from rag.values import Answer, Question


def council(question: str, overrides: dict[str, object], *, as_json: bool, shows_steps: bool = False) -> int:
    """Let the council answer on standard output; progress goes to standard error.

    Args:
        question: The question; ``-`` reads it from standard input.

    Raises:
        ThinkTwiceError: nobody sits in the council, no member answered, or the question, a setting or the
            corpus cannot be used.
    """
    settings = Settings.load(**overrides)
    # Refused before the documents are indexed, which may take minutes the first time.
    if not settings.council.members:
        raise InputError(Reason("council-no-seats"))
    text = accepted(read_question(question), settings.budget.question_characters)
    asyncio.run(_asked(Question(text), settings, as_json=as_json, shows_steps=shows_steps))
    return 0


async def _asked(question: Question, settings: Settings, *, as_json: bool, shows_steps: bool) -> None:
    progress = Console(stderr=True)
    found: Answer | None = None
    with Bars(progress) as bars:
        async with running(settings, None if as_json else bars, is_lasting=False) as app:
            bars.stop()
            with Ticker(progress, shows_steps=shows_steps) as ticker:
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
        show(console, councils.view(found.council, found.language) if found.council else ())
    await add_to_statistics(found, settings)
