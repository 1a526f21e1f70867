"""The values that pass through the answer engine.

All of them are frozen: a step takes values and returns values, so that a durable runner can record every step
and replay it. Ids of rows belong to storage; this module knows no chats and no tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal, NewType, get_args

from rag.council.values import CouncilRecord
from rag.reasons import Reason

PassageId = NewType("PassageId", str)
Speaker = Literal["user", "assistant"]

Quality = Literal["adequate", "needs_docs", "hallucination", "off_topic", "unchecked"]
"""The result of an evaluation. ``unchecked`` means that a judge was needed and failed."""

VerdictSource = Literal["rules", "evidence", "reading", "judge"]
"""The layer that decided: the free rules on the text, the free comparison with the corpus, the second
reading of the cited passage, or a judge model."""

Label = Literal["verified", "general", "unverified", "not_in_documents"]
"""The result of the check as the user sees it."""

LABELS: tuple[Label, ...] = get_args(Label)

Intent = Literal["small_talk", "question", "follow_up"]
"""The kind of a message: small talk, a standalone question, or one that depends on the history."""

FinishReason = Literal["stop", "length", "other"]
"""Why a model stopped: by itself, at the token limit, or for another reason."""

Mode = Literal["quick", "balanced", "careful"]
"""How thoroughly an answer is checked: free checks and evidence; also the judge; also reviewer and critic."""

MODES: tuple[Mode, ...] = get_args(Mode)

Severity = Literal["critical", "fixable", "complex", "info"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place that an address can point at, such as ``"page=7"`` or ``"set-up"``, and where it begins.

    Args:
        start: Characters of the text before it.
        name: What follows the ``#`` of an address.
    """

    start: int
    name: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of one document, as the search returns it.

    Args:
        id: Stable id, derived from the document and the text.
        document: Name of the document for readers: its path in the corpus, or its title.
        section: Heading path inside the document (``"Set-up > Webhook"``), or an empty string.
        text: The text of the passage, without its heading path.
        score: Fused search score, higher is better; comparable only within one search.
        source: The document's key in the corpus: its relative path, or the ``id`` of a JSONL row.
        lead: Characters at the beginning of the text that only introduce the section and stand before it.
        lead_section: Heading path of these: a beginning of `section`.
        url: Where a reader can open the document (http or https), or an empty string.
        anchors: Places in the text that such an address can point at, in their order.
    """

    id: PassageId
    document: str
    section: str
    text: str
    score: float = 0.0
    source: str = ""
    lead: int = 0
    lead_section: str = ""
    url: str = ""
    anchors: tuple[Anchor, ...] = ()

    def address_of(self, quote: str) -> str:
        """Return where a reader can open verbatim words of the text; empty when that is not known."""
        place = self._anchor_of(quote)
        return f"{self.url}#{place}" if self.url and place and "#" not in self.url else self.url

    def section_of(self, quote: str) -> str:
        """Return the heading path that verbatim words of the text stand under, with their page if known."""
        section = self.lead_section if 0 <= self.text.find(quote) < self.lead else self.section
        page = self._anchor_of(quote).partition("page=")[2]
        return f"{section} (page {page})" if page and section and section != f"page {page}" else section

    def _anchor_of(self, quote: str) -> str:
        start = max(self.text.find(quote), 0)
        return next((anchor.name for anchor in reversed(self.anchors) if anchor.start <= start), "")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation before the question; a history is ordered oldest first.

    Args:
        role: Who wrote it.
        text: The message.
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
class DocumentSet:
    """Which documents a question may be answered from: those of the files that fit one of the patterns.

    A pattern is a folder or a file of the corpus (``"team/handbook"``), or holds ``*`` and ``?``
    (``"team/*.pdf"``; a ``*`` stands for any characters, ``/`` included). Capitals do not count. No pattern
    means no document.
    """

    patterns: tuple[str, ...]

    def holds(self, file: str) -> bool:
        """Whether the documents of a file belong to the set.

        Args:
            file: The file's key: its path relative to the corpus root.
        """
        return any(_fits(file.casefold(), pattern) for pattern in self.patterns)


def _fits(file: str, pattern: str) -> bool:
    pattern = pattern.casefold().removeprefix("./").rstrip("/")
    if "*" in pattern or "?" in pattern:
        # Brackets are a part of names here, as people write them.
        return fnmatchcase(file, pattern.replace("[", "[[]"))
    return bool(pattern) and (file == pattern or file.startswith(f"{pattern}/"))


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the conversation before it.

    Args:
        text: The message, verbatim.
        history: The window of turns before it, oldest first.
        summary: What fell out of the window, in a few sentences, or an empty string.
        language: ISO 639-1 code of the language to answer in; empty means "find out".
        mode: How much checking the answer gets; None means "as the settings say".
        quote_only: Quote the passages that come closest, and ask no model.
        documents: Which documents may answer it; None: all.
    """

    text: str
    history: tuple[Turn, ...] = ()
    summary: str = ""
    language: str = ""
    mode: Mode | None = None
    quote_only: bool = False
    documents: DocumentSet | None = None


