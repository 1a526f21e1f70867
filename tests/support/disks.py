"""Disks of a test's own: small ones, and folders that nobody can write."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, *mounts: str) -> Iterator[None]:
    """Call ``mount`` for a folder with these options, one after the other; skip the test where that may not be."""
    for options in mounts:
        done = subprocess.run(["mount", *options.split(), str(folder)], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
