"""Rights and limits over a real database: what is decided outlives the process, and a refusal is told once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from bot.service.access import Access
from bot.service.incoming import Asked, Message, Place, Presence, Sender
from bot.service.limits import Limits
from bot.service.owner_claim import Claim
from bot.service.people import Refusal
from bot.service.rights import Policy
from bot.settings.sections import Rates
from bot.statistics.values import Circumstances
from bot.storage.answered import StoredAnswers
from bot.storage.arrivals import StoredArrivals
from bot.storage.asks import Asks
from bot.storage.chats import Chats
from bot.storage.conversations import StoredConversations
from bot.storage.database import Database
from bot.storage.notices import Notices
from bot.storage.privacy import Privacy
from bot.storage.spent import Spent
from bot.storage.users import Users
from bot.telegram.ids import to_peer
from rag.reasons import as_written
from rag.values import Answer, Usage, Verdict
from tests.support.stored import NOW, Clock

OWNER = Sender(to_peer(1), "person", "Olga")
ANN = Sender(to_peer(42), "person", "Ann")
BOB = Sender(to_peer(43), "person", "Bob")
GROUP = Place(to_peer(-100), "group", None, "Team")
ANONYMOUS = Sender(to_peer(-100), "anonymous_admin", "Team")


def private(sender: Sender) -> Place:
    return Place(sender.id, "private")


def access_of(
    database: Database, clock: Clock, policy: Policy | None = None, claim: Claim | None = None
) -> Access:
    """A gate as a fresh process builds it."""
    return Access(
        Users(database),
        Chats(database),
        Notices(database, clock),
        policy or Policy(owners=frozenset({OWNER.id})),
        claim or Claim(),
        clock=clock,
    )


def limits_of(database: Database, clock: Clock, **rates: int | bool) -> Limits:
    return Limits(
        StoredArrivals(database, clock),
        Spent(database, clock),
        Notices(database, clock),
        Rates.model_validate(rates),
    )


def reason(refusal: Refusal | None) -> str | None:
    return refusal.message_id if refusal else None


class TestAsking:
    async def test_stranger_is_told_once_in_a_window_whom_to_ask(
        self, database: Database, clock: Clock
    ) -> None:
        told = [await access_of(database, clock).may_ask(private(ANN), ANN, f"w{n}") for n in range(3)]
        assert [reason(each) for each in told] == ["refused-private"] * 3
        assert [each.is_notice_due for each in told if each] == [True, False, False]
        clock.now += timedelta(hours=1)
        later = await access_of(database, clock).may_ask(private(ANN), ANN, "w9")
        assert later is not None
        assert later.is_notice_due

    async def test_group_is_told_once_whoever_asks(self, database: Database, clock: Clock) -> None:
        access = access_of(database, clock)
        told = [await access.may_ask(GROUP, who, f"w{who.id}") for who in (ANN, BOB)]
        assert [(each.message_id, each.is_notice_due) for each in told if each] == [("refused-group", True), ("refused-group", False)]  # fmt: skip

    async def test_allowed_person_stays_allowed_after_a_restart(
        self, database: Database, clock: Clock
    ) -> None:
        assert await access_of(database, clock).decide_user(OWNER, private(OWNER), ANN.id, "allowed") is None
        assert await access_of(database, clock).may_ask(private(ANN), ANN, "w") is None
        assert await access_of(database, clock).decide_user(OWNER, private(OWNER), ANN.id, "denied") is None
        assert reason(await access_of(database, clock).may_ask(private(ANN), ANN, "w")) == "refused-person"

    async def test_group_that_an_administrator_adds_the_bot_to_may_ask(
        self, database: Database, clock: Clock
    ) -> None:
        access = access_of(database, clock)
        assert not await access.admit_group(Presence(1, GROUP, is_active=True, by=ANN))
        assert reason(await access.may_ask(GROUP, ANN, "w")) == "refused-group"
        assert await access.admit_group(Presence(2, GROUP, is_active=True, by=OWNER))
        assert await access.may_ask(GROUP, ANN, "w") is None
        await access.decide_chat(OWNER, GROUP, GROUP.chat_id, "denied")
        # Removed and added again: what was decided stays.
        assert not await access.admit_group(Presence(3, GROUP, is_active=True, by=OWNER))

    async def test_moved_group_stays_allowed(self, database: Database, clock: Clock) -> None:
        access = access_of(database, clock)
        await access.decide_chat(OWNER, GROUP, GROUP.chat_id, "allowed")
        await Chats(database).migrate(GROUP.chat_id, to_peer(-1000))
        assert await access.may_ask(Place(to_peer(-1000), "group"), ANN, "w") is None


class TestCommanding:
    @pytest.mark.parametrize("name", ["Admin", "owner", "Olga", "1"])
    async def test_names_give_no_right(self, database: Database, clock: Clock, name: str) -> None:
        access = access_of(database, clock)
        await access.decide_user(OWNER, private(OWNER), ANN.id, "allowed")
        named = Sender(ANN.id, "person", name)
        refusal = await access.may_command(private(ANN), named, "w", "reindex", "admins")
        assert reason(refusal) == "refused-admins-only"

    async def test_administrator_commands_in_a_group_that_may_not_ask(
        self, database: Database, clock: Clock
    ) -> None:
        access = access_of(database, clock)
        assert reason(await access.may_ask(GROUP, OWNER, "w")) == "refused-group-admin"
        assert await access.may_command(GROUP, OWNER, "w", "allow", "admins") is None

    async def test_stranger_gets_the_gate_before_any_command(self, database: Database, clock: Clock) -> None:
        access = access_of(database, clock)
        for name in ("start", "reset", "mode", "documents"):
            refusal = await access.may_command(private(ANN), ANN, name, name, "everyone")
            assert reason(refusal) == "refused-private"

    @pytest.mark.parametrize("name", ["claim", "privacy"])
    async def test_stranger_may_claim_and_see_what_is_kept(
        self, database: Database, clock: Clock, name: str
    ) -> None:
        access = access_of(database, clock)
        assert await access.may_command(private(ANN), ANN, "w", name, "everyone") is None
        assert reason(await access.may_command(GROUP, ANN, "w", name, "everyone")) == "refused-group"

    async def test_anonymous_administrator_is_nobody_unless_the_setting_says_so(
        self, database: Database, clock: Clock
    ) -> None:
        access = access_of(database, clock)
        await access.decide_chat(OWNER, GROUP, GROUP.chat_id, "allowed")
        assert reason(await access.may_ask(GROUP, ANONYMOUS, "w")) == "refused-anonymous"
        refusal = await access.may_command(GROUP, ANONYMOUS, "w", "documents", "admins")
        assert reason(refusal) == "refused-anonymous"

        lenient = access_of(database, clock, Policy(owners=frozenset({OWNER.id}), anonymous_admins=True))
        assert await lenient.may_ask(GROUP, ANONYMOUS, "w") is None
        assert await lenient.may_command(GROUP, ANONYMOUS, "w", "documents", "admins") is None
        destructive = await lenient.may_command(
            GROUP, ANONYMOUS, "w", "remove", "admins", is_destructive=True
        )
        assert reason(destructive) == "refused-named-only"
        assert reason(await lenient.decide_user(ANONYMOUS, GROUP, BOB.id, "allowed")) == "refused-named-only"
        assert (
            reason(await lenient.decide_chat(ANONYMOUS, GROUP, to_peer(-7), "allowed"))
            == "refused-named-only"
        )

    async def test_right_taken_away_is_gone_at_once(self, database: Database, clock: Clock) -> None:
        access = access_of(database, clock)
        assert await access.appoint(OWNER, private(OWNER), ANN.id, is_admin=True) is None
        assert await access.role(ANN) == "admin"
        assert reason(await access.appoint(ANN, private(ANN), BOB.id, is_admin=True)) == "refused-owner-only"
        assert await access.decide_user(ANN, private(ANN), BOB.id, "allowed") is None
        assert reason(await access.decide_user(ANN, private(ANN), OWNER.id, "denied")) == "refused-owner-only"
        assert await access.decide_user(OWNER, private(OWNER), ANN.id, "denied") is None
        assert await access.role(ANN) == "none"
        assert reason(await access.decide_user(ANN, private(ANN), BOB.id, "denied")) == "refused-admins-only"

    async def test_administrators_are_listed_with_those_of_the_settings(
        self, database: Database, clock: Clock
    ) -> None:
        access = access_of(database, clock)
        await Users(database).seen(OWNER)
        await access.appoint(OWNER, private(OWNER), ANN.id, is_admin=True)
        assert [(admin.id, admin.name, admin.role) for admin in await access.admins()] == [(to_peer(1), "Olga", "owner"), (ANN.id, "", "admin")]  # fmt: skip


class TestClaiming:
    async def test_code_makes_the_sender_the_owner_once(self, database: Database, clock: Clock) -> None:
        claim = Claim()
        access = access_of(database, clock, Policy(), claim)
        assert await access.is_claimable()
        assert await access.claim(ANN, GROUP, claim.code) == "not_private"
        assert await access.claim(ANN, private(ANN), "wrong") == "wrong"
        assert await access.claim(ANN, private(ANN), claim.code) == "owner"
        assert not await access.is_claimable()
        assert await access.claim(BOB, private(BOB), claim.code) == "closed"
        # Whoever owns it hears so, whatever the code: also the same work after a kill, when it has no use.
        again = access_of(database, clock, Policy())
        assert await again.role(ANN) == "owner"
        assert await again.claim(ANN, private(ANN), claim.code) == "yours"
        assert await access.claim(ANN, private(ANN), "wrong") == "yours"

    async def test_with_owners_in_the_settings_nobody_claims(self, database: Database, clock: Clock) -> None:
        claim = Claim()
        access = access_of(database, clock, claim=claim)
        assert not await access.is_claimable()
        assert await access.claim(ANN, private(ANN), claim.code) == "closed"


class TestLimits:
    async def test_flood_of_200_messages_gets_one_notice(self, database: Database, clock: Clock) -> None:
        limits = limits_of(database, clock, user_per_minute=6)
        outcomes = []
        for number in range(200):
            clock.now = NOW + timedelta(milliseconds=50 * number)
            outcomes.append(await limits.check(private(ANN), ANN, f"w{number}"))
        assert [reason(outcome) for outcome in outcomes] == [None] * 6 + ["limit-user-minute"] * 194
        assert sum(outcome.is_notice_due for outcome in outcomes if outcome) == 1
        assert await limits.check(private(BOB), BOB, "bob") is None
        clock.now = NOW + timedelta(minutes=1)
        assert await limits.check(private(ANN), ANN, "later") is None

    async def test_flood_all_at_once_gets_one_notice_and_costs_others_nothing(
        self, database: Database, clock: Clock
    ) -> None:
        limits = limits_of(database, clock, user_per_minute=6, chat_per_minute=20)
        flood = [limits.check(GROUP, ANN, f"w{number}") for number in range(40)]
        *outcomes, bob = await asyncio.gather(*flood, limits.check(GROUP, BOB, "bob"))
        assert outcomes.count(None) == 6
        assert sum(outcome.is_notice_due for outcome in outcomes if outcome) == 1
        assert bob is None

    async def test_restarts_repeat_no_notice_and_give_no_question_back(
        self, database: Database, clock: Clock
    ) -> None:
        for restart in range(20):
            clock.now = NOW + timedelta(seconds=restart)
            outcome = await limits_of(database, clock, user_per_minute=2).check(GROUP, ANN, f"w{restart}")
            expected = None if restart < 2 else "limit-user-minute"
            assert reason(outcome) == expected
            assert outcome is None or outcome.is_notice_due is (restart == 2)

    async def test_repeated_work_counts_once_and_hears_the_same(
        self, database: Database, clock: Clock
    ) -> None:
        for _ in range(5):
            assert await limits_of(database, clock, user_per_minute=1).check(GROUP, ANN, "w1") is None
        for _ in range(3):
            clock.now += timedelta(seconds=10)
            refusal = await limits_of(database, clock, user_per_minute=1).check(GROUP, ANN, "w2")
            assert refusal is not None
            assert refusal.is_notice_due

    async def test_chat_has_a_limit_of_its_own(self, database: Database, clock: Clock) -> None:
        limits = limits_of(database, clock, chat_per_minute=3)
        outcomes = [
            await limits.check(GROUP, Sender(to_peer(number), "person"), f"w{number}")
            for number in range(1, 6)
        ]
        assert [reason(outcome) for outcome in outcomes] == [None] * 3 + ["limit-chat-minute"] * 2
        assert [outcome.is_notice_due for outcome in outcomes if outcome] == [True, False]

    async def test_queue_has_an_end(self, database: Database, clock: Clock) -> None:
        limits = limits_of(database, clock, queue_length=2)
        assert await limits.check(GROUP, ANN, "w1", waiting=1) is None
        for work in ("w2", "w3"):
            assert reason(await limits.check(GROUP, ANN, work, waiting=2)) == "limit-queue"
        assert not limits.refuses(GROUP, ANN, clock.now, False), "the queue may be shorter by now"

    async def test_budget_of_the_day_outlives_reset_edit_and_erasure(
        self, database: Database, clock: Clock
    ) -> None:
        limits = limits_of(database, clock, chat_tokens_per_day=100, quotes_when_spent=False)
        place = private(ANN)
        for number, text in enumerate(("first", "edited")):
            assert await limits.check(place, ANN, f"w{number}") is None
            await answered(database, clock, place, f"w{number}", text, tokens=50)
        assert reason(await limits.check(place, ANN, "w2")) == "limit-chat-budget"
        await StoredConversations(database).clear(place.conversation_id)
        await Privacy(database).erase(ANN.id)
        assert reason(await limits.check(place, ANN, "w3")) == "limit-chat-budget"
        assert await limits.check(private(BOB), BOB, "w4") is None
        clock.now = datetime(2026, 5, 21, tzinfo=UTC)
        assert await limits.check(place, ANN, "w5") is None

    async def test_chat_that_has_used_up_its_day_gets_passages_and_the_admins_hear_of_it_once(
        self, database: Database, clock: Clock
    ) -> None:
        told = []

        async def tell(text: str, values: Mapping[str, str | float], key: str) -> None:
            told.append((text, dict(values), key))

        rates = Rates(chat_tokens_per_day=100)
        limits = Limits(
            StoredArrivals(database, clock), Spent(database, clock), Notices(database, clock), rates, tell
        )
        place = private(ANN)
        assert await limits.check(place, ANN, "w0") is None
        assert not await limits.is_quoted(place, ANN, "w0")
        await answered(database, clock, place, "w0", "first", tokens=100)
        for work in ("w1", "w1", "w2"):
            assert await limits.check(place, ANN, work) is None
            assert await limits.is_quoted(place, ANN, work)
        values = {"chat": "Ann (42)", "tokens": 100, "until": "00:00 UTC"}
        # Twice by the same work, as after a kill: the key of the job makes it one.
        assert told == [("admin-spent", values, f"spent:{ANN.id}:20260521")] * 2
        assert not await limits.is_quoted(private(BOB), BOB, "w3")
        clock.now = datetime(2026, 5, 21, tzinfo=UTC)
        assert not await limits.is_quoted(place, ANN, "w4")

    @pytest.mark.parametrize("hours", [-2, 2, -24, 24])
    async def test_clock_that_jumps_locks_nobody_out(
        self, database: Database, clock: Clock, hours: int
    ) -> None:
        limits = limits_of(database, clock, user_per_minute=2, chat_tokens_per_day=100)
        for number in range(3):
            await limits.check(GROUP, ANN, f"w{number}")
        clock.now += timedelta(hours=hours)
        assert await limits.check(GROUP, ANN, "after") is None
        assert await limits.check(GROUP, ANN, "after 2") is None
        refusal = await limits.check(GROUP, ANN, "after 3")
        assert reason(refusal) == "limit-user-minute"
        assert refusal is not None
        assert refusal.is_notice_due

    async def test_what_no_limit_looks_at_is_forgotten(self, database: Database, clock: Clock) -> None:
        await limits_of(database, clock).check(GROUP, ANN, "w1")
        clock.now += timedelta(days=3)
        assert await StoredArrivals(database, clock).prune() == 1


async def answered(
    database: Database, clock: Clock, place: Place, work: str, text: str, *, tokens: int
) -> None:
    """An answer on its way through the tables, as answering writes them; the message is always the same."""
    asks = Asks(database)
    at = NOW + timedelta(seconds=int(work[1:]))
    message = Message(1, place, ANN, 7, text, at, is_edit=text == "edited")
    ask = await asks.accept(Asked(message, text, "private"), work)
    verdict = Verdict("adequate", as_written(""), 1.0, "rules")
    usage = Usage(1, tokens - 10, 10)
    answer = Answer(text, "a", "general", "en", verdict, (), (), False, 0, usage, 0.1, ())
    circumstances = Circumstances("telegram", place.conversation_id, ANN.id, 1.0, f"answer/{work}")
    await StoredAnswers(database, clock).record(answer, circumstances)
    await asks.set_answered(ask.id, f"answer/{work}")
    await Spent(database, clock).add(tokens, chat_id=place.chat_id, user_id=ANN.id)
