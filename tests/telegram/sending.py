"""Methods that send, change and delete messages, drafts, actions and reactions.

Checks follow the reference page (lengths after entities parsing, ``callback_data``, drafts only in private
chats, 30 seconds of a draft, "Changes of drafts with the same identifier are animated"); refusals use the
sentences of real servers.
"""

from __future__ import annotations

from typing import Any

from telegram.constants import ChatAction, ReactionEmoji

from tests.telegram.chats import GENERAL_TOPIC, Chat, Draft, Message, ShownAction, Version
from tests.telegram.entities import MAX_CAPTION, MAX_TEXT, Formatted, Wire, check_text, units
from tests.telegram.markup import check_markup
from tests.telegram.params import Params
from tests.telegram.refusals import TOO_LARGE, Refusal, bad_request
from tests.telegram.world import World

MAX_UPLOAD = 50 * 1024 * 1024
MAX_PHOTO = 10 * 1024 * 1024
MAX_ALERT = 200
_ACTIONS = frozenset(map(str, ChatAction))
_REACTIONS = frozenset(map(str, ReactionEmoji))
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)


def send_message(world: World, params: Params) -> Wire:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    formatted = _format(
        params,
        "text",
        "entities",
        limit=MAX_TEXT,
        too_long="message is too long",
        empty="message text is empty",
    )
    return _send(world, chat, params, formatted, {})


def send_document(world: World, params: Params) -> Wire:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    stored = _file(world, params, "document", MAX_UPLOAD)
    return _send(world, chat, params, _caption(params), {"document": stored})


def send_photo(world: World, params: Params) -> Wire:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    stored = _file(world, params, "photo", MAX_PHOTO)
    size = {name: stored[name] for name in ("file_id", "file_unique_id", "file_size")}
    return _send(world, chat, params, _caption(params), {"photo": [{**size, "width": 800, "height": 600}]})


def edit_message_text(world: World, params: Params) -> Wire:
    message = _editable(world, params)
    formatted = _format(
        params, "text", "entities", limit=MAX_TEXT, too_long="MESSAGE_TOO_LONG", empty="message text is empty"
    )
    if message.attachment:
        raise bad_request("there is no text in the message to edit")
    return _edit(world, message, formatted, check_markup(params.mapping("reply_markup"), inline_only=True))


def edit_message_caption(world: World, params: Params) -> Wire:
    message = _editable(world, params)
    if not message.attachment:
        raise bad_request("there is no caption in the message to edit")
    markup = check_markup(params.mapping("reply_markup"), inline_only=True)
    return _edit(world, message, _caption(params), markup)


def edit_message_reply_markup(world: World, params: Params) -> Wire:
    message = _editable(world, params)
    markup = check_markup(params.mapping("reply_markup"), inline_only=True)
    return _edit(world, message, message.formatted, markup)


