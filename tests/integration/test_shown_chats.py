"""The chats in the documentation are what the bot says today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import shown_chats, shown_interview


async def test_page_shows_what_the_bot_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = await shown_chats.page(tmp_path, monkeypatch)
    written = shown_chats.PAGE.read_text(encoding="utf-8")
    assert page == written, "run `python -m tests.support.shown_chats` and read what changed"


async def test_page_of_the_interview_shows_what_the_bot_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = await shown_interview.page(tmp_path, monkeypatch)
    written = shown_interview.PAGE.read_text(encoding="utf-8")
    assert page == written, "run `python -m tests.support.shown_chats` and read what changed"
