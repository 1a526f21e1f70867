"""What events of Matrix mean, whatever stands in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matrix.ids import job_ids, next_job_id, number
from bot.matrix.parsing import Account, Raw, merge, parse, thread_of
from bot.service.incoming import Asked

ME = Account("@bot:example.org", "Think Twice")
NOW = 1_795_900_488_610


def raw(content: Any, *, private: bool = False, **more: Any) -> Raw:
    event = {
        "type": "m.room.message",
        "event_id": "$e",
        "sender": "@ann:example.org",
        "origin_server_ts": NOW,
    }
    known = {"room": "!r:example.org", "private": private, "title": "Team", "name": "Ann", "job": "mx:1"}
    return {**known, "event": {**event, "content": content} | more}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"msgtype": "m.text", "body": text, **more}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Think Twice: which Java?", "which Java?"),
        ("think twice, which Java?", "which Java?"),
        ("@bot:example.org which Java?", "which Java?"),
        ("bot which Java?", "which Java?"),
        ("Think Twicely, which Java?", None),
        ("bottles of Java?", None),
        ("which Java, Think Twice?", None),
    ],
)
def test_name_before_a_question_calls_the_bot(text: str, question: str | None) -> None:
    heard = parse(raw(said(text)), ME)
    assert (heard.text if isinstance(heard, Asked) else heard) == question


def test_quote_that_older_clients_put_before_a_reply_is_no_part_of_the_question() -> None:
    reply = {"m.in_reply_to": {"event_id": "$other"}}
    text = "> <@bob:example.org> Java 8\n> really\n\nWhich Java?"
    heard = parse(raw(said(text, **{"m.relates_to": reply}), private=True), ME)
    assert isinstance(heard, Asked)
    assert heard.text == "Which Java?"
    assert parse(raw(said("> <b> is no tag\n\nWhy?"), private=True), ME) != heard


def test_message_that_was_deleted_means_nothing() -> None:
    assert parse(raw({}, private=True), ME) is None


def test_reply_that_a_client_adds_in_a_thread_is_not_meant() -> None:
    thread = {"rel_type": "m.thread", "event_id": "$root", "is_falling_back": True}
    heard = parse(
        raw(said("Why?", **{"m.relates_to": thread | {"m.in_reply_to": {"event_id": "$x"}}}), private=True),
        ME,
    )
    assert isinstance(heard, Asked)
    assert (heard.message.replied, heard.message.place.thread_id) == (None, number("$root"))


def test_nobody_changes_the_question_of_another_person() -> None:
    original = raw(said("Which Java?"))["event"]
    edit = raw(said("* x", **{"m.new_content": said("x")}), sender="@eve:example.org")["event"]
    assert merge(original, edit) is None
    mine = merge(original, {**edit, "sender": original["sender"]})
    assert mine is not None
    assert mine["content"]["body"] == "x"


def test_each_text_of_a_question_has_a_job_of_its_own() -> None:
    second = next_job_id("mx:7")
    third = next_job_id(second)
    assert job_ids(third) == [third, second, "mx:7"]


KEYS = (
    *("msgtype", "body", "url", "info", "size", "filename", "m.mentions", "user_ids", "m.relates_to", "key"),
    *("rel_type", "event_id", "m.in_reply_to", "is_falling_back", "m.new_content", "redacts"),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=20,
)
TYPES = ("m.room.message", "m.reaction", "m.room.redaction", "m.room.encrypted", "m.room.member")


@given(st.sampled_from(TYPES), values, values, values, st.booleans())
def test_anything_may_stand_in_an_event(kind: str, content: Any, sender: Any, at: Any, private: bool) -> None:
    found = raw(content, private=private, type=kind, sender=sender, origin_server_ts=at)
    parse(found, ME)
    parse({**found, "to_me": True}, ME)
    merge(found["event"], found["event"])
    assert isinstance(thread_of(found["event"]), str)
