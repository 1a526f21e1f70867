from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import free_layers, own_faults, quality
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
    caught, alarms = free_layers.measured(CLEAN)
    assert {one.fault for one in caught} == set(free_layers.FAMILIES)
    assert {one.language for one in caught} == {"en", "ru"}
    assert [(alarm.language, alarm.text) for alarm in alarms] == sorted(CLEAN)
    assert not any(alarm.findings for alarm in alarms)


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


def test_faults_that_the_model_made_are_looked_for_one_by_one() -> None:
    texts = own_faults.checked()
    assert {fault for one in texts for fault in one.faults} <= set(own_faults.FAULTS)
    figures = own_faults.figures(texts)
    assert len(texts) > 100
    assert figures["all_caught"][1] == sum(len(one.faults) for one in texts)
    assert figures["alarms"][1] == sum(not one.faults for one in texts)


def test_gate_notices_a_check_that_finds_nothing_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {free_layers.OWN: free_layers.gate_figures(free_layers.OWN)}
    assert list(quality.compared(before, before)) == []
    monkeypatch.setattr(checks, "run", lambda *_args, **_options: ())
    after = {free_layers.OWN: free_layers.gate_figures(free_layers.OWN)}
    (drop,) = quality.compared(before, after)
    assert (drop.figure, drop.now) == ("caught", 0.0)


def test_gate_notices_false_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {free_layers.OWN: free_layers.gate_figures(free_layers.OWN)}
    finding = Finding("truncated", "critical", 0, 1, as_written("no end"))
    monkeypatch.setattr(checks, "run", lambda *_args, **_options: (finding,))
    after = {free_layers.OWN: free_layers.gate_figures(free_layers.OWN)}
    assert "false_alarms" in {drop.figure for drop in quality.compared(before, after)}


def test_committed_figures_have_what_the_gate_measures_of_the_checks() -> None:
    committed = json.loads(quality.COMMITTED.read_text(encoding="utf-8"))["sets"]
    assert set(free_layers.GATED) <= set(committed)
