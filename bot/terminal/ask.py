"""``thinktwice ask``: one question, one answer."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import structlog
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from bot.settings.operator_words import in_operator_words
from bot.settings.tree import Settings
from rag.engine import accepted
from rag.errors import InputError, ThinkTwiceError
from rag.language.visible import visible
from rag.values import Answer, Mode, Question, Speaker, Turn

_log = structlog.get_logger(__name__)

_MOST_BYTES = 4_000_000
_NOTHING_TO_SHOW = 4


class _HistoryTurn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Speaker
    text: str


def ask(
    question: str,
    overrides: dict[str, object],
    *,
    history: Path | None,
    mode: Mode | None = None,
    as_json: bool,
    shows_steps: bool = False,
) -> int:
    """Answer `question` on standard output; progress goes to standard error.

    Args:
        question: The question; ``-`` reads it from standard input.
        mode: How much checking; None: as the settings say.

    Returns:
        0, or 4 when no model answered and the documents held no sentence to show.

    Raises:
        ThinkTwiceError: the question, the history, a setting or the corpus cannot be used.
    """
    text = read_question(question)
    turns = read_history(history) if history else ()
    settings = Settings.load(**overrides)
    # Refused before the documents are indexed, which may take minutes the first time.
    text = accepted(text, settings.budget.question_characters)
    asked = Question(text, turns, mode=mode)
    answer = asyncio.run(_answer_and_record(asked, settings, as_json=as_json, shows_steps=shows_steps))
    return 0 if answer.citations or answer.verdict.reason.code != "verdict-no-model" else _NOTHING_TO_SHOW


async def _answer_and_record(
    question: Question, settings: Settings, *, as_json: bool, shows_steps: bool
) -> Answer:
    answer = await _answer_and_print(question, settings, as_json=as_json, shows_steps=shows_steps)
    await add_to_statistics(answer, settings)
    return answer


async def add_to_statistics(answer: Answer, settings: Settings) -> None:
    """Add an answer to the statistics; when that fails, a line in the log says so."""
    from bot.app import opened_database, write_down
    from bot.statistics.values import Circumstances
    from bot.storage.answered import StoredAnswers

    try:
        async with opened_database(settings) as database:
            await write_down(StoredAnswers(database), answer, Circumstances("terminal"))
    except ThinkTwiceError as exc:
        _log.warning("the answer is missing in the statistics", reason=str(exc))


async def _answer_and_print(
    question: Question, settings: Settings, *, as_json: bool, shows_steps: bool
) -> Answer:
    if as_json:
        from bot.answer_json import to_json
        from bot.app import running

        async with running(settings, is_lasting=False) as app:
            answer = await app.engine.answer(question)
        print(json.dumps(to_json(answer), ensure_ascii=False))  # noqa: T201 - the command's output
        if answer.failure is not None:
            print(f"thinktwice: {in_operator_words(str(answer.failure.reason))}", file=sys.stderr)  # noqa: T201
        return answer

    from rich.console import Console

    from bot.app import running
    from bot.terminal.drawing import Ticker, show_answer
    from bot.terminal.index import Bars
    from rag.events import Answered

    progress = Console(stderr=True)
    with Bars(progress) as bars:
        async with running(settings, bars, is_lasting=False) as app:
            bars.stop()
            with Ticker(progress, shows_steps=shows_steps) as ticker:
                async for event in app.engine.stream(question):
                    ticker(event)
    assert isinstance(event, Answered)  # the engine's promise: the last event
    show_answer(Console(), event.answer)
    return event.answer


def read_question(question: str) -> str:
    """Return what was typed, or what standard input holds where that is ``-``."""
    if question != "-":
        return question
    return sys.stdin.buffer.read(_MOST_BYTES).decode("utf-8", "surrogateescape")


def read_history(path: Path) -> tuple[Turn, ...]:
    """Read a conversation from a JSON file of ``[{"role": "user"|"assistant", "text": "…"}]``.

    Raises:
        InputError: the file cannot be read or has another form.
    """
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise InputError(f"the history {path} cannot be read ({exc.strerror}): check the path") from exc
    try:
        rows = TypeAdapter(list[_HistoryTurn]).validate_json(content)
    except ValidationError as exc:
        error = exc.errors()[0]
        place = ".".join(str(part) for part in error["loc"]) or "the file"
        raise InputError(
            f'the history {path} is not a list of {{"role", "text"}} ({place}: {error["msg"]})'
        ) from exc
    return tuple(Turn(row.role, visible(row.text)) for row in rows)
