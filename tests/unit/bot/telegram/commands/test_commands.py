from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.buttons.table import BUTTONS, CONFIRMED
from bot.telegram.commands import COMMANDS, command, description, list_commands
from bot.telegram.commands.context import Key, keyboard
from bot.telegram.commands.dispatch import HANDLERS
from bot.telegram.commands.documents import find_similar
from bot.telegram.commands.reindexing import Changes, bar, changes
from bot.texts import TEXTS

_LONGEST_DESCRIPTION = 256
"""Of a command in Telegram's menu."""


def test_every_command_is_carried_out_by_something_and_nothing_else_is() -> None:
    assert set(HANDLERS) == {known.name for known in COMMANDS}
    assert len(HANDLERS) == len(COMMANDS)


def test_buttons_and_confirmations_need_the_rights_of_a_command() -> None:
    of_commands = [button.command for button in BUTTONS.values() if button.rights == "command"]
    for name in (*of_commands, *(name for name, _ in CONFIRMED.values())):
        assert command(name) is not None, name


@pytest.mark.parametrize("language", TEXTS.languages)
def test_every_command_says_what_it_does_in_its_own_words(language: str) -> None:
    texts = [description(known, language) for known in COMMANDS]
    assert len(set(texts)) == len(texts)
    for known, text in zip(COMMANDS, texts, strict=True):
        assert 0 < len(text) <= _LONGEST_DESCRIPTION, known.name
        assert "\n" not in text
        if language != "en":
            assert text != description(known, "en"), known.name


def test_members_are_not_told_of_what_they_cannot_use() -> None:
    for place in ("private", "group"):
        told = list_commands(place, is_admin=False)
        assert all(known.audience == "everyone" and place in known.places for known in told)
        assert set(told) < set(list_commands(place, is_admin=True))
    assert "claim" not in {known.name for known in list_commands("private", is_admin=True)}


def test_words_of_people_are_listed_in_private_alone() -> None:
    known = command("unanswered")
    assert known is not None
    assert known.places == ("private",)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        pytest.param({}, {"a": "1"}, Changes(1, 0, 0, 0), id="first"),
        pytest.param({"a": "1"}, {"a": "1"}, Changes(0, 0, 0, 1), id="nothing"),
        pytest.param({"a": "1", "b": "1"}, {"b": "2", "c": "1"}, Changes(1, 1, 1, 0), id="one of each"),
    ],
)
def test_states_of_the_corpus_are_compared_by_document(
    before: dict[str, str], after: dict[str, str], found: Changes
) -> None:
    assert changes(before, after) == found


_STATES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"))


@given(_STATES, _STATES)
def test_every_document_counts_once(before: dict[str, str], after: dict[str, str]) -> None:
    found = changes(before, after)
    assert found.added + found.changed + found.unchanged == len(after)
    assert found.removed + found.changed + found.unchanged == len(before)


@pytest.mark.parametrize(
    ("done", "total", "shown"),
    [
        (0, 4, "░" * 12 + " 0/4"),
        (1, 4, "▓▓▓" + "░" * 9 + " 1/4"),
        (4, 4, "▓" * 12 + " 4/4"),
        (0, 0, "▓" * 12 + " 0/0"),
    ],
)
def test_bar_shows_the_share_that_is_done(done: int, total: int, shown: str) -> None:
    assert bar(done, total) == shown


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("vacaton.md", ("vacation.md",), id="a letter missing"),
        pytest.param("vacation", ("vacation.md",), id="no ending"),
        pytest.param("VACATION.PDF", ("vacation.md",), id="another ending"),
        pytest.param("отпуск", ("Отпуск 2026.md",), id="a part"),
        pytest.param("zzz", (), id="nothing like it"),
    ],
)
def test_name_that_may_be_meant_is_found(typed: str, meant: tuple[str, ...]) -> None:
    assert find_similar(typed, ["vacation.md", "Отпуск 2026.md", "invoices.csv.txt"]) == meant


def test_reply_without_buttons_has_no_keyboard() -> None:
    assert keyboard(()) is None
    made = keyboard(((Key("Yes", "yes:1"),),))
    assert made is not None
    assert made.inline_keyboard[0][0].callback_data == "yes:1"


@pytest.mark.parametrize("verb", [*BUTTONS])
def test_largest_payload_fits_into_a_button(verb: str) -> None:
    assert len(f"{verb}:30:{2**52}:{2**52}".encode()) <= 64
