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
from bot.telegram.inbound.parsing import ALLOWED_UPDATES, clean, parse_raw_update, parse_update

ME = v.Me(7, "HandbookBot", "Handbook")
ANN: dict[str, Any] = {
    "id": 42, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "language_code": "pt-br",
}  # fmt: skip
BOB = {"id": 43, "is_bot": False, "first_name": "Bob"}
BOT = {"id": 7, "is_bot": True, "first_name": "Handbook", "username": "HandbookBot"}
OTHER_BOT = {"id": 8, "is_bot": True, "first_name": "Other", "username": "OtherBot"}
TELEGRAM = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_BOT = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
PRIVATE = {"id": 42, "type": "private", "first_name": "Ann", "last_name": "Lee"}
GROUP = {"id": -1001, "type": "supergroup", "title": "Team"}
CHANNEL = {"id": -1009, "type": "channel", "title": "News"}
DATE = 1_790_000_000
FORWARD = {"type": "user", "sender_user": BOB, "date": DATE}


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def entity(text: str, part: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "offset": units(text[: text.index(part)]), "length": units(part), **more}


def message(
    text: str | None = None, /, chat: Any = PRIVATE, sender: Any = ANN, **more: Any
) -> dict[str, Any]:
    """A message; a command at the start and mentions get their entities as Telegram gives them."""
    made: dict[str, Any] = {"message_id": 5, "date": DATE, "chat": chat, "from": sender, **more}
    if text is not None:
        field, entities = ("caption", "caption_entities") if "caption_of" in more else ("text", "entities")
        made[field] = text
        found = [
            entity(text, match[0], "bot_command" if match[0].startswith("/") else "mention")
            for match in regex.finditer(r"(?<!\S)/[A-Za-z0-9_]+(?:@\w+)?|(?<!\w)@\w+", text)
        ]
        made.setdefault(entities, found)
    made.pop("caption_of", None)
    return made


def incoming(kind: str, payload: Any, update_id: int = 1) -> v.Incoming:
    return parse_raw_update({"update_id": update_id, kind: payload}, ME)


def heard(*args: Any, **more: Any) -> v.Incoming:
    return incoming("message", message(*args, **more))


def reply(text: str | None = "the answer", sender: Any = BOT, **more: Any) -> dict[str, Any]:
    return message(text, chat=GROUP, sender=sender) | {"message_id": 4} | more


TOPIC_START = reply(None, forum_topic_created={"name": "Topic", "icon_color": 1})
DOCUMENT = {
    "file_id": "F1",
    "file_unique_id": "u",
    "file_name": "rules.pdf",
    "file_size": 9,
    "mime_type": "application/pdf",
}
PHOTO = [{"file_id": "P", "file_unique_id": "p", "width": 1, "height": 1}]


