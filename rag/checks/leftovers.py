"""Find text that a chatbot or its prompt leaves around an answer.

Examples: openers ("Sure, here is…"), closers ("I hope this helps!"), self-introductions of a model, prompt
tags, a model's thoughts, placeholders. Only whole phrases match, and an opener only if an answer follows:
"Sure!" alone can be the answer. The phrases are in language files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, islice

import regex

from rag.checks.length import measure
from rag.checks.losses import states_no_fact
from rag.checks.subject import CODE, Subject
from rag.language.draft_tables import Drafts
from rag.language.fields import Words
from rag.language.markdown import blank
from rag.language.tables import alternatives
from rag.reasons import Reason
from rag.values import Finding

_MIN_ANSWER_WORDS = 3
_UNFILLED = Reason("leftover-placeholder")
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
_NOTE = regex.compile(r"[-*+ \t]*(?:TODO|FIXME)\b")
_FULL_STOP = regex.compile(r"\.(?![.\w])|。")
_SENTENCE_ENDS = ".!?…。！？"
_CONTROL_REACH = 40
_WORD = regex.compile(r"\p{Han}|(?:(?!\p{Han})[\p{L}\p{M}\p{N}])++")
_BEHIND_ECHO = regex.compile(r"[^\p{L}\p{N}\n=→-]{0,5}(?P<arrow>(?:->|=>|→)\s{0,3})?")
_MIN_ECHO_WORDS = 3
GAP = "…"
"""Replaces an unfilled placeholder inside a sentence, so that the reader sees the gap."""


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


def _field() -> str:
    """Return the pattern of a field of a template that was not filled in."""
    opening = alternatives(lambda one: one.drafts.placeholders.opening)
    inside = alternatives(lambda one: one.drafts.placeholders.inside)
    ending = alternatives(lambda one: one.drafts.placeholders.ending)
    here = alternatives(lambda one: one.drafts.placeholders.here)
    here_first = alternatives(lambda one: one.drafts.placeholders.here_first)
    pointing = alternatives(lambda one: one.drafts.placeholders.pointing)
    return (
        rf"[\[［【][ \t]*(?:{opening})[^\[\]\n]{{0,60}}[\]］】](?!\()"
        rf"|\[[^\[\]\n]{{0,30}}(?:{inside})[^\[\]\n]{{0,20}}\](?!\()"
        rf"|[\[［【][^\[\]\n\p{{N}}]{{0,30}}(?:{ending})[ \t]*[\]］】](?![(\[:])"
        rf"|[\[［【][^\[\]\n\p{{N}}]{{1,30}}(?<!{pointing}) (?:{here})[ \t]*[\]］】](?![(\[:])"
        rf"|[\[［【][ \t]*(?:{here_first}) [^\[\]\n\p{{N}}]{{1,40}}[\]］】](?![(\[:])"
        r"|\blorem ipsum\b"
    )


def _to_do() -> str:
    """Return the pattern of a note in capitals that something is still to be written."""
    copulas, unspaced_copulas = _split_by_borders(lambda one: one.copulas)
    statuses, unspaced_statuses = _split_by_borders(lambda one: one.statuses)
    return (
        r"[\[(（［【<][ \t]*(?:TODO|FIXME|TBD|XXX)\b[^\[\]()（）<>\n]{0,60}[\])）］】>](?!\()"
        r"|\b(?:TODO|FIXME) ?[:：][^.!?。！？\n]*"
        rf"|(?<=\b(?:{copulas}) |(?:[:：=—–]|{unspaced_copulas}) ?)"
        rf"(?<!\b(?:{statuses}) ?(?:\p{{L}}+ |[:：=—–] ?)"
        rf"|(?:{unspaced_statuses})(?:[:：]|{unspaced_copulas})? ?)"
        r"(?:TODO|FIXME|XXX)(?=[ \t]*(?:[.,;!?。，；！？)]|$))"
    )


def _split_by_borders(pick: Callable[[Drafts], Words]) -> tuple[str, str]:
    """Return the words of languages with borders between words, and those of the others."""
    return (
        alternatives(lambda one: pick(one.drafts) if one.word_borders else ()),
        alternatives(lambda one: () if one.word_borders else pick(one.drafts)),
    )


@cache
def _placeholder() -> regex.Pattern[str]:
    return regex.compile(rf"{_field()}|(?-i:{_to_do()})", regex.IGNORECASE)


@cache
def _placeholder_line() -> regex.Pattern[str]:
    return regex.compile(
        rf"^[ \t]*(?:[-*+][ \t]+)?(?:(?:TODO|FIXME)\b[^\n]*|(?i:{_field()})[ \t]*[.!:]?)[ \t]*$",
        regex.MULTILINE,
    )


@cache
def _asks_for_notes() -> regex.Pattern[str]:
    lists = alternatives(lambda one: one.drafts.to_do_lists)
    return regex.compile(rf"\b(?:TODO|FIXME)s?\b|\b(?i:{lists})\b")


@cache
def _stage() -> regex.Pattern[str]:
    stages = alternatives(lambda one: one.drafts.work_stages)
    return regex.compile(
        rf"^[ \t]*(?:[-*+]|\d{{1,3}}[.)]) (?:{stages})\b", regex.MULTILINE | regex.IGNORECASE
    )


@cache
def _before_name() -> regex.Pattern[str]:
    controls = alternatives(lambda one: one.drafts.controls)
    joints = alternatives(lambda one: one.drafts.control_joints)
    return regex.compile(rf"(?:{controls}) ?(?:(?:{joints}) ){{0,2}}[\"“«'*_]{{0,3}}\Z", regex.IGNORECASE)


@cache
def _after_name() -> regex.Pattern[str]:
    controls = alternatives(lambda one: one.drafts.controls_behind)
    return regex.compile(rf"[\"”»'*_]{{0,3}}(?:{controls})", regex.IGNORECASE)


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
        _find_placeholder_lines(subject, plain),
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
    """Find placeholders inside a line.

    A sentence without its placeholder changes its meaning, so the placeholder becomes a visible gap and the
    judge is told. A sentence that is only a placeholder is removed.
    """
    for placeholder in _placeholder().finditer(plain):
        words = placeholder.group()
        if subject.asks_for(words) or _is_meant(subject, words) or _is_control(plain, placeholder):
            continue
        stop = _FULL_STOP.match(plain, placeholder.end())
        start, end = placeholder.start(), stop.end() if stop else placeholder.end()
        is_sentence = (stop or not plain[end:].strip()) and _begins_sentence(plain, start)
        if CODE in placeholder.group():
            yield Finding("leftover", "complex", start, end, _UNFILLED)
        elif is_sentence:
            yield Finding("leftover", "fixable", start, end, Reason("leftover-sentence"))
        else:
            yield Finding("leftover", "fixable", start, end, _UNFILLED, replacement=GAP)


def _begins_sentence(plain: str, start: int) -> bool:
    said = plain[:start].rstrip()
    return not said or said[-1] in _SENTENCE_ENDS or "\n" in plain[len(said) : start]


def _is_control(plain: str, placeholder: regex.Match[str]) -> bool:
    """Return whether the words in brackets name a button, tab or menu."""
    start = placeholder.start()
    return plain[start] in "[［【" and bool(
        _before_name().search(plain[max(0, start - _CONTROL_REACH) : start])
        or _after_name().match(plain, placeholder.end())
    )


def _find_placeholder_lines(subject: Subject, plain: str) -> Iterator[tuple[int, int, Reason]]:
    for line in _placeholder_line().finditer(plain):
        if CODE not in line.group() and not _is_meant(subject, line.group()):
            yield *line.span(), Reason("leftover-line")


def _is_meant(subject: Subject, words: str) -> bool:
    """Return whether a TODO note is meant: the question asks for notes, or the text lists stages of work."""
    if not _NOTE.match(words):
        return False
    return bool(_asks_for_notes().search(subject.asked) or _stage().search(subject.plain))
