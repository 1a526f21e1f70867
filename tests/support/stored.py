"""A fixed moment and an answer for tests of stored data, and a clock that a test can set."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.conversations.memory import ConversationMemory
from bot.service.keys import PeerId
from bot.service.passed_questions import PassedQuestions
from bot.service.stores import Stores
from bot.storage.database import Database
from bot.storage.document_sets import StoredDocumentSets
from bot.storage.passed_questions import StoredPassedQuestions
from rag.reasons import as_written
from rag.values import Answer, Usage, Verdict

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def answer(text: str) -> Answer:
    """Build an answer; the word stands in its question and in its text."""
    verdict = Verdict("adequate", as_written(""), 1.0, "rules")
    return Answer(
        f"q {text}", f"a {text}", "general", "en", verdict, (), (), False, 0, Usage(1, 30, 4), 0.1, ()
    )


def passing_nothing_on(database: Database, memory: ConversationMemory, stores: Stores) -> PassedQuestions:
    """Return what passes questions on where nobody is named who knows."""

    async def refuse(job_id: str, kind: str, payload: str, person: PeerId) -> None:
        raise AssertionError(kind)

    store, sets = StoredPassedQuestions(database), StoredDocumentSets(database).name_of_chat
    return PassedQuestions(
        store, memory, stores.runs, stores.users, sets, (), refuse, database.together, are_named=True
    )
