import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language import numerals


@pytest.mark.parametrize(
    ("written", "decimal"),
    [
        ("1,500,000", "1500000"),
        ("1.5 million", "1500000"),
        ("0.50", "0.5"),
        ("2k", "2000"),
        ("10.05", "10.05"),
        ("between 7 and 21", "21"),
    ],
)
def test_writings_of_a_number_share_their_significant_digits(written: str, decimal: str) -> None:
    assert numerals.significant_digits(decimal) in (numerals.digits(written) or ())


def test_digits_of_two_numbers_are_not_read_as_one() -> None:
    assert numerals.digits("room 12 and 34") == frozenset({"12", "34"})


def test_endless_row_of_groups_is_not_read() -> None:
    assert numerals.digits(" ".join("1234567890")) is None


@pytest.mark.parametrize(
    "text", ["twenty servers", "ОДИН сервер", "трёх дней", "三十天", "세 개", "dua puluh"]
)
def test_number_in_words_is_noticed(text: str) -> None:
    assert numerals.has_words(text)


def test_prose_without_numbers_has_none_in_words() -> None:
    assert not numerals.has_words("The server restarts at night, after the backup of 5 files.")


@given(
    st.one_of(
        st.text(),
        st.text(alphabet="0123456789,.'’ kKmM-%$"),
        st.lists(st.sampled_from(["one", "two", "1.5", "million", "k", "三", "세", "20", "три", " "])).map(
            " ".join
        ),
    )
)
def test_quick_look_never_misses_a_number_that_reading_finds(text: str) -> None:
    plain = numerals.plain_digits(text)
    found = numerals.numerals(plain, liberal=True)
    quick = None if numerals.has_words(plain) else numerals.digits(plain)
    if quick is not None:
        for numeral in found:
            assert quick.issuperset(map(numerals.significant_digits, numeral.normal.split("|")))
