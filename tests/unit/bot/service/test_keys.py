from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service import keys
from bot.service.incoming import Place, Sender

IDS = st.integers(-(2**52), 2**52)


@given(IDS, st.none() | st.integers(1, 2**52))
def test_chat_and_topic_come_back_from_the_key_of_their_conversation(
    chat_id: int, thread_id: int | None
) -> None:
    key = Place(chat_id, "group", thread_id).conversation_id
    assert keys.chat_and_topic(key) == (chat_id, thread_id or 0)
    assert key.startswith(keys.conversations_of(chat_id))


@given(IDS, st.none() | st.integers(1, 2**52))
def test_conversation_belongs_to_its_chat_or_person(chat_id: int, number: int | None) -> None:
    assert keys.chat_or_person(keys.conversation_key(chat_id, number)) == chat_id
    assert keys.chat_or_person(keys.web_conversation_key(chat_id, number or 0)) == chat_id


@pytest.mark.parametrize(
    "name", ["", "a", "terminal", "telegram:5", "telegram:-5:0x", "web:٣:1", "web:5:1\n", " web:5:1"]
)
def test_any_other_conversation_belongs_to_nobody(name: str) -> None:
    assert keys.chat_or_person(name) is None


@given(IDS, IDS)
def test_conversations_of_two_chats_never_begin_alike(one: int, other: int) -> None:
    key = keys.conversation_key(one, None)
    assert key.startswith(keys.conversations_of(other)) == (one == other)


def test_keys_are_those_that_earlier_versions_have_stored() -> None:
    assert Place(-1001, "group", 7).conversation_id == "telegram:-1001:7"
    assert Place(5, "private").lane == "5:0"
    assert Sender(5, "person").key == "telegram:5"
    assert keys.exchanges(12) == "telegram:12/"
