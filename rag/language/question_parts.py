"""Take a message apart that asks for several things: "how many days do I get, and who approves them?"."""

from __future__ import annotations

from functools import cache
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
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hangul}]")
_MARK: Final = regex.compile(r"[?？]\W*$")


def split_questions(message: str) -> tuple[str, ...]:
    """Return the questions of a message in their order, each with the statements before it.

    A message that asks for one thing is returned as it is, and so is one whose parts would not stand alone.
    """
    parts: list[str] = []
    told = ""
    for sentence in sentences(message) if len(message) <= _LONGEST else ():
        clauses = _split_clauses(sentence.text)
        if is_small_talk(sentence.text):
            continue
        if len(clauses) > 1 or is_question(sentence.text):
            joint = _joint().match(clauses[0]) if parts else None
            first = _as_question(clauses[0][joint.end() :]) if joint else clauses[0]
            parts += [f"{told}{first}", *clauses[1:]]
            told = ""
        else:
            told += f"{sentence.text} "
    is_apart = 1 < len(parts) <= _MOST and not told and all(map(_stands_alone, parts))
    return tuple(parts) if is_apart else (message,)


def _split_clauses(sentence: str) -> list[str]:
    """Split a sentence where a conjunction joins a question to another one."""
    begin, clauses = 0, []
    for joint in _joint().finditer(sentence):
        before, after = sentence[begin : joint.start()], sentence[joint.end() :]
        if _asks_one(before) and _asks(after) and _stands_alone(before) and _stands_alone(after):
            clauses.append(_as_question(before))
            begin = joint.end()
    return [*clauses, _as_question(sentence[begin:])] if clauses else [sentence]


def _asks_one(clause: str) -> bool:
    """Return whether a clause asks, and no question in it could be the one that is joined to the next clause.

    Nothing is split in "people who are ill and who …", "find out when it ends and who …", "when and where".
    """
    found = list(question_words().finditer(clause))
    if _UNSPACED.search(clause):
        return bool(found)
    inner = found[1:] if _asks(clause) else found
    return not inner and (bool(found) or has_yes_or_no_form(clause))


def _asks(clause: str) -> bool:
    """Return whether a clause begins with a question word; in Chinese and Korean, whether it has one."""
    if _UNSPACED.search(clause):
        return bool(question_words().search(clause))
    return bool(_opening().match(clause))


def _stands_alone(part: str) -> bool:
    rest = question_words().sub(" ", part)
    return bool(content_terms(rest)) and not (is_small_talk(part) or is_doubt(part))


def _as_question(clause: str) -> str:
    clause = clause.strip()
    mark = "" if _MARK.search(clause) else "？" if regex.search(r"\p{Han}", clause) else "?"
    return f"{clause[:1].upper()}{clause[1:]}{mark}"


@cache
def _joint() -> regex.Pattern[str]:
    joints = alternatives(lambda one: one.questions.joints)
    return regex.compile(rf"\s*[,;]?\s*(?:{joints})\s*", regex.IGNORECASE)


@cache
def _opening() -> regex.Pattern[str]:
    """Return the pattern of a question word that at most one preposition stands before."""
    return regex.compile(
        rf"[\W_]*+(?:[\p{{Latin}}\p{{Cyrillic}}]{{1,6}}\s++)??(?:{question_words().pattern})",
        regex.IGNORECASE,
    )
