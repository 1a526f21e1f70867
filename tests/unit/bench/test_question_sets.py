from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

import pytest
import regex
from pydantic import BaseModel, ConfigDict

from bench.sets import DATA
from bot.evaluate.gold import holds
from bot.evaluate.rows import LabelledQuestion, read
from rag.language.sentences import sentences

SETS = DATA / "questions"
README = (DATA / "README.md").read_text(encoding="utf-8")
HANDBOOKS = ("en-a", "en-b", "en-c", "es-c", "ru-a", "ru-b", "ru-c", "zh-a", "zh-b", "zh-c")
FALSE_ANSWERS = {"en": 135, "es": 45, "ru": 90, "zh": 80}
"""The least number of pairs a language."""

Split = Literal["fitting", "held_out"]
SPLITS: dict[str, Split] = {"a": "fitting", "b": "held_out", "c": "fitting"}

_NUMBER = regex.compile(r"\d+(?:[.,:]\d+)*")
_WORD = regex.compile(r"\p{L}+")
_SIZES = {"en": range(60, 221), "es": range(60, 221), "ru": range(60, 221), "zh": range(100, 401)}
"""How long a page is, in words; in Chinese, in characters."""


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Page(Strict):
    id: str
    title: str
    text: str


class NaturalQuestion(Strict):
    id: str
    lang: str
    kind: Literal["docs", "unanswerable"]
    form: Literal["value", "name", "yes_no", "permission", "what_if", "how", "list"]
    question: str
    history: tuple[()]
    answers: tuple[str, ...]
    passages: tuple[str, ...]
    split: Split
    sentence: str = ""
    polarity: Literal["yes", "no"] | None = None
    near: tuple[str, ...] = ()

    @property
    def wants_polarity(self) -> bool:
        return self.kind == "docs" and self.form in {"yes_no", "permission"}


class FalseAnswer(Strict):
    id: str
    lang: str
    kind: str
    question: str
    right: str
    wrong: str
    passages: tuple[str, ...]
    split: Split
    handbook: str


StrictRow = TypeVar("StrictRow", bound=Strict)