class TestQuestions:
    @pytest.mark.parametrize(
        ("raw", "text", "address"),
        [
            pytest.param(message("What is it?"), "What is it?", "private", id="private"),
            pytest.param(message("@HandbookBot, hi"), "hi", "private", id="private with the name"),
            pytest.param(message("@handbookbot what is it?", GROUP), "what is it?", "mention", id="name first"),
            pytest.param(message("what is it, @HandbookBot?", GROUP), "what is it?", "mention", id="name last"),
            pytest.param(
                message("who is @HandbookBot here", GROUP), "who is @HandbookBot here", "mention", id="name inside"
            ),
            pytest.param(message("😀😀 @HandbookBot 是什么", GROUP), "😀😀 @HandbookBot 是什么", "mention", id="behind emoji"),
            pytest.param(message("/ask what?", GROUP), "what?", "command", id="/ask"),
            pytest.param(message("/ask@handbookBOT what?", GROUP), "what?", "command", id="/ask to me"),
            pytest.param(message("/ASK what?"), "what?", "command", id="capitals"),
            pytest.param(message("and then?", GROUP, reply_to_message=reply()), "and then?", "reply", id="reply to me"),
            pytest.param(
                message("@HandbookBot right?", GROUP, reply_to_message=reply()), "right?", "mention", id="both"
            ),
            pytest.param(message("Handbook, hi", GROUP, entities=[{"type": "text_mention", "offset": 0, "length": 8, "user": BOT}]), "hi", "mention", id="name as a link to me"),
            pytest.param(
                message("what is this?", caption_of=1, photo=PHOTO), "what is this?", "private", id="caption"
            ),
            pytest.param(message("From Bob: why?", forward_origin=FORWARD), "From Bob: why?", "private", id="forwarded to me"),
            pytest.param(message("/аdmin"), "/аdmin", "private", id="look-alike of a command"),
            pytest.param(message("see /reset", GROUP, reply_to_message=reply()), "see /reset", "reply", id="command inside"),
        ],
    )  # fmt: skip
    def test_who_addresses_the_bot_asks(self, raw: Any, text: str, address: str) -> None:
        asked = incoming("message", raw)
        assert isinstance(asked, v.Asked), asked
        assert (asked.text, asked.address) == (text, address)

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(message("hello", GROUP), id="nobody"),
            pytest.param(message("mail me@HandbookBot.org", GROUP, entities=[]), id="substring without entity"),
            pytest.param(message("@HandbookBot2 hi", GROUP), id="another bot's name begins like mine"),
            pytest.param(message("HandbookBot hi", GROUP), id="name without @"),
            pytest.param(message("and?", GROUP, reply_to_message=reply(sender=BOB)), id="reply to somebody"),
            pytest.param(
                message("hi all", GROUP, message_thread_id=4, is_topic_message=True, reply_to_message=TOPIC_START),
                id="first message of a topic, which the bot opened",
            ),
            pytest.param(message("@HandbookBot?", GROUP, forward_origin=FORWARD), id="forwarded mention"),
            pytest.param(message("hi", GROUP, forward_origin=FORWARD, reply_to_message=reply()), id="forwarded reply"),
            pytest.param(
                message("Bob hi", GROUP, entities=[{"type": "text_mention", "offset": 0, "length": 3, "user": BOB}]),
                id="name as a link to somebody",
            ),
            pytest.param(message(None, GROUP, photo=PHOTO), id="picture"),
        ],
    )  # fmt: skip
    def test_group_talk_is_overheard(self, raw: Any) -> None:
        assert isinstance(incoming("message", raw), v.Overheard)

    def test_message_brings_its_place_sender_and_time(self) -> None:
        asked = heard("hi", {**GROUP, "title": "Te\u202eam\n1"}, message_thread_id=9, is_topic_message=True, reply_to_message=reply())  # fmt: skip
        assert isinstance(asked, v.Asked)
        assert asked.message.place == v.Place(-1001, "group", 9, "Team 1")
        assert asked.message.sender == v.Sender(42, "person", "Ann Lee", "pt")
        assert (asked.message.update_id, asked.message.message_id) == (1, 5)
        assert asked.message.sent_at.timestamp() == DATE

    def test_thread_of_replies_is_no_topic(self) -> None:
        asked = heard("hi", GROUP, message_thread_id=9, reply_to_message=reply())
        assert isinstance(asked, v.Asked)
        assert asked.message.place.thread_id is None

    def test_reply_to_somebody_brings_their_words(self) -> None:
        asked = heard("@HandbookBot is this right?", GROUP, reply_to_message=reply("Two\u200b weeks", BOB))
        assert isinstance(asked, v.Asked)
        assert asked.message.replied == v.Replied(4, False, "Bob", "Two weeks", None, 43)

    def test_quoted_part_stands_for_the_whole(self) -> None:
        quote = {"text": "weeks", "position": 4}
        asked = heard("@HandbookBot why?", GROUP, reply_to_message=reply("Two weeks", BOB), quote=quote)
        assert isinstance(asked, v.Asked)
        assert asked.message.replied is not None
        assert asked.message.replied.text == "weeks"

    @pytest.mark.parametrize(
        "text", ["@HandbookBot", "/ask", " @HandbookBot ?! "], ids=["name", "/ask", "signs"]
    )
    def test_address_alone_under_a_message_asks_that_message(self, text: str) -> None:
        asked = heard(text, GROUP, reply_to_message=reply("How many days?", BOB))
        assert isinstance(asked, v.Asked)
        assert asked.text == "How many days?"
        assert asked.message.sender.id == 42

    @pytest.mark.parametrize(
        ("raw", "text"),
        [
            pytest.param(message("/council what?", GROUP), "what?", id="with a question"),
            pytest.param(message("/council@HandbookBot what?", GROUP), "what?", id="to me"),
            pytest.param(message("/council on what?", GROUP), "on what?", id="no switch"),
            pytest.param(
                message("/council", GROUP, reply_to_message=reply("How many?", BOB)),
                "How many?",
                id="as a reply",
            ),
        ],
    )
    def test_council_is_asked(self, raw: Any, text: str) -> None:
        asked = incoming("message", raw)
        assert isinstance(asked, v.Asked)
        assert (asked.text, asked.work) == (text, "council")

    @pytest.mark.parametrize(
        ("text", "argument"), [("/council", ""), ("/council off", "off"), ("/council ON", "ON")]
    )
    def test_council_without_a_question_is_a_command(self, text: str, argument: str) -> None:
        found = heard(text)
        assert isinstance(found, v.Commanded)
        assert (found.name, found.argument) == ("council", argument)

    def test_same_words_to_the_council_are_another_question(self) -> None:
        single, council = heard("/ask why?"), heard("/council why?")
        assert isinstance(single, v.Asked)
        assert isinstance(council, v.Asked)
        assert single.fingerprint != council.fingerprint

    def test_name_alone_is_a_greeting(self) -> None:
        greeted = heard("@HandbookBot", GROUP)
        assert isinstance(greeted, v.Commanded)
        assert greeted.name == "start"

    def test_edit_asks_again(self) -> None:
        asked = incoming("edited_message", message("new words", edit_date=DATE + 60))
        assert isinstance(asked, v.Asked)
        assert asked.message.is_edit
        assert asked.message.sent_at.timestamp() == DATE + 60

    def test_edit_of_something_else_has_the_same_fingerprint(self) -> None:
        first, second, third = (
            incoming(kind, message(text, **more))
            for kind, text, more in (
                ("message", "words", {}),
                ("edited_message", "words", {"edit_date": DATE + 9, "sender_tag": "new"}),
                ("edited_message", "other words", {"edit_date": DATE + 9}),
            )
        )
        assert isinstance(first, v.Asked)
        assert isinstance(second, v.Asked)
        assert isinstance(third, v.Asked)
        assert first.fingerprint == second.fingerprint != third.fingerprint


