"""What a member of a council can do wrong, in each stage: a real server on loopback, the council in this process.

The table holds every member (and all of them at once), every stage and every fault. There is always an answer,
or one sentence, and no prompt ever names a member.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from rag.engine import AnswerEngine
from rag.errors import ModelError
from rag.events import Answered, CouncilEvent, Event
from rag.models.roles import RoleModels
from rag.settings import Council, Models, Seat
from rag.values import Answer
from rag.values.council import CouncilRecord
from tests.support.councils import MEMBERS, stage_of, whole_text
from tests.support.loop import PROMPTS, MemoryCorpus
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Hang, HangUp, Raw, Say

QUESTION = "Which Java does FxStore need?"
STAGES = ("propose", "peer_review", "self_correct", "conclude")
COLOURS = dict(zip(MEMBERS, ("red", "green", "blue"), strict=True))
"""What the members say besides the answer, so that no reply holds a name."""

KEY = "sk-secret-of-the-seats"

FAULTS: dict[str, Behaviour] = {
    "time-out": Hang(),
    "429": Fail(429),
    "500": Fail(500),
    "401": Fail(401),
    "hangs up": HangUp(),
    "null": Raw(b'{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, '
                b'"finish_reason": "stop", "message": {"role": "assistant", "content": null}}]}'),
    "cut off": Say("FxStore needs", "length"),
    "refusal": Say("I cannot help with that."),
    "truncated JSON": Say('{"ranking": ["A", "B'),
}  # fmt: skip

RANKINGS: dict[str, Behaviour] = {
    "wrong permutation": Say({"ranking": ["A", "A"], "critiques": []}),
    "one left out": Say({"ranking": ["A"], "critiques": []}),
    "the Russian alphabet": Say({"ranking": ["Ответ А", "Ответ Б"], "critiques": []}),
    "Chinese ordinals": Say({"ranking": ["甲", "乙"], "critiques": []}),
    "prose": Say("FINAL RANKING:\n1. Response A\n2. Response B"),
}
"""Faults of a review alone; elsewhere such a reply is a text."""

CASES = [
    *((stage, fault) for stage in STAGES for fault in FAULTS),
    *(("peer_review", fault) for fault in RANKINGS),
]
HARMLESS = {("propose", "truncated JSON"), ("conclude", "refusal")}
"""Replies that the stage takes as a text like any other; what becomes of them is for the checks to say."""


def behave(request: Recorded) -> Behaviour:
    """Reply as a member that makes no mistake."""
    text, colour = whole_text(request), COLOURS.get(str(request.body.get("model")), "")
    match stage_of(text):
        case "peer_review":
            (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", text)
            shown = str(listed).split(", ")
            return Say({"ranking": shown, "critiques": [{"label": shown[0], "issues": ["It is dull."]}]})
        case "self_correct":
            return Say(f"FxStore needs Java 17 [1]. I have corrected what was {colour}.")
        case "conclude":
            return Say("FxStore needs Java 17 [1].")
        case "propose":
            return Say(f"FxStore needs Java 17 [1]. I prefer {colour}.")
    if "answer_quality" in text:
        return Say({"answer_quality": "adequate", "reason": "fine", "confidence": 0.9})
    return Say("Java 17")


class Table:
    """One server for all councils of the table; the script of the moment decides what it replies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fault: tuple[str, tuple[str, ...], Behaviour] | None = None
        self.server = FakeOpenAI(self.reply, models=MEMBERS)

    def reply(self, request: Recorded) -> Behaviour:
        if self.fault is not None:
            stage, failing, behaviour = self.fault
            if request.body.get("model") in failing and stage_of(whole_text(request)) == stage:
                return behaviour
        return behave(request)

    async def hold(self, *, slow: tuple[str, ...] = ()) -> tuple[Answer, list[str], list[Recorded]]:
        """Hold a council; return its answer, the names of its events and the requests.

        Args:
            slow: Members of whom a time-out is expected; the others have time enough on a busy machine.
        """
        seats = {
            name: Seat(model=f"openai:{name}", timeout_seconds=1.0 if name in slow else 60.0)
            for name in MEMBERS
        }
        chosen = Models(
            default="openai:anna",
            openai_base_url=self.server.base_url,
            openai_api_key=SecretStr(KEY),
            attempts=1,
        )
        council = Council(members=MEMBERS, chairman="anna", seats=seats)
        models = RoleModels(chosen, self.folder, council)
        before = len(self.server.requests)
        engine = AnswerEngine(models, MemoryCorpus(), PROMPTS, model_settings=chosen, council=council)
        try:
            events: list[Event] = [event async for event in engine.council(QUESTION)]
        finally:
            await models.aclose()
        last = events[-1]
        assert isinstance(last, Answered)
        told = [event.name for event in events if isinstance(event, CouncilEvent)]
        return last.answer, told, self.server.requests[before:]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("models"))
    with table.server:
        yield table


