"""What the methods for files, members, menus and the webhook do, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.telegram_calls import call, refusal_of
from tests.telegram.methods import METHODS
from tests.telegram.params import Params, Upload
from tests.telegram.people import Person
from tests.telegram.refusals import Refusal
from tests.telegram.server import Chat, FakeTelegram

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
