"""The checks of ``reply_markup``, after the reference page: ``callback_data`` has 1-64 bytes."""

from __future__ import annotations

from typing import Any

from tests.telegram.entities import Wire
from tests.telegram.refusals import bad_request

MAX_CALLBACK_BYTES = 64
MAX_BUTTONS = 100
_ACTIONS = frozenset(
    {
        "callback_data",
        "url",
        "web_app",
        "login_url",
        "switch_inline_query",
        "switch_inline_query_current_chat",
        "switch_inline_query_chosen_chat",
        "copy_text",
        "callback_game",
        "pay",
    }
)


def check_markup(markup: Wire | None, *, inline_only: bool = False) -> Wire | None:
    """Check a keyboard, and return the form to store with a message, or None.

    Args:
        inline_only: Refuse other keyboards than inline ones, which edits do not allow.

    Raises:
        Refusal: Telegram would reject a button.
    """
    if markup is None:
        return None
    if "inline_keyboard" not in markup:
        if inline_only and markup:
            raise bad_request("inline keyboard expected")
        return markup or None
    rows = markup["inline_keyboard"]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request("can't parse inline keyboard button: expected an Array of Arrays")
    rows = [[_button(button) for button in row] for row in rows if row]
    if sum(map(len, rows)) > MAX_BUTTONS:
        raise bad_request("reply markup is too long")
    return {"inline_keyboard": rows} if rows else None


def _button(button: Any) -> Wire:
    if not isinstance(button, dict):
        raise bad_request("can't parse inline keyboard button: expected an Object")
    if not str(button.get("text", "")).strip():
        raise bad_request('can\'t parse inline keyboard button: field "text" must be non-empty')
    actions = _ACTIONS & button.keys()
    if len(actions) != 1:
        raise bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if actions == {"callback_data"}:
        size = len(str(button["callback_data"]).encode())
        if not 1 <= size <= MAX_CALLBACK_BYTES:
            raise bad_request("BUTTON_DATA_INVALID")
    if actions == {"url"} and "://" not in str(button["url"]):
        raise bad_request(f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL")
    return button
