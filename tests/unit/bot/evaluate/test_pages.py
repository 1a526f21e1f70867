from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluate import pages, tables
from bot.evaluate.ablation import SIGNALS, UNWEIGHED, Without, ablation
from bot.evaluate.answers import Answered, AnswerReport
from bot.evaluate.page import Card, Page, Part, Table, Words
from bot.evaluate.retrieval import Found, RetrievalReport, Searched
from bot.evaluate.rows import LabelledDraft, LabelledQuestion
from bot.evaluate.systems import SystemName
from bot.evaluate.verdicts import Judged, VerdictReport
from rag.evidence import score_evidence
from rag.reasons import as_written
from rag.values import Evidence, Verdict

KINDS = "子类<script>alert(1)</script>"


def judged(expected: str, supported: float) -> Judged:
    row = LabelledDraft.model_validate(
        {"id": "1", "kind": KINDS, "lang": "zh", "question": "<b>?", "draft": "草稿", "expected": expected}
    )
    measured = dict.fromkeys(UNWEIGHED.union(*SIGNALS.values()), 0.0) | {
        "supported": supported,
        "anchored": 1.0,
        "nearness": 1.0,
    }
    measured |= {"covered": 1.0, "length": 0.5, "relevance": 1.0, "claims": 0.5, "echo": 0.3}
    found = score_evidence(measured, Evidence(covered=0.0, supported=0.0))
    verdict = Verdict(
        "adequate" if supported > 0.5 else "hallucination", as_written("because"), 0.9, "evidence"
    )
    return Judged(row, verdict, verdict, found, True, True, False, 10.0, 0)


def pictures(html: str) -> list[str]:
    return [base64.b64decode(code).decode() for code in re.findall(r"svg\+xml;base64,([^\"]+)", html)]


def test_verdict_page_has_plots_tables_and_the_mistakes() -> None:
    found = (judged("adequate", 1.0), judged("hallucination", 0.0), judged("adequate", 0.0))
    html = pages.of_verdicts(
        VerdictReport(found), [Without("nothing", 0.9, 0.0), Without("length", 0.8, 0.1)], "set"
    ).to_html()
    assert len(pictures(html)) == 3
    assert all("<svg" in picture for picture in pictures(html))
    assert "What was judged wrongly: 1" in html
    assert "<script>" not in html
    assert "草稿" in html


def test_retrieval_page_shows_what_was_missed() -> None:
    row = LabelledQuestion.model_validate({"id": "q7", "question": "где?", "lang": "ru", "passages": ["p"]})
    relevance = (False,) * 6 + (True,)
    one = Found(row, {"words": relevance, "vectors": (True,), "fusion": relevance}, 1, 3.0)
    html = pages.of_retrieval(RetrievalReport((Searched(one, one),)), "set").to_html()
    assert len(pictures(html)) == 2
    assert "Not among the first five: 1" in html
    assert "q7" in html


def test_answer_page_shows_the_worst_mistakes_first() -> None:
    row = LabelledQuestion.model_validate({"id": "1", "kind": "docs", "question": "q", "answers": ["17"]})
    nothing = Verdict("adequate", as_written(""), 0.9, "evidence")
    wrong = Answered(
        row, "self", "It is 11.", "verified", "en", "wrong", nothing, (False,), True, 2, 90, 10, 1.0
    )
    html = pages.of_answers(AnswerReport((wrong,)), "set").to_html()
    assert "Wrong but labelled verified: 1" in html
    assert "It is 11." in html
    assert len(pictures(html)) == 3


def test_only_a_fault_that_occurred_is_red() -> None:
    good, bad = VerdictReport((judged("adequate", 1.0),)), VerdictReport((judged("hallucination", 1.0),))
    marked = '<div class="card bad"><b>100.0 %</b><span>wrong but adequate'
    assert marked in pages.of_verdicts(bad, (), "set").to_html()
    html = pages.of_verdicts(good, (), "set").to_html()
    assert '"card bad"' not in html
    assert "What was judged wrongly" not in html


@pytest.mark.parametrize(("own_tokens", "share", "than"), [(60, 40, "fewer"), (125, 25, "more")])
def test_tokens_are_saved_or_spent(own_tokens: int, share: int, than: str) -> None:
    row = LabelledQuestion.model_validate({"id": "1", "kind": "docs", "question": "q", "answers": ["17"]})
    nothing = Verdict("adequate", as_written(""), 0.9, "evidence")
    spent: dict[SystemName, int] = {"always": 100, "self": own_tokens}
    report = AnswerReport(
        tuple(
            Answered(row, name, "17", "verified", "en", "right", nothing, (), True, 2, tokens, 0, 1.0)
            for name, tokens in spent.items()
        )
    )
    assert f"<b>{share}.0 %</b><span>{than} tokens than" in pages.of_answers(report, "set").to_html()
    captions = [str(table.caption) for table in tables.of_answers(report.to_json())]
    assert f"self: {share}% {than} tokens than always" in captions[0]


@given(st.text(max_size=40))
def test_no_text_of_a_set_becomes_markup(text: str) -> None:
    html = Page(
        text, text, [Card(text, text)], [[Part(text, table=Table([text], [[Words(text), text]]))]]
    ).to_html()
    body = html.partition("<body>")[2]
    plain = Page("", "", [Card("", "")], [[Part("", table=Table([""], [[Words(""), ""]]))]]).to_html()
    assert body.count("<") == plain.partition("<body>")[2].count("<")


def test_ablation_finds_the_signal_that_decides() -> None:
    rows = [judged("adequate", 1.0)] * 3 + [judged("hallucination", 0.0)] * 3
    nothing, *without = ablation(rows, 0.5)
    assert nothing.group == "nothing"
    assert nothing.accuracy == 1.0
    lost = {one.group: nothing.accuracy - one.accuracy for one in without}
    assert set(lost) == set(SIGNALS)
    assert max(lost, key=lambda name: lost[name]) == "support of the draft's words"
    assert lost["support of the draft's words"] == 0.5


def test_ablation_of_drafts_that_rules_decided_is_empty() -> None:
    one = judged("adequate", 1.0)
    assert ablation([Judged(one.row, one.verdict, one.first, None, False, True, False, 1.0, 0)], 0.7) == ()
