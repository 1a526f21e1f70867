"""Mistakes in the words and the settings of a command are told in one sentence, with an exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import one_sentence, run


@pytest.mark.parametrize(
    ("words", "stdin", "code", "says"),
    [
        pytest.param(["ask", ""], "", 2, "empty", id="empty question"),
        pytest.param(["ask", "  \n "], "", 2, "empty", id="whitespace"),
        pytest.param(["ask", "-"], "x" * 1_000_000, 2, "1,000,000 characters", id="1 MB"),
        pytest.param(["ask", "-"], b"\x00\x01\x02\xff\xfe" * 50, 2, "not readable text", id="binary"),
        pytest.param(
            ["ask", "hi", "--corpus", "/no/such/folder"], "", 2, "/no/such/folder", id="missing corpus"
        ),
        pytest.param(["index", "/no/such/folder"], "", 2, "/no/such/folder", id="missing path"),
        pytest.param(
            ["ask", "hi", "--history", "/no/such.json"], "", 2, "/no/such.json", id="missing history"
        ),
    ],
)
def test_bad_input_is_one_sentence_and_an_exit_code(
    data_dir: Path, words: list[str], stdin: str | bytes, code: int, says: str
) -> None:
    done = run(*words, "--data-dir", str(data_dir), stdin=stdin, server="http://127.0.0.1:9/v1")
    assert done.returncode == code
    assert says in one_sentence(done)
    assert done.stdout == ""


def test_unknown_setting_names_the_nearest_one(data_dir: Path) -> None:
    done = run("index", "--data-dir", str(data_dir), THINKTWICE_SELF_CORECTION__ENABLED="no")
    assert done.returncode == 3
    assert "THINKTWICE_SELF_CORRECTION__ENABLED" in one_sentence(done)


def test_unknown_mode_is_refused_with_the_known_ones(data_dir: Path) -> None:
    done = run("ask", "--mode", "hasty", "Which Java?", "--data-dir", str(data_dir))
    assert done.returncode == 2
    assert "careful" in done.stderr
