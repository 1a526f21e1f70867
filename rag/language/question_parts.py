"""Take a message apart that asks for several things: "how many days do I get, and who approves them?"."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Final

import regex

from rag.language.asking import has_yes_or_no_form, is_question, question_words
from rag.language.phrases import is_doubt, is_small_talk
from rag.language.sentences import sentences
from rag.language.tables import alternatives
from rag.language.words import content_terms

_LONGEST: Final = 600
"""A longer message, in characters, is a text that somebody pasted, and no list of questions."""
_MOST: Final = 4
"""Most questions that are answered one by one."""
_MOST_JOINTS: Final = 8
"""Most conjunctions of a sentence that are looked at; a sentence with more of them is a list."""
_QUOTES: Final = regex.compile(r"[\"“”«»„「」『』:：]|\b[A-Za-z\d][)）]\s")
"""Signs of what others asked, or of a choice between answers."""
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hangul}]")
_MARK: Final = regex.compile(r"[?？]\W{0,8}$")


def split_questions(message: str) -> tuple[str, ...]:
    """Return the questions of a message in their order, each with the statements before it.

    A message that asks for one thing is returned as it is, and so is one whose parts would not stand alone,
    or that quotes or pastes what others asked.
    """
    if len(message) > _LONGEST or _QUOTES.search(message):
        return (message,)
    lines = [line for line in message.split("\n") if line.strip() and not is_small_talk(line)]
    if len(lines) > 1 and not all(map(is_question, lines)):
        return (message,)
    parts: list[str] = []
    told = ""
    for sentence in sentences(message):
        if is_small_talk(sentence.text):
            continue
        clauses = _split_clauses(sentence.text)
        if len(clauses) > 1 or is_question(sentence.text):
            joint = _joint().match(clauses[0]) if parts else None
            first = _as_question(clauses[0][joint.end() :]) if joint else clauses[0]
            parts += [f"{told}{first}", *clauses[1:]]
            told = ""
        else:
            told += f"{sentence.text} "
    parts = list(dict.fromkeys(parts))
    is_apart = 1 < len(parts) <= _MOST and not told and all(map(_stands_alone, parts))
    return tuple(parts) if is_apart else (message,)


def _split_clauses(sentence: str) -> list[str]:
    begin, clauses = 0, []
    for joint in islice(_joint().finditer(sentence), _MOST_JOINTS):
        before, after = sentence[begin : joint.start()], sentence[joint.end() :]
        if _asks(after) and _asks_one(before) and _stands_alone(before) and _stands_alone(after):
            if _question_word(before) == _question_word(after) and _UNSPACED.search(after):
                continue  # "who asks pays" is said so in Chinese
            clauses.append(_as_question(before))
            begin = joint.end()
    return [*clauses, _as_question(sentence[begin:])] if clauses else [sentence]


def _question_word(clause: str) -> str:
    found = question_words().search(clause)
    return found.group().casefold() if found else ""


def _asks_one(clause: str) -> bool:
    """Return whether a clause asks, and no question in it could be the one that is joined to the next clause.

    Nothing is split in "people who are ill and who …", "find out when it ends and who …", "when and where".
    """
    found = list(question_words().finditer(clause))
    if _UNSPACED.search(clause):
        return bool(found)
    if len(clause.split()) <= len(found) + 1:
        return False  # "which countries and which cities" ask for one thing
    inner = found[1:] if _asks(clause) else found
    return not inner and (bool(found) or has_yes_or_no_form(clause))


def _asks(clause: str) -> bool:
    """Return whether a clause begins with a question word; in Chinese and Korean, whether it has one."""
    if _UNSPACED.search(clause):
        return bool(question_words().search(clause))
    return bool(_opening().match(clause))


def _stands_alone(part: str) -> bool:
    """Return whether a part asks for something, in enough words to be searched for."""
    if not (question_words().search(part) or has_yes_or_no_form(part)) or is_small_talk(part):
        return False
    return bool(content_terms(question_words().sub(" ", part))) and not is_doubt(part)


def _as_question(clause: str) -> str:
    clause = clause.strip().rstrip("。.!！ ")
    mark = "" if _MARK.search(clause) else "？" if regex.search(r"\p{Han}", clause) else "?"
    return f"{clause[:1].upper()}{clause[1:]}{mark}"


@cache
def _joint() -> regex.Pattern[str]:
    joints = alternatives(lambda one: one.questions.joints)
    return regex.compile(rf"\s{{0,3}}[,;]?\s{{0,3}}(?:{joints})\s{{0,3}}", regex.IGNORECASE)


@cache
def _opening() -> regex.Pattern[str]:
    """Return the pattern of a question word that at most one preposition stands before."""
    return regex.compile(
        rf"[\W_]*+(?:[\p{{Latin}}\p{{Cyrillic}}]{{1,6}}\s++)??(?:{question_words().pattern})",
        regex.IGNORECASE,
    )
