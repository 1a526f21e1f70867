from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.parts import policy
from bot.service.incoming import Place, Sender
from bot.service.people import Chat, Decision, GrantedRole, Person, Role
from bot.service.rights import (
    AccessMode,
    Policy,
    may_read,
    reason_not_to_answer,
    reason_not_to_change,
    reason_not_to_obey,
    role,
)
from bot.settings.tree import Settings
from bot.telegram.ids import to_peer

ANN = Sender(to_peer(42), "person", "Ann")
ANONYMOUS = Sender(to_peer(-100), "anonymous_admin", "Team")
CHANNEL = Sender(to_peer(-900), "channel", "News")
BOT = Sender(to_peer(8), "bot", "Other")
PRIVATE = Place(to_peer(42), "private")
GROUP = Place(to_peer(-100), "group", title="Team")

PRIVATE_MODE, OPEN, GROUPS = (Policy(mode) for mode in ("private", "open", "groups"))


def group(access: Decision | None = None) -> Chat:
    return Chat(to_peer(-100), "group", access=access)


def person(access: Decision | None = None, role: GrantedRole | None = None) -> Person:
    return Person(to_peer(42), "Ann", access=access, role=role)


class TestRole:
    @pytest.mark.parametrize(
        ("sender", "kept", "place", "chat", "policy", "expected"),
        [
            pytest.param(ANN, person(), PRIVATE, Chat(to_peer(42), "private"), PRIVATE_MODE, "none", id="stranger"),
            pytest.param(ANN, person(), PRIVATE, Chat(to_peer(42), "private"), OPEN, "member", id="open"),
            pytest.param(ANN, person(), PRIVATE, Chat(to_peer(42), "private"), GROUPS, "none", id="groups only"),
            pytest.param(ANN, person("allowed"), PRIVATE, Chat(to_peer(42), "private"), PRIVATE_MODE, "member", id="allowed"),
            pytest.param(ANN, person("denied"), PRIVATE, Chat(to_peer(42), "private"), OPEN, "none", id="denied"),
            pytest.param(ANN, person("denied"), GROUP, group("allowed"), OPEN, "none", id="denied in a group"),
            pytest.param(ANN, person(), GROUP, group("allowed"), PRIVATE_MODE, "member", id="allowed group"),
            pytest.param(ANN, person(), GROUP, group(), PRIVATE_MODE, "none", id="unknown group"),
            pytest.param(ANN, person(), GROUP, group(), GROUPS, "member", id="any group"),
            pytest.param(ANN, person(), GROUP, group("denied"), GROUPS, "none", id="denied group"),
            pytest.param(ANN, person(), GROUP, group("denied"), OPEN, "none", id="denied group, open"),
            pytest.param(ANN, person(role="admin"), GROUP, group(), PRIVATE_MODE, "admin", id="admin"),
            pytest.param(ANN, person(role="owner"), PRIVATE, Chat(to_peer(42), "private"), GROUPS, "owner", id="owner"),
            pytest.param(ANN, person("denied"), PRIVATE, Chat(to_peer(42), "private"), Policy(owners=frozenset({to_peer(42)})), "owner", id="owner by setting"),
            pytest.param(BOT, Person(to_peer(8)), GROUP, group("allowed"), OPEN, "none", id="bot"),
            pytest.param(ANONYMOUS, Person(to_peer(-100)), GROUP, group("allowed"), OPEN, "none", id="anonymous"),
            pytest.param(ANONYMOUS, Person(to_peer(-100)), GROUP, group("allowed"), Policy("open", anonymous_admins=True), "admin", id="anonymous where it may"),
            pytest.param(ANONYMOUS, Person(to_peer(-100)), GROUP, group(), Policy("open", anonymous_admins=True), "member", id="anonymous of a group nobody allowed"),
            pytest.param(ANONYMOUS, Person(to_peer(-100)), GROUP, group("denied"), Policy("open", anonymous_admins=True), "none", id="anonymous of a denied group"),
            pytest.param(CHANNEL, Person(to_peer(-900)), GROUP, group("allowed"), OPEN, "none", id="channel"),
            pytest.param(CHANNEL, Person(to_peer(-900)), GROUP, group("allowed"), Policy("private", channels=True), "member", id="channel where it may"),
        ],
    )  # fmt: skip
    def test_role(
        self, sender: Sender, kept: Person, place: Place, chat: Chat, policy: Policy, expected: Role
    ) -> None:
        assert role(sender, kept, place, chat, policy) == expected

    @given(
        st.text(max_size=10),
        st.sampled_from(["private", "open", "groups"]),
        st.sampled_from(["allowed", "denied", None]),
    )
    def test_no_name_gives_a_right(self, name: str, mode: AccessMode, access: Decision | None) -> None:
        policy = Policy(mode, owners=frozenset({to_peer(1)}))
        for place, chat in (
            (PRIVATE, Chat(to_peer(42), "private", name)),
            (GROUP, Chat(to_peer(-100), "group", name, True, access)),
        ):
            for named in (name, "Admin", "owner", "1"):
                sender = Sender(to_peer(42), "person", named)
                assert role(sender, Person(to_peer(42), named), place, chat, policy) in {"member", "none"}

    def test_policy_comes_from_the_settings(self) -> None:
        given: dict[str, Any] = {"access": {"mode": "groups", "channels": True}, "admins": "1, 2"}
        settings = Settings.load(**given, telegram={"token": "1:token-of-nobody"})
        assert policy(settings) == Policy("groups", frozenset({to_peer(1), to_peer(2)}), False, True)


