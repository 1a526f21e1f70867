"""Sends log lines to standard error, because standard output belongs to the answer.

Whatever is logged, by us or by a library, passes `bot.logs.redaction`: no secret, one line a line.
"""

from __future__ import annotations

import json
import logging
import math
import os
import sys
import threading
import traceback
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import structlog

from bot.logs.redaction import SECRETS, lines

_HOME = Path(__file__).resolve().parents[2]
_PACKAGES = ("bot", "rag")
_make_record = logging.getLogRecordFactory()
_JSON_NAMES = {"time": "timestamp", "level": "level", "message": "event"}
_RENDERER = structlog.dev.ConsoleRenderer(
    pad_event_to=0, pad_level=False, colors=False, exception_formatter=structlog.dev.plain_traceback
)


def configure(level: int = logging.WARNING, *, is_dated: bool = False, is_json: bool = False) -> None:
    """Write log lines to standard error, one line each, with their fields.

    Whatever a front end prints for another program must stay pure; structlog's default is standard output.

    Args:
        level: Of our own lines; libraries are heard from `WARNING` on.
        is_dated: Begin each line with the time.
        is_json: Write each line as a JSON object: ``time``, ``level``, ``message``, and the fields.
    """
    dated = [structlog.processors.TimeStamper(fmt="iso", utc=True)] if is_dated else []
    structlog.configure(
        processors=[
            *dated,
            structlog.processors.add_log_level,
            _traceback_if_wanted,
            _clean,
            _rendered_as_json if is_json else _rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Looked up at each line: the stream may have been replaced since, by a progress bar for one.
        logger_factory=lambda *_names: _Lines(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # At the source: a library may bring a handler of its own.
    logging.setLogRecordFactory(_clean_record)
    root = logging.getLogger()
    if not any(isinstance(handler, _OurLines) for handler in root.handlers):
        root.addHandler(_OurLines(logging.WARNING))
    threading.excepthook = _log_thread


def _traceback_if_wanted(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Leave out tracebacks, as for failures of a command, unless they are asked for.

    What failed and where is told all the same, without the error's words: they may be somebody's message.
    """
    given = event.pop("exc_info", None)
    error = _exception(given) if given else None
    if error is not None:
        event.setdefault("error", type(error).__name__)
        event.setdefault("at", _place(error))
        if os.environ.get("THINKTWICE_TRACEBACK"):
            event["exception"] = _formatted(error)
    return event


def _clean(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Make every field one short line without secrets; a traceback keeps its lines."""
    exception = event.pop("exception", None)
    cleaned = {str(SECRETS.field(name)): SECRETS.field(value) for name, value in event.items()}
    if exception is not None:
        cleaned["exception"] = exception
    return cleaned


def _rendered(logger: object, method: str, event: MutableMapping[str, Any]) -> str:
    # Once more: a value that looks harmless may be shown in words that are not.
    return SECRETS.clean(str(_RENDERER(logger, method, event)))


def _rendered_as_json(_logger: object, _method: str, event: MutableMapping[str, Any]) -> str:
    """Write an event that has gone through `_clean` as a JSON object on one line."""
    line = {name: event.pop(key) for name, key in _JSON_NAMES.items() if key in event}
    for name, value in event.items():
        # A field of one of these names is kept beside it, and JSON has no infinite numbers.
        shown = str(value) if isinstance(value, float) and not math.isfinite(value) else value
        line[f"{name}_" if name in _JSON_NAMES else name] = shown
    return SECRETS.clean(json.dumps(line, ensure_ascii=False))


def _clean_record(*args: Any, **more: Any) -> logging.LogRecord:  # noqa: ANN401 - logging's signature
    record = _make_record(*args, **more)
    try:
        message = record.getMessage()
    except (TypeError, ValueError, KeyError):
        # A library that formats its line wrongly would print the arguments raw, and a traceback.
        message = f"{record.msg} {record.args!r}"
    record.msg, record.args = str(SECRETS.field(message)), None
    if record.exc_info and record.exc_info[1] is not None:
        # A formatter takes this text where there is one.
        record.exc_text = _formatted(record.exc_info[1])
    if record.stack_info:
        record.stack_info = lines(SECRETS.clean(record.stack_info))
    return record


class _Lines(structlog.PrintLogger):
    """Writes lines. One that cannot be written is lost: a log on a full disk must not end the work."""

    def msg(self, message: str) -> None:
        with suppress(OSError, ValueError):
            super().msg(message)

    # What a line is worth was decided before.
    log = debug = info = warn = warning = error = critical = fatal = exception = failure = err = msg


class _OurLines(logging.Handler):
    """Writes what libraries log as we write our own."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            fields: dict[str, Any] = {"logger": record.name}
            if record.exc_info:
                fields["exc_info"] = record.exc_info
            structlog.get_logger().log(record.levelno, record.msg, **fields)
        except Exception:  # noqa: BLE001 - logging's own rule: a line must not end the program
            self.handleError(record)


def _exception(given: object) -> BaseException | None:
    match given:
        case BaseException():
            return given
        case (_, error, _):
            return error if isinstance(error, BaseException) else None
        case _:
            return sys.exception()


def _place(error: BaseException) -> str:
    """The last line of our own that an error came by, or the last one at all."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        path = Path(frame.filename)
        if any(path.is_relative_to(_HOME / package) for package in _PACKAGES):
            return f"{path.relative_to(_HOME)}:{frame.lineno}"
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _formatted(error: BaseException) -> str:
    return lines(SECRETS.clean("".join(traceback.format_exception(error))))


def _log_thread(args: threading.ExceptHookArgs) -> None:
    """Log what ends a thread, instead of printing it raw."""
    exc_info: tuple[type[BaseException], BaseException | None, TracebackType | None]
    exc_info = (args.exc_type, args.exc_value, args.exc_traceback)
    if args.exc_type is not SystemExit:
        name = args.thread.name if args.thread else ""
        structlog.get_logger().error(
            "a thread ended", thread=name, reason=repr(args.exc_value), exc_info=exc_info
        )
