"""Commands that tell of the program and its set-up: version, help, doctor and models."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.support.command_line import run
from tests.support.servers import FakeOpenAI


def test_version_is_one_line() -> None:
    # The one command that is started as people start it; all others are forked.
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"thinktwice {version('thinktwice')}\n")


def test_doctor_names_each_part_and_what_to_do(data_dir: Path) -> None:
    done = run("doctor", "--json", "--data-dir", str(data_dir), server="http://127.0.0.1:9/v1")
    findings: dict[str, Any] = {finding["part"]: finding for finding in json.loads(done.stdout)}
    assert set(findings) >= {
        "Python",
        "data folder",
        "database",
        "corpus",
        "knowledge base",
        "Chroma",
        "model",
    }
    assert done.returncode == 1
    assert not findings["model"]["is_sound"]
    assert findings["model"]["remedy"]
    assert findings["knowledge base"]["is_sound"]


def test_models_tells_which_answer(data_dir: Path) -> None:
    with FakeOpenAI() as server:
        done = run("models", "--json", "--data-dir", str(data_dir), server=server.base_url)
    statuses = json.loads(done.stdout)
    assert {status["role"] for status in statuses} >= {"draft", "judge", "reader", "writer"}
    assert all(status["reachable"] for status in statuses)
    dead = run("models", "--data-dir", str(data_dir), server="http://127.0.0.1:9/v1")
    assert dead.returncode == 4
    assert "cannot be reached" in dead.stdout


def test_help_loads_nothing_heavy() -> None:
    heavy = [
        "chromadb",
        "onnxruntime",
        "pydantic_ai",
        "sqlalchemy",
        "openai",
        "numpy",
        "langchain_core",
        "py3langid",
        "structlog",
    ]
    script = (
        "import sys\nfrom typer.testing import CliRunner\nfrom bot.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
