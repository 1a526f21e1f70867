from __future__ import annotations

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


@given(IDS, IDS)
def test_conversations_of_two_chats_never_begin_alike(one: int, other: int) -> None:
    key = keys.conversation_key(one, None)
    assert key.startswith(keys.conversations_of(other)) == (one == other)


def test_keys_are_those_that_earlier_versions_have_stored() -> None:
    assert Place(-1001, "group", 7).conversation_id == "telegram:-1001:7"
    assert Place(5, "private").lane == "5:0"
    assert Sender(5, "person").key == "telegram:5"
    assert keys.exchanges(12) == "telegram:12/"
