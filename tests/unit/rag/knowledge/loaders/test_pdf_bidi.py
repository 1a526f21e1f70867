"""Lines from right to left: what a program shows by Unicode's algorithm is read back as it was written."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.pdf_bidi import goes_from_right, reading_order

MIRRORED = str.maketrans("()[]<>", ")(][><")


def levels(text: str, base: int) -> list[int]:
    """Rules W2 to W7, N1, N2, I1 and I2 of the Unicode bidirectional algorithm, for a line of one direction."""
    edge = "R" if base else "L"
    kinds = [unicodedata.bidirectional(letter) for letter in text]
    strong = edge
    for place, kind in enumerate(kinds):  # W2
        strong = kind if kind in {"L", "R", "AL"} else strong
        kinds[place] = "AN" if kind == "EN" and strong == "AL" else kind
    kinds = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for place in range(1, len(kinds) - 1):  # W4
        before, kind, after = kinds[place - 1 : place + 2]
        if before == after and (kind == "CS" or (kind == "ES" and before == "EN")) and before in {"EN", "AN"}:
            kinds[place] = before
    for kind, run in itertools.groupby(range(len(kinds)), key=lambda place: kinds[place] == "ET"):  # W5
        places = list(run)
        if kind and "EN" in {
            *kinds[max(places[0] - 1, 0) : places[0]],
            *kinds[places[-1] + 1 : places[-1] + 2],
        }:
            kinds[places[0] : places[-1] + 1] = ["EN"] * len(places)
    strong = edge
    for place, kind in enumerate(kinds):  # W6, W7
        strong = kind if kind in {"L", "R"} else strong
        kinds[place] = (
            "L" if kind == "EN" and strong == "L" else kind if kind in {"L", "R", "EN", "AN"} else "ON"
        )
    sides = [edge, *("R" if kind in {"EN", "AN"} else kind for kind in kinds), edge]
    for is_neutral, run in itertools.groupby(
        range(1, len(sides) - 1), key=lambda place: sides[place] == "ON"
    ):
        places = list(run)  # N1, N2
        if is_neutral:
            before, after = sides[places[0] - 1], sides[places[-1] + 1]
            kinds[places[0] - 1 : places[-1]] = [before if before == after else edge] * len(places)
    up = {"L": (0, 2), "R": (1, 1), "EN": (2, 2), "AN": (2, 2)}
    return [up[kind][base] for kind in kinds]


def shown(text: str, *, is_from_right: bool = True) -> str:
    """The characters of a line from left to right, as rule L2 turns them and L4 mirrors them."""
    found = levels(text, int(is_from_right))
    places = list(range(len(text)))
    for level in (2, 1):
        turned: list[int] = []
        for is_high, run in itertools.groupby(places, key=lambda place: found[place] >= level):
            part = list(run)
            turned += part[::-1] if is_high else part
        places = turned
    return "".join(text[one].translate(MIRRORED) if found[one] % 2 else text[one] for one in places)


def read(line: str, *, is_from_right: bool = True) -> str:
    order = reading_order(line, is_from_right=is_from_right)
    return "".join(
        line[place].translate(MIRRORED) if is_turned else line[place] for place, is_turned in order
    )


@pytest.mark.parametrize(
    "text",
    [
        "החניון נפתח בשעה 06:30 ונסגר בשעה 23:00.",
        "המחיר הוא 12 שקלים ו-75 אגורות.",
        "ההרשמה עד 15.9.2026, לא יאוחר.",
        "בין 10:00 - 12:00, וגם 14:00-16:00.",
        "קוד הקורס הוא CS-101 בבניין 7.",
        'שכר הלימוד (כולל מעבדה) הוא 4,250 ש"ח.',
        "לתושבים באתר Parkly Pro 2 יש הנחה של 15%!",
        "האתר (Parkly) נפתח; המחיר: 20₪, או 5$.",
        "1. הוראות בטיחות",
        "טלפון 02-5551234 או +972-2-5551234",
        "כתבו אל desk@example.org בבקשה",
        "הגרסה 3.5 יצאה ב-1/2/2026 [טיוטה]",
        "הכיתה C++ מתחילה בשעה 9",
        "23:00.",
        "تفتح المكتبة من الساعة 8:30 حتى الساعة 17:00.",
        "رقم الهاتف هو 4471-220.",
        "الخصم 15% حتى 15.9.2026 (للطلاب).",
        "السعر ٢٥٠٫٥٠ ريال، أو ١٢ دولارا",
        "غرفة B-204 في المبنى 7؟",
    ],
)
def test_a_line_that_was_shown_is_read_as_it_was_written(text: str) -> None:
    assert read(shown(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "The word שלום means peace.",
        "Room 12 (חדר ישיבות) is open.",
        "Say תודה רבה, please: 3 times.",
        "Plain 1, 2.",
    ],
)
def test_a_latin_line_with_words_from_right_to_left_is_read_as_it_was_written(text: str) -> None:
    assert read(shown(text, is_from_right=False), is_from_right=False) == text


@pytest.mark.parametrize("letters", ["אבם", "عبد"])
@given(st.data())
def test_letters_numbers_and_signs_are_read_as_they_were_written(letters: str, data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet=f"{letters} 12.,:-/()%₪+!", max_size=20))
    assert read(shown(text)) == text


@given(st.text(alphabet="אع a1٣.,-()%", max_size=20), st.booleans())
def test_no_letter_is_lost_or_doubled(text: str, is_from_right: bool) -> None:
    order = [place for place, _ in reading_order(text, is_from_right=is_from_right)]
    assert sorted(order) == list(range(len(text)))


@pytest.mark.parametrize(
    ("line", "is_page", "is_from_right"),
    [
        ("םולש", False, True),
        ("Hello", True, False),
        (".תירבעב Microsoft Office", True, True),
        ("The word םולש is here.", True, False),
        (".23:00", True, True),
        ("12-34", True, False),
        ("דוד ןב דוד Mr.", False, False),
        ("", False, False),
    ],
)
def test_the_direction_of_a_line(line: str, is_page: bool, is_from_right: bool) -> None:
    assert goes_from_right(line, is_page=is_page) == is_from_right
