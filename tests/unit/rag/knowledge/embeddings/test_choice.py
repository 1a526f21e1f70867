"""The choice between the bundled embeddings."""

from __future__ import annotations

import pytest

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
        pytest.param({"en": 960, "ru": 40}, "multilingual", "minilm", id="returns when little is left"),
        pytest.param({"en": 850, "ru": 50, "zh": 50, "id": 50}, "", "multilingual", id="many small ones"),
    ],
)
def test_choice_follows_the_languages_of_the_corpus(
    characters: dict[str, int], current: str, expected: str
) -> None:
    assert choose(characters, current) == expected
