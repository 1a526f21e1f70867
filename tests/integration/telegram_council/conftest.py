"""Fixtures for councils in Telegram: the open bot with its owner, and the model that plays all members."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from rag.models.scripted import ScriptedModel
from tests.support.council_rooms import OWNER, Open
from tests.support.councils import MEMBERS, SEATS, Model
from tests.support.wired import Stage, staged


@pytest.fixture
def model() -> Model:
    """The model of every member, which behaves well unless a test gives it a script."""
    return Model()


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model) -> Open:
    """Opens a bot with a document and a council, of which settings can be given."""
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")

    def open_stage(**council: Any) -> AbstractAsyncContextManager[Stage]:
        settings = {"members": MEMBERS, "chairman": "anna", "seats": SEATS, **council}
        return staged(tmp_path, ScriptedModel(model), monkeypatch, admins=(OWNER,), council=settings)

    return open_stage


@pytest.fixture
async def stage(opened: Open) -> AsyncIterator[Stage]:
    """A bot whose jobs have all succeeded in the end."""
    async with opened() as stage:
        yield stage
        assert stage.jobs.failures == []
