"""A text in the wrong language, or with letters that do not belong.

Small models slip into the language they were trained on most, for a word or for good. What is quoted,
in parentheses or in code may be in any language, and Latin words are terms in every language; so a
Latin sentence counts as wrong only with a sentence's small words in it. Titles and commands have small
words too ("Gone with the wind."), but none that only a sentence has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from rag.checks.subject import Subject
from rag.language.detect import detect, family, language_name
from rag.language.markdown import blank
from rag.language.scripts import LETTER_WEIGHTS, SCRIPTS, prose, script_runs
from rag.language.sentences import sentences
from rag.language.tables import compiled, languages
from rag.language.vocabulary import small_words
from rag.reasons import Reason
from rag.values import Finding, Severity

_SCRIPTS_OF = {
    **dict.fromkeys(("ru", "uk", "be", "bg", "sr", "mk", "kk"), frozenset({"Cyrillic"})),
    **dict.fromkeys(("ar", "fa", "ur"), frozenset({"Arabic"})),
    **dict.fromkeys(("hi", "mr", "ne"), frozenset({"Devanagari"})),
    "am": frozenset({"Ethiopic"}), "bn": frozenset({"Bengali"}), "el": frozenset({"Greek"}),
    "gu": frozenset({"Gujarati"}), "he": frozenset({"Hebrew"}), "hy": frozenset({"Armenian"}),
    "ja": frozenset({"Han", "Hiragana", "Katakana"}), "ka": frozenset({"Georgian"}),
    "km": frozenset({"Khmer"}), "kn": frozenset({"Kannada"}), "ko": frozenset({"Hangul"}),
    "lo": frozenset({"Lao"}), "ml": frozenset({"Malayalam"}), "my": frozenset({"Myanmar"}),
    "pa": frozenset({"Gurmukhi"}), "si": frozenset({"Sinhala"}), "ta": frozenset({"Tamil"}),
    "te": frozenset({"Telugu"}), "th": frozenset({"Thai"}), "zh": frozenset({"Han"}),
}  # fmt: skip
"""Scripts of a language beside Latin; a language that is not here is written in Latin."""

_QUOTED = regex.compile(
    r"""
    «[^«»\n]{1,400}» | “[^“”\n]{1,400}” | „[^„“”\n]{1,400}[“”] | ‘[^‘’\n]{1,200}’(?!\p{L})
    | "[^"\n]{1,400}" | (?<!\w)'[^'\n]{1,200}'(?!\w)
    | 「[^「」\n]{1,400}」 | 『[^『』\n]{1,400}』 | 《[^《》\n]{1,400}》 | 〈[^〈〉\n]{1,400}〉
    | \([^()\n]{1,200}\) | （[^（）\n]{1,200}） | \[[^\[\]\n]{1,200}\]
    | ^[ \t]*>[^\n]*$
    """,
    regex.VERBOSE | regex.MULTILINE,
)

_PATH_OR_OPTION = regex.compile(
    r"(?<![\w.~@:/\\-])(?:--?[a-z][\w=.-]*|/?[\w.~@:-]++[/\\][\w.~@:/\\-]*)", regex.ASCII | regex.IGNORECASE
)

_SAME_SCRIPT_WORDS = 8
_LEAST_WORDS = 5
_FEW_WORDS = 3
_LONGEST_NAME = 8
_SMALL_WORDS = 4
_OTHER_SCRIPT_WEIGHT = 20.0
_WRONG_SHARE = 0.25
_STRAY_LETTERS = 3
_STRAY_PLACES = 3

_SENTENCE_ENDS = (".", "!", "?", "…")
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_WHOLE_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*")
_LATIN = regex.compile(r"\p{Latin}")
_OTHER_SCRIPTS = frozenset(SCRIPTS) - {"Latin"}
_MIXED = regex.compile(
    r"(?<![\p{Latin}\p{Cyrillic}])(?:\p{Latin}++\p{Cyrillic}|\p{Cyrillic}++\p{Latin})[\p{Latin}\p{Cyrillic}]*+"
)
_LATIN_TWINS, _CYRILLIC_TWINS = "aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ"
_TO_CYRILLIC = str.maketrans(_LATIN_TWINS, _CYRILLIC_TWINS)
_TO_LATIN = str.maketrans(_CYRILLIC_TWINS, _LATIN_TWINS)


@cache
def _about_language() -> regex.Pattern[str]:
    return compiled(lambda one: one.requests.about_language)


@cache
def _for_title() -> regex.Pattern[str]:
    return compiled(lambda one: one.requests.for_title)


@cache
def _in_titles() -> frozenset[str]:
    """Of the small words those that names and titles have as well: articles, prepositions, conjunctions."""
    return frozenset(word for one in languages().values() for word in one.words.title)


@dataclass(frozen=True, slots=True)
class _Group:
    """Neighbouring letters of one foreign script."""

    script: str
    start: int
    end: int
    letters: int


def find(subject: Subject) -> Iterator[Finding]:
    """Find what is not in the subject's language."""
    if not subject.language or _about_language().search(subject.asked):
        return
    visible = prose(subject.text)
    for pattern in (_QUOTED, _PATH_OR_OPTION):
        visible = blank(visible, [found.span() for found in pattern.finditer(visible)])
    wrong = list(_wrong_sentences(subject, visible))
    yield from wrong
    for finding in wrong:
        visible = blank(visible, [(finding.start, finding.end)])
    if visible.isascii():
        return  # no letter of another alphabet
    yield from _twins(visible)
    yield from _foreign_letters(subject, visible)


