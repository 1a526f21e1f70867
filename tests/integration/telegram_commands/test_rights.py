"""Commands and buttons of administrators do nothing for anybody else."""

from __future__ import annotations

import pytest

from bot.telegram.commands import COMMANDS
from bot.telegram.ids import to_peer
from tests.support.commanding import Desk, Opened
from tests.telegram.chats import Chat
from tests.telegram.people import Sent

_WITH_RIGHTS = ("owner", "admin")


class TestRights:
    """Who gets what out of each administrators' command. Rights come from ids."""

    async def sent(self, d: Desk, who: str, text: str) -> tuple[Sent, Chat]:
        team = d.telegram.group("Team", [d.owner])
        await d.services.parts.chats.set_access(to_peer(team.id), "allowed")
        match who:
            case "owner":
                return d.owner.says(d.office, text), d.office
            case "admin":
                bob, chat = d.person("Bob")
                await d.services.parts.users.set_role(to_peer(bob.id), "admin")
                return bob.says(chat, text), chat
            case "member":
                ann, chat = d.person()
                await d.services.parts.users.set_access(to_peer(ann.id), "allowed")
                return ann.says(chat, text), chat
            case "member of a group":
                ann, _ = d.person()
                return ann.says(team, text), team
            case "somebody called Admin":
                eve, chat = d.person("Admin", username="admin", last_name="Olga")
                return eve.says(chat, text), chat
            case "forwarded":
                said = d.owner.says(team, text)
                assert said.message is not None
                return d.owner.forwards(said.message, d.office), d.office
            case "another bot":
                name, _, rest = text.partition(" ")
                return d.owner.says(team, f"{name}@another_bot {rest}"), team
            case "anonymous admin":
                return d.telegram.anonymous_admin(team).says(team, text), team
            case "channel":
                channel = d.telegram.channel("News")
                return d.telegram.channel_identity(channel).says(team, text), team
            case "edited":
                return d.owner.edits(d.owner.says(d.office, "hello"), text), d.office
        raise AssertionError(who)

    @pytest.mark.parametrize("command", [known.name for known in COMMANDS if known.audience == "admins"])
    async def test_nobody_without_rights_gets_anything_out_of_an_admins_command(
        self, opened: Opened, command: str
    ) -> None:
        refusals = {
            "member": "Only administrators of this bot can do that.",
            "member of a group": "Only administrators of this bot can do that.",
            "somebody called Admin": "You do not have access to this bot yet.",
            "anonymous admin": "I cannot tell who you are",
            "forwarded": None,
            "another bot": None,
            "channel": None,
            "edited": None,
        }
        async with opened() as d:
            text = f"/{command} 42" if command in {"allow", "deny", "remove"} else f"/{command}"
            for who, refusal in refusals.items():
                sent, chat = await self.sent(d, who, text)
                before = len(chat.answers)
                await d.handle(sent)
                said = chat.texts[before:]
                if refusal is None:
                    assert said == [], who
                else:
                    assert len(said) == 1, who
                    assert said[0].startswith(refusal), who
            assert (await d.services.parts.users.get(to_peer(42))).access is None
            for who in _WITH_RIGHTS:
                sent, chat = await self.sent(d, who, text)
                await d.handle(sent)
                assert not any(
                    refusal and chat.texts[-1].startswith(refusal) for refusal in refusals.values()
                ), who

    async def test_every_refused_command_of_an_administrator_gets_an_answer_with_a_file_or_not(
        self, d: Desk
    ) -> None:
        ann, chat = d.person()
        await d.services.parts.users.set_access(to_peer(ann.id), "allowed")
        await d.says(ann, chat, "/reindex")
        await d.handle(ann.sends_file(chat, "tea.md", b"# Tea", caption="/add"))
        await d.says(ann, chat, "/reindex")
        assert chat.texts == ["Only administrators of this bot can do that."] * 3

    async def test_refused_commands_are_answered_only_as_often_as_commands_may_be_sent(
        self, opened: Opened
    ) -> None:
        async with opened(limits={"user_commands_per_minute": 2}) as d:
            ann, chat = d.person()
            await d.services.parts.users.set_access(to_peer(ann.id), "allowed")
            for _ in range(9):
                await d.handle(ann.says(chat, "/reindex"))
            assert len(chat.texts) == 3, chat.texts

    @pytest.mark.parametrize("command", ["remove tea.md", "reindex rebuild", "deny 42", "allow 42", "add"])
    async def test_anonymous_admin_destroys_nothing_even_where_they_may_command(
        self, opened: Opened, command: str
    ) -> None:
        async with opened(access={"mode": "private", "anonymous_admins": True}) as d:
            file = d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add")
            await d.handle(file)
            team = d.telegram.group("Team", [d.owner])
            await d.services.parts.chats.set_access(to_peer(team.id), "allowed")
            anonymous = d.telegram.anonymous_admin(team)
            await d.handle(
                anonymous.sends_file(team, "tea.md", b"# New\n\nAt five.\n", caption=f"/{command}")
            )
            assert "posting anonymously" in team.texts[-1]
            assert b"four" in (d.workshop.data / "documents" / "tea.md").read_bytes()
            assert (await d.services.parts.users.get(to_peer(42))).access is None

    async def test_buttons_of_admins_do_nothing_for_others(self, d: Desk) -> None:
        ann = d.telegram.user("Ann", language_code="en")
        team = d.telegram.group("Team", [ann, d.owner])
        await d.says(d.owner, team, "/allow")
        for text, data in (("/documents", "documents:1"), ("/stats", "stats:30:0")):
            message = await d.says(d.owner, team, text)
            before = message.text
            assert await d.presses(ann, message, data=data) == "Only administrators of this bot can do that."
            assert message.text == before
