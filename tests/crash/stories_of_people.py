"""Stories of what people do with a bot; each arms the kill before it, and returns what must come of it."""

from __future__ import annotations

from collections.abc import Callable

from tests.crash.bots import until
from tests.crash.stage import PLACEHOLDER, Outcome, Stage, Story, said_once
from tests.support.interviews import FACTS
from tests.telegram.chats import Chat, Message

EXPLAINED = "The documents confirm the sentence that answers"
"""What an explanation says of an answer with a mark: the mark is in no document."""


def asks_alone(stage: Stage, arm: Callable[[], None]) -> Outcome:
    arm()
    mark = stage.ask(stage.private)
    return lambda: stage.answered(mark)


def asks_aloud(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A voice message; what the server of transcriptions hears is what the recording holds."""
    arm()
    mark, text = stage.question(stage.private)
    stage.ann.speaks(stage.private, text.encode())
    return lambda: stage.answered(mark)


def asks_in_the_group(stage: Stage, arm: Callable[[], None]) -> Outcome:
    arm()
    mark = stage.ask(stage.group)
    return lambda: stage.answered(mark)


def asks_for_much(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The answer has two messages."""
    arm()
    mark = stage.ask(stage.private, " at length")

    def whole() -> None:
        (first,) = until(lambda: stage.answers(mark), lambda: stage.told(mark))

        def second() -> list[Message]:
            after = [message for message in stage.private.answers if message.message_id > first.message_id]
            return [message for message in after if message.buttons and "Older versions do" in message.text]

        assert len(until(second, lambda: stage.told(mark))) == 1

    return whole


def asks_too_much(stage: Stage, arm: Callable[[], None]) -> Outcome:
    arm()
    said = stage.say(stage.group, "word " * 150)

    def refused() -> list[Message]:
        return [m for m in stage.group.replies_to(said.message_id) if "characters" in m.text]

    return lambda: until(refused, lambda: stage.bot.log[-3000:])


def is_overheard(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A question in a group that addresses nobody is answered as well."""
    arm()
    mark, text = stage.question(stage.group)
    stage.ann.says(stage.group, text)
    return lambda: stage.answered(mark)


def stops(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.begun(stage.group)
    mark = f"q{stage.number}q"
    arm()
    said = stage.ann.says(stage.group, "/stop@thinktwice_bot")

    def stopped() -> None:
        def replies() -> list[Message]:
            found = stage.group.replies_to(said.message_id)
            return [message for message in found if not message.text.startswith(PLACEHOLDER)]

        until(replies, lambda: stage.bot.log[-3000:])
        stage.model.gate.set()
        stage.wait_until_quiet()
        assert len(replies()) == 1
        assert not stage.answers(mark)
        del stage.marks[mark]

    return stopped


def asks_anonymously(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """Whoever may not ask gets a reason instead of an answer."""
    arm()
    stage.telegram.anonymous_admin(stage.group).says(
        stage.group, "@thinktwice_bot Which Java does FxStore need?"
    )
    return lambda: said_once(stage, stage.group, "cannot tell who you are")


def asks_why(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.answered(stage.ask(stage.private))
    stage.wait_until_quiet()
    arm()
    stage.ann.says(stage.private, "/why")
    return lambda: said_once(stage, stage.private, EXPLAINED)


def edits(stage: Stage, arm: Callable[[], None]) -> Outcome:
    before, text = stage.question(stage.private)
    said = stage.say(stage.private, text)
    stage.answered(before)
    del stage.marks[before]
    mark, text = stage.question(stage.private)
    arm()
    stage.ann.edits(said, text)
    return lambda: stage.answered(mark)


def presses(verb: str) -> Story:
    def story(stage: Stage, arm: Callable[[], None]) -> Outcome:
        # The kill must strike the press: the answer is over, and so is what the story before has left behind.
        stage.wait_until_quiet()
        earlier = len(stage.bot.passed())
        (answer,) = stage.answered(stage.ask(stage.private))
        until(
            lambda: "recorded remember" in stage.bot.passed()[earlier:],
            lambda: f"{stage.bot.passed()[earlier:]}\n{stage.bot.log[-3000:]}",
        )
        before = len(stage.private.presses)
        arm()
        stage.ann.presses(answer, verb)

        def pressed() -> None:
            until(lambda: stage.private.presses[before:], lambda: stage.bot.log[-3000:])
            if verb == "why":
                said_once(stage, stage.private, EXPLAINED)

        return pressed

    return story


def asks_while_it_is_down(stage: Stage, arm: Callable[[], None]) -> Outcome:
    person = stage.telegram.user("Old")
    chat = stage.telegram.private(person)
    stage.bot.kill()
    for _ in range(3):
        person.says(chat, "Which Java does FxStore need?", ago=7200)
    mark = stage.ask(stage.private, ago=600)
    arm()
    stage.bot.start()

    def told() -> None:
        said_once(stage, chat, "was offline")
        stage.answered(mark)
        texts = [message.text for message in chat.answers if "was offline" not in message.text]
        assert [text for text in texts if not text.startswith(PLACEHOLDER)] == []

    return told


def is_too_late(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The old question is all that waits, so the kill comes while its notice is written."""
    person = stage.telegram.user("Old")
    chat = stage.telegram.private(person)
    stage.bot.kill()
    person.says(chat, "Which Java does FxStore need?", ago=7200)
    arm()
    stage.bot.start()
    return lambda: said_once(stage, chat, "was offline")


def says_all_to_an_interview(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.say(stage.private, "/interview bug_report")
    until(lambda: any("Which product" in text for text in stage.private.texts), lambda: stage.bot.log[-3000:])
    stage.wait_until_quiet()
    arm()
    stage.say(stage.private, f"{', '.join(FACTS.values())}; it is a blocker")

    def complete() -> list[Message]:
        return [message for message in stage.private.answers if "Everything is there." in message.text]

    def came_once() -> None:
        until(complete, lambda: f"{stage.private.texts}{stage.bot.log[-3000:]}")
        stage.wait_until_quiet()
        assert len(complete()) == 1
        (summary,) = (m.text for m in stage.private.answers if "settled" in m.text.splitlines()[0])
        assert summary.startswith("Bug report: 7 of 7 settled")

    return came_once


def finishes_an_interview(stage: Stage, arm: Callable[[], None]) -> Outcome:
    outcome = says_all_to_an_interview(stage, lambda: None)
    outcome()
    before = len(files_in(stage.admins))
    arm()
    stage.say(stage.private, "/finish")

    def came_once() -> None:
        until(lambda: "docx" in files_in(stage.admins)[before:], lambda: stage.bot.log[-3000:])
        stage.wait_until_quiet()
        assert files_in(stage.admins)[before:] == ["html", "docx"]
        assert files_in(stage.private)[-2:] == ["docx", "pdf"]

    return came_once


def files_in(chat: Chat) -> list[str]:
    attached = [message.attachment.get("document") for message in chat.answers]
    return [str(document["file_name"]).rpartition(".")[2] for document in attached if document]


def exports_an_interview(stage: Stage, arm: Callable[[], None]) -> Outcome:
    stage.say(stage.private, "/interview bug_report")
    until(lambda: any("Which product" in text for text in stage.private.texts), lambda: stage.bot.log[-3000:])
    stage.wait_until_quiet()
    arm()
    stage.say(stage.private, "/export")

    def came_once() -> None:
        until(lambda: "html" in files_in(stage.private), lambda: stage.bot.log[-3000:])
        stage.wait_until_quiet()
        assert files_in(stage.private) == ["docx", "pdf", "json", "html"]

    return came_once
