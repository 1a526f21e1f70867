"""Right answers in other words than the passage, and wrong ones that differ from it in little."""

from __future__ import annotations

import pytest

from rag import evidence
from rag.evidence.agreement import compare_answers
from rag.language.measures import periods
from rag.language.qualifiers import qualifiers
from tests.unit.rag.evidence.asked import asked

BARRING = {"unspoken_addition", "denied_premise", "only_siblings"}
"""Objections that keep a draft from being verified, whatever a reader says."""


@pytest.mark.parametrize(
    ("language", "question", "passage", "draft"),
    [
        ("en", "How soon is a lost badge reported?", "Report a lost badge within one hour.", "Within an hour."),
        ("en", "What is the fee?", "There is a 300 euros annual fee.", "300 euros a year."),
        ("en", "What does parking cost?", "The monthly fee for parking is 50 euros.", "50 euros per month."),
        (
            "en",
            "How long are backups stored?",
            "Backups are kept for at most 35 days.",
            "Backups are retained for at most 35 days.",
        ),
        (
            "en",
            "How long are backups kept?",
            "Backups are kept for at most 35 days.",
            "Backups are kept for a maximum of 35 days.",
        ),
        (
            "en",
            "Where do staff park when the garage is full?",
            "When the garage is full, staff park in Elm Street instead.",
            "In Elm Street.",
        ),
        (
            "en",
            "Where do night-shift staff put their bikes in winter?",
            "Staff put bikes in the cellar. Bikes are not insured in winter.",
            "In the cellar.",
        ),
        (
            "en",
            "What does a locker for cyclists in the north garage cost per month?",
            "A locker costs 8 euros a month. Lockers are not cleaned by cyclists.",
            "8 euros.",
        ),
        (
            "en",
            "May guests bring dogs?",
            "Guests may bring dogs on a leash.",
            "Yes. Guests may bring dogs on a leash.",
        ),
        ("ru", "Сколько стоит парковка?", "Ежемесячная плата за парковку — 500 рублей.", "500 рублей в месяц."),
        ("ru", "Где зимой держать велосипеды?", "Велосипеды ставят в подвал. Велосипеды зимой не застрахованы.", "В подвал."),
        ("es", "¿Cuánto cuesta?", "La cuota mensual es de 50 euros.", "50 euros al mes."),
        ("zh", "退货期限多长？", "退货期限为1个月。", "退货期限为一个月。"),
        ("zh", "图书馆周末几点关门？", "图书馆在二楼，凭证进入。平日8点开门。周末17点关门。", "图书馆周末17点关门。"),
        ("zh", "补贴每月多少？", "补贴按月发放，每人300元。", "每月300元。"),
    ],
)  # fmt: skip
def test_right_answer_in_other_words_is_not_barred(
    language: str, question: str, passage: str, draft: str
) -> None:
    found = evidence.compare(asked(question, passage, language), draft)
    assert not BARRING & {objection.code for objection in found.objections}


@pytest.mark.parametrize(
    ("language", "passage", "question", "answer", "reading"),
    [
        (
            "en",
            "On arrival, guests sign the book at the desk.",
            "Where do guests sign?",
            "Guests must sign the book at the desk.",
            "at the desk",
        ),
        (
            "en",
            "Coats are mandatory in the lab.",
            "Where are coats mandatory?",
            "Coats must be worn in the lab.",
            "in the lab",
        ),
    ],
)
def test_duty_in_other_words_agrees(
    language: str, passage: str, question: str, answer: str, reading: str
) -> None:
    found = compare_answers(answer, reading, question=question, passage=passage, language=language)
    assert found == "agrees"


@pytest.mark.parametrize("answer", ["The new trainee of Anna signs contracts.", "Anna's new trainee"])
def test_name_of_another_role_does_not_agree(answer: str) -> None:
    passage = "Anna signs contracts. A new trainee of Anna helps the sales team with invoices."
    found = compare_answers(answer, "Anna", question="Who signs contracts?", passage=passage, language="en")
    assert found == "undecided"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("no more than 35 days", {"at most"}),
        ("no fewer than 3 people", {"at least"}),
        ("not more than 3 people", {"at most"}),
        ("не больше 35 дней", {"at most"}),
        ("не меньше трёх дней", {"at least"}),
        ("no más de 35 días", {"at most"}),
        ("tidak lebih dari 3 hari", {"at most"}),
        ("不超过35天", {"at most"}),
        ("more than 35 days", {"more"}),
        ("a higher post: должность", set()),
    ],
)
def test_limit_is_one_qualifier(text: str, kinds: set[str]) -> None:
    assert set(qualifiers(text)) & {"at least", "at most", "more", "less", "must"} == kinds


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("twice a week", {"week"}),
        ("an annual fee", {"year"}),
        ("22 часа в неделю", {"week"}),
        ("ежемесячная плата", {"month"}),
        ("50 euros al mes", {"month"}),
        ("50 euros por mês", {"month"}),
        ("每周三次", {"week"}),
        ("주 2회", {"week"}),
        ("dua kali seminggu", {"week"}),
        ("half an hour", set()),
        ("a year ago", set()),
        ("take a day off", set()),
        ("в день отъезда", set()),
        ("al mes siguiente", set()),
        ("第一天", set()),
        ("二十一年", set()),
        ("하루 종일", set()),
    ],
)
def test_period_is_what_something_is_stated_for(text: str, names: set[str]) -> None:
    assert periods(text) == names
