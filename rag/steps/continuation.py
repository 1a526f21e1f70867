"""Continue a text that was cut off, which is cheaper than writing it again.

The unfinished sentence is dropped first, so that the two texts meet between sentences and not inside a word.
"""

from __future__ import annotations

from dataclasses import replace

import regex

from rag.checks import empty
from rag.language.markdown import code_blocks
from rag.language.scripts import UNSPACED, dominant_script
from rag.language.sentences import sentences
from rag.models.chat import Message
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps import draft as drafting
from rag.steps import regenerate as regenerating
from rag.values import Classification, Draft, FinishReason

_MAX_OVERLAP_CHARACTERS = 600
_MIN_RESTART_CHARACTERS = 12
_MIN_UNSPACED_OVERLAP = 2
_FENCE = regex.compile(r"^[ \t>]*(?:`{3,}|~{3,})", regex.MULTILINE)
_OWN_LINE = regex.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)][ \t]|\||\#{1,6}[ \t])")
_CLOSING = ",.;:!?)]}…。，、；：！？）】」』"
_WIDE_END = "。！？，、；：）」』】"
_OPENING_FENCE = regex.compile(r"\s*(?:`{3,}|~{3,})[^\n]*(?:\n|$)")


async def continue_text(run: Run, classification: Classification, cut: Draft) -> Outcome[Draft]:
    """Write a cut-off text to its end.

    The model sees the same prompt as for the first part, followed by that part as its own message. A server
    with a prompt cache processes only the end again. `cut_unfinished` must return some of the text.
    """
    start = cut_unfinished(cut.text)
    go_on = run.tools.prompts.render("continue")
    history: tuple[Message, ...] = ()
    if cut.passages:
        before = regenerating.render_answer_prompt(run, classification, cut.passages)
    else:
        before, history = (
            drafting.render_draft_prompt(run, classification),
            drafting.to_chat_messages(run.question.history),
        )
    completion, call = await run.ask(
        "continue",
        replace(before, message=go_on.message, id=go_on.id),
        history=(*history, Message("user", before.message), Message("assistant", start)),
    )
    text = append_rest(cut.text, completion.text, completion.finish_reason)
    return Outcome(
        replace(cut, text=text, finish_reason=completion.finish_reason, model=completion.model),
        Reason("continued", {"characters": len(text) - len(start), "start": len(start)}),
        (call,),
        go_on.id,
    )


def append_rest(cut: str, rest: str, finish_reason: FinishReason) -> str:
    """Return a cut-off text with what a model wrote after its `cut_unfinished` part; `rest` may be empty."""
    if finish_reason == "stop" and not empty.says_something(rest):
        return end_text(cut)
    start = cut_unfinished(cut)
    behind = cut[len(start) :]
    return join_texts(start, rest, behind[: len(behind) - len(behind.lstrip())])


def end_text(text: str) -> str:
    """Return a text that a model has nothing to add to with the end mark that it lacks."""
    text = text.rstrip()
    if _is_in_code(text) or text[-1:] in _CLOSING:
        return text
    return text + ("。" if _is_unspaced(text[-1:]) else ".")


def cut_unfinished(text: str) -> str:
    """Return the part of a cut-off text that a model can continue; empty if nothing remains.

    These are its complete sentences (in an open code block: lines), of a single sentence its complete words.
    """
    text = text.rstrip()
    if _is_in_code(text):
        end = text.rfind("\n")
    else:
        end = sentences(text)[-1].start if text else 0
        if not empty.says_something(text[:end]):
            end = _last_word_start(text)
    start = text[: max(end, 0)].rstrip()
    return start if empty.says_something(start) else ""


def join_texts(start: str, rest: str, between: str = "") -> str:
    """Join a text and its continuation, without repeating what both contain.

    Args:
        start: The first part, as `cut_unfinished` returned it.
        rest: What a model wrote after it. Some models start at an earlier place, or from the beginning.
        between: White space that followed `start` in the original, so that a paragraph break is kept.
    """
    rest = rest.strip("\n").rstrip()
    words = rest.lstrip()
    if not words or not start:
        return start or words
    is_code = _is_in_code(start)
    if _starts_over(start.lstrip(), words, is_code=is_code):
        return words
    if is_code:
        return _join_code(start, rest)
    if shared := _overlap_length(start, words):
        return start + words[shared:]
    gap = between if "\n" in between else _separator(start, words)
    return f"{start}{gap}{words}"


def _starts_over(start: str, rest: str, *, is_code: bool) -> bool:
    """Return whether `rest` repeats `start`, or replaces it with a text at least as long."""
    first = start[:_MAX_OVERLAP_CHARACTERS]
    if len(first) >= _MIN_RESTART_CHARACTERS and rest.startswith(f"{first}\n" if is_code else first):
        return True
    if is_code or len(rest) < len(start):
        return False
    sentence = next((one.text for one in sentences(start)), "")
    return len(sentence) >= _MIN_RESTART_CHARACTERS and rest.startswith(sentence)


def _join_code(start: str, rest: str) -> str:
    again = _OPENING_FENCE.match(rest)
    if again and len(_FENCE.findall(rest)) % 2 == 0:
        rest = rest[again.end() :]
    before, after = start.split("\n"), rest.split("\n")
    for count in range(min(len(before), len(after)), 0, -1):
        if before[-count:] == after[:count] and any(map(empty.says_something, after[:count])):
            return "\n".join([*before, *after[count:]])
    return f"{start}\n{rest}"


def _overlap_length(start: str, rest: str) -> int:
    """Return the length of the longest suffix of `start`, from a word boundary, that is a prefix of `rest`.

    If `rest` starts with a line marker such as a list number, the overlap must start a line in `start` too:
    "as in section 1." does not overlap with "1. Open it.".
    """
    is_own_line = _OWN_LINE.match(rest) is not None
    for length in range(min(len(start), len(rest), _MAX_OVERLAP_CHARACTERS), 0, -1):
        shared = rest[:length]
        if not start.endswith(shared) or not empty.says_something(shared):
            continue
        at = len(start) - length
        if is_own_line and start[start.rfind("\n", 0, at) + 1 : at].strip(" \t>"):
            continue
        is_begun_whole = at == 0 or not (start[at - 1].isalnum() and shared[0].isalnum())
        is_ended_whole = not (shared[-1].isalnum() and rest[length : length + 1].isalnum())
        if (is_begun_whole and is_ended_whole) or (_is_unspaced(shared) and length >= _MIN_UNSPACED_OVERLAP):
            return length
    return 0


def _separator(start: str, rest: str) -> str:
    if _OWN_LINE.match(rest):
        return "\n" if _OWN_LINE.match(start[start.rfind("\n") + 1 :]) else "\n\n"
    if rest[0] in _CLOSING or start[-1] in _WIDE_END or _is_unspaced(start[-1]) or _is_unspaced(rest[0]):
        return ""
    return " "


def _is_in_code(text: str) -> bool:
    blocks = code_blocks(text)
    return bool(blocks) and not blocks[-1].closed


def _last_word_start(text: str) -> int:
    if _is_unspaced(text[-1:]):
        return len(text)
    return max(text.rfind(" "), text.rfind("\n"))


def _is_unspaced(text: str) -> bool:
    return bool(text) and dominant_script(text) in UNSPACED
