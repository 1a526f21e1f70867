"""A new kind of work brings its result and the view of it; no channel has heard of either."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console

from bot.service.incoming import Asked, Place
from bot.telegram.ids import to_peer
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


async def test_telegram_delivers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[Part] = []

    async def post(_run_step: Any, _delivery: Any, _place: Any, parts: Sequence[Part], **_: Any) -> None:
        posted.extend(parts)

    monkeypatch.setattr("bot.telegram.messenger.post", post)
    messenger = TelegramMessenger(cast("Any", None), cast("Any", None))
    asked = SimpleNamespace(message=SimpleNamespace(place=Place(to_peer(1), "private"), message_id=1))
    await messenger.deliver(cast("Any", None), cast("Asked", asked), None, RESULT, "en")
    (part,) = posted
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
