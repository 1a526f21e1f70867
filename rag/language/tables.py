"""What belongs to one language: a file each in ``data/``, read and checked when the first text needs it.

To add a language, write ``data/<ISO 639-1 code>.yaml`` with the keys below. Each may be left out: what
is missing is never recognised. Everything else is code for scripts and forms.

Words are written side by side, phrases with commas between them, so that YAML does not take "no" for a truth
value. Patterns are regular expressions (of the package `regex`); those of all languages are tried on every
text, because chats mix languages, so a pattern must not fit the everyday words of another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import regex
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict

_FOLDER = Path(__file__).with_name("data")
_FIRST = ("en", "ru", "es", "id", "ko", "zh")
"""The languages that ties go to, in this order; the others follow by their codes."""


def _split_words(written: object) -> object:
    return tuple(str(written).split()) if isinstance(written, str | int | float) else written


def _split_phrases(written: object) -> object:
    return tuple(phrase.strip() for phrase in written.split(",")) if isinstance(written, str) else written


Words = Annotated[tuple[str, ...], BeforeValidator(_split_words)]
"""Words with spaces between them."""
Phrases = Annotated[tuple[str, ...], BeforeValidator(_split_phrases)]
"""Phrases with commas between them, or a list."""
Months = tuple[Words, ...]
"""Rows of words, such as those for twelve months; an empty row where there are none."""
Pattern = str
"""A regular expression; an empty one stands for none and is never tried."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Habit = Literal[
    "commas", "year_pairs", "joint_behind_tens", "thousands_of_millions", "share_without_joint",
    "reduplication", "joint_before_share_only", "joint_everywhere",
]  # fmt: skip


class NumberWords(_Section):
    """The words of numbers in a language that puts spaces between words; `rag.language.spelled` reads them.

    Accents and ё may be missing in a text: both writings are tried.

    Args:
        numbers: By value: words below a thousand that stand for themselves.
        tens, teens, hundreds: Words behind a digit, which they multiply by 10, add 10 to, multiply by 100.
        groups: By value: words for a set of things, which need a number or an article before them.
        scales: By value: words of a thousand and more.
        whole: Those of the scales that mean one of it when alone: "mil", "seribu".
        ordinals: By value: words (stems, with `ordinal_endings`) that may end a number: "twenty-fifth".
        whole_ordinals: The same without endings.
        shares: By value: words for a part of a scale: "half a million".
        fractions: Words beside which a number is another one or none: "two thirds", "twenty-odd".
        apart: By value: words that never join with others: "twice".
        unclear: Words that are numbers only beside another one, or before a measure.
        beside: Words that are numbers only beside another one.
        foreign: Words that mean something else in other languages; they count where the language is known.
        joints: Words inside a number.
        articles: Words before a scale or a half.
        of: Words between a share and its scale.
        points: Words of the decimal point.
        wholes, parts: The Russian ones: "две целых пять десятых".
        between: Words before two numbers that a joint separates: "between one hundred and two hundred".
        habits: How numbers are put together: ``commas`` behind a scale ("two thousand, seven hundred");
            ``year_pairs`` ("nineteen eighty-four"); ``joint_behind_tens`` ("treinta y uno");
            ``thousands_of_millions`` ("dos mil trescientos millones"); ``share_without_joint``
            ("dua setengah juta"); ``reduplication`` ("dua-duanya" is no two); ``joint_before_share_only``
            ("два с половиной", never "два с пятью"); ``joint_everywhere`` ("duzentos e trinta e quatro").
    """

    numbers: dict[Decimal, Words] = {}
    teens: Words = ()
    tens: Words = ()
    hundreds: Words = ()
    groups: dict[Decimal, Words] = {}
    scales: dict[Decimal, Words] = {}
    whole: Words = ()
    ordinals: dict[Decimal, Words] = {}
    ordinal_endings: Words = ()
    whole_ordinals: dict[Decimal, Words] = {}
    shares: dict[Decimal, Words] = {}
    fractions: Words = ()
    apart: dict[Decimal, Words] = {}
    unclear: Words = ()
    beside: Words = ()
    foreign: Words = ()
    joints: Words = ()
    articles: Words = ()
    of: Words = ()
    points: Words = ()
    wholes: Words = ()
    parts: dict[Decimal, Words] = {}
    between: Words = ()
    habits: tuple[Habit, ...] = ()


