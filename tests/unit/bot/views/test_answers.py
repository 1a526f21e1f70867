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


def test_two_files_of_one_name_are_told_apart_by_their_file_names() -> None:
    cited = tuple(
        Citation(n, "Returns", "", "45 days", PassageId(source), source)
        for n, source in enumerate(("2025/returns.md", "2023/returns OLD.md"), 1)
    )
    (shown,) = answers.cited(replace(answer("x"), citations=cited))
    assert isinstance(shown, Sources)
    assert [one.name for one in shown.sources] == ["Returns (returns.md)", "Returns (returns OLD.md)"]
