"""``thinktwice pack new``: a form becomes a pack that loads and gives the form back, filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest

from bot.terminal import packs
from rag.errors import InputError, OperatorError
from rag.interview.documents import Control, Fact
from rag.interview.events import fold
from rag.interview.missions import Mission, load_mission
from rag.interview.papers import Paper, draw_up
from rag.interview.workflow import start
from tests.support.talks import NOW, say


def drafted(tmp_path: Path, file: Path) -> Mission:
    target = tmp_path / "packs" / "form"
    packs.new({"data_dir": tmp_path / "data"}, file, target)
    return load_mission(target)


def filled(mission: Mission, answers: list[str]) -> Paper:
    """The document when each fact has its answer."""
    domain: dict[str, Any] = {}
    for path, answer in zip(mission.titles, answers, strict=True):
        _, part, fact = path.split("/")
        domain.setdefault(part, {})[fact] = answer
    state = fold([start("s", mission, NOW)])
    facts = {path: Fact(status="confirmed") for path in mission.titles}
    paper = draw_up(
        state.model_copy(update={"domain": domain, "facts": facts, "control": Control()}), mission, say
    )
    assert paper is not None
    return paper


def test_word_form_with_lines_table_and_sentences(tmp_path: Path) -> None:
    form = docx.Document()
    form.add_heading("Заявка на пропуск", 1)
    form.add_paragraph("ФИО: ______________ Дата: ________")
    table = form.add_table(2, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Этаж", "первый"
    table.cell(1, 0).text = "Телефон"
    form.add_heading("Встреча", 1)
    form.add_paragraph("Посетителя встречает ________ (сотрудник) и отвечает за него.")
    form.add_paragraph("Цель визита:")
    form.add_heading("Правила", 1)
    form.add_paragraph("Пропуск сдают на выходе {{ так }} {% if %}.")
    form.save(str(tmp_path / "form.docx"))
    mission = drafted(tmp_path, tmp_path / "form.docx")
    assert mission.locale.language == "ru"
    assert list(mission.titles.values()) == ["ФИО", "Дата", "Телефон", "сотрудник", "Цель визита"]
    assert [category.title for category in mission.categories] == ["Заявка на пропуск", "Встреча"]
    paper = filled(mission, ["Анна Росси", "1 июня", "12-34", "Лебедев", "переговоры"])
    assert paper.faults == ()
    assert [clause.text for section in paper.sections for clause in section.clauses] == [
        "ФИО: Анна Росси Дата: 1 июня",
        "Этаж: первый",
        "Телефон: 12-34",
        "Посетителя встречает Лебедев и отвечает за него.",
        "Цель визита: переговоры",
        "Пропуск сдают на выходе {{ так }} {% if %}.",
    ]


def test_text_form_whose_labels_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "form.md"
    file.write_text("# Visit\n\nName: ____\nName: ....... \n\nTo bring:\n- a badge\n", encoding="utf-8")
    mission = drafted(tmp_path, file)
    assert list(mission.titles.values()) == ["Name", "Name (2)"]
    assert filled(mission, ["Ann", "Bob"]).faults == ()


def test_what_cannot_be_drafted_is_said(tmp_path: Path) -> None:
    file = tmp_path / "form.md"
    file.write_text("# Visit\n\nNothing to fill in.\n", encoding="utf-8")
    with pytest.raises(InputError, match="____"):
        drafted(tmp_path, file)
    with pytest.raises(InputError, match="no document"):
        drafted(tmp_path, tmp_path / "missing.docx")
    file.write_text("Name: ____", encoding="utf-8")
    drafted(tmp_path, file)
    with pytest.raises(OperatorError, match="name another folder"):
        drafted(tmp_path, file)
