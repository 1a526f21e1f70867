"""Detect a text about a sibling of what was asked: Ghent for Porto, version 2 for version 1, 2002 for 2005.

Siblings are side by side in a handbook and their sentences look alike, so words and meaning cannot
distinguish them, and a small model reads one value for the other. The name, or the number after the same
word, distinguishes them. Pure.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import regex

from rag.language.names import names
from rag.language.number_words import fold, grammars
from rag.language.tables import alternatives
from rag.language.units import units
from rag.language.words import content_terms, locate_words, prefixes, terms

_NUMBERED = regex.compile(r"(?<!\p{L})(?P<word>\p{L}{3,}+)[ \u00a0](?P<number>\d{1,9}(?:\.\d{1,9}){0,3})\b")
_MODIFIED = regex.compile(r"(?<![\p{L}\p{N}])(?P<modifier>\p{Han}{2})(?P<head>\p{Han}{3})")
_YEAR = regex.compile(r"(?P<year>(?:19|20)[0-9]{2})(?:-|$| year$)")
_WORD = regex.compile(r"\p{L}+")
_FUNCTION_WORDS = regex.compile(r" (?:\p{L}{1,4} ){1,2}")
_FULL_STOPS = " .。!！"
_MIN_NAME_CHARACTERS, _MAX_NAME_CHARACTERS = 2, 12
"""Minimum and maximum characters of the name of a thing in Chinese or Japanese."""
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")


def speaks_of_sibling(
    question: str, quotation: str, heading: str, language: str, *, passage: str = ""
) -> bool:
    """Return whether a text names another thing of the same kind than the question, and not that one.

    Args:
        question: The standalone question.
        quotation: The text, such as a sentence of a passage.
        heading: Document and section of the text; names, numbers and years in it need not be in the text.
        language: ISO 639-1 code of the question, for the stems.
        passage: The whole passage; what it names need not be named in the quotation, because a sentence often
            says "it" of what another one names.
    """
    around = f"{heading}\n{quotation}"
    asked, said = _names(question, language), _names(quotation, language)
    told = (*said, *_names(passage, language))
    known = prefixes(terms(around, language)).union(*map(prefixes, told))
    if any(not prefixes(name) & known for name in asked):
        mine = prefixes(terms(question, language)).union(*map(prefixes, asked))
        if any(not prefixes(name) & mine for name in said):
            return True
    if _has_name_of_same_kind(asked, said, known, prefixes(terms(question, language))):
        return True
    if _has_other_modifier(question, quotation, heading) or _has_other_year(
        question, quotation, heading, language
    ):
        return True
    numbers = _numbers(around, language)
    return any(
        word in numbers and not wanted & numbers[word]
        for word, wanted in _numbers(question, language).items()
    )


def has_other_qualifier(question: str, quotation: str, heading: str, language: str) -> bool:
    """Return whether a text puts another word beside a word of the question: "yearly report" for "monthly".

    The two words end with the same letter, as words that qualify one noun do in many languages, or the same
    function word stands before them ("the fee for members" for "the fee for guests"); so a verb is seldom
    taken for one. A paraphrase can do the same, so this is a reason to read the passage, not to reject the
    text. For scripts with spaces.

    Args:
        question: The standalone question.
        quotation: The text, such as a sentence of a passage.
        heading: Document and section of the text; what it says need not be in the text.
        language: ISO 639-1 code of the question, for the stems.
    """
    known = prefixes(terms(f"{heading}\n{quotation}", language))
    asked = prefixes(terms(question, language))
    said = list(_adjacent_words(quotation, language))
    for first, second in _adjacent_words(question, language):
        if (first.beginning in known) == (second.beginning in known):
            continue
        if second.beginning in known:
            wanted, others = first, [one for one, head in said if head.beginning == second.beginning]
        else:
            wanted, others = second, [one for head, one in said if head.beginning == first.beginning]
        is_replaced = any(one.kind == wanted.kind for one in others)
        if is_replaced and asked.isdisjoint(one.beginning for one in others):
            return True
    return False


def find_replacing_word(
    claim: str, question: str, sentence: str, around: str, passage: str, language: str
) -> str:
    """Return the word of the question that replaces a word of the sentence in the claim; empty without one.

    The claim is "Harnesses are retired after six years"; the passage says so of ropes, and mentions harnesses
    elsewhere. Readers make the same replacement.

    Args:
        claim: The claim.
        question: The question that it answers.
        sentence: The sentence that supports it.
        around: The heading, and the sentence before; what they name need not be named again.
        passage: The whole passage.
        language: ISO 639-1 code of the five texts.
    """
    if _UNSPACED.search(claim):
        return _find_replacing_letters(claim, question, sentence, around, passage)
    stated, asked, own = (frozenset(content_terms(text, language)) for text in (sentence, question, claim))
    replacing = (own & asked).difference(stated, content_terms(around, language))
    kept = own - replacing
    is_sentence = bool(kept) and kept <= stated and not stated <= own | asked
    if not replacing or not is_sentence or not replacing.issubset(content_terms(passage, language)):
        return ""
    return min(replacing)


def _find_replacing_letters(claim: str, question: str, sentence: str, around: str, passage: str) -> str:
    """Return the beginning of a claim, from the question, if its rest follows other letters in the sentence.

    Stems of Chinese are pairs of characters, and a pair can span two words; so letters are compared here.
    """
    text = claim.strip(_FULL_STOPS)
    longest = min(len(text) // 2, _MAX_NAME_CHARACTERS)
    at = next((at for at in range(longest + 1) if text[at:] in sentence), 0)
    beginning = text[:at]
    if at < _MIN_NAME_CHARACTERS or beginning not in question or beginning not in passage:
        return ""
    start = sentence.index(text[at:])
    is_replaced = start > 0 and _UNSPACED.match(sentence[start - 1]) is not None
    return "" if not is_replaced or beginning in sentence or beginning in around else beginning


@cache
def _counted() -> regex.Pattern[str]:
    words = alternatives(lambda one: one.numbers.signs.numbering)
    return regex.compile(rf"(?P<number>\d{{1,9}}(?:\.\d{{1,9}}){{0,3}})\s?(?P<word>{words})")


def _has_name_of_same_kind(
    asked: Sequence[tuple[str, ...]],
    said: Sequence[tuple[str, ...]],
    known: frozenset[str],
    mine: frozenset[str],
) -> bool:
    """Return whether two names share a word and differ in another: Riverside Branch and Main Branch.

    Args:
        asked: Names of the question, as stems.
        said: Names of the text.
        known: Beginnings of the words that the text and its surroundings have.
        mine: Beginnings of the words of the question.
    """
    return any(
        prefixes(wanted) & prefixes(other) and prefixes(wanted) - known and prefixes(other) - mine
        for wanted in asked
        for other in said
    )


@dataclass(frozen=True, slots=True)
class _Neighbour:
    """A word beside another one.

    Args:
        beginning: The beginning of its stem, as of `prefixes`.
        kind: Its last letter, or the function words between the two: "of", "de".
    """

    beginning: str
    kind: str


def _adjacent_words(text: str, language: str) -> Iterable[tuple[_Neighbour, _Neighbour]]:
    """Find pairs of content words, no numbers, with nothing but spaces and function words between them."""
    plain = unicodedata.normalize("NFKC", text)
    words = [word for word in locate_words(plain, language) if word.terms]
    for pair in pairwise(words):
        between = plain[pair[0].end : pair[1].start]
        if not all(one.text.isalpha() and not _UNSPACED.search(one.text) for one in pair):
            continue
        if between == " " or _FUNCTION_WORDS.fullmatch(between):
            first, second = (
                _Neighbour(
                    min(prefixes(one.terms[:1])), between.strip().casefold() or one.text[-1].casefold()
                )
                for one in pair
            )
            yield first, second


def _names(text: str, language: str) -> list[tuple[str, ...]]:
    return [tuple(name.normal.split()) for name in names(text, language)]


def _numbers(text: str, language: str) -> dict[str, set[str]]:
    """Return the numbers that distinguish things of one name, by its stem: "version" has 2 and 3.

    A function word is no name: "the 2005 drought" and "the 2010 one" do not number a "the".
    """
    found: dict[str, set[str]] = {}
    for pattern in (_NUMBERED, _counted()):
        for match in pattern.finditer(text):
            for stem in _stems(match["word"], language):
                found.setdefault(stem, set()).add(match["number"])
    words = list(_WORD.finditer(text))
    for ordinal, noun in pairwise(words):
        number = _read_ordinal(ordinal[0], language)
        if number and text[ordinal.end() : noun.start()] == " ":
            for stem in _stems(noun[0], language):
                found.setdefault(stem, set()).add(number)
    return found


def _has_other_modifier(question: str, quotation: str, heading: str) -> bool:
    """Return whether a Chinese text puts other words before a head word of the question.

    苏州办公室 is a sibling of 成都办公室. The words before a head word are two characters at the beginning
    of a clause, because Chinese names have no capitals and nothing separates words.
    """
    asked = dict(_modified(question))
    said: dict[str, set[str]] = {}
    for head, modifier in _modified(quotation):
        said.setdefault(head, set()).add(modifier)
    return any(
        head in said and modifier not in said[head] and modifier not in f"{heading}\n{quotation}"
        for head, modifier in asked.items()
    )


def _modified(text: str) -> Iterable[tuple[str, str]]:
    """Find each head word of three characters at the beginning of a clause, and the two characters before."""
    return ((match["head"], match["modifier"]) for match in _MODIFIED.finditer(text))


def _has_other_year(question: str, quotation: str, heading: str, language: str) -> bool:
    """Return whether a question asks about a year and a text speaks of other years only.

    A year between two years of the text may be meant by it: "from 2001 to 2009" speaks of 2005.
    """
    asked, said = _years(question, language), _years(quotation, language)
    if not asked or not said or asked & (said | _years(heading, language)):
        return False
    return not any(min(said) < year < max(said) for year in asked)


def _years(text: str, language: str) -> frozenset[int]:
    """Return the years of a text, alone, with the word for year, or in a date."""
    found = (_YEAR.match(unit.normal) for unit in units(text, language) if unit.kind in {"date", "number"})
    return frozenset(int(match["year"]) for match in found if match)


def _stems(word: str, language: str) -> Sequence[str]:
    """Return the stem of a word, alone in a list; a function word has none."""
    return content_terms(word, language)[:1]


def _read_ordinal(word: str, language: str) -> str:
    """Return the digits of an ordinal in words, such as "first"; empty if it is none."""
    grammar = grammars().get(language)
    found = grammar.words.get(fold(word)) if grammar else None
    return str(found.value) if found is not None and found.role == "ordinals" else ""
