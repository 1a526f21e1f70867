"""The actions of users: they write, edit, press buttons, send files, block the bot, and so on.

Every action returns a ``Sent`` with the update it caused. The sender of a message follows the reference
page: anonymous admins write as GroupAnonymousBot with ``sender_chat`` = the group, people with a channel's
identity as Channel_Bot with ``sender_chat`` = the channel, posts of a linked channel as Telegram (777000) with
``is_automatic_forward``, and a channel post has no ``from``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.telegram.about_chats import member
from tests.telegram.chats import Account, Button, Chat, Draft, Message, Press, Standing
from tests.telegram.entities import Formatted, Wire, find_entities
from tests.telegram.updates import Update
from tests.telegram.world import World


@dataclass(frozen=True)
class Sent:
    """The result of a user's action.

    Args:
        update: The update for the bot; None if it gets none (not asked for, privacy mode, not in the chat).
    """

    chat: Chat
    update: Update | None
    message: Message | None = None
    query_id: str = ""

    @property
    def update_id(self) -> int:
        assert self.update is not None, "the bot is not told about this"
        return self.update.update_id

    @property
    def message_id(self) -> int:
        assert self.message is not None, "there is no message"
        return self.message.message_id


class Person:
    """A user of Telegram.

    Args:
        sender_chat: The chat in whose name the user writes, for anonymous admins and channels.
    """

    def __init__(
        self, world: World, account: Account, sender_chat: Chat | None = None, mark: Wire | None = None
    ) -> None:
        self._world = world
        self.account = account
        self.sender_chat = sender_chat
        self.mark = mark or {}

    @property
    def id(self) -> int:
        return self.account.id

    @property
    def name(self) -> str:
        return self.account.name

    def says(
        self,
        chat: Chat,
        text: str,
        *,
        reply_to: Message | Sent | None = None,
        thread_id: int | None = None,
        entities: Sequence[Wire] | None = None,
        ago: float = 0.0,
        via_bot: Account | None = None,
        extra: Wire | None = None,
    ) -> Sent:
        """Write a message.

        Args:
            thread_id: A topic of the forum; a reply stays in the topic of its message.
            entities: Entities instead of those that Telegram finds (mentions, commands, addresses).
            ago: How many seconds ago it was written.
        """
        found = find_entities(text) if entities is None else tuple(entities)
        if via_bot is not None:
            extra = {**(extra or {}), "via_bot": via_bot.wire()}
        return self._writes(
            chat, Formatted(text, found), reply_to=reply_to, thread_id=thread_id, ago=ago, extra=extra
        )

    def sends_file(
        self,
        chat: Chat,
        name: str,
        content: bytes,
        *,
        caption: str = "",
        mime_type: str = "application/octet-stream",
        size: int | None = None,
        reply_to: Message | Sent | None = None,
        thread_id: int | None = None,
        ago: float = 0.0,
        extra: Wire | None = None,
    ) -> Sent:
        """Send a document; ``size`` declares another number of bytes than the content has."""
        with self._world.lock:
            stored = self._world.store_file(name, content, mime_type, size)
        return self._writes(
            chat,
            Formatted(caption, find_entities(caption)),
            attachment={"document": stored.wire()},
            reply_to=reply_to,
            thread_id=thread_id,
            ago=ago,
            extra=extra,
        )

    def speaks(
        self,
        chat: Chat,
        recording: bytes,
        *,
        seconds: int = 3,
        kind: str = "voice",
        size: int | None = None,
        reply_to: Message | Sent | None = None,
        ago: float = 0.0,
        extra: Wire | None = None,
    ) -> Sent:
        """Send a voice message, or with the kind ``video_note`` a round video."""
        with self._world.lock:
            stored = self._world.store_file("", recording, "audio/ogg", size)
        told: Wire = {
            "file_id": stored.file_id,
            "file_unique_id": f"unique-{stored.file_id}",
            "duration": seconds,
            "file_size": stored.size,
        }
        more = {"length": 240} if kind == "video_note" else {"mime_type": "audio/ogg"}
        return self._writes(
            chat, Formatted(""), attachment={kind: told | more}, reply_to=reply_to, ago=ago, extra=extra
        )

    def sends(self, chat: Chat, payload: Wire, *, caption: str = "", reply_to: Message | None = None) -> Sent:
        """Send a message of another kind, such as ``{"sticker": {...}}``."""
        formatted = Formatted(caption, find_entities(caption))
        return self._writes(chat, formatted, attachment=payload, reply_to=reply_to)

    def forwards(self, message: Message, chat: Chat, *, thread_id: int | None = None) -> Sent:
        origin: Wire = {"type": "hidden_user", "sender_user_name": "somebody", "date": message.date}
        if message.sender is not None:
            origin = {"type": "user", "sender_user": message.sender.wire(), "date": message.date}
        elif message.chat.kind == "channel":
            origin = {
                "type": "channel",
                "chat": message.chat.wire(),
                "message_id": message.message_id,
                "date": message.date,
            }
        return self._writes(
            chat,
            message.formatted,
            attachment=message.attachment,
            thread_id=thread_id,
            extra={"forward_origin": origin},
        )

    def edits(self, sent: Message | Sent, text: str) -> Sent:
        message = _message(sent)
        with self._world.lock:
            message.formatted = Formatted(text, find_entities(text))
            message.edit_date = int(self._world.clock.now())
            return self._send_edit(message)

    def touches(self, sent: Message | Sent) -> Sent:
        """Change something about a message that is not its text (a member's tag, a preview)."""
        with self._world.lock:
            return self._send_edit(_message(sent))

    def deletes(self, sent: Message | Sent) -> None:
        """Delete a message; Telegram sends bots no update for it."""
        with self._world.lock:
            _message(sent).deleted = True

    def presses(self, message: Message, label: str = "", *, data: str | None = None) -> Sent:
        """Press the button with a label, or send data as if a button had it."""
        with self._world.lock:
            button = message.button(label) if data is None else Button("a button of old", data)
            query_id = str(4_000_000_000_000_000_000 + self._world.new_id())
            shown = message.wire()
            if message.deleted:
                shown = {"chat": message.chat.wire(), "message_id": message.message_id, "date": 0}
            payload: Wire = {
                "id": query_id,
                "from": self.account.wire(),
                "chat_instance": str(message.chat.id),
                "message": shown,
                "data": button.data,
            }
            press = Press(query_id, self.account, message, button, self._world.clock.now())
            self._world.presses[query_id] = press
            message.chat.presses.append(press)
            message.chat.timeline.append(query_id)
            update = self._world.send_update("callback_query", payload, self.id)
            return Sent(message.chat, update, message, query_id)

    def reacts(self, sent: Message | Sent, emoji: str) -> Sent:
        """Put a reaction on a message; the bot gets an update only if it asked for ``message_reaction``."""
        message = _message(sent)
        with self._world.lock:
            payload = {
                "chat": message.chat.wire(),
                "message_id": message.message_id,
                "user": self.account.wire(),
                "date": int(self._world.clock.now()),
                "old_reaction": [],
                "new_reaction": [{"type": "emoji", "emoji": emoji}],
            }
            return Sent(
                message.chat, self._world.send_update("message_reaction", payload, message.chat.id), message
            )

    def stops(self, draft: Draft) -> Sent:
        """Press the Stop button of a draft in the user's private chat with the bot."""
        chat = self._world.chats[self.id]
        with self._world.lock:
            assert draft.can_stop, "the draft has no Stop button (can_stop)"
            payload: Wire = {"chat": chat.wire(), "draft_id": draft.draft_id}
            if draft.thread_id is not None:
                payload["message_thread_id"] = draft.thread_id
            if not draft.keep_on_stop:
                draft.visible_until = self._world.clock.now()
            return Sent(chat, self._world.send_update("stopped_message_generation", payload, chat.id))

    def blocks(self) -> Sent:
        return self.changes_standing(self._world.chats[self.id], "blocked")

    def unblocks(self) -> Sent:
        return self.changes_standing(self._world.chats[self.id], "member")

    def changes_standing(self, chat: Chat, standing: Standing) -> Sent:
        """Make the bot a member or administrator of a chat, or throw it out (``my_chat_member``)."""
        with self._world.lock:
            old = self._chat_member(chat)
            chat.standing = standing
            payload = {
                "chat": chat.wire(),
                "from": self.account.wire(),
                "date": int(self._world.clock.now()),
                "old_chat_member": old,
                "new_chat_member": self._chat_member(chat),
            }
            return Sent(chat, self._world.send_update("my_chat_member", payload, chat.id))

    def _chat_member(self, chat: Chat) -> Wire:
        return member(self._world, chat, self._world.bot.id)

    def _writes(
        self,
        chat: Chat,
        formatted: Formatted,
        *,
        reply_to: Message | Sent | None = None,
        thread_id: int | None = None,
        ago: float = 0.0,
        attachment: Wire | None = None,
        extra: Wire | None = None,
    ) -> Sent:
        with self._world.lock:
            if chat.standing == "unstarted":
                chat.standing = "member"
            answered = _message(reply_to) if reply_to is not None else None
            message = self._world.add_message(
                chat,
                None if chat.kind == "channel" else self.account,
                formatted,
                date=self._world.clock.now() - ago,
                reply_to=answered,
                thread_id=thread_id if answered is None else answered.thread_id,
                sender_chat=chat if chat.kind == "channel" else self.sender_chat,
                attachment=attachment or {},
                extra={**self.mark, **(extra or {})},
            )
            kind = "channel_post" if chat.kind == "channel" else "message"
            heard = chat.standing in {"member", "administrator"} and self._is_heard(message)
            update = self._world.send_update(kind, message.wire(), chat.id) if heard else None
            return Sent(chat, update, message)

    def _send_edit(self, message: Message) -> Sent:
        chat = message.chat
        kind = "edited_channel_post" if chat.kind == "channel" else "edited_message"
        heard = chat.standing in {"member", "administrator"} and self._is_heard(message)
        update = self._world.send_update(kind, message.wire(), chat.id) if heard else None
        return Sent(chat, update, message)

    def _is_heard(self, message: Message) -> bool:
        if not self._world.privacy_mode or not message.chat.in_groups:
            return True
        if message.reply_to is not None and message.reply_to.outgoing:
            return True
        name = f"@{self._world.bot.username}".lower()
        for entity in message.entities:
            part = message.formatted.part(entity).lower()
            if entity["type"] == "bot_command" and ("@" not in part or part.endswith(name)):
                return True
            if entity["type"] == "mention" and part == name:
                return True
        return False


def _message(sent: Message | Sent) -> Message:
    if isinstance(sent, Message):
        return sent
    assert sent.message is not None, "there is no message"
    return sent.message
