from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.evidence.conversation import utterances
from rag.values import Turn

speakers: st.SearchStrategy[Turn] = st.builds(
    Turn, st.sampled_from(["user", "assistant"]), st.text(max_size=80)
)


def test_sentences_of_a_summary_count_one_by_one() -> None:
    summary = "The user is called Anna. She stays on 0.2.9. The user asked which port is open?"
    found = utterances([], summary)
    assert [one.stated for one in found] == ["The user is called Anna.", "She stays on 0.2.9."]
    assert "Anna" in found[1].around


@given(st.lists(speakers, max_size=6), st.text(max_size=200))
def test_whatever_is_stated_was_said(turns: list[Turn], summary: str) -> None:
    everything = "\n".join((summary, *(turn.text for turn in turns)))
    for one in utterances(turns, summary):
        assert all(line in everything for line in one.stated.split("\n"))


def test_huge_conversation_is_read_in_one_go() -> None:
    assert len(utterances([Turn("user", "So it is. " * 2_000)] * 5, "So it is. " * 2_000)) == 2_005
