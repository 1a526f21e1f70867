"""Lengths and entities in UTF-16 units, as the reference page of the Bot API counts them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.telegram.entities import (
    MAX_USED,
    Formatted,
    check_text,
    find_entities,
    slice_units,
    units,
)
from tests.telegram.refusals import Refusal

# Texts without lone surrogates, with many characters that take two units.
TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("😀👩‍👩‍👧🇮🇩𝒳 \n")), max_size=60
)


def check(text: str, *entities: dict[str, Any], limit: int = 4096) -> Formatted:
    return check_text(
        Formatted(text, entities), limit=limit, too_long="message is too long", empty="message text is empty"
    )


@given(TEXTS)
def test_length_counts_two_for_each_character_beyond_the_basic_plane(text: str) -> None:
    assert units(text) == sum(2 if ord(character) > 0xFFFF else 1 for character in text)


@given(TEXTS, st.data())
def test_slice_of_units_gives_back_the_part_between_two_characters(text: str, draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(text)))
    end = draw.draw(st.integers(start, len(text)))
    assert slice_units(text, units(text[:start]), units(text[start:end])) == text[start:end]


@given(TEXTS.map(lambda text: f"{text}!"), st.data())
def test_entity_between_characters_is_accepted_and_still_covers_its_words(
    text: str, draw: st.DataObject
) -> None:
    start = draw.draw(st.integers(0, len(text) - 1))
    end = draw.draw(st.integers(start + 1, len(text)))
    entity = {"type": "bold", "offset": units(text[:start]), "length": units(text[start:end])}
    stored = [entity for entity in check(text, entity).entities if entity["type"] == "bold"]
    covered = "".join(check(text, entity).part(each) for each in stored)
    # Trimming and the replacement of control characters change nothing but white space.
    assert (
        covered.split() == "".join(" " if ord(c) < 32 and c != "\n" else c for c in text[start:end]).split()
    )


@given(TEXTS, st.integers(-3, 140), st.integers(-3, 140))
def test_every_entity_is_either_refused_or_lies_within_the_stored_text(
    text: str, offset: int, length: int
) -> None:
    try:
        stored = check(f"x{text}x", {"type": "italic", "offset": offset, "length": length})
    except Refusal:
        return
    for entity in stored.entities:
        assert 0 <= entity["offset"] < entity["offset"] + entity["length"] <= units(stored.text)
        assert stored.part(entity).encode()  # no half of a pair


@given(st.integers(0, 20), st.integers(0, 20))
def test_entity_that_begins_or_ends_within_a_surrogate_pair_is_refused(before: int, after: int) -> None:
    text = "a" * before + "😀" + "b" * (after + 1)
    with pytest.raises(Refusal, match="begins in a middle of a UTF-16 symbol"):
        check(text, {"type": "bold", "offset": before + 1, "length": 1})
    with pytest.raises(Refusal, match="ends in a middle of a UTF-16 symbol"):
        check(f"x{text}", {"type": "bold", "offset": 0, "length": before + 2})


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        ({"type": "bold", "offset": 0, "length": 6}, "ENTITY_BOUNDS_INVALID"),
        ({"type": "bold", "offset": -1, "length": 2}, "ENTITY_BOUNDS_INVALID"),
        ({"type": "bold", "offset": 1, "length": 0}, "ENTITY_BOUNDS_INVALID"),
        ({"type": "bold", "length": 1}, "offset and length"),
        ({"type": "loud", "offset": 0, "length": 1}, "unsupported entity type"),
        ({"type": "text_link", "offset": 0, "length": 1}, "field url"),
        ({"type": "text_link", "offset": 0, "length": 1, "url": ""}, "field url"),
        ({"type": "text_mention", "offset": 0, "length": 1}, "field user"),
        ({"type": "pre", "offset": 0, "length": 1, "language": 3}, "field language"),
        ("bold", "expected an object"),
    ],
    ids=[
        "beyond-the-end",
        "negative",
        "empty",
        "no-offset",
        "unknown-type",
        "link-without-url",
        "link-with-empty-url",
        "mention-without-user",
        "language-not-text",
        "no-object",
    ],
)
def test_impossible_entity_is_refused(entity: Any, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        check("12345", entity)


def test_text_of_4096_units_is_taken_and_one_more_is_not() -> None:
    assert units(check("😀" * 2048).text) == 4096
    with pytest.raises(Refusal, match="message is too long"):
        check("😀" * 2048 + "x")


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "\x00\x01"])
def test_text_without_anything_to_see_is_empty(text: str) -> None:
    with pytest.raises(Refusal, match="message text is empty"):
        check(text)


def test_white_space_around_a_text_goes_and_its_entities_move_along() -> None:
    stored = check("\n  bold text  ", {"type": "bold", "offset": 2, "length": 5})
    assert stored.text == "bold text"
    assert [stored.part(entity) for entity in stored.entities] == ["bold"]


def test_more_than_a_hundred_entities_are_cut_off() -> None:
    entities = [{"type": "bold", "offset": 2 * place, "length": 1} for place in range(MAX_USED + 5)]
    assert len(check("a " * 200, *entities).entities) == MAX_USED


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/ask@thinktwice_bot why?", [("bot_command", "/ask@thinktwice_bot")]),
        ("Hello @thinktwice_bot!", [("mention", "@thinktwice_bot")]),
        ("@thinktwice_bot2", [("mention", "@thinktwice_bot2")]),
        ("ann@example.org", [("email", "ann@example.org")]),
        ("see https://example.org/a/b.", [("url", "https://example.org/a/b")]),
        ("and/or 1/2", []),
        ("😀 /help", [("bot_command", "/help")]),
        ("привет @thinktwice_bot как #дела", [("mention", "@thinktwice_bot"), ("hashtag", "#дела")]),
        ("@ab", []),
    ],
)
def test_telegram_finds_commands_mentions_and_addresses_by_itself(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert [(entity["type"], Formatted(text).part(entity)) for entity in find_entities(text)] == found


def test_type_that_telegram_finds_is_not_believed_when_a_bot_sends_it() -> None:
    assert check("hello there", {"type": "mention", "offset": 0, "length": 5}).entities == ()


def test_nothing_is_found_inside_code() -> None:
    stored = check("run /ask now", {"type": "code", "offset": 0, "length": 8})
    assert [entity["type"] for entity in stored.entities] == ["code"]
