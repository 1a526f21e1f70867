from __future__ import annotations

import pytest

from bench.sentences import Example, fit, told
from rag.steps.classify import classify
from rag.values import Passage, PassageId, Question

_FAR_APART = "The front desk keeps a list of everybody who is away, and renews it in the morning. " * 5
TEXT = f"Bram Claes approves leave for the Ghent office.\n{_FAR_APART}\nHalf days are possible."


def _example(question: str, *, sentence: str = "", source: str = "leave") -> Example:
    classification = classify(Question(question))
    passage = Passage(PassageId("1"), "Leave", "Leave", TEXT, score=1.0, source="leave")
    return Example(
        of="natural en",
        split="fitting",
        classification=classification,
        passages=(passage,),
        rarity={},
        similarities=dict.fromkeys(TEXT.splitlines(), 0.5),
        answers=("Claes",),
        sentence=sentence,
        sources=frozenset({source}),
    )


@pytest.mark.parametrize(
    ("sentence", "source", "quote", "is_right"),
    [
        ("", "leave", "Ask Bram Claes.", True),
        ("", "leave", "Ask Bram.", False),
        ("Bram Claes approves leave for the Ghent office.", "leave", TEXT, True),
        ("Bram Claes approves it.", "other", "Ask Bram Claes.", False),
    ],
    ids=["answer", "no answer", "labelled sentence", "answer of another document"],
)
def test_quotation_is_right_with_the_answer_or_the_labelled_sentence(
    sentence: str, source: str, quote: str, *, is_right: bool
) -> None:
    example = _example("Who approves leave?", sentence=sentence, source=source)
    assert example.is_right(example.passages[0], quote) is is_right


def test_fitted_weights_choose_the_sentences_they_were_fitted_to() -> None:
    examples = [
        _example("Who approves leave in Ghent?", sentence="Bram Claes approves leave for the Ghent office."),
        _example("Are half days possible?", sentence="Half days are possible."),
    ]
    weights = fit(examples)
    assert all(told(example, weights)[0].is_first for example in examples)
