"""What drafts, pressed buttons and reactions do to a chat, and what is refused of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.telegram_calls import call, keyboard, refusal_of
from tests.telegram.people import Person
from tests.telegram.refusals import Refusal
from tests.telegram.server import Chat, FakeTelegram

# ---- drafts


def draft(telegram: FakeTelegram, chat: Chat, text: str = "thinking", **params: Any) -> Any:
    return call(telegram, "sendMessageDraft", **{"chat_id": chat.id, "draft_id": 7, "text": text, **params})


def test_draft_is_seen_for_thirty_seconds_after_its_last_change(telegram: FakeTelegram, chat: Chat) -> None:
    draft(telegram, chat, "drafting")
    telegram.clock.skip(29)
    draft(telegram, chat, "checking")
    telegram.clock.skip(29)
    assert [(shown.text, shown.versions) for shown in chat.drafts] == [("checking", ["drafting", "checking"])]
    telegram.clock.skip(2)
    assert chat.drafts == []
    assert chat.messages == []


def test_message_takes_the_draft_away(telegram: FakeTelegram, chat: Chat) -> None:
    draft(telegram, chat)
    call(telegram, "sendMessage", chat_id=chat.id, text="17")
    assert chat.drafts == []
    assert len(chat.all_drafts) == 1


def test_empty_draft_is_taken(telegram: FakeTelegram, chat: Chat) -> None:
    assert draft(telegram, chat, "")


@pytest.mark.parametrize(
    ("params", "description"),
    [
        ({"draft_id": 0}, "draft_id must be non-zero"),
        ({"text": "x" * 4097}, "message is too long"),
    ],
)
def test_wrong_draft_is_refused(
    telegram: FakeTelegram, chat: Chat, params: dict[str, Any], description: str
) -> None:
    with pytest.raises(Refusal, match=description):
        draft(telegram, chat, **params)


def test_draft_in_a_group_is_refused(telegram: FakeTelegram, ann: Person) -> None:
    group = telegram.group("Team", [ann])
    with pytest.raises(Refusal, match="TEXTDRAFT_PEER_INVALID"):
        draft(telegram, group)


# ---- buttons and reactions


def test_button_press_is_answered_once_and_in_time(telegram: FakeTelegram, chat: Chat, ann: Person) -> None:
    call(telegram, "sendMessage", chat_id=chat.id, text="17", reply_markup=keyboard("u"))
    first, second = (ann.presses(chat.answers[0], "useful") for _ in range(2))
    call(telegram, "answerCallbackQuery", callback_query_id=first.query_id, text="Thanks", show_alert=True)
    assert (chat.presses[0].alert, chat.presses[0].show_alert) == ("Thanks", True)
    too_old = "query is too old and response timeout expired or query ID is invalid"
    assert (
        too_old in refusal_of(telegram, "answerCallbackQuery", callback_query_id=first.query_id).description
    )
    telegram.clock.skip(61)
    assert (
        too_old in refusal_of(telegram, "answerCallbackQuery", callback_query_id=second.query_id).description
    )
    assert chat.presses[1].alert is None


def test_alert_of_more_than_200_characters_is_refused(
    telegram: FakeTelegram, chat: Chat, ann: Person
) -> None:
    call(telegram, "sendMessage", chat_id=chat.id, text="17", reply_markup=keyboard("u"))
    pressed = ann.presses(chat.answers[0], "useful")
    refused = refusal_of(telegram, "answerCallbackQuery", callback_query_id=pressed.query_id, text="x" * 201)
    assert refused.description == "Bad Request: MESSAGE_TOO_LONG"


def test_reaction_is_one_of_telegrams(telegram: FakeTelegram, chat: Chat, ann: Person) -> None:
    asked = ann.says(chat, "Which Java?")
    where = {"chat_id": chat.id, "message_id": asked.message_id}
    call(telegram, "setMessageReaction", reaction=[{"type": "emoji", "emoji": "👀"}], **where)
    assert chat.messages[0].reactions == [{"type": "emoji", "emoji": "👀"}]
    refused = refusal_of(telegram, "setMessageReaction", reaction=[{"type": "emoji", "emoji": "🧮"}], **where)
    assert refused.description == "Bad Request: REACTION_INVALID"
