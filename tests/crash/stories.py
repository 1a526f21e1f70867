"""Which story passes which steps of the bot: each step is killed in one of them."""

from __future__ import annotations

from tests.crash.stage import Story
from tests.crash.stories_of_people import (
    asks_alone,
    asks_aloud,
    asks_anonymously,
    asks_for_much,
    asks_in_the_group,
    asks_too_much,
    asks_while_it_is_down,
    asks_why,
    edits,
    exports_an_interview,
    finishes_an_interview,
    is_overheard,
    is_too_late,
    presses,
    says_all_to_an_interview,
    stops,
)
from tests.crash.stories_of_trouble import (
    blocks,
    cannot_be_written_to,
    dies_of_its_answer,
    fails,
    kills_the_bot,
    loses_the_placeholder,
    moves,
    presses_in_vain,
    tells_the_admins,
)

STORIES: dict[Story, tuple[str, ...]] = {
    asks_alone: (
        "admit", "recall", "placeholder", "classify", "draft", "probe", "evaluate", "retrieve", "regenerate",
        "evaluate 2", "answer", "send 1", "remember",
    ),
    asks_aloud: ("listen", "answer"),
    asks_in_the_group: ("placeholder", "deliver 1", "tidy"),
    asks_for_much: ("send 1", "send 2"),
    asks_too_much: ("fail",),
    is_overheard: ("overhear",),
    loses_the_placeholder: ("resend 1",),
    stops: ("find", "stop 1", "send 1"),
    asks_anonymously: ("send 1",),
    edits: ("withdraw", "placeholder", "deliver 1"),
    presses("useful"): ("find", "rate", "mark", "reply"),
    presses_in_vain: ("alert",),
    presses("why"): ("look up", "send 1", "reply"),
    asks_why: ("look up", "send 1"),
    blocks: ("presence", "abandon"),
    cannot_be_written_to: ("give up",),
    moves: ("migrate",),
    asks_while_it_is_down: ("late", "admit"),
    is_too_late: ("late", "send 1"),
    fails: ("apologise", "admins", "deliver 101", "send 1"),
    tells_the_admins: ("send 1",),
    kills_the_bot: ("find", "deliver 101"),
    dies_of_its_answer: ("find", "remember"),
    says_all_to_an_interview: (
        "interview route", "interview log", "interpret", "gate check", "interview append",
        "interview summary", "send 1",
    ),
    exports_an_interview: ("document 1", "document 2", "document 4"),
    finishes_an_interview: (
        "wording log", "word", "wording append", "document 1", "interview recipients", "interview report 1",
        "interview report file 1",
    ),
}  # fmt: skip
"""The steps that each story passes."""

CAREFUL: dict[str, tuple[str, ...]] = {
    "What is a kettle": ("cover", "draft", "review", "compare", "critique", "second_opinion", "refine"),
    "What is a kettle that is cut": ("continue",),
    "Which Java does FxStore need in doubt": ("read", "judge"),
    "Which Java does FxStore need in vain": ("rewrite", "retrieve 2"),
    "and which Java does it need": ("standalone",),
}
"""The steps of the engine that a careful bot passes for a question; one with "and" goes on a conversation."""
