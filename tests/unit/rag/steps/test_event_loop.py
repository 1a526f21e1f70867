"""Checks and evidence do not keep the event loop from other chats, whatever a model wrote."""

from __future__ import annotations

import time

import pytest

from rag.values import Passage, PassageId, Question
from tests.support.loop import MemoryCorpus, engine, scripted
from tests.support.watchdog import Watched, watched_loop

CHARACTERS = 4_000
MOST_SECONDS = 0.5
"""A deadline, some ten times what the slowest of these texts takes: a pattern that runs away takes minutes."""
ATTEMPTS = 3
"""A busy processor stretches a measurement; what freezes the loop does so every time."""

UNITS = (
    "[1]", "[1] ", " ", "a", "1.", "1.2.3.", "**a ", "`a", "```\n", "<think>", "- a\n", "| a |\n", "字", "가", "a b. ", "not ",
    "Java 17 is needed. ", "twenty-one ", "三百", "1 000 ", "[a](", "http://a.b/c ", "\n", "\u0301", "“a", "TODO ", "5 km ", "2024-01-01 ",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS, ids=repr)
async def test_reply_of_one_thing_again_and_again_does_not_freeze_the_bot(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = (unit * CHARACTERS)[:CHARACTERS] + " done"
    passage = Passage(PassageId("p"), "guide.md", "Set-up", "FxStore needs Java 17. " + reply[:2_000])
    model = scripted(draft=reply, regenerate=reply)
    answering = engine(model, MemoryCorpus([passage]), max_retries=1)
    # What is imported or compiled at the first use is not the text's fault.
    await answering.answer(Question("Which Java does FxStore need?"))
    found: list[Watched] = []
    while len(found) < ATTEMPTS and all(one.longest_seconds >= MOST_SECONDS for one in found):
        started = time.process_time()
        with watched_loop(monkeypatch) as watched:
            await answering.answer(Question("Which Java does FxStore need?"))
        assert time.process_time() - started < 5
        found.append(watched)
    assert found[-1].longest_seconds < MOST_SECONDS, found[-1].what
