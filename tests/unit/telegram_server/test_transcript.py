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
                "text": "😀 Java 17 in build.gradle\n\nSources: 1",
                "entities": [
                    {"type": "bold", "offset": 3, "length": 7},
                    {"type": "code", "offset": 14, "length": 12},
                    {"type": "text_link", "offset": 37, "length": 1, "url": "https://e.org"},
                ],
                "reply_markup": markup,
            }
        ),
    )
    pressed = bob.presses(group.answers[0], "useful")
    answer_callback_query(
        telegram.world, Params({"callback_query_id": pressed.query_id, "text": "Thank you.\nNoted."})
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

> (Thank you.\\
> Noted.)

**Bob Ray**:

> Thanks!

**Think Twice**:

> [file: stats.csv]
> Your data
"""


def test_transcript_shows_the_last_texts_the_buttons_and_who_said_what() -> None:
    assert conversation() == EXPECTED


def test_text_that_looks_like_markdown_is_shown_as_it_is() -> None:
    telegram = FakeTelegram()
    ann = telegram.user("Ann")
    chat = telegram.private(ann)
    ann.says(chat, "2 * 3 * 4 [x] <b> thinktwice_bot _x_\nhttps://e.org/a_*b*_c")
    assert telegram.transcript(chat) == (
        "**Ann**:\n\n> 2 \\* 3 \\* 4 \\[x\\] \\<b> thinktwice_bot \\_x\\_\\\n> https://e.org/a_*b*_c\n"
    )


def test_code_block_stands_in_its_fence_without_line_break_marks() -> None:
    telegram = FakeTelegram()
    chat = telegram.private(telegram.user("Ann"))
    text = "Run:\nmake a_*\nmake b\nThen\nwait."
    block = {"type": "pre", "offset": 5, "length": 15, "language": "sh"}
    send_message(telegram.world, Params({"chat_id": chat.id, "text": text, "entities": [block]}))
    assert telegram.transcript(chat) == (
        "**Think Twice**:\n\n> Run:\n> ```sh\n> make a_*\n> make b\n> ```\n> Then\\\n> wait.\n"
    )


def test_same_conversation_gives_the_same_page() -> None:
    assert conversation() == conversation()
