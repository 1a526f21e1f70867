"""Chats, people, questions, notices and confirmations in a real database."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.service.incoming import Asked, Message, Place, Replied, Sender
from bot.service.people import AskId, AskState, Chat, Person
from bot.storage.asks import Asks
from bot.storage.chats import Chats
from bot.storage.confirmations import Confirmations
from bot.storage.database import Database, open_database
from bot.storage.notices import Notices
from bot.storage.users import Users
from bot.telegram.ids import to_peer
from tests.support.stored import NOW, Clock

GROUP = Place(to_peer(-1001234567890), "group", 3, "Team")
ANN = Sender(to_peer(5_000_000_042), "person", "Ann")


def asked(
    message_id: int = 7,
    text: str = "What?",
    place: Place = GROUP,
    sender: Sender = ANN,
    at: datetime = NOW,
    *,
    is_edit: bool = False,
) -> Asked:
    return Asked(Message(1, place, sender, message_id, text, at, is_edit), text, "mention")


class TestChats:
    async def test_chat_keeps_what_was_chosen_when_it_is_seen_again(self, database: Database) -> None:
        chats = Chats(database)
        await chats.seen(GROUP)
        await chats.set_mode(GROUP.chat_id, "careful")
        await chats.set_access(GROUP.chat_id, "allowed")
        await chats.set_documents_only(GROUP.chat_id, is_on=False)
        seen = await chats.seen(replace(GROUP, title="New\x00 name"))
        chosen = Chat(GROUP.chat_id, "group", "New\ufffd name", True, "allowed", "careful")
        assert seen == replace(chosen, documents_only=False)

    async def test_blocked_chat_is_revived_by_its_next_message(self, database: Database) -> None:
        chats = Chats(database)
        await chats.deactivate(to_peer(42))
        assert not (await chats.get(to_peer(42))).is_active
        assert (await chats.seen(Place(to_peer(42), "private"))).is_active

    async def test_unknown_chat_can_be_decided_about(self, database: Database) -> None:
        chats = Chats(database)
        assert await chats.get(to_peer(-5)) == Chat(to_peer(-5), "group")
        await chats.set_access(to_peer(-5), "denied")
        assert await chats.get(to_peer(-5)) == Chat(to_peer(-5), "group", access="denied")


class TestUsers:
    async def test_person_keeps_role_and_language_when_seen_again(self, database: Database) -> None:
        users = Users(database)
        await users.seen(ANN)
        await users.set_language(ANN.id, "ko")
        await users.set_role(ANN.id, "admin")
        await users.set_access(ANN.id, "allowed")
        seen = await users.seen(replace(ANN, name="Anna", language="pt-br"))
        assert seen == Person(ANN.id, "Anna", "ko", "admin", "allowed", "pt-br")
        assert (await users.seen(replace(ANN, language="x" * 50))).client_language == "x" * 20

    async def test_owners_come_first_among_those_with_a_role(self, database: Database) -> None:
        users = Users(database)
        assert not await users.has_owner()
        for user_id, role in ((3, "admin"), (2, "owner"), (1, "admin")):
            await users.set_role(to_peer(user_id), role)  # type: ignore[arg-type]  # a role each
        await users.set_access(to_peer(9), "denied")
        assert await users.has_owner()
        assert [person.id for person in await users.privileged()] == [to_peer(2), to_peer(1), to_peer(3)]
        assert (await users.get(to_peer(9))).access == "denied"

    async def test_identities_without_a_person_are_not_kept(self, database: Database) -> None:
        users = Users(database)
        await users.seen(Sender(to_peer(-100), "anonymous_admin", "Team"))
        assert (await users.get(to_peer(-100))).name == ""


class TestAsks:
    async def test_question_accepted_twice_by_the_same_work_is_one(self, database: Database) -> None:
        asks = Asks(database)
        first = await asks.accept(asked(), "w1")
        await asks.set_state(first.id, "running")
        second = await asks.accept(asked(), "w1")
        assert (second.id, second.state) == (first.id, "running")
        assert (first.thread_id, first.message_id, first.user_id) == (3, 7, ANN.id)

    async def test_edit_takes_the_row_over_with_its_messages(self, database: Database) -> None:
        asks = Asks(database)
        first = await asks.accept(asked(), "w1")
        await asks.set_placeholder(first.id, GROUP.chat_id, 70)
        await asks.set_answered(first.id, "a1")
        # Within the same second, as far as Telegram tells.
        edit = asked(text="Which?", is_edit=True)
        taken = await asks.accept(edit, "w2")
        assert (taken.id, taken.workflow_id, taken.state, taken.answered_id) == (
            first.id,
            "w2",
            "queued",
            None,
        )
        assert taken.placeholder_id is None, "the message holds an answer"
        assert await asks.messages(taken.id) == (70,)
        assert taken.fingerprint == edit.fingerprint != first.fingerprint
        # The work of the old text comes late.
        assert (await asks.accept(asked(), "w1")).workflow_id == "w2"
        assert await asks.find_by_workflow("w1") is None

    async def test_question_is_found_by_every_message_of_it(self, database: Database) -> None:
        asks = Asks(database)
        ask = await asks.accept(asked(), "w1")
        await asks.set_placeholder(ask.id, GROUP.chat_id, 70)
        for message_id in (71, 72, 71):
            await asks.add_message(ask.id, GROUP.chat_id, message_id)
        await asks.add_message(AskId(999), GROUP.chat_id, 73)
        for found in (
            await asks.get(ask.id),
            await asks.find_by_workflow("w1"),
            await asks.find_by_message(GROUP.chat_id, 7),
            await asks.find_by_answer(GROUP.chat_id, 70),
            await asks.find_by_answer(GROUP.chat_id, 72),
        ):
            assert found is not None
            assert found.id == ask.id
        assert await asks.messages(ask.id) == (70, 71, 72)
        assert await asks.find_by_answer(to_peer(-77), 70) is None
        assert await asks.find_by_answer(GROUP.chat_id, 73) is None

    async def test_open_questions_are_those_of_one_chat_and_topic(self, database: Database) -> None:
        asks = Asks(database)
        elsewhere = replace(GROUP, thread_id=None)
        ids = [
            (await asks.accept(asked(number, at=NOW + timedelta(seconds=number)), f"w{number}")).id
            for number in (1, 2, 3)
        ]
        other = (await asks.accept(asked(9, place=elsewhere), "w9")).id
        await asks.set_state(ids[0], "stopped")
        assert [ask.id for ask in await asks.open_in(GROUP.chat_id, 3)] == ids[1:]
        assert {ask.id for ask in await asks.open_in_chat(GROUP.chat_id)} == {*ids[1:], other}
        assert {ask.id for ask in await asks.open_of(ANN.id)} == {*ids[1:], other}
        assert await asks.open_of(to_peer(1)) == ()

    async def test_latest_answer_of_a_topic(self, database: Database) -> None:
        asks = Asks(database)
        for number, state in ((1, "answered"), (2, "answered"), (3, "failed")):
            ask = await asks.accept(asked(number, at=NOW + timedelta(seconds=number)), f"w{number}")
            await asks.set_state(ask.id, state)  # type: ignore[arg-type]  # a state each
        latest = await asks.latest(GROUP.chat_id, 3)
        assert latest is not None
        assert latest.message_id == 2
        assert await asks.latest(GROUP.chat_id, None) is None

    async def test_buttons_outlive_a_restart_and_their_ids_are_not_given_again(self, tmp_path: Path) -> None:
        async with open_database(tmp_path) as database:
            ask = await Asks(database).accept(asked(), "w1", "answered")
        async with open_database(tmp_path) as database:
            asks = Asks(database, lambda: NOW + timedelta(days=90))
            assert await asks.get(ask.id) == ask
            assert await asks.prune(timedelta(days=60)) == 1
            assert (await asks.accept(asked(), "w2")).id > ask.id

    @pytest.mark.parametrize(
        ("state", "left"), [("queued", 1), ("running", 1), ("answered", 0), ("failed", 0)]
    )
    async def test_nobody_waits_in_vain_because_of_pruning(
        self, database: Database, state: AskState, left: int
    ) -> None:
        asks = Asks(database, lambda: NOW + timedelta(days=90))
        await asks.accept(asked(), "w1", state)
        await asks.prune(timedelta(days=60))
        assert (await asks.find_by_workflow("w1") is not None) == bool(left)

    async def test_question_whose_work_is_lost_keeps_no_other_waiting(self, database: Database) -> None:
        asks = Asks(database, lambda: NOW + timedelta(hours=2))
        for number, minutes in ((1, 0), (2, 0), (3, 90)):
            at = NOW + timedelta(minutes=minutes)
            await asks.accept(asked(number, at=at), f"w{number}", "queued")

        async def is_at_work(work: str) -> bool:
            return work == "w2"

        assert await asks.expire(timedelta(hours=1), is_at_work) == 1
        left = await asks.open_in(GROUP.chat_id, 3)
        assert [ask.message_id for ask in left] == [2, 3], "one is worked on, the other just came"

    def test_message_asked_about_counts_for_the_fingerprint(self) -> None:
        plain = asked()
        other = replace(plain, message=replace(plain.message, replied=Replied(3, False, "Bob", "Two weeks")))
        assert plain.fingerprint != other.fingerprint


class TestNotices:
    async def test_of_many_at_once_one_is_said(self, database: Database, clock: Clock) -> None:
        notices = Notices(database, clock)
        until = NOW + timedelta(minutes=1)
        said = await asyncio.gather(
            *(notices.is_due("k", until=until, by=f"w{number}", chat_id=to_peer(1)) for number in range(40))
        )
        assert said.count(True) == 1

    async def test_work_that_is_repeated_says_the_same(self, database: Database, clock: Clock) -> None:
        until = NOW + timedelta(minutes=1)
        for _ in range(3):
            # A restart in between: a new object on the same rows.
            assert await Notices(database, clock).is_due("k", until=until, by="w1", user_id=to_peer(1))
            assert not await Notices(database, clock).is_due("k", until=until, by="w2", user_id=to_peer(1))

    async def test_window_ends(self, database: Database, clock: Clock) -> None:
        notices = Notices(database, clock)
        assert await notices.is_due("k", until=NOW + timedelta(minutes=1), by="w1")
        clock.now = NOW + timedelta(seconds=59)
        assert not await notices.is_due("k", until=NOW + timedelta(hours=1), by="w2")
        clock.now = NOW + timedelta(seconds=60)
        assert await notices.is_due("k", until=NOW + timedelta(hours=1), by="w3")

    async def test_clock_set_back_opens_the_window(self, database: Database, clock: Clock) -> None:
        notices = Notices(database, clock)
        assert await notices.is_due("k", until=NOW + timedelta(minutes=1), by="w1")
        clock.now = NOW - timedelta(hours=2)
        assert await notices.is_due("k", until=clock.now + timedelta(minutes=1), by="w2")

    async def test_chats_and_people_have_their_own(self, database: Database, clock: Clock) -> None:
        notices = Notices(database, clock)
        until = NOW + timedelta(minutes=1)
        for chat_id, user_id in ((0, 0), (1, 0), (0, 1), (1, 1)):
            assert await notices.is_due(
                "k", until=until, by="w", chat_id=to_peer(chat_id), user_id=to_peer(user_id)
            )
        clock.now = until
        assert await notices.prune() == 4


class TestConfirmations:
    async def test_only_the_same_person_confirms_once_in_the_same_chat(self, database: Database) -> None:
        confirmations = Confirmations(database)
        asking = await confirmations.ask(
            to_peer(1), to_peer(-5), {"name": "remove", "document": "правила.md"}
        )
        assert await confirmations.take(asking.id, user_id=to_peer(2), chat_id=to_peer(-5), by="w") is None
        assert await confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(-6), by="w") is None
        taken = await confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(-5), by="w1")
        assert taken is not None
        assert taken.command == {"name": "remove", "document": "правила.md"}
        assert await confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(-5), by="w2") is None
        assert await confirmations.owner(asking.id) == to_peer(1)

    async def test_work_that_is_repeated_takes_its_own_again(self, database: Database, clock: Clock) -> None:
        confirmations = Confirmations(database, clock=clock)
        asking = await confirmations.ask(to_peer(1), to_peer(1), {})
        assert await confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(1), by="w1")
        clock.now = NOW + timedelta(hours=1)
        assert await confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(1), by="w1")

    async def test_late_yes_does_nothing(self, database: Database, clock: Clock) -> None:
        confirmations = Confirmations(database, timedelta(minutes=10), clock)
        asking = await confirmations.ask(to_peer(1), to_peer(1), {})
        clock.now = NOW + timedelta(minutes=10)
        assert await confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(1), by="w1") is None
        assert await confirmations.prune() == 0
        clock.now = NOW + timedelta(minutes=20)
        assert await confirmations.prune() == 1

    async def test_two_presses_at_once_are_one(self, database: Database) -> None:
        confirmations = Confirmations(database)
        asking = await confirmations.ask(to_peer(1), to_peer(1), {})
        taken = await asyncio.gather(
            *(
                confirmations.take(asking.id, user_id=to_peer(1), chat_id=to_peer(1), by=f"w{n}")
                for n in range(9)
            )
        )
        assert sum(one is not None for one in taken) == 1
