"""Passages to cite, random answers with markers, and what holds for every text with citations."""

from __future__ import annotations

from hypothesis import strategies as st

from rag.evidence.citations import CitedText
from rag.language.markdown import code_blocks
from rag.values import Passage, PassageId


def passage(key: str, document: str, text: str, section: str = "") -> Passage:
    """Build a passage whose key is also its id."""
    return Passage(PassageId(key), document, section, text)


SETUP = passage(
    "setup",
    "setup.md",
    "FxStore needs Java 17 or newer. It runs on port 8080. Install it with `fxstore install --fast`.",
    "Set-up > Java",
)

TEAM = passage("team", "team.md", "John Smith founded the team on February 7, 2023. The team has 12 members.")
CHINESE = passage("zh", "数据.md", "数据目录的默认位置是 /var/data。备份每 24 小时进行一次。")
RUSSIAN = passage("ru", "бот.md", "Бот хранит историю разговора 30 дней. Команда состоит из пяти человек.")
PASSAGES = (SETUP, TEAM, CHINESE, RUSSIAN)

PIECES = st.sampled_from(
    [
        "FxStore needs Java 17", "It needs Java 11", "The team has 12 members", "备份每 24 小时进行一次", "Yes",
        "[1]", "[2]", "[3]", " [1]", "[7]", "【2】", "[1-3]", "[2, 1]", " ", ". ", "。", "\n", "\n\n", "- ", "1. ",
        "`a[1]`", "\n```\nx[2]\n```\n", "[1](x)", "[^1]", "?", ", ", "e.g. ", "Sources: ", "**", "|", "# ", "(", ")",
    ]
)  # fmt: skip

ANSWERS = st.one_of(st.text(), st.lists(PIECES, max_size=14).map("".join))


def check(cited: CitedText) -> None:
    """Assert that citations are numbered without gaps, quote their passages and stand in the text."""
    assert [citation.n for citation in cited.citations] == list(range(1, len(cited.citations) + 1))
    texts = {passage.id: passage.text for passage in PASSAGES}
    for citation in cited.citations:
        assert citation.quote
        assert citation.quote in texts[citation.passage]
        assert f"[{citation.n}]" in cited.text


def code_of(text: str) -> list[str]:
    return [text[block.start : block.end] for block in code_blocks(text)]
