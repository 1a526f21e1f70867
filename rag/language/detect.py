"""Which language a text is written in.

The script decides where it can, small words decide most of the rest, and letter statistics (py3langid, whose
package brings its model along) are asked only when neither does, because they cost 74 MB. They are weighed
with what is known of the writer: on three words they are often right and never sure. Without enough
evidence the answer is the caller's default: a message of English terms does not turn a Spanish conversation
into an English one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import regex

from rag.language.scripts import LETTER_WEIGHTS, prose, script_runs
from rag.language.tables import languages
from rag.language.vocabulary import LANGUAGE_NAMES, messages, small_words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

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

_NEIGHBOURS = ("ca", "cs", "da", "et", "fi", "hr", "hu", "lt", "lv", "no", "ro", "sk", "sl", "sq", "sv")
"""Languages in Latin letters that have no tables: letter statistics alone tell them."""

_FEWEST_LETTERS = 6
_FOREIGN = 0.02
_SMALL_SHARE = 0.25
_SHORT = 4  # words
_MOST_WORDS = 60
_SURE, _SURE_OF_FEW_WORDS, _SURE_NOT_ENGLISH = 0.7, 0.5, 0.3
_KNOWN, _EVERYBODYS, _SMALL_WORD = 4.0, 3.0, 10.0
"""How much likelier a language is that the writer is known to use, English among plain letters, and one whose
small word stands in the text."""


def detect(text: str, default: str = "en", known: Collection[str] = ()) -> str:
    """Find the language of `text` (ISO 639-1); code and addresses in it are ignored.

    Args:
        text: Any text; only its beginning is read.
        default: What to answer without enough evidence: the language of the conversation, if there is one.
        known: Languages that are likelier than others, such as that of the writer's program.
    """
    sample = prose(text[:_SAMPLE])
    words = _WORD.findall(sample.replace("’", "'"))
    script = _leading_script(sample, words)
    if script == "Latin":
        found = _latin(sample, _plain(words), default, known)
    elif script in _BY_LETTER:
        found = _by_letters(script, sample, words, (default, *known))
    else:
        found = _BY_SCRIPT.get(script, "")
    return found or default


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


def _by_letters(script: str, sample: str, words: Sequence[str], known: Sequence[str]) -> str:
    if phrase := messages().get(" ".join(words).lower()):
        return phrase
    letters = Counter(sample.lower())
    marks = {language: sum(letters[letter] for letter in own) for language, own in _BY_LETTER[script].items()}
    best = max(marks, key=lambda language: marks[language])
    if marks[best]:
        return best
    own_words = [word.lower() for word in words if not word.isascii()]
    told = next((_telling()[word] for word in own_words if word in _telling()), "")
    likeliest = next((code for code in known if code in family(script)), _BY_SCRIPT[script])
    if told or len(own_words) <= 2 or not family(script):
        return told or likeliest
    return _by_statistics(family(script), own_words, {likeliest: _KNOWN}, _SURE) or likeliest


def _latin(sample: str, words: Sequence[str], default: str, known: Collection[str]) -> str:
    """Language of a text in Latin letters, or an empty string without enough evidence."""
    if phrase := messages().get(" ".join(words)):
        # "ok" and "no" are everybody's: they do not change the language of a conversation.
        return "" if phrase == "en" and len(words) == 1 and len(words[0]) <= 3 else phrase
    # A word of one language says more than a word that several share.
    scores: dict[str, float] = {}
    for word in dict.fromkeys(words):
        for language in small_words().get(word, ()):
            scores[language] = scores.get(language, 0.0) + 1 / len(small_words()[word])
    ranked = sorted(((score, code) for code, score in scores.items()), reverse=True)
    (best, code), (second, _) = (*ranked, (0, ""), (0, ""))[:2]
    if best > 1 and best >= 1.4 * second and best >= _SMALL_SHARE * len(words):
        return code
    is_name = not any(word.islower() for word in _WORD.findall(sample))
    if is_name or len("".join(words)) < _FEWEST_LETTERS or (len(words) == 1 and sample.isascii()):
        return code if best == 1 else ""
    weights = dict.fromkeys((default, *known), _KNOWN)
    if sample.isascii():
        weights["en"] = weights.get("en", 1.0) * _EVERYBODYS
    for language, score in scores.items():
        weights[language] = weights.get(language, 1.0) * (1 + _SMALL_WORD * score)
    if len(words) == 1 or len(words) > _SHORT:
        return _by_statistics(family("Latin"), words, weights, _SURE)
    sure = _SURE_OF_FEW_WORDS if sample.isascii() else _SURE_NOT_ENGLISH
    found = _by_statistics(family("Latin"), words, weights, sure)
    if found == "en" and default and not scores.get("en"):
        return ""  # English terms are everybody's
    return found or (code if best >= 0.5 and best >= 1.4 * second else "")


def _by_statistics(
    codes: tuple[str, ...], words: Sequence[str], weights: Mapping[str, float], sure: float
) -> str:
    """Ask the statistics; an empty string unless one language is clearly likelier than all others."""
    ranked = load_statistics().rank(" ".join(words[:_MOST_WORDS]))
    scored = [(float(value) * weights.get(code, 1.0), code) for code, value in ranked if code in codes]
    best, code = max(scored, default=(0.0, ""))
    return code if best >= sure * sum(score for score, _ in scored) else ""


def find_likelier(text: str, expected: str) -> str:
    """Return the language that the letters of a text make 50 times likelier than `expected`; otherwise "".

    Own sentences of three to five words in six languages had .89 of the best language's likelihood at least,
    English ones at most .07, nearly all below .02.
    """
    ranked = load_statistics().rank(" ".join(_WORD.findall(text)).lower())
    odds = {code: float(value) for code, value in ranked if code in family("Latin")}
    best = max(odds, key=lambda code: odds[code])
    return best if expected in odds and odds[expected] < _FOREIGN * odds[best] else ""


@cache
def family(script: str) -> tuple[str, ...]:
    """The languages of a script that letter statistics tell apart; the others are no answer of theirs."""
    tabled = tuple(code for code, one in languages().items() if one.detection.family == script)
    return (*tabled, *_NEIGHBOURS) if script == "Latin" else tabled


@cache
def _telling() -> Mapping[str, str]:
    return {word: code for code, one in languages().items() for word in one.detection.telling}


@cache
def load_statistics() -> LanguageIdentifier:
    """Load the letter statistics, once; blocking."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
