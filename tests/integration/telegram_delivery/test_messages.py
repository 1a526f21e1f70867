"""Messages are sent and edited, and what Telegram refuses of one costs no more than it must."""

from __future__ import annotations

import pytest

from bot.service.incoming import Place
from bot.telegram.ids import to_peer
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.rendering.parts import Part
from tests.support.delivering import BOLD, BUTTONS, HELLO, Desk


async def test_message_has_its_formatting_buttons_and_no_preview(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, BOLD, buttons=BUTTONS)

    (message,) = chat.answers
    assert message.message_id == message_id
    assert message.text == "hello"
    assert message.entities == ({"type": "bold", "offset": 0, "length": 5},)
    assert message.button("why").data == "why:1"
    (request,) = d.telegram.calls("sendMessage")
    assert request.params["link_preview_options"] == {"is_disabled": True}


async def test_formatting_that_telegram_refuses_costs_only_the_formatting(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: can't parse entities: something")
    await d.delivery.send(place, BOLD)

    assert chat.texts == ["hello"]
    assert chat.answers[0].entities == ()
    assert [request.status for request in d.telegram.calls("sendMessage")] == [400, 200]


async def test_formatting_is_given_up_once_and_then_the_message_is_reported_as_not_sent(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: can't parse entities: something", times=9)
    with pytest.raises(DeliveryError, match="parse entities"):
        await d.delivery.send(place, BOLD)
    assert len(d.telegram.calls("sendMessage")) == 2
    assert chat.texts == []


async def test_same_text_again_is_a_success(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, Part("old"))
    assert await d.delivery.edit(place, message_id, HELLO)
    assert await d.delivery.edit(place, message_id, HELLO)

    assert chat.texts == ["hello"]
    assert d.telegram.calls("editMessageText")[-1].status == 400


async def test_text_that_is_too_long_is_never_reported_as_shown(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, Part("old"))
    with pytest.raises(DeliveryError, match=r"(?i)too_long"):
        await d.delivery.edit(place, message_id, Part("x" * 4097))
    assert chat.texts == ["old"]


async def test_message_that_was_deleted_is_reported_as_gone(d: Desk) -> None:
    chat, place = d.private()
    message_id = await d.delivery.send(place, HELLO)
    assert await d.delivery.delete(place, message_id)
    assert not await d.delivery.edit(place, message_id, Part("new"))
    assert not await d.delivery.delete(place, message_id)
    assert chat.texts == []


async def test_deleted_question_still_gets_its_answer(d: Desk) -> None:
    chat, place = d.group()
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "Which Java?")
    ann.deletes(asked)
    await d.delivery.send(place, HELLO, reply_to=asked.message_id)

    assert chat.answers[0].text == "hello"
    assert chat.answers[0].reply_to is None


async def test_server_that_insists_on_the_deleted_question_gets_the_answer_without_it(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: message to be replied not found")
    await d.delivery.send(place, HELLO, reply_to=77)
    assert chat.texts == ["hello"]


async def test_deleted_topic_does_not_cost_the_answer(d: Desk) -> None:
    chat, place = d.private()
    d.telegram.fail_next("sendMessage", description="Bad Request: message thread not found")
    await d.delivery.send(Place(place.chat_id, "private", thread_id=5), HELLO)
    assert chat.texts == ["hello"]


@pytest.mark.parametrize(
    "description", ["Forbidden: bot was blocked by the user", "Bad Request: chat not found"]
)
async def test_chat_that_is_gone_is_noted_and_not_tried_again(d: Desk, description: str) -> None:
    _, place = d.private()
    status = 403 if description.startswith("Forbidden") else 400
    d.telegram.fail_next("sendMessage", status=status, description=description)
    with pytest.raises(ChatGoneError):
        await d.delivery.send(place, HELLO)
    assert d.chats.gone == [place.chat_id]
    assert len(d.telegram.calls("sendMessage")) == 1


async def test_group_where_the_bot_may_not_write_stays_active(d: Desk) -> None:
    _, place = d.group()
    d.telegram.fail_next("sendMessage", description="Bad Request: not enough rights to send text messages")
    with pytest.raises(ChatGoneError):
        await d.delivery.send(place, HELLO)
    assert d.chats.gone == []


async def test_answer_follows_a_group_to_its_new_id_without_the_reply(d: Desk) -> None:
    chat, place = d.group(basic=True)
    ann = d.telegram.user("Ann")
    asked = ann.says(chat, "Which Java?")
    new = d.telegram.migrate(chat, ann)
    await d.delivery.send(place, HELLO, reply_to=asked.message_id)

    assert new.answers[0].text == "hello"
    # The number of the question belongs to another message, or none, in the new group.
    assert "reply_parameters" not in d.telegram.calls("sendMessage", new)[0].params
    assert d.chats.moved == [(to_peer(chat.id), to_peer(new.id))]
    assert d.delivery.current(to_peer(chat.id)) == to_peer(new.id)


async def test_message_left_behind_by_a_migration_is_gone_and_no_other_is_edited(d: Desk) -> None:
    chat, place = d.group(basic=True)
    message_id = await d.delivery.send(place, Part("old"))
    new = d.telegram.migrate(chat, d.telegram.user("Ann"))

    assert not await d.delivery.edit(place, message_id, HELLO)
    assert not await d.delivery.edit(place, message_id, HELLO)
    assert not await d.delivery.show(place, message_id, HELLO)
    assert d.telegram.calls("editMessageText", new) == []
    assert d.chats.moved == [(to_peer(chat.id), to_peer(new.id))]


@pytest.mark.parametrize("fault", ["drop_next", "garbage_next"])
async def test_network_that_comes_back_gets_the_message_through(d: Desk, fault: str) -> None:
    chat, place = d.private()
    getattr(d.telegram, fault)("sendMessage", times=3)
    await d.patiently(d.delivery.send(place, HELLO))
    assert chat.texts == ["hello"]
