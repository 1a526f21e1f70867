from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.council.feedback import SHORTENED, gather_feedback
from rag.models.tokens import estimate_tokens
from rag.values.council import Ballot, Critique, Letter, Review, Seat

ANNA, BORIS, CHEN = (Seat(name) for name in ("openai:anna", "ollama:boris", "openai:chen"))
A, B = Letter("A"), Letter("B")
NUMBERS = {ANNA: 2, BORIS: 3, CHEN: 1}


def review(reviewer: Seat, first: Seat, second: Seat, *critiques: Critique) -> Review:
    return Review(reviewer, ((A, first), (B, second)), Ballot((B, A), critiques))


REVIEWS = (
    review(ANNA, CHEN, BORIS, Critique(A, "Good.", ("It is late.",)), Critique(B, "Short.")),
    review(BORIS, ANNA, CHEN, Critique(B, "Fine.", ("It is wrong.",))),
    review(CHEN, BORIS, ANNA),
)


def test_member_is_told_its_letter_in_each_review_and_no_name() -> None:
    text = gather_feedback(CHEN, REVIEWS[::-1], NUMBERS, 1000).text
    assert text.splitlines() == [
        "Reviewer 2 (your answer is Response A here):",
        "Response A: Good.",
        "- It is late.",
        "Response B: Short.",
        "Ranking: Response B > Response A",
        "",
        "Reviewer 3 (your answer is Response B here):",
        "Response B: Fine.",
        "- It is wrong.",
        "Ranking: Response B > Response A",
    ]
    assert not any(seat in text for seat in (ANNA, BORIS, CHEN))


def test_long_evaluation_is_shortened_at_the_end_of_a_sentence_and_a_short_one_is_not() -> None:
    long = " ".join(f"Sentence number {number} says something." for number in range(200))
    reviews = (review(ANNA, CHEN, BORIS, Critique(A, long)), REVIEWS[1])
    feedback = gather_feedback(CHEN, reviews, NUMBERS, 300)
    assert feedback.is_shortened
    assert "something. " + SHORTENED in feedback.text
    assert "- It is wrong." in feedback.text
    assert estimate_tokens(feedback.text) <= 310


@given(st.text(max_size=400), st.text(max_size=400), st.integers(0, 200))
def test_every_reviewer_is_named_however_little_room_there_is(one: str, other: str, room: int) -> None:
    reviews = (review(ANNA, CHEN, BORIS, Critique(A, one)), review(BORIS, CHEN, ANNA, Critique(A, other)))
    text = gather_feedback(CHEN, reviews, NUMBERS, room).text
    assert "Reviewer 2 (" in text
    assert "Reviewer 3 (" in text
