"""Log lines of the command line: on standard error, whatever else is printed."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, suppress
from pathlib import Path

import pytest
import structlog
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from bot.logs import setup
from bot.logs.redaction import SECRETS
from bot.service.errors import StorageError
from bot.storage.database import server_url
from tests.support import programs


@pytest.fixture(autouse=True)
def _default_log() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_json_stays_pure_while_another_process_owns_chroma(tmp_path: Path) -> None:
    corpus, data = tmp_path / "corpus", tmp_path / "data"
    corpus.mkdir()
    data.mkdir()
    (corpus / "leave.md").write_text("# Leave\n\nEverybody has 28 days of leave a year.\n", "utf-8")
    with FileLock(data / "chroma.lock"):
        words = ["index", "--json", str(corpus), "--data-dir", str(data)]
        done = programs.run(*words, variables=programs.environment())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["added"] == 1
    assert "searching exactly reason='The Chroma index is in use by another process.'" in done.stderr


def test_warnings_go_to_standard_error_with_their_fields(capsys: pytest.CaptureFixture[str]) -> None:
    setup.configure()
    log = structlog.get_logger("anything")
    log.info("too small to tell")
    log.warning("no vectors", reason="the server is down", tries=3)
    assert capsys.readouterr() == ("", "[warning] no vectors reason='the server is down' tries=3\n")


@pytest.mark.parametrize("is_wanted", [False, True], ids=["not asked for", "asked for"])
def test_traceback_is_told_only_when_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, is_wanted: bool
) -> None:
    if is_wanted:
        monkeypatch.setenv("THINKTWICE_TRACEBACK", "1")
    setup.configure()
    try:
        json.loads("{")
    except ValueError as error:
        structlog.get_logger().exception("it failed", reason=str(error))
    out, err = capsys.readouterr()
    assert out == ""
    assert "[error] it failed " in err
    assert "reason=" in err
    assert ("Traceback" in err) is is_wanted


def test_error_without_a_traceback_still_says_what_failed_and_where(
    capsys: pytest.CaptureFixture[str],
) -> None:
    setup.configure()
    try:
        server_url("no address")
    except StorageError:
        structlog.get_logger().exception("a job failed", job="tg:1:2")
    err = capsys.readouterr().err
    assert "error=StorageError" in err
    assert "at=bot/storage/database.py:" in err
    # The words of an error may be somebody's message.
    assert "write it like" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_line_that_cannot_be_written_does_not_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w", buffering=1) as full:
        monkeypatch.setattr(sys, "stderr", full)
        setup.configure()
        structlog.get_logger().error("nothing can be recorded")
        logging.getLogger("library").error("neither can this")
        # What is left in the buffer would fail once more.
        with suppress(OSError):
            full.close()


@given(
    st.dictionaries(st.text(max_size=8), st.text() | st.floats() | st.integers() | st.none(), max_size=5),
    st.text(),
)
def test_every_json_line_can_be_read_whatever_is_logged(fields: dict[str, object], said: str) -> None:
    out = io.StringIO()
    with redirect_stderr(out):
        setup.configure(is_dated=True, is_json=True)
        kept = {
            name: value for name, value in fields.items() if name not in {"event", "exc_info", "stack_info"}
        }
        structlog.get_logger().warning(said, **kept)
    (line,) = out.getvalue().splitlines() if "\x85" not in out.getvalue() else [out.getvalue()]
    read = json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert {"time", "level", "message"} <= read.keys()


def test_json_line_has_the_traceback_and_no_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THINKTWICE_TRACEBACK", "1")
    SECRETS.add('hush "quoted" secret')
    setup.configure(is_dated=True, is_json=True)
    try:
        int('hush "quoted" secret')
    except ValueError:
        structlog.get_logger().exception("it failed", job="7", token="123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    logging.getLogger("library").warning("of a library")
    first, second = capsys.readouterr().err.splitlines()
    told = json.loads(first)
    assert (told["level"], told["message"], told["job"]) == ("error", "it failed", "7")
    assert "[hidden]" in told["exception"]
    assert told["token"] == "[hidden]"
    assert json.loads(second)["logger"] == "library"
