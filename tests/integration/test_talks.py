"""Talks written by hand by the authors, held with the real service: every word is in the file.

The model is no code of the product and no recording of one: its replies stand in the file, and one that cannot be used is asked
for again, as the real client does.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.service.interview_values import View
from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks
from bot.settings.sections import Interviews as Bounds
from bot.storage.database import open_database
from bot.storage.interviews import StoredInterviews
from rag.errors import ModelReplyError
from rag.interview.events import TurnApplied, TurnFailed
from rag.interview.issues import is_left_open, is_note
from rag.interview.pointers import find
from rag.interview.quotes import normalise
from rag.models.chat import ChatRequest, Completion
from rag.models.scripted import Reply, ScriptedModel
from tests.conftest import REPOSITORY
from tests.support.interviews import ANN, ModelEngine, passes

FOLDER = REPOSITORY / "bench" / "data" / "missions"
TALKS: list[dict[str, Any]] = yaml.safe_load((FOLDER / "talks.yaml").read_text(encoding="utf-8"))
PACKS = MissionPacks.load((FOLDER / "packs",))


class Writer(ScriptedModel):
    """Writes what stands in a talk; asked again about a reply of no use, it writes the next one."""

    def __init__(self) -> None:
        self.written: list[str] = []
        super().__init__(self._write)

    def _write(self, request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return passes()
        assert self.written, f"no model may be asked about this: {request.messages[-1].text[-200:]}"
        return self.written.pop(0)

    async def complete(self, request: ChatRequest, on_text: Any = None) -> Completion:
        for _ in range(request.repairs):
            try:
                return await super().complete(request, on_text)
            except ModelReplyError:
                if not self.written:
                    raise
        return await super().complete(request, on_text)


@pytest.fixture
async def held(tmp_path: Path) -> AsyncIterator[tuple[Interviews, Writer]]:
    writer = Writer()
    async with open_database(tmp_path) as database:
        yield Interviews(ModelEngine(writer), StoredInterviews(database), PACKS, Bounds()), writer


def check_that_it_goes_on(view: View) -> None:
    """Nobody is stuck, and nobody reads a pointer or JSON."""
    last = view.events[-1]
    assert not isinstance(last, TurnFailed), last
    assert not view.session.is_open or view.next_action.ask_user or view.state.meta.status != "collecting"
    asked = [one for one in view.state.dialogue.asked if one.facet != "conflict"]
    assert len({normalise(one.text) for one in asked}) == len(asked)
    assert all(one.semantic_fingerprint for one in view.state.dialogue.asked)
    shown = [issue.title for issue in view.state.issues]
    shown += [turn.text for turn in view.state.dialogue.history if turn.role == "assistant"]
    if isinstance(last, TurnApplied):
        shown.append(last.remark)
    for text in shown:
        assert not re.search(r'[{}]|/[a-z]+/|":', text), text


def check_document(interviews: Interviews, view: View) -> None:
    """The document of a talk, if its pack has one, holds each fact and no other figure or name."""
    paper = interviews.draw_up(view)
    if paper is None:
        return
    mission = PACKS.find(view.session.pack)
    assert mission.document is not None
    written = "\n".join(clause.text for clause in paper.clauses)
    sure = {path: fact for path, fact in view.state.facts.items() if fact.status == "confirmed"}
    stated = {path: said for clause in paper.clauses for path, said in clause.facts.items()}
    assert stated.keys() == sure.keys()
    assert all(normalise(words) in normalise(written) for words in stated.values())
    assert {fault.code for fault in paper.faults} <= {"paper-fact-doubtful"}
    known = "\n".join((*stated.values(), mission.document.model_dump_json(), *mission.titles.values()))
    numbers = re.compile(r"\b\d+(\.\d+)*\b")
    assert {found[0] for found in numbers.finditer(written)} <= {
        found[0] for found in numbers.finditer(known)
    } | {clause.number for clause in paper.clauses} | {section.number for section in paper.sections}


def test_there_are_thirty_talks_in_three_languages() -> None:
    assert len({talk["id"] for talk in TALKS}) == len(TALKS) == 30
    assert {PACKS.find(talk["pack"]).locale.language for talk in TALKS} == {"en", "ru", "es"}


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk["id"])
async def test_talk_ends_with_what_the_person_said(
    held: tuple[Interviews, Writer], talk: dict[str, Any]
) -> None:
    interviews, writer = held
    view = await interviews.create(ANN, talk["pack"])
    for said in talk["talk"]:
        hears = said.get("hears", [])
        writer.written = [hears] if isinstance(hears, str) else list(hears)
        view = await interviews.post(ANN, view.session.id, said["say"])
        assert writer.written == [], said
        check_that_it_goes_on(view)
    if talk.get("end") == "closed":
        # The first word that ends it only asks.
        assert view.session.is_open
        view = await interviews.post(ANN, view.session.id, talk["talk"][-1]["say"])
    state = view.state
    known = {path: find(state.domain, path) for path in state.facts if find(state.domain, path) is not None}
    assert known == talk["facts"]
    assert ("closed" if not view.session.is_open else state.meta.status) == talk.get("end", "ready")
    for path in talk.get("open", ()):
        assert is_left_open(state.issues, path)
    notes = " ".join(issue.title for issue in state.issues if is_note(issue))
    assert all(words in notes for words in talk.get("notes", ()))
    check_document(interviews, view)
    if talk.get("end", "ready") == "ready":
        assert {fact.status for fact in state.facts.values()} <= {"confirmed", "not_applicable"}
