"""Language data: one file per language in ``data/``, loaded and validated when it is first needed.

To add a language, write ``data/<ISO 639-1 code>.yaml`` with the keys of `Language`: most of them below,
those of numbers, dates and measures in `quantity_tables.py`. All keys are optional: what is missing is never
recognised. Everything else is code for scripts and forms.

Words are separated by spaces and phrases by commas, so that YAML does not read "no" as a truth value.
Patterns are regular expressions (of the package `regex`). Those of all languages are tried on every text,
because chats mix languages, so a pattern must not match everyday words of another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import regex
import yaml

from rag.language.fields import Pattern, Phrases, Section, Words
from rag.language.quantity_tables import Dates, Measures, Numbers

_FOLDER = Path(__file__).with_name("data")
_PREFERRED_ORDER = ("en", "ru", "es", "id", "ko", "zh")
"""Order of preference for ties; other languages follow by their codes."""


class Detection(Section):
    """The marks that distinguish the language from others.

    Args:
        family: The script in which letter statistics detect it, which costs memory. None for a language that
            its script identifies, or that is not distinguished.
        messages: Whole messages in the language: "gracias".
        telling: Words that identify the language if its letters do not.
    """

    family: Literal["Latin", "Cyrillic"] | None = None
    messages: Phrases = ()
    telling: Words = ()


class WordLists(Section):
    """Words by their function in a sentence.

    Args:
        stop: Function words, which say nothing about the subject; lower case, ё written as е. Kept short on
            purpose: a missing word costs some precision, a wrong one hides what a question is about.
            Negations are left out if they change an answer as separate words.
        stop_unspaced: The same in a script without spaces, longer ones first.
        endings: Particles and endings of Korean words.
        particles: Particles of one syllable that hardly any noun of two syllables ends in.
        small: Frequent words that are not stop words, because they carry meaning.
        title: Articles, prepositions and conjunctions that names and titles have as well.
        dangling: Words that cannot end a sentence.
        sentence_end: Pattern of the end of a sentence, with or without a full stop.
        abbreviations: Words whose full stop does not end a sentence, without that stop.
        before_ordinals: Words before an ordinal and a noun in capitals: "im 3. Stock".
        joints: "and" between the markers of two citations.
        copulas_behind: "is" at the end of a sentence.
    """

    stop: Words = ()
    stop_unspaced: Words = ()
    endings: Words = ()
    particles: Words = ()
    small: Words = ()
    title: Words = ()
    dangling: Words = ()
    dangling_unspaced: Words = ()
    sentence_end: Pattern = ""
    abbreviations: Words = ()
    abbreviations_before_number: Words = ()
    before_ordinals: Words = ()
    joints: Words = ()
    copulas_behind: Words = ()


class Conversation(Section):
    """Everyday phrases, lower case, without end punctuation.

    Args:
        doubts: A message of only one of these asks what the last answer rests on.
        small_talk: A message of only these (and fillers) is small talk.
        fillers: Words that can accompany small talk without making it a question.
        follow_up: A message that is, or begins with, one of these depends on the conversation.
        pointers: Words that refer back; in a short message they make it a follow-up.
        resolved: Words for a place in the conversation; a standalone rewrite removes them, like pointers.
        asking: Words that only ask; a standalone rewrite may add them.
        summary: Pattern of what asks for a summary.
        talk: Pattern of what calls the conversation itself, in a message that asks for a summary.
    """

    doubts: Phrases = ()
    small_talk: Phrases = ()
    fillers: Phrases = ()
    follow_up: Phrases = ()
    pointers: Phrases = ()
    resolved: Phrases = ()
    asking: Phrases = ()
    summary: Pattern = ""
    talk: Pattern = ""


class Negation(Section):
    """Patterns of negations.

    Args:
        denials: Negations in a clause: "not", "without", "prohibited".
        turning: Negations that reverse their sentence; "without" does not.
        limits: Phrases that look like a negation and set a limit: "no more than".
        borders: Words that end a clause, besides punctuation: "but".
    """

    denials: Pattern = ""
    turning: Pattern = ""
    limits: Pattern = ""
    borders: Pattern = ""


QualifierKind = Literal[
    "only", "except", "may", "must", "all", "some", "at least", "at most", "before", "after", "more", "less",
    "none", "most", "without", "need not", "if", "instead", "former", "wished",
]  # fmt: skip


class Questions(Section):
    """Patterns of questions, by what they ask for.

    Args:
        named: A group or a place.
        whole: All of something, one of all, or how many there are: "the cheapest", "list", "only".
        yes_or_no: What marks a yes-or-no question, whatever else it says: "is …?", "吗".
        ending: How such a question ends if it has no question word.
        joints: What joins one question to another: "and".
    """

    who: Pattern = ""
    named: Pattern = ""
    when: Pattern = ""
    count: Pattern = ""
    whole: Pattern = ""
    other: Pattern = ""
    yes_or_no: Pattern = ""
    ending: Pattern = ""
    joints: Pattern = ""


class Rows(Section):
    """Patterns of what a question asks of all rows of a table.

    Args:
        most, least: The highest or the lowest value.
        dearest, cheapest: The same of prices.
        price: What a column of prices is called.
        count: How many rows: "how many", "number of".
        list: Which rows: "list", "which suppliers are".
        asking: Words that only ask for rows: "all", "in total", "are there".
        total: The beginning of a row that sums the others up.
    """

    most: Pattern = ""
    least: Pattern = ""
    dearest: Pattern = ""
    cheapest: Pattern = ""
    price: Pattern = ""
    count: Pattern = ""
    list: Pattern = ""
    asking: Pattern = ""
    total: Pattern = ""


class Answers(Section):
    """Words and patterns of answers.

    Args:
        bare: Words that a bare yes or no can consist of.
        firm: Words that only express certainty.
        source_lists: Pattern of the headings of lists of sources.
    """

    bare: Words = ()
    firm: Words = ()
    source_lists: Pattern = ""


class EvidenceTexts(Section):
    """Texts and patterns that the evidence compares with; patterns are tried on folded text.

    Args:
        declining: Patterns of a sentence that declines to answer.
        refusing: Patterns of how a reply begins that refuses to help, whatever it knows.
        offering: Patterns of a sentence behind a refusal that offers other help, or names rules of safety.
        ignorance: Patterns of a speaker who admits not to know.
        openings: Patterns of words before an answer that claim nothing.
        tasks: Patterns of requests that need no documents: translate, compute, write.
        arithmetic: Pattern of the words between two numbers of a calculation.
        pairs: "question => right answer": examples of "about the same thing", for similarities.
    """

    declining: tuple[Pattern, ...] = ()
    refusing: tuple[Pattern, ...] = ()
    offering: tuple[Pattern, ...] = ()
    ignorance: tuple[Pattern, ...] = ()
    openings: tuple[Pattern, ...] = ()
    tasks: tuple[Pattern, ...] = ()
    arithmetic: Pattern = ""
    pairs: tuple[str, ...] = ()


class Requests(Section):
    """Patterns of questions by the form of answer that they want.

    Args:
        explanation: An explanation, a comparison, a list.
        brief: A few words.
        about_language: A translation, or an answer in another language.
        for_title: A name or a title, which can be in any language.
    """

    explanation: Pattern = ""
    way_or_reason: Pattern = ""
    brief: Pattern = ""
    about_language: Pattern = ""
    for_title: Pattern = ""


class Drafts(Section):
    """Names of the two speakers in a chat log that a model has made up: "user", "assistant"."""

    asker: Pattern = ""
    answerer: Pattern = ""


class PageNumbers(Section):
    """Words around the number of a page.

    Args:
        before: Words before the number: "page", "p".
        behind: Words right behind it: "页".
        of: Words between the number and how many pages there are: "3 of 7".
    """

    before: Words = ()
    behind: Words = ()
    of: Words = ()


class Language(Section):
    """All data of one language.

    Args:
        word_borders: Whether words are separated by borders; False if a word runs into the next one.
        qualifiers: By kind: pattern of qualifiers, tried between word borders. ``former`` are words for what
            held before ("used to"), ``wished`` for what somebody wanted or proposed.
    """

    word_borders: bool = True
    detection: Detection = Detection()
    words: WordLists = WordLists()
    conversation: Conversation = Conversation()
    numbers: Numbers = Numbers()
    dates: Dates = Dates()
    measures: Measures = Measures()
    negation: Negation = Negation()
    qualifiers: Mapping[QualifierKind, Pattern] = {}
    questions: Questions = Questions()
    rows: Rows = Rows()
    answers: Answers = Answers()
    evidence: EvidenceTexts = EvidenceTexts()
    drafts: Drafts = Drafts()
    requests: Requests = Requests()
    page_numbers: PageNumbers = PageNumbers()

    def bordered(self, words: Pattern) -> Pattern:
        """Return a pattern between word borders, if this language has them."""
        return rf"\b(?:{words})\b" if words and self.word_borders else words


@cache
def languages() -> Mapping[str, Language]:
    """Return every language by its ISO 639-1 code, English first.

    Raises:
        pydantic.ValidationError: A file has an unknown key or a value of the wrong type.
    """
    codes = sorted(file.stem for file in _FOLDER.glob("*.yaml"))
    ordered = sorted(
        codes,
        key=lambda code: _PREFERRED_ORDER.index(code) if code in _PREFERRED_ORDER else len(_PREFERRED_ORDER),
    )
    return {code: _read(code) for code in ordered}


def language(code: str) -> Language:
    """Return the data of a language; empty data for one without a file."""
    return languages().get(code, _UNKNOWN)


def alternatives(pick: Callable[[Language], Pattern | Words | Phrases]) -> Pattern:
    """Return one pattern for a key of every language: its words, or its own patterns."""
    return "|".join(_values_of(pick))


def compile_pattern(
    pick: Callable[[Language], Pattern | Words | Phrases],
) -> regex.Pattern[str]:
    """Return the compiled pattern for a key of every language; without the key it never matches."""
    return regex.compile(alternatives(pick) or r"(?!)", regex.IGNORECASE)


def _values_of(pick: Callable[[Language], Pattern | Words | Phrases]) -> Iterator[str]:
    for one in languages().values():
        picked = pick(one)
        yield from filter(None, (picked,) if isinstance(picked, str) else picked)


def _read(code: str) -> Language:
    text = (_FOLDER / f"{code}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return Language.model_validate(yaml.load(text, loader))  # noqa: S506 - the safe loader, in C where there is one


_UNKNOWN = Language()
