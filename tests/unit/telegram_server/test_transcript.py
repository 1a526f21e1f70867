"""The conversation as a page of Markdown."""

from __future__ import annotations

from typing import Any

from tests.telegram.params import Params, Upload
from tests.telegram.sending import (
    answer_callback_query,
    delete_message,
    edit_message_text,
    send_document,
    send_message,
)
from tests.telegram.server import FakeTelegram


def conversation() -> str:
    telegram = FakeTelegram()
    ann, bob = telegram.user("Ann"), telegram.user("Bob", last_name="Ray")
    group = telegram.group("Team", [ann, bob], is_forum=True)
    topic = telegram.topic(group, "Builds")

    def send(text: str, **params: Any) -> int:
        sent = send_message(telegram.world, Params({"chat_id": group.id, "text": text, **params}))
        return int(sent["message_id"])

    asked = ann.says(group, "@thinktwice_bot Which Java?", thread_id=topic)
    answer = send("…", reply_parameters={"message_id": asked.message_id})
    markup = {
        "inline_keyboard": [
            [{"text": "useful", "callback_data": "u"}, {"text": "wrong", "callback_data": "w"}]
        ]
    }
    edit_message_text(
        telegram.world,
        Params(
            {
                "chat_id": group.id,
                "message_id": answer,
                "text": "😀 <b>Java 17</b> in <code>build.gradle</code>\n\nSources: <a href='https://e.org'>1</a>",
                "parse_mode": "HTML",
                "reply_markup": markup,
            }
        ),
    )
    pressed = bob.presses(group.answers[0], "useful")
    answer_callback_query(
        telegram.world, Params({"callback_query_id": pressed.query_id, "text": "Thank you."})
    )
    gone = send("A note that goes")
    delete_message(telegram.world, Params({"chat_id": group.id, "message_id": gone}))
    bob.says(group, "Thanks!")
    upload = {"document": Upload("stats.csv", b"1", "text/csv")}
    send_document(telegram.world, Params({"chat_id": group.id, "caption": "Your data"}, upload))
    return telegram.transcript(group)


EXPECTED = """\
**Ann** in *Builds*:

> @thinktwice_bot Which Java?

**Think Twice** in *Builds* to Ann:

> 😀 **Java 17** in `build.gradle`
>
> Sources: [1](https://e.org)
>
> `[ useful ]` `[ wrong ]`

*Bob Ray presses `[ useful ]`*

> (Thank you.)

**Bob Ray**:

> Thanks!

**Think Twice**:

> [file: stats.csv]
> Your data
"""


def test_transcript_shows_the_last_texts_the_buttons_and_who_said_what() -> None:
    assert conversation() == EXPECTED


def test_same_conversation_gives_the_same_page() -> None:
    assert conversation() == conversation()
