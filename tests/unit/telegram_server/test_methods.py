"""What each method does to a chat and what it refuses, in the words of the reference page and of real servers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.telegram.methods import METHODS
from tests.telegram.params import Params, Upload
from tests.telegram.people import Person
from tests.telegram.refusals import Refusal
from tests.telegram.server import Chat, FakeTelegram

NOT_MODIFIED = "message is not modified: specified new message content and reply markup are exactly the same"


@pytest.fixture
def telegram() -> FakeTelegram:
    """Not running: methods are called directly."""
    return FakeTelegram()


@pytest.fixture
def ann(telegram: FakeTelegram) -> Person:
    return telegram.user("Ann", username="ann_lee")


@pytest.fixture
def chat(telegram: FakeTelegram, ann: Person) -> Chat:
    return telegram.private(ann)


def call(telegram: FakeTelegram, method: str, **params: Any) -> Any:
    return METHODS[method](telegram.world, Params(params))


def refusal_of(telegram: FakeTelegram, method: str, **params: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        call(telegram, method, **params)
    return refused.value


def keyboard(data: str, text: str = "useful") -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": text, "callback_data": data}]]}


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


# ---- drafts


def draft(telegram: FakeTelegram, chat: Chat, text: str = "thinking", **params: Any) -> Any:
    return call(telegram, "sendMessageDraft", **{"chat_id": chat.id, "draft_id": 7, "text": text, **params})


def test_draft_is_seen_for_thirty_seconds_after_its_last_change(telegram: FakeTelegram, chat: Chat) -> None:
    draft(telegram, chat, "drafting")
    telegram.clock.skip(29)
    draft(telegram, chat, "checking")
    telegram.clock.skip(29)
    assert [(shown.text, shown.versions) for shown in chat.drafts] == [("checking", ["drafting", "checking"])]
    telegram.clock.skip(2)
    assert chat.drafts == []
    assert chat.messages == []


def test_message_takes_the_draft_away(telegram: FakeTelegram, chat: Chat) -> None:
    draft(telegram, chat)
    call(telegram, "sendMessage", chat_id=chat.id, text="17")
    assert chat.drafts == []
    assert len(chat.all_drafts) == 1


def test_empty_draft_is_taken(telegram: FakeTelegram, chat: Chat) -> None:
    assert draft(telegram, chat, "")


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"draft_id": 0}, "draft_id must be non-zero"),
        ({"text": "x" * 4097}, "message is too long"),
    ],
)
def test_wrong_draft_is_refused(
    telegram: FakeTelegram, chat: Chat, params: dict[str, Any], description: str
) -> None:
    with pytest.raises(Refusal, match=description):
        draft(telegram, chat, **params)


def test_draft_in_a_group_is_refused(telegram: FakeTelegram, ann: Person) -> None:
    group = telegram.group("Team", [ann])
    with pytest.raises(Refusal, match="TEXTDRAFT_PEER_INVALID"):
        draft(telegram, group)


# ---- buttons and reactions


def test_button_press_is_answered_once_and_in_time(telegram: FakeTelegram, chat: Chat, ann: Person) -> None:
    call(telegram, "sendMessage", chat_id=chat.id, text="17", reply_markup=keyboard("u"))
    first, second = (ann.presses(chat.answers[0], "useful") for _ in range(2))
    call(telegram, "answerCallbackQuery", callback_query_id=first.query_id, text="Thanks", show_alert=True)
    assert (chat.presses[0].alert, chat.presses[0].show_alert) == ("Thanks", True)
    too_old = "query is too old and response timeout expired or query ID is invalid"
    assert (
        too_old in refusal_of(telegram, "answerCallbackQuery", callback_query_id=first.query_id).description
    )
    telegram.clock.skip(61)
    assert (
        too_old in refusal_of(telegram, "answerCallbackQuery", callback_query_id=second.query_id).description
    )
    assert chat.presses[1].alert is None


def test_alert_of_more_than_200_characters_is_refused(
    telegram: FakeTelegram, chat: Chat, ann: Person
) -> None:
    call(telegram, "sendMessage", chat_id=chat.id, text="17", reply_markup=keyboard("u"))
    pressed = ann.presses(chat.answers[0], "useful")
    refused = refusal_of(telegram, "answerCallbackQuery", callback_query_id=pressed.query_id, text="x" * 201)
    assert refused.description == "Bad Request: MESSAGE_TOO_LONG"


def test_reaction_is_one_of_telegrams(telegram: FakeTelegram, chat: Chat, ann: Person) -> None:
    asked = ann.says(chat, "Which Java?")
    where = {"chat_id": chat.id, "message_id": asked.message_id}
    call(telegram, "setMessageReaction", reaction=[{"type": "emoji", "emoji": "👀"}], **where)
    assert chat.messages[0].reactions == [{"type": "emoji", "emoji": "👀"}]
    refused = refusal_of(telegram, "setMessageReaction", reaction=[{"type": "emoji", "emoji": "🧮"}], **where)
    assert refused.description == "Bad Request: REACTION_INVALID"


# ---- files


def upload(telegram: FakeTelegram, method: str, name: str, content: bytes, **params: Any) -> Any:
    part = {"sendDocument": "document", "sendPhoto": "photo"}[method]
    return METHODS[method](telegram.world, Params(params, {part: Upload(name, content, "text/plain")}))


def test_uploaded_document_stands_in_the_chat_with_its_caption(telegram: FakeTelegram, chat: Chat) -> None:
    sent = upload(telegram, "sendDocument", "export.json", b"{}", chat_id=chat.id, caption="Your data")
    assert (sent["document"]["file_name"], sent["caption"]) == ("export.json", "Your data")
    again = call(telegram, "sendDocument", chat_id=chat.id, document=sent["document"]["file_id"])
    assert again["document"]["file_id"] == sent["document"]["file_id"]
    assert telegram.world.files[sent["document"]["file_id"]].content == b"{}"


@pytest.mark.parametrize(
    ("content", "caption", "description"),
    [
        (b"", "", "Bad Request: file must be non-empty"),
        (b"x", "x" * 1025, "Bad Request: message caption is too long"),
        (bytes(50 * 1024 * 1024 + 1), "", "Request Entity Too Large"),
    ],
    ids=["empty", "long-caption", "too-large"],
)
def test_document_that_telegram_would_not_take_is_refused(
    telegram: FakeTelegram, chat: Chat, content: bytes, caption: str, description: str
) -> None:
    with pytest.raises(Refusal) as refused:
        upload(telegram, "sendDocument", "x.bin", content, chat_id=chat.id, caption=caption)
    assert refused.value.description == description


def test_photo_has_a_caption_that_can_be_edited_and_no_text(telegram: FakeTelegram, chat: Chat) -> None:
    sent = upload(telegram, "sendPhoto", "stats.png", b"png", chat_id=chat.id, caption="Today")
    where = {"chat_id": chat.id, "message_id": sent["message_id"]}
    assert call(telegram, "editMessageCaption", caption="This week", **where)["caption"] == "This week"
    refused = refusal_of(telegram, "editMessageText", text="x", **where)
    assert refused.description == "Bad Request: there is no text in the message to edit"


def test_file_of_more_than_20_megabytes_cannot_be_downloaded(
    telegram: FakeTelegram, chat: Chat, ann: Person
) -> None:
    fits, big = (ann.sends_file(chat, "a.pdf", b"x", size=20 * 1024 * 1024 + more).message for more in (0, 1))
    assert fits is not None
    assert big is not None
    assert call(telegram, "getFile", file_id=fits.attachment["document"]["file_id"])["file_path"]
    refused = refusal_of(telegram, "getFile", file_id=big.attachment["document"]["file_id"])
    assert refused.description == "Bad Request: file is too big"


# ---- chats


def test_members_have_the_status_that_the_group_gave_them(telegram: FakeTelegram, ann: Person) -> None:
    boss, stranger = telegram.user("Boss"), telegram.user("Stranger")
    group = telegram.group("Team", [ann], admins=[boss])
    roles = {
        person.name: call(telegram, "getChatMember", chat_id=group.id, user_id=person.id)["status"]
        for person in (ann, boss, stranger)
    }
    assert roles == {"Ann": "member", "Boss": "administrator", "Stranger": "left"}
    admins = call(telegram, "getChatAdministrators", chat_id=group.id)
    assert [admin["user"]["id"] for admin in admins] == [boss.id]
    assert call(telegram, "getChatMemberCount", chat_id=group.id) == 3


def test_bot_that_left_a_group_cannot_write_there(telegram: FakeTelegram, ann: Person) -> None:
    group = telegram.group("Team", [ann])
    assert call(telegram, "leaveChat", chat_id=group.id)
    assert refusal_of(telegram, "sendMessage", chat_id=group.id, text="x").status == 403


# ---- commands


def commands(*names: str) -> list[dict[str, str]]:
    return [{"command": name, "description": name.upper()} for name in names]


def test_menu_is_that_of_the_narrowest_scope_and_of_the_users_language(
    telegram: FakeTelegram, ann: Person
) -> None:
    ivan, boss = telegram.user("Ivan", language_code="ru"), telegram.user("Boss")
    group = telegram.group("Team", [ann, ivan], admins=[boss])
    private = telegram.private(ivan)
    for scope, language, name in (
        ({"type": "default"}, "", "default"),
        ({"type": "all_private_chats"}, "", "private"),
        ({"type": "all_private_chats"}, "ru", "private_ru"),
        ({"type": "all_group_chats"}, "", "groups"),
        ({"type": "all_chat_administrators"}, "", "admins"),
        ({"type": "chat", "chat_id": telegram.private(boss).id}, "", "owner"),
    ):
        call(telegram, "setMyCommands", commands=commands(name), scope=scope, language_code=language)

    def menu(person: Person, chat: Chat) -> list[str]:
        return [command["command"] for command in telegram.menu(person, chat)]

    assert menu(ivan, private) == ["private_ru"]
    assert menu(ann, telegram.private(ann)) == ["private"]
    assert menu(boss, telegram.private(boss)) == ["owner"]
    assert menu(ivan, group) == ["groups"]
    assert menu(boss, group) == ["admins"]
    call(telegram, "deleteMyCommands", scope={"type": "all_group_chats"})
    assert menu(ivan, group) == ["default"]


@pytest.mark.parametrize(
    ("given", "description"),
    [
        (commands("Ask"), "BOT_COMMAND_INVALID"),
        (commands("a" * 33), "BOT_COMMAND_INVALID"),
        ([{"command": "ask", "description": ""}], "BOT_COMMAND_DESCRIPTION_INVALID"),
        ([{"command": "ask", "description": "x" * 257}], "BOT_COMMAND_DESCRIPTION_INVALID"),
        (commands(*(f"c{number}" for number in range(101))), "BOT_COMMANDS_TOO_MUCH"),
    ],
    ids=["capital", "long-name", "no-description", "long-description", "too-many"],
)
def test_commands_that_telegram_would_not_take_are_refused(
    telegram: FakeTelegram, given: list[dict[str, str]], description: str
) -> None:
    assert refusal_of(telegram, "setMyCommands", commands=given).description == f"Bad Request: {description}"


@pytest.mark.parametrize("secret", ["with space", "ключ", "x" * 257])
def test_webhook_secret_has_only_the_allowed_characters(telegram: FakeTelegram, secret: str) -> None:
    refused = refusal_of(telegram, "setWebhook", url="http://127.0.0.1:1/x", secret_token=secret)
    assert refused.description == "Bad Request: secret token contains unallowed characters"
