"""The choice between the bundled embeddings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.knowledge.asked_languages import AskedLanguages, is_asked_in_other_languages
from rag.knowledge.embeddings import choose


@pytest.mark.parametrize(
    ("characters", "current", "expected"),
    [
        pytest.param({"en": 1000}, "", "minilm", id="english only"),
        pytest.param({}, "", "minilm", id="nothing"),
        pytest.param({"ru": 1000}, "", "multilingual", id="russian only"),
        pytest.param({"zh": 1000}, "", "multilingual", id="chinese only"),
        pytest.param({"es": 500, "en": 500}, "", "multilingual", id="half spanish"),
        pytest.param({"en": 980, "ru": 20}, "", "minilm", id="a word of russian"),
        pytest.param({"en": 900, "ru": 100}, "", "multilingual", id="a tenth russian"),
        pytest.param({"en": 930, "ru": 70}, "multilingual", "multilingual", id="stays multilingual"),
        pytest.param({"en": 930, "ru": 70}, "minilm", "minilm", id="stays minilm"),
        pytest.param({"en": 960, "ru": 40}, "multilingual", "multilingual", id="stays when little is left"),
        pytest.param({"en": 960, "ru": 40}, "", "minilm", id="everything is read again"),
        pytest.param({"en": 850, "ru": 50, "zh": 50, "id": 50}, "", "multilingual", id="many small ones"),
    ],
)
def test_choice_follows_the_languages_of_the_corpus(
    characters: dict[str, int], current: str, expected: str
) -> None:
    assert choose(characters, current) == expected


@pytest.mark.parametrize(
    ("questions", "enough"),
    [
        pytest.param(["Как взять отгул?"], 1, id="another script"),
        pytest.param(
            ["¿Dónde está la oficina?", "¿Cuántos días de vacaciones tengo?", "¿Quién aprueba los gastos?"],
            3,
            id="another language",
        ),
    ],
)
def test_questions_in_other_languages_choose_for_an_english_corpus(
    tmp_path: Path, questions: list[str], enough: int
) -> None:
    told: list[int] = []
    asked = AskedLanguages(tmp_path, lambda: told.append(number))
    for number, question in enumerate(["How do I take a day off?", *questions]):  # noqa: B007 - `told` keeps it
        assert not is_asked_in_other_languages(tmp_path)
        asked.note(question, "minilm")
        asked.note(question, "minilm")
    assert told == [enough]
    assert is_asked_in_other_languages(tmp_path)
    assert choose({"en": 1000}, "minilm", is_asked_otherwise=True) == "multilingual"
