"""Commands and buttons that change who may ask and who may command; `bot.service.access` decides by ids."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Final

from bot.clock import local
from bot.service.access_requests import AccessRequest, Outcome
from bot.service.keys import PeerId, is_group, name_in_channel, parse_peer, read_peer
from bot.service.people import Decision, Json, Refusal
from bot.talk.orders import decide
from bot.telegram import invitations
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply, Told, lines
from bot.telegram.rendering import code

_INVITATION_HOLDS: Final = timedelta(days=7)


async def allow(context: Context) -> None:
    """Carry out `/allow`: let a person or a group ask; `/allow link` makes a link for one person."""
    if context.argument.casefold() == "link":
        if context.is_private:
            await context.show(await context.do("look", partial(_invite, context)))
        else:
            await context.say("command-elsewhere", command="/allow link")
        return
    await _decide(context, "allowed")


async def _invite(context: Context) -> Reply:
    services = context.services
    until = services.clock() + _INVITATION_HOLDS
    invitation = invitations.make(
        services.parts.settings.telegram.token.get_secret_value(), context.sender.id, until
    )
    link = f"https://t.me/{services.me.username}?start={invitation}"
    return Reply.of(context.text("allow-link", day=f"{local(until):%Y-%m-%d}", link=code(link)))


async def deny(context: Context) -> None:
    """Carry out `/deny`: deny a person or a group, and stop the answers to them."""
    await _decide(context, "denied")


async def _decide(context: Context, decision: Decision) -> None:
    target = find_target(context)
    if await decide(context, target, decision) and target is not None and not is_group(target):
        outcome: Outcome = "allowed" if decision == "allowed" else "refused"
        requests = context.services.access_requests
        await requests.settle(target, outcome, context.sender, context.job_id, context.run_step)


def find_target(context: Context) -> PeerId | None:
    """Return the id of the person or the group that a command is about; None if that is unclear."""
    if context.argument:
        return parse_peer(context.argument)
    replied = context.message.replied
    # None for a message of the bot, a channel or an anonymous administrator, whose author is no person.
    if replied is not None:
        return replied.author_id
    return None if context.is_private else context.place.chat_id


async def admins(context: Context) -> None:
    """Carry out `/admins`: list the administrators; an owner adds and removes them, after a confirmation."""
    verb, _, rest = context.argument.partition(" ")
    if not verb:
        await context.show(await context.do("look", partial(_list_admins, context)))
        return
    user_id = parse_peer(rest) if verb.casefold() in {"add", "remove"} else None
    if user_id is None or is_group(user_id):
        await context.say("admins-how")
        return
    if context.role != "owner":
        await context.say("refused-owner-only")
        return
    is_admin = verb.casefold() == "add"
    is_one: bool = await context.do("look", partial(_is_admin, context, user_id))
    if is_one == is_admin:
        await context.say("admins-already" if is_admin else "admins-none", id=name_in_channel(user_id))
        return
    question = context.text(
        "admins-confirm-add" if is_admin else "admins-confirm-remove", id=name_in_channel(user_id)
    )
    await confirm(context, question, {"name": "appoint", "user": user_id, "is_admin": is_admin})


async def appoint_confirmed(context: Context, command: Mapping[str, Json]) -> None:
    """Give a person the administrator's role or take it away; runs after the confirmation."""
    typed, is_admin = command["user"], command["is_admin"]
    assert isinstance(typed, int | str)  # as `admins` wrote it
    user_id = read_peer(typed)
    services = context.services
    appoint = partial(
        services.parts.access.appoint, context.sender, context.place, user_id, is_admin=bool(is_admin)
    )
    refusal: Refusal | None = await context.do("carry out", appoint)
    if refusal is not None:
        await context.show(Reply.of(_explain_refusal(context, refusal)))
        return
    await context.do("menus", partial(services.role_changed, user_id))
    await context.say("admins-added" if is_admin else "admins-removed", id=name_in_channel(user_id))


async def _is_admin(context: Context, user_id: PeerId) -> bool:
    return any(admin.id == user_id for admin in await context.parts.access.admins())


async def _list_admins(context: Context) -> Reply:
    everybody = await context.parts.access.admins()
    rows = [
        f"· {person.name or '–'} ({name_in_channel(person.id)}), {context.text(f'role-{person.role}')}"
        for person in everybody
    ]
    return Reply.of(lines([context.text("admins-title"), *rows, context.text("admins-how")]))


def _explain_refusal(context: Context, refusal: Refusal) -> str:
    return context.text(refusal.message_id, **refusal.values)


def read_stranger(text: str) -> PeerId | None:
    """Return the id of the person whose request a button is about; None for anything else."""
    user_id = parse_peer(text)
    return user_id if user_id is not None and not is_group(user_id) else None


async def press_request(context: Context, user_id: PeerId, *, outcome: Outcome) -> Told:
    """Decide about a request; when that was done meanwhile, say what was decided."""
    before: AccessRequest | None = await context.do("look", partial(_look_at_request, context, user_id))
    if before is None:
        return Told(context.text("request-gone", user=name_in_channel(user_id)), is_alert=True)
    # Somebody may have been let in elsewhere: by the console, or as an administrator.
    wanted = outcome if before.outcome is None else before.outcome
    requests = context.services.access_requests
    is_decided = await requests.settle(
        user_id, wanted, context.sender, context.job_id, context.run_step, context.shown
    )
    if is_decided and wanted == outcome:
        return Told(context.text(f"request-press-{outcome}"))
    return await context.do("meanwhile", partial(_meanwhile, context, user_id))


async def _look_at_request(context: Context, user_id: PeerId) -> AccessRequest | None:
    """The request; one that is open, of somebody who may ask by now, counts as allowed."""
    services = context.services
    request = await services.access_requests.request(user_id)
    if request is None or request.outcome is not None:
        return request
    person = await services.parts.users.get(user_id)
    if person.role is not None or person.access == "allowed":
        return AccessRequest(user_id, "allowed")
    return request


async def _meanwhile(context: Context, user_id: PeerId) -> Told:
    """Return the reply that says what was decided before this press."""
    requests = context.services.access_requests
    request = await requests.request(user_id)
    if request is None or request.outcome is None:
        return Told(context.text("request-gone", user=name_in_channel(user_id)), is_alert=True)
    admin = await requests.name(request.decided_by, context.language)
    # What a press is answered with shows no code.
    text = context.text(
        f"request-was-{request.outcome}", admin=admin.strip("`"), user=name_in_channel(user_id)
    )
    return Told(text, is_alert=True)
