"""The document of an interview: what stands in it, what is open, and what is said to be wrong."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from rag.interview.documents import Checks, Control, Fact, State
from rag.interview.events import Worded, fold, to_json
from rag.interview.missions import SHIPPED, Mission, MissionError, load_mission
from rag.interview.outline import Outline
from rag.interview.papers import Paper, draw_up, list_worded
from tests.support.talks import NOW, Talk, say

CONTRACT = load_mission(SHIPPED / "contract_ru")


def draw(clauses: list[Any], talk: Talk | None = None, state: State | None = None, **more: Any) -> Paper:
    """The document of a finished talk, with one section of these clauses."""
    if talk is None:
        talk = Talk()
        talk.finish()
    parts = [{"text": one} if isinstance(one, str) else one for one in clauses]
    outline = Outline.model_validate(
        {
            "title": "A report",
            "aside": ["/*", "/*/*"],
            "sections": [{"title": "All", "clauses": parts}],
            **more,
        }
    )
    paper = draw_up(state or talk.state, talk.mission.model_copy(update={"document": outline}), say)
    assert paper is not None
    return paper


def texts(paper: Paper) -> list[str]:
    return [f"{one.number} {one.text}" for section in paper.sections for one in section.clauses]


def faults(paper: Paper) -> list[str]:
    return [fault.code for fault in paper.faults]


def test_facts_stand_where_the_pack_asks_for_them_and_numbers_have_no_gaps() -> None:
    paper = draw(
        [
            'It is {{ fact("/product") }}.',
            {"when": 'value("/severity") == "blocker"', "text": "Never."},
            {
                "when": 'has("/version")',
                "text": 'Since {{ fact("/version") }}: {{ fact("/actual") | upper_first }}.',
            },
            {"id": "os", "text": 'On {{ fact("/environment/os") }}, see {{ ref("os") }}.'},
        ]
    )
    assert texts(paper) == ["1.1 It is editor.", "1.2 Since 2.1: An empty one.", "1.3 On Linux, see 1.3."]
    assert paper.sections[0].clauses[1].facts == {"/version": "2.1", "/actual": "an empty one"}
    assert (paper.faults, paper.gaps) == ((), ())


def test_what_is_open_is_a_gap_with_its_name() -> None:
    paper = draw(['By {{ fact("/version") }}.'], Talk())
    assert texts(paper) == ["1.1 By ____ (version)."]
    assert paper.gaps == ("/version",)


@pytest.mark.parametrize("status", ["proposed", "disputed"])
def test_value_that_nobody_stands_by_is_a_gap(status: Any) -> None:
    talk = Talk()
    talk.finish()
    facts = {**talk.state.facts, "/version": Fact(status=status)}
    state = talk.state.model_copy(update={"facts": facts})
    paper = draw(['{{ fact("/product") }}'], talk, state, aside=[])
    doubtful = [fault.values["title"] for fault in paper.faults if fault.code == "paper-fact-doubtful"]
    assert doubtful == ["version"]
    assert "paper-fact-missing" in faults(paper)  # the others are known, and stand nowhere
    if status == "proposed":
        control = Control(checks=Checks(require_user_confirmation_for_assumptions=False))
        state = state.model_copy(update={"control": control})
        assert "paper-fact-doubtful" not in faults(draw(['{{ fact("/product") }}'], talk, state, aside=[]))


def test_what_does_not_apply_is_said_so_and_is_no_gap() -> None:
    talk = Talk()
    facts = {"/error_message": Fact(status="not_applicable")}
    state = talk.state.model_copy(update={"facts": facts})
    paper = draw(['Message: {{ fact("/error_message") }}.'], talk, state, aside=[])
    assert (texts(paper), paper.gaps, paper.faults) == (["1.1 Message: none."], (), ())


def state_of(mission: Mission, domain: dict[str, Any], paths: list[str]) -> State:
    talk = Talk(mission.id)
    facts = {path: Fact(status="confirmed", source_turn="t1") for path in paths}
    return talk.state.model_copy(update={"domain": domain, "facts": facts})


def test_dates_and_figures_are_written_as_people_of_the_language_write_them() -> None:
    state = state_of(
        CONTRACT,
        {"money": {"price": 90000}, "dates": {"start": "2026-06-01"}, "contract": {"kind": "аренда"}},
        ["/money/price", "/dates/start", "/contract/kind"],
    )
    paper = draw_up(state, CONTRACT, say)
    assert paper is not None
    written = " ".join(" ".join(texts(paper)).split())
    assert "Цена договора: 90 000." in written
    assert "с даты: 1 июня 2026 г." in written
    assert ".." not in written
    assert paper.head.text == "Договор аренды"
    assert faults(paper) == []


def test_fact_that_stands_nowhere_is_named() -> None:
    paper = draw(['{{ fact("/product") }}'], aside=["/version", "/steps", "/environment/*", "/severity"])
    named = {fault.values["title"] for fault in paper.faults}
    assert named == {"expected behaviour", "actual behaviour"}


def test_fact_that_a_template_swallows_is_named() -> None:
    paper = draw(['{% set gone = fact("/product") %}Nothing.'])
    assert [(fault.code, fault.values["title"]) for fault in paper.faults] == [
        ("paper-fact-missing", "product")
    ]


def test_term_must_be_defined_before_it_is_used_and_a_reference_must_stand() -> None:
    paper = draw(['{{ use("Seller") }} pays, see {{ ref("none") }}.', 'The {{ define("Seller") }}.'])
    assert faults(paper) == ["paper-term-undefined", "paper-ref-unknown"]
    assert draw(['The {{ define("Seller") }}.', '{{ use("Seller") }} pays.']).faults == ()


def test_clause_that_cannot_be_filled_in_is_named_and_the_rest_stands() -> None:
    paper = draw(["{{ 1 / 0 }}", "The rest."])
    assert faults(paper) == ["paper-clause-broken"]
    assert texts(paper)[1] == "1.2 The rest."


def test_what_was_said_is_never_a_template() -> None:
    talk = Talk()
    talk.says("{{ 7 * 7 }}", {"/product": ("{{ 7 * 7 }}", "{{ 7 * 7 }}")})
    assert texts(draw(['{{ fact("/product") }}'], talk)) == ["1.1 {{ 7 * 7 }}"]


def test_wording_in_the_log_stands_until_its_facts_change() -> None:
    talk = Talk()
    talk.finish()

    def summary() -> tuple[str, bool]:
        paper = draw_up(fold(talk.events), talk.mission, say, list_worded(talk.events))
        assert paper is not None
        clause = paper.sections[0].clauses[0]
        return clause.text, clause.is_worded

    assert summary() == (
        "Product: editor\nVersion: 2.1\nExpected behaviour: a saved file\nActual behaviour: an empty one",
        False,
    )
    paper = draw_up(talk.state, talk.mission, say)
    assert paper is not None
    (wish,) = paper.wishes
    before = talk.state
    talk.events.append(Worded(clauses={wish.key: "It is empty."}, at=NOW))
    assert "worded" in to_json(talk.events[-1])
    assert talk.state == before
    assert summary() == ("It is empty.", True)
    talk.says("change the version")
    assert summary() == (
        "Product: editor\nExpected behaviour: a saved file\nActual behaviour: an empty one\n____ (version)",
        False,
    )


def broken(tmp_path: Path, document: Any) -> str:
    folder = tmp_path / "pack"
    shutil.copytree(SHIPPED / "bug_report", folder)
    raw = yaml.safe_load((folder / "mission.yaml").read_text(encoding="utf-8"))
    (folder / "mission.yaml").write_text(yaml.safe_dump({**raw, "document": document}), encoding="utf-8")
    with pytest.raises(MissionError) as raised:
        load_mission(folder)
    return str(raised.value)


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ({"text": '{{ fact("/prodct") }}'}, "/prodct is not described"),
        ({"text": "x", "when": 'has("/prodct")'}, "/prodct is not described"),
        ({"prompt": "Say it.", "facts": ["/prodct"]}, "/prodct is not described"),
        ({"text": "{{ fact('/product' }}"}, "unexpected '}'"),
        ({"text": "{{ facts('/product') }}"}, "there is no 'facts'"),
        ({"text": "a", "prompt": "b"}, "either `text` or `prompt`"),
        ({"prompt": "b"}, "names its `facts`"),
    ],
    ids=["path", "path of a condition", "path of a prompt", "syntax", "function", "both", "no facts"],
)
def test_pack_with_a_wrong_document_is_refused_by_name(tmp_path: Path, clause: Any, named: str) -> None:
    told = broken(tmp_path, {"title": "x", "sections": [{"title": "y", "clauses": [clause]}]})
    assert named in told
    assert "mission.yaml" in told