def _rows(path: Path, kind: type[StrictRow]) -> list[StrictRow]:
    return [kind.model_validate(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


PAGES = {name: _rows(SETS / name / "corpus.jsonl", Page) for name in HANDBOOKS}
QUESTIONS = {name: _rows(SETS / name / "questions.jsonl", NaturalQuestion) for name in HANDBOOKS}
PAIRS = {name: _rows(SETS / name / "false_answers.jsonl", FalseAnswer) for name in HANDBOOKS}

each_handbook = pytest.mark.parametrize("handbook", HANDBOOKS)


def _texts(handbook: str) -> dict[str, str]:
    return {page.id: page.text for page in PAGES[handbook]}


def _numbers(texts: Sequence[str]) -> set[str]:
    return {number for text in texts for number in _NUMBER.findall(text)}


def test_every_folder_is_a_handbook() -> None:
    assert sorted(folder.name for folder in SETS.iterdir()) == list(HANDBOOKS)


@each_handbook
def test_ids_are_unique_and_name_their_handbook(handbook: str) -> None:
    ids = [row.id for rows in (PAGES, QUESTIONS, PAIRS) for row in rows.get(handbook, ())]
    assert len(set(ids)) == len(ids)
    assert all(one.startswith(f"{handbook}-") for one in ids)


@each_handbook
def test_rows_carry_the_language_and_the_split_of_their_handbook(handbook: str) -> None:
    language, letter = handbook.split("-")
    found = {(row.lang, row.split) for row in QUESTIONS[handbook]}
    found |= {(pair.lang, pair.split) for pair in PAIRS[handbook]}
    assert found == {(language, SPLITS[letter])}
    assert {pair.handbook for pair in PAIRS[handbook]} == {handbook}


@each_handbook
def test_handbook_has_pages_of_the_usual_length(handbook: str) -> None:
    language = handbook.split("-")[0]
    assert 8 <= len(PAGES[handbook]) <= 14
    for page in PAGES[handbook]:
        assert (len(page.text) if language == "zh" else len(page.text.split())) in _SIZES[language], page.id


@each_handbook
def test_every_page_is_asked_about(handbook: str) -> None:
    rows = QUESTIONS[handbook]
    asked = {passage for row in rows for passage in row.passages}
    assert asked == _texts(handbook).keys()


@each_handbook
def test_answering_sentence_is_one_sentence_of_exactly_one_named_page(handbook: str) -> None:
    texts = _texts(handbook)
    for row in QUESTIONS[handbook]:
        if row.kind == "docs":
            holding = [passage for passage in row.passages if row.sentence in texts[passage]]
            assert len(holding) == 1, row.id
            assert row.sentence in {one.text for one in sentences(texts[holding[0]])}, row.id


@each_handbook
def test_answering_sentence_by_itself_is_graded_right(handbook: str) -> None:
    for row in QUESTIONS[handbook]:
        if row.kind == "docs":
            assert any(answer.casefold() in row.sentence.casefold() for answer in row.answers), row.id
            assert holds(row.sentence, row.answers), row.id


@each_handbook
def test_unanswerable_question_has_no_answer_but_a_page_nearby(handbook: str) -> None:
    for row in QUESTIONS[handbook]:
        if row.kind == "unanswerable":
            assert (row.answers, row.passages, row.sentence) == ((), (), ""), row.id
            assert row.near, row.id
            assert set(row.near) <= _texts(handbook).keys(), row.id
        else:
            assert not row.near, row.id


@each_handbook
def test_answerable_questions_for_yes_or_no_say_which(handbook: str) -> None:
    assert [row.id for row in QUESTIONS[handbook] if (row.polarity is not None) != row.wants_polarity] == []


@each_handbook
def test_neither_yes_nor_no_is_the_better_guess(handbook: str) -> None:
    polarities = Counter(row.polarity for row in QUESTIONS[handbook] if row.wants_polarity)
    assert min(polarities["yes"], polarities["no"]) * 5 >= 2 * polarities.total()


@each_handbook
def test_shares_of_the_forms_hold(handbook: str) -> None:
    rows = QUESTIONS[handbook]
    forms = Counter(row.form for row in rows)
    assert len(rows) >= 30
    assert (forms["yes_no"] + forms["permission"] + forms["what_if"]) * 3 >= len(rows)
    assert sum(row.kind == "unanswerable" for row in rows) * 6 >= len(rows)


@each_handbook
def test_questions_are_read_by_the_command_that_measures_retrieval(handbook: str) -> None:
    found = read(SETS / handbook / "questions.jsonl", LabelledQuestion)
    assert found.malformed == ()
    assert [row.asked().text for row in found.rows] == [row.question for row in QUESTIONS[handbook]]


@each_handbook
def test_readme_counts_the_rows_as_they_are(handbook: str) -> None:
    line = next(line for line in README.splitlines() if line.startswith(f"| `{handbook}`"))
    questions = QUESTIONS[handbook]
    unanswerable = sum(row.kind == "unanswerable" for row in questions)
    counts = [len(PAGES[handbook]), len(questions), unanswerable, len(PAIRS[handbook])]
    _, _, _, split, *counted, _ = (cell.strip() for cell in line.split("|"))
    assert split.replace(" ", "_") == PAIRS[handbook][0].split
    assert [int(count) for count in counted] == counts


def test_nothing_is_asked_twice() -> None:
    questions = [row.question.casefold() for rows in QUESTIONS.values() for row in rows]
    assert len(set(questions)) == len(questions) >= 180


@pytest.mark.parametrize("language", FALSE_ANSWERS)
def test_held_out_handbook_shares_no_sentence_with_the_one_to_fit_on(language: str) -> None:
    found = {split: set[str]() for split in SPLITS.values()}
    for handbook in HANDBOOKS:
        if handbook.startswith(language):
            found[SPLITS[handbook[-1]]].update(
                one.text for page in PAGES[handbook] for one in sentences(page.text)
            )
    assert not found["fitting"] & found["held_out"]


def test_false_answers_are_enough_in_every_class_and_language() -> None:
    pairs = [pair for name in HANDBOOKS for pair in PAIRS[name]]
    classes = Counter(pair.kind for pair in pairs)
    languages = Counter(pair.lang for pair in pairs)
    assert len(pairs) >= 360
    assert len(classes) == 16
    assert [kind for kind in classes if f"`{kind}`" not in README] == []
    assert min(classes.values()) >= 20
    assert all(languages[language] >= count for language, count in FALSE_ANSWERS.items())


@each_handbook
def test_false_answers_differ_from_the_right_ones_and_name_pages(handbook: str) -> None:
    for pair in PAIRS[handbook]:
        assert pair.right.casefold() != pair.wrong.casefold(), pair.id
        assert pair.passages, pair.id
        assert set(pair.passages) <= _texts(handbook).keys(), pair.id
    assert len({(pair.question, pair.wrong) for pair in PAIRS[handbook]}) == len(PAIRS[handbook])


@each_handbook
def test_answers_right_and_false_are_made_of_numbers_of_the_named_pages(handbook: str) -> None:
    """Except where a false answer is a fact that stands nowhere, or an addition that somebody made up."""
    texts = _texts(handbook)
    for pair in PAIRS[handbook]:
        stated = _numbers([pair.question, *(texts[passage] for passage in pair.passages)])
        assert _numbers([pair.right]) <= stated, pair.id
        if pair.kind not in {"absent_fact", "invented_addition"}:
            assert _numbers([pair.wrong]) <= stated, pair.id


@each_handbook
def test_another_number_and_another_unit_are_what_they_say(handbook: str) -> None:
    for pair in PAIRS[handbook]:
        if pair.kind == "other_number":
            assert _numbers([pair.wrong]) != _numbers([pair.right]), pair.id
        if pair.kind == "changed_unit":
            assert _numbers([pair.wrong]) == _numbers([pair.right]), pair.id  # none: they are in words


@each_handbook
def test_absent_fact_stands_nowhere_in_the_handbook(handbook: str) -> None:
    texts = list(_texts(handbook).values())
    for pair in PAIRS[handbook]:
        if pair.kind == "absent_fact":
            if numbers := _numbers([pair.wrong]):
                assert not numbers & _numbers(texts), pair.id
            else:
                # A name: a word of it stands on no page.
                assert [word for word in _WORD.findall(pair.wrong) if not any(word in text for text in texts)]
