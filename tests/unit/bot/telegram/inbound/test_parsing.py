"""Updates from Telegram that are questions, commands, or neither, and who sent them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.service import incoming as v
from bot.telegram.ids import to_peer
from bot.telegram.inbound.parsing import parse_raw_update
from tests.support.raw_updates import (
    ANN,
    ANONYMOUS,
    BOB,
    BOT,
    CHANNEL,
    CHANNEL_BOT,
    DATE,
    DOCUMENT,
    FORWARD,
    GROUP,
    ME,
    OTHER_BOT,
    PHOTO,
    PRIVATE,
    TELEGRAM,
    TOPIC_START,
    entity,
    heard,
    incoming,
    message,
    reply,
)


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
        assert asked.message.place == v.Place(to_peer(-1001), "group", 9, "Team 1")
        assert asked.message.sender == v.Sender(to_peer(42), "person", "Ann Lee", "pt")
        assert (asked.message.update_id, asked.message.message_id) == (1, 5)
        assert asked.message.sent_at.timestamp() == DATE

    def test_thread_of_replies_is_no_topic(self) -> None:
        asked = heard("hi", GROUP, message_thread_id=9, reply_to_message=reply())
        assert isinstance(asked, v.Asked)
        assert asked.message.place.thread_id is None

    def test_reply_to_somebody_brings_their_words(self) -> None:
        asked = heard("@HandbookBot is this right?", GROUP, reply_to_message=reply("Two\u200b weeks", BOB))
        assert isinstance(asked, v.Asked)
        assert asked.message.replied == v.Replied(4, False, "Bob", "Two weeks", None, to_peer(43))

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
        assert asked.message.sender.id == to_peer(42)

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
        assert asked.message.sender == v.Sender(to_peer(-1001), "anonymous_admin", "boss")

    def test_admin_of_another_group_is_no_admin_here(self) -> None:
        foreign = {**GROUP, "id": -1002}
        asked = heard("@HandbookBot hi", GROUP, ANONYMOUS, sender_chat=foreign)
        assert isinstance(asked, v.Asked)
        assert asked.message.sender.kind == "channel"

    def test_channel_speaks_under_its_own_name(self) -> None:
        asked = heard("@HandbookBot hi", GROUP, CHANNEL_BOT, sender_chat=CHANNEL)
        assert isinstance(asked, v.Asked)
        assert asked.message.sender == v.Sender(to_peer(-1009), "channel", "News")

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