def replacement(text: str, finding: Finding) -> str:
    """What to put in place of a word of two alphabets: the same word in one of them."""
    return _untwinned(text[finding.start : finding.end])


def in_one_alphabet(text: str) -> str:
    """A text with Latin letters in place of their Cyrillic look-alikes: to compare, not to be read."""
    return text.translate(_TO_LATIN)


def _wrong_sentences(subject: Subject, visible: str) -> Iterator[Finding]:
    """The whole text, or its sentences in another language."""
    if _is_name(subject, visible):
        return
    found = _other_language(subject.language, visible) or _short_other(subject.language, visible)
    if found:
        yield _wrong(subject, found, 0, len(subject.text))
        return
    wrong = [
        (other, sentence.start, sentence.end)
        for sentence in sentences(subject.text)
        if (other := _other_language(subject.language, visible[sentence.start : sentence.end]))
    ]
    if wrong:
        amount = sum(_weight(visible[start:end]) for _, start, end in wrong)
        severe = amount >= _WRONG_SHARE * _weight(visible)
        for other, start, end in wrong:
            yield _wrong(subject, other, start, end, "critical" if severe else "complex")


def _wrong(subject: Subject, found: str, start: int, end: int, severity: Severity = "critical") -> Finding:
    description = Reason(
        "text-other-language",
        {"found": language_name(found), "asked": language_name(subject.language)},
    )
    return Finding("wrong_language", severity, start, end, description)


def _is_name(subject: Subject, visible: str) -> bool:
    """Whether the whole text is a few Latin words that were asked for, a title or a command."""
    words = _WHOLE_WORD.findall(visible)
    folded = [word.casefold() for word in words]
    if len(words) > _LONGEST_NAME or _weight(visible, _OTHER_SCRIPTS):
        return False
    if set(folded) <= set(_WHOLE_WORD.findall(subject.asked.casefold())):
        return True
    if any(word in small_words() and word not in _in_titles() for word in folded):
        return False
    is_command = words[0].islower() and words[0] not in small_words()
    return is_command or _for_title().search(subject.asked) is not None


def _other_language(expected: str, visible: str) -> str:
    """The language of a stretch when it clearly is another one than expected, else an empty string."""
    own = _SCRIPTS_OF.get(expected, frozenset())
    latin = [word for word in _WORD.findall(visible) if word.islower() and _LATIN.match(word)]
    if len(latin) < _LEAST_WORDS and _weight(visible, _OTHER_SCRIPTS - own) < _OTHER_SCRIPT_WEIGHT:
        return ""  # too little to be sure, whatever it is
    found = detect(visible, default=expected)
    if found == expected:
        return ""
    other = _SCRIPTS_OF.get(found, frozenset())
    if not other:  # Latin
        enough = len(latin) >= (_LEAST_WORDS if own else _SAME_SCRIPT_WORDS) or _is_plain(
            found, expected, latin
        )
        return found if enough and (own or expected in family("Latin")) else ""
    # Languages of one script differ in a few letters: count the whole of it.
    scripts = other - own or other
    return found if _weight(visible, scripts) >= _OTHER_SCRIPT_WEIGHT else ""


def _short_other(expected: str, visible: str) -> str:
    """The Latin language of a whole text of a few words ("I do not know.") that is no name and no command."""
    if not visible.rstrip().endswith(_SENTENCE_ENDS):
        return ""
    own = _SCRIPTS_OF.get(expected, frozenset())
    if _weight(visible, _OTHER_SCRIPTS) or not (own or expected in family("Latin")):
        return ""
    every = _WORD.findall(visible)
    words = [word for word in every if word.islower()]
    small = [word for word in words if word in small_words()]
    # Capitals may be names; next to a word that no name has they are part of a sentence.
    is_sentence = any(word not in _in_titles() for word in small)
    if len(every if is_sentence else words) < _FEW_WORDS:
        return ""
    if any(expected in small_words()[word] for word in small):
        return ""
    # Where one alphabet serves both, half of the words must tell; otherwise their letters do.
    if len(small) < (1 if own else max(2, len(words) / 2)):
        return ""
    found = detect(visible, default=expected)
    votes = Counter(language for word in small for language in sorted(small_words()[word]))
    return found if found in votes else votes.most_common(1)[0][0]