class NumberSigns(_Section):
    """What stands around numbers in Chinese characters or Korean syllables, of which many are parts of words.

    Args:
        counters: Patterns of what numbers count: before one, a single sign is a number.
        counters_near: What a single Korean syllable may count without a space: "이개월" is nothing else.
        counters_far: What it may count behind a space.
        counters_of_this: The same for 이, which is "this" before everything else.
        counters_native: What a single native Korean number may count without a space.
        everyday: Words that look like numbers: "十分", "천사".
        tens, units: By value: native Korean numbers.
        needs_counter: Those of them that are other words without a counter.
        particles: What hangs on a Korean word.
        numbering: What stands behind a number that tells things of one name apart: "2층".
        money, days: What stands behind an amount of money, and behind a number of days.
    """

    counters: Words = ()
    counters_near: Words = ()
    counters_far: Words = ()
    counters_of_this: Words = ()
    counters_native: Words = ()
    everyday: Words = ()
    tens: dict[int, Words] = {}
    units: dict[int, Words] = {}
    needs_counter: Words = ()
    particles: Words = ()
    numbering: Words = ()
    money: Words = ()
    days: Words = ()


class Numbers(_Section):
    """How numbers are written.

    Args:
        words: Numbers in words, where words have spaces between them.
        signs: Numbers in Chinese characters or Korean syllables.
        decimal_comma: Whether 1,5 is one and a half.
        magnitudes: By number of zeros: words behind figures: "5 million".
        minus: Words before a negative number.
        ranges: Words between the ends of a range: "from 5 to 10".
        half: Pattern of a half behind a number: "two and a half".
    """

    words: NumberWords | None = None
    signs: NumberSigns = NumberSigns()
    decimal_comma: bool = False
    magnitudes: dict[int, Words] = {}
    minus: Words = ()
    ranges: Words = ()
    half: Pattern = ""


class Detection(_Section):
    """How a text in the language is told from texts in others.

    Args:
        family: The script in which letter statistics are asked about it, which costs memory. None for one
            that its script tells, or that is not told apart.
        messages: Whole messages in it: "gracias".
        telling: Words that mean the language where its letters do not tell.
        spelling: Pattern of what no English word has.
    """

    family: Literal["Latin", "Cyrillic"] | None = None
    messages: Phrases = ()
    telling: Words = ()
    spelling: Pattern = ""


