from __future__ import annotations

import pytest

from rag.reasons import as_written
from rag.runs.weighing import Action, weigh
from rag.values import Quality, Verdict


@pytest.mark.parametrize(
    ("quality", "confidence", "is_covered", "is_judged", "expected"),
    [
        pytest.param("adequate", 0.7, True, False, "accept", id="sure at the threshold"),
        pytest.param("adequate", 0.69, True, False, "read_documents", id="unsure, covered"),
        pytest.param("adequate", 0.69, False, False, "ask_judge", id="unsure, not covered"),
        pytest.param("adequate", 0.69, False, True, "accept", id="unsure, not covered, judged"),
        pytest.param("adequate", 0.69, True, True, "read_documents", id="unsure, covered, judged"),
        pytest.param("hallucination", 0.3, False, False, "ask_judge", id="unsure negative asks once"),
        pytest.param("hallucination", 0.3, False, True, "accept", id="unsure negative, judged"),
        pytest.param("hallucination", 0.3, True, False, "accept", id="unsure negative, covered: read"),
        pytest.param("off_topic", 0.3, True, False, "ask_judge", id="unsure whether it answers at all"),
        pytest.param("needs_docs", 0.9, True, False, "accept", id="sure negative"),
        pytest.param("unchecked", 0.0, True, False, "accept", id="a failed judge is not asked again"),
    ],
)
def test_a_verdict_below_the_threshold_is_not_taken_at_its_word(
    quality: Quality, confidence: float, is_covered: bool, is_judged: bool, expected: Action
) -> None:
    verdict = Verdict(quality, as_written("because"), confidence, "evidence")
    assert weigh(verdict, threshold=0.7, is_covered=is_covered, is_judged=is_judged) == expected
