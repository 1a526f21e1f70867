"""Find text in the wrong language and letters of the wrong alphabet.

Small models slip into the language they were trained on most, for one word or for the rest of the text.
Quotations, parentheses and code can be in any language, and Latin words can be technical terms. So a Latin
sentence counts as wrong only if it has function words. Titles and commands also have function words ("Gone
with the wind."), but only those that names have too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from rag.checks.subject import Subject
from rag.language.detect import detect, family, find_likelier
from rag.language.markdown import blank
from rag.language.scripts import LETTER_WEIGHTS, SCRIPTS, prose, script_runs
from rag.language.sentences import sentences
from rag.language.tables import compile_pattern, languages
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
"""Scripts that a language uses besides Latin. Languages that are missing here use only Latin."""

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

_MIN_WORDS_SAME_SCRIPT = 8
_MIN_WORDS = 5
_MIN_WORDS_SHORT_TEXT = 3
_MIN_LOWER_WORDS = 2
_MIN_LETTERS = 8
_MAX_NAME_WORDS = 8
_MIN_SMALL_WORDS = 4
_MIN_OTHER_SCRIPT_WEIGHT = 20.0
_WRONG_SHARE = 0.25
_MAX_STRAY_LETTERS = 3
_MAX_STRAY_PLACES = 3

_SENTENCE_ENDS = (".", "!", "?", "…")
_WORD = regex.compile(r"[\p{L}\p{M}]+")
_WHOLE_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*")
_LATIN = regex.compile(r"\p{Latin}")
_OTHER_SCRIPTS = frozenset(SCRIPTS) - {"Latin"}
_MIXED = regex.compile(
    r"(?<![\p{Latin}\p{Cyrillic}])(?:\p{Latin}++\p{Cyrillic}|\p{Cyrillic}++\p{Latin})[\p{Latin}\p{Cyrillic}]*+"
)
_LATIN_LOOKALIKES, _CYRILLIC_LOOKALIKES = "aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ"
_TO_CYRILLIC = str.maketrans(_LATIN_LOOKALIKES, _CYRILLIC_LOOKALIKES)
TO_LATIN = str.maketrans(_CYRILLIC_LOOKALIKES, _LATIN_LOOKALIKES)
"""Turns Cyrillic letters that look like Latin ones into those; for `str.translate`."""


@cache
def _about_language() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.requests.about_language)


@cache
def _for_title() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.requests.for_title)


@cache
def _in_titles() -> frozenset[str]:
    return frozenset(word for one in languages().values() for word in one.words.title)


@dataclass(frozen=True, slots=True)
class _Group:
    """A run of letters in one foreign script, with at most two characters between them."""

    script: str
    start: int
    end: int
    letters: int


def find(subject: Subject) -> Iterator[Finding]:
    """Find text that is not in the subject's language."""
    if not subject.language or _about_language().search(subject.asked):
        return
    visible = prose(subject.text)
    for pattern in (_QUOTED, _PATH_OR_OPTION):
        visible = blank(visible, [found.span() for found in pattern.finditer(visible)])
    wrong = list(_find_wrong_sentences(subject, visible))
    yield from wrong
    for finding in wrong:
        visible = blank(visible, [(finding.start, finding.end)])
    if visible.isascii():
        return  # no letter of another alphabet
    yield from _find_mixed_words(visible)
    yield from _find_foreign_letters(subject, visible)


def replacement(text: str, finding: Finding) -> str:
    """Return a word of mixed alphabets in one alphabet."""
    return _use_one_alphabet(text[finding.start : finding.end])


def _find_wrong_sentences(subject: Subject, visible: str) -> Iterator[Finding]:
    if _is_name(subject, visible):
        return
    found = _detect_other_language(subject.language, visible)
    if found := found or _detect_other_in_short_text(subject.language, visible):
        yield _make_finding(subject, found, 0, len(subject.text))
        return
    wrong = [
        (other, sentence.start, sentence.end)
        for sentence in sentences(subject.text)
        if (other := _detect_other_language(subject.language, visible[sentence.start : sentence.end]))
    ]
    if wrong:
        amount = sum(_weight(visible[start:end]) for _, start, end in wrong)
        severe = amount >= _WRONG_SHARE * _weight(visible)
        for other, start, end in wrong:
            yield _make_finding(subject, other, start, end, "critical" if severe else "complex")


def _make_finding(
    subject: Subject, found: str, start: int, end: int, severity: Severity = "critical"
) -> Finding:
    description = Reason(
        "text-other-language",
        {"found": found, "asked": subject.language},
    )
    return Finding("wrong_language", severity, start, end, description)


def _is_name(subject: Subject, visible: str) -> bool:
    """Return whether the text is a short Latin title or command, or only repeats words of the question."""
    words = _WHOLE_WORD.findall(visible)
    folded = [word.casefold() for word in words]
    if len(words) > _MAX_NAME_WORDS or _weight(visible, _OTHER_SCRIPTS):
        return False
    if set(folded) <= set(_WHOLE_WORD.findall(subject.asked.casefold())):
        return True
    if any(word in small_words() and word not in _in_titles() for word in folded):
        return False
    is_command = words[0].islower() and words[0] not in small_words()
    return is_command or _for_title().search(subject.asked) is not None


