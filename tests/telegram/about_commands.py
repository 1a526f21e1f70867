"""Methods that set up the bot: its commands, its descriptions and its webhook.

Commands follow "Determining list of commands" of the reference page; the webhook follows setWebhook there
(1-256 characters A-Z, a-z, 0-9, _ and - of the secret; 1-100 connections). Plain HTTP and any port are accepted,
as by a local Bot API server.
"""

from __future__ import annotations

import re

from tests.telegram.entities import Wire
from tests.telegram.params import Params
from tests.telegram.refusals import bad_request
from tests.telegram.world import Webhook, World

MAX_COMMANDS = 100
MAX_DESCRIPTION = 512
MAX_SHORT_DESCRIPTION = 120
_SCOPES = {
    "default": (),
    "all_private_chats": (),
    "all_group_chats": (),
    "all_chat_administrators": (),
    "chat": ("chat_id",),
    "chat_administrators": ("chat_id",),
    "chat_member": ("chat_id", "user_id"),
}


def set_my_commands(world: World, params: Params) -> bool:
    commands = params.listing("commands") or []
    if len(commands) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", str(command.get("command", "")).removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(str(command.get("description", ""))) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    key = _key(world, params)
    if commands:
        world.commands[key] = commands
    else:
        world.commands.pop(key, None)
    return True


def get_my_commands(world: World, params: Params) -> list[Wire]:
    return world.commands.get(_key(world, params), [])


def delete_my_commands(world: World, params: Params) -> bool:
    world.commands.pop(_key(world, params), None)
    return True


def commands_seen(world: World, chat_id: int, user_id: int) -> list[Wire]:
    chat, account = world.chats[chat_id], world.accounts[user_id]
    scopes = [f"chat:{chat_id}", "all_private_chats"]
    if chat.in_groups:
        is_admin = world.role(chat, user_id) in {"creator", "administrator"}
        scopes = [
            f"chat_member:{chat_id}:{user_id}",
            *([f"chat_administrators:{chat_id}"] if is_admin else []),
            f"chat:{chat_id}",
            *(["all_chat_administrators"] if is_admin else []),
            "all_group_chats",
        ]
    keys = [(scope, language) for scope in (*scopes, "default") for language in (account.language_code, "")]
    return next((world.commands[key] for key in keys if key in world.commands), [])


def set_my_description(world: World, params: Params) -> bool:
    return _describe(world, params, "description", MAX_DESCRIPTION)


def get_my_description(world: World, params: Params) -> Wire:
    return _described(world, params, "description")


def set_my_short_description(world: World, params: Params) -> bool:
    return _describe(world, params, "short_description", MAX_SHORT_DESCRIPTION)


def get_my_short_description(world: World, params: Params) -> Wire:
    return _described(world, params, "short_description")


def set_chat_menu_button(world: World, params: Params) -> bool:
    world.menu_button = params.mapping("menu_button") or {"type": "default"}
    return True


def get_chat_menu_button(world: World, _params: Params) -> Wire:
    return world.menu_button


def set_webhook(world: World, params: Params) -> bool:
    url = params.text("url") or ""
    if not url:
        return delete_webhook(world, params)
    if not re.match(r"https?://[^\s/]+", url):
        raise bad_request("bad webhook: Failed to parse URL")
    secret = params.text("secret_token") or ""
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", secret):
        raise bad_request("secret token contains unallowed characters")
    connections = params.integer("max_connections")
    if connections is not None and not 1 <= connections <= 100:
        raise bad_request("max_connections must be from 1 to 100")
    _drop(world, params)
    world.updates.allow(params.listing("allowed_updates"))
    world.webhook = Webhook(url, secret, connections or 40)
    world.on_change()
    return True


def delete_webhook(world: World, params: Params) -> bool:
    _drop(world, params)
    world.webhook = Webhook()
    world.on_change()
    return True


def get_webhook_info(world: World, _params: Params) -> Wire:
    hook = world.webhook
    shown: Wire = {
        "url": hook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates.pending),
    }
    if hook.url:
        shown["max_connections"] = hook.max_connections
    if hook.last_error_date is not None:
        shown |= {"last_error_date": hook.last_error_date, "last_error_message": hook.last_error_message}
    if world.updates.allowed is not None:
        shown["allowed_updates"] = world.updates.allowed
    return shown


def _describe(world: World, params: Params, name: str, limit: int) -> bool:
    text = params.text(name) or ""
    if len(text) > limit:
        raise bad_request(f"{name} is too long")
    world.descriptions[name, params.text("language_code") or ""] = text
    return True


def _described(world: World, params: Params, name: str) -> Wire:
    # A language without a text of its own shows the default one.
    default = world.descriptions.get((name, ""), "")
    return {name: world.descriptions.get((name, params.text("language_code") or "")) or default}


def _drop(world: World, params: Params) -> None:
    if params.flag("drop_pending_updates"):
        world.updates.drop_pending()


def _key(world: World, params: Params) -> tuple[str, str]:
    scope = params.mapping("scope") or {"type": "default"}
    kind = scope.get("type")
    if kind not in _SCOPES:
        raise bad_request("unsupported scope type specified")
    if "chat_id" in _SCOPES[kind]:
        world.find_chat(scope.get("chat_id"))
    parts = [str(scope.get(name, "")) for name in _SCOPES[kind]]
    return ":".join((kind, *parts)), params.text("language_code") or ""
