"""People and groups are let in and shut out, and administrators and the owner are made, by commands."""

from __future__ import annotations

import pytest

from bot.telegram.ids import to_peer
from tests.support.commanding import OWNER, Desk, Opened, waiting


class TestPeople:
    async def test_person_is_let_in_and_shut_out_by_id(self, d: Desk) -> None:
        ann, chat = d.person()
        assert str(ann.id) in (await d.says(ann, chat, "/help")).text
        assert (await d.ask(f"/allow {ann.id}")).text == f"Access granted to {ann.id}."
        assert "Commands:" in (await d.says(ann, chat, "/help")).text
        work = await waiting(d, ann, chat)
        text = (await d.ask(f"/deny {ann.id}")).text
        assert text == f"Access removed for {ann.id}.\nStopped."
        assert d.jobs.cancelled == [work]
        assert "⏹ Stopped." in chat.texts
        assert "blocked your access" in (await d.says(ann, chat, "/help")).text

    async def test_person_is_meant_by_a_reply_and_a_group_by_nothing(self, d: Desk) -> None:
        ann, private = d.person()
        team = d.telegram.group("Team", [ann, d.owner])
        said = ann.says(team, "hello")
        assert (await d.says(d.owner, team, "/allow", reply_to=said)).text == f"Access granted to {ann.id}."
        assert "Commands:" in (await d.says(ann, private, "/help")).text
        assert (await d.says(d.owner, team, "/allow")).text == f"Access granted to the group {team.id}."
        work = await waiting(d, ann, team, "@thinktwice_bot which Java?")
        assert "Access removed for the group" in (await d.says(d.owner, team, "/deny")).text
        assert d.jobs.cancelled == [work]

    async def test_reply_to_nobody_in_particular_closes_no_group(self, d: Desk) -> None:
        team = d.telegram.group("Team", [d.owner])
        await d.says(d.owner, team, "/allow")
        anonymous = d.telegram.anonymous_admin(team).says(team, "hello")
        assert "Send /deny and an id" in (await d.says(d.owner, team, "/deny", reply_to=anonymous)).text
        assert (await d.services.parts.chats.get(to_peer(team.id))).access == "allowed"

    @pytest.mark.parametrize("argument", ["", "Ann", "12a", "0", "99999999999999999", "１２", "-", "1 2"])
    async def test_what_is_no_id_tells_how(self, d: Desk, argument: str) -> None:
        assert "Send /allow and an id" in (await d.ask(f"/allow {argument}")).text

    async def test_owner_makes_and_unmakes_admins_after_a_yes(self, d: Desk) -> None:
        bob, chat = d.person("Bob")
        question = await d.ask(f"/admins add {bob.id}")
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == f"{bob.id} is now an administrator."
        assert d.around.menus == [to_peer(bob.id)]
        await d.says(bob, chat, "/help")
        listed = await d.ask("/admins")
        assert f"· Bob ({bob.id}), administrator" in listed.text
        assert f"({OWNER}), owner" in listed.text
        await d.says(bob, chat, f"/admins remove {OWNER}")
        assert chat.answers[-1].text == "Only the owner of this bot can do that."
        await d.presses(d.owner, await d.ask(f"/admins remove {bob.id}"), "Yes")
        assert (await d.services.parts.users.get(to_peer(bob.id))).role is None
        assert d.around.menus == [to_peer(bob.id), to_peer(bob.id)]

    async def test_admin_who_is_denied_loses_the_menu_with_the_role(self, d: Desk) -> None:
        bob, _ = d.person("Bob")
        await d.presses(d.owner, await d.ask(f"/admins add {bob.id}"), "Yes")
        await d.ask(f"/deny {bob.id}")
        await d.ask("/deny 4242")
        assert d.around.menus == [to_peer(bob.id), to_peer(bob.id)]

    async def test_who_is_what_they_are_to_become_is_told_so_without_a_question(self, d: Desk) -> None:
        message = await d.ask("/admins remove 999")
        assert (message.text, message.buttons) == ("999 is not an administrator. /admins lists them.", ())
        assert (await d.ask(f"/admins add {OWNER}")).text == f"{OWNER} is already an administrator."

    async def test_id_that_nothing_ever_came_from_is_decided_on_with_a_warning(self, d: Desk) -> None:
        warned = "I have never received anything from this id, so check that it is correct."
        assert (await d.ask("/allow -1")).text == f"Access granted to the group -1.\n{warned}"
        assert (await d.ask("/deny 4242")).text == f"Access removed for 4242.\n{warned}"

    async def test_owner_cannot_unmake_themselves(self, d: Desk) -> None:
        await d.presses(d.owner, await d.ask(f"/admins remove {OWNER}"), "Yes")
        assert d.office.answers[-1].text == "You cannot do that to yourself."

    async def test_right_code_makes_the_owner_once(self, opened: Opened) -> None:
        async with opened(admins=()) as d:
            ann, chat = d.person()
            bob, other = d.person("Bob")
            assert (await d.says(ann, chat, "/claim")).text.startswith("Send /claim and the code")
            assert (await d.says(ann, chat, "/claim WRONG")).text.startswith(
                "Wrong code. The current code is in the log"
            )
            assert "You are now the owner" in (await d.says(ann, chat, f"/claim {d.claim.code}")).text
            assert d.around.menus == [to_peer(ann.id)]
            for said in ("/claim WRONG", f"/claim {d.claim.code}"):
                assert (await d.says(ann, chat, said)).text.startswith("You already own this bot")
            assert (
                await d.says(bob, other, f"/claim {d.claim.code}")
            ).text == "This bot already has an owner."
            assert "For administrators" in (await d.says(ann, chat, "/help")).text
