"""The methods of the Bot API, by name.

To add a method: write a function of (world, params) in the module of its kind, and list it here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tests.telegram import about_chats, about_commands, sending
from tests.telegram.params import Params
from tests.telegram.world import World

Method: TypeAlias = Callable[[World, Params], Any]

# getUpdates is missing: it waits, so `calls` implements it.
METHODS: Mapping[str, Method] = {
    "getMe": about_chats.get_me,
    "getChat": about_chats.get_chat,
    "getChatMember": about_chats.get_chat_member,
    "getChatAdministrators": about_chats.get_chat_administrators,
    "getChatMemberCount": about_chats.get_chat_member_count,
    "leaveChat": about_chats.leave_chat,
    "getFile": about_chats.get_file,
    "setMyCommands": about_commands.set_my_commands,
    "getMyCommands": about_commands.get_my_commands,
    "deleteMyCommands": about_commands.delete_my_commands,
    "setMyDescription": about_commands.set_my_description,
    "getMyDescription": about_commands.get_my_description,
    "setMyShortDescription": about_commands.set_my_short_description,
    "getMyShortDescription": about_commands.get_my_short_description,
    "setChatMenuButton": about_commands.set_chat_menu_button,
    "getChatMenuButton": about_commands.get_chat_menu_button,
    "setWebhook": about_commands.set_webhook,
    "deleteWebhook": about_commands.delete_webhook,
    "getWebhookInfo": about_commands.get_webhook_info,
    "sendMessage": sending.send_message,
    "sendDocument": sending.send_document,
    "sendPhoto": sending.send_photo,
    "sendMessageDraft": sending.send_message_draft,
    "sendChatAction": sending.send_chat_action,
    "editMessageText": sending.edit_message_text,
    "editMessageCaption": sending.edit_message_caption,
    "editMessageReplyMarkup": sending.edit_message_reply_markup,
    "deleteMessage": sending.delete_message,
    "deleteMessages": sending.delete_messages,
    "setMessageReaction": sending.set_message_reaction,
    "answerCallbackQuery": sending.answer_callback_query,
}
# Telegram accepts names of methods in any case.
BY_LOWER_NAME = {name.lower(): name for name in (*METHODS, "getUpdates")}
