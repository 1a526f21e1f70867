"""Drafts, typing, answers to pressed buttons, pictures and files, in both directions."""

from __future__ import annotations

import pytest

from bot.service.incoming import File
from bot.telegram.outbound.rate_limits import Rate, Rates, Urgency
from bot.telegram.outbound.retries import DeliveryError
from bot.telegram.rendering.parts import Part
from rag.errors import InputError
from tests.support.delivering import BOLD, BUTTONS, HELLO, Desk, desk
from tests.telegram.server import FakeTelegram


async def test_drafts_are_shown_in_private_chats_and_can_be_stopped(d: Desk) -> None:
    chat, place = d.private()
    assert await d.delivery.draft(place, 5, Part("thinking"), is_first=True) == "shown"
    assert await d.delivery.draft(place, 5, BOLD) == "shown"
    (draft,) = chat.drafts
    assert (draft.text, draft.versions, draft.can_stop) == ("hello", ["thinking", "hello"], True)


async def test_groups_have_no_drafts_and_are_not_asked_for_them(d: Desk) -> None:
    _, place = d.group()
    assert await d.delivery.draft(place, 5, HELLO, is_first=True) == "refused"
    assert d.telegram.requests[-1].method != "sendMessageDraft"


async def test_chat_that_refuses_drafts_is_not_asked_again(d: Desk) -> None:
    _, place = d.private()
    _, other = d.private("Bob")
    d.telegram.fail_next("sendMessageDraft", description="Bad Request: TEXTDRAFT_PEER_INVALID")
    assert await d.delivery.draft(place, 5, HELLO, is_first=True) == "refused"
    assert await d.delivery.draft(place, 6, HELLO, is_first=True) == "refused"
    assert await d.delivery.draft(other, 7, HELLO, is_first=True) == "shown"
    assert len(d.telegram.calls("sendMessageDraft")) == 2


async def test_server_without_drafts_is_asked_once(d: Desk) -> None:
    _, place = d.private()
    _, other = d.private("Bob")
    d.telegram.fail_next("sendMessageDraft", status=404)
    assert await d.delivery.draft(place, 5, HELLO, is_first=True) == "refused"
    assert await d.delivery.draft(other, 6, HELLO, is_first=True) == "refused"
    assert len(d.telegram.calls("sendMessageDraft")) == 1


async def test_draft_that_finds_no_room_says_so() -> None:
    async with (
        FakeTelegram() as telegram,
        desk(telegram, Rates(overall=Rate(3, 60.0, {Urgency.PROGRESS: 1}))) as d,
    ):
        _, place = d.private()
        assert await d.delivery.draft(place, 5, Part("one"), is_first=True) == "shown"
        assert await d.delivery.draft(place, 5, Part("two")) == "dropped"


async def test_chat_that_was_just_written_to_gets_no_draft_that_makes_others_wait() -> None:
    rates = Rates(overall=Rate(10, 1.0, {Urgency.PROGRESS: 2}))
    async with FakeTelegram() as telegram, desk(telegram, rates) as d:
        (_, first), (_, other) = d.private("Ann"), d.private("Bob")
        assert await d.delivery.draft(first, 5, HELLO, is_first=True) == "shown"
        # There is room, and whoever has seen nothing yet is shown something even where there is none.
        assert await d.delivery.draft(first, 6, HELLO, is_first=True) == "shown"
        assert await d.delivery.draft(other, 7, HELLO, is_first=True) == "shown"
        assert await d.delivery.draft(first, 8, HELLO, is_first=True) == "dropped"
        await d.time.advance(1.1)
        assert await d.delivery.draft(first, 9, HELLO, is_first=True) == "shown"


async def test_typing_is_shown_and_failures_of_it_matter_to_nobody(d: Desk) -> None:
    chat, place = d.private()
    assert await d.delivery.typing(place)
    d.telegram.fail_next("sendChatAction", status=500)
    assert not await d.delivery.typing(place)
    assert [action.action for action in chat.actions] == ["typing"]


async def test_pressed_button_is_answered_and_an_old_press_is_no_error(d: Desk) -> None:
    chat, place = d.private()
    await d.delivery.send(place, HELLO, buttons=BUTTONS)
    pressed = d.telegram.user("Ann").presses(chat.answers[0], "why")
    await d.delivery.answer_press(pressed.query_id, "thanks", alert=True)
    await d.delivery.answer_press(pressed.query_id, "thanks", alert=True)
    assert [(press.alert, press.show_alert) for press in chat.presses] == [("thanks", True)]


async def test_only_the_buttons_of_a_message_change(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, HELLO, buttons=BUTTONS)
    assert await d.delivery.mark(place, message_id, None)
    assert (chat.answers[0].text, chat.answers[0].buttons) == ("hello", ())
    assert await d.delivery.mark(place, message_id, None)


async def test_files_and_pictures_arrive(d: Desk) -> None:
    chat, place = d.private()
    await d.delivery.send_file(place, "export.json", b"{}", "yours")
    await d.delivery.send_file(place, "", b"\x89PNG", "a picture")
    document, picture = chat.answers
    assert (document.text, document.attachment["document"]["file_name"]) == ("yours", "export.json")
    assert picture.text == "a picture"
    assert "photo" in picture.attachment


def sent_file(d: Desk, content: bytes, size: int | None = None) -> File:
    ann = d.telegram.user("Ann")
    sent = ann.sends_file(d.telegram.private(ann), "a.md", content, size=size)
    assert sent.message is not None
    wire = sent.message.attachment["document"]
    return File(wire["file_id"], "a.md", wire["file_size"])


async def test_file_is_fetched_through_a_shaky_network(d: Desk) -> None:
    file = sent_file(d, b"# Set-up")
    d.telegram.drop_next("getFile")
    assert await d.patiently(d.delivery.download(file)) == b"# Set-up"


@pytest.mark.parametrize("declared", [None, 200], ids=["declared", "declared smaller than it is"])
async def test_file_that_is_too_big_is_refused(d: Desk, declared: int | None) -> None:
    file = sent_file(d, b"x" * 2000, declared)
    with pytest.raises(InputError, match=r"bigger than 0\.001 MB"):
        await d.delivery.download(file, limit=1000)


async def test_file_that_telegram_no_longer_has_is_said_to_be_sent_again(d: Desk) -> None:
    with pytest.raises(DeliveryError, match="send it again"):
        await d.delivery.download(File("nobody", "a.md"))
