"""Remove a model's thinking from its reply, whatever marks it, also when the marks come in pieces.

In front of an answer every mark counts. Behind its first words a mark can be a part of a text about marks:
one in code, in quotes, or between words like a word stays. Some chat templates write the opening mark
themselves, so that a reply holds only the closing one. Before it comes nobody can know, so a reply of a model
whose ways are unknown is held back whole.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import regex

Opening: TypeAlias = Literal["unknown", "marked", "unmarked"]
"""Whether a model marks where its thinking begins; a model that does not think counts as marked."""

_NAME = (
    r"(?:\w{1,12}:)?(?:think(?:ing)?|thoughts?|thought_process|reasoning|reflection|scratchpad|analysis"
    r"|(?:inner|internal)_(?:monologue|thoughts?))"
)
_FINAL = r"<\|channel\|>\s{0,9}final(?:[^<]|<\|constrain\|>){0,40}<\|message\|>"

_ANYWHERE: Final = (
    (rf"<(?P<a>{_NAME})(?:\s[^<>]{{0,300}})?>", r"</\s{0,9}%s\s{0,9}>"),
    (r"\[(?P<b>think(?:ing)?|thought|reasoning)\]", r"\[/%s\]"),
    (r"◁(?P<c>think)▷", r"◁/%s▷"),
    (r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    (r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    (r"<\|(?:START_RESPONSE|begin_of_solution|begin_of_box)\|>", r""),
    (r"<\|(?P<d>think(?:ing)?|thoughts?|reasoning)\|>", r"<\|/%s\|>"),
    (r"<\|channel>(?:thought\b)?", r"<channel\|>"),
    (r"<unused94>(?:thought\b)?", r"<unused95>"),
    (rf"(?:<\|start\|>assistant)?(?={_FINAL})", _FINAL),
    (r"(?:<\|start\|>assistant)?<\|channel\|>\s{0,9}(?:analysis|commentary)\b", _FINAL),
)
"""For each family of models, the pattern at which its thinking begins and the one at which it ends."""

_THOUGHT = r"(?:thinking|thought(?: process)?)"
_HEADING = r"(?:thinking|thought process)"
"""Headings of thinking; "Thoughts" is also one of a report, over what somebody thinks of a matter."""
_ANSWER = r"(?:final )?(?:answer|response)"
_IF_ENDED: Final = (
    (
        rf"(?:\*\*|__)?(?:{_THOUGHT}:(?:\*\*|__)?\s|thoughts:(?:\*\*|__)?[ \t])"
        rf"|(?:\*\*|__|#{{1,4}} ){_HEADING}(?:\*\*|__)? {{0,3}}\n"
    ),
    rf"\n\s{{0,9}}(?:\*\*|__|#{{1,4}} )?{_ANSWER}(?::(?:\*\*|__)?\s|(?:\*\*|__)? {{0,3}}\n)|</{_NAME}>",
)
"""Words like others, which begin thinking only if an answer follows that is marked as one."""
_IN_FRONT: Final = (
    _IF_ENDED,
    (r"```(?:think(?:ing)?|thoughts?|reasoning)[ \t]{0,9}\n", r"\n {0,3}```[ \t]{0,9}\n"),
    (r"\{(?:Final )?Solution\}|\{(?:Final )?Answer\}[ \t]{0,9}\n", r""),
    (r"(?P<wrapper><(?:(?:final_)?answer|response|output|solution)>)", r""),
    (r"(?-i:analysis[A-Z])", r"(?-i:assistantfinal)"),
    (r"<details\s[^<>]{0,300}\breasoning\b[^<>]{0,300}>", r"</details>"),
    (r"<details[^<>]{0,300}>\s{0,9}<summary>[^<>]{0,80}(?:thought|thinking|reasoning)", r"</details>"),
    (r"Here(?: is|'s) my thought process:", r"Here(?: is|'s) my response:"),
    (r"Here are my reasoning steps:", r"\[BEGIN FINAL RESPONSE\]"),
)
"""Beginnings that are words like others behind the first words of an answer."""

_TOKENS_BEHIND: Final = (
    r"<\|(?:end|return|call|start|END_RESPONSE|end_of_solution|end_of_box|im_end|im_start|eot_id|endoftext)\|>"
    r"|<end_of_turn>|<｜end▁of▁sentence｜>|\[END FINAL RESPONSE\]"
    r"|(?P<end></(?:(?:final_)?answer|response|output|solution)>\s{0,9}$)"
)
_BEHIND: Final = ((_TOKENS_BEHIND, _FINAL),)
"""Tokens behind an answer, and what may follow them."""


def _compile(*marks: tuple[str, str]) -> regex.Pattern[str]:
    numbered = (f"(?P<mark{number}>{mark})" for number, (mark, _) in enumerate(marks))
    return regex.compile("|".join(numbered), regex.IGNORECASE)


_MARKS: Final = (*_ANYWHERE, *_BEHIND, *_IN_FRONT)
_BEGINNING: Final = _compile(*_MARKS)
_MIDDLE: Final = _compile(*_ANYWHERE, *_BEHIND)
_OPENED: Final = _compile(*_ANYWHERE)
_MAY_BEGIN: Final = regex.compile(r"[<\[◁]")
_END: Final = regex.compile(
    # In prose a tag stands in quotes or between spaces; behind thinking it ends a line or touches a word.
    rf"(?:(?<=\n[ ]{{0,3}})|(?<=[^\s`\"'“«(]))"
    rf"(?:</(?P<name>{_NAME})\s{{0,9}}>|\[/THINK\]|◁/think▷)(?![`\"'”»).,;:])"
    rf"|<\|END_THINKING\|>|<\|end_of_thought\|>|<\|/think\|>|<channel\|>|<unused95>|{_FINAL}",
    regex.IGNORECASE,
)
_LONGEST_MARK = 200
_FEW_WORDS = 6
"""Fewer words between two tags in the middle of a sentence are an example, unless the tag touches a word."""
_QUOTED_BEFORE: Final = regex.compile(r"(?:^|\s)'$|[`“‘„«(\[{=\\/\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]$")
_QUOTED_BEHIND: Final = regex.compile(r"[`\"'”’“»)\]},;:.]")
_SENTENCE_END: Final = regex.compile(r"[.!?…。！？\]][\"'”»)*_]*\s*$")
_INDENTED: Final = regex.compile(r"(?: {4}|\t)\s*$")


class ThinkingFilter:
    """Passes on the visible part of a reply.

    Args:
        holds: Hold everything back until the reply ends, because its thinking may have no opening mark.

    Attributes:
        thought: Whether there was thinking; `is_unmarked`: without an opening mark.
    """

    def __init__(self, *, holds: bool = True) -> None:
        self.thought = self.is_unmarked = self._is_wrapped = self._must_end = False
        self._holds = holds
        self._shown = self._held = ""
        self._state: Literal["start", "thinking", "holding", "visible", "doubt"] = "start"
        self._closing = _END
        self._opened = 0

    def feed(self, piece: str) -> str:
        """Add the next piece, and return the text that has become visible."""
        if self._state == "visible" and not self._held and not _MAY_BEGIN.search(piece):
            self._shown += piece
            return piece
        before = len(self._shown)
        self._held += piece
        while self._advance(len(piece), is_over=False):
            pass
        return self._shown[before:]

    def finish(self) -> str:
        """Return held text that turned out to be visible; thinking without an end never is."""
        before = len(self._shown)
        while self._advance(len(self._held), is_over=True):
            pass
        if self._state == "holding":
            self._state = "visible"
            return self.finish()
        if (
            self._state == "doubt"
            and not self._must_end
            and len(self._held[self._opened :].split()) >= _FEW_WORDS
        ):
            self._state, self.thought = "thinking", True
        if self._state != "thinking":
            self._show(self._held.lstrip() if self.thought and self._state == "start" else self._held)
        return self._shown[before:]

    def _show(self, text: str) -> None:
        self._shown += text

    def _advance(self, added: int, *, is_over: bool) -> bool:
        """Take one step; return whether another one can follow before the next piece comes."""
        match self._state:
            case "start":
                return self._begin(is_over=is_over)
            case "thinking":
                closed = self._closing.search(self._held)
                self._held = self._held[closed.end() if closed else -_LONGEST_MARK :]
                self._state = "start" if closed else "thinking"
                return closed is not None
            case "holding":
                closed = self._find_end(max(0, len(self._held) - added - _LONGEST_MARK))
                if closed is not None:
                    self.thought = self.is_unmarked = True
                    self._held, self._state = self._held[closed.end() :], "start"
                return closed is not None
            case "visible":
                return self._pass_on(is_over=is_over)
            case "doubt":
                return self._decide(
                    max(self._opened, len(self._held) - added - _LONGEST_MARK), is_over=is_over
                )

    def _begin(self, *, is_over: bool) -> bool:
        text = self._held.lstrip()
        begun = _BEGINNING.match(text, partial=not is_over)
        if not text or (begun and begun.partial):
            return False
        if begun is not None and (self.thought or not begun["wrapper"]):
            self._held = text
            self._open(begun)
        elif self._holds and not self.thought:
            self._state = "holding"
        else:
            if self._shown and not self._shown[-1].isspace():
                # Two words must not become one.
                self._show(self._held[: -len(text)] or " ")
            self._held = text if self.thought else self._held
            self._state = "visible"
        return True

    def _open(self, begun: regex.Match[str], state: Literal["thinking", "doubt"] = "thinking") -> None:
        number = next(n for n in range(len(_MARKS)) if begun[f"mark{n}"] is not None)
        name = next((begun[group] for group in "abcd" if begun[group]), "")
        closing = _MARKS[number][1]
        self._closing = regex.compile(closing % regex.escape(name) if name else closing, regex.IGNORECASE)
        self._must_end = _MARKS[number] is _IF_ENDED
        self._is_wrapped = self._is_wrapped or bool(begun.groupdict().get("wrapper"))
        self._state = state = "doubt" if self._must_end else state
        if state == "doubt":
            self._opened = len(begun[0])
            return
        self.thought = True
        self._held = self._held[begun.end() :]

    def _find_end(self, start: int) -> regex.Match[str] | None:
        """Find the closing mark of thinking that began with the reply; in code it is a part of the text."""
        for found in _END.finditer(self._held, start):
            before, name = self._held[: found.start()], found["name"]
            opened = f"<{name}".casefold() in before.casefold() if name else _OPENED.search(before)
            if not opened and before.count("```") % 2 == 0:
                return found
        return None

    def _pass_on(self, *, is_over: bool) -> bool:
        """Pass the text before the next mark on, and decide what the mark is."""
        begun = _MIDDLE.search(self._held, partial=not is_over)
        start = begun.start() if begun else len(self._held)
        self._show(self._held[:start])
        self._held = self._held[start:]
        if begun is None or begun.partial or (begun.end() - start == len(self._held) and not is_over):
            return False
        begun = _MIDDLE.match(self._held)
        assert begun is not None
        kind = self._judge(begun, self._held[begun.end() : begun.end() + 1])
        if kind == "text":
            self._show(begun[0] or self._held[0])
            self._held = self._held[len(begun[0]) or 1 :]
        else:
            self._open(begun, kind)
        return True

    def _judge(self, begun: regex.Match[str], behind: str) -> Literal["text", "thinking", "doubt"]:
        if begun["end"]:
            return "thinking" if self._is_wrapped else "text"
        line = self._shown.rpartition("\n")[2]
        if (begun["a"] or "").casefold() == "analysis" or (
            begun["b"] and (behind == "(" or begun["b"].islower())
        ):
            return "text"
        in_code = self._shown.count("```") % 2 or line.count("`") % 2 or _INDENTED.fullmatch(line)
        if in_code or (line.endswith('"') and line.count('"') % 2):
            return "text"
        if not (begun["a"] or begun["b"]) or not line.strip():
            return "thinking"
        if _QUOTED_BEFORE.search(line) or _QUOTED_BEHIND.match(behind):
            return "text"
        if not line[-1].isspace():
            return "thinking"
        if _SENTENCE_END.search(line):
            return "doubt" if behind.isspace() and behind != "\n" else "thinking"
        return "text" if behind.isspace() and behind != "\n" else "doubt"

    def _decide(self, start: int, *, is_over: bool) -> bool:
        """Tell thinking in the middle of a line from a text about tags, once its end is there."""
        closed = self._closing.search(self._held, start)
        if closed is None or (closed.end() == len(self._held) and not is_over):
            return False
        behind = self._held[closed.end() : closed.end() + 1]
        touches = behind == "\n" or behind.isalnum()
        if self._must_end or touches or len(self._held[self._opened : closed.start()].split()) >= _FEW_WORDS:
            self.thought, self._state = True, "start"
        else:
            self._show(self._held[: closed.end()])
            self._state = "visible"
        self._held = self._held[closed.end() :]
        return True
