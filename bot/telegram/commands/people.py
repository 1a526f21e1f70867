"""Who may ask and who may command. What is decided comes from ids; `bot.service.access` decides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bot.service.access_requests import Outcome
from bot.service.people import Decision, Json, Refusal
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.commands.work import stop_work
from bot.telegram.typed_numbers import read_id


@dataclass(frozen=True, slots=True)
class _Decided:
    """What is said of a decision, and whether it was carried out."""

    reply: Reply
    is_done: bool = False


async def claim(context: Context) -> None:
    """Make the sender the owner, if the code is right."""
    if not context.argument:
        await context.say("claim-how")
        return
    access = context.services.access
    outcome = await context.do(
        "carry out", partial(access.claim, context.sender, context.place, context.argument)
    )
    if outcome in {"owner", "yours"}:
        await context.do("menus", partial(context.services.role_changed, context.sender.id))
    await context.say(f"claim-{outcome.replace('_', '-')}")


async def allow(context: Context) -> None:
    """Let a person or a group ask."""
    await _decide(context, "allowed")


async def deny(context: Context) -> None:
    """Close the bot to a person or a group, and end what is being answered to them."""
    await _decide(context, "denied")


async def _decide(context: Context, decision: Decision) -> None:
    verb = "allow" if decision == "allowed" else "deny"
    target = whom(context)
    if target is None:
        await context.say(f"{verb}-how")
        return
    decided: _Decided = await context.do("carry out", partial(_decided, context, target, decision, verb))
    await context.show(decided.reply)
    if decided.is_done and target > 0:
        outcome: Outcome = "allowed" if decision == "allowed" else "refused"
        requests = context.services.access_requests
        await requests.settle(target, outcome, context.sender, context.job_id, context.run_step)


def whom(context: Context) -> int | None:
    """Return the id that a command is about: of a person, negative of a group; None: nobody can tell."""
    if context.argument:
        return read_id(context.argument)
    replied = context.message.replied
    # A message of the bot, a channel or an anonymous administrator is nobody's, but it is no slip either.
    if replied is not None:
        return replied.author_id
    return None if context.is_private else context.place.chat_id


async def _decided(context: Context, target: int, decision: Decision, verb: str) -> _Decided:
    services, access = context.services, context.services.access
    # Whoever was never seen may still come; but an id is easily mistyped.
    is_unknown = bool(context.argument) and not (
        (await services.users.get(target)).name or (await services.chats.get(target)).title
    )
    had_role = target > 0 and (await services.users.get(target)).role is not None
    if target > 0:
        refusal = await access.decide_user(context.sender, context.place, target, decision)
    else:
        refusal = await access.decide_chat(context.sender, context.place, target, decision)
    if refusal is not None:
        return _Decided(Reply.of(_refused(context, refusal)))
    stopped = 0
    if decision == "denied":
        if had_role:
            await services.role_changed(target)
        asks = services.asks
        stopped = await stop_work(
            services,
            await (asks.open_of(target) if target > 0 else asks.open_in_chat(target)),
            context.sender,
        )
    what = "person" if target > 0 else "group"
    told = lines(
        [
            context.text(f"{verb}-{what}", id=str(target)),
            context.text("decided-unknown") if is_unknown else "",
            context.text("stop-done", answers=stopped) if stopped else "",
        ]
    )
    return _Decided(Reply.of(told), is_done=True)


async def admins(context: Context) -> None:
    """List who may command; the owner adds and removes, after a confirmation."""
    verb, _, rest = context.argument.partition(" ")
    if not verb:
        await context.show(await context.do("look", partial(_listed, context)))
        return
    user_id = read_id(rest) if verb.casefold() in {"add", "remove"} else None
    if user_id is None or user_id < 0:
        await context.say("admins-how")
        return
    if context.role != "owner":
        await context.say("refused-owner-only")
        return
    is_admin = verb.casefold() == "add"
    is_one: bool = await context.do("look", partial(_is_admin, context, user_id))
    if is_one == is_admin:
        await context.say("admins-already" if is_admin else "admins-none", id=str(user_id))
        return
    question = context.text("admins-confirm-add" if is_admin else "admins-confirm-remove", id=str(user_id))
    await confirm(context, question, {"name": "appoint", "user": user_id, "is_admin": is_admin})


async def appoint_confirmed(context: Context, command: Mapping[str, Json]) -> None:
    """Make a person an administrator, or no longer one."""
    user_id, is_admin = command["user"], command["is_admin"]
    assert isinstance(user_id, int)  # as it was written
    services = context.services
    appoint = partial(
        services.access.appoint, context.sender, context.place, user_id, is_admin=bool(is_admin)
    )
    refusal: Refusal | None = await context.do("carry out", appoint)
    if refusal is not None:
        await context.show(Reply.of(_refused(context, refusal)))
        return
    await context.do("menus", partial(services.role_changed, user_id))
    await context.say("admins-added" if is_admin else "admins-removed", id=str(user_id))


async def _is_admin(context: Context, user_id: int) -> bool:
    return any(admin.id == user_id for admin in await context.services.access.admins())


async def _listed(context: Context) -> Reply:
    everybody = await context.services.access.admins()
    rows = [
        f"· {person.name or '–'} ({person.id}), {context.text(f'role-{person.role}')}" for person in everybody
    ]
    return Reply.of(lines([context.text("admins-title"), *rows, context.text("admins-how")]))


def _refused(context: Context, refusal: Refusal) -> str:
    return context.text(refusal.message_id, **refusal.values)