class TestCommands:
    @pytest.mark.parametrize(
        ("raw", "name", "argument"),
        [
            pytest.param(message("/start"), "start", "", id="plain"),
            pytest.param(message("/Mode@HandbookBot careful", GROUP), "mode", "careful", id="to me"),
            pytest.param(message("/ask", GROUP), "ask", "", id="/ask alone"),
            pytest.param(message("/ask", GROUP, reply_to_message=reply()), "ask", "", id="/ask under my answer"),
            pytest.param(message("/add rules", caption_of=1, document=DOCUMENT), "add", "rules", id="caption"),
            pytest.param(message("/st\u200bart", entities=[entity("/st\u200bart", "/st", "bot_command")]), "st", "art", id="broken by what nobody sees"),
        ],
    )  # fmt: skip
    def test_command_at_the_start(self, raw: Any, name: str, argument: str) -> None:
        commanded = incoming("message", raw)
        assert isinstance(commanded, v.Commanded), commanded
        assert (commanded.name, commanded.argument) == (name, argument)

    @pytest.mark.parametrize(
        ("kind", "raw"),
        [
            pytest.param("message", message("/reset@OtherBot", GROUP), id="to another bot"),
            pytest.param("message", message("/ask@OtherBot what?", GROUP), id="question to another bot"),
            pytest.param("message", message("/reindex", forward_origin=FORWARD), id="forwarded"),
            pytest.param("message", message("/ask why?", forward_origin=FORWARD), id="forwarded question"),
            pytest.param("edited_message", message("/reindex", edit_date=DATE + 1), id="edited"),
        ],
    )
    def test_command_that_is_not_given_to_me_is_ignored(self, kind: str, raw: Any) -> None:
        assert isinstance(incoming(kind, raw), v.Ignored)

    def test_file_comes_with_its_command(self) -> None:
        by_caption = heard("/add", caption_of=1, document=DOCUMENT)
        by_reply = heard("/add", GROUP, reply_to_message=reply(None, ANN, document=DOCUMENT))
        assert isinstance(by_caption, v.Commanded)
        assert isinstance(by_reply, v.Commanded)
        assert by_reply.message.replied is not None
        expected = v.File("F1", "rules.pdf", 9)
        assert by_caption.message.file == by_reply.message.replied.file == expected

    @pytest.mark.parametrize(
        ("sent", "shown"),
        [
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\a.txt", "a.txt"),
            ("invoice\u202efdp.exe", "invoicefdp.exe"),
            ("a\nb\0.md", "a b.md"),
            ("x" * 500 + ".pdf", "x" * 196 + ".pdf"),
            ("..", ".."),
            ("", "file"),
            (None, "file"),
        ],
        ids=["path", "windows path", "bidi", "line end", "long", "dots", "empty", "none"],
    )
    def test_name_of_a_file_is_shown_as_it_is(self, sent: str | None, shown: str) -> None:
        read_one = heard("/add", caption_of=1, document={**DOCUMENT, "file_name": sent})
        assert isinstance(read_one, v.Commanded)
        assert read_one.message.file is not None
        assert read_one.message.file.name == shown


