from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench import free_layers, own_faults, quality, sets
from bench.own_faults import RecordedText
from bot.evaluate import rows
from rag import checks
from rag.reasons import as_written
from rag.values import Finding

CLEAN = [
    ("en", "The port is 8080. Open it in the firewall."),
    ("en", "The backup runs at two in the night. It is kept for a month."),
    ("ru", "Порт по умолчанию — 8080. Откройте его в межсетевом экране."),
    ("ru", "Копия делается в два часа ночи. Она хранится месяц."),
]


def test_every_fault_is_put_into_every_text_and_looked_for() -> None:
    cases = list(free_layers.with_faults(CLEAN))
    faulty = [case for case in cases if case.fault]
    clean = [case for case in cases if not case.fault]
    assert len({case.fault for case in faulty}) == 10
    assert {case.language for case in faulty} == {"en", "ru"}
    assert [(case.language, case.text) for case in clean] == sorted(CLEAN)
    assert not any(case.findings() for case in clean)


def test_only_whole_sentences_of_a_catalogue_are_taken(tmp_path: Path) -> None:
    catalogue = tmp_path / "en.ftl"
    catalogue.write_text(
        "done = Everything has been forgotten.\n"
        "hello = Hello { $name }, how are you today?\n"
        "button = Show the sources of this answer\n"
        "short = Yes.\n"
        "long =\n    A text of more\n    than one line that is left out.\n",
        encoding="utf-8",
    )
    assert list(free_layers.messages(catalogue)) == ["Everything has been forgotten."]


def test_texts_are_there_in_each_of_the_six_languages() -> None:
    assert {language for language, _ in free_layers.texts()} == set(free_layers.LANGUAGES)


def own() -> dict[str, dict[str, Any]]:
    return {"own": free_layers.figures(free_layers.checked(sets.OWN_FAULTS))}


def test_faults_that_the_model_made_are_looked_for_one_by_one() -> None:
    texts = rows.read(own_faults.PATH, RecordedText)
    assert texts.malformed == ()
    labelled = [row.faults for row in texts.rows if row.faults is not None]
    assert len(labelled) > 100
    assert own()["own"]["counts"] == {"caught": sum(map(len, labelled)), "false_alarms": labelled.count(())}


def test_gate_notices_a_check_that_finds_nothing_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    before = own()
    assert list(quality.compared(before, before)) == []
    monkeypatch.setattr(checks, "run", lambda *_args, **_options: ())
    (drop,) = quality.compared(before, own())
    assert (drop.figure, drop.now) == ("caught", 0.0)


def test_gate_notices_false_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    before = own()
    finding = Finding("truncated", "critical", 0, 1, as_written("no end"))
    monkeypatch.setattr(checks, "run", lambda *_args, **_options: (finding,))
    assert "false_alarms" in {drop.figure for drop in quality.compared(before, own())}
