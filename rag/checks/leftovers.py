"""Find text that a prompt or a chat leaves around an answer: tags, a model's thoughts, the question again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, islice

import regex

from rag.checks.subject import Subject
from rag.language.markdown import blank
from rag.language.tables import alternatives
from rag.reasons import Reason
from rag.values import Finding

_THOUGHTS = r"think|thinking|thought|thoughts|reasoning|scratchpad|reflection"
_THOUGHT = regex.compile(rf"<(?P<closing>/?)\s*(?:{_THOUGHTS})\s*>", regex.IGNORECASE)
_TAGS = (
    r"passages?|question|answer|context|history|conversation|draft|documents?|instructions?|system|user|assistant"
    r"|message|response|reply|final_answer|output|defect|summary_so_far"
)
_TOKEN = regex.compile(
    rf"""
    </(?:{_TAGS})\s*>
    | ^[ \t]*<(?:{_TAGS})(?:\s[^<>\n]{{0,100}})?>
    | <\|[a-z_]{{2,30}}\|> | <｜[^｜<>\n]{{1,40}}｜> | </?(?:start|end)_of_turn>(?:model|user)?
    | \[/?INST\] | <</?SYS>> | <(?:eos|bos|unk|pad)> | \A\s*<s> | </s>\s*\Z
    | ^\#{{2,4}}[ \t]*(?:Instruction|Response|Input|Answer|User|Assistant|System)[ \t]*:?[ \t]*$
    """,
    regex.VERBOSE | regex.MULTILINE | regex.IGNORECASE,
)
_WORD = regex.compile(r"\p{Han}|(?:(?!\p{Han})[\p{L}\p{M}\p{N}])++")
_BEHIND_ECHO = regex.compile(r"[^\p{L}\p{N}\n=→-]{0,5}(?P<arrow>(?:->|=>|→)\s{0,3})?")
_MIN_ECHO_WORDS = 3


@cache
def _made_up_turn() -> regex.Pattern[str]:
    asker = alternatives(lambda one: one.drafts.asker)
    answerer = alternatives(lambda one: one.drafts.answerer)
    return regex.compile(
        rf"^[ \t*]*(?:{asker})[ \t*]*[:：][^\n]*\n(?:[^\n]*\n){{0,8}}?[ \t*]*(?:{answerer})[ \t*]*[:：]",
        regex.MULTILINE | regex.IGNORECASE,
    )


def find(subject: Subject) -> Iterator[Finding]:
    """Find text that does not belong to the answer."""
    asides = chain(_find_thoughts(subject.plain), _find_made_up_turns(subject.plain))
    tags = ((*token.span(), Reason("leftover-delimiter")) for token in _TOKEN.finditer(subject.plain))
    found = [
        *(Finding("thoughts", "fixable", *aside) for aside in asides),
        *(Finding("leftover", "fixable", *tag) for tag in tags),
    ]
    found = [one for one in found if not subject.asks_for(subject.text[one.start : one.end])]
    yield from found
    yield from _find_echo(subject, blank(subject.plain, [(one.start, one.end) for one in found]))


def _find_thoughts(plain: str) -> Iterator[tuple[int, int, Reason]]:
    """Find a model's thoughts with their tags. A closing tag alone ends thoughts without an opening tag."""
    opened: int | None = None
    position = 0
    for tag in _THOUGHT.finditer(plain):
        if not tag["closing"]:
            opened = tag.start() if opened is None else opened
        else:
            yield position if opened is None else opened, tag.end(), Reason("leftover-thoughts")
            opened, position = None, tag.end()
    if opened is not None:
        yield opened, len(plain), Reason("leftover-thoughts")


def _find_made_up_turns(plain: str) -> Iterator[tuple[int, int, Reason]]:
    turn = _made_up_turn().search(plain)
    if turn and plain[: turn.start()].strip():
        yield turn.start(), len(plain), Reason("leftover-conversation")


def _find_echo(subject: Subject, plain: str) -> Iterator[Finding]:
    """Find the question itself, alone or before an arrow: small models go on with the form of examples."""
    asked = [word.group().casefold() for word in _WORD.finditer(subject.asked)]
    said = list(islice(_WORD.finditer(plain), len(asked)))
    if len(asked) < _MIN_ECHO_WORDS or [word.group().casefold() for word in said] != asked:
        return
    behind = _BEHIND_ECHO.match(plain, said[-1].end())
    if behind and (behind["arrow"] or behind.end() == len(plain)):
        yield Finding("leftover", "fixable", 0, behind.end(), Reason("leftover-echo"))
