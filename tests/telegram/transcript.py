"""A conversation as a user would see it, in Markdown, without times: the same run gives the same page."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.telegram.chats import Chat, Message, Press
from tests.telegram.entities import Wire, units

_VERBATIM = frozenset({"code", "pre", "url", "email"})
# An underscore within a word is not markup.
_SPECIAL = re.compile(r"[\\`*\[\]<]|(?<!\w)_|_(?!\w)")
_AROUND = {
    "bold": ("**", "**"),
    "italic": ("*", "*"),
    "strikethrough": ("~~", "~~"),
    "code": ("`", "`"),
    "underline": ("<u>", "</u>"),
    "spoiler": ("||", "||"),
}


def transcript(chat: Chat) -> str:
    """Return the messages of a chat in order, each with its sender, the message it replies to and its buttons.

    An edited message shows its last text, a deleted one is left out; a press shows the alert of the bot.
    """
    presses = {press.query_id: press for press in chat.presses}
    parts = []
    for entry in chat.timeline:
        if isinstance(entry, Message):
            if not entry.deleted:
                parts.append(_message(entry))
        else:
            parts.append(_press(presses[entry]))
    return "\n\n".join(parts) + "\n" if parts else ""


def _message(message: Message) -> str:
    head = f"**{_who(message)}**"
    if message.thread_id is not None:
        head += f" in *{message.chat.topics.get(message.thread_id, message.thread_id)}*"
    if message.reply_to is not None and not message.reply_to.deleted:
        head += f" to {_who(message.reply_to)}"
    lines = [*_attachment(message), *(_mark(message).split("\n") if message.text else [])]
    shown = [head + ":", "", *(f"> {line}".rstrip() for line in lines)]
    for row in message.buttons:
        shown += [">", "> " + " ".join(f"`[ {button.text} ]`" for button in row)]
    return "\n".join(shown)


def _press(press: Press) -> str:
    shown = f"*{press.person.name} presses `[ {press.button.text} ]`*"
    if not press.alert:
        return shown
    alert = press.alert.replace("\n", "\\\n> ")
    return f"{shown}\n\n> ({alert})"


def _who(message: Message) -> str:
    if message.sender_chat is not None:
        return message.sender_chat.title
    return message.chat.title if message.sender is None else message.sender.name


def _attachment(message: Message) -> Iterable[str]:
    if "document" in message.attachment:
        yield f"[file: {message.attachment['document']['file_name']}]"
    elif message.attachment:
        yield f"[{next(iter(message.attachment))}]"
    if "migrate_to_chat_id" in message.extra or "migrate_from_chat_id" in message.extra:
        yield "[the group became a supergroup]"


def _mark(message: Message) -> str:
    """Return the text as Markdown: marks where entities begin and end, all other characters literal."""
    encoded = message.text.encode("utf-16-le", "surrogatepass")
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    verbatim: list[range] = []
    for entity in message.entities:
        opening, closing = _marks(entity)
        end = entity["offset"] + entity["length"]
        opens[entity["offset"]] = opens.get(entity["offset"], "") + opening
        closes[end] = closing + closes.get(end, "")
        if entity["type"] in _VERBATIM:
            verbatim.append(range(entity["offset"], end))
    shown, last = "", 0
    for place in sorted({*opens, *closes, units(message.text)}):
        piece = encoded[2 * last : 2 * place].decode("utf-16-le", "replace")
        shown += piece if any(last in covered for covered in verbatim) else _SPECIAL.sub(r"\\\g<0>", piece)
        shown += closes.get(place, "") + opens.get(place, "")
        last = place
    return _with_line_breaks(shown)


def _with_line_breaks(text: str) -> str:
    """Add a backslash at the end of each line, because Markdown would join the lines."""
    lines, shown, fenced = text.split("\n"), [], False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        fenced ^= line.startswith("```")
        joined = line and following and not fenced and "```" not in line + following
        shown.append(f"{line}\\" if joined else line)
    return "\n".join(shown)


def _marks(entity: Wire) -> tuple[str, str]:
    kind = entity["type"]
    if kind == "pre":
        return f"```{entity.get('language', '')}\n", "\n```"
    if kind == "text_link":
        return "[", f"]({entity['url']})"
    if kind in {"blockquote", "expandable_blockquote"}:
        return "“", "”"
    return _AROUND.get(kind, ("", ""))
