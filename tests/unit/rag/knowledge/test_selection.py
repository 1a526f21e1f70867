"""Selection: few passages, each thing once, within the budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.selection import PlacedPassage, parts, select
from rag.models.tokens import estimate_tokens
from rag.values import Passage, PassageId

FIRST = "The webhook listens on port 8443 and needs a certificate that clients trust."
SECOND = "Certificates are renewed every ninety days by a timer, which writes to the journal."
OTHER = "Vacation days are requested in the calendar and approved by the team lead."


def placed(
    name: str, text: str, ordinal: int = 0, section: str = "Set-up", source: str = "a.md"
) -> PlacedPassage:
    passage = Passage(PassageId(name), document="A", section=section, text=text, source=source)
    return PlacedPassage(passage, ordinal)


def test_the_best_passages_come_first() -> None:
    chosen = select([placed("a", OTHER, 5), placed("b", FIRST, 0)], count=5, budget_tokens=1000)
    assert [passage.id for passage in chosen] == ["a", "b"]


def test_no_more_passages_than_asked_for() -> None:
    candidates = [placed(f"p{number}", f"{OTHER} Number {number}.", number * 2) for number in range(9)]
    assert len(select(candidates, count=3, budget_tokens=10_000)) == 3


def test_a_passage_that_says_the_same_again_is_dropped() -> None:
    again = FIRST.replace("listens on", "listens  on").upper()
    chosen = select([placed("a", FIRST, 0), placed("b", again, 7)], count=5, budget_tokens=1000)
    assert [passage.id for passage in chosen] == ["a"]


def test_a_part_of_a_better_passage_is_dropped() -> None:
    chosen = select(
        [placed("a", f"{FIRST} {SECOND}", 0), placed("b", SECOND, 7)], count=5, budget_tokens=1000
    )
    assert [passage.id for passage in chosen] == ["a"]


def test_a_passage_with_another_number_is_not_a_repetition() -> None:
    chosen = select(
        [placed("a", FIRST, 0), placed("b", FIRST.replace("8443", "9000"), 7)],
        count=5,
        budget_tokens=1000,
    )
    assert [passage.id for passage in chosen] == ["a", "b"]


def test_neighbours_of_one_section_become_one_passage_in_reading_order() -> None:
    (joined,) = select([placed("b", SECOND, 1), placed("a", FIRST, 0)], count=5, budget_tokens=1000)
    assert joined.text == f"{FIRST}\n\n{SECOND}"
    assert parts([joined.id]) == {"a", "b"}


def test_a_passage_between_two_others_joins_all_three() -> None:
    (joined,) = select(
        [placed("a", FIRST, 0), placed("c", OTHER, 2), placed("b", SECOND, 1)],
        count=5,
        budget_tokens=1000,
    )
    assert joined.text == f"{FIRST}\n\n{SECOND}\n\n{OTHER}"


def test_neighbours_of_different_sections_or_documents_stay_apart() -> None:
    chosen = select(
        [
            placed("a", FIRST, 0),
            placed("b", SECOND, 1, section="Renewal"),
            placed("c", OTHER, 1, source="b.md"),
        ],
        count=5,
        budget_tokens=1000,
    )
    assert [passage.id for passage in chosen] == ["a", "b", "c"]


def test_a_passage_that_does_not_fit_makes_room_for_a_smaller_one() -> None:
    chosen = select(
        [placed("a", FIRST, 0), placed("b", SECOND * 20, 4), placed("c", OTHER, 8)],
        count=5,
        budget_tokens=100,
    )
    assert [passage.id for passage in chosen] == ["a", "c"]


def test_the_best_passage_is_cut_at_a_sentence_when_it_alone_is_too_long() -> None:
    (passage,) = select([placed("a", f"{FIRST} {SECOND} {OTHER}")], count=5, budget_tokens=45)
    assert passage.text == f"{FIRST} {SECOND}"


def test_a_text_without_sentences_is_cut_all_the_same() -> None:
    (passage,) = select([placed("a", "длинноесловобезпробелов" * 50)], count=5, budget_tokens=50)
    assert 0 < estimate_tokens(passage.text) <= 50


@given(
    st.lists(st.tuples(st.text(max_size=300), st.integers(0, 20)), max_size=8),
    st.integers(1, 5),
    st.integers(1, 200),
)
def test_what_is_chosen_keeps_to_the_count_and_the_budget(
    texts: list[tuple[str, int]], count: int, budget: int
) -> None:
    candidates = [placed(f"p{number}", text, ordinal) for number, (text, ordinal) in enumerate(texts)]
    chosen = select(candidates, count, budget)
    pieces = parts(passage.id for passage in chosen)
    assert len(pieces) <= count
    joints = len(pieces) - len(chosen)
    # Rounding up each text and a blank line at each joint may cost a token each.
    assert sum(estimate_tokens(passage.text) for passage in chosen) <= budget + joints + len(chosen)
