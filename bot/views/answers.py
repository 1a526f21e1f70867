"""An answer: its text, label and sources, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.texts.figures import amount, duration, money
from bot.views import councils, markdown
from bot.views.blocks import Blocks, Details, Note, Quote, Source, Sources, Step, Steps, line, paragraph
from bot.views.progress import name_step
from rag.values import Answer, StepTrace, Usage, Verdict

_STORY: Final = {
    "verified": "why-confirmed",
    "partly": "why-partly",
    "unverified": "why-unverified",
    "conversation": "why-conversation",
    "not_in_documents": "why-not-found",
    "person": "why-person",
}

_TOLD: Final = frozenset(
    {
        "as-written",
        "judge-silent",
        "verdict-common",
        "verdict-none",
        "verdict-person",
        "verdict-quote-none",
        "verdict-quote-overview",
        "verdict-quote-possible",
        "verdict-said",
        "verdict-small-talk",
    }
)
"""Codes of reasons that say what the story of the answer says as well."""


def view(answer: Answer, language: str, note: str = "") -> Blocks:
    """Return an answer: what a council lacked, the text, its label, a further remark, and its sources."""
    remark = (Note(line(note)),) if note else ()
    return (*lacking(answer, language), *text(answer), *label(answer, language), *remark, *cited(answer))


def lacking(answer: Answer, language: str) -> Blocks:
    """Return which members of a council are missing from an answer; nothing without a council."""
    return () if answer.council is None else councils.faults(answer.council, language)


def text(answer: Answer) -> Blocks:
    """Return the text of an answer; its markers point to its sources."""
    return markdown.parse(answer.text, {citation.n for citation in answer.citations})


def label(answer: Answer, language: str) -> Blocks:
    """Return how far an answer can be relied on; a reply to a greeting has no label."""
    if is_small_talk(answer):
        return ()
    return (Note(line(TEXTS.text(f"label-{answer.label}", language)), answer.label),)


def cited(answer: Answer) -> Blocks:
    """Return the names of an answer's sources, each once: "[1] [2] Handbook › Leave".

    Two files with one name, such as two versions of a page, are told apart by their file names.
    """
    files: dict[str, set[str]] = {}
    for one in answer.citations:
        files.setdefault(place(one.document, one.section), set()).add(one.source)
    numbers: dict[tuple[str, str], list[int]] = {}
    for one in answer.citations:
        name = place(one.document, one.section)
        if len(files[name]) > 1:
            name = f"{name} ({PurePosixPath(one.source).name})"
        numbers.setdefault((name, one.url), []).append(one.n)
    named = (
        Source("".join(f"[{n}] " for n in further) + name, first, url)
        for (name, url), (first, *further) in numbers.items()
    )
    return (Sources(tuple(named)),) if answer.citations else ()


def sources(answer: Answer, language: str) -> Blocks:
    """Return the quotes of an answer's sources, or the closest passages when it cites none."""
    if answer.citations:
        texts = {passage.id: passage.text for passage in answer.passages}
        found = []
        for one in answer.citations:
            before, quote, after = texts.get(one.passage, "").partition(one.quote)
            around = (before, quote, after) if quote else ("", one.quote, "")
            found.append(Source(place(one.document, one.section), one.n, one.url, *around))
        return (Sources(tuple(found)),)
    if answer.passages:
        near = (
            Source(place(one.document, one.section), 0, one.address_of(one.text), quote=one.text)
            for one in answer.passages
        )
        return (Note(line(TEXTS.text("nearest-sources", language)), "hint"), Sources(tuple(near)))
    return (paragraph(TEXTS.text("sources-none", language)),)


def why(answer: Answer, language: str, currency: str = "") -> Blocks:
    """Return how an answer came about: its story in sentences, and below it steps, verdict and figures.

    With the name of the `currency` of the prices, readers see what each role took.
    """
    unrefined: Blocks = ()
    if answer.unrefined:
        said = Quote((paragraph(answer.unrefined),))
        unrefined = (paragraph(TEXTS.text("why-unrefined", language)), said)
    prompts = "\n".join(dict.fromkeys(step.prompt for step in answer.trace if step.prompt))
    figures = [_verdict(answer.verdict, language), *_totals(answer, language, currency)]
    details = (
        steps(answer.trace, language),
        paragraph("\n".join(figures)),
        *((paragraph(prompts, "code"),) if prompts else ()),
    )
    told = " ".join(filter(None, (_story(answer, language), _finding(answer, language))))
    return (paragraph(told), *unrefined, Details(TEXTS.text("why-details", language), details))


def steps(traces: Iterable[StepTrace | str], language: str) -> Steps:
    """Return the steps of some work; a name alone is a step that is at work."""
    step, outcome, tokens, time = (
        TEXTS.text(f"trail-{name}", language) for name in ("step", "outcome", "tokens", "time")
    )
    return Steps(tuple(_step(trace, language) for trace in traces), (step, outcome, tokens, time))


