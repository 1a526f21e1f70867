"""A stranger asks for access, and administrators decide, against a Telegram server and real stores."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.service.access_requests import MOST_A_DAY
from bot.telegram.access_requests import REQUEST
from bot.telegram.ids import to_peer
from tests.support.commanding import Desk, Opened, code_in, open_desk
from tests.support.recorded_steps import KilledError, Recording
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    def make(**options: Any) -> AbstractAsyncContextManager[Desk]:
        return open_desk(tmp_path, monkeypatch, **options)

    return make


@pytest.fixture
async def d(opened: Opened) -> AsyncIterator[Desk]:
    async with opened() as desk:
        await desk.ask("/help")
        yield desk


async def second_admin(d: Desk) -> tuple[Person, Chat]:
    bob, chat = d.person("Bob")
    await d.services.parts.users.set_role(to_peer(bob.id), "admin")
    await d.says(bob, chat, "/help")
    return bob, chat


async def starts(d: Desk, name: str = "Eve", **fields: Any) -> tuple[Person, Chat]:
    """Let a stranger send /start, and the administrators be told."""
    eve, chat = d.person(name, **fields)
    await d.handle(eve.says(chat, "/start"))
    await d.work()
    return eve, chat


def shown(office: Chat) -> list[Message]:
    """The messages to an administrator that show a request."""
    return [message for message in office.answers if "access. " in message.text]


async def test_start_of_a_stranger_reaches_every_administrator_with_two_buttons(d: Desk) -> None:
    _, bobs = await second_admin(d)
    eve, chat = await starts(d, "evil.example.com")
    (told,) = chat.texts
    assert told.startswith("I have asked the administrators to give you access.")
    assert str(eve.id) in told
    for office in (d.office, bobs):
        (message,) = shown(office)
        assert message.text == f"evil.example.com asks for access. Id: {eve.id}\n👤 evil.example.com"
        # What people call themselves is code, or leads to their profile: it cannot become another link.
        assert [entity["type"] for entity in message.entities] == ["code", "code", "text_link"]
        assert message.entities[-1]["url"] == f"tg://user?id={eve.id}"
        assert [[button.text for button in row] for row in message.buttons] == [["✅ Allow", "🚫 Refuse"]]


async def test_request_shows_the_username_as_a_link_to_the_profile(d: Desk) -> None:
    eve, _ = await starts(d, "Éve 🎉", username="eve_on_telegram")
    (message,) = shown(d.office)
    link = message.entities[-1]
    assert link["url"] == f"tg://user?id={eve.id}"
    assert message.formatted.part(link) == "@eve_on_telegram"


async def test_press_lets_the_stranger_in_and_all_administrators_see_who_decided(d: Desk) -> None:
    bob, bobs = await second_admin(d)
    eve, chat = await starts(d)
    assert await d.presses(bob, bobs.answers[-1], "Allow") == "Access granted."
    decided = f"Eve asked for access. Allowed by Bob. Id: {eve.id}"
    assert [office.answers[-1].text for office in (d.office, bobs)] == [decided, decided]
    assert d.office.answers[-1].buttons == bobs.answers[-1].buttons == ()
    assert chat.texts[-1].startswith("You now have access.")
    assert "Just send me your question." in (await d.says(eve, chat, "/start")).text


async def test_stale_button_says_what_was_decided_meanwhile(d: Desk) -> None:
    bob, bobs = await second_admin(d)
    eve, chat = await starts(d)
    stale = bobs.answers[-1].button("Allow").data
    await d.presses(d.owner, d.office.answers[-1], "Refuse")
    told = await d.presses(bob, bobs.answers[-1], data=stale)
    assert told == f"This request was already refused (decided by Olga). /allow {eve.id} still gives access."
    assert (await d.services.parts.users.get(to_peer(eve.id))).access is None
    assert len(chat.texts) == 2


async def test_refusal_ends_the_request_and_closes_no_group(d: Desk) -> None:
    eve, chat = await starts(d)
    assert await d.presses(d.owner, d.office.answers[-1], "Refuse") == "Request refused."
    assert chat.texts[-1] == "The administrators have declined your request for access."
    assert f"Refused by Olga; /allow {eve.id} still gives access." in d.office.answers[-1].text
    assert (await d.services.parts.users.get(to_peer(eve.id))).access is None
    before = len(d.office.answers)
    assert (await d.says(eve, chat, "/start")).text == chat.texts[1]
    await d.work()
    assert len(d.office.answers) == before


async def test_administrators_are_asked_once_for_a_stranger_until_the_days_are_over(d: Desk) -> None:
    eve, chat = await starts(d)
    for _ in range(3):
        await d.handle(eve.says(chat, "/start"))
    await d.work()
    # The second time it is said that they have not decided; after that, nothing for a while.
    assert [text.split(".")[0] for text in chat.texts] == [
        "I have asked the administrators to give you access",
        "The administrators have not decided about your request yet",
    ]
    assert len(shown(d.office)) == 1
    d.clock.ahead = timedelta(days=8)
    await d.handle(eve.says(chat, "/start"))
    await d.work()
    assert len(shown(d.office)) == 2


async def test_flood_of_strangers_reaches_the_administrators_up_to_a_number(d: Desk) -> None:
    for number in range(MOST_A_DAY):
        made = await d.services.access_requests._stored.make(
            to_peer(10_000 + number), by=str(number), again_after=timedelta(days=7), most_a_day=MOST_A_DAY
        )
        assert made == "new"
    _, chat = await starts(d)
    assert chat.texts[-1].startswith("You do not have access to this bot yet.")
    assert shown(d.office) == []


async def test_setting_of_zero_days_sends_no_requests(opened: Opened) -> None:
    async with opened(access={"request_days": 0}) as d:
        _, chat = await starts(d)
        assert chat.texts[-1].startswith("You do not have access to this bot yet.")
        assert shown(d.office) == []


async def test_allow_by_command_settles_the_request_as_well(d: Desk) -> None:
    eve, chat = await starts(d)
    request = d.office.answers[-1]
    await d.ask(f"/allow {eve.id}")
    assert request.text == f"Eve asked for access. Allowed by Olga. Id: {eve.id}"
    assert chat.texts[-1].startswith("You now have access.")


async def test_button_after_access_was_given_elsewhere_refuses_nothing(d: Desk) -> None:
    eve, _ = await starts(d)
    await d.services.parts.users.set_access(to_peer(eve.id), "allowed")
    told = await d.presses(d.owner, d.office.answers[-1], "Refuse")
    assert told == "This person already has access (decided by Olga)."
    assert (await d.services.parts.users.get(to_peer(eve.id))).access == "allowed"
    assert "Allowed" in d.office.answers[-1].text


async def test_button_is_for_administrators_alone(d: Desk) -> None:
    eve, chat = await starts(d)
    data = d.office.answers[-1].button("Allow").data
    told = await d.presses(eve, chat.answers[-1], data=data)
    assert "access" in told
    assert (await d.services.parts.users.get(to_peer(eve.id))).access is None


@pytest.mark.parametrize(
    "data", ["request-allow:", "request-allow:-5", "request-allow:99", "request-refuse:x"]
)
async def test_button_of_nobodys_request_decides_nothing(d: Desk, data: str) -> None:
    await d.ask("/help")
    assert await d.presses(d.owner, d.office.answers[-1], data=data)
    assert (await d.services.parts.users.get(to_peer(99))).access is None


async def test_request_in_a_group_is_none(d: Desk) -> None:
    eve, _ = d.person("Eve")
    team = d.telegram.group("Team", [eve])
    await d.handle(eve.says(team, "/start@thinktwice_bot"))
    await d.work()
    assert shown(d.office) == []


@pytest.mark.parametrize("has_recorded", [False, True], ids=["effect only", "recorded"])
async def test_stranger_and_administrators_are_told_once_wherever_a_press_is_killed(
    d: Desk, has_recorded: bool
) -> None:
    _, _ = await second_admin(d)
    _, _ = await starts(d, "First")
    whole = Recording()
    await d.handle(d.owner.presses(d.office.answers[-1], "Allow"), whole)
    for kill_at in range(1, len(whole.order) + 1):
        eve, chat = await starts(d, f"Eve {kill_at}")
        sent, recording = d.owner.presses(d.office.answers[-1], "Allow"), Recording(kill_at, has_recorded)
        with pytest.raises(KilledError):
            await d.handle(sent, recording)
        recording.restart()
        await d.handle(sent, recording)
        assert (await d.services.parts.users.get(to_peer(eve.id))).access == "allowed"
        assert [text.split(".")[0] for text in chat.texts[1:]] == ["You now have access"]
        assert d.office.answers[-1].text == f"Eve {kill_at} asked for access. Allowed by Olga. Id: {eve.id}"


@pytest.mark.parametrize("has_recorded", [False, True], ids=["effect only", "recorded"])
async def test_stale_button_says_what_was_decided_wherever_its_press_is_killed(
    d: Desk, has_recorded: bool
) -> None:
    bob, bobs = await second_admin(d)
    eve, _ = await starts(d)
    stale = bobs.answers[-1].button("Allow").data
    await d.presses(d.owner, d.office.answers[-1], "Refuse")
    whole = Recording()
    await d.handle(bob.presses(bobs.answers[-1], data=stale), whole)
    assert "meanwhile" in whole.order
    for kill_at in range(1, len(whole.order) + 1):
        sent, recording = bob.presses(bobs.answers[-1], data=stale), Recording(kill_at, has_recorded)
        with pytest.raises(KilledError):
            await d.handle(sent, recording)
        recording.restart()
        await d.handle(sent, recording)
        assert (bobs.presses[-1].alert or "").startswith("This request was already refused")
        assert (await d.services.parts.users.get(to_peer(eve.id))).access is None


async def test_administrators_are_shown_a_request_once_wherever_its_work_is_killed(d: Desk) -> None:
    _, bobs = await second_admin(d)
    for kill_at in range(1, 7):
        eve, chat = d.person(f"Eve {kill_at}")
        await d.handle(eve.says(chat, "/start"))
        job = d.jobs.submitted.pop()
        assert job.kind == REQUEST
        recording = Recording(kill_at)
        with pytest.raises(KilledError):
            await d.services.access_requests.tell(job.payload, recording)
        recording.restart()
        await d.services.access_requests.tell(job.payload, recording)
        for office in (d.office, bobs):
            assert len([text for text in office.texts if f"Eve {kill_at} asks" in text]) == 1
        assert len(await d.services.access_requests._stored.messages(to_peer(eve.id))) == 2


async def test_erased_stranger_is_not_passed_on_again(d: Desk) -> None:
    eve, chat = await starts(d)
    await d.services.privacy.erase(to_peer(eve.id))
    await d.handle(eve.says(chat, "/start"))
    await d.work()
    assert len(shown(d.office)) == 1


async def test_allow_in_reply_to_a_forwarded_message_is_about_who_wrote_it(d: Desk) -> None:
    eve, chat = d.person("Eve")
    said = eve.says(chat, "May I?").message
    assert said is not None
    d.owner.forwards(said, d.office)
    forwarded = d.office.messages[-1]
    assert (await d.says(d.owner, d.office, "/allow", reply_to=forwarded)).text.startswith(
        "Access granted to"
    )
    assert (await d.services.parts.users.get(to_peer(eve.id))).access == "allowed"
    hidden = {"forward_origin": {"type": "hidden_user", "sender_user_name": "Eve", "date": 1}}
    forwarded.extra.update(hidden)
    assert (await d.says(d.owner, d.office, "/allow", reply_to=forwarded)).text.startswith(
        "Send /allow and an id"
    )


async def invitation(d: Desk) -> str:
    """Return the code of a new link."""
    (link,) = code_in(await d.ask("/allow link"))
    start, _, code = link.partition("?start=")
    assert start == f"https://t.me/{d.telegram.bot.username}"
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", code)
    return code


async def opens(d: Desk, code: str, name: str = "Eve") -> str:
    """Let a stranger open a link and press Start; return what the stranger is told."""
    person, chat = d.person(name)
    said = (await d.says(person, chat, f"/start {code}")).text
    await d.work()
    return said


async def test_link_lets_one_person_in_and_administrators_see_who(d: Desk) -> None:
    code = await invitation(d)
    assert (await opens(d, code)).startswith("I am Think Twice.")
    assert d.office.texts[-1].startswith("Eve asked for access. Allowed by Olga.")
    assert d.office.answers[-1].buttons == ()
    assert (await opens(d, code, "Mallory")).startswith("I have asked the administrators")


async def test_link_that_does_not_hold_lets_nobody_in(d: Desk) -> None:
    code = await invitation(d)
    other = "".join(reversed(code))
    for wrong in (code[:-1], code[1:], code.swapcase(), other, "я", "A" * 40, ""):
        assert (await opens(d, wrong)).startswith("I have asked the administrators"), wrong
    d.clock.ahead = timedelta(days=8)
    assert (await opens(d, code)).startswith("I have asked the administrators")


async def test_link_of_who_is_no_administrator_any_more_lets_nobody_in(d: Desk) -> None:
    bob, bobs = await second_admin(d)
    (link,) = code_in(await d.says(bob, bobs, "/allow link"))
    await d.services.parts.users.set_role(to_peer(bob.id), None)
    assert (await opens(d, link.partition("?start=")[2])).startswith("I have asked the administrators")


async def test_link_opens_nothing_to_who_was_blocked(d: Desk) -> None:
    code = await invitation(d)
    eve, chat = d.person("Eve")
    await d.ask(f"/deny {eve.id}")
    assert "has blocked your access" in (await d.says(eve, chat, f"/start {code}")).text


async def test_link_is_made_in_a_private_chat_alone(d: Desk) -> None:
    group = d.telegram.group("Team", [d.owner])
    assert "private chat" in (await d.says(d.owner, group, "/allow link")).text
