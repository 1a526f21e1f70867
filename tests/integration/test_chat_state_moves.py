"""A group becomes a supergroup: everything that is kept of it follows, all of it or nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.conversations.values import Message as Said
from bot.conversations.values import Summary
from bot.service.incoming import Asked, Message, Place, Sender
from bot.service.keys import PeerId
from bot.service.limits import Load
from bot.service.passed_questions import PassedQuestion
from bot.service.people import Refusal
from bot.service.runs import Runs
from bot.statistics.values import Circumstances
from bot.storage import chats as chats_module
from bot.storage.answered import StoredAnswers
from bot.storage.arrivals import StoredArrivals
from bot.storage.asks import Asks
from bot.storage.chat_migration import move_chat
from bot.storage.chats import Chats
from bot.storage.confirmations import Confirmations
from bot.storage.conversations import StoredConversations
from bot.storage.database import Database
from bot.storage.document_sets import StoredDocumentSets
from bot.storage.notices import Notices
from bot.storage.passed_questions import StoredPassedQuestions
from bot.storage.run_events import StoredRuns
from bot.storage.sent_messages import SentMessages
from bot.storage.spent import Spent
from bot.storage.tables import metadata
from bot.telegram.ids import to_peer
from rag.reasons import as_written
from rag.values import Answer, DocumentSet, Usage, Verdict
from tests.support.stored import NOW

OLD, NEW = to_peer(-500), to_peer(-1000000000500)
PLACE = Place(OLD, "group", None, "Team")
ANN = Sender(to_peer(42), "person", "Ann")
ANSWER = Answer("q", "a", "general", "en", Verdict("adequate", as_written(""), 1.0, "rules"), (), (), False, 0, Usage(1, 30, 4), 0.1, ())  # fmt: skip


def accept(now: datetime, load: Load) -> Refusal | None:
    return None


async def filled(database: Database) -> None:
    """A row about the old chat in every table that knows chats."""
    chats, asks = Chats(database), Asks(database)
    conversations = StoredConversations(database, lambda: NOW)
    await chats.seen(PLACE)
    await chats.set_access(OLD, "allowed")
    await chats.set_mode(OLD, "careful")
    await chats.set_model(OLD, "openai:large")
    await chats.set_documents_only(OLD, is_on=True)
    await conversations.append(PLACE.conversation_id, [Said("user", "old", NOW, user_key=ANN.id)])
    (said,) = (await conversations.conversation(PLACE.conversation_id, 1)).latest
    await conversations.save_summary(PLACE.conversation_id, Summary("sum", said.id))
    await StoredArrivals(database, lambda: NOW).settle("w1", OLD, ANN.id, accept)
    ask = await asks.accept(Asked(Message(1, PLACE, ANN, 7, "q", NOW), "q", "mention"), "w1")
    await asks.set_placeholder(ask.id, OLD, 70)
    await StoredAnswers(database, lambda: NOW).record(ANSWER, Circumstances("telegram", PLACE.conversation_id, ANN.id, 1.0, "a1"))  # fmt: skip
    await asks.set_answered(ask.id, "a1")
    waiting = replace(PLACE, thread_id=None)
    await asks.accept(Asked(Message(2, waiting, ANN, 8, "q2", NOW), "q2", "mention"), "w2")
    await Notices(database, lambda: NOW).is_due("k", until=NOW + timedelta(hours=1), by="w", chat_id=OLD)
    await Confirmations(database, clock=lambda: NOW).ask(ANN.id, OLD, {"name": "x"})
    passed = StoredPassedQuestions(database, lambda: NOW)
    new = PassedQuestion(0, ANN.id, PLACE.conversation_id, PLACE, 1, "", "q", "a", "", NOW)
    kept, _ = await passed.make(new, "x")
    await passed.add_message(kept.number, OLD, 71)
    runs = Runs(StoredRuns(database), lambda: NOW)
    runs.recorder("w1", "answer", ANN.id, PLACE.conversation_id).end("complete", {})
    await runs.flush()
    sets = StoredDocumentSets(database)
    await sets.make("hr", ["hr/"])
    await sets.assign(OLD, "hr")
    await SentMessages(database, lambda: NOW).keep("w1/send 1", OLD, 71)
    await Spent(database, lambda: NOW).add(34, chat_id=OLD, user_id=ANN.id)


async def rows_about(database: Database, chat_id: PeerId) -> set[str]:
    """The tables that hold a row with this chat's id or conversation."""
    found = set()
    async with database.reading() as connection:
        for table in metadata.tables.values():
            for column in table.columns:
                if column.name in {"chat_id", "conversation_id"} or column in {
                    metadata.tables["chats"].c.id,
                    metadata.tables["conversations"].c.id,
                }:
                    query = sa.select(sa.func.count()).select_from(table).where(
                        sa.or_(column == chat_id, column.startswith(f"{chat_id}:"))
                    )  # fmt: skip
                    if await connection.scalar(query):
                        found.add(table.name)
    return found


