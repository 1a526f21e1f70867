"""A question, and the conversation before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rag.reasons import Reason
from rag.values.passages import DocumentSet, Passage
from rag.values.verdicts import Label

Speaker = Literal["user", "assistant"]

Intent = Literal["small_talk", "question", "follow_up"]
"""The kind of a message: small talk, a standalone question, or one that depends on the history."""

Mode = Literal["quick", "balanced", "careful"]
"""How thoroughly an answer is checked: free checks and evidence; also the judge; also reviewer and critic."""

MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation before the question; a history is ordered oldest first.

    Args:
        author: Name of a person in a group, or an empty string.
        passages: Passages that an answer was written from.
        label: Label of an answer; None if it is not known.
    """

    role: Speaker
    text: str
    author: str = ""
    passages: tuple[Passage, ...] = ()
    label: Label | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the conversation before it.

    Args:
        text: The message, verbatim.
        history: The window of turns before it, oldest first.
        summary: What fell out of the window, in a few sentences, or an empty string.
        language: ISO 639-1 code of the language to answer in; empty means "find out".
        spoken: ISO 639-1 code of the language of the writer's program, if it is known.
        mode: How much checking the answer gets; None means "as the settings say".
        quote_only: Quote the passages that come closest, and ask no model.
        documents: Which documents may answer it; None: all.
        model: Model that writes drafts and answers, one of ``models.choices``; else that of the settings.
        documents_only: Whether general knowledge is no answer; None means "as the settings say".
    """

    text: str
    history: tuple[Turn, ...] = ()
    summary: str = ""
    language: str = ""
    mode: Mode | None = None
    quote_only: bool = False
    documents: DocumentSet | None = None
    model: str = ""
    documents_only: bool | None = None
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of a message, and its question in standalone form.

    Args:
        language: ISO 639-1 code of the message's language.
        queries: Search queries, most important first; the first one is the standalone question.
    """

    intent: Intent
    language: str
    queries: tuple[str, ...]
    reason: Reason | None = None

    @property
    def standalone(self) -> str:
        """The question as it can be understood without the history."""
        return self.queries[0]

    @property
    def earlier(self) -> str:
        """The earlier questions that are joined in front of a follow-up; empty if none are."""
        message = self.queries[-1]
        return self.standalone.removesuffix(message).strip() if self.intent == "follow_up" else ""