class TestReasons:
    @pytest.mark.parametrize(
        ("sender", "kept", "place", "chat", "policy", "reason", "is_told"),
        [
            pytest.param(ANN, person(), PRIVATE, Chat(to_peer(42), "private"), PRIVATE_MODE, "refused-private", True, id="stranger"),
            pytest.param(ANN, person(), PRIVATE, Chat(to_peer(42), "private"), GROUPS, "refused-private-groups", True, id="groups only"),
            pytest.param(ANN, person("denied"), PRIVATE, Chat(to_peer(42), "private"), OPEN, "refused-person", True, id="denied"),
            pytest.param(ANN, person(), GROUP, group(), PRIVATE_MODE, "refused-group", True, id="group"),
            pytest.param(ANN, person("allowed"), GROUP, group(), PRIVATE_MODE, "refused-group", True, id="allowed person in a foreign group"),
            pytest.param(ANN, person(role="admin"), GROUP, group(), PRIVATE_MODE, "refused-group-admin", True, id="admin in a foreign group"),
            pytest.param(ANONYMOUS, Person(to_peer(-100)), GROUP, group("allowed"), OPEN, "refused-anonymous", True, id="anonymous"),
            pytest.param(CHANNEL, Person(to_peer(-900)), GROUP, group("allowed"), OPEN, "refused-channel", False, id="channel"),
            pytest.param(CHANNEL, Person(to_peer(-900)), GROUP, group(), PRIVATE_MODE, "refused-group", False, id="channel in a foreign group"),
            pytest.param(ANN, person(), GROUP, group("allowed"), PRIVATE_MODE, None, True, id="allowed group"),
            pytest.param(ANN, person(role="admin"), PRIVATE, Chat(to_peer(42), "private"), GROUPS, None, True, id="admin in private"),
        ],
    )  # fmt: skip
    def test_reason_not_to_answer(
        self,
        sender: Sender,
        kept: Person,
        place: Place,
        chat: Chat,
        policy: Policy,
        reason: str | None,
        is_told: bool,
    ) -> None:
        refusal = reason_not_to_answer(sender, kept, place, chat, policy)
        assert (refusal.message_id if refusal else None) == reason
        assert refusal is None or refusal.is_notice_due is is_told

    def test_stranger_is_told_the_id_to_give_away(self) -> None:
        refusal = reason_not_to_answer(ANN, person(), PRIVATE, Chat(to_peer(42), "private"), PRIVATE_MODE)
        assert refusal is not None
        assert refusal.values == {"user": "42"}

    @pytest.mark.parametrize(
        ("has", "sender", "is_destructive", "reason"),
        [
            ("owner", ANN, True, None),
            ("admin", ANN, True, None),
            ("admin", ANONYMOUS, False, None),
            ("admin", ANONYMOUS, True, "refused-named-only"),
            ("member", ANN, False, "refused-admins-only"),
            ("none", Sender(to_peer(5), "person", "Admin"), True, "refused-admins-only"),
        ],
    )
    def test_administrators_commands(
        self, has: Role, sender: Sender, is_destructive: bool, reason: str | None
    ) -> None:
        refusal = reason_not_to_obey(has, sender, "admins", is_destructive=is_destructive)
        assert (refusal.message_id if refusal else None) == reason

    def test_everyones_commands_need_no_role(self) -> None:
        assert reason_not_to_obey("none", ANN, "everyone", is_destructive=False) is None
        assert reason_not_to_obey("member", ANN, "everyone", is_destructive=True) is None

    @pytest.mark.parametrize(
        ("actor", "target", "target_id", "reason"),
        [
            ("member", "none", 2, "refused-admins-only"),
            ("admin", "none", 2, None),
            ("admin", "member", 2, None),
            ("admin", "admin", 2, "refused-owner-only"),
            ("admin", "owner", 2, "refused-owner-only"),
            ("owner", "admin", 2, None),
            ("owner", "owner", 2, "refused-owner-only"),
            ("owner", "owner", 1, "refused-yourself"),
        ],
    )
    def test_who_may_change_whom(self, actor: Role, target: Role, target_id: int, reason: str | None) -> None:
        refusal = reason_not_to_change(actor, to_peer(1), target, to_peer(target_id))
        assert (refusal.message_id if refusal else None) == reason


class TestMayRead:
    @pytest.mark.parametrize(
        ("has", "conversation_id", "expected"),
        [
            pytest.param("admin", "telegram:-100:0", True, id="group, admin"),
            pytest.param("owner", "telegram:-100:7", True, id="topic, owner"),
            pytest.param("member", "telegram:-100:0", False, id="group, member"),
            pytest.param("owner", "telegram:43:0", False, id="private chat of another"),
            pytest.param("owner", "web:43:1", False, id="console of another"),
            pytest.param("admin", "telegram:42:0", True, id="own private chat"),
            pytest.param("admin", "web:42:9", True, id="own console"),
            pytest.param("owner", "terminal", False, id="terminal"),
            pytest.param("owner", "terminal:-100:0", False, id="terminal with the name of a group"),
        ],
    )
    def test_words_of_groups_are_for_admins_and_those_of_a_person_for_that_person(
        self, has: Role, conversation_id: str, expected: bool
    ) -> None:
        assert may_read(has, to_peer(42), conversation_id) is expected
