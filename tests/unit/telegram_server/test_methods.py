"""What sending and editing do to a chat and what they refuse, in the words of real servers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.telegram_calls import call, keyboard, refusal_of
from tests.telegram.people import Person
from tests.telegram.server import Chat, FakeTelegram

NOT_MODIFIED = "message is not modified: specified new message content and reply markup are exactly the same"


# ---- sending


def test_message_appears_with_its_text_its_reply_and_its_buttons(
    telegram: FakeTelegram, chat: Chat, ann: Person
) -> None:
    asked = ann.says(chat, "Which Java?")
    sent = call(
        telegram,
        "sendMessage",
        chat_id=chat.id,
        text="17",
        entities=[{"type": "bold", "offset": 0, "length": 2}],
        reply_parameters={"message_id": asked.message_id},
        reply_markup=keyboard("u:1"),
    )
    assert sent["from"]["is_bot"]
    assert sent["entities"] == [{"type": "bold", "offset": 0, "length": 2}]
    assert sent["reply_to_message"]["text"] == "Which Java?"
    [answer] = chat.replies_to(asked.message_id)
    assert (answer.text, answer.button("useful").data) == ("17", "u:1")


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"chat_id": 1, "text": "x"}, "Bad Request: chat not found"),
        ({"chat_id": "", "text": "x"}, "Bad Request: chat_id is empty"),
        ({"text": ""}, "Bad Request: message text is empty"),
        ({"text": "  \n"}, "Bad Request: message text is empty"),
        ({"text": "😀" * 2049}, "Bad Request: message is too long"),
        ({"text": "<b>x", "parse_mode": "HTML"}, "Bad Request: this server reads no marks"),
        ({"text": "\ud83d"}, "Bad Request: strings must be encoded in UTF-8"),
        ({"text": "x", "reply_parameters": {"message_id": 99}}, "Bad Request: message to be replied not found"),
        ({"text": "x", "message_thread_id": 7}, "Bad Request: message thread not found"),
        ({"text": "x", "reply_markup": keyboard("d" * 65)}, "Bad Request: BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard("д" * 33)}, "Bad Request: BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard("")}, "Bad Request: BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard("a", " ")}, "Bad Request: can't parse inline keyboard button"),
        ({"text": "x", "reply_markup": {"inline_keyboard": [[{"text": "a"}]]}}, "Bad Request: can't parse inline"),
        ({"text": "x", "reply_markup": "{"}, "Bad Request: can't parse reply_markup JSON object"),
    ],
    ids=[
        "unknown-chat", "no-chat", "empty", "blank", "too-long", "marks", "half-a-pair", "reply-to-nothing",
        "no-such-topic", "data-of-65-bytes", "data-of-66-bytes", "empty-data", "button-without-text",
        "button-without-action", "broken-json",
    ],
)  # fmt: skip
def test_message_that_telegram_would_not_take_is_refused(
    telegram: FakeTelegram, chat: Chat, params: dict[str, Any], description: str
) -> None:
    refused = refusal_of(telegram, "sendMessage", **{"chat_id": chat.id, **params})
    assert refused.description.startswith(description)
    assert chat.messages == []


def test_callback_data_of_64_bytes_is_taken(telegram: FakeTelegram, chat: Chat) -> None:
    call(telegram, "sendMessage", chat_id=chat.id, text="x", reply_markup=keyboard("д" * 32))
    assert chat.answers[0].button("useful").data == "д" * 32


def test_reply_to_a_deleted_message_goes_out_without_it_when_that_is_allowed(
    telegram: FakeTelegram, chat: Chat, ann: Person
) -> None:
    asked = ann.says(chat, "Which Java?")
    ann.deletes(asked)
    reply = {"message_id": asked.message_id}
    refused = refusal_of(telegram, "sendMessage", chat_id=chat.id, text="17", reply_parameters=reply)
    assert refused.description == "Bad Request: message to be replied not found"
    reply["allow_sending_without_reply"] = True
    sent = call(telegram, "sendMessage", chat_id=chat.id, text="17", reply_parameters=reply)
    assert "reply_to_message" not in sent
    assert chat.texts == ["17"]


@pytest.mark.parametrize(
    ("standing", "description"),
    [
        ("blocked", "Forbidden: bot was blocked by the user"),
        ("unstarted", "Forbidden: bot can't initiate conversation with a user"),
    ],
)
def test_private_chat_that_does_not_want_the_bot_is_forbidden(
    telegram: FakeTelegram, chat: Chat, standing: Any, description: str
) -> None:
    chat.standing = standing
    refused = refusal_of(telegram, "sendMessage", chat_id=chat.id, text="x")
    assert (refused.status, refused.description) == (403, description)


@pytest.mark.parametrize(
    ("standing", "description"),
    [
        ("kicked", "Forbidden: bot was kicked from the supergroup chat"),
        ("left", "Forbidden: bot is not a member of the supergroup chat"),
    ],
)
def test_group_that_the_bot_is_not_in_is_forbidden(
    telegram: FakeTelegram, ann: Person, standing: Any, description: str
) -> None:
    group = telegram.group("Team", [ann], standing=standing)
    assert refusal_of(telegram, "sendMessage", chat_id=group.id, text="x").description == description


def test_old_id_of_a_migrated_group_is_answered_with_the_new_one(telegram: FakeTelegram, ann: Person) -> None:
    group = telegram.group("Team", [ann], basic=True)
    new = telegram.migrate(group, ann)
    refused = refusal_of(telegram, "sendMessage", chat_id=group.id, text="x")
    assert refused.wire() == {
        "ok": False,
        "error_code": 400,
        "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": {"migrate_to_chat_id": new.id},
    }
    assert call(telegram, "sendMessage", chat_id=new.id, text="x")["chat"]["type"] == "supergroup"


# ---- topics


def test_message_goes_into_the_topic_that_is_named_or_that_it_replies_to(
    telegram: FakeTelegram, ann: Person
) -> None:
    forum = telegram.group("Team", [ann], is_forum=True)
    topic = telegram.topic(forum, "Builds")
    asked = ann.says(forum, "Why red?", thread_id=topic)
    for extra in ({"message_thread_id": topic}, {"reply_parameters": {"message_id": asked.message_id}}):
        sent = call(telegram, "sendMessage", chat_id=forum.id, text="x", **extra)
        assert (sent["message_thread_id"], sent["is_topic_message"]) == (topic, True)
    assert "message_thread_id" not in call(telegram, "sendMessage", chat_id=forum.id, text="x")


def test_general_topic_has_no_thread_id_for_messages_but_one_for_actions(
    telegram: FakeTelegram, ann: Person
) -> None:
    forum = telegram.group("Team", [ann], is_forum=True)
    refused = refusal_of(telegram, "sendMessage", chat_id=forum.id, text="x", message_thread_id=1)
    assert refused.description == "Bad Request: message thread not found"
    assert call(telegram, "sendChatAction", chat_id=forum.id, action="typing", message_thread_id=1)
    assert [action.action for action in forum.actions] == ["typing"]


def test_unknown_chat_action_is_refused(telegram: FakeTelegram, chat: Chat) -> None:
    refused = refusal_of(telegram, "sendChatAction", chat_id=chat.id, action="thinking")
    assert refused.description == "Bad Request: wrong parameter action in request"


# ---- editing


def test_edited_message_shows_its_last_text_and_remembers_the_others(
    telegram: FakeTelegram, chat: Chat
) -> None:
    sent = call(telegram, "sendMessage", chat_id=chat.id, text="drafting")
    where = {"chat_id": chat.id, "message_id": sent["message_id"]}
    call(telegram, "editMessageText", text="checking", **where)
    edited = call(telegram, "editMessageText", text="17", reply_markup=keyboard("u"), **where)
    assert edited["edit_date"]
    assert chat.texts == ["17"]
    assert chat.answers[0].edits == ("drafting", "checking", "17")
    assert chat.answers[0].button("useful").data == "u"


def test_edit_without_a_keyboard_takes_the_buttons_away(telegram: FakeTelegram, chat: Chat) -> None:
    sent = call(telegram, "sendMessage", chat_id=chat.id, text="17", reply_markup=keyboard("u"))
    call(telegram, "editMessageReplyMarkup", chat_id=chat.id, message_id=sent["message_id"])
    assert chat.answers[0].buttons == ()


def test_edit_that_changes_nothing_is_refused(telegram: FakeTelegram, chat: Chat) -> None:
    sent = call(
        telegram,
        "sendMessage",
        chat_id=chat.id,
        text="17",
        entities=[{"type": "bold", "offset": 0, "length": 2}],
        reply_markup=keyboard("u"),
    )
    same = {
        "chat_id": chat.id,
        "message_id": sent["message_id"],
        "text": " 17 ",
        "entities": [{"type": "bold", "offset": 1, "length": 2}],
        "reply_markup": keyboard("u"),
    }
    assert NOT_MODIFIED in refusal_of(telegram, "editMessageText", **same).description
    call(telegram, "editMessageText", **(same | {"entities": []}))
    call(telegram, "editMessageText", **(same | {"reply_markup": keyboard("v")}))


@pytest.mark.parametrize(
    ("method", "description"),
    [
        ("editMessageText", "Bad Request: message to edit not found"),
        ("editMessageReplyMarkup", "Bad Request: message to edit not found"),
        ("deleteMessage", "Bad Request: message to delete not found"),
        ("setMessageReaction", "Bad Request: message to react not found"),
    ],
)
def test_message_that_is_gone_cannot_be_changed(
    telegram: FakeTelegram, chat: Chat, method: str, description: str
) -> None:
    sent = call(telegram, "sendMessage", chat_id=chat.id, text="17")
    call(telegram, "deleteMessage", chat_id=chat.id, message_id=sent["message_id"])
    assert chat.messages == []
    refused = refusal_of(telegram, method, chat_id=chat.id, message_id=sent["message_id"], text="18")
    assert refused.description == description


def test_message_of_somebody_else_cannot_be_edited(telegram: FakeTelegram, chat: Chat, ann: Person) -> None:
    asked = ann.says(chat, "Which Java?")
    refused = refusal_of(telegram, "editMessageText", chat_id=chat.id, message_id=asked.message_id, text="x")
    assert refused.description == "Bad Request: message can't be edited"


def test_message_of_a_member_is_deleted_only_by_an_admin(telegram: FakeTelegram, ann: Person) -> None:
    group = telegram.group("Team", [ann])
    said = ann.says(group, "hello")
    where = {"chat_id": group.id, "message_id": said.message_id}
    assert (
        refusal_of(telegram, "deleteMessage", **where).description == "Bad Request: message can't be deleted"
    )
    group.standing = "administrator"
    assert call(telegram, "deleteMessage", **where)


def test_too_long_edit_is_refused_in_other_words_than_a_message(telegram: FakeTelegram, chat: Chat) -> None:
    sent = call(telegram, "sendMessage", chat_id=chat.id, text="17")
    refused = refusal_of(
        telegram, "editMessageText", chat_id=chat.id, message_id=sent["message_id"], text="x" * 4097
    )
    assert refused.description == "Bad Request: MESSAGE_TOO_LONG"
