"""A new kind of work brings its result and the view of it; no channel has heard of either."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest
from rich.console import Console

from bot.service.incoming import Asked
from bot.telegram.messenger import TelegramMessenger
from bot.telegram.rendering import Part
from bot.terminal.drawing import show
from bot.views import html, results
from bot.views.blocks import Blocks, Note, Quote, Section, Source, Sources, bullets, line, paragraph, table


@dataclass(frozen=True, slots=True)
class Glossary:
    """What a work that explains the terms of the documents leaves."""

    terms: Mapping[str, str]
    said: str


def glossary(found: Glossary, _language: str) -> Blocks:
    return (
        Section("Terms", (table(("term", "meaning"), found.terms.items()), bullets(found.terms))),
        Quote((paragraph(found.said),)),
        Note(line("not verified"), "unverified"),
        Sources((Source("guide.md › Terms", 1),)),
    )


RESULT = Glossary({"lane": "keeps the <order>", "run": "work for somebody"}, "A run *has* a lane.")


results.view.register(Glossary)(glossary)


class Posting:
    """Takes what is delivered."""

    def __init__(self, *_: object) -> None:
        self.parts: Sequence[Part] = ()

    async def deliver(self, _run_step: Any, _asked: Any, _ask: Any, parts: Sequence[Part], **_: Any) -> None:
        self.parts = parts


async def test_telegram_delivers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    posting = Posting()
    monkeypatch.setattr("bot.telegram.messenger.Posting", lambda *_: posting)
    messenger = TelegramMessenger(cast("Any", None), cast("Any", None))
    await messenger.deliver(cast("Any", None), cast("Asked", None), None, RESULT, "en")
    (part,) = posting.parts
    assert part.text == (
        "Terms\nterm  meaning\n───────────────────────\nlane  keeps the <order>\nrun   work for somebody\n\n"
        "• lane\n• run\n\nA run *has* a lane.\n\n⚠ not verified\n[1] guide.md › Terms"
    )
    assert [entity.type for entity in part.entities] == ["bold", "pre", "blockquote", "italic", "code"]


def test_pages_show_it_as_text() -> None:
    page = html.draw(results.view(RESULT, "en"))
    assert '<td dir="auto">keeps the &lt;order&gt;</td>' in page
    assert '<p class="label label-unverified" dir="auto"><strong>not verified</strong></p>' in page


def test_terminal_shows_it() -> None:
    console = Console(file=io.StringIO(), width=80)
    show(console, results.view(RESULT, "en"))
    assert isinstance(console.file, io.StringIO)
    shown = [line.split() for line in console.file.getvalue().splitlines()]
    assert ["lane", "keeps", "the", "<order>"] in shown
    assert ["?", "not", "verified"] in shown