def is_small_talk(answer: Answer) -> bool:
    """Return whether an answer replies to a greeting or thanks: there is nothing to check or to rate."""
    intents = (step.detail.values.get("intent") for step in answer.trace if step.step == "classify")
    return next(intents, "") == "small_talk" and answer.verdict.quality in {"adequate", "unchecked"}


def place(document: str, section: str) -> str:
    """Return the name of a source, without the title that document and section both begin with."""
    inside = section.removeprefix(document).removeprefix(" > ").replace(" > ", " › ")
    return f"{document} › {inside}" if inside else document


def _step(trace: StepTrace | str, language: str) -> Step:
    if isinstance(trace, str):
        return Step(name_step(trace, language))
    told, *notes = (
        in_operator_words(TEXTS.reason(reason, language)) for reason in (trace.detail, *trace.notes)
    )
    tokens = TEXTS.text("tokens-short", language, tokens=trace.tokens) if trace.tokens else ""
    time = duration(trace.milliseconds / 1000, language)
    return Step(name_step(trace.step, language), told, tuple(notes), time, tokens, trace.model)


def _story(answer: Answer, language: str) -> str:
    documents = len({passage.source or passage.document for passage in answer.passages})
    if answer.failure is not None:
        message = "why-failed"
    elif answer.council is not None:
        message = "why-council"
    elif answer.label == "general":
        has_looked = any(step.step in {"probe", "retrieve"} for step in answer.trace)
        message = "why-general" if has_looked else "why-small-talk"
    elif answer.label == "verified" and answer.used_documents:
        message = "why-corrected" if answer.retries else "why-read"
    else:
        message = _STORY[answer.label]
    return TEXTS.text(message, language, documents=documents)


def _finding(answer: Answer, language: str) -> str:
    """Return what the check found, as a sentence; empty where the story says it."""
    reason = answer.verdict.reason
    if reason.code in _TOLD:
        return ""
    found = in_operator_words(TEXTS.reason(reason, language)).strip()
    return found[:1].upper() + found[1:] + ("" if found.endswith((".", "。", "!", "?")) else ".")


def _verdict(verdict: Verdict, language: str) -> str:
    quality = TEXTS.text(f"quality-{verdict.quality}", language)
    if verdict.quality == "unchecked":
        return quality[:1].upper() + quality[1:]
    return TEXTS.text(
        "why-verdict",
        language,
        quality=quality,
        percent=round(verdict.confidence * 100),
        source=TEXTS.text(f"verdict-{verdict.source}", language),
    )


def _totals(answer: Answer, language: str, currency: str) -> list[str]:
    usage, savings = answer.usage, answer.savings
    corrections = TEXTS.text("why-corrections", language, count=answer.retries) if answer.retries else ""
    lines = [_spent("", usage, language, currency, answer.seconds, corrections)]
    if currency:
        lines += (_spent(role, part, language, currency) for role, part in usage.by_role.items())
    for seat, parts in usage.by_seat.items():
        lines.append(_spent(seat, _sum(parts.values()), language, currency))
    lines.append(_not_reviewed(answer, language))
    if answer.score is not None:
        lines.append(TEXTS.text("why-score", language, percent=round(answer.score * 100)))
    if savings.calls:
        layers = ", ".join(
            f"{TEXTS.text(f'saved-{layer}', language)} {saved.calls}"
            for layer, saved in savings.by_layer.items()
        )
        said = TEXTS.text("why-savings", language, calls=savings.calls, tokens=savings.tokens)
        lines.append(f"{said} ({layers})" if layers else said)
    return [each for each in lines if each]


def _spent(
    name: str, usage: Usage, language: str, currency: str, seconds: float | None = None, more: str = ""
) -> str:
    tokens = TEXTS.text("why-tokens", language, tokens=usage.tokens)
    cost = amount(usage.cost, language) if usage.cost else ""
    if currency:
        split = f"{usage.input_tokens} + {usage.output_tokens}"
        tokens, cost = f"{TEXTS.text('stats-tokens', language)}: {split}", money(usage, currency, language)
    return " · ".join(
        filter(
            None,
            [
                name,
                TEXTS.text("why-calls", language, calls=usage.calls),
                tokens,
                duration(usage.seconds if seconds is None else seconds, language),
                more,
                TEXTS.text("why-cost", language, cost=cost) if cost else "",
            ],
        )
    )


def _sum(parts: Iterable[Usage]) -> Usage:
    every = list(parts)
    return Usage(
        sum(part.calls for part in every),
        sum(part.input_tokens for part in every),
        sum(part.output_tokens for part in every),
        sum(part.seconds for part in every),
        sum(part.cost for part in every),
        sum(part.unpriced_calls for part in every),
    )


def _not_reviewed(answer: Answer, language: str) -> str:
    if answer.council is not None or any(step.step == "review" for step in answer.trace):
        return ""
    if answer.mode == "careful":
        return TEXTS.text("why-not-reviewed", language)
    mode = TEXTS.text(f"mode-name-{answer.mode}", language)
    return TEXTS.text("why-not-reviewed-in-mode", language, mode=mode)