def delete_message(world: World, params: Params) -> bool:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    message = chat.message(params.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to delete not found")
    if not message.outgoing and chat.kind != "private" and chat.standing != "administrator":
        raise bad_request("message can't be deleted")
    message.deleted = True
    return True


def delete_messages(world: World, params: Params) -> bool:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    for message_id in params.listing("message_ids") or []:
        message = chat.message(int(message_id))
        if message is not None and (message.outgoing or chat.kind == "private"):
            message.deleted = True
    return True


def send_message_draft(world: World, params: Params) -> bool:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    if chat.kind != "private":
        raise bad_request("TEXTDRAFT_PEER_INVALID")
    draft_id = params.integer("draft_id")
    if not draft_id:
        raise bad_request("draft_id must be non-zero")
    thread_id = _thread(chat, params, action=False)
    formatted = _format(
        params, "text", "entities", limit=MAX_TEXT, too_long="message is too long", empty=None
    )
    draft = next((draft for draft in chat.drafts if draft.draft_id == draft_id), None)
    if draft is None:
        draft = Draft(draft_id, thread_id, "", (), 0.0)
        chat.all_drafts.append(draft)
    draft.text, draft.entities = formatted.text, formatted.entities
    draft.versions.append(formatted.text)
    draft.can_stop, draft.keep_on_stop = params.flag("can_stop"), params.flag("keep_on_stop")
    draft.visible_until = world.clock.now() + world.draft_seconds
    return True


def send_chat_action(world: World, params: Params) -> bool:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    action = params.required("action")
    if action not in _ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat.actions.append(ShownAction(action, _thread(chat, params, action=True), world.clock.now()))
    return True


def set_message_reaction(world: World, params: Params) -> bool:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    message = chat.message(params.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to react not found")
    reactions = params.listing("reaction") or []
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if any(
        reaction.get("type") == "emoji" and reaction.get("emoji") not in _REACTIONS for reaction in reactions
    ):
        raise bad_request("REACTION_INVALID")
    message.reactions = reactions
    return True


def answer_callback_query(world: World, params: Params) -> bool:
    text = params.text("text") or ""
    if units(text) > MAX_ALERT:
        raise bad_request("MESSAGE_TOO_LONG")
    world.answer_press(params.required("callback_query_id"), text, show_alert=params.flag("show_alert"))
    return True


def _format(
    params: Params, text: str, entities: str, *, limit: int, too_long: str, empty: str | None
) -> Formatted:
    given = tuple(params.listing(entities) or ())
    if params.text("parse_mode"):
        raise bad_request("this server reads no marks: send entities")
    return check_text(Formatted(params.text(text) or "", given), limit=limit, too_long=too_long, empty=empty)


def _caption(params: Params) -> Formatted:
    return _format(
        params,
        "caption",
        "caption_entities",
        limit=MAX_CAPTION,
        too_long="message caption is too long",
        empty=None,
    )


def _file(world: World, params: Params, name: str, limit: int) -> Wire:
    upload = params.upload(name)
    if upload is not None:
        if len(upload.content) > limit:
            raise Refusal(*TOO_LARGE)
        if not upload.content:
            raise bad_request("file must be non-empty")
        return world.store_file(upload.name, upload.content, upload.mime_type).wire()
    stored = world.files.get(params.text(name) or "")
    if stored is None:
        raise bad_request("wrong file identifier/HTTP URL specified")
    return stored.wire()


def _thread(chat: Chat, params: Params, *, action: bool) -> int | None:
    thread_id = params.integer("message_thread_id")
    if thread_id is None or thread_id == 0:
        return None
    # Messages go to the General topic without a thread id; only actions may name it.
    if thread_id == GENERAL_TOPIC and chat.is_forum and action:
        return None
    if thread_id not in chat.topics:
        raise bad_request("message thread not found")
    return thread_id


def _reply(chat: Chat, params: Params) -> Message | None:
    reply = params.mapping("reply_parameters")
    if reply is None and (old := params.integer("reply_to_message_id")):
        reply = {"message_id": old, "allow_sending_without_reply": params.flag("allow_sending_without_reply")}
    if reply is None:
        return None
    message = chat.message(int(reply.get("message_id") or 0))
    if message is None and not reply.get("allow_sending_without_reply"):
        raise bad_request("message to be replied not found")
    if message is not None and (quote := reply.get("quote")) and quote not in message.text:
        raise bad_request("QUOTE_TEXT_INVALID")
    return message


def _send(world: World, chat: Chat, params: Params, formatted: Formatted, attachment: Wire) -> Wire:
    thread_id = _thread(chat, params, action=False)
    markup = check_markup(params.mapping("reply_markup"))
    reply_to = _reply(chat, params)
    if thread_id is None and reply_to is not None:
        thread_id = reply_to.thread_id
    chat.hide_drafts(thread_id)
    message = world.add_message(
        chat,
        None if chat.kind == "channel" else world.bot,
        formatted,
        outgoing=True,
        markup=markup,
        reply_to=reply_to,
        thread_id=thread_id,
        attachment=attachment,
    )
    return message.wire()


def _editable(world: World, params: Params) -> Message:
    chat = world.find_writable_chat(params.values.get("chat_id"))
    message = chat.message(params.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to edit not found")
    if not message.outgoing:
        raise bad_request("message can't be edited")
    return message


def _edit(world: World, message: Message, formatted: Formatted, markup: Any) -> Wire:
    if (formatted, markup) == (message.formatted, message.markup):
        raise bad_request(_NOT_MODIFIED)
    message.versions.append(Version(message.text, message.entities, message.markup))
    message.formatted, message.markup = formatted, markup
    message.edit_date = int(world.clock.now())
    return message.wire()
