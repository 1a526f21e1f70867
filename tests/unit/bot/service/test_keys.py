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
        "telegram:-notes:1",
        "web:٣:1",
        "web:5:1\n",
        " web:5:1",
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
    assert Place(to_peer(5), "private").lane == "5:0"
    assert keys.web_conversation_key(to_peer(5), 3) == "web:5:3"
    assert keys.web_run(to_peer(5), "key") == "web:5:key"
    assert to_peer(5) == "telegram:5"
    assert to_peer(0) == keys.LOCAL_OWNER
    assert keys.exchanges(12) == "telegram:12/"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("42", "telegram:42"),
        ("-100123", "telegram:-100123"),
        (" 42 ", "telegram:42"),
        ("042", "telegram:42"),
        ("telegram:42", "telegram:42"),
        ("telegram:-100123", "telegram:-100123"),
        ("0", None),
        ("telegram:0", None),
        ("", None),
        ("-", None),
        ("--4", None),
        ("4 2", None),
        ("٤٢", None),
        ("1" * 17, None),
        (str(2**52), f"telegram:{2**52}"),
        (str(2**52 + 1), None),
        ("web:5", None),
        (" @ann:example.org ", "matrix:@ann:example.org"),
        ("matrix:!room:example.org", "matrix:!room:example.org"),
        ("@ann:localhost:8448", "matrix:@ann:localhost%3A8448"),
        ("@ann", None),
        ("ann:example.org", None),
        ("@ann:exa\x00mple.org", None),
        ("@" + "a" * 100 + ":example.org", None),
    ],
)
def test_only_an_id_is_taken_for_one(typed: str, meant: str | None) -> None:
    assert keys.parse_peer(typed) == meant


@given(st.text(max_size=40) | IDS.map(str) | IDS.map(to_peer))
def test_anything_may_be_typed_for_an_id(typed: str) -> None:
    found = keys.parse_peer(typed)
    assert found is None or found == to_peer(int(typed.strip().removeprefix("telegram:")))


def test_payloads_of_earlier_versions_hold_numbers() -> None:
    assert keys.read_peer(-100) == keys.read_peer("telegram:-100") == to_peer(-100)
    assert keys.read_peer(0) == keys.LOCAL_OWNER


MATRIX = st.from_regex(r"[@!][a-z-]{1,8}:[a-z.]{1,8}(:[0-9]{1,4})?", fullmatch=True)


@given(MATRIX, MATRIX, st.integers(0, 10**18 - 1))
def test_ids_of_matrix_are_found_again_in_the_keys_of_conversations(
    one: str, other: str, number: int
) -> None:
    peer, neighbour = keys.on_matrix(one), keys.on_matrix(other)
    assert peer is not None
    assert neighbour is not None
    key = keys.conversation_key(peer, number)
    assert (keys.chat_or_person(key), keys.chat_and_topic(key)) == (peer, (peer, number))
    assert keys.is_group(peer) == one.startswith("!")
    assert key.startswith(keys.conversations_of(neighbour)) == (peer == neighbour)
    if not keys.is_group(peer):
        assert keys.chat_or_person(keys.web_conversation_key(peer, number)) == peer
