"""A question before something that cannot be undone: whose yes counts, where, and how long."""

from __future__ import annotations

from datetime import timedelta

from bot.telegram.ids import to_peer
from tests.support.commanding import Desk
from tests.telegram.chats import Message


class TestConfirmations:
    async def asked(self, d: Desk) -> Message:
        return await d.ask("/reindex rebuild")

    async def test_yes_counts_once(self, d: Desk) -> None:
        message = await self.asked(d)
        data = _data(message, "yes")
        assert await d.presses(d.owner, message, "Yes") == ""
        assert d.office.answers[-1].text.startswith("✔ Documents: 2")
        assert "has expired" in await d.presses(d.owner, message, data=data)

    async def test_no_changes_nothing_and_ends_it(self, d: Desk) -> None:
        message = await self.asked(d)
        data = _data(message, "yes")
        await d.presses(d.owner, message, "No")
        assert d.office.answers[-1].text == "Nothing was changed."
        assert "has expired" in await d.presses(d.owner, message, data=data)

    async def test_yes_of_another_admin_counts_for_nothing(self, d: Desk) -> None:
        bob = d.telegram.user("Bob", language_code="en")
        await d.services.parts.users.set_role(to_peer(bob.id), "admin")
        team = d.telegram.group("Team", [d.owner, bob])
        await d.says(d.owner, team, "/allow")
        message = await d.says(d.owner, team, "/reindex rebuild")
        assert "Only the person who sent" in await d.presses(bob, message, "Yes")
        assert "Read and prepare all" in team.answers[-1].text

    async def test_yes_in_another_chat_counts_for_nothing(self, d: Desk) -> None:
        message = await self.asked(d)
        team = d.telegram.group("Team", [d.owner])
        elsewhere = await d.says(d.owner, team, "/mode")
        assert "has expired" in await d.presses(d.owner, elsewhere, data=_data(message, "yes"))

    async def test_yes_that_comes_too_late_counts_for_nothing(self, d: Desk) -> None:
        message = await self.asked(d)
        d.clock.ahead = timedelta(minutes=11)
        assert "has expired" in await d.presses(d.owner, message, "Yes")

    async def test_admin_who_lost_the_role_meanwhile_is_refused(self, d: Desk) -> None:
        bob, chat = d.person("Bob")
        await d.services.parts.users.set_role(to_peer(bob.id), "admin")
        message = await d.says(bob, chat, "/reindex rebuild")
        await d.services.parts.users.set_role(to_peer(bob.id), None)
        await d.services.parts.users.set_access(to_peer(bob.id), "allowed")
        assert await d.presses(bob, message, "Yes") == "Only administrators of this bot can do that."
        assert chat.answers[-1].text == "Nothing was changed."


def _data(message: Message, label: str) -> str:
    data = next(
        button.data for row in message.buttons for button in row if (button.data or "").startswith(label)
    )
    assert data is not None
    return data
