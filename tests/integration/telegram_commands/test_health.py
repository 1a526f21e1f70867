"""/health says of each part of the bot whether it works, and what is wrong."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.jobs.values import DeadLetter
from bot.telegram.ids import to_peer
from rag.models.roles import ModelStatus
from rag.reasons import Reason, as_written
from tests.support.commanding import OWNER, Desk, code_in


class TestHealth:
    async def test_everything_is_fine(self, d: Desk) -> None:
        text = (await d.ask("/health")).text
        assert "✖" not in text
        assert "✔ documents: 2 documents, 2 passages, version 1" in text
        assert "✔ models: openai:test" in text
        # The command itself: here nobody confirms updates.
        assert "✔ waiting at Telegram: 1" in text

    async def test_corpus_that_is_gone_is_a_fault(self, d: Desk) -> None:
        d.workshop.corpus.rename(d.workshop.corpus.with_name("moved"))
        text = (await d.ask("/health")).text
        assert f"the corpus path {d.workshop.corpus} does not exist" in text
        assert "✔ documents" not in text

    async def test_fault_of_a_model_is_told_in_the_language_of_the_reader(self, d: Desk) -> None:
        away = Reason("model-missing")
        d.around.models = (ModelStatus("writer", "embedded", "", False, away),)
        d.jobs.trouble = Reason("not-recorded", {"reason": Reason("database-disk-full", {"place": "x"})})
        await d.services.parts.users.set_language(to_peer(OWNER), "ru")
        message = await d.ask("/health")
        assert "ничего нельзя записать: база данных x не может расти: диск переполнен" in message.text
        assert (
            "✖ модели: embedded: встроенной модели ещё нет: получите её командой thinktwice models pull"
            in message.text
        )
        assert code_in(message) == ["embedded", "thinktwice models pull"]

    async def test_each_fault_is_named_where_it_is(self, d: Desk) -> None:
        d.jobs.trouble = Reason("not-recorded", {"reason": as_written("disk full")})
        d.jobs.letters = (
            DeadLetter("1", "update", "", as_written("it crashed"), datetime(2026, 5, 1, 12, tzinfo=UTC)),
        )
        d.around.models = (ModelStatus("writer", "openai:test", "", False, as_written("refused")),)
        (d.workshop.corpus / "scan.pdf").write_text("no pdf", "utf-8")
        await d.ask("/reindex")
        text = (await d.ask("/health")).text
        assert "✖ work in progress: nothing can be recorded: disk full" in text
        assert "✖ failed work: 1 (2026-05-01 12:00 UTC: it crashed)" in text
        assert "✖ models: openai:test: refused" in text
        assert "✖ documents: " in text
        assert "✔ database" in text
