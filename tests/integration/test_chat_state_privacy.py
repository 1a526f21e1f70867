"""What is kept of a person is shown whole and erased whole, and nobody else's with it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from bot.conversations.values import Message as Said
from bot.conversations.values import Summary
from bot.jobs.journal import Journal
from bot.jobs.values import Job
from bot.service import keys
from bot.service.incoming import Asked, Message, Place, Sender
from bot.service.interview_values import Party
from bot.service.logins import Logins
from bot.service.passed_questions import PassedQuestion
from bot.service.runs import Runs
from bot.statistics.values import Circumstances
from bot.storage.access_requests import StoredAccessRequests
from bot.storage.answered import StoredAnswers
from bot.storage.arrivals import StoredArrivals
from bot.storage.asks import Asks
from bot.storage.chats import Chats
from bot.storage.confirmations import Confirmations
from bot.storage.conversations import StoredConversations
from bot.storage.database import Database
from bot.storage.logins import StoredLogins
from bot.storage.notices import Notices
from bot.storage.passed_questions import StoredPassedQuestions
from bot.storage.privacy import Privacy
from bot.storage.run_events import StoredRuns
from bot.storage.sent_messages import SentMessages
from bot.storage.spent import Spent
from bot.storage.tables import metadata, run_steps
from bot.storage.users import Users
from bot.telegram.ids import to_peer
from rag.events import StepFinished
from rag.reasons import as_written
from rag.values import StepTrace
from tests.support.interviews import changes, held_in
from tests.support.stored import NOW, answer

GROUP = Place(to_peer(-500), "group", None, "Team")


async def lived(database: Database, user_id: int, word: str) -> None:
    """A person who leaves `word` in every table that knows people."""
    sender = Sender(to_peer(user_id), "person", f"name {word}")
    await Users(database).seen(sender)
    await Users(database).set_language(to_peer(user_id), "ko")
    private = Place(to_peer(user_id), "private", None, f"title {word}")
    await Chats(database).seen(private)
    await Logins(StoredLogins(database)).token(to_peer(user_id), f"program {word}")
    web = keys.web_conversation_key(to_peer(user_id), 17)
    said = Said("user", f"web {word}", NOW, user_key=sender.id)
    await StoredConversations(database, lambda: NOW).append(web, [said])
    for number, place in enumerate((private, GROUP)):
        key = f"{user_id}/{number}"
        conversations = StoredConversations(database, lambda: NOW)
        await conversations.append(
            place.conversation_id,
            [
                Said("user", f"q {word}", NOW, sender.name, user_key=sender.id),
                Said("assistant", f"a {word}", NOW, answer=answer(word), user_key=sender.id),
            ],
        )
        (last,) = (await conversations.conversation(place.conversation_id, 1)).latest
        await conversations.save_summary(place.conversation_id, Summary(f"summary {word}", last.id))
        await StoredArrivals(database, lambda: NOW).settle(
            key, place.chat_id, to_peer(user_id), lambda now, load: None
        )
        asks = Asks(database)
        ask = await asks.accept(Asked(Message(1, place, sender, user_id, word, NOW), word, "mention"), key)
        await asks.set_placeholder(ask.id, place.chat_id, user_id + 1000)
        await StoredAnswers(database, lambda: NOW).record(answer(word), Circumstances("telegram", place.conversation_id, sender.id, 1.0, key))  # fmt: skip
        await asks.set_answered(ask.id, key)
        until = NOW + timedelta(hours=1)
        await Notices(database, lambda: NOW).is_due("k", until=until, by=key, chat_id=place.chat_id, user_id=to_peer(user_id))  # fmt: skip
        await Confirmations(database, clock=lambda: NOW).ask(to_peer(user_id), place.chat_id, {"name": word})
        await Journal(database, lambda: NOW).add(Job(key, "update", word, person=sender.id))
        async with database.writing() as connection:
            step = {"run_id": key, "name": "draft", "outcome": word}
            await connection.execute(sa.insert(run_steps).values(step))
        runs = Runs(StoredRuns(database), lambda: NOW)
        run = runs.recorder(key, "answer", sender.id, place.conversation_id)
        run.feed(StepFinished(StepTrace("draft", 1.0, as_written(word))))
        run.end("complete", {})
        await runs.flush()
        await Spent(database, lambda: NOW).add(34, chat_id=place.chat_id, user_id=to_peer(user_id))
        await SentMessages(database, lambda: NOW).keep(
            f"{word[0]}{number}/send 1", place.chat_id, user_id + 2000
        )
    requests = StoredAccessRequests(database, lambda: NOW)
    await requests.make(to_peer(user_id), by=f"ask {user_id}", again_after=timedelta(days=7), most_a_day=9)
    await requests.shown(to_peer(user_id), to_peer(user_id), user_id + 3000)
    passed = StoredPassedQuestions(database, lambda: NOW)
    asked_of_people = PassedQuestion(
        0, sender.id, private.conversation_id, private, 1, "", f"to people {word}", word, "", NOW
    )
    kept, _ = await passed.make(asked_of_people, f"passed {word}")
    await passed.reply(kept.number, f"from people {word}", sender.id, "work")
    await passed.add_message(kept.number, private.chat_id, user_id + 4000)
    interviews, _ = held_in(database, lambda _request: changes({"/product": word}), clock=lambda: NOW)
    await interviews.create(Party(sender.id, private.conversation_id), "bug_report", initial_message=word)


async def words_in(database: Database) -> str:
    """Everything in all tables as one text."""
    async with database.reading() as connection:
        rows = [
            str((table.name, *row))
            for table in metadata.sorted_tables
            for row in await connection.execute(sa.select(table))
        ]
    return "\n".join(rows)


async def test_nothing_of_an_erased_person_is_left(database: Database) -> None:
    await lived(database, 7000000041, "alpha")
    await lived(database, 7000000043, "beta")
    others = await Privacy(database, lambda: NOW).export(to_peer(7000000043))

    counts = await Privacy(database).count(to_peer(7000000041))
    assert (counts.messages, counts.questions) == (7, 2)

    await Privacy(database).erase(to_peer(7000000041))

    left = await words_in(database)
    assert "alpha" not in left
    # Moments of questions and what they took stay for the limits, that access was asked for, and sums that
    # name nobody.
    assert {line.split("'")[1] for line in left.splitlines() if "7000000041" in line} <= {
        "arrivals", "answered", "spending", "spent", "interview_days", "access_requests",
    }  # fmt: skip
    # The summary of the group spoke of both; the other's messages are there to be summed up anew.
    assert await Privacy(database, lambda: NOW).export(to_peer(7000000043)) == others
    group = await StoredConversations(database).conversation(GROUP.conversation_id)
    assert (group.summary.text, group.unsummarised) == ("", 2)
    await Privacy(database).erase(to_peer(7000000041))
    counts = await Privacy(database).count(to_peer(7000000041))
    assert (counts.messages, counts.questions) == (0, 0)


async def test_lanes_are_those_where_words_of_the_person_are_kept(database: Database) -> None:
    await lived(database, 7000000041, "alpha")
    assert set(await Privacy(database).lanes(to_peer(7000000041))) == {
        "7000000041:0",
        "-500:0",
        "web:7000000041:17",
    }
    assert await Privacy(database).lanes(to_peer(7000000043)) == ()
    # Work for a group that has moved goes on in the lane that it had at first.
    await Chats(database).migrate(to_peer(-500), to_peer(-1000000000500))
    assert set(await Privacy(database).lanes(to_peer(7000000041))) == {
        "7000000041:0",
        "-500:0",
        "-1000000000500:0",
        "web:7000000041:17",
    }


async def test_export_holds_everything_in_words_of_json(database: Database) -> None:
    await lived(database, 7000000041, "alpha")
    await lived(database, 7000000043, "beta")
    exported = json.dumps(await Privacy(database).export(to_peer(7000000041)), ensure_ascii=False)
    assert "beta" not in exported
    for part in (
        "name alpha",
        "title alpha",
        "program alpha",
        "web alpha",
        "q alpha",
        "a alpha",
        "summary alpha",
        "ko",
        "general",
    ):
        assert part in exported, part
    shown = json.loads(exported)
    for part, count in (
        ("profile", 1), ("private_chat", 1), ("messages", 5), ("logins", 1), ("questions", 2), ("requests", 2), ("arrivals", 2),
        ("notices", 2), ("confirmations", 2), ("summaries_of_private_chats", 1), ("runs", 2), ("run_events", 4),
        ("spent", 2),
        ("replies_in_the_private_chat", 1),
        ("passed_questions", 1), ("replies_to_passed_questions", 1), ("passed_messages", 1),
        ("interviews", 1), ("interview_events", 2), ("interview_days", 1),
    ):  # fmt: skip
        assert len(shown[part]) == count, part


async def test_export_of_an_unknown_person_is_empty(database: Database) -> None:
    shown = await Privacy(database).export(to_peer(99))
    assert [part for part, rows in shown.items() if isinstance(rows, list) and rows] == []


@pytest.mark.parametrize("access", ["denied", "allowed"])
async def test_erasing_lifts_no_decision_of_the_administrators(database: Database, access: str) -> None:
    await lived(database, 7000000041, "alpha")
    await Users(database).set_access(to_peer(7000000041), access)  # type: ignore[arg-type]  # a decision each
    await Privacy(database).erase(to_peer(7000000041))
    person = await Users(database).get(to_peer(7000000041))
    assert (person.access, person.name, person.language) == (access, "", None)


async def test_people_whose_ids_begin_alike_are_told_apart(database: Database) -> None:
    await lived(database, 4, "alpha")
    await lived(database, 7000000041, "beta")
    before = await Privacy(database, lambda: NOW).export(to_peer(7000000041))
    await Privacy(database).erase(to_peer(4))
    assert await Privacy(database, lambda: NOW).export(to_peer(7000000041)) == before


async def test_every_table_that_knows_people_is_asked(database: Database) -> None:
    await lived(database, 7000000041, "alpha")
    knowing = {
        table.name
        for table in metadata.tables.values()
        if {"user_id", "user_key", "person", "owner"} & set(table.columns.keys())
    }
    assert knowing == {
        "messages", "asked", "asks", "arrivals", "notices", "confirmations", "spent", "logins",
        "access_requests", "access_request_messages", "runs", "interview_sessions", "interview_days",
        "passed_questions",
    }  # fmt: skip


def conversations_at(database: Database, moment: datetime) -> StoredConversations:
    return StoredConversations(database, lambda: moment)


async def test_conversations_are_forgotten_after_the_time_that_is_set(database: Database) -> None:
    conversations = conversations_at(database, NOW)
    for name, age in (("old", 40), ("talked on", 40), ("talked on", 1)):
        at = NOW - timedelta(days=age)
        await conversations_at(database, at).append(name, [Said("user", f"{age} days ago", at)])
    for name in ("old", "talked on"):
        first = ((await conversations.conversation(name, 9)).latest)[0]
        await conversations.save_summary(name, Summary("what was said 40 days ago", first.id))
    assert await conversations.prune(timedelta(days=30)) == 2
    assert (await conversations.conversation("old", 9)).latest == ()
    assert [message.text for message in (await conversations.conversation("talked on", 9)).latest] == [
        "1 days ago"
    ]
    for name in ("old", "talked on"):
        assert (await conversations.conversation(name)).summary == Summary()
    assert await conversations.prune(timedelta(days=30)) == 0
