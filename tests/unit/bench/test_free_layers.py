from __future__ import annotations

from pathlib import Path

from bench import free_layers
from bench.free_layers import Alarm, Caught
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


def test_words_of_no_list_are_counted_by_themselves() -> None:
    seen = Caught("en", "truncation", "open code block", "", is_caught=True)
    unseen = Caught("en", free_layers.UNLISTED, "other words before", "", is_caught=False)
    found = free_layers.figures([seen, unseen], [])
    assert found["all_caught"] == [1, 1]
    assert found["caught"][free_layers.UNLISTED] == [0, 1]
    assert found["caught_by_language"]["en"] == [1, 1]


def test_false_alarms_are_counted_by_language() -> None:
    finding = Finding("truncated", "critical", 0, 1, as_written("no end"))
    found = free_layers.figures(
        [], [Alarm("id", "a", (finding,)), Alarm("id", "b", ()), Alarm("es", "c", ())]
    )
    assert found["alarms_by_language"]["id"] == [1, 2]
    assert found["all_alarms"] == [1, 3]


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
