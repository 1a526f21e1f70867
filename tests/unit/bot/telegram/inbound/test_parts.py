"""Parts of one message are told from separate messages, and joined without losing a word or a file."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service import incoming
from bot.telegram.inbound.parsing import parse_raw_update
from bot.telegram.inbound.parts import goes_on, join, may_go_on, name_of_parts
from tests.support.raw_updates import DATE, DOCUMENT, FORWARD, GROUP, ME, PHOTO, message, units


def raws(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"update_id": number, "message": {**each, "message_id": number}}
        for number, each in enumerate(messages, 1)
    ]


def document(name: str, caption: str | None = None, **more: Any) -> dict[str, Any]:
    file = {**DOCUMENT, "file_id": name, "file_name": name}
    made = message(document=file, media_group_id="g", **more)
    return made if caption is None else message(caption, caption_of=1) | made


def is_part(first: dict[str, Any], second: dict[str, Any]) -> bool:
    one, other = raws(first, second)
    names = []
    for raw in (one, other):
        parsed = parse_raw_update(raw, ME)
        names.append(name_of_parts(raw, parsed.message))  # type: ignore[union-attr]  # all of these are messages
    return bool(names[0]) and names[0] == names[1] and goes_on(one, other)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(message("a" * 4096), message("b"), True, id="a text at the limit"),
        pytest.param(message("🎉" * 2048), message("b"), True, id="a text of UTF-16 pairs at the limit"),
        pytest.param(message("a " * 1100), message("b"), True, id="a text cut at a good place"),
        pytest.param(message("a" * 2048), message("b"), False, id="a text that would hold the rest"),
        pytest.param(message("a" * 4096), message("b", date=DATE + 1), True, id="across a second"),
        pytest.param(message("a" * 4096), message("b", date=DATE + 2), False, id="later"),
        pytest.param(message("a" * 4096), message("b", date=DATE - 1), False, id="earlier"),
        pytest.param(message("a" * 4096), message("b", forward_origin=FORWARD), False, id="forwarded"),
        pytest.param(message("a" * 4096), message(photo=PHOTO), False, id="a picture"),
        pytest.param(message("a" * 4096), message("b", chat=GROUP), False, id="in another chat"),
        pytest.param(document("a"), document("b"), True, id="an album"),
        pytest.param(document("a"), document("b", date=DATE + 9), True, id="a slow album"),
        pytest.param(document("a"), {**document("b"), "media_group_id": "h"}, False, id="another album"),
        pytest.param(document("a"), message("b"), False, id="a text after an album"),
    ],
)
def test_parts_are_told_from_separate_messages(
    first: dict[str, Any], second: dict[str, Any], expected: bool
) -> None:
    chats = first["chat"]["id"] == second["chat"]["id"]
    assert (chats and is_part(first, second)) is expected


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=4), st.data())
def test_joined_text_holds_every_word_and_entity_in_its_place(texts: list[str], data: st.DataObject) -> None:
    messages = []
    for text in texts:
        offset = data.draw(st.integers(0, units(text) - 1))
        entity = {"type": "bold", "offset": offset, "length": 1}
        messages.append({**message(), "text": text, "entities": [entity]})
    joined = join(raws(*messages))
    whole = joined["message"]["text"]
    assert whole == "\n".join(texts)
    wide = whole.encode("utf-16-le", "surrogatepass")
    for entity, each in zip(joined["message"]["entities"], messages, strict=True):
        place = 2 * entity["offset"]
        own = 2 * each["entities"][0]["offset"]
        assert wide[place : place + 2] == each["text"].encode("utf-16-le", "surrogatepass")[own : own + 2]


def test_text_of_full_length_was_cut_within_a_word() -> None:
    joined = join(raws(message("a" * 4096), message("b")))
    assert joined["message"]["text"] == "a" * 4096 + "b"


def test_mention_in_a_later_part_addresses_the_bot() -> None:
    asked = parse_raw_update(
        join(raws(message("a" * 3000, chat=GROUP), message("why, @HandbookBot?", chat=GROUP))), ME
    )
    assert isinstance(asked, incoming.Asked)
    assert asked.text == "a" * 3000 + "\nwhy?"
    assert asked.message.message_id == 1


@pytest.mark.parametrize("place", [0, 1, 2])
def test_command_of_an_album_is_about_all_its_files(place: int) -> None:
    album = [document(name, "/add" if number == place else None) for number, name in enumerate("abc")]
    commanded = parse_raw_update(join(raws(*album)), ME)
    assert isinstance(commanded, incoming.Commanded)
    assert [file.name for file in commanded.message.files] == ["a", "b", "c"]
    assert (commanded.name, commanded.message.update_id, commanded.message.message_id) == (
        "add",
        1,
        place + 1,
    )


def test_album_without_words_stays_without() -> None:
    unreadable = parse_raw_update(join(raws(document("a"), document("b"))), ME)
    assert isinstance(unreadable, incoming.Unreadable)
    assert len(unreadable.message.files) == 2


def test_one_message_joined_is_itself() -> None:
    (raw,) = raws(message("a" * 4096))
    assert may_go_on(raw)
    assert parse_raw_update(join([raw]), ME) == parse_raw_update(raw, ME)
