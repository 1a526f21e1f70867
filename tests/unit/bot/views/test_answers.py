"""How an answer is shown: what stands around its text."""

from __future__ import annotations

from dataclasses import replace

from bot.views import answers
from bot.views.blocks import Source, Sources
from rag.values import Citation, PassageId
from tests.support.stored import answer


def test_place_that_two_sentences_stand_in_is_named_once() -> None:
    cited = tuple(
        Citation(n, "Handbook", f"Handbook > {section}", "…", PassageId(f"p{n}"), "handbook.md")
        for n, section in enumerate(("Leave", "Travel", "Leave"), 1)
    )
    assert answers.cited(replace(answer("x"), citations=cited)) == (
        Sources((Source("[3] Handbook › Leave", 1), Source("Handbook › Travel", 2))),
    )
