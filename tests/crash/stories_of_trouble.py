"""Stories of what goes wrong around a bot; each arms the kill before it, and returns what must come of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.crash.bots import until
from tests.crash.stage import Outcome, Stage, finals, said_once
from tests.telegram.chats import Message
from tests.telegram.faults import Gate
from tests.telegram.record import Request


def loses_the_placeholder(stage: Stage, arm: Callable[[], None]) -> Outcome:
    placeholder = stage.begun(stage.group)
    mark = f"q{stage.number}q"
    with stage.telegram.world.lock:
        placeholder.deleted = True
    arm()
    stage.model.gate.set()
    return lambda: stage.answered(mark)


def presses_in_vain(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """Telegram does not take what a press does: the presser is told so."""
    (answer,) = stage.answered(stage.ask(stage.private))
    stage.wait_until_quiet()
    stage.telegram.fail_next(
        "editMessageReplyMarkup",
        status=400,
        description="Bad Request: cursed",
        chat_id=stage.private.id,
        times=1000,
    )
    before, notes = len(stage.private.presses), len(_warnings(stage))
    arm()
    stage.ann.presses(answer, "useful")

    def told() -> None:
        def alerts() -> list[str]:
            return [press.alert or "" for press in stage.private.presses[before:]]

        def found() -> list[str]:
            return [text for text in (*alerts(), *stage.private.texts) if text.startswith("Sorry")]

        until(found, lambda: stage.bot.log[-3000:])
        # The admins are told of it too, and that note must not be taken for one of the next story.
        until(lambda: len(_warnings(stage)) > notes, lambda: stage.bot.log[-3000:])
        stage.wait_until_quiet()
        assert len(_warnings(stage)) == notes + 1, stage.admins.texts[-5:]

    return told


def blocks(stage: Stage, arm: Callable[[], None]) -> Outcome:
    person = stage.telegram.user("Bob")
    chat = stage.telegram.private(person)
    stage.model.gate.clear()
    person.says(chat, "Which Java does FxStore need slowly?")
    until(lambda: chat.all_drafts or chat.answers)
    arm()
    person.blocks()

    def gone() -> None:
        until(lambda: stage.bot.passed()[-1:] == ["recorded abandon"], lambda: stage.bot.log[-3000:])
        stage.model.gate.set()
        assert not [message for message in chat.answers if "Java 17" in message.text]

    return gone


def cannot_be_written_to(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A chat turns out to be gone when the answer is there."""
    person = stage.telegram.user("Eve")
    chat = stage.telegram.private(person)
    stage.telegram.fail_next(
        "sendMessage",
        status=403,
        description="Forbidden: bot was blocked by the user",
        chat_id=chat.id,
        times=1000,
    )
    arm()
    person.says(chat, "Which Java does FxStore need?")
    return lambda: until(
        lambda: stage.bot.passed()[-1:] == ["recorded give up"], lambda: stage.bot.log[-3000:]
    )


def moves(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """A group gets another id while a question is at work there, and the next one comes under the new id."""
    group = stage.telegram.group("Moving", [stage.ann], basic=True)
    stage.begun(group)
    waited = f"q{stage.number}q"
    arm()
    moved = stage.marks[waited] = stage.telegram.migrate(group, stage.ann)
    mark = stage.ask(moved)

    def goes_on() -> None:
        stage.model.gate.set()
        stage.answered(waited)
        stage.answered(mark)
        assert [found for found in finals(stage, moved) if found in {waited, mark}] == [waited, mark]

    return goes_on


def fails(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """Telegram takes no answer in a chat: people there get an apology, and the admin a note."""
    person = stage.telegram.user("Kim")
    chat = stage.telegram.group("Cursed", [person])
    stage.telegram.fail_next(
        "editMessageText",
        status=400,
        description="Bad Request: cursed",
        chat_id=chat.id,
        times=1000,
        where=lambda request: "Sorry" not in request.params["text"],
    )
    # What went wrong in the story before is told in the same words.
    stage.wait_until_quiet()
    notes, written = len(_warnings(stage)), stage.bot.passed().count("recorded send 1")
    arm()
    person.says(chat, "@thinktwice_bot Which Java does FxStore need?")

    def told() -> None:
        said_once(stage, chat, "Sorry")
        # A note that a killed process has sent stands there already: its double would come now, or not at all.
        until(
            lambda: len(_warnings(stage)) > notes and stage.bot.passed().count("recorded send 1") > written,
            lambda: stage.bot.log[-3000:],
        )
        stage.wait_until_quiet()
        assert len(_warnings(stage)) == notes + 1, stage.admins.texts[-5:]

    return told


def _warnings(stage: Stage) -> list[Message]:
    return [message for message in stage.admins.answers if message.text.startswith("⚠️")]


def tells_the_admins(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The same, and the kill comes while the note is written."""
    # Until the apology is there, whose steps have the same names.
    with stage.telegram.hold("sendMessage", chat_id=stage.admins.id) as gate:
        outcome = fails(stage, lambda: None)
        until(lambda: gate.waiting, lambda: stage.bot.log[-3000:])
        arm()
    return outcome


def kills_the_bot(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The bot dies of a question each time: the message that was to become the answer apologises."""
    stage.wait_until_quiet()
    stage.bot.kill_at("after draft")
    mark, text = stage.question(stage.group)
    said = stage.say(stage.group, text)
    for is_last in (False, False, True):
        until(stage.bot.is_killed, lambda: stage.bot.log[-3000:])
        stage.bot.kills += 1
        if is_last:
            arm()
        stage.bot.start()

    def told() -> None:
        said_once(stage, stage.group, "Sorry")
        assert [message.text[:5] for message in stage.group.replies_to(said.message_id)] == ["Sorry"]
        del stage.marks[mark]

    return told


def dies_of_its_answer(stage: Stage, arm: Callable[[], None]) -> Outcome:
    """The bot dies three times when Telegram took the answer and that was not recorded yet: the answer stays."""
    mark, text = stage.question(stage.group)

    def held(*, after: bool) -> AbstractContextManager[Gate]:
        def is_the_answer(request: Request) -> bool:
            return f"asked as {mark}" in str(request.params.get("text"))

        return stage.telegram.hold("editMessageText", after=after, where=is_the_answer)

    with held(after=True) as gate:
        said = stage.say(stage.group, text)
        until(lambda: gate.waiting, lambda: stage.told(mark))
        stage.bot.kill()
    for _ in range(2):
        with held(after=False) as gate:
            stage.bot.start()
            until(lambda: gate.waiting, lambda: stage.told(mark))
            stage.bot.kill()
    arm()
    stage.bot.start()

    def told() -> None:
        until(lambda: stage.answers(mark), lambda: stage.told(mark))
        stage.wait_until_quiet()
        (answer,) = stage.group.replies_to(said.message_id)
        first = next(number for number, text in enumerate(answer.edits) if mark in text)
        assert all(mark in text for text in answer.edits[first:]), answer.edits

    return told