ALL = {
    "chats", "conversations", "messages", "summaries", "asked", "asks", "ask_messages", "arrivals", "notices",
    "confirmations", "runs", "chat_documents", "sent_messages", "spent", "passed_questions", "passed_messages",
}  # fmt: skip


async def test_every_table_that_knows_chats_is_filled_here(database: Database) -> None:
    await filled(database)
    knowing = {
        table.name
        for table in metadata.tables.values()
        if {"chat_id", "conversation_id"} & set(table.columns.keys())
    }
    # Interviews are held in private chats, which never move.
    knowing.remove("interview_sessions")
    assert knowing | {"chats", "conversations"} == ALL == await rows_about(database, OLD)


async def test_everything_moves(database: Database) -> None:
    await filled(database)
    chats, asks = Chats(database), Asks(database)
    conversations = StoredConversations(database)
    assert await chats.migrate(OLD, NEW)

    # What stays: the alias, and which messages of the old chat belong to which question.
    assert await rows_about(database, OLD) == {"chats", "ask_messages"}
    (waits,) = await StoredPassedQuestions(database).open()
    assert (waits.place.chat_id, waits.conversation_id, waits.message_id) == (
        NEW,
        replace(PLACE, chat_id=NEW).conversation_id,
        None,
    )
    assert await StoredPassedQuestions(database).shown_in(OLD, 71) is None
    chat = await chats.get(NEW)
    assert (chat.access, chat.mode, chat.title, chat.is_active) == ("allowed", "careful", "Team", True)
    assert chat.model == "openai:large"
    assert await chats.get(OLD) == chat
    new_id = replace(PLACE, chat_id=NEW).conversation_id
    conversation = await conversations.conversation(new_id)
    assert (conversation.summary.text, conversation.unsummarised) == ("sum", 0)
    assert [message.text for message in (await conversations.conversation(new_id, 9)).latest] == ["old"]
    (waiting,) = await asks.open_in(NEW, None)
    # In the new chat these ids would be other messages.
    assert (waiting.chat_id, waiting.message_id, waiting.placeholder_id) == (NEW, None, None)
    pressed = await asks.find_by_answer(OLD, 70)
    assert pressed is not None
    assert pressed.chat_id == NEW
    assert await StoredDocumentSets(database).of_chat(OLD) == DocumentSet(("hr/", "answers by admins/hr"))
    load = await loaded(database)
    # What both chats have spent comes together.
    await Spent(database, lambda: NOW).add(6, chat_id=NEW, user_id=ANN.id)
    assert await chats.migrate(OLD, NEW) is False
    today = await Spent(database, lambda: NOW).today(OLD, ANN.id)
    assert (today.bot, today.chat, today.user) == (40, 40, 40)
    assert len(load.in_chat) == 1
    is_due = await Notices(database, lambda: NOW).is_due("k", until=NOW, by="w9", chat_id=NEW)
    assert not is_due
    assert await Confirmations(database, clock=lambda: NOW).take(1, user_id=ANN.id, chat_id=OLD, by="w")


async def loaded(database: Database) -> Load:
    seen: list[Load] = []

    def look(now: datetime, load: Load) -> Refusal | None:
        seen.append(load)
        return None

    await StoredArrivals(database, lambda: NOW).settle("look", OLD, to_peer(1), look)
    return seen[0]


async def test_move_is_told_several_times_and_happens_once(database: Database) -> None:
    await filled(database)
    chats = Chats(database)
    firsts = await asyncio.gather(*(chats.migrate(OLD, NEW) for _ in range(8)))
    assert firsts.count(True) == 1
    assert await rows_about(database, OLD) == {"chats", "ask_messages"}
    # Work that was under way still wrote under the old id.
    await StoredConversations(database).append(PLACE.conversation_id, [Said("user", "late", NOW)])
    assert not await chats.migrate(OLD, NEW)
    new_id = replace(PLACE, chat_id=NEW).conversation_id
    texts = [message.text for message in (await StoredConversations(database).conversation(new_id, 9)).latest]
    assert texts == ["old", "late"]


async def test_what_was_said_in_the_new_chat_before_the_news_stays(database: Database) -> None:
    await filled(database)
    conversations = StoredConversations(database, lambda: NOW)
    new_id = replace(PLACE, chat_id=NEW).conversation_id
    await conversations.append(new_id, [Said("user", "new", NOW)])
    (said,) = (await conversations.conversation(new_id, 1)).latest
    await conversations.save_summary(new_id, Summary("of the new chat alone", said.id))
    await Chats(database).set_mode(NEW, "quick")
    await Chats(database).migrate(OLD, NEW)
    assert [message.text for message in (await conversations.conversation(new_id, 9)).latest] == [
        "old",
        "new",
    ]
    conversation = await conversations.conversation(new_id)
    assert (conversation.summary.text, conversation.unsummarised) == ("sum", 1)
    assert (await Chats(database).get(NEW)).mode == "quick"


