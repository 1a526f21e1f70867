"""Answers in a real database: written down once, rated, summed up, and forgotten with their conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
import sqlalchemy as sa

from bot.statistics.values import Circumstances, Day, Latency
from bot.storage.answered import StoredAnswers
from bot.storage.conversations import StoredConversations
from bot.storage.database import Database
from bot.storage.tables import answered, asked, spending
from rag.reasons import as_written
from rag.values import Answer, Label, Quality, Savings, Usage, Verdict
from tests.support.stored import NOW, Clock

DRAFT = Usage(1, 100, 10, 2.0, 0.01, 0)
JUDGE = Usage(2, 200, 20, 4.0, 0.0, 2)
ANSWER = Answer(
    question="and which one?",
    standalone="Which Java does FxStore need?",
    text="Java 17 [1].",
    label="verified",
    language="en",
    verdict=Verdict("adequate", as_written("cited"), 0.9, "evidence"),
    citations=(),
    passages=(),
    used_documents=True,
    retries=1,
    usage=Usage(3, 300, 30, 6.0, 0.01, 2, {"draft": DRAFT, "judge": JUDGE}),
    seconds=3.0,
    trace=(),
    savings=Savings(2, 500, {"checks": Savings(1, 200), "evidence": Savings(1, 300)}),
    score=0.8,
)


@pytest.fixture
def stored(database: Database, clock: Clock) -> StoredAnswers:
    return StoredAnswers(database, clock)


def telegram(
    name: str, user: str = "u1", conversation: str = "c1", seconds: float | None = None
) -> Circumstances:
    return Circumstances("telegram", conversation, user, seconds, id=name)


def answer(
    label: Label = "verified",
    quality: Quality = "adequate",
    text: str = "Which Java does FxStore need?",
    seconds: float = 3.0,
) -> Answer:
    verdict = replace(ANSWER.verdict, quality=quality)
    return replace(ANSWER, label=label, verdict=verdict, standalone=text, seconds=seconds)


async def count(database: Database, table: sa.Table) -> int:
    async with database.reading() as connection:
        return await connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


async def texts(database: Database) -> Sequence[str]:
    async with database.reading() as connection:
        return (await connection.scalars(sa.select(asked.c.text))).all()


class TestRecording:
    async def test_answer_is_summed_up_with_all_that_it_took(self, stored: StoredAnswers) -> None:
        await stored.record(ANSWER, telegram("a"))

        sums = await stored.summary(NOW - timedelta(days=1))

        assert (sums.questions, sums.people, sums.labels) == (1, 1, {"verified": 1})
        assert sums.used_documents == 1
        assert sums.savings == Savings(2, 500, {"checks": Savings(1, 200), "evidence": Savings(1, 300)})
        assert sums.latency == Latency(3.0, 3.0)
        assert replace(sums.usage, by_role={}) == replace(ANSWER.usage, by_role={})
        assert sums.usage.by_role == {"judge": JUDGE, "draft": DRAFT}

    async def test_same_question_recorded_again_is_one_question(
        self, stored: StoredAnswers, database: Database
    ) -> None:
        for _ in range(3):
            await stored.record(ANSWER, telegram("a"))
        assert [await count(database, table) for table in (answered, asked, spending)] == [1, 1, 2]

    async def test_standalone_question_is_kept_not_the_words_that_lean_on_the_history(
        self, stored: StoredAnswers, database: Database
    ) -> None:
        await stored.record(ANSWER, telegram("a"))
        await stored.record(replace(ANSWER, standalone="", question="Hello\x00?"), telegram("b"))
        assert sorted(await texts(database)) == ["Hello\ufffd?", "Which Java does FxStore need?"]

    async def test_words_outside_any_conversation_are_not_kept(
        self, stored: StoredAnswers, database: Database
    ) -> None:
        await stored.record(ANSWER, Circumstances("terminal"))
        assert (await count(database, answered), await count(database, asked)) == (1, 0)

    async def test_words_and_person_go_with_the_conversation_and_the_figures_stay(
        self, stored: StoredAnswers, database: Database
    ) -> None:
        await stored.record(ANSWER, telegram("a", conversation="c1"))
        await stored.record(ANSWER, telegram("b", user="u2", conversation="c2"))

        await StoredConversations(database).clear("c1")

        assert await count(database, asked) == 1
        sums = await stored.summary(NOW - timedelta(days=1))
        assert (sums.questions, sums.people) == (2, 1)
        assert sums.usage.calls == 6

    async def test_question_counts_from_when_it_was_asked(self, stored: StoredAnswers) -> None:
        await stored.record(ANSWER, telegram("a", seconds=7200.0))
        assert (await stored.summary(NOW - timedelta(hours=1))).questions == 0
        sums = await stored.summary(NOW - timedelta(hours=3))
        assert sums.latency == Latency(7200.0, 7200.0)

    async def test_calls_of_summaries_are_listed_beside_the_roles(self, stored: StoredAnswers) -> None:
        await stored.record(ANSWER, telegram("a"))
        await stored.spend("summarize", Usage(1, 50, 5, 1.0, 0.5, 0, {"draft": Usage(1, 50, 5, 1.0, 0.5)}))

        usage = (await stored.summary(NOW - timedelta(days=1), NOW + timedelta(days=1))).usage

        assert usage.by_role["summaries"] == Usage(1, 50, 5, 1.0, 0.5)
        assert usage.by_role["draft"] == DRAFT
        assert usage.calls == 4
        assert usage.cost == pytest.approx(0.51)


class TestSums:
    async def test_nothing_asked_adds_up_to_nothing(self, stored: StoredAnswers) -> None:
        sums = await stored.summary(NOW - timedelta(days=30))
        assert (sums.questions, sums.used_documents, sums.latency, sums.days) == (0, 0, None, ())

    async def test_percentiles_are_seconds_that_somebody_waited(self, stored: StoredAnswers) -> None:
        for n in range(1, 21):
            await stored.record(answer(seconds=float(n)), telegram(str(n)))
        # ⌈20 · 0.5⌉ = the 10th, ⌈20 · 0.95⌉ = the 19th of 1 … 20 seconds.
        assert (await stored.summary(NOW - timedelta(days=1))).latency == Latency(10.0, 19.0)

    async def test_days_are_told_apart_and_older_ones_left_out(
        self, stored: StoredAnswers, clock: Clock
    ) -> None:
        for ago, name, label in (
            (0, "a", "verified"),
            (0, "b", "general"),
            (2, "c", "verified"),
            (9, "d", "general"),
        ):
            clock.now = NOW - timedelta(days=ago)
            await stored.record(answer(label, seconds=ago + 1.0), telegram(name))  # type: ignore[arg-type]  # labels
        clock.now = NOW

        sums = await stored.summary(NOW - timedelta(days=7))

        assert sums.days == (
            Day(date(2026, 5, 18), {"verified": 1}, Latency(3.0, 3.0)),
            Day(date(2026, 5, 20), {"verified": 1, "general": 1}, Latency(1.0, 1.0)),
        )
        assert sums.labels == {"verified": 2, "general": 1}
        assert [day.questions for day in sums.days] == [1, 2]


class TestFeedback:
    async def test_last_rating_counts_and_can_be_taken_back(self, stored: StoredAnswers) -> None:
        await stored.record(ANSWER, telegram("a"))
        thumbs = []
        for useful in (True, False, None):
            assert await stored.feedback("a", useful)
            sums = await stored.summary(NOW - timedelta(days=1))
            thumbs.append((sums.useful, sums.wrong))
        assert thumbs == [(1, 0), (0, 1), (0, 0)]

    async def test_rating_of_an_unknown_answer_is_told(self, stored: StoredAnswers) -> None:
        assert not await stored.feedback("nobody", True)


class TestUnanswered:
    async def test_only_what_the_documents_failed_to_tell_is_listed(self, stored: StoredAnswers) -> None:
        rows: tuple[tuple[str, Label, Quality, bool | None], ...] = (
            ("Where is the parking lot?", "not_in_documents", "needs_docs", None),
            ("Who repairs the printer?", "unverified", "hallucination", None),
            ("How long is the warranty?", "verified", "adequate", False),
            ("What is the capital of France?", "general", "adequate", None),
            ("Which Java does FxStore need?", "verified", "adequate", True),
            ("When does the shuttle leave?", "unverified", "unchecked", None),
            ("Is there a gym?", "not_in_documents", "needs_docs", True),
        )
        for text, label, quality, useful in rows:
            await stored.record(answer(label, quality, text), telegram(text))
            await stored.feedback(text, useful)

        found = await stored.unanswered(NOW - timedelta(days=1))

        assert {group.text for group in found} == {text for text, *_ in rows[:3]}
        for is_marked, expected in ((True, rows[2:3]), (False, rows[:2])):
            found = await stored.unanswered(NOW - timedelta(days=1), is_marked=is_marked)
            assert {group.text for group in found} == {text for text, *_ in expected}

    async def test_most_frequent_question_stands_first_in_its_most_frequent_words(
        self, stored: StoredAnswers, clock: Clock
    ) -> None:
        asked_texts = (
            "Where is the parking lot?",
            "Who repairs the printer?",
            "who repairs the printers",
            "Who repairs the printer?",
            "Как получить пропуск?",
        )
        for n, text in enumerate(asked_texts):
            clock.now = NOW + timedelta(minutes=n)
            await stored.record(answer("not_in_documents", "needs_docs", text, 0.0), telegram(str(n)))

        found = await stored.unanswered(NOW - timedelta(days=1), limit=2)

        assert [(group.text, group.count) for group in found] == [
            ("Who repairs the printer?", 3),
            ("Как получить пропуск?", 1),
        ]
        assert found[0].last_asked == NOW + timedelta(minutes=3)

    async def test_older_questions_and_forgotten_ones_are_left_out(
        self, stored: StoredAnswers, database: Database, clock: Clock
    ) -> None:
        open_question = answer("not_in_documents", "needs_docs")
        clock.now = NOW - timedelta(days=8)
        await stored.record(open_question, telegram("old"))
        clock.now = NOW
        await stored.record(open_question, telegram("forgotten", conversation="c2"))
        await StoredConversations(database).clear("c2")

        assert await stored.unanswered(NOW - timedelta(days=7)) == ()
        assert len(await stored.unanswered(NOW - timedelta(days=9))) == 1
        assert await stored.unanswered(NOW - timedelta(days=9), until=NOW - timedelta(days=8, hours=1)) == ()