class WordLists(_Section):
    """Words by what they do in a sentence.

    Args:
        stop: Words that stand in every text and tell nothing of its subject, lower case, ё written as е.
            Few on purpose: a missing one costs some precision, a wrong one hides what a question is about.
            Words that deny are left out where they change an answer as words of their own.
        stop_unspaced: The same in a script without spaces, longer ones first.
        endings: Particles and endings that hang on a Korean word.
        particles: Those of one syllable that hardly any noun of two syllables ends in.
        small: Small words of every sentence that are no stop words, because they carry meaning.
        title: Articles, prepositions and conjunctions that names and titles have as well.
        dangling: Words that no sentence ends with.
        dangling_unspaced: The same in a script without spaces.
        sentence_end: Pattern of how a sentence ends, full stop or not.
        abbreviations: Words whose full stop ends no sentence, without that stop.
        abbreviations_before_number: The same before a number.
        joints: "and" between the markers of two citations.
        copulas_behind: "is" at the end of a sentence.
        leaning: Pattern of how a sentence begins that cannot be read without the one before.
        list_joints: "and" and "or" between the items of a list.
        list_joints_unspaced: Pattern of those without spaces around them.
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
    joints: Words = ()
    copulas_behind: Words = ()
    leaning: Pattern = ""
    list_joints: Words = ()
    list_joints_unspaced: Pattern = ""


class Conversation(_Section):
    """Everyday phrases, lower case, without end punctuation.

    Args:
        small_talk: A message of nothing but these (and fillers) is social talk.
        fillers: Words that may stand beside small talk without making it a question.
        follow_up: A message that is, or begins with, one of these leans on what was said before.
        pointers: Words that point back; in a short message they make it a follow-up.
        resolved: Words for a place in what was said; they go when a follow-up is made whole, as pointers do.
        asking: Words that only ask; they may be new where a follow-up is made whole.
    """

    small_talk: Phrases = ()
    fillers: Phrases = ()
    follow_up: Phrases = ()
    pointers: Phrases = ()
    resolved: Phrases = ()
    asking: Phrases = ()


class Dates(_Section):
    """The words of dates and times of day.

    Args:
        months: Twelve, January first; the forms of one with spaces between them.
        short_months: The same, cut short.
        weekdays: Seven, Monday first.
        capitalised: Whether months and weekdays have a capital: one in lower case is another word then.
        beside_numbers: Those that are other words without a number beside them.
        verbs: Months that are verbs in lower case before another word: "step 2 may fail".
        short_behind_day: Short months that are other words unless a day stands before: "17 mar".
        short_only_behind_day: Short months that are other words without a day or a full stop: "set.".
        short_in_lower_case: Beginnings of short months that are no other words.
        weekdays_unclear: Weekdays that are other words, but where the pattern `weekday_where` fits.
        weekday_where: See `weekdays_unclear`.
        day_endings: What may hang on the number of a day: "5th".
        articles: Words between a month and a day: "May the 5th".
        of: Words between a day, a month and a year.
        morning, evening: Patterns behind an hour: "9 a.m.".
        morning_before, evening_before: Patterns before an hour: 下午三点.
    """

    months: Months = ()
    short_months: Months = ()
    weekdays: Months = ()
    capitalised: bool = False
    beside_numbers: Words = ()
    verbs: Words = ()
    short_behind_day: Words = ()
    short_only_behind_day: Words = ()
    short_in_lower_case: Words = ()
    weekdays_unclear: Words = ()
    weekday_where: Pattern = ""
    day_endings: Words = ()
    articles: Words = ()
    of: Words = ()
    morning: Pattern = ""
    evening: Pattern = ""
    morning_before: Pattern = ""
    evening_before: Pattern = ""


MeasureName = Literal[
    "%", "usd", "eur", "rub", "gbp", "cny", "jpy", "krw", "idr", "ms", "s", "min", "h", "day", "working day",
    "week", "month", "year", "b", "kb", "mb", "gb", "tb", "km", "m", "cm", "mm", "mi", "ft", "kg", "g", "°c",
    "°f",
]  # fmt: skip


class Measures(_Section):
    """What numbers count.

    Args:
        names: By the name that a measure has in every language: its phrases.
        adjectives: Pattern of what may stand between a number and what it counts: "five calendar days".
    """

    names: dict[MeasureName, Phrases] = {}
    adjectives: Pattern = ""


class Negation(_Section):
    """Patterns of words that deny.

    Args:
        denials: What says no in a clause: "not", "without", "prohibited".
        turning: Those of them that turn the sentence they stand in into its opposite: "without" does not.
        limits: What looks like a denial and limits: "no more than".
        borders: What ends a clause, beside punctuation: "but".
    """

    denials: Pattern = ""
    turning: Pattern = ""
    limits: Pattern = ""
    borders: Pattern = ""


QualifierKind = Literal[
    "only", "except", "may", "must", "all", "some", "at least", "at most", "before", "after", "more", "less",
    "none", "most", "without", "need not", "if",
]  # fmt: skip


class Questions(_Section):
    """Patterns of questions, by what they ask for.

    Args:
        who: A person.
        named: A group or a place.
        when: A date or a time.
        count: A number or an amount.
        other: Anything else.
        yes_or_no: What marks a question for yes or no, whatever else it says: "is …?", "吗".
        ending: How such a question ends where no other word asks for anything.
        choice: "or" between the things to choose from.
        finer_than_year: Questions that a year alone does not answer.
    """

    who: Pattern = ""
    named: Pattern = ""
    when: Pattern = ""
    count: Pattern = ""
    other: Pattern = ""
    yes_or_no: Pattern = ""
    ending: Pattern = ""
    choice: Pattern = ""
    finer_than_year: Pattern = ""


class Answers(_Section):
    """What answers are made of.

    Args:
        affirming, denying: Words for yes and no that an answer begins with.
        bare: Words of which an answer may be a bare yes or no.
        firm: Words that only say how firmly.
        instead: Pattern of what sets something apart from what is affirmed: "rather than".
        source_lists: Pattern of the headings of lists of sources.
    """

    affirming: Words = ()
    denying: Words = ()
    bare: Words = ()
    firm: Words = ()
    instead: Pattern = ""
    source_lists: Pattern = ""


class Comparisons(_Section):
    """Patterns of words that turn a figure into a bound or a comparison.

    Args:
        up, down: "more than", "newer"; "under", "earlier".
        earliest, latest: "not before"; "at the latest".
        starting: Where something begins: "from 11:00 on".
    """

    up: Pattern = ""
    down: Pattern = ""
    earliest: Pattern = ""
    latest: Pattern = ""
    starting: Pattern = ""


class EvidenceTexts(_Section):
    """What the evidence compares drafts and questions with; patterns are tried on folded text.

    Args:
        refusals: How people say "I do not know"; compared by meaning.
        declining: Patterns inside a sentence that declines to answer.
        ignorance: Patterns of a speaker who says not to know.
        openings: Patterns of what stands before an answer and claims nothing.
        tasks: Patterns of requests that need no documents: translate, compute, write.
        arithmetic: Pattern of the words between two numbers that are computed with.
        recent: Patterns that ask for the state of things at some moment.
        moments: Those that soon mean something else: "this week".
        ours: Patterns of a team that speaks of itself.
        amounts: Patterns of questions that want a number, a date or a time.
        pairs: "question => right answer": what "about the same thing" looks like to an embedding.
        everyday: Questions that any general model answers from common knowledge.
        particular: Questions that need knowledge of this person, place, product or team.
    """

    refusals: tuple[str, ...] = ()
    declining: tuple[Pattern, ...] = ()
    ignorance: tuple[Pattern, ...] = ()
    openings: tuple[Pattern, ...] = ()
    tasks: tuple[Pattern, ...] = ()
    arithmetic: Pattern = ""
    recent: tuple[Pattern, ...] = ()
    moments: tuple[Pattern, ...] = ()
    ours: tuple[Pattern, ...] = ()
    amounts: tuple[Pattern, ...] = ()
    pairs: tuple[str, ...] = ()
    everyday: tuple[str, ...] = ()
    particular: tuple[str, ...] = ()


class Drafts(_Section):
    """Patterns of what drafts say beside an answer.

    Args:
        about_draft: Talk about an earlier draft: "the previous answer".
    """

    about_draft: Pattern = ""


class Requests(_Section):
    """Patterns of questions by how they want to be answered.

    Args:
        explanation: An explanation, a comparison, a list.
        way_or_reason: A way or a reason: "how do I …", "why".
        brief: A few words.
        about_language: A translation, or an answer in another language.
        for_title: A name or a title, which may be in any language.
    """

    explanation: Pattern = ""
    way_or_reason: Pattern = ""
    brief: Pattern = ""
    about_language: Pattern = ""
    for_title: Pattern = ""


class Language(_Section):
    """Everything that is known of one language.

    Args:
        word_borders: Whether words are found by their borders; false where a word runs into the next one.
        qualifiers: By kind: pattern of the small words on which a rule hangs, tried between word borders.
    """

    word_borders: bool = True
    detection: Detection = Detection()
    words: WordLists = WordLists()
    conversation: Conversation = Conversation()
    numbers: Numbers = Numbers()
    dates: Dates = Dates()
    measures: Measures = Measures()
    negation: Negation = Negation()
    qualifiers: dict[QualifierKind, Pattern] = {}
    questions: Questions = Questions()
    answers: Answers = Answers()
    comparisons: Comparisons = Comparisons()
    evidence: EvidenceTexts = EvidenceTexts()
    drafts: Drafts = Drafts()
    requests: Requests = Requests()


@cache
def languages() -> Mapping[str, Language]:
    """Every language by its ISO 639-1 code, English first.

    Raises:
        pydantic.ValidationError: A file has a key that is not known or a value of another kind.
    """
    codes = sorted(file.stem for file in _FOLDER.glob("*.yaml"))
    ordered = sorted(codes, key=lambda code: _FIRST.index(code) if code in _FIRST else len(_FIRST))
    return {code: _read(code) for code in ordered}


def language(code: str) -> Language:
    """What is known of a language; nothing for one without a file."""
    return languages().get(code, _UNKNOWN)


def alternatives(pick: Callable[[Language], Pattern | Words | Phrases]) -> Pattern:
    """One pattern for a key of every language: its words, or its own patterns."""
    return "|".join(_every(pick))


def compiled(
    pick: Callable[[Language], Pattern | Words | Phrases], flags: regex.RegexFlag = regex.IGNORECASE
) -> regex.Pattern[str]:
    """The compiled pattern for a key of every language; it never fits where no language has the key."""
    return regex.compile(alternatives(pick) or r"(?!)", flags)


def _every(pick: Callable[[Language], Pattern | Words | Phrases]) -> Iterator[str]:
    for one in languages().values():
        picked = pick(one)
        yield from ((picked,) if picked else ()) if isinstance(picked, str) else picked


def _read(code: str) -> Language:
    text = (_FOLDER / f"{code}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return Language.model_validate(yaml.load(text, loader))  # noqa: S506 - the safe loader, in C where there is one


_UNKNOWN = Language()
