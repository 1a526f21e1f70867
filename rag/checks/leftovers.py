"""Find text that a chatbot or its prompt leaves around an answer.

Examples: openers ("Sure, here is…"), closers ("I hope this helps!"), self-introductions of a model, prompt
tags, a model's thoughts, placeholders. Only whole phrases match, and an opener only if an answer follows:
"Sure!" alone can be the answer. The phrases are in language files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, islice

import regex

from rag.checks.length import measure
from rag.checks.losses import states_no_fact
from rag.checks.subject import CODE, Subject
from rag.language.markdown import blank
from rag.language.tables import alternatives
from rag.reasons import Reason
from rag.values import Finding

_MIN_ANSWER_WORDS = 3
_MAX_PHRASE_CHARACTERS = (
    400  # bounds the search for closers; without it, a text made of phrases takes quadratic time
)

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


@cache
def _first() -> regex.Pattern[str]:
    openers = alternatives(lambda one: one.drafts.openers)
    answerer = alternatives(lambda one: one.drafts.answerer)
    return regex.compile(
        rf"\s*(?:{openers}|[*_]{{0,2}}(?:{answerer})[ \t]*[:：][*_]{{0,2}}[ \t]*)", regex.IGNORECASE
    )


@cache
def _exclamation() -> regex.Pattern[str]:
    polite = alternatives(lambda one: (one.drafts.exclamation, one.drafts.announcement))
    return regex.compile(rf"\s*(?:{polite})", regex.IGNORECASE)


@cache
def _model() -> regex.Pattern[str]:
    clauses = alternatives(lambda one: one.drafts.self_introduction)
    return regex.compile(rf"(?:(?<=\A\s{{0,3}})|(?<=[.!?。！？\n]\s{{0,3}}))(?:{clauses})", regex.IGNORECASE)


@cache
def _last() -> regex.Pattern[str]:
    closers = alternatives(lambda one: one.drafts.closers)
    return regex.compile(
        rf"(?<=[.!?…。！？)\]\n*`]\s{{0,3}})(?:{closers})[.!?。！？~]*(?:\s*[\p{{So}}\ufe0f])*\s*\Z",
        regex.IGNORECASE,
    )


@cache
def _placeholder() -> regex.Pattern[str]:
    """Return the pattern of what a template leaves open: "[insert name]", or a note like "TODO: address"."""
    opening = alternatives(lambda one: one.drafts.placeholder_opening)
    ending = alternatives(lambda one: one.drafts.placeholder_ending)
    return regex.compile(
        rf"[\[［【][ \t]*(?:{opening})[^\[\]\n]{{0,60}}[\]］】](?![(\[:])"
        rf"|[\[［【][^\[\]\n\p{{N}}]{{0,30}}(?:{ending})[ \t]*[\]］】](?![(\[:])"
        r"|[\[(（［【<][ \t]*(?-i:TODO|FIXME|TBD|XXX)\b[^\[\]()（）<>\n]{0,60}[\])）］】>](?!\()"
        r"|^[ \t]*(?:[-*+][ \t]+)?(?-i:TODO|FIXME)[ ]?[:：][^\n]*"
        r"|\blorem ipsum\b",
        regex.IGNORECASE | regex.MULTILINE,
    )


@cache
def _telling() -> regex.Pattern[str]:
    no_names = alternatives(lambda one: one.drafts.never_names)
    somebody = alternatives(lambda one: one.drafts.somebody)
    name = rf"(?<=\s)(?!(?:{no_names})\b)[\p{{Lu}}&&[\p{{Latin}}\p{{Cyrillic}}]]\p{{L}}*"
    return regex.compile(rf"{name}|{somebody}", regex.VERSION1)


def find(subject: Subject) -> Iterator[Finding]:
    """Find text that does not belong to the answer."""
    taken: list[tuple[int, int]] = []
    asides = chain(_find_thoughts(subject.plain), _find_made_up_turns(subject.plain))
    delimiters = _find_delimiters(subject.plain)
    for finding in (
        *(Finding("thoughts", "fixable", *aside) for aside in asides),
        *(Finding("leftover", "fixable", *delimiter) for delimiter in delimiters),
    ):
        if not subject.asks_for(subject.text[finding.start : finding.end]):
            taken.append((finding.start, finding.end))
            yield finding
    plain = blank(subject.plain, taken)
    for start, end, description in chain(
        _find_echo(subject, plain),
        _find_openers_and_closers(plain),
        _find_self_introductions(plain),
    ):
        if description.code == "leftover-echo" or not subject.asks_for(subject.text[start:end]):
            taken.append((start, end))
            yield Finding("leftover", "fixable", start, end, description)
    yield from _find_placeholders(subject, blank(plain, taken))


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


def _find_delimiters(plain: str) -> Iterator[tuple[int, int, Reason]]:
    for token in _TOKEN.finditer(plain):
        yield *token.span(), Reason("leftover-delimiter")


def _find_echo(subject: Subject, plain: str) -> Iterator[tuple[int, int, Reason]]:
    """Find the question itself, alone or before an arrow: small models go on with the form of examples."""
    asked = [word.group().casefold() for word in _WORD.finditer(subject.asked)]
    said = list(islice(_WORD.finditer(plain), len(asked)))
    if len(asked) < _MIN_ECHO_WORDS or [word.group().casefold() for word in said] != asked:
        return
    behind = _BEHIND_ECHO.match(plain, said[-1].end())
    if behind and (behind["arrow"] or behind.end() == len(plain)):
        yield 0, behind.end(), Reason("leftover-echo")


def _find_openers_and_closers(plain: str) -> Iterator[tuple[int, int, Reason]]:
    """Find openers and closers, from the outside inwards, while some answer remains between them."""
    start, end = 0, len(plain)
    while (
        (first := _first().match(plain, start))
        and states_no_fact(first.group())
        and plain[first.end() :].strip()
    ):
        yield *first.span(), Reason("leftover-before")
        start = first.end()
    while (last := _last().search(plain, max(start, end - _MAX_PHRASE_CHARACTERS), end)) and _is_spare(
        last.group(), plain[start : last.start()]
    ):
        yield *last.span(), Reason("leftover-after")
        end = last.start()
    while (first := _exclamation().match(plain, start)) and _is_spare(
        first.group(), plain[first.end() : end]
    ):
        yield *first.span(), Reason("leftover-before")
        start = first.end()


def _is_spare(words: str, answer: str) -> bool:
    """Return whether a polite phrase states nothing and the answer is complete without it."""
    stands = CODE in answer or measure(answer.strip()[:_MAX_PHRASE_CHARACTERS]) >= _MIN_ANSWER_WORDS
    return stands and CODE not in words and states_no_fact(words) and not _telling().search(words)


def _find_self_introductions(plain: str) -> Iterator[tuple[int, int, Reason]]:
    for words in _model().finditer(plain):
        if plain[words.end() :].strip():
            yield *words.span(), Reason("leftover-model")


def _find_placeholders(subject: Subject, plain: str) -> Iterator[Finding]:
    """Find placeholders. Without one, its sentence says something else, so the text is written again.

    What the question or the passages have is the name of a button or a note that was asked for.
    """
    for placeholder in _placeholder().finditer(plain):
        words = placeholder.group()
        if CODE not in words and not subject.asks_for(words) and words.strip() not in subject.known:
            yield Finding("leftover", "critical", *placeholder.span(), Reason("leftover-placeholder"))
