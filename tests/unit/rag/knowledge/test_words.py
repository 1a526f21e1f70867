import pytest

from rag.knowledge.words import Vocabulary

VOCABULARY = Vocabulary(passages=100, counts={"product": 90, "half": 50, "backup": 40, "nightly": 3})


@pytest.mark.parametrize(
    ("terms", "enough", "kept"),
    [
        pytest.param(["product", "backup"], 40, ["backup"], id="every passage names the product"),
        pytest.param(["half", "backup"], 40, ["backup"], id="half of the passages"),
        pytest.param(["product", "nightly"], 40, ["product", "nightly"], id="too few without it"),
        pytest.param(["product", "nightly", "unknown"], 3, ["nightly", "unknown"], id="unknown terms stay"),
        pytest.param(["product"], 10, ["product"], id="nothing else to look for"),
        pytest.param([], 10, [], id="nothing"),
    ],
)
def test_terms_of_most_passages_are_left_out_where_others_find_enough(
    terms: list[str], enough: int, kept: list[str]
) -> None:
    assert VOCABULARY.telling(terms, enough) == kept