class TestSilence:
    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(message("hi", sender=OTHER_BOT), id="bot"),
            pytest.param(message("hi", sender=BOT), id="myself"),
            pytest.param(message("@HandbookBot hi", GROUP, via_bot=OTHER_BOT), id="through a bot"),
            pytest.param(message("hi", sender=TELEGRAM), id="Telegram itself"),
            pytest.param(message("@HandbookBot hi", GROUP, TELEGRAM, sender_chat=CHANNEL, is_automatic_forward=True), id="post of the linked channel"),
            pytest.param(message("@HandbookBot hi", GROUP, ANONYMOUS), id="anonymous without its group"),
            pytest.param(message("@HandbookBot hi", GROUP, CHANNEL_BOT), id="channel without its name"),
            pytest.param({k: w for k, w in message("@HandbookBot hi", GROUP).items() if k != "from"}, id="nobody"),
            pytest.param(message(None, GROUP, new_chat_members=[BOT]), id="new members"),
            pytest.param(message(None, GROUP, left_chat_member=BOB), id="left"),
            pytest.param(message(None, GROUP, new_chat_title="x"), id="title"),
            pytest.param(message(None, GROUP, forum_topic_closed={}, reply_to_message=reply()), id="topic closed"),
            pytest.param(message("hi", CHANNEL), id="channel chat"),
        ],
    )  # fmt: skip
    def test_not_for_the_bot(self, raw: Any) -> None:
        assert isinstance(incoming("message", raw), v.Ignored)

    @pytest.mark.parametrize(
        "kind",
        [
            "channel_post",
            "edited_channel_post",
            "business_message",
            "edited_business_message",
            "guest_message",
        ],
    )
    def test_messages_of_other_kinds_are_ignored(self, kind: str) -> None:
        chat = CHANNEL if "channel" in kind else PRIVATE
        assert isinstance(incoming(kind, message("@HandbookBot hi", chat)), v.Ignored)

    def test_unknown_kinds_are_ignored(self) -> None:
        for kind, payload in (
            ("inline_query", {"id": "1", "from": ANN, "query": "q", "offset": ""}),
            ("x", {}),
        ):
            assert isinstance(incoming(kind, payload), v.Ignored)
        assert isinstance(parse_raw_update({"update_id": 3}, ME), v.Ignored)

    def test_edit_that_takes_the_name_away_is_overheard(self) -> None:
        assert isinstance(incoming("edited_message", message("never mind", GROUP)), v.Overheard)


class TestIdentities:
    def test_anonymous_admin_is_the_group(self) -> None:
        asked = heard("@HandbookBot hi", GROUP, ANONYMOUS, sender_chat=GROUP, author_signature="boss")
        assert isinstance(asked, v.Asked)
        assert asked.message.sender == v.Sender(-1001, "anonymous_admin", "boss")

    def test_admin_of_another_group_is_no_admin_here(self) -> None:
        foreign = {**GROUP, "id": -1002}
        asked = heard("@HandbookBot hi", GROUP, ANONYMOUS, sender_chat=foreign)
        assert isinstance(asked, v.Asked)
        assert asked.message.sender.kind == "channel"

    def test_channel_speaks_under_its_own_name(self) -> None:
        asked = heard("@HandbookBot hi", GROUP, CHANNEL_BOT, sender_chat=CHANNEL)
        assert isinstance(asked, v.Asked)
        assert asked.message.sender == v.Sender(-1009, "channel", "News")

    @pytest.mark.parametrize(
        ("code", "language"),
        [
            ("ru", "ru"),
            ("zh-hans", "zh"),
            ("PT-BR", "pt"),
            ("", ""),
            (None, ""),
            ("x\u202e", ""),
            ("fil", ""),
        ],
    )
    def test_language_is_a_code_of_two_letters(self, code: str | None, language: str) -> None:
        asked = heard("hi", sender={**ANN, "language_code": code})
        assert isinstance(asked, v.Asked)
        assert asked.message.sender.language == language


