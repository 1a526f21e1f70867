from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bot.storage.data_folder import create_folder


def test_the_data_folder_is_closed_to_other_users(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        folder = create_folder(tmp_path / "data")
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o077 == 0


def test_what_the_program_writes_is_closed_to_other_users() -> None:
    code = "import os, sys; from bot.cli import main\ntry: main()\nexcept SystemExit: print(oct(os.umask(0)))"
    run = subprocess.run(
        [sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "0o77"