def assert_nameless(requests: list[Recorded]) -> None:
    """No prompt holds the name of a member, nor how its model is named."""
    for request in requests:
        text = whole_text(request).casefold()
        for name in (*MEMBERS, "openai", KEY):
            assert name not in text, stage_of(text)


def recorded(answer: Answer) -> CouncilRecord:
    assert answer.council is not None
    return answer.council


@pytest.mark.parametrize(
    ("stage", "fault", "who"),
    [
        pytest.param(stage, fault, who, marks=() if who in {"anna", "everybody"} else pytest.mark.soak)
        for stage, fault in CASES
        for who in (*MEMBERS, "everybody")
    ],
)
async def test_fault_of_a_member_is_an_answer_or_one_sentence(
    table: Table, stage: str, fault: str, who: str
) -> None:
    failing = MEMBERS if who == "everybody" else (who,)
    table.fault = (stage, failing, (FAULTS | RANKINGS)[fault])
    is_harmless = (stage, fault) in HARMLESS
    slow = failing if fault == "time-out" else ()
    if (stage, who) == ("propose", "everybody") and not is_harmless:
        with pytest.raises(ModelError, match="No member of the council answered") as caught:
            await table.hold(slow=slow)
        assert KEY not in str(caught.value)
        return
    answer, told, requests = await table.hold(slow=slow)
    record = recorded(answer)
    assert answer.text
    assert told[-1] == "complete"
    assert [name for name in told if name.endswith("_complete")] == [
        f"{one}_complete" for one in ("stage1", "stage2", "stage2_5", "stage3")
    ]
    assert_nameless(requests)
    if is_harmless:
        assert answer.label != "verified" or "Java 17" in answer.text
        return
    assert "Java 17" in answer.text
    if stage != "conclude":
        assert {one.seat for one in record.degraded if one.stage != "stage2_5"} | {
            one.seat for one in record.stage2_5 if one.fallback
        } >= set(failing)
    match stage:
        case "propose":
            assert {one.seat for one in record.stage1 if not one.is_usable} == set(failing)
            later = {one.reviewer for one in record.stage2} | {one.seat for one in record.stage2_5}
            assert later.isdisjoint(failing)
        case "peer_review":
            assert {one.reviewer for one in record.stage2 if one.ballot is None} == set(failing)
            assert all(one.abstention for one in record.stage2 if one.ballot is None)
            assert all(one.ballots <= len(MEMBERS) - len(failing) for one in record.standings)
        case "self_correct":
            kept = [one for one in record.stage2_5 if one.fallback is not None]
            assert {one.seat for one in kept} == set(failing)
            assert all(one.corrected == one.original for one in kept)
        case "conclude":
            assert record.stage3 is not None
            assert record.stage3.is_single_answer == (who == "everybody")
            is_asked = "anna" in failing
            failed = [one.seat for one in record.degraded if one.stage == "stage3"]
            assert (not failed) == (not is_asked)
            assert set(failed) <= set(failing)


@pytest.mark.parametrize("label", ["Ответ {}", "答案{}", "回答 {}。", "Réponse {}", "답변 {}"])
async def test_labels_in_other_languages_count(
    table: Table, label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(request: Recorded) -> Behaviour:
        said = behave(request)
        if stage_of(whole_text(request)) != "peer_review":
            return said
        assert isinstance(said, Say)
        assert isinstance(said.text, dict)
        written: dict[str, Any] = said.text
        return Say({**written, "ranking": [label.format(letter) for letter in written["ranking"]]})

    table.fault = None
    monkeypatch.setattr(table.server, "behaviour_for", reply)
    answer, _told, _requests = await table.hold()
    assert [one.ballots for one in recorded(answer).standings] == [2, 2, 2]
    assert recorded(answer).degraded == ()
