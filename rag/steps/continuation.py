"""Writing on from the place where a text was cut off: cheaper than writing all of it again.

The unfinished sentence is taken back, so that the model goes on at a place where two texts can be put
together without guessing about half a word.
"""

from __future__ import annotations

from dataclasses import replace

import regex

from rag.checks import empty
from rag.language.markdown import code_blocks
from rag.language.scripts import UNSPACED, dominant_script
from rag.language.sentences import sentences
from rag.loop.run import Outcome, Run
from rag.models.chat import Message
from rag.reasons import Reason
from rag.steps import draft as drafting
from rag.steps import regenerate as regenerating
from rag.values import Classification, Draft

_LONGEST_OVERLAP = 600
_SHORTEST_RESTART = 12
_SHORTEST_UNSPACED = 2
_FENCE = regex.compile(r"^[ \t>]*(?:`{3,}|~{3,})", regex.MULTILINE)
_OWN_LINE = regex.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|\||\#{1,6}[ \t])")
_CLOSING = ",.;:!?)]}…。，、；：！？）】」』"
_WIDE_END = "。！？，、；：）」』】"
_OPENING_FENCE = regex.compile(r"\s*(?:`{3,}|~{3,})[^\n]*(?:\n|$)")


async def continuation(run: Run, reading: Classification, cut: Draft) -> Outcome[Draft]:
    """Write a text to its end.

    The model is shown what it was shown for the first part, and that part as its own words; a server
    that keeps what it has read reads only the end anew.

    Args:
        run: The question's run.
        reading: What the message was classified as.
        cut: The text as the model left it; `kept` must leave something of it.

    Raises:
        ModelError: the model gave no usable reply.
        BudgetExhaustedError: the budget allows no call.
    """
    start = kept(cut.text)
    go_on = run.tools.prompts.render("continue")
    history: tuple[Message, ...] = ()
    if cut.passages:
        before = regenerating.asked(run, reading, cut.passages)
    else:
        before, history = drafting.asked(run, reading), drafting.messages(run.question.history)
    completion, call = await run.ask(
        "continue",
        replace(before, message=go_on.message, id=go_on.id),
        history=(*history, Message("user", before.message), Message("assistant", start)),
    )
    behind = cut.text[len(start) :]
    text = joined(start, completion.text, behind[: len(behind) - len(behind.lstrip())])
    return Outcome(
        replace(cut, text=text, finish_reason=completion.finish_reason, model=completion.model),
        Reason("continued", {"characters": len(text) - len(start), "start": len(start)}),
        (call,),
        go_on.id,
    )


def kept(text: str) -> str:
    """The part of a text that was cut off which can be gone on from.

    Returns:
        The whole sentences (in an open code block: the whole lines); of a single sentence its whole
        words; an empty string when nothing is left to go on from.
    """
    text = text.rstrip()
    if _is_in_code(text):
        end = text.rfind("\n")
    else:
        end = sentences(text)[-1].start if text else 0
        if not empty.says_something(text[:end]):
            end = _last_word(text)
    start = text[: max(end, 0)].rstrip()
    return start if empty.says_something(start) else ""


def joined(start: str, rest: str, between: str = "") -> str:
    """Put a text and its continuation together, without what stands in both.

    Args:
        start: The first part, as `kept` returned it.
        rest: What a model wrote on from there; some begin again at an earlier place, or all over.
        between: The white space that stood behind `start` before its end was taken back: what is written
            anew there begins a paragraph when that did.
    """
    rest = rest.strip("\n").rstrip()
    words = rest.lstrip()
    if not words or not start:
        return start or words
    is_code = _is_in_code(start)
    if _is_written_all_over(start.lstrip(), words, is_code=is_code):
        return words
    if is_code:
        return _joined_code(start, rest)
    if shared := _overlap(start, words):
        return start + words[shared:]
    gap = between if "\n" in between else _gap(start, words)
    return f"{start}{gap}{words}"


def _is_written_all_over(start: str, rest: str, *, is_code: bool) -> bool:
    """Whether `rest` begins as `start` does and goes on as it does, or in other words at least as far."""
    first = start[:_LONGEST_OVERLAP]
    if len(first) >= _SHORTEST_RESTART and rest.startswith(f"{first}\n" if is_code else first):
        return True
    if is_code or len(rest) < len(start):
        return False
    sentence = next((one.text for one in sentences(start)), "")
    return len(sentence) >= _SHORTEST_RESTART and rest.startswith(sentence)


def _joined_code(start: str, rest: str) -> str:
    """Go on inside an open code block, line by line."""
    again = _OPENING_FENCE.match(rest)
    if again and len(_FENCE.findall(rest)) % 2 == 0:
        rest = rest[again.end() :]
    before, after = start.split("\n"), rest.split("\n")
    for count in range(min(len(before), len(after)), 0, -1):
        if before[-count:] == after[:count] and any(map(empty.says_something, after[:count])):
            return "\n".join([*before, *after[count:]])
    return f"{start}\n{rest}"


def _overlap(start: str, rest: str) -> int:
    """Length of the longest end of `start`, from the beginning of a word, that `rest` begins with.

    What begins a line of its own, such as the number of a list item, was written before only at the
    beginning of one: "as in section 1." is not what "1. Open it." begins with.
    """
    is_own_line = _OWN_LINE.match(rest) is not None
    for length in range(min(len(start), len(rest), _LONGEST_OVERLAP), 0, -1):
        shared = rest[:length]
        if not start.endswith(shared) or not empty.says_something(shared):
            continue
        at = len(start) - length
        if is_own_line and start[start.rfind("\n", 0, at) + 1 : at].strip(" \t>"):
            continue
        is_begun_whole = at == 0 or not (start[at - 1].isalnum() and shared[0].isalnum())
        is_ended_whole = not (shared[-1].isalnum() and rest[length : length + 1].isalnum())
        if (is_begun_whole and is_ended_whole) or (_is_unspaced(shared) and length >= _SHORTEST_UNSPACED):
            return length
    return 0


def _gap(start: str, rest: str) -> str:
    """What stands between the parts: a new line before a line of its own, else a space where one belongs."""
    if _OWN_LINE.match(rest):
        return "\n" if _OWN_LINE.match(start[start.rfind("\n") + 1 :]) else "\n\n"
    if rest[0] in _CLOSING or start[-1] in _WIDE_END or _is_unspaced(start[-1]) or _is_unspaced(rest[0]):
        return ""
    return " "


def _is_in_code(text: str) -> bool:
    blocks = code_blocks(text)
    return bool(blocks) and not blocks[-1].closed


def _last_word(text: str) -> int:
    """Where the last word of a text begins; in scripts without spaces the whole text is kept."""
    if _is_unspaced(text[-1:]):
        return len(text)
    return max(text.rfind(" "), text.rfind("\n"))


def _is_unspaced(text: str) -> bool:
    return bool(text) and dominant_script(text) in UNSPACED
