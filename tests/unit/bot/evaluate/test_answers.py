from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.evaluate.answers import Answered, AnswerReport, answer_row
from bot.evaluate.recording import Recording
from bot.evaluate.rows import LabelledQuestion, Malformed
from bot.evaluate.systems import System, SystemName
from rag.errors import ModelUnavailableError
from rag.reasons import as_written
from rag.values import LABELS, Answer, Citation, Failure, Label, Passage, PassageId, Question, Usage, Verdict

PASSAGE = Passage(PassageId("p"), "Pier", "", "Pier needs Java 17.", source="pier")


def even(terms: Iterable[str]) -> dict[str, float]:
    return dict.fromkeys(terms, 1.0)


def row(number: int = 1, kind: str = "docs", **more: object) -> LabelledQuestion:
    return LabelledQuestion.model_validate(
        {"id": str(number), "kind": kind, "lang": "en", "question": f"Which Java {number}?", **more}
    )


def answer(text: str, label: Label = "general", *, cited: bool = False, tokens: int = 10) -> Answer:
    return Answer(
        question="q",
        text=text,
        label=label,
        language="en",
        verdict=Verdict("adequate", as_written(""), 0.9, "evidence"),
        citations=(Citation(1, "Pier", "", "Pier needs Java 17.", PASSAGE.id),) if cited else (),
        passages=(PASSAGE,),
        used_documents=cited,
        retries=0,
        usage=Usage(2, tokens, 5),
        seconds=0.5,
        trace=(),
    )


def says(text: str, label: Label = "general", *, cited: bool = False, tokens: int = 10) -> System:
    async def system(question: Question) -> Answer:
        return answer(text, label, cited=cited, tokens=tokens)

    return system


async def measured(
    tmp_path: Path, rows: list[LabelledQuestion], systems: dict[SystemName, System], *, resume: bool = False
) -> tuple[Answered, ...]:
    work = [
        (f"{number} {name}", partial(answer_row, row, name, system, even))
        for number, row in enumerate(rows)
        for name, system in systems.items()
    ]
    with Recording(tmp_path / "answers.jsonl", Answered, resume=resume) as recording:
        return await recording.complete(work, lambda _count, _total: None)


async def test_figures_have_the_promised_shape_and_arithmetic(tmp_path: Path) -> None:
    rows = [row(1, answers=["17"]), row(2, answers=["21"]), row(3, "unanswerable"), row(4, "small_talk")]
    systems: dict[SystemName, System] = {
        "always": says("It needs Java 17 [1].", "verified", cited=True, tokens=195),
        "self": says("I do not know that.", "not_in_documents", tokens=95),
    }
    found = AnswerReport(await measured(tmp_path, rows, systems), 2, (Malformed(7, "no"),)).to_json()
    assert found["rows"] == 4
    always, own = found["systems"]["always"], found["systems"]["self"]
    assert always["right"] == always["right_briefly"] == 0.25
    assert always["wrong"] == 0.75
    assert always["wrong_verified"] == 0.75
    assert always["labels"] == dict.fromkeys(LABELS, 0.0) | {"verified": 1.0}
    assert always["citation_precision"] == 0.5  # two rows name an answer, the passage holds one of them
    assert (always["calls"], always["input_tokens"], always["output_tokens"], always["seconds"]) == (
        2,
        195,
        5,
        0.5,
    )
    assert (own["refused_rightly"], own["refused_wrongly"]) == (0.25, 0.75)
    assert own["citation_precision"] is None
    assert always["by_group"]["documents"]["rows"] == 3
    assert always["by_group"]["small_talk"]["used_documents"] == 1.0
    assert found["tokens_saved"] == {"self": 0.5}  # 100 of 200
    assert (found["without_gold"], found["malformed"]) == (2, [{"line": 7, "reason": "no"}])