def _is_plain(found: str, expected: str, words: list[str]) -> bool:
    """Whether a few words are enough because they are nothing but small words of one language."""
    own = {word for word in words if found in small_words().get(word, ())}
    return len(own) >= _SMALL_WORDS and not any(expected in small_words().get(word, ()) for word in words)


def _twins(visible: str) -> Iterator[Finding]:
    """Words in which a letter is the look-alike of another alphabet: no search finds them."""
    for word in _MIXED.finditer(visible):
        if _untwinned(word.group()) != word.group():
            yield Finding("stray_characters", "fixable", *word.span(), Reason("text-mixed-letters"))


def _untwinned(word: str) -> str:
    """A word in one alphabet, or the same word where its letters have no twins or it is a compound."""
    latin = "".join(letter for letter in word if letter.isascii())
    cyrillic = "".join(letter for letter in word if not letter.isascii())
    fewer, table = (latin, _TO_CYRILLIC) if len(latin) < len(cyrillic) else (cyrillic, _TO_LATIN)
    if (len(fewer) > 1 and fewer.isupper()) or any(ord(letter) not in table for letter in fewer):
        return word
    return word.translate(table)


def _foreign_letters(subject: Subject, visible: str) -> Iterator[Finding]:
    """Letters of a script that the language does not use."""
    own = _SCRIPTS_OF.get(subject.language, frozenset()) | {"Latin"}
    asked = {run.script for run in script_runs(subject.asked)} - {"Latin"}
    groups = [
        group
        for group in _groups(visible, own | frozenset(asked))
        if not _is_name_or_symbol(group, visible) and visible[group.start : group.end] not in subject.known
    ]
    if not _weight(visible, own) and _weight(visible) < _OTHER_SCRIPT_WEIGHT:
        return  # a name or a word that was asked for, and nothing else
    strays = [group for group in groups if group.letters <= _STRAY_LETTERS]
    if len(strays) == len(groups) <= _STRAY_PLACES:
        for group in strays:
            # Nobody knows what they stand for: without 万 a limit of "3 万" is another one.
            yield Finding(
                "stray_characters",
                "critical",
                group.start,
                group.end,
                Reason("text-stray-letters", {"script": group.script}),
            )
    elif groups:
        yield Finding(
            "wrong_language",
            "critical",
            groups[0].start,
            groups[-1].end,
            Reason(
                "text-other-script",
                {"script": groups[0].script, "asked": language_name(subject.language)},
            ),
        )


def _groups(visible: str, own: frozenset[str]) -> list[_Group]:
    groups: list[_Group] = []
    for run in script_runs(visible):
        if run.script in own or (run.script == "Other"):
            continue
        letters = run.end - run.start
        last = groups[-1] if groups else None
        kana = {"Hiragana", "Katakana", "Han"}
        if last and (last.script == run.script or {last.script, run.script} <= kana):
            between = visible[last.end : run.start]
            if len(between) <= 2 and not any(character.isalnum() for character in between):
                groups[-1] = _Group(last.script, last.start, run.end, last.letters + letters)
                continue
        groups.append(_Group(run.script, run.start, run.end, letters))
    return groups


def _is_name_or_symbol(group: _Group, visible: str) -> bool:
    """Whether letters are a symbol, part of a mixed word, or a name in an alphabet with cases."""
    if group.script == "Greek" and group.letters == 1:
        return True
    if group.script in {"Cyrillic", "Greek", "Armenian"}:
        before, after = visible[group.start - 1 : group.start], visible[group.end : group.end + 1]
        if _LATIN.match(before) or _LATIN.match(after):
            return True
        return all(word[:1].isupper() for word in _WORD.findall(visible[group.start : group.end]))
    return False


def _weight(visible: str, scripts: frozenset[str] = frozenset(SCRIPTS)) -> float:
    """How much text there is in some scripts, in Latin letters."""
    if visible.isascii() and "Latin" not in scripts:
        return 0.0
    return sum(
        (run.end - run.start) * LETTER_WEIGHTS.get(run.script, 1.0)
        for run in script_runs(visible)
        if run.script in scripts
    )
