"""The commands: one table, from which menus, rights and `/help` follow.

To add a command:

    1. Write a function of a `Context` in a module of this package.
    2. List the command in `COMMANDS`. `list_commands` then puts it into `/help`, and into the menus that
       `bot.telegram.menus` registers for each language and audience; `rights.admit` decides by the entry who
       may use the command, and where.
    3. List the function in `dispatch.HANDLERS` under the same name (a test compares the names); `dispatch`
       calls it once the rights are checked.
    4. Write its description ``command-<name>`` in every catalogue of `bot/texts`.
    5. Run ``make docs``, which writes the handbook's table of commands.

A button of its own gets a verb in `bot.telegram.buttons.table.BUTTONS`, an action that must be confirmed a
name in `CONFIRMED` there. The name of a new step goes to a story of `tests/crash` that is killed there, or to
`ELSEWHERE` in `test_stories.py` if a test of its own kills it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from bot.texts import TEXTS

CommandAudience = Literal["everyone", "admins"]
CommandPlace = Literal["private", "group"]


@dataclass(frozen=True, slots=True)
class Command:
    """A command as people see it.

    Args:
        is_ordered: The command waits for the questions that were asked before it.
        is_destructive: The command deletes something: it needs a named person, and a confirmation where
            others lose something.
    """

    name: str
    audience: CommandAudience = "everyone"
    places: tuple[CommandPlace, ...] = ("private", "group")
    is_ordered: bool = False
    is_destructive: bool = False
    is_listed: bool = True


_ALONE: Final[tuple[CommandPlace, ...]] = ("private",)

COMMANDS: Final[tuple[Command, ...]] = (
    Command("start"),
    Command("help"),
    Command("ask"),
    Command("council"),
    Command("mode"),
    Command("model"),
    Command("settings"),
    Command("why"),
    Command("sources"),
    Command("stop"),
    Command("reset", is_ordered=True, is_destructive=True),
    Command("interview", places=_ALONE, is_ordered=True),
    Command("status", places=_ALONE, is_ordered=True),
    Command("undo", places=_ALONE, is_ordered=True),
    Command("skip", places=_ALONE, is_ordered=True, is_listed=False),
    Command("later", places=_ALONE, is_ordered=True, is_listed=False),
    Command("back", places=_ALONE, is_ordered=True, is_listed=False),
    Command("cancel", places=_ALONE, is_ordered=True, is_listed=False),
    Command("finish", places=_ALONE, is_ordered=True),
    Command("export", places=_ALONE, is_ordered=True),
    Command("language"),
    Command("privacy", places=_ALONE),
    Command("claim", places=_ALONE, is_listed=False),
    Command("documents", "admins"),
    Command("add", "admins"),
    Command("remove", "admins", is_destructive=True),
    Command("correct", "admins", is_destructive=True),
    Command("answers", "admins"),
    Command("reindex", "admins"),
    Command("sets", "admins"),
    Command("stats", "admins"),
    # `/unanswered` shows questions from other chats, so it works in private chats only.
    Command("unanswered", "admins", places=_ALONE),
    Command("allow", "admins"),
    Command("deny", "admins"),
    Command("admins", "admins", places=_ALONE),
    Command("health", "admins"),
    # The link of `/console` logs in everybody who opens it, so it is sent in private chats only.
    Command("console", "admins", places=_ALONE),
)


def command(name: str) -> Command | None:
    """Return the command of this name, or None."""
    return next((known for known in COMMANDS if known.name == name), None)


def list_commands(place: CommandPlace, *, is_admin: bool) -> tuple[Command, ...]:
    """Return the commands that menus and `/help` show."""
    return tuple(
        known
        for known in COMMANDS
        if known.is_listed and place in known.places and (is_admin or known.audience == "everyone")
    )


def description(known: Command, language: str) -> str:
    """Return the short description of a command in a language."""
    return TEXTS.text(f"command-{known.name}", language)
