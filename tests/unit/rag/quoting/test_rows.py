from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.quoting.rows import RowAnswer, answers_from_rows, read_tables
from rag.values import Passage, PassageId

PLANS = """\
| Plan | Price per month | Storage | Users | Region |
| --- | --- | --- | --- | --- |
| Start | 9 € | 20 GB | 3 | North |
| Team | 29 € | 200 GB | 25 | North |
| Business | 79 € | 1 TB | 100 | South |
| Campus | 49 € | 500 GB | 500 | South |
"""
TARIFFS = """\
| Тариф | Цена | Место |
| --- | --- | --- |
| Старт | 900 ₽ | 20 ГБ |
| Бизнес | 7900 ₽ | 500 ГБ |
"""
PRODUCTS = "| 产品 | 价格 | 城市 |\n| --- | --- | --- |\n| 甲型 | 30 元 | 上海 |\n| 乙型 | 45 元 | 北京 |\n"


def answer_from_rows(question: str, language: str, read: list[Passage]) -> RowAnswer | None:
    answers = answers_from_rows(question, language, read)
    return answers[0] if len(answers) == 1 else None


def passages(*texts: str, document: str = "Hosting", section: str = "") -> list[Passage]:
    return [Passage(PassageId(str(n)), document, section, text) for n, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("question", "table", "language", "value", "names"),
    [
        ("Which plan is the cheapest?", PLANS, "en", "9 €", ("Start",)),
        ("Which plan is the most expensive?", PLANS, "en", "79 €", ("Business",)),
        ("Which plan has the most storage?", PLANS, "en", "1 TB", ("Business",)),
        ("Which plan in the South region has the lowest price?", PLANS, "en", "49 €", ("Campus",)),
        ("Which plan has the fewest users?", PLANS, "en", "3", ("Start",)),
        ("How many plans are there?", PLANS, "en", "4", ("Start", "Team", "Business", "Campus")),
        ("How many plans are there in the South region?", PLANS, "en", "2", ("Business", "Campus")),
        ("List all plans in the North region.", PLANS, "en", "2", ("Start", "Team")),
        ("Какой тариф самый дешёвый?", TARIFFS, "ru", "900 ₽", ("Старт",)),
        ("哪个产品最贵？", PRODUCTS, "zh", "45 元", ("乙型",)),
    ],
)
def test_rows_answer_what_is_asked_of_all_of_them(
    question: str, table: str, language: str, value: str, names: tuple[str, ...]
) -> None:
    answer = answer_from_rows(question, language, passages(table))
    assert answer is not None
    assert (answer.value, answer.names) == (value, names)


@pytest.mark.parametrize(
    "question",
    [
        "Which plan is the best?",
        "Which plan has the most customers?",
        "Which plan is the second cheapest?",
        "Which plan with more than 20 users is the cheapest?",
        "How many plans are not in the South region?",
        "How many plans have at least 25 users?",
        "Which is the only plan in the South region?",
        "How many plans are available in Norway?",
        "What does the Team plan cost?",
        "Which is the most and the least expensive plan?",
    ],
)
def test_nothing_is_answered_where_a_word_is_not_accounted_for(question: str) -> None:
    assert answer_from_rows(question, "en", passages(PLANS)) is None


@pytest.mark.parametrize(
    "row",
    [
        "| Total | 166 € | 1 TB | 628 | |",
        "| All plans* | 166 € | | 628 | |",
        "| Other | on request | 2 TB | 9 | South |",
    ],
    ids=["total", "sum under another name", "price that is no number"],
)
def test_row_that_sums_up_or_says_nothing_is_never_the_highest(row: str) -> None:
    answer = answer_from_rows("Which plan has the highest price?", "en", passages(PLANS + row))
    assert answer is None or answer.names == ("Business",)


def test_table_that_goes_on_in_the_next_passage_is_one_table() -> None:
    head, rows = PLANS.split("| Team")[0], "| Team" + PLANS.split("| Team")[1]
    rule = "".join(head.splitlines(keepends=True)[:2])
    both = passages("Our plans.\n\n" + head, rule + rows, "That is all.")
    (table,) = read_tables(both)
    assert [row.cells[0] for row in table.rows] == ["Start", "Team", "Business", "Campus"]
    assert all(row.line in row.passage.text for row in table.rows)


def test_two_tables_that_answer_leave_it_open() -> None:
    other = PLANS.replace("9 €", "11 €")
    assert (
        answer_from_rows("Which plan is the cheapest?", "en", passages(PLANS, "Old prices:\n\n" + other))
        is None
    )


TEAM = """\
| Employee | City | Languages | Salary | Rank |
| --- | --- | --- | --- | --- |
| Ana | Berlin | German | 50 | 1 |
| Ben | Berlin | German, English | 40 | 2 |
| Cy | Paris | French | 90 | 3 |
"""


def test_rows_that_were_compared_are_counted() -> None:
    answer = answer_from_rows("Which employee in Berlin has the highest salary?", "en", passages(TEAM))
    assert answer is not None
    assert (answer.names, answer.compared) == (("Ana",), 2)


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Which employee in Paris has the highest salary?", TEAM),
        ("How many employees are there with the language German?", TEAM.replace("Languages", "Language")),
        ("Which employee has the highest rank?", TEAM),
        ("Which employee has the highest salary?", TEAM + "| Dan | Rome | Italian | 95 | 4 | x |"),
        ("Which employee has the highest salary?", TEAM + "| Dan | Rome | Italian | 95"),
        ("Which employee has the highest salary?", TEAM + "| All of us | - | - | 180 | - |"),
    ],
    ids=["one row", "part of a cell", "rank", "a cell too many", "no pipe at the end", "sum"],
)
def test_what_could_mislead_is_not_answered(question: str, table: str) -> None:
    assert answer_from_rows(question, "en", passages(table)) is None


lines = st.text(alphabet=st.sampled_from("| -\\:\nab1€%\u0660"), max_size=200)


@given(lines, st.sampled_from(["Which a is the cheapest?", "How many b?", "List all b in 1."]))
def test_any_text_is_read(text: str, question: str) -> None:
    answer = answer_from_rows(question, "en", passages(text, text))
    assert answer is None or all(row.line in row.passage.text for row in answer.rows)


def test_huge_table_is_read() -> None:
    rows = "".join(f"| P{n} | {n} € | {n} GB | {n} | North |\n" for n in range(20_000))
    answer = answer_from_rows("Which plan is the most expensive?", "en", passages(PLANS + rows))
    assert answer is not None
    assert answer.names == ("P19999",)
