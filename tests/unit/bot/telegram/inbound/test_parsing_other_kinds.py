"""Updates from Telegram that are no messages: presses, members, migrations and the like."""

from __future__ import annotations

from typing import Any

import pytest

from bot.service import incoming as v
from bot.telegram.ids import to_peer
from bot.telegram.inbound.parsing import ALLOWED_UPDATES
from tests.support.raw_updates import (
    ANN,
    BOB,
    BOT,
    DATE,
    DOCUMENT,
    GROUP,
    PHOTO,
    PRIVATE,
    incoming,
    message,
    reply,
)


class TestOtherKinds:
    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param(
                message(None, voice={"file_id": "v", "file_unique_id": "v", "duration": 1}), id="voice"
            ),
            pytest.param(message(None, photo=PHOTO), id="picture"),
            pytest.param(message(None, document=DOCUMENT), id="file"),
            pytest.param(
                message(None, GROUP, photo=PHOTO, reply_to_message=reply()), id="picture in reply to me"
            ),
            pytest.param(
                message("@HandbookBot", GROUP, caption_of=1, photo=PHOTO), id="picture with my name"
            ),
            pytest.param(message("\u200b\u200d\u2060"), id="characters nobody sees"),
            pytest.param(message("\n" * 4000), id="line ends"),
        ],
    )
    def test_what_holds_no_words_is_unreadable(self, raw: Any) -> None:
        assert isinstance(incoming("message", raw), v.Unreadable)

    def test_press(self) -> None:
        query = {"id": "q1", "from": BOB, "chat_instance": "c", "data": "useful:17", "message": reply()}
        pressed = incoming("callback_query", query)
        assert pressed == v.Pressed(1, v.Place(to_peer(-1001), "group", None, "Team"), v.Sender(to_peer(43), "person", "Bob"), 4, "q1", "useful:17")  # fmt: skip

    def test_press_under_a_message_that_is_too_old_to_see(self) -> None:
        query = {"id": "q1", "from": BOB, "chat_instance": "c", "data": "x:1", "message": {"chat": GROUP, "message_id": 4, "date": 0}}  # fmt: skip
        pressed = incoming("callback_query", query)
        assert isinstance(pressed, v.Pressed)
        assert pressed.message_id == 4

    @pytest.mark.parametrize(
        "more", [{"data": "x"}, {"message": reply()}, {"inline_message_id": "i", "data": "x"}]
    )
    def test_press_that_belongs_to_nothing_is_ignored(self, more: Any) -> None:
        assert isinstance(
            incoming("callback_query", {"id": "q", "from": BOB, "chat_instance": "c", **more}), v.Ignored
        )

    @pytest.mark.parametrize(
        ("status", "is_active"),
        [("member", True), ("administrator", True), ("left", False), ("kicked", False), ("restricted", True)],
    )
    def test_presence(self, status: str, is_active: bool) -> None:
        rights: dict[str, Any] = {"user": BOT, "status": status, "until_date": 0, "is_member": is_active}
        change = {"chat": GROUP, "from": ANN, "date": DATE, "old_chat_member": {"user": BOT, "status": "left"}, "new_chat_member": _filled(rights)}  # fmt: skip
        presence = incoming("my_chat_member", change)
        assert isinstance(presence, v.Presence)
        assert presence.is_active is is_active
        assert presence.by is not None
        assert presence.by.id == to_peer(42)

    def test_both_news_of_a_move_say_the_same(self) -> None:
        old = {"id": -5, "type": "group", "title": "Team"}
        told_old = incoming("message", message(None, old, migrate_to_chat_id=-1001))
        told_new = incoming("message", message(None, GROUP, migrate_from_chat_id=-5), 2)
        assert told_old == v.Migrated(1, to_peer(-5), to_peer(-1001))
        assert told_new == v.Migrated(2, to_peer(-5), to_peer(-1001))

    def test_stop_button_of_a_draft(self) -> None:
        stopped = {"chat": PRIVATE, "message_thread_id": 3, "draft_id": 9}
        assert incoming("stopped_message_generation", stopped) == v.StoppedWatching(
            1, v.Place(to_peer(42), "private", 3, "Ann Lee")
        )
        assert "stopped_message_generation" in ALLOWED_UPDATES


def _filled(rights: dict[str, Any]) -> dict[str, Any]:
    """A member with all the rights that python-telegram-bot wants to hear of."""
    names = (
        "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members "
        "can_promote_members can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories "
        "can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos can_send_video_notes "
        "can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews can_pin_messages "
        "can_manage_topics can_edit_tag can_send_reactions can_react_to_messages"
    )
    return dict.fromkeys(names.split(), False) | rights
