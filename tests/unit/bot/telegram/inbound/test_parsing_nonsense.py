"""Updates that nobody expects are parsed without a failure, whatever stands in them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from telegram import Update

from bot.service import incoming as v
from bot.telegram.inbound.parsing import clean, parse_raw_update, parse_update
from tests.support.raw_updates import (
    ANN,
    ANONYMOUS,
    BOB,
    BOT,
    DATE,
    DOCUMENT,
    GROUP,
    ME,
    PRIVATE,
    heard,
    incoming,
    message,
    reply,
)


class TestNonsense:
    @pytest.mark.parametrize(
        "raw",
        [
            {"update_id": 1, "message": {}},
            {"update_id": 1, "message": message("x") | {"chat": {"id": "a", "type": "private"}}},
            {"update_id": 1, "message": message("x") | {"chat": {"id": 10**30, "type": "private"}}},
            {"update_id": 1, "message": message("x") | {"chat": {"id": 1, "type": "galaxy"}}},
            {"update_id": 1, "message": message("x") | {"date": 10**30}},
            {"update_id": 1, "message": message("x") | {"date": None}},
            {"update_id": 1, "message": message("x") | {"text": ["x"]}},
            {"update_id": 1, "message": message("x") | {"message_id": True}},
            {"update_id": "one", "message": message("x")},
            {"message": message("x")},
            {"update_id": 1, "stopped_message_generation": {"chat": 3}},
            {"update_id": 1, "callback_query": {"id": "q"}},
            {},
        ],
    )
    def test_what_telegram_never_sends_is_ignored(self, raw: Any) -> None:
        assert isinstance(parse_raw_update(raw, ME), v.Ignored)

    def test_offsets_stay_right_beside_halves_of_pairs(self) -> None:
        text = "\ud83d \udc00 @HandbookBot hi"
        asked = heard(text, GROUP, entities=[{"type": "mention", "offset": 4, "length": 12}])
        assert isinstance(asked, v.Asked)
        assert asked.address == "mention"
        assert "\ud83d" not in asked.text

    def test_update_nested_deeper_than_telegrams_is_cut(self) -> None:
        nested: dict[str, Any] = {}
        for _ in range(900):
            nested = {"reply_to_message": nested}
        assert json.dumps(clean({"message": nested})).count("reply_to_message") < 60
        assert isinstance(
            parse_raw_update({"update_id": 1, "message": message("x") | nested}, ME), v.Incoming
        )

    def test_entities_that_point_beyond_the_text_do_no_harm(self) -> None:
        for offset, length in ((-5, 3), (0, 999), (10**9, 5), (3, -2), (0, 0)):
            for kind in ("mention", "bot_command", "text_mention"):
                wild = {"type": kind, "offset": offset, "length": length}
                assert isinstance(heard("/ask @HandbookBot hi", entities=[wild]), v.Asked | v.Commanded)

    def test_attack_and_naughty_texts_pass(self, shared: Path) -> None:
        folder = shared / "attacks"
        texts = [json.loads(line)["text"] for line in (folder / "unicode.jsonl").read_text().splitlines()]
        texts += json.loads((folder / "naughty-strings.json").read_text())
        for text in texts:
            for kind, sent in (
                ("message", message(text)),
                ("message", message(f"@HandbookBot {text}", GROUP, {**ANN, "first_name": text, "username": text})),
                ("edited_message", message(text, {**PRIVATE, "first_name": text}, edit_date=DATE)),
                ("message", message(text, caption_of=1, document={**DOCUMENT, "file_name": text})),
                ("callback_query", {"id": "q", "from": ANN, "chat_instance": "c", "data": text, "message": reply(text)}),
            ):  # fmt: skip
                outcome = incoming(kind, sent)
                assert "malformed" not in getattr(outcome, "reason", ""), outcome
                repr(outcome).encode("utf-8")
                assert not regex.search(r"[\0\x1b\u202a-\u202e\U000e0000-\U000e001f]", repr_of_texts(outcome))

    @given(st.data())
    def test_mutated_updates_never_raise(self, data: st.DataObject) -> None:
        raw = copy.deepcopy(data.draw(st.sampled_from(SAMPLES)))
        for _ in range(data.draw(st.integers(1, 4))):
            mutate(raw, data)
        outcome = parse_raw_update(raw, ME)
        assert isinstance(outcome, v.Incoming)
        repr_of_texts(outcome).encode("utf-8")

    @given(
        st.text(st.characters(codec=None)),
        st.lists(st.tuples(st.integers(-3, 60), st.integers(-3, 60)), max_size=4),
    )
    def test_any_text_with_any_entities_is_read(self, text: str, spans: list[tuple[int, int]]) -> None:
        entities = [
            {"type": kind, "offset": a, "length": b} for a, b in spans for kind in ("mention", "bot_command")
        ]
        for chat in (PRIVATE, GROUP):
            outcome = heard(f"@HandbookBot {text}", chat, entities=entities)
            assert not isinstance(outcome, v.Ignored) or "command" in outcome.reason


def test_update_read_from_an_object_is_the_same_as_from_its_json() -> None:
    raw = {"update_id": 1, "message": message("hi")}
    assert parse_update(Update.de_json(clean(raw)), ME) == parse_raw_update(raw, ME)


SAMPLES: list[dict[str, Any]] = [
    {"update_id": 1, "message": message("@HandbookBot what?", GROUP, reply_to_message=reply("x", BOB), document=DOCUMENT)},
    {"update_id": 2, "edited_message": message("/ask why", edit_date=DATE)},
    {"update_id": 3, "message": message("hi", GROUP, ANONYMOUS, sender_chat=GROUP, quote={"text": "q", "position": 0})},
    {"update_id": 4, "callback_query": {"id": "q", "from": ANN, "chat_instance": "c", "data": "x:1", "message": reply()}},
    {"update_id": 5, "message": message(None, GROUP, migrate_to_chat_id=-7)},
    {"update_id": 6, "stopped_message_generation": {"chat": PRIVATE}},
    {"update_id": 7, "my_chat_member": {"chat": GROUP, "from": ANN, "date": DATE, "old_chat_member": {"user": BOT, "status": "left"}, "new_chat_member": {"user": BOT, "status": "member"}}},
]  # fmt: skip
WILD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec=None), max_size=20),
    st.just([]),
    st.just({}),
    st.lists(st.none() | st.integers(), max_size=2),
)


def mutate(raw: dict[str, Any], data: st.DataObject) -> None:
    """Replace or drop one value somewhere inside."""
    here: Any = raw
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(here[key], dict | list) and here[key] and data.draw(st.booleans()):
            here = here[key]
        elif data.draw(st.booleans()):
            here[key] = data.draw(WILD)
            return
        else:
            del here[key]
            return


def repr_of_texts(outcome: v.Incoming) -> str:
    """Every text of an outcome, as it is."""
    parts: list[str] = []

    def collect(value: object) -> None:
        if isinstance(value, str):
            parts.append(value)
        for name in getattr(value, "__dataclass_fields__", ()):
            collect(getattr(value, name))

    collect(outcome)
    return "\n".join(parts)
