"""What python-telegram-bot and other clients send to the Telegram server for tests, over real sockets."""

from __future__ import annotations

import json

import httpx
import pytest
from telegram import (
    Bot,
    BotCommandScopeAllPrivateChats,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReplyParameters,
)
from telegram.error import BadRequest, InvalidToken

from tests.support.library_bots import new_bot, post
from tests.telegram.people import Person
from tests.telegram.server import TOKEN, Chat, FakeTelegram


async def test_bot_of_the_library_learns_who_it_is(telegram: FakeTelegram, bot: Bot) -> None:
    assert (bot.id, bot.username, bot.first_name) == (telegram.bot.id, "thinktwice_bot", "Think Twice")
    assert bot.bot.can_read_all_group_messages


def test_parameters_are_taken_from_the_address_a_form_and_json(telegram: FakeTelegram, chat: Chat) -> None:
    url = f"{telegram.base_url}{telegram.token}/sendMessage"
    entities = [{"type": "bold", "offset": 0, "length": 1}]
    httpx.get(url, params={"chat_id": chat.id, "text": "a"})
    httpx.post(url, data={"chat_id": chat.id, "text": "b", "entities": json.dumps(entities)})
    httpx.post(url, json={"chat_id": chat.id, "text": "c", "entities": entities})
    assert chat.texts == ["a", "b", "c"]
    assert [len(message.entities) for message in chat.answers] == [0, 1, 1]
    assert [request.chat_id for request in telegram.calls("sendMessage")] == [chat.id] * 3


def test_method_names_are_taken_in_any_case(telegram: FakeTelegram) -> None:
    assert post(telegram, "GETME").json()["ok"]


@pytest.mark.parametrize(
    ("path", "status", "description"),
    [
        (f"/bot{TOKEN}/sendRichPancake", 404, "Not Found"),
        ("/bot7000000001:AAF-another-token-for-the-tests-987/getMe", 401, "Unauthorized"),
        ("/botnonsense/getMe", 404, "Not Found"),
        (f"/file/bot{TOKEN}/documents/none.txt", 404, "Not Found"),
    ],
    ids=["unknown-method", "wrong-token", "malformed-token", "unknown-file"],
)
def test_wrong_addresses_are_refused_as_telegram_does(
    telegram: FakeTelegram, path: str, status: int, description: str
) -> None:
    response = httpx.get(f"{telegram.url}{path}")
    assert response.status_code == status
    assert response.json() == {"ok": False, "error_code": status, "description": description}


def test_texts_that_are_not_utf8_are_refused(telegram: FakeTelegram, chat: Chat) -> None:
    url = f"{telegram.base_url}{telegram.token}/sendMessage"
    for body, kind in (
        (f"chat_id={chat.id}&text=%FF", "application/x-www-form-urlencoded"),
        (f'{{"chat_id": {chat.id}, "text": "\\ud83d"}}', "application/json"),
    ):
        response = httpx.post(url, content=body, headers={"Content-Type": kind})
        assert response.json()["description"] == "Bad Request: strings must be encoded in UTF-8"


async def test_wrong_token_is_an_invalid_token_to_the_library(telegram: FakeTelegram) -> None:
    with pytest.raises(InvalidToken):
        async with new_bot(telegram, f"{TOKEN}x"):
            raise AssertionError("it should not have got in")


async def test_server_serves_the_next_test_as_well_in_an_async_block() -> None:
    async with FakeTelegram() as running, new_bot(running) as bot:
        assert bot.username == "thinktwice_bot"
    with pytest.raises(httpx.ConnectError):
        post(running, "getMe")


async def test_message_of_the_library_arrives_with_entities_reply_and_buttons(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    asked = ann.says(chat, "Which Java?")
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("useful", callback_data="u:1")]])
    sent = await bot.send_message(
        chat.id,
        "😀 17",
        entities=[MessageEntity("bold", 3, 2)],
        reply_parameters=ReplyParameters(asked.message_id, allow_sending_without_reply=True),
        reply_markup=markup,
    )
    assert sent.parse_entities() == {sent.entities[0]: "17"}
    assert sent.reply_to_message is not None
    bold = [MessageEntity("bold", 0, 2)]
    await sent.edit_text("18", entities=bold, reply_markup=markup)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await sent.edit_text("18", entities=bold, reply_markup=markup)
    assert chat.answers[0].edits == ("😀 17", "18")
    await sent.delete()
    assert chat.answers == []


async def test_draft_typing_reaction_and_commands_of_the_library_are_seen(
    telegram: FakeTelegram, bot: Bot, ann: Person, chat: Chat
) -> None:
    asked = ann.says(chat, "Which Java?")
    await bot.send_message_draft(chat.id, 3, "thinking", api_kwargs={"can_stop": True})
    await bot.send_chat_action(chat.id, "typing")
    await bot.set_message_reaction(chat.id, asked.message_id, "👀")
    await bot.set_my_commands([("ask", "Спросить")], BotCommandScopeAllPrivateChats(), "ru")
    assert [(draft.text, draft.can_stop) for draft in chat.drafts] == [("thinking", True)]
    assert chat.actions[0].action == "typing"
    assert chat.messages[0].reactions[0]["emoji"] == "👀"
    assert telegram.menu(ann, chat) == [{"command": "ask", "description": "Спросить"}]
    [command] = await bot.get_my_commands(BotCommandScopeAllPrivateChats(), "ru")
    assert command.description == "Спросить"
    assert await bot.get_my_commands() == ()


async def test_chats_and_members_are_read_by_the_library(
    telegram: FakeTelegram, bot: Bot, ann: Person
) -> None:
    boss = telegram.user("Boss")
    group = telegram.group("Team", [ann], admins=[boss])
    assert (await bot.get_chat(group.id)).title == "Team"
    assert (await bot.get_chat_member(group.id, ann.id)).status == "member"
    assert [admin.user.id for admin in await bot.get_chat_administrators(group.id)] == [boss.id]
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.get_chat(12345)


async def test_files_go_both_ways(bot: Bot, ann: Person, chat: Chat) -> None:
    content = bytes(range(256)) * 5000
    received = ann.sends_file(chat, "guide.pdf", content, mime_type="application/pdf").message
    assert received is not None
    file = await bot.get_file(received.attachment["document"]["file_id"])
    assert bytes(await file.download_as_bytearray()) == content
    sent = await bot.send_document(chat.id, content, filename="export.bin", caption="Your data")
    assert sent.document is not None
    assert bytes(await (await sent.document.get_file()).download_as_bytearray()) == content
    photo = await bot.send_photo(chat.id, b"\x89PNG", filename="stats.png")
    assert photo.photo[-1].file_size == 4


async def test_file_of_more_than_20_megabytes_is_refused(bot: Bot, ann: Person, chat: Chat) -> None:
    big = ann.sends_file(chat, "big.pdf", b"x", size=20 * 1024 * 1024 + 1).message
    assert big is not None
    with pytest.raises(BadRequest, match="File is too big"):
        await bot.get_file(big.attachment["document"]["file_id"])