async def test_moving_takes_no_refusal_away(database: Database) -> None:
    chats = Chats(database)
    await chats.set_access(OLD, "denied")
    await chats.set_access(NEW, "allowed")
    await chats.migrate(OLD, NEW)
    assert (await chats.get(OLD)).access == "denied"


async def test_topics_keep_their_conversations(database: Database) -> None:
    conversations = StoredConversations(database)
    for thread in (0, 3):
        await conversations.append(f"{OLD}:{thread}", [Said("user", str(thread), NOW)])
    # Another chat whose id begins alike.
    await conversations.append(f"{OLD}1:0", [Said("user", "other", NOW)])
    await Chats(database).migrate(OLD, NEW)
    for conversation_id, text in ((f"{NEW}:3", "3"), (f"{OLD}1:0", "other")):
        assert [
            message.text for message in (await conversations.conversation(conversation_id, 9)).latest
        ] == [text]


async def test_chat_can_move_twice_and_nonsense_makes_no_circle(database: Database) -> None:
    chats = Chats(database)
    await chats.migrate(to_peer(-1), to_peer(-2))
    await chats.migrate(to_peer(-2), to_peer(-3))
    assert await chats.current_id(to_peer(-1)) == to_peer(-3)
    await chats.migrate(to_peer(-3), to_peer(-1))
    assert await chats.current_id(to_peer(-2)) == to_peer(-1)
    assert not await chats.migrate(to_peer(-1), to_peer(-1))


async def test_move_that_fails_half_way_moves_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(database)

    async def interrupted(connection: AsyncConnection, old_id: PeerId, new_id: PeerId, now: datetime) -> bool:
        await move_chat(connection, old_id, new_id, now)
        raise KeyError("interrupted")

    monkeypatch.setattr(chats_module, "move_chat", interrupted)
    with pytest.raises(KeyError):
        await Chats(database).migrate(OLD, NEW)
    assert await rows_about(database, OLD) == ALL
    assert await rows_about(database, NEW) == set()


async def test_question_from_before_the_move_is_kept_beside_a_message_that_has_its_number_now(
    database: Database,
) -> None:
    chats, asks = Chats(database), Asks(database)
    await chats.seen(PLACE)
    waited = Asked(Message(1, PLACE, ANN, 7, "old", NOW), "old", "mention")
    await chats.migrate(OLD, NEW)
    there = replace(PLACE, chat_id=NEW)
    later = NOW - timedelta(minutes=1)
    other = await asks.accept(Asked(Message(2, there, ANN, 7, "new", later), "new", "mention"), "w2")

    mine = await asks.accept(waited, "w1")
    assert mine == await asks.accept(waited, "w1")
    assert (mine.chat_id, mine.message_id) == (NEW, None)
    assert await asks.find_by_workflow("w2") == other
    # Also to whoever still speaks of the old id.
    assert {ask.id for ask in await asks.open_in(OLD, None)} == {mine.id, other.id}
    assert {ask.id for ask in await asks.open_in_chat(OLD)} == {mine.id, other.id}
    assert await chats.first_id(NEW) == OLD
    assert await chats.first_id(OLD) == OLD


async def test_messages_that_stayed_behind_are_no_part_of_the_answer(database: Database) -> None:
    await filled(database)
    asks = Asks(database)
    ask = await asks.find_by_workflow("w1")
    assert ask is not None
    assert await asks.messages(ask.id) == (70,)
    await Chats(database).migrate(OLD, NEW)
    assert await asks.messages(ask.id) == ()
    await asks.set_placeholder(ask.id, NEW, 3)
    assert await asks.messages(ask.id) == (3,)


@pytest.mark.parametrize(
    ("before", "since", "found"), [(None, None, True), (False, None, False), (False, True, True)]
)
async def test_what_was_decided_about_the_council_moves_along(
    database: Database, before: bool | None, since: bool | None, found: bool
) -> None:
    chats = Chats(database)
    for chat_id, is_on in ((OLD, before), (NEW, since)):
        if is_on is not None:
            await chats.set_council(chat_id, is_on=is_on)
    await chats.migrate(OLD, NEW)
    assert (await chats.get(NEW)).has_council is found


async def test_questions_to_the_council_count_in_the_moved_chat_once_each_and_for_their_day(
    database: Database,
) -> None:
    now = NOW
    arrivals, chats = StoredArrivals(database, lambda: now), Chats(database)
    for key in ("w1", "w2"):
        await arrivals.settle(key, OLD, ANN.id, accept)
    assert await arrivals.settle_council("w1", OLD, 1) is None
    assert await arrivals.settle_council("w1", OLD, 1) is None, "asked again by the same work"
    await chats.migrate(OLD, NEW)
    until = await arrivals.settle_council("w2", NEW, 1)
    assert until is not None
    assert until.hour == until.minute == 0
    now = until
    await arrivals.settle("w3", NEW, ANN.id, accept)
    assert await arrivals.settle_council("w3", NEW, 1) is None
