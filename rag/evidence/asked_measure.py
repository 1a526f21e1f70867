"""Checks that an answer gives the kind of amount that its question asks for, such as a time span or a price.

A handbook that does not say how long a private lesson lasts says what it costs, and a small reader then reads
the price. So where a question names the measure of its answer ("how many minutes"), asks for a price or for a
time of day, amounts of another kind are no answer. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from rag.evidence import bank
from rag.language import asking
from rag.language.measures import says_free
from rag.language.quantity_tables import MeasureName
from rag.language.units import Unit, matches, missing, units

Dimension = Literal["time span", "money", "share", "length", "weight", "temperature", "data", "time of day"]

_DIMENSIONS: Final[Mapping[Dimension, frozenset[MeasureName]]] = {
    "time span": frozenset({"ms", "s", "min", "h", "day", "working day", "week", "month", "year"}),
    "money": frozenset({"usd", "eur", "rub", "gbp", "cny", "jpy", "krw", "idr"}),
    "share": frozenset({"%"}),
    "length": frozenset({"mm", "cm", "m", "km", "mi", "ft"}),
    "weight": frozenset({"g", "kg"}),
    "temperature": frozenset({"°c", "°f"}),
    "data": frozenset({"b", "kb", "mb", "gb", "tb"}),
}
"""The measures of each kind of amount; every measure has one."""

_AMBIGUOUS: Final = frozenset({"gbp", "krw"})
"""Measures whose English names have another meaning in a question: pounds, won."""

_AMOUNTS: Final = frozenset({"number", "date", "time"})
"""Kinds of facts that are amounts."""


def gives_asked_kind(question: str, reading: str, quotation: str, language: str) -> bool:
    """Return whether a reading may be the kind of amount that the question asks for.

    Args:
        question: The standalone question.
        reading: What a reader found in the quotation.
        quotation: The sentence that contains the reading; it has the measures that readers leave out.
        language: ISO 639-1 code of question, reading and quotation.

    Returns:
        False only if the reading has amounts, and each of them is of another kind. A number without a measure
            may be of any kind.
    """
    wanted = asked_dimensions(question)
    read = _amounts(reading, language)
    if not wanted or not read:
        return True
    stated = [one for one in _amounts(quotation, language) if any(matches(fact, one) for fact in read)]
    return any(_may_be(one, wanted) for one in stated or read)


def gives_asked_price(question: str, quotation: str, language: str) -> bool:
    """Return whether a quotation has an amount beyond the question that may be the price asked for.

    Also True for a question that does not ask for a price, or asks for something else as well.
    """
    folded = bank.fold(question)
    is_open = asking.wants_yes_or_no(folded) or asking.kinds_asked(folded) & {"who", "named"}
    if is_open or not asking.asks_price(folded) or says_free(bank.fold(quotation)):
        return True
    wanted: frozenset[Dimension] = frozenset({"money", "share"})
    return any(_may_be(one, wanted) for one in missing(_amounts(quotation, language), question))


def asked_dimensions(question: str) -> frozenset[Dimension]:
    """Return the kinds of amounts of which a question asks for one; empty if it names none."""
    folded = bank.fold(question)
    found: set[Dimension] = {_dimension(name) for name in asking.measures_asked(folded) - _AMBIGUOUS}
    if asking.asks_price(folded):
        found |= {"money", "share"}
    if asking.asks_time_of_day(folded):
        # "At 9" is "at 9 hours" in some languages, and "45 minutes before departure" tells the time, too.
        found |= {"time of day", "time span"}
    return frozenset(found)


def _amounts(text: str, language: str) -> Sequence[Unit]:
    return [one for one in units(text, language, with_names=False) if one.kind in _AMOUNTS]


def _may_be(amount: Unit, wanted: frozenset[Dimension]) -> bool:
    match amount.kind:
        case "time":  # "from 9:00 to 17:00" also says how many hours
            return bool(wanted & {"time of day", "time span"})
        case "date":  # "until 31 March" also says how many months
            return "time span" in wanted and "time of day" not in wanted
        case _:
            measure = amount.readings[0].partition(" ")[2]
            return not measure or _dimension(measure) in wanted


def _dimension(measure: str) -> Dimension:
    return next(dimension for dimension, names in _DIMENSIONS.items() if measure in names)
