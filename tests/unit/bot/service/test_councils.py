"""Who may ask the council: decided from the role, the chat and the settings."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.service.councils import reason_not_to_hold
from bot.service.people import Chat, Role
from bot.settings.sections import ChatCouncil
from bot.telegram.ids import to_peer

ROLES: tuple[Role, ...] = get_args(Role)


def found(has: Role, *, is_on: bool = True, **settings: object) -> str | None:
    council = ChatCouncil.model_validate({"members": ("a", "b"), **settings})
    refusal = reason_not_to_hold(has, Chat(to_peer(1), "private", has_council=is_on), council)
    return refusal.message_id if refusal else None


@pytest.mark.parametrize("role", ROLES)
def test_council_is_for_whoever_may_ask_the_bot_unless_the_settings_or_the_chat_say_otherwise(
    role: Role,
) -> None:
    assert found(role) is None
    assert found(role, members=()) == "council-no-members"
    assert found(role, is_on=False) == "council-off"
    assert found(role, audience="admins") == (None if role in {"owner", "admin"} else "council-admins")
