from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service import keys
from bot.service.incoming import Place
from bot.telegram.ids import to_peer

IDS = st.integers(-(2**52), 2**52)


@given(IDS, st.none() | st.integers(1, 2**52))
def test_chat_and_topic_come_back_from_the_key_of_their_conversation(
    chat_id: int, thread_id: int | None
) -> None:
    key = Place(to_peer(chat_id), "group", thread_id).conversation_id
    assert keys.chat_and_topic(key) == (to_peer(chat_id), thread_id or 0)
    assert key.startswith(keys.conversations_of(to_peer(chat_id)))


@given(IDS, st.none() | st.integers(1, 2**52))
def test_conversation_belongs_to_its_chat_or_person(chat_id: int, number: int | None) -> None:
    assert keys.chat_or_person(keys.conversation_key(to_peer(chat_id), number)) == to_peer(chat_id)
    assert keys.chat_or_person(keys.web_conversation_key(to_peer(chat_id), number or 0)) == to_peer(chat_id)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "terminal",
        "telegram:5",
        "telegram:-5:0x",
        "web:5:1",
        "web:telegram:5:1\n",
        " web:telegram:5:1",
    ],
)
def test_any_other_conversation_belongs_to_nobody(name: str) -> None:
    assert keys.chat_or_person(name) is None


@given(IDS, IDS)
def test_conversations_of_two_chats_never_begin_alike(one: int, other: int) -> None:
    key = keys.conversation_key(to_peer(one), None)
    assert key.startswith(keys.conversations_of(to_peer(other))) == (one == other)


def test_keys_are_those_that_earlier_versions_have_stored() -> None:
    assert Place(to_peer(-1001), "group", 7).conversation_id == "telegram:-1001:7"
    assert keys.older_lane(Place(to_peer(5), "private").lane) == "5:0"
    assert to_peer(5) == "telegram:5"
    assert keys.exchanges(12) == "telegram:12/"
