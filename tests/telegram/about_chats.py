"""Methods that ask about the bot, chats, members and files.

Bots download files of up to 20 MB (reference page, getFile).
"""

from __future__ import annotations

from typing import Any

from tests.telegram.chats import Chat
from tests.telegram.entities import Wire
from tests.telegram.params import Params
from tests.telegram.refusals import bad_request, forbidden
from tests.telegram.world import World

MAX_DOWNLOAD = 20 * 1024 * 1024
_RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)


def get_me(world: World, _params: Params) -> Wire:
    return {
        **world.bot.wire(),
        "can_join_groups": True,
        "can_read_all_group_messages": not world.privacy_mode,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def get_chat(world: World, params: Params) -> Wire:
    chat = _visible(world, params)
    return {
        **chat.wire(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": False,
            "limited_gifts": False,
            "unique_gifts": False,
            "premium_subscription": False,
            "gifts_from_channels": False,
        },
    }


def get_chat_member(world: World, params: Params) -> Wire:
    chat = _visible(world, params)
    user_id = params.integer("user_id")
    account = world.bot if user_id == world.bot.id else world.accounts.get(user_id or 0)
    if account is None:
        raise bad_request("user not found")
    return member(world, chat, account.id)


def get_chat_administrators(world: World, params: Params) -> list[Wire]:
    chat = _visible(world, params)
    if not chat.in_groups and chat.kind != "channel":
        raise bad_request("there are no administrators in the private chat")
    people = [user_id for user_id, role in chat.members.items() if role in {"creator", "administrator"}]
    bot = [world.bot.id] if chat.standing == "administrator" else []
    return [member(world, chat, user_id) for user_id in (*people, *bot)]


def get_chat_member_count(world: World, params: Params) -> int:
    chat = _visible(world, params)
    present = [role for role in chat.members.values() if role not in {"left", "kicked"}]
    return len(present) + 1


def leave_chat(world: World, params: Params) -> bool:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    if chat.kind == "private":
        raise bad_request("chat member status can't be changed in private chats")
    chat.standing = "left"
    return True


def get_file(world: World, params: Params) -> Wire:
    stored = world.files.get(params.required("file_id"))
    if stored is None:
        raise bad_request("invalid file_id")
    if stored.size > MAX_DOWNLOAD:
        raise bad_request("file is too big")
    return {
        "file_id": stored.file_id,
        "file_unique_id": f"unique-{stored.file_id}",
        "file_size": stored.size,
        "file_path": stored.path,
    }


def member(world: World, chat: Chat, user_id: int) -> Wire:
    account = world.bot if user_id == world.bot.id else world.accounts[user_id]
    role = world.role(chat, user_id)
    shown: dict[str, Any] = {"status": role, "user": account.wire()}
    if role == "administrator":
        shown |= dict.fromkeys(_RIGHTS, False) | {"can_manage_chat": True, "can_delete_messages": True}
    elif role == "creator":
        shown["is_anonymous"] = False
    elif role == "kicked":
        shown["until_date"] = 0
    return shown


def _visible(world: World, params: Params) -> Chat:
    chat = world.find_chat(params.values.get("chat_id"))
    if chat.in_groups and chat.standing in {"left", "kicked"}:
        raise forbidden("bot is not a member of the supergroup chat")
    return chat