def _detect_other_language(expected: str, visible: str) -> str:
    own = _SCRIPTS_OF.get(expected, frozenset())
    latin = [word for word in _WORD.findall(visible) if word.islower() and _LATIN.match(word)]
    if len(latin) < _MIN_WORDS and _weight(visible, _OTHER_SCRIPTS - own) < _MIN_OTHER_SCRIPT_WEIGHT:
        return ""  # too short to tell
    found = detect(visible, default=expected)
    if found == expected:
        return ""
    other = _SCRIPTS_OF.get(found, frozenset())
    if not other:  # Latin
        enough = len(latin) >= (_MIN_WORDS if own else _MIN_WORDS_SAME_SCRIPT) or _has_only_small_words(
            found, expected, latin
        )
        return found if enough and (own or expected in family("Latin")) else ""
    # Languages that share a script differ in a few letters, so count all letters of the script.
    scripts = other - own or other
    return found if _weight(visible, scripts) >= _MIN_OTHER_SCRIPT_WEIGHT else ""


def _detect_other_in_short_text(expected: str, visible: str) -> str:
    """Return the language code of a short Latin sentence ("I do not know."), else an empty string."""
    if not visible.rstrip().endswith(_SENTENCE_ENDS):
        return ""
    own = _SCRIPTS_OF.get(expected, frozenset())
    if _weight(visible, _OTHER_SCRIPTS) or not (own or expected in family("Latin")):
        return ""
    every = _WORD.findall(visible)
    words = [word for word in every if word.islower()]
    small = [word for word in words if word in small_words()]
    # A capitalised word may be a name; it counts only next to a function word that names do not have.
    is_sentence = any(word not in _in_titles() for word in small)
    if any(expected in small_words()[word] for word in small):
        return ""
    if not own:  # both languages use Latin letters
        is_long = len(words) >= _MIN_LOWER_WORDS and len("".join(every)) >= _MIN_LETTERS
        return find_likelier(visible, expected) if is_long else ""
    if not small or len(every if is_sentence else words) < _MIN_WORDS_SHORT_TEXT:
        return ""
    found = detect(visible, default=expected)
    votes = Counter(language for word in small for language in sorted(small_words()[word]))
    return found if found in votes else votes.most_common(1)[0][0]


def _has_only_small_words(found: str, expected: str, words: list[str]) -> bool:
    own = {word for word in words if found in small_words().get(word, ())}
    return len(own) >= _MIN_SMALL_WORDS and not any(expected in small_words().get(word, ()) for word in words)


def _find_mixed_words(visible: str) -> Iterator[Finding]:
    """Find words that mix look-alike letters of two alphabets; a search cannot find such words."""
    for word in _MIXED.finditer(visible):
        if _use_one_alphabet(word.group()) != word.group():
            yield Finding("stray_characters", "fixable", *word.span(), Reason("text-mixed-letters"))


def _use_one_alphabet(word: str) -> str:
    """Return a word in one alphabet; unchanged if it is a compound or a letter has no look-alike."""
    latin = "".join(letter for letter in word if letter.isascii())
    cyrillic = "".join(letter for letter in word if not letter.isascii())
    fewer, table = (latin, _TO_CYRILLIC) if len(latin) < len(cyrillic) else (cyrillic, TO_LATIN)
    if (len(fewer) > 1 and fewer.isupper()) or any(ord(letter) not in table for letter in fewer):
        return word
    return word.translate(table)


def _find_foreign_letters(subject: Subject, visible: str) -> Iterator[Finding]:
    own = _SCRIPTS_OF.get(subject.language, frozenset()) | {"Latin"}
    asked = {run.script for run in script_runs(subject.asked)} - {"Latin"}
    groups = [
        group
        for group in _group_letters(visible, own | frozenset(asked))
        if not _is_name_or_symbol(group, visible) and visible[group.start : group.end] not in subject.known
    ]
    if not _weight(visible, own) and _weight(visible) < _MIN_OTHER_SCRIPT_WEIGHT:
        return  # only a name or a word that was asked for
    strays = [group for group in groups if group.letters <= _MAX_STRAY_LETTERS]
    if len(strays) == len(groups) <= _MAX_STRAY_PLACES:
        for group in strays:
            # A repair could change the meaning: a limit of "3 万" without 万 is another limit.
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
                {"script": groups[0].script, "asked": subject.language},
            ),
        )


def _group_letters(visible: str, own: frozenset[str]) -> list[_Group]:
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
    """Return whether a group is a symbol, a part of a mixed word, or a capitalised name."""
    if group.script == "Greek" and group.letters == 1:
        return True
    if group.script in {"Cyrillic", "Greek", "Armenian"}:
        before, after = visible[group.start - 1 : group.start], visible[group.end : group.end + 1]
        if _LATIN.match(before) or _LATIN.match(after):
            return True
        return all(word[:1].isupper() for word in _WORD.findall(visible[group.start : group.end]))
    return False


def _weight(visible: str, scripts: frozenset[str] = frozenset(SCRIPTS)) -> float:
    """Return the amount of text in `scripts`, as a number of Latin letters."""
    if visible.isascii() and "Latin" not in scripts:
        return 0.0
    return sum(
        (run.end - run.start) * LETTER_WEIGHTS.get(run.script, 1.0)
        for run in script_runs(visible)
        if run.script in scripts
    )