class TestOtherKinds:
    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(
                message(None, voice={"file_id": "v", "file_unique_id": "v", "duration": 1}), id="voice"
            ),
            pytest.param(message(None, photo=PHOTO), id="picture"),
            pytest.param(message(None, document=DOCUMENT), id="file"),
            pytest.param(
                message(None, GROUP, photo=PHOTO, reply_to_message=reply()), id="picture in reply to me"
            ),
            pytest.param(
                message("@HandbookBot", GROUP, caption_of=1, photo=PHOTO), id="picture with my name"
            ),
            pytest.param(message("\u200b\u200d\u2060"), id="characters nobody sees"),
            pytest.param(message("\n" * 4000), id="line ends"),
        ],
    )
    def test_what_holds_no_words_is_unreadable(self, raw: Any) -> None:
        assert isinstance(incoming("message", raw), v.Unreadable)

    def test_press(self) -> None:
        query = {"id": "q1", "from": BOB, "chat_instance": "c", "data": "useful:17", "message": reply()}
        pressed = incoming("callback_query", query)
        assert pressed == v.Pressed(1, v.Place(-1001, "group", None, "Team"), v.Sender(43, "person", "Bob"), 4, "q1", "useful:17")  # fmt: skip

    def test_press_under_a_message_that_is_too_old_to_see(self) -> None:
        query = {"id": "q1", "from": BOB, "chat_instance": "c", "data": "x:1", "message": {"chat": GROUP, "message_id": 4, "date": 0}}  # fmt: skip
        pressed = incoming("callback_query", query)
        assert isinstance(pressed, v.Pressed)
        assert pressed.message_id == 4

    @pytest.mark.parametrize(
        "more", [{"data": "x"}, {"message": reply()}, {"inline_message_id": "i", "data": "x"}]
    )
    def test_press_that_belongs_to_nothing_is_ignored(self, more: Any) -> None:
        assert isinstance(
            incoming("callback_query", {"id": "q", "from": BOB, "chat_instance": "c", **more}), v.Ignored
        )

    @pytest.mark.parametrize(
        ("status", "is_active"),
        [("member", True), ("administrator", True), ("left", False), ("kicked", False), ("restricted", True)],
    )
    def test_presence(self, status: str, is_active: bool) -> None:
        rights: dict[str, Any] = {"user": BOT, "status": status, "until_date": 0, "is_member": is_active}
        change = {"chat": GROUP, "from": ANN, "date": DATE, "old_chat_member": {"user": BOT, "status": "left"}, "new_chat_member": _filled(rights)}  # fmt: skip
        presence = incoming("my_chat_member", change)
        assert isinstance(presence, v.Presence)
        assert presence.is_active is is_active
        assert presence.by is not None
        assert presence.by.id == 42

    def test_both_news_of_a_move_say_the_same(self) -> None:
        old = {"id": -5, "type": "group", "title": "Team"}
        told_old = incoming("message", message(None, old, migrate_to_chat_id=-1001))
        told_new = incoming("message", message(None, GROUP, migrate_from_chat_id=-5), 2)
        assert told_old == v.Migrated(1, -5, -1001)
        assert told_new == v.Migrated(2, -5, -1001)

    def test_stop_button_of_a_draft(self) -> None:
        stopped = {"chat": PRIVATE, "message_thread_id": 3, "draft_id": 9}
        assert incoming("stopped_message_generation", stopped) == v.StoppedWatching(
            1, v.Place(42, "private", 3, "Ann Lee")
        )
        assert "stopped_message_generation" in ALLOWED_UPDATES


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


def _filled(rights: dict[str, Any]) -> dict[str, Any]:
    """A member with all the rights that python-telegram-bot wants to hear of."""
    names = (
        "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members "
        "can_promote_members can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories "
        "can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos can_send_video_notes "
        "can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews can_pin_messages "
        "can_manage_topics can_edit_tag can_send_reactions can_react_to_messages"
    )
    return dict.fromkeys(names.split(), False) | rights
