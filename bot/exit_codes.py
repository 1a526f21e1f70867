"""Turns failures into one sentence and an exit code, with a traceback only if THINKTWICE_TRACEBACK is set."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable

from bot.logs.redaction import SECRETS
from rag.errors import ThinkTwiceError

INTERRUPTED = 130
UNEXPECTED = 70
"""``EX_SOFTWARE`` of sysexits.h: a bug of ours."""

_SYSTEM = {
    errno.ENOSPC: "the disk is full: free some space and run the command again; nothing was lost",
    errno.EDQUOT: "the disk quota is used up: free some space and run the command again; nothing was lost",
    errno.EACCES: "permission denied on {path}: give this user the right, or choose another --data-dir",
    errno.EROFS: "{path} is on a read-only file system: mount it for writing, or choose another --data-dir",
}


def reported(run: Callable[[], None]) -> int:
    """Run a command, print its error as one sentence on standard error, and return the exit code."""
    try:
        run()
    except SystemExit as exc:
        return exc.code if isinstance(exc.code, int) else 0 if exc.code is None else 1
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed it. Python would report that again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ThinkTwiceError as exc:
        # Imported here, because the settings load slowly, and a command that fails has loaded them already.
        from bot.settings.operator_words import in_operator_words

        return _fail(in_operator_words(str(exc)), exc.exit_code)
    except OSError as exc:
        sentence = _SYSTEM.get(exc.errno or 0)
        if sentence is None:
            return _unexpected(exc)
        return _fail(sentence.format(path=exc.filename or "a file"), 3)
    except sqlite3.Error as exc:
        return _fail(f"the database cannot be used ({exc}): run `thinktwice doctor`", 3)
    except Exception as exc:  # noqa: BLE001 - the outermost edge
        return _unexpected(exc)
    return 0


def _fail(sentence: str, code: int) -> int:
    if os.environ.get("THINKTWICE_TRACEBACK"):
        print(SECRETS.clean(traceback.format_exc()), file=sys.stderr)  # noqa: T201 - as below
    print(f"thinktwice: {SECRETS.clean(sentence)}", file=sys.stderr)  # noqa: T201 - the command line's voice
    return code


def _unexpected(exc: BaseException) -> int:
    kind = type(exc).__name__
    return _fail(
        f"something unexpected happened ({kind}: {exc}); this is a bug: "
        "set THINKTWICE_TRACEBACK=1, run the command again and report what it prints",
        UNEXPECTED,
    )