@dataclass(frozen=True, slots=True)
class Classification:
    """The kind of a message, and its question in standalone form.

    Args:
        intent: Small talk, a question, or a follow-up.
        language: ISO 639-1 code of the message's language.
        queries: Search queries, most important first; the first one is the standalone question.
        reason: Why it was classified so, for the trace.
    """

    intent: Intent
    language: str
    queries: tuple[str, ...]
    reason: Reason | None = None

    @property
    def standalone(self) -> str:
        """The question as it can be understood without the history."""
        return self.queries[0]


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that a model wrote as an answer.

    Args:
        text: The text, with ``[n]`` markers if it was written from passages.
        passages: Passages that the writer saw; marker ``[n]`` means ``passages[n - 1]``.
        finish_reason: Why the model stopped.
        model: Name of the model.
    """

    text: str
    passages: tuple[Passage, ...] = ()
    finish_reason: FinishReason = "stop"
    model: str = ""


@dataclass(frozen=True, slots=True)
class PassageReading:
    """What a reader found in one passage when it saw only that passage and the question.

    Args:
        passage: Id of the passage.
        text: The answer in a few words; empty if the passage does not state it.
    """

    passage: PassageId
    text: str

    @property
    def is_stated(self) -> bool:
        """Whether the passage answers the question, according to the reader."""
        return bool(self.text)


ReadingOutcome = Literal["agrees", "differs", "not_stated", "undecided", "failed"]
"""Comparison of a second reading with the text under check. ``undecided``: code cannot tell whether both
say the same; ``failed``: there was no reading. Only ``agrees`` allows the label verified."""


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The result of a blind reading of the cited passage.

    Args:
        outcome: Comparison of the reading with the text.
        n: Number of the citation whose passage was read, from 1.
        text: The reader's answer; empty if it found none or failed.
    """

    outcome: ReadingOutcome
    n: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a free check found in a text.

    Args:
        kind: ``wrong_language``, ``stray_characters``, ``truncated``, ``empty``, ``short_section``,
            ``leftover``, ``thoughts``, ``broken_markup``, ``citation``, ``repetition``.
        severity: ``critical`` (regenerate), ``fixable`` (repair), ``complex`` (tell the judge), ``info``.
        start: Offset of the first character of the stretch, in code points.
        end: Offset of the end of the stretch.
        description: What is wrong.
        replacement: Text put in place of the stretch; usually empty.
    """

    kind: str
    severity: Severity
    start: int
    end: int
    description: Reason
    replacement: str = ""

    @property
    def is_told(self) -> bool:
        """Whether the judge is told: the fault was not repaired, or its repair left a visible gap."""
        return self.severity == "complex" or bool(self.replacement)


ObjectionCode = Literal[
    "polarity",
    "condition",
    "comparison",
    "quantifier",
    "modality",
    "restriction",
    "order",
    "rival",
    "unspoken",
    "other_clause",
    "unspoken_addition",
    "denies_own_fact",
    "sibling",
    "denied_premise",
]
"""How a claim differs from the sentence that supports it (``rag.evidence.relations``)."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a claim may be wrong although its words are in a passage.

    Args:
        code: The kind of difference.
        values: The words or facts that show it, as written or in normal form; may be empty.
        is_sure: The passage certainly says the opposite, so no model needs to be asked.
    """

    code: ObjectionCode
    values: tuple[str, ...] = ()
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Comparison of a draft with the corpus and the history. Every score is 0-1.

    Args:
        covered: How well the corpus covers the question.
        supported: Share of the draft's own claims that the passages state.
        supported_by_history: The same for the conversation.
        refusal: How much the draft reads as "I do not know".
        relevance: How much the draft is about the question.
        conflicts: Facts of the draft (numbers, names, code) that the passages contradict or lack.
        passages: Ids of the compared passages, best first.
        signals: The measured signals by name (``rag.evidence.signals``).
        objections: Differences in qualifiers, order or clause between claims and the sentences that support
            them.
    """

    covered: float
    supported: float
    supported_by_history: float = 0.0
    refusal: float = 0.0
    relevance: float = 1.0
    conflicts: tuple[str, ...] = ()
    passages: tuple[PassageId, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an evaluation: quality, reason, confidence (0-1) and the layer that decided."""

    quality: Quality
    reason: Reason
    confidence: float
    source: VerdictSource


@dataclass(frozen=True, slots=True)
class Citation:
    """A verified reference from the answer to a passage.

    Args:
        n: The number in the answer, from 1.
        document: Name of the document for readers.
        section: Heading path, or an empty string.
        quote: One or two sentences of the passage that support the claim.
        passage: Id of the passage.
        source: The document's key in the corpus.
        url: Where a reader can open the quote (http or https), or an empty string.
    """

    n: int
    document: str
    section: str
    quote: str
    passage: PassageId
    source: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call to a chat model, as the ledger records it.

    Args:
        role: The job of the call.
        model: The model as the settings name it.
        input_tokens: Tokens read.
        output_tokens: Tokens written.
        seconds: Wall time.
        calls: Requests made: 2 when it took a repair ask.
        is_partial: It was given up: the tokens read are estimated, those written are not known.
        seat: The seat of the council that made it; empty: the model of the role.
        purpose: The step that asked.
    """

    role: str
    model: str
    input_tokens: int
    output_tokens: int
    seconds: float
    calls: int = 1
    is_partial: bool = False
    seat: str = ""
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Totals of model calls.

    Args:
        calls: Number of requests.
        input_tokens: Tokens read.
        output_tokens: Tokens written.
        seconds: Time spent in them.
        cost: Cost of the calls with a known price, in the currency of the price table.
        unpriced_calls: Number of calls with an unknown or partly unknown cost, because their model has no
            price or they were abandoned. If there are any, `cost` is a lower bound.
        by_role: The same for each role.
        by_seat: The same for each seat of a council, by the step that asked.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    unpriced_calls: int = 0
    by_role: dict[str, Usage] = field(default_factory=dict)
    by_seat: dict[str, dict[str, Usage]] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.input_tokens + self.output_tokens


FreeLayer = Literal["checks", "evidence", "repairs"]
"""The layer that made a judge call unnecessary: a formal fault, the documents, or both after a repair."""

FREE_LAYERS: tuple[FreeLayer, ...] = get_args(FreeLayer)


@dataclass(frozen=True, slots=True)
class Savings:
    """Judge calls that the free layers made unnecessary, and their tokens.

    Args:
        calls: Number of calls.
        tokens: Tokens that the judge would have read and written.
        by_layer: The same for each layer; a call counts for the layer that decided.
    """

    calls: int = 0
    tokens: int = 0
    by_layer: Mapping[FreeLayer, Savings] = field(default_factory=dict)

    def plus(self, layer: FreeLayer, calls: int, tokens: int) -> Savings:
        """Return the totals including further savings of one layer."""
        own = self.by_layer.get(layer, Savings())
        return Savings(
            self.calls + calls,
            self.tokens + tokens,
            {**self.by_layer, layer: Savings(own.calls + calls, own.tokens + tokens)},
        )


@dataclass(frozen=True, slots=True)
class StepTrace:
    """One line of the trace, which ``/why`` shows.

    Args:
        step: Name of the step (``draft``, ``probe``, ``evaluate`` …).
        milliseconds: Wall time.
        detail: Result of the step.
        tokens: Input plus output tokens of the step's model calls.
        model: The last model that was called, or an empty string.
        prompt: ``name@version#hash`` of the prompt, or an empty string.
        notes: What the result leaves out, one by one: the issues of a reviewer or a critic.
    """

    step: str
    milliseconds: float
    detail: Reason
    tokens: int = 0
    model: str = ""
    prompt: str = ""
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why no model wrote the answer: none answered, or the server refused (key, model name)."""

    kind: Literal["unavailable", "rejected"]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Answer:
    """The engine's answer to a question; always with a text and a label.

    Args:
        question: The message, verbatim.
        text: The answer, with markers ``[n]`` that refer to `citations`.
        label: The label that the user sees.
        language: ISO 639-1 code of the requested language.
        verdict: The final verdict on this text.
        citations: The verified sources, in order of their numbers.
        passages: The passages behind it, best first; a follow-up reads them again.
        used_documents: The text was written from passages.
        retries: Number of corrections.
        usage: Model calls, tokens and costs.
        seconds: Wall time.
        trace: The trail, step by step.
        failure: Set when a model failed and the answer is what could be given all the same.
        mode: How much checking it got.
        savings: What the free layers saved of judging.
        score: What the critic gave it, 0-1; None when no critic scored it.
        unrefined: The text before a critic had it refined; empty when it was not refined.
        standalone: The question as it reads without its history; empty when it was never classified.
        council: What each stage left, if a council answered.
        documents: Which documents it could be answered from; None: all.
    """

    question: str
    text: str
    label: Label
    language: str
    verdict: Verdict
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    used_documents: bool
    retries: int
    usage: Usage
    seconds: float
    trace: tuple[StepTrace, ...]
    failure: Failure | None = None
    mode: Mode = "balanced"
    savings: Savings = field(default_factory=Savings)
    score: float | None = None
    unrefined: str = ""
    standalone: str = ""
    council: CouncilRecord | None = None
    documents: DocumentSet | None = None
