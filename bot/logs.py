"""Where log lines go: standard error, because standard output belongs to the answer."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog


def configure() -> None:
    """Write warnings and worse to standard error, one line each, with their fields.

    Whatever a front end prints for another program must stay pure; structlog's default is standard output.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _traceback_if_wanted,
            structlog.dev.ConsoleRenderer(
                pad_event_to=0,
                pad_level=False,
                colors=False,
                exception_formatter=structlog.dev.plain_traceback,
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        # Looked up at each line: the stream may have been replaced since, by a progress bar for one.
        logger_factory=lambda *_names: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _traceback_if_wanted(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Leave out tracebacks, as for failures of a command, unless they are asked for."""
    if not os.environ.get("THINKTWICE_TRACEBACK"):
        event.pop("exc_info", None)
    return event
