from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from rag.evidence.agreement import agreement


class Case(NamedTuple):
    language: str
    passage: str
    question: str
    answer: str
    reading: str
    expected: str


def _cases() -> list[object]:
    blocks = yaml.safe_load(Path(__file__).with_name("agreement.yaml").read_text(encoding="utf-8"))
    return [
        pytest.param(
            Case(block["language"], block["passage"], block["question"], *row),
            id=f"{block['name']}: {row[0]} / {row[1]}",
        )
        for block in blocks
        for row in block["rows"]
    ]


@pytest.mark.parametrize("case", _cases())
def test_reading_is_compared_with_the_answer(case: Case) -> None:
    found = agreement(
        case.answer,
        case.reading,
        question=case.question,
        passage=case.passage,
        language=case.language,
    )

    assert found == case.expected
