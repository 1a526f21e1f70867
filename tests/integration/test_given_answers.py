"""Administrators give the right answer to a question; it becomes a document that alone answers it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.documents.given_answers import Corrections
from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from rag.settings import SelfCorrection
from rag.values import DocumentSet, Question
from tests.support.commanding import open_desk
from tests.support.knowledge import Workshop, make_workshop
from tests.support.recorded_steps import KilledError, Recording
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent

QUESTION = "Which Java does FxStore need?"
OWNER = 500_000_001
TITLE = "Answers by administrators"
_OLDER = (
    f"{QUESTION} {QUESTION} FxStore needs Java 17, and which Java does FxStore need? Java 17 on port 8443.\n"
)


def script(request: ChatRequest) -> str:
    """A model that knows nothing and writes what the first passage says of Java."""
    message = request.messages[-1].text
    if request.purpose in {"regenerate", "read"}:
        found = re.search(r"needs (Java \d+)", message)
        if found is None:
            return "NOT STATED" if request.purpose == "read" else "The documents do not say it."
        return found[1] if request.purpose == "read" else f"FxStore needs {found[1]} [1]."
    return "I do not know that."


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    corpus = tmp_path / "corpus"
    (corpus / "hr").mkdir(parents=True)
    # The older text speaks of the question in its own words, and more often than the correction will.
    (corpus / "java.md").write_text(f"# {QUESTION}\n\n{_OLDER}", "utf-8")
    (corpus / "hr" / "pay.md").write_text("# Pay\n\nPay day is the 25th.\n", "utf-8")
    async with staged(tmp_path, ScriptedModel(script), monkeypatch, admins=(OWNER,)) as opened:
        yield opened


async def sent(stage: Stage, what: Sent) -> None:
    await stage.happens(what)
    assert not stage.jobs.failures


async def asks(stage: Stage, person: Person, chat: Chat, text: str = QUESTION) -> Message:
    """Ask a question and return the answer."""
    await sent(stage, person.says(chat, text))
    return chat.answers[-1]


def owner_of(stage: Stage) -> tuple[Person, Chat]:
    owner = stage.telegram.user("Olga", language_code="en")
    assert owner.id == OWNER
    return owner, stage.telegram.private(owner)


async def test_corrected_answer_wins_over_older_text_and_is_cited_as_the_administrators(stage: Stage) -> None:
    owner, office = owner_of(stage)
    ann = stage.telegram.user("Ann", language_code="en")
    chat = stage.telegram.private(ann)
    wrong = await asks(stage, owner, office)
    assert "Java 17" in wrong.text
    await sent(stage, owner.presses(wrong, "Wrong"))
    assert "reply to my answer with /correct" in (office.presses[-1].alert or "")
    await sent(stage, owner.says(office, "/correct Since May it needs Java 21.", reply_to=wrong))
    said = office.answers[-1]
    assert said.text == f"Thank you! From now on I answer {QUESTION} with:\n\nSince May it needs Java 21."

    right = await asks(stage, ann, chat, "which java does FxStore need")
    assert "Java 21" in right.text
    assert "17" not in right.text
    assert TITLE in right.text
    await sent(stage, ann.presses(right, "Sources"))
    assert TITLE in chat.texts[-1]
    assert "java.md" not in chat.texts[-1]

    # Another question is answered from the other documents as before.
    assert "Java 17" in (await asks(stage, ann, chat, "Which Java and which port does FxStore need?")).text


async def test_undo_brings_back_what_applied_before(stage: Stage) -> None:
    owner, office = owner_of(stage)
    for version in (21, 25):
        await sent(stage, owner.says(office, f"/correct {QUESTION}\nIt needs Java {version}."))
    assert "It replaces an earlier answer" in office.answers[-1].text
    second = office.answers[-1]
    assert "Java 25" in (await asks(stage, owner, office)).text
    await sent(stage, owner.presses(second, "Undo"))
    assert second.text.startswith(f"Your answer to {QUESTION} was taken back.")
    assert "Java 21" in (await asks(stage, owner, office)).text
    await sent(stage, owner.says(office, "/answers"))
    (line,) = [line for line in office.texts[-1].splitlines() if line.startswith("·")]
    name = line.partition(" – ")[2].rpartition(",")[0]
    await sent(stage, owner.says(office, "/documents"))
    assert name in office.texts[-1]
    await sent(stage, owner.says(office, f"/remove {name}"))
    await sent(stage, owner.presses(office.answers[-1], "Yes"))
    assert "Java 17" in (await asks(stage, owner, office)).text
    await sent(stage, owner.says(office, "/answers"))
    assert office.texts[-1].startswith("No administrator has given an answer yet.")


async def test_correction_in_a_chat_with_a_set_stays_in_chats_with_that_set(stage: Stage) -> None:
    owner, office = owner_of(stage)
    await sent(stage, owner.says(office, "/sets make hr hr"))
    await sent(stage, owner.says(office, "/sets make other java.md"))
    groups = []
    for name, chosen in (("HR", "hr"), ("Dev", "other")):
        group = stage.telegram.group(name, [owner])
        await sent(stage, owner.says(group, f"/sets@thinktwice_bot use {chosen}"))
        groups.append(group)
    hr, dev = groups
    await sent(stage, owner.says(hr, f"/correct@thinktwice_bot {QUESTION}\nIt needs Java 21."))
    assert "document set hr" in hr.texts[-1]
    assert "Java 21" in (await asks(stage, owner, hr, f"/ask@thinktwice_bot {QUESTION}")).text
    assert "Java 17" in (await asks(stage, owner, dev, f"/ask@thinktwice_bot {QUESTION}")).text
    # Who may read all documents may read this one.
    assert "Java 21" in (await asks(stage, owner, office)).text


async def test_file_answers_the_question_it_was_sent_for(stage: Stage) -> None:
    owner, office = owner_of(stage)
    wrong = await asks(stage, owner, office)
    content = b"Release notes. FxStore needs Java 23, says the board.\n"
    await sent(stage, owner.sends_file(office, "notes.txt", content, caption="/correct", reply_to=wrong))
    assert office.texts[-1].endswith(f"I answer {QUESTION} with:\n\n📎 notes.txt")
    assert "Java 23" in (await asks(stage, owner, office)).text
    await sent(stage, owner.sends_file(office, "notes.exe", content, caption="/correct", reply_to=wrong))
    assert "notes.exe" in office.texts[-1]
    await sent(stage, owner.sends_file(office, "bad.docx", b"no", caption="/correct", reply_to=wrong))
    assert "bad.docx" in office.texts[-1]
    assert "Java 23" in (await asks(stage, owner, office)).text


async def test_only_administrators_correct(stage: Stage) -> None:
    ann = stage.telegram.user("Olga", language_code="en")
    ann = stage.telegram.user("Ann", language_code="en")
    chat = stage.telegram.private(ann)
    answer = await asks(stage, ann, chat)
    for command in ("/correct Java 99", "/answers"):
        await sent(stage, ann.says(chat, command, reply_to=answer))
        assert chat.texts[-1] == "Only administrators of this bot can do that."
    await sent(stage, ann.presses(answer, "Wrong"))
    assert (chat.presses[-1].alert or "").startswith("Thank you! Rated as wrong.")


@pytest.mark.parametrize("command", ["/correct", "/correct Which Java?", "/correct \n"])
async def test_command_without_question_or_answer_says_how(stage: Stage, command: str) -> None:
    owner, office = owner_of(stage)
    await sent(stage, owner.says(office, command))
    assert office.texts[-1].startswith("Reply to one of my answers with /correct")


@pytest.mark.parametrize("has_recorded", [False, True], ids=["effect", "recorded"])
async def test_correction_is_kept_once_wherever_the_process_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_recorded: bool
) -> None:
    monkeypatch.setattr("bot.telegram.commands.reindexing._EVERY_SECONDS", 0.01)
    async with open_desk(tmp_path, monkeypatch) as d:
        await d.ask(f"/correct {QUESTION}\nJava 20.")
        corrections, file = d.services.parts.library.corrections, ""
        for kill_at in range(1, 6):
            said = d.owner.says(d.office, f"/correct {QUESTION}\nJava {20 + kill_at}.")
            recording = Recording(kill_at, has_recorded)
            with pytest.raises(KilledError):
                await d.handle(said, recording)
            recording.restart()
            await d.handle(said, recording)
            ((file, given),) = corrections.all().items()
            assert given.replaced == file
            assert f"Java {20 + kill_at}." in (d.workshop.data / "documents" / file).read_text("utf-8")
            assert given.replaced_as is not None
        ((_, given),) = corrections.all().items()
        assert corrections.undo(given.number) is not None
        assert "Java 24." in (d.workshop.data / "documents" / file).read_text("utf-8")


class TestEngine:
    """The choice of the document, with the real index."""

    @pytest.fixture
    def workshop(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
        made = make_workshop(tmp_path, monkeypatch)
        made.write(java="# Java\n\nFxStore needs Java 17.\n")
        made.sync()
        return made

    @pytest.fixture
    def base(self, workshop: Workshop) -> Iterator[KnowledgeBase]:
        opened = workshop.open()
        yield opened
        opened.close()

    async def test_answer_that_is_not_indexed_yet_hides_nothing(
        self, workshop: Workshop, base: KnowledgeBase
    ) -> None:
        corrections = Corrections(workshop.corpus)
        settings = SelfCorrection(answer_from="writer")
        engine = AnswerEngine(
            ScriptedModel(script), base, self_correction=settings, given_answers=corrections.questions
        )
        file = corrections.put_text(QUESTION, "FxStore needs Java 21.", TITLE, 1, "2026-05-20")
        assert "Java 17" in (await engine.answer(QUESTION)).text
        workshop.sync()
        answer = await engine.answer(QUESTION)
        assert "Java 21" in answer.text
        assert {citation.source for citation in answer.citations} == {file}
        assert {citation.document for citation in answer.citations} == {TITLE}
        # A question that may not be answered from it sees the older text.
        other = Question(QUESTION, documents=DocumentSet(("java.md",)))
        assert "Java 17" in (await engine.answer(other)).text
        corrections.remove(file)
        workshop.sync()
        assert "Java 17" in (await engine.answer(QUESTION)).text


class TestFiles:
    def test_second_answer_to_a_question_takes_the_place_of_the_first(self, tmp_path: Path) -> None:
        corrections = Corrections(tmp_path)
        first = corrections.put_text("Which Java?", "17", TITLE, 1, "2026-05-20")
        other = corrections.put_text("Which Java?", "19", TITLE, 2, "2026-05-20", "hr")
        second = corrections.put_file("which java", b"21", ".txt", 3, "2026-05-21")
        assert corrections.questions() == {other: "Which Java?", second: "which java"}
        assert not (tmp_path / first).exists()
        assert corrections.undo(3) == "which java"
        assert "17" in (tmp_path / first).read_text("utf-8")
        assert corrections.questions() == {first: "Which Java?", other: "Which Java?"}
        assert corrections.undo(3) is None
        assert not [path for path in tmp_path.rglob("*") if ".before" in path.parts and path.is_file()]

    @pytest.mark.parametrize(
        "question", ["../../etc/passwd", "?*[a]", "/", "\n\n", "Ä" * 500, ".hidden", "—"]
    )
    def test_name_of_the_file_stays_in_the_folder_and_is_no_pattern(
        self, tmp_path: Path, question: str
    ) -> None:
        corrections = Corrections(tmp_path)
        file = corrections.put_text(question, "answer", TITLE, 1, "2026-05-20")
        assert (tmp_path / file).resolve().is_relative_to(tmp_path / "answers by admins")
        assert not set("*?") & set(file)
        assert len(Path(file).name.encode()) < 120
        assert list(corrections.questions()) == [file]

    @pytest.mark.parametrize("record", ["", "[]", '{"x": 1}', '{"answers by admins/../../x": {}}', "null"])
    def test_damaged_record_means_no_answers(self, tmp_path: Path, record: str) -> None:
        folder = tmp_path / "answers by admins"
        folder.mkdir()
        (folder / ".answers.json").write_text(record)
        assert Corrections(tmp_path).questions() == {}
