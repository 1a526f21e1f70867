"""Updates as users cause them, read by python-telegram-bot, and who the notes say stands in each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from telegram import Update

from tests.telegram.chats import CHANNEL_IDENTITY
from tests.telegram.params import Params
from tests.telegram.people import Person, Sent
from tests.telegram.sending import send_message, send_message_draft
from tests.telegram.server import Chat, FakeTelegram


@pytest.fixture
def ann(telegram: FakeTelegram) -> Person:
    return telegram.user("Ann", username="ann_lee", language_code="ru")


@pytest.fixture
def group(telegram: FakeTelegram, ann: Person) -> Chat:
    return telegram.group("Team", [ann])


def read(sent: Sent) -> Update:
    """The update as python-telegram-bot reads it, with nothing that it does not know."""
    assert sent.update is not None
    update = Update.de_json(sent.update.wire(), None)
    assert not update.api_kwargs
    message = update.effective_message
    assert message is None or not message.api_kwargs
    return update


def test_private_message_has_the_sender_and_a_chat_of_the_same_id(ann: Person, chat: Chat) -> None:
    update = read(ann.says(chat, "Hello"))
    assert update.effective_user is not None
    assert update.effective_chat is not None
    assert (update.effective_user.id, update.effective_user.language_code) == (ann.id, "ru")
    assert (update.effective_chat.id, update.effective_chat.type) == (ann.id, "private")


def test_mention_and_command_are_entities_in_utf16_units(ann: Person, group: Chat) -> None:
    message = read(ann.says(group, "😀 @thinktwice_bot /ask@thinktwice_bot why")).message
    assert message is not None
    assert message.parse_entities() == {
        message.entities[0]: "@thinktwice_bot",
        message.entities[1]: "/ask@thinktwice_bot",
    }


def test_edit_comes_as_edited_message_and_leaves_message_empty(ann: Person, chat: Chat) -> None:
    said = ann.says(chat, "Which Jva?")
    update = read(ann.edits(said, "Which Java?"))
    assert update.message is None
    assert update.edited_message is not None
    assert update.edited_message.text == "Which Java?"
    assert update.edited_message.message_id == said.message_id


def test_edit_of_metadata_comes_as_edited_message_with_a_new_id_and_the_old_text(
    ann: Person, chat: Chat
) -> None:
    said = ann.says(chat, "/restart")
    touched = ann.touches(said)
    assert touched.update_id == said.update_id + 1
    update = read(touched)
    assert update.edited_message is not None
    assert (update.edited_message.text, update.edited_message.edit_date) == ("/restart", None)


def test_deletion_is_not_told_to_bots(telegram: FakeTelegram, ann: Person, chat: Chat) -> None:
    said = ann.says(chat, "Hello")
    ann.deletes(said)
    assert chat.messages == []
    assert [update.update_id for update in telegram.pending] == [said.update_id]


def test_anonymous_admin_writes_as_groupanonymousbot_with_the_group_as_sender(
    telegram: FakeTelegram, group: Chat
) -> None:
    message = read(telegram.anonymous_admin(group).says(group, "/reindex")).message
    assert message is not None
    assert message.from_user is not None
    assert message.sender_chat is not None
    assert (message.from_user.id, message.sender_chat.id) == (1087968824, group.id)


def test_channel_identity_writes_as_channel_bot_with_the_channel_as_sender(
    telegram: FakeTelegram, group: Chat
) -> None:
    channel = telegram.channel("News")
    message = read(telegram.channel_identity(channel).says(group, "hi")).message
    assert message is not None
    assert message.from_user is not None
    assert message.sender_chat is not None
    assert (message.from_user.id, message.sender_chat.id) == (CHANNEL_IDENTITY.id, channel.id)


def test_post_of_a_linked_channel_is_forwarded_by_telegram_itself(
    telegram: FakeTelegram, group: Chat
) -> None:
    channel = telegram.channel("News")
    message = read(telegram.linked_channel(channel).says(group, "Release 2")).message
    assert message is not None
    assert message.from_user is not None
    assert message.from_user.id == 777000
    assert message.is_automatic_forward
    assert message.forward_origin is not None


def test_channel_post_has_no_user(telegram: FakeTelegram, ann: Person) -> None:
    channel = telegram.channel("News")
    update = read(ann.says(channel, "Release 2"))
    assert update.message is None
    assert update.effective_user is None
    assert update.channel_post is not None
    edited = read(ann.edits(channel.messages[0], "Release 3"))
    assert edited.edited_channel_post is not None


def test_message_made_with_an_inline_bot_names_it(telegram: FakeTelegram, ann: Person, group: Chat) -> None:
    gif = telegram.user("Gif", username="gif_bot", is_bot=True)
    message = read(ann.says(group, "/ask x", via_bot=gif.account)).message
    assert message is not None
    assert message.via_bot is not None
    assert message.via_bot.is_bot


def test_message_of_another_bot_says_so(telegram: FakeTelegram, group: Chat) -> None:
    robot = telegram.user("Robot", username="robot_bot", is_bot=True)
    update = read(robot.says(group, "@thinktwice_bot hi"))
    assert update.effective_user is not None
    assert update.effective_user.is_bot


def test_forwarded_message_keeps_its_text_and_names_its_origin(
    telegram: FakeTelegram, ann: Person, chat: Chat, group: Chat
) -> None:
    bob = telegram.user("Bob")
    command = bob.says(group, "/reindex").message
    assert command is not None
    message = read(ann.forwards(command, chat)).message
    assert message is not None
    assert message.forward_origin is not None
    assert message.text == "/reindex"
    assert message.entities[0].type == "bot_command"


def test_file_comes_as_a_document_with_its_caption(ann: Person, chat: Chat) -> None:
    message = read(
        ann.sends_file(chat, "guide.pdf", b"%PDF", caption="/add now", mime_type="application/pdf")
    ).message
    assert message is not None
    assert message.document is not None
    assert (message.document.file_name, message.document.file_size) == ("guide.pdf", 4)
    assert message.caption == "/add now"
    assert message.caption_entities[0].type == "bot_command"


def test_reply_carries_the_message_it_answers(ann: Person, group: Chat) -> None:
    first = ann.says(group, "The guide")
    message = read(ann.says(group, "/add", reply_to=first)).message
    assert message is not None
    assert message.reply_to_message is not None
    assert message.reply_to_message.text == "The guide"


def test_message_in_a_topic_names_its_thread(telegram: FakeTelegram, ann: Person) -> None:
    forum = telegram.group("Team", [ann], is_forum=True)
    topic = telegram.topic(forum, "Builds")
    message = read(ann.says(forum, "hi", thread_id=topic)).message
    assert message is not None
    assert (message.message_thread_id, message.is_topic_message) == (topic, True)
    assert message.chat.is_forum


def test_pressed_button_brings_its_data_its_message_and_the_presser(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    markup = {"inline_keyboard": [[{"text": "👍 useful", "callback_data": "u:1"}]]}
    send_message(telegram.world, Params({"chat_id": chat.id, "text": "17", "reply_markup": markup}))
    bob = telegram.user("Bob")
    query = read(bob.presses(chat.answers[0], "useful")).callback_query
    assert query is not None
    assert query.message is not None
    assert (query.data, query.from_user.id, query.message.message_id) == (
        "u:1",
        bob.id,
        chat.answers[0].message_id,
    )
    with pytest.raises(AssertionError, match="no button 'wrong'"):
        bob.presses(chat.answers[0], "wrong")
    forged = read(bob.presses(chat.answers[0], data="a:9")).callback_query
    assert forged is not None
    assert forged.data == "a:9"


def test_button_of_a_deleted_message_comes_with_an_inaccessible_message(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    markup = {"inline_keyboard": [[{"text": "useful", "callback_data": "u:1"}]]}
    send_message(telegram.world, Params({"chat_id": chat.id, "text": "17", "reply_markup": markup}))
    answer = chat.answers[0]
    ann.deletes(answer)
    query = read(ann.presses(answer, "useful")).callback_query
    assert query is not None
    assert query.message is not None
    assert not query.message.is_accessible


@pytest.mark.parametrize(
    ("act", "old", "new"),
    [
        (lambda person, chat: person.blocks(), "member", "kicked"),
        (lambda person, chat: (person.blocks(), person.unblocks())[1], "kicked", "member"),
    ],
    ids=["blocks", "unblocks"],
)
def test_blocking_and_unblocking_is_told_as_my_chat_member(
    ann: Person, chat: Chat, act: Callable[[Person, Chat], Sent], old: str, new: str
) -> None:
    change = read(act(ann, chat)).my_chat_member
    assert change is not None
    assert (change.old_chat_member.status, change.new_chat_member.status) == (old, new)


@pytest.mark.parametrize("standing", ["kicked", "left", "administrator"])
def test_change_of_the_bots_place_in_a_group_is_told(ann: Person, group: Chat, standing: str) -> None:
    change = read(ann.changes_standing(group, standing)).my_chat_member  # type: ignore[arg-type]  # from a table
    assert change is not None
    assert change.new_chat_member.status == standing


def test_bot_hears_nothing_from_a_group_it_is_not_in(ann: Person, group: Chat) -> None:
    group.standing = "kicked"
    assert ann.says(group, "hi").update is None


def test_migration_is_told_in_both_chats(telegram: FakeTelegram, ann: Person) -> None:
    small = telegram.group("Team", [ann], basic=True)
    large = telegram.migrate(small, ann)
    first, second = (Update.de_json(update.wire(), None).message for update in telegram.pending)
    assert first is not None
    assert second is not None
    assert (first.chat.id, first.chat.type, first.migrate_to_chat_id) == (small.id, "group", large.id)
    assert (second.chat.id, second.migrate_from_chat_id) == (large.id, small.id)


def test_stop_button_of_a_draft_comes_as_an_update_that_the_library_does_not_know(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    params = {"chat_id": chat.id, "draft_id": 7, "text": "…", "can_stop": True}
    send_message_draft(telegram.world, Params(params))
    stopped = ann.stops(chat.drafts[0])
    assert chat.drafts == []
    assert stopped.update is not None
    update = Update.de_json(stopped.update.wire(), None)
    assert update.api_kwargs == {"stopped_message_generation": {"chat": chat.wire(), "draft_id": 7}}


def test_draft_without_a_stop_button_cannot_be_stopped(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    send_message_draft(telegram.world, Params({"chat_id": chat.id, "draft_id": 7, "text": "…"}))
    with pytest.raises(AssertionError, match="can_stop"):
        ann.stops(chat.drafts[0])


def test_reaction_is_told_only_to_a_bot_that_asked_for_it(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    said = ann.says(chat, "hi")
    assert ann.reacts(said, "👍").update is None
    telegram.world.updates.allow(["message_reaction"])
    reaction = read(ann.reacts(said, "👍")).message_reaction
    assert reaction is not None
    assert reaction.message_id == said.message_id


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("overheard", False),
        ("hello @thinktwice_bot", True),
        ("hello @thinktwice_bot2", False),
        ("/ask x", True),
        ("/ask@THINKTWICE_BOT x", True),
        ("/ask@other_bot x", False),
    ],
)
def test_privacy_mode_lets_through_what_is_meant_for_the_bot(text: str, heard: bool) -> None:
    telegram = FakeTelegram(privacy_mode=True)
    ann = telegram.user("Ann")
    group = telegram.group("Team", [ann])
    assert (ann.says(group, text).update is not None) == heard
    assert ann.says(telegram.private(ann), text).update is not None
    send_message(telegram.world, Params({"chat_id": group.id, "text": "Hi"}))
    assert ann.says(group, text, reply_to=group.answers[0]).update is not None


def test_message_can_be_as_old_as_a_test_wants(telegram: FakeTelegram, ann: Person, chat: Chat) -> None:
    now = telegram.clock.now()
    said = ann.says(chat, "Which Java?", ago=3600)
    assert said.message is not None
    assert abs(said.message.date - (now - 3600)) < 5
    telegram.age(said, 60)
    message = read(said).message
    assert message is not None
    assert abs(message.date.timestamp() - (now - 3660)) < 5


def test_private_chats_and_small_groups_share_one_counter_of_messages(
    telegram: FakeTelegram, ann: Person, chat: Chat
) -> None:
    small, large = telegram.group("Small", [ann], basic=True), telegram.group("Large", [ann])
    numbers = [ann.says(where, "x").message_id for where in (chat, small, large, chat, large)]
    assert numbers == [1, 2, 1, 3, 2]
