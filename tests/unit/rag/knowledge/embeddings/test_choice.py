"""The choice between the bundled embeddings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.knowledge.asked_languages import is_asked_in_other_languages, note_question
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


@pytest.mark.parametrize(("is_certain", "enough"), [(True, 1), (False, 3)])
def test_questions_in_other_languages_choose_for_an_english_corpus(
    tmp_path: Path, *, is_certain: bool, enough: int
) -> None:
    assert not is_asked_in_other_languages(tmp_path)
    noted = [note_question(tmp_path, is_certain=is_certain) for _ in range(3)]
    assert noted.index(True) + 1 == enough
    assert is_asked_in_other_languages(tmp_path)
    assert choose({"en": 1000}, "minilm", is_asked_otherwise=True) == "multilingual"
