"""The gate on labelled states, and the ledger of questions on pairs of wordings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from rag.interview.documents import (
    AddOrReplace,
    AskUser,
    Fact,
    FactStatus,
    Issue,
    IssueEvidence,
    State,
)
from rag.interview.events import TurnApplied, apply_turn
from rag.interview.gate import check_gate
from rag.interview.missions import SHIPPED, Category, Mission, load_mission
from rag.interview.patch import apply_operations, place
from rag.interview.questions import choose_question, fingerprint
from rag.interview.turns import plan_opening
from tests.support.talks import NOW, Talk, say_code

MISSIONS = {name: load_mission(SHIPPED / name) for name in ("bug_report", "contract_ru", "onboarding")}
STARTED = {name: Talk(name).state for name in MISSIONS}


def needed(mission: Mission) -> list[str]:
    """The paths of a complete state; of each group the first."""
    return [
        path
        for category in mission.categories
        for path in (*category.required, *(group[0] for group in category.any_of))
    ]


def known(mission: Mission, statuses: dict[str, FactStatus | None]) -> State:
    """A state in which every path is confirmed, but for those with another status; None: nothing is known."""
    state = STARTED[mission.id]
    domain, facts = state.domain, {}
    for path in dict.fromkeys((*needed(mission), *statuses)):
        status = statuses.get(path, "confirmed")
        if status is None:
            continue
        facts[path] = Fact(status=status)
        if status != "not_applicable":
            op = AddOrReplace(op="add", path=path, value="x")
            domain = apply_operations(domain, place(domain, op))
    return state.model_copy(update={"domain": domain, "facts": facts})


def labelled() -> Iterator[Any]:
    """States by what is wrong with one path, with the blocked path; an empty one for what is complete."""
    for name, mission in MISSIONS.items():
        yield pytest.param(mission, {}, "", id=f"{name} complete")
        following = {group[0]: group[1:] for category in mission.categories for group in category.any_of}
        for path in needed(mission):
            yield pytest.param(mission, {path: None}, path, id=f"{name} without {path}")
            yield pytest.param(mission, {path: "proposed"}, path, id=f"{name} assumes {path}")
            # Where the first fact of a group does not apply, the next one is needed.
            others = following.get(path, ())
            blocked = others[0] if others else ""
            yield pytest.param(mission, {path: "not_applicable"}, blocked, id=f"{name} has no {path}")
            if others:
                none: dict[str, FactStatus] = dict.fromkeys((path, *others), "not_applicable")
                yield pytest.param(mission, none, "", id=f"{name} has nothing of {path}")
                for statuses in ({path: None}, {path: "not_applicable"}):
                    made_up = {**statuses, others[0]: "confirmed"}
                    yield pytest.param(mission, made_up, "", id=f"{name} has {others[0]}, {statuses}")


LABELLED = list(labelled())


def test_there_are_forty_labelled_states() -> None:
    assert len(LABELLED) >= 40


@pytest.mark.parametrize(("mission", "statuses", "blocked"), LABELLED)
def test_gate_is_right_on_labelled_states(
    mission: Mission, statuses: dict[str, FactStatus | None], blocked: str
) -> None:
    gate = check_gate(known(mission, statuses), mission)
    assert gate.ready_for_skeleton == (not blocked)
    assert [blocker.path for blocker in gate.blockers or ()] == ([blocked] if blocked else [])
    assert all(blocker.category and blocker.missing for blocker in gate.blockers or ())


@pytest.mark.parametrize("severity", ["critical", "high", "med", "low"])
def test_only_critical_issues_block(severity: Any) -> None:
    mission = MISSIONS["bug_report"]
    issue = Issue(
        id="1",
        severity=severity,
        title="t",
        why_it_matters="w",
        evidence=(IssueEvidence(kind="fact_path", ref="/product"),),
    )
    state = known(mission, {}).model_copy(update={"issues": (issue,)})
    assert check_gate(state, mission).ready_for_skeleton == (severity != "critical")


def test_issue_that_is_closed_does_not_block() -> None:
    mission = MISSIONS["bug_report"]
    issue = Issue(id="1", severity="critical", status="dismissed", title="t", why_it_matters="w")
    state = known(mission, {}).model_copy(update={"issues": (issue,)})
    assert check_gate(state, mission).ready_for_skeleton


def test_every_element_of_a_list_is_required_where_the_pack_says_so() -> None:
    category = Category(id="parties", title="Parties", required=("/parties/*/name",))
    mission = MISSIONS["contract_ru"].model_copy(update={"categories": (category,)})
    state = known(mission, {}).model_copy(
        update={
            "domain": {"parties": [{"name": "Anna"}, {"role": "lessee"}, {}]},
            "facts": {"/parties/0/name": Fact(status="confirmed")},
        }
    )
    blockers = check_gate(state, mission).blockers or ()
    assert [blocker.path for blocker in blockers] == ["/parties/1/name", "/parties/2/name"]


WORDINGS = {
    "/parties/0/name": ("Кто первая сторона договора?", "Назовите первую сторону."),
    "/parties/1/name": ("Кто вторая сторона договора?", "Назовите вторую сторону."),
    "/subject/description": ("Что передаётся по договору?", "Укажите предмет договора."),
    "/subject/quantity": ("В каком количестве?", "Сколько единиц передаётся?"),
    "/money/price": ("Какова цена договора?", "Укажите стоимость."),
    "/money/payment_terms": ("Как производится оплата?", "Каков порядок расчётов?"),
    "/dates/start": ("Когда начинает действовать договор?", "С какой даты он действует?"),
    "/dates/end": ("Какой срок договора?", "До какой даты он действует?"),
}
PAIRS = [
    *((path, path) for path in WORDINGS),
    *list(combinations(WORDINGS, 2))[:22],
]


def test_there_are_thirty_pairs() -> None:
    assert len(PAIRS) == 30


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda path: path)
def test_same_fact_is_not_asked_in_other_words_and_another_fact_is(first: str, second: str) -> None:
    mission = MISSIONS["contract_ru"]
    state = Talk(mission.id, max_asks_per_path=1).state

    def proposed(path: str, wording: int) -> AskUser:
        return AskUser(question_text=WORDINGS[path][wording], path=path)

    opening = plan_opening(state, mission, NOW, say_code)
    assert opening.asked is not None
    meant = fingerprint(state, mission, WORDINGS[first][0], first, "value")
    words = {"path": first, "text": WORDINGS[first][0], "semantic_fingerprint": meant}
    asked = opening.asked.model_copy(update=words)
    after = apply_turn(state, TurnApplied(turns=(), asked=asked, next_action=opening.next_action, at=NOW))
    question = choose_question(after, mission, say_code, proposed(second, 1))
    assert question is not None
    assert (question.question_text == WORDINGS[second][1]) == (first != second)
    assert question.path != first