async def test_refusals_are_reported_by_kind_and_by_form_of_question(tmp_path: Path) -> None:
    rows = [
        row(1, "answerable", answers=["17"], form="value"),
        row(2, "answerable", polarity="no", form="yes_no"),
        row(3, "answerable", answers=["17"], form="value"),
        row(4, "unanswerable", form="value"),
        row(5, "unanswerable"),
        row(6, "small_talk"),
    ]
    said = {
        1: answer("Java 17 [1].", "verified"),
        2: answer("The documents do not say it.", "not_in_documents"),
        3: answer("I do not know that.", "unverified"),
        4: answer("Perhaps Java 11.", "unverified"),
        5: answer("Java 11.", "verified"),
        6: answer("Hello!"),
    }

    async def system(question: Question) -> Answer:
        return said[int(question.text.split()[-1].rstrip("?"))]

    found = AnswerReport(await measured(tmp_path, rows, {"self": system})).to_json()["systems"]["self"]
    assert found["answerable"]["rows"] == 3
    assert found["answerable"]["refused_wrongly"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["answerable"]["calls"] == 2.0
    assert (found["refused_wrongly"], found["refused_or_left_open"]) == (pytest.approx(2 / 6, abs=1e-4), 0.5)
    kinds = {name: (part["rows"], part["refused_or_left_open"]) for name, part in found["by_kind"].items()}
    assert kinds == {"answerable": (3, None), "unanswerable": (2, 0.5)}
    forms = {name: (part["rows"], part["refused_wrongly"]) for name, part in found["by_form"].items()}
    assert forms == {"value": (2, 0.5), "yes_no": (1, 1.0)}


async def test_resumed_run_asks_only_what_is_missing(tmp_path: Path) -> None:
    asked: list[str] = []

    async def once(question: Question) -> Answer:
        asked.append(question.text)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return answer("17")

    rows = [row(1, answers=["17"]), row(2, answers=["17"])]
    with pytest.raises(KeyboardInterrupt):
        await measured(tmp_path, rows, {"self": once})
    found = await measured(tmp_path, rows, {"self": once}, resume=True)
    assert asked == ["Which Java 1?", "Which Java 2?", "Which Java 2?"]
    assert [one.outcome for one in found] == ["right", "right"]


async def test_one_failing_answer_is_wrong_and_is_asked_again_when_resumed(tmp_path: Path) -> None:
    is_away = True

    async def unsteady(question: Question) -> Answer:
        if is_away and "1" in question.text:
            raise ModelUnavailableError("too slow")
        return answer("17")

    rows = [row(1, answers=["17"]), row(2, answers=["17"])]
    found = AnswerReport(await measured(tmp_path, rows, {"self": unsteady})).to_json()["systems"]["self"]
    assert (found["right"], found["wrong"], found["wrong_verified"], found["failed"]) == (0.5, 0.5, 0.0, 0.5)
    is_away = False
    again = AnswerReport(await measured(tmp_path, rows, {"self": unsteady}, resume=True)).to_json()
    assert again["systems"]["self"]["failed"] == 0.0


async def test_failed_answer_costs_what_it_cost(tmp_path: Path) -> None:
    async def broken(question: Question) -> Answer:
        return replace(answer("", tokens=95), failure=Failure("unavailable", as_written("no reading")))

    found = AnswerReport(await measured(tmp_path, [row()], {"self": broken})).to_json()["systems"]["self"]
    assert (found["failed"], found["wrong"]) == (1.0, 1.0)
    assert (found["calls"], found["input_tokens"], found["seconds"]) == (2, 95, 0.5)


async def test_cost_is_not_told_where_a_model_without_a_price_was_called(tmp_path: Path) -> None:
    def paid(cost: float, unpriced_calls: int = 0) -> System:
        async def system(question: Question) -> Answer:
            spent = Usage(2, 95, 5, cost=cost, unpriced_calls=unpriced_calls)
            return replace(answer("17"), usage=spent)

        return system

    systems: dict[SystemName, System] = {"never": paid(0.0), "self": paid(0.25), "always": paid(0.25, 1)}
    report = AnswerReport(await measured(tmp_path, [row()], systems)).to_json()
    costs = {name: found["cost"] for name, found in report["systems"].items()}
    assert costs == {"never": 0.0, "self": 0.25, "always": None}


async def test_model_that_is_gone_ends_the_run_and_says_how_to_go_on(tmp_path: Path) -> None:
    async def gone(question: Question) -> Answer:
        raise ModelUnavailableError("no answer")

    with pytest.raises(ModelUnavailableError, match="--resume"):
        await measured(tmp_path, [row(n, answers=["17"]) for n in range(9)], {"self": gone})
