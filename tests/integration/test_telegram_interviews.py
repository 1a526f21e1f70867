"""Interviews in Telegram: the whole bot, the Telegram server of the tests, and a scripted model."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import docx
import pytest

from rag.errors import ModelUnavailableError
from rag.interview.missions import SHIPPED
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.support.interviews import EVERYTHING, attentive, check_state
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent


class Model:
    """Interviews attentively, and answers every question alike; `failures` come first."""

    def __init__(self) -> None:
        self.failures: list[Exception] = []
        self.scripted = ScriptedModel(self._reply)

    def _reply(self, request: ChatRequest) -> Reply:
        if request.role == "interviewer":
            return self.failures.pop(0) if self.failures else attentive(request)
        return "FxStore needs Java 17 [1]." if request.purpose == "regenerate" else "FxStore needs Java 17."


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model) -> AsyncIterator[Stage]:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "fxstore.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", "utf-8")
    async with staged(tmp_path, model.scripted, monkeypatch) as opened:
        yield opened


async def happens(stage: Stage, *sent: Sent) -> None:
    await stage.happens(*sent)
    assert not stage.jobs.failures


def text_of_word(stage: Stage, message: Message) -> str:
    """The text of a Word file that was sent."""
    content = stage.telegram.world.files[message.attachment["document"]["file_id"]].content
    return "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs)


async def says(stage: Stage, person: Person, chat: Chat, text: str, **more: Any) -> Message:
    await happens(stage, person.says(chat, text, **more))
    return chat.answers[-1]


def summary(chat: Chat) -> Message:
    (found,) = (message for message in chat.answers if "settled" in message.text.splitlines()[0])
    return found


async def test_whole_interview_from_the_choice_of_a_pack_to_the_files(
    stage: Stage, ann: Person, chat: Chat
) -> None:
    packs = await says(stage, ann, chat, "/interview")
    await happens(stage, ann.presses(packs, "Bug report"))
    # The first question comes at once: nothing is known that could be summed up.
    assert chat.answers[-1].text == (
        "Bug report\n\nWhich product or part of it is affected?\n"
        "Why I ask: The report goes to the people who look after it."
    )
    assert len(chat.answers) == 2
    question = await says(stage, ann, chat, EVERYTHING)
    assert "✓ product: the editor" in question.text
    assert "How badly does it affect you?" in question.text
    assert "6 of 7 settled" in summary(chat).text
    await happens(stage, ann.presses(question, "It is a nuisance"))
    assert chat.presses[-1].alert == "It is a nuisance"
    assert not question.buttons
    assert "✓ severity: minor" in chat.answers[-1].text
    assert "Everything is there." in chat.answers[-1].text
    assert "7 of 7 settled" in summary(chat).text
    before = len(chat.answers)
    await says(stage, ann, chat, "/finish")
    finished, *papers = chat.answers[before:]
    assert finished.text.startswith("The interview is finished.")
    assert [paper.text for paper in papers] == ["The document for Word", "The document as a PDF"]
    assert "Version: 2.1" in text_of_word(stage, papers[0])
    await happens(stage, ann.says(chat, "/export"))
    files = stage.telegram.world.files
    sent = [message.attachment["document"] for message in chat.answers[-2:]]
    data, page = (files[document["file_id"]].content for document in sent)
    exported = json.loads(data)
    check_state(exported["state"])
    assert b"<h1>Bug report</h1>" in page
    assert (await says(stage, ann, chat, "/status")).text.startswith("No interview is open.")


async def test_questions_in_between_are_answered_and_do_not_disturb_the_interview(
    stage: Stage, ann: Person, chat: Chat, model: Model
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    for text in ("Which Java does FxStore need?", "/ask Which Java does FxStore need"):
        answer = await says(stage, ann, chat, text)
        assert "FxStore needs Java 17" in answer.text
        # What replies to that answer goes on with it.
        reply = await says(stage, ann, chat, "and FxStore needs Java 17", reply_to=answer)
        assert "FxStore needs Java 17" in reply.text
    assert all(request.role != "interviewer" for request in model.scripted.requests)
    question = await says(stage, ann, chat, "the editor, does that help?")
    assert "Which version do you use?" in question.text


async def test_reply_to_a_message_of_the_interview_is_said_to_it(
    stage: Stage, ann: Person, chat: Chat
) -> None:
    first = await says(stage, ann, chat, "/interview bug_report")
    after = await says(stage, ann, chat, "the editor: FxStore needs Java 17?", reply_to=first)
    assert "✓ product: the editor" in after.text


async def test_undo_asks_the_former_question_again(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    assert "nothing has been said yet" in (await says(stage, ann, chat, "/undo")).text
    await says(stage, ann, chat, "the editor")
    undone = await says(stage, ann, chat, "/undo")
    assert undone.text.startswith("Taken back.")
    assert "Which product" in undone.text
    assert "0 of 7" in summary(chat).text


async def test_turn_of_an_interview_is_explained(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    assert (await says(stage, ann, chat, "/why")).text == "Nothing has been said in this interview yet."
    first = ann.says(chat, "the editor")
    await happens(stage, first)
    question = chat.answers[-1]
    second = await says(stage, ann, chat, EVERYTHING)
    await happens(stage, ann.presses(second, "It is a nuisance"))
    pressed = chat.answers[-1]
    # The last turn; then the turn that a message of the bot shows, or that the person's own message is.
    last = (await says(stage, ann, chat, "/why")).text
    assert last.startswith("It is a nuisance\n\nWhat a model was asked:\n• Checking whether everything is")
    assert "• severity: minor, because you said “It is a nuisance”" in last
    assert (await says(stage, ann, chat, "/why", reply_to=pressed)).text == last
    for replied in (first, question):
        assert (
            "• product: the editor, because you said “the editor”"
            in (await says(stage, ann, chat, "/why", reply_to=replied)).text
        )
    assert "• version: 2.1" in (await says(stage, ann, chat, "/why", reply_to=second)).text
    # An edit is a turn of its own.
    await happens(stage, ann.edits(first, "no, the editor of pictures"))
    assert "the editor of pictures" in (await says(stage, ann, chat, "/why", reply_to=first)).text
    # An answer in between is what came last, and a reply to it is about it.
    answer = await says(stage, ann, chat, "/ask Which Java does FxStore need?")
    for more in ({}, {"reply_to": answer}):
        assert "because you said" not in (await says(stage, ann, chat, "/why", **more)).text
    assert "because you said" in (await says(stage, ann, chat, "/why", reply_to=second)).text


async def test_interviews_of_a_chat_are_listed_and_one_is_deleted_when_it_is_confirmed(
    stage: Stage, ann: Person, chat: Chat
) -> None:
    assert (await says(stage, ann, chat, "/interview list")).text == "No interview is kept in this chat."
    await says(stage, ann, chat, "/interview bug_report")
    await says(stage, ann, chat, "the editor")
    shown = summary(chat)
    await says(stage, ann, chat, "/interview onboarding")
    listed = await says(stage, ann, chat, "/interview list")
    assert [line[:5] for line in listed.text.splitlines()[1:]] == ["1. On", "2. Bu"]
    await happens(stage, ann.presses(listed, "Delete 2"))
    assert "It cannot be brought back." in listed.text
    stranger = stage.telegram.user("Bob", language_code="en")
    other = stage.telegram.private(stranger)
    assert (
        await says(stage, stranger, other, "/interview list")
    ).text == "No interview is kept in this chat."
    await happens(stage, ann.presses(listed, "Yes"))
    assert listed.text.startswith("The interview is deleted")
    assert shown.deleted
    listed = await says(stage, ann, chat, "/interview list")
    assert [line[:5] for line in listed.text.splitlines()[1:]] == ["1. On"]
    # The other one goes on.
    assert "the new colleague" in (await says(stage, ann, chat, "/status")).text


async def test_finish_names_what_is_missing_and_closes_only_on_demand(
    stage: Stage, ann: Person, chat: Chat
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    await says(stage, ann, chat, "the editor")
    missing = await says(stage, ann, chat, "/finish")
    assert missing.text.splitlines()[:2] == ["Still missing:", "• version"]
    await happens(stage, ann.presses(missing, "Go on"))
    assert "✓ version: 2.1" in (await says(stage, ann, chat, "2.1")).text
    missing = await says(stage, ann, chat, "/finish")
    await happens(stage, ann.presses(missing, "Close it as it is"))
    assert any(message.text.startswith("The interview is closed as it is.") for message in chat.answers)
    # What is written now is a question to the bot again.
    assert "FxStore needs Java 17" in (await says(stage, ann, chat, "Which Java does FxStore need?")).text


async def test_somebody_who_says_that_this_is_all_is_told_what_is_missing(
    stage: Stage, ann: Person, chat: Chat, model: Model
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    told = await says(stage, ann, chat, "That's all.")
    assert told.text.startswith("Still missing: product, version,")
    assert "Which product or part of it is affected?" in told.text
    assert model.scripted.requests == []


async def test_status_repeats_the_open_question_with_its_buttons(
    stage: Stage, ann: Person, chat: Chat
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    await says(stage, ann, chat, EVERYTHING)
    status = await says(stage, ann, chat, "/status")
    assert "How badly does it affect you?" in status.text
    await happens(stage, ann.presses(status, "It is a nuisance"))
    assert "Everything is there." in chat.answers[-1].text


async def test_choice_of_a_question_that_is_not_open_any_more_changes_nothing(
    stage: Stage, ann: Person, chat: Chat
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    question = await says(stage, ann, chat, EVERYTHING)
    payload = question.button("It is a nuisance").data
    # The same button on two devices, and one of an interview that is gone.
    await happens(stage, ann.presses(question, "It is a nuisance"))
    count = len(chat.answers)
    await happens(stage, ann.presses(question, data=payload))
    assert "not open any more" in (chat.presses[-1].alert or "")
    await happens(stage, ann.presses(question, data="choose:deadbeef:q1:0"))
    await happens(stage, ann.presses(question, data="choose:nonsense"))
    assert len(chat.answers) == count


async def test_two_messages_at_once_are_two_turns(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    await happens(stage, ann.says(chat, "the editor"), ann.says(chat, "it is version 2.1"))
    assert "2 of 7" in summary(chat).text


async def test_edited_answer_is_said_anew_and_a_contradiction_is_asked_about(
    stage: Stage, ann: Person, chat: Chat, model: Model
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    sent = ann.says(chat, "the editor, on Linux")
    await happens(stage, sent)
    await happens(stage, ann.edits(sent, "the editor 2.1, on Linux"))
    assert "✓ version: 2.1" in chat.answers[-1].text
    assert "3 of 7" in summary(chat).text


async def test_with_the_model_down_the_message_is_kept_and_taken_up_later(
    stage: Stage, ann: Person, chat: Chat, model: Model
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    model.failures.append(ModelUnavailableError("down"))
    told = await says(stage, ann, chat, "the editor")
    assert "Your message is kept" in told.text
    assert "Which product" in told.text
    told = await says(stage, ann, chat, "it is version 2.1")
    assert "✓ product: the editor" in told.text
    assert "✓ version: 2.1" in told.text


async def test_summary_that_somebody_deleted_appears_again(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    await says(stage, ann, chat, "the editor")
    summary(chat).deleted = True
    await says(stage, ann, chat, "2.1")
    assert "2 of 7" in [message for message in chat.answers if "settled" in message.text][-1].text


async def test_interview_of_another_person_is_out_of_reach(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    question = await says(stage, ann, chat, EVERYTHING)
    payload = question.button("It is a nuisance").data
    bob = stage.telegram.user("Bob", language_code="en")
    other = stage.telegram.private(bob)
    assert "No interview is open" in (await says(stage, bob, other, "/status")).text
    await happens(stage, bob.presses(other.answers[-1], data=payload))
    assert "6 of 7" in summary(chat).text


async def test_commands_of_interviews_work_in_private_chats_alone(stage: Stage, ann: Person) -> None:
    group = stage.telegram.group("Team", [ann])
    told = await says(stage, ann, group, "/interview@thinktwice_bot bug_report")
    assert "private chat" in told.text


async def test_unknown_pack_is_one_sentence(stage: Stage, ann: Person, chat: Chat) -> None:
    told = await says(stage, ann, chat, "/interview nonsense")
    assert told.text == ("there is no pack nonsense; these are there: bug_report, contract_ru, onboarding")


async def test_limits_of_a_person_hold_for_interviews_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    limits = {"user_per_minute": 1}
    (tmp_path / "corpus").mkdir()
    async with staged(tmp_path, model.scripted, monkeypatch, limits=limits) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        chat = stage.telegram.private(ann)
        await says(stage, ann, chat, "/interview bug_report")
        await says(stage, ann, chat, "the editor")
        told = await says(stage, ann, chat, "2.1")
        assert "1" in told.text
        assert "minute" in told.text
        assert "1 of 7" in summary(chat).text


async def test_interview_speaks_the_language_of_its_pack(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview contract_ru")
    assert chat.texts[-1].startswith("Договор аренды или поставки\n")
    assert "первая сторона" in chat.texts[-1]
    await says(stage, ann, chat, "арендодатель")
    assert any(text.startswith("Договор аренды или поставки: выяснено") for text in chat.texts)


async def test_what_is_no_text_leaves_an_interview_as_it_is(stage: Stage, ann: Person, chat: Chat) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    await says(stage, ann, chat, "the editor")
    album = {"media_group_id": "g1"}
    picture = {"file_id": "p", "file_unique_id": "p", "width": 1, "height": 1}
    sticker = {**picture, "type": "regular", "is_animated": False, "is_video": False}
    for sent in (
        [ann.sends(chat, {"sticker": sticker})],
        [ann.sends(chat, {"photo": [picture]})],
        [ann.sends_file(chat, "crash.dmp", bytes(range(256)))],
        [ann.sends_file(chat, f"{name}.dmp", b"\0\1", extra=album) for name in ("one", "two")],
    ):
        await happens(stage, *sent)
        assert "1 of 7 settled" in summary(chat).text
    # Each is told, and what came as one album is told once.
    assert sum("I cannot read this as text." in message.text for message in chat.answers) == 4
    question = await says(stage, ann, chat, "2.1")
    assert "✓ version: 2.1" in question.text
    assert "2 of 7 settled" in summary(chat).text


async def test_question_is_skipped_postponed_taken_back_and_asked_again_with_buttons_and_words(
    stage: Stage, ann: Person, chat: Chat, model: Model
) -> None:
    first = await says(stage, ann, chat, "/interview bug_report")
    assert [[button.text for button in row] for row in first.buttons] == [["Skip", "Finish"]]
    await happens(stage, ann.presses(first, "Skip"))
    second = chat.answers[-1]
    assert second.text.startswith("“product” stays open. You can say it any time.")
    assert "Which version do you use?" in second.text
    assert [button.text for button in second.buttons[-1]] == ["Skip", "Back", "Finish"]
    await happens(stage, ann.presses(second, "Back"))
    assert "Which product or part of it is affected?" in chat.texts[-1]
    later = await says(stage, ann, chat, "/later")
    assert later.text.startswith("I will ask about “product” later.")
    assert "Which version do you use?" in later.text
    again = await says(stage, ann, chat, "go on")
    assert "Which version do you use?" in again.text
    assert "stays open" in (await says(stage, ann, chat, "/skip")).text
    assert "Which version do you use?" in (await says(stage, ann, chat, "/back")).text
    finish = await says(stage, ann, chat, "go on")
    await happens(stage, ann.presses(finish, "Finish"))
    assert chat.texts[-1].startswith("Still missing:\n• product")
    assert model.scripted.requests == []


@pytest.mark.parametrize("word", ["stop", "/stop", "/cancel"])
async def test_stop_loses_nothing_and_ends_an_interview_only_when_it_is_said_twice(
    stage: Stage, ann: Person, chat: Chat, word: str
) -> None:
    await says(stage, ann, chat, "/interview bug_report")
    await says(stage, ann, chat, "the editor")
    asked = await says(stage, ann, chat, word)
    assert asked.text.startswith("Nothing is lost, and the interview stays open")
    assert "Still missing: version," in asked.text
    assert "Which version do you use?" in asked.text
    assert "✓ version: 2.1" in (await says(stage, ann, chat, "2.1")).text
    await says(stage, ann, chat, word)
    await says(stage, ann, chat, word)
    assert any(message.text.startswith("The interview is closed as it is.") for message in chat.answers)
    assert (await says(stage, ann, chat, "/status")).text.startswith("No interview is open.")


async def test_report_goes_to_the_owner_and_stays_there_when_the_interview_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    (tmp_path / "corpus").mkdir()
    async with staged(tmp_path, model.scripted, monkeypatch, admins=(500_000_001,)) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        await _hold_and_delete(stage, stage.telegram.private(ann))


async def _hold_and_delete(stage: Stage, chat: Chat) -> None:
    bob = stage.telegram.user("Bob", language_code="en")
    other = stage.telegram.private(bob)
    begun = await says(stage, bob, other, "/interview bug_report")
    assert begun.text.splitlines()[2].startswith("When the interview ends, a report")
    question = await says(stage, bob, other, EVERYTHING)
    await happens(stage, bob.presses(question, "It is a nuisance"))
    await says(stage, bob, other, "/finish")
    report, paper = chat.answers[-2:]
    assert "the editor" in text_of_word(stage, paper)
    assert report.text.startswith("Bob has finished “Bug report”: 7 of 7 settled.")
    page = stage.telegram.world.files[report.attachment["document"]["file_id"]].content
    assert b"the editor" in page
    listed = await says(stage, bob, other, "/interview list")
    await happens(stage, bob.presses(listed, "Delete 1"))
    assert "A report that others have got stays with them." in listed.text
    await happens(stage, bob.presses(listed, "Yes"))
    assert listed.text.startswith("The interview is deleted")
    assert not report.deleted


async def test_report_goes_to_the_recipients_of_the_pack_and_not_to_the_owners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    (tmp_path / "corpus").mkdir()
    pack = tmp_path / "packs" / "bug_report"
    shutil.copytree(SHIPPED / "bug_report", pack)
    ids = (500_000_002, 500_000_003, 500_000_077)  # the second is the person, and the third is nobody
    with (pack / "mission.yaml").open("a", encoding="utf-8") as file:
        file.write(f"recipients: [{', '.join(map(str, ids))}]\n")
    given = {"admins": (500_000_001,), "interviews": {"packs": (tmp_path / "packs",)}}
    async with staged(tmp_path, model.scripted, monkeypatch, **given) as stage:
        owner, cleo, bob = (stage.telegram.user(name, language_code="en") for name in ("Ann", "Cleo", "Bob"))
        chats = [stage.telegram.private(one) for one in (owner, cleo, bob)]
        await says(stage, bob, chats[2], "/interview bug_report")
        question = await says(stage, bob, chats[2], EVERYTHING)
        await happens(stage, bob.presses(question, "It is a nuisance"))
        await happens(stage, bob.says(chats[2], "/finish"))
        assert chats[0].answers == []
        report, paper = chats[1].answers
        assert report.text.startswith("Bob has finished “Bug report”: 7 of 7 settled.")
        assert "Version: 2.1" in text_of_word(stage, paper)
        assert not any(message.text.startswith("Bob has finished") for message in chats[2].answers)
