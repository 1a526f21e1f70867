"""What is installed from a wheel works without the repository: prompts, catalogues and handbook are inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def thinktwice(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    own = {
        "PYTHONPATH": str(installed),
        "THINKTWICE_DATA_DIR": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("THINKTWICE_")}
    # Without -P the current folder would come first.
    return subprocess.run(
        [sys.executable, "-P", "-m", "bot.cli", *words],
        cwd=folder,
        env=inherited | own,
        capture_output=True,
        text=True,
    )


def test_wheel_answers_from_its_own_handbook(installed: Path, tmp_path: Path) -> None:
    done = thinktwice(
        installed, tmp_path, "ask", "--json", "--mode", "quick", "Where are conversations stored?"
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["citations"], answer
    shown = thinktwice(installed, tmp_path, "doctor", "--json")
    assert str(installed) in shown.stdout
    assert str(ROOT) not in shown.stdout


def test_wheel_holds_no_tooling_and_no_tests(installed: Path) -> None:
    names = {path.name for path in installed.iterdir()}
    assert {"bot", "rag", "prompts", "docs_corpus"} <= names
    assert not {"tests", "tools", "bench", "deploy"} & names
