"""Decides who may do what, from ids and from administrators' decisions, never from names. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.service import keys
from bot.service.incoming import Place, Sender
from bot.service.keys import PeerId
from bot.service.people import Chat, Person, Refusal, Role

AccessMode = Literal["private", "open", "groups"]

Audience = Literal["everyone", "admins"]

OPEN_COMMANDS = frozenset({"claim", "privacy"})
"""Commands that people without any access may use: to claim the bot, and to see what is stored about them."""

ADMINS: tuple[Role, ...] = ("owner", "admin")


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings that access depends on.

    Args:
        mode: Who may ask without having been allowed: nobody, everybody, or the groups that have the bot.
        owners: Ids of people who are owners by the settings, whatever the database says.
        anonymous_admins: Anonymous administrators of an allowed group may use administrators' commands there.
        channels: Channels may ask in groups under their own name.
    """

    mode: AccessMode = "private"
    owners: frozenset[PeerId] = frozenset()
    anonymous_admins: bool = False
    channels: bool = False


def role(sender: Sender, person: Person, place: Place, chat: Chat, policy: Policy) -> Role:
    """Return the sender's role at a place."""
    is_open = is_open_place(place, chat, policy)
    if sender.kind == "anonymous_admin":
        if not policy.anonymous_admins or not is_open:
            return "none"
        # Anybody can found a group and be its anonymous administrator, so the group must have been allowed.
        return "admin" if chat.access == "allowed" and chat.id == sender.id else "member"
    if sender.kind == "channel":
        return "member" if policy.channels and is_open else "none"
    if sender.kind == "bot":
        return "none"
    if sender.id in policy.owners:
        return "owner"
    if person.role is not None:
        return person.role
    if person.access is not None:
        return "member" if person.access == "allowed" else "none"
    return "member" if is_open else "none"


def is_open_place(place: Place, chat: Chat, policy: Policy) -> bool:
    """Return whether people without a decision about them may ask at a place."""
    if place.kind == "private":
        return policy.mode == "open"
    if chat.access is not None:
        return chat.access == "allowed"
    return place.kind == "group" and policy.mode in {"open", "groups"}


def reason_not_to_answer(
    sender: Sender, person: Person, place: Place, chat: Chat, policy: Policy
) -> Refusal | None:
    """Return why a question is not answered, or None when it is."""
    has = role(sender, person, place, chat, policy)
    # Everybody in the group would read the answer, so the group must be allowed, whoever asks.
    if place.kind != "private" and not is_open_place(place, chat, policy):
        if has in ADMINS and sender.kind == "person":
            return Refusal("refused-group-admin")
        return Refusal(
            "refused-group",
            {"chat": keys.name_in_channel(place.chat_id)},
            is_notice_due=sender.kind != "channel",
        )
    if has != "none":
        return None
    if sender.kind == "anonymous_admin":
        return Refusal("refused-anonymous")
    if sender.kind != "person":
        return Refusal("refused-channel", is_notice_due=False)
    if person.access == "denied":
        return Refusal("refused-person")
    return Refusal(
        "refused-private-groups" if policy.mode == "groups" else "refused-private",
        {"user": keys.name_in_channel(sender.id)},
    )


def reason_not_to_obey(
    has: Role, sender: Sender, audience: Audience, *, is_destructive: bool
) -> Refusal | None:
    """Return why a command is not carried out for a sender with this role, or None when it is."""
    if audience == "everyone" and not is_destructive:
        return None
    if audience == "admins" and has not in ADMINS:
        return Refusal("refused-admins-only")
    if is_destructive and sender.kind != "person":
        return Refusal("refused-named-only")
    return None


def may_read(has: Role, user_id: PeerId, conversation_id: str) -> bool:
    """Return whether somebody may read a conversation that others held.

    What somebody says to the bot alone is for nobody else, whatever their role. The words of a group are seen
    by all who are in it, and administrators decide which groups the bot answers, so they may read them.
    """
    held_in = keys.chat_or_person(conversation_id)
    if held_in is None:
        return False
    return has in ADMINS if keys.is_group(held_in) else held_in == user_id


def reason_not_to_change(actor: Role, actor_id: PeerId, target: Role, target_id: PeerId) -> Refusal | None:
    """Return why the actor may not change the target's access or role, or None."""
    if actor not in ADMINS:
        return Refusal("refused-admins-only")
    if actor_id == target_id:
        return Refusal("refused-yourself")
    if target == "owner" or (target == "admin" and actor != "owner"):
        return Refusal("refused-owner-only")
    return None
