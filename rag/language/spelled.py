"""Read numbers in words, in languages with spaces: "two hundred and five", "полтора миллиона".

A run of number words is read as one number, or as several numbers separated by a joint, a comma or a hyphen.
A run that is neither is not read at all, because half of it would be a wrong number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import regex

from rag.language import measures
from rag.language.number_sum import add_up
from rag.language.number_words import Grammar, NumberWord, fold, grammars
from rag.language.numeral import Numeral, Reading, normal_form

_WORD = regex.compile(r"(?<![\p{L}\p{M}_])\p{L}[\p{L}\p{M}]*+(?![\d_])")
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_TOUCHES = re.compile(r"[\d_]")
_MARK = regex.compile(r"\p{M}")
_SPACE = regex.compile(r"[ \t]{1,3}|[ \t]{0,3}\r?\n[ \t]{0,3}")
_HYPHENS = frozenset("-‐‑")
_MINUS = frozenset("-−")
_ABBREVIATION = regex.compile(r"\p{L}{1,4}\.(?=\s\p{Ll})")
_MAX_WORDS = 40
"""Maximum number of words of a number; a longer run is not a number."""
_SMALL_NUMBER = 10
_HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Figures:
    """A number in digits that words can continue: "2.5 million", "3 с половиной".

    Args:
        readings: Its possible values.
        start: Its start.
        end: Offset of the end of its digits; a scale after them is a separate word.
    """

    readings: tuple[Decimal, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Token:
    part: NumberWord
    text: str
    start: int
    end: int
    readings: tuple[Decimal, ...] = ()
    gap: str = ""


def languages(text: str, language: str, *, liberal: bool) -> dict[str, Grammar]:
    """Return the languages whose number words `text` may have; comparing words is cheaper than reading."""
    known = grammars()
    folded = text.casefold()
    stressed = not folded.isascii() and _MARK.search(folded) is not None
    words = set(_words(folded, stressed=stressed))
    return {
        code: known[code]
        for code in ([language] if language in known and not liberal else known)
        if not words.isdisjoint(known[code].counting if liberal else known[code].telling)
    }


def read_number_words(
    text: str, figures: Sequence[Figures], spoken: Mapping[str, Grammar], *, is_known: bool, liberal: bool
) -> list[Reading]:
    """Read the number words of `text`.

    Args:
        text: The text.
        figures: Its numbers in digits, in order.
        spoken: The languages to try, from `languages`.
        is_known: The text is known to be in that language.
        liberal: Also read words for one, and words that may be numbers.
    """
    found: list[Reading] = []
    for grammar in spoken.values():
        for run in _runs(_tokenise(text, figures, grammar, liberal=liberal), grammar):
            found += _read_run(text, run, grammar, is_known, liberal)
    return found


def _words(folded: str, *, stressed: bool) -> Iterable[str]:
    return map(fold, _WORD.findall(folded)) if stressed else _PLAIN_WORD.findall(folded)


def _tokenise(text: str, figures: Sequence[Figures], grammar: Grammar, *, liberal: bool) -> list[_Token]:
    """Return the number words and digits of `text` in order, each with the text before it."""
    stressed = not text.isascii() and _MARK.search(text) is not None
    found: list[tuple[int, int, NumberWord, str, tuple[Decimal, ...]]] = [
        (one.start, one.end, NumberWord("digits", one.readings[0]), "", one.readings) for one in figures
    ]
    for match in _WORD.finditer(text) if stressed else _PLAIN_WORD.finditer(text):
        written = match.group().casefold()
        word = grammar.words.get(fold(written) if stressed else written)
        if word is None or (word.role == "ordinals" and liberal and measures.is_name(written)):
            continue
        start, end = match.span()
        if text[start - 1 : start] != "_" and not _TOUCHES.match(text, end):
            found.append((start, end, word, written, ()))
    if figures:
        found.sort(key=lambda one: one[0])
    tokens: list[_Token] = []
    before = 0
    for start, end, part, written, readings in found:
        tokens.append(
            _Token(part, written, start, end, readings, text[before : min(start, before + _SMALL_NUMBER)])
        )
        before = end
    return tokens


def _runs(tokens: Sequence[_Token], grammar: Grammar) -> Iterator[list[_Token]]:
    """Yield runs of tokens that may be one number, without incomplete ends."""
    run: list[_Token] = []
    for position, token in enumerate(tokens):
        if run and not _goes_on(run, token, tokens[position + 1 : position + 5], grammar):
            yield from _trim(run)
            run = []
        run.append(token)
    yield from _trim(run)


def _trim(run: list[_Token]) -> Iterator[list[_Token]]:
    loose = {"joints", "of", "points", "wholes"}
    start, end = 0, len(run)
    while start < end and run[start].part.role in loose:
        start += 1
    while start < end and run[end - 1].part.role in loose | {"articles"}:
        end -= 1
    counted = {"number", "digits", "teens", "tens", "hundreds", "groups", "scales", "apart"}
    inner = run[start:end]
    if any(token.part.role in counted for token in inner) and [t.part.role for t in inner] != ["digits"]:
        yield inner


def _goes_on(run: Sequence[_Token], token: _Token, ahead: Sequence[_Token], grammar: Grammar) -> bool:
    """Return whether `token` can belong to the number that the run has started."""
    before, role = run[-1].part.role, token.part.role
    if not _is_near(token, before, ahead, grammar) or before == "ordinals":
        return False
    if role == "articles":
        return before in {"joints", "shares", "of"}
    if before == "articles":
        return role in {"scales", "hundreds", "groups", "shares"}
    if role == "of":
        return before == "shares"
    if role == "ordinals" and measures.is_name(token.text):  # a twenty-second delay, the five seconds
        return before == "joints" or (run[-1].part.value >= 20 and token.gap in _HYPHENS)
    if role == "digits":
        return before == "scales" and _continues_after_scale(run[-1], token, ahead)
    if before == "digits":
        return role not in {"number", "apart", "ordinals", "shares"}
    return True


def _is_near(token: _Token, before: str, ahead: Sequence[_Token], grammar: Grammar) -> bool:
    if not token.gap:
        return before == "digits" and token.part.role == "scales"
    if token.gap in _HYPHENS or _SPACE.fullmatch(token.gap):
        return True
    if token.gap.startswith(",") and _SPACE.fullmatch(token.gap[1:]) and "commas" in grammar.habits:
        # "two thousand, seven hundred", but not "in two thousand, five servers"
        return before == "scales" and any(_is_large(one) for one in (token, *_up_to_comma(ahead)))
    return False


def _up_to_comma(tokens: Sequence[_Token]) -> Iterator[_Token]:
    for token in tokens:
        if token.gap.startswith(","):
            return
        yield token


def _is_large(token: _Token) -> bool:
    return token.part.role in {"hundreds", "scales", "fractions"} or token.part.value >= _HUNDRED


def _continues_after_scale(scale: _Token, token: _Token, ahead: Sequence[_Token]) -> bool:
    """Return whether digits continue a scale: "2 million 500 thousand", not "2 million 2023 models"."""
    if len(token.readings) > 1 or token.part.value >= scale.part.value:
        return False
    if ahead and ahead[0].part.role in {"scales", "hundreds"} and ahead[0].part.value < scale.part.value:
        return True
    return scale.part.value == 1000 and token.end - token.start == 3


def _read_run(
    text: str, run: Sequence[_Token], grammar: Grammar, is_known: bool, liberal: bool
) -> Iterator[Reading]:
    start, end = run[0].start, run[-1].end
    pieces = None if _continues_as_word(text, run, grammar) else _pieces(text, run, grammar)
    if pieces is None:
        yield Reading(None, start, end)
        return
    for piece, values in pieces:
        numeral = _make_numeral(text, piece, values)
        if liberal or _is_certain(text, piece, values[0], grammar, is_known=is_known):
            yield Reading(numeral, numeral.start, numeral.end)


def _continues_as_word(text: str, run: Sequence[_Token], grammar: Grammar) -> bool:
    """Return whether the run continues as another word: "twenty one-hour sessions", "dua-duanya"."""
    start, end = run[0].start, run[-1].end
    if "reduplication" in grammar.habits:
        before = text[max(0, start - 2) : start]
        if before[-1:] in _HYPHENS and before[:1].isalpha():
            return True
        return (
            text[end : end + 1] in _HYPHENS
            and text[end : end + 1] != ""
            and text[end + 1 : end + 2].isalpha()
        )
    if "year_pairs" in grammar.habits and len(run) > 1 and text[end : end + 1] in _HYPHENS:
        return (
            text[end + 1 : end + 2].isalpha()
            and run[-1].gap not in _HYPHENS
            and run[-1].part.role == "number"
        )
    return False


_Piece = tuple[Sequence[_Token], tuple[Decimal, ...]]


def _pieces(text: str, run: Sequence[_Token], grammar: Grammar) -> list[_Piece] | None:
    """Return the numbers of a run; None if its words do not form numbers."""
    if len(run) > _MAX_WORDS:
        return None
    found: list[_Piece] = []
    rest = run
    whole_allowed = not _is_behind_between(text, run, grammar)
    while rest:
        for end, following in _splits(rest):
            values = _values(rest[:end], grammar) if whole_allowed or end < len(run) else ()
            if values:
                found.append((rest[:end], values))
                rest = rest[following:]
                break
        else:
            return None
    return found


def _is_behind_between(text: str, run: Sequence[_Token], grammar: Grammar) -> bool:
    if not any(token.part.role == "joints" for token in run) or run[-1].part.role == "shares":
        return False
    words = _WORD.findall(text[max(0, run[0].start - 12) : run[0].start])
    return bool(words) and words[-1].casefold() in grammar.between


def _splits(run: Sequence[_Token]) -> Iterator[tuple[int, int]]:
    """Yield where the first number of a run can end and the next one start, longest first."""
    yield len(run), len(run)
    for position in range(len(run) - 1, 0, -1):
        if run[position].part.role == "joints":
            yield position, position + 1
        elif run[position].gap in _HYPHENS or run[position].gap.startswith(","):
            yield position, position


def _values(run: Sequence[_Token], grammar: Grammar) -> tuple[Decimal, ...]:
    """Return the values of one number, one per reading of its digits; empty if it is not well-formed."""
    if run[-1].part.role == "ordinals" and measures.is_name(run[-1].text):
        return ()  # the twenty-second floor, a twenty-second delay
    parts = [token.part for token in run]
    ambiguous = [index for index, token in enumerate(run) if len(token.readings) > 1]
    if len(ambiguous) > 1:
        return ()
    if not ambiguous:
        value = add_up(parts, grammar)
        return () if value is None else (value,)
    index = ambiguous[0]
    readings = [
        add_up([*parts[:index], NumberWord("digits", one), *parts[index + 1 :]], grammar)
        for one in run[index].readings
    ]
    return tuple(value for value in readings if value is not None)


def _make_numeral(text: str, run: Sequence[_Token], values: tuple[Decimal, ...]) -> Numeral:
    last, end = run[-1].part, run[-1].end
    if last.role == "scales" and _ABBREVIATION.match(text, run[-1].start):
        end += 1
    sign = "-" if text[run[0].start] in _MINUS else ""
    zeros = len(str(last.value)) - 1 if last.role in {"scales", "hundreds"} and last.value else 0
    normals = dict.fromkeys(sign + normal_form(value) for value in values)
    return Numeral("|".join(normals), run[0].start, end, zeros, last.role == "ordinals")


def _is_certain(
    text: str, run: Sequence[_Token], value: Decimal, grammar: Grammar, *, is_known: bool
) -> bool:
    """Return whether the words certainly are a number; a single word may be another word."""
    first = run[0]
    if first.part.role == "digits":
        return True
    if len(run) == 1:
        if first.text in grammar.beside:
            return False
        if not is_known and first.text in grammar.foreign:
            return False
        if first.text in grammar.unclear and not measures.measure(text, first.start, first.end).name:
            return False
    # A capital marks a name or the start of a sentence; the word for one is usually an article.
    return value > _SMALL_NUMBER or (value != 1 and not text[first.start].isupper())
