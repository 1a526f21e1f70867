"""Documents for the commands, and a data folder that they are indexed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import run
from tests.support.documents import write_documents


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documents, which no test changes."""
    folder = tmp_path_factory.mktemp("corpus")
    write_documents(folder)
    return folder


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Path:
    """A data folder with the documents, where tests of conversations keep some under names of their own."""
    folder = tmp_path_factory.mktemp("data")
    assert run("index", str(corpus), "--data-dir", str(folder)).returncode == 0
    return folder
