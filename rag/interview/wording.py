"""Clauses that a model words from facts. What it writes stands only if it says these facts and no others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from rag import checks
from rag.errors import ThinkTwiceError
from rag.interview.missions import Mission
from rag.interview.papers import Wish, states
from rag.interview.quotes import normalise
from rag.interview.steering import holds_phrase
from rag.language.detect import language_name
from rag.language.units import missing, units
from rag.models.chat import Completion
from rag.reasons import Reason
from rag.runs.work import Outcome, Work
from rag.values import Finding, ModelCall

WORD = "word"

MAX_WORDINGS = 8
"""Clauses that are worded at a time; each costs one call, or two."""

_ATTEMPTS = 2
_MARKUP = re.compile(r"^\s*(?:[#>*+-]|\d+[.)])|\*\*|__|`|\n\s*\n", re.MULTILINE)


async def word_clauses(work: Work, mission: Mission, wishes: Sequence[Wish]) -> dict[str, str]:
    """Return the wordings of clauses by the keys of their wishes.

    A clause of which no wording could be used has an empty one; one whose model does not answer is left out,
    and so are wishes beyond `MAX_WORDINGS`.
    """
    wanted = {wish.key: wish for wish in wishes[:MAX_WORDINGS]}
    found = await work.steps(WORD, [partial(_word, work, mission, wish) for wish in wanted.values()])
    return {key: text for key, text in zip(wanted, found, strict=True) if isinstance(text, str)}


async def _word(work: Work, mission: Mission, wish: Wish) -> Outcome[str]:
    problem, name = "", ""
    calls: list[ModelCall] = []
    for _ in range(_ATTEMPTS):
        prompt = work.tools.prompts.render(
            "clause",
            wish=wish.prompt,
            facts="\n".join(f"{title}: {words}" for title, words in wish.stated),
            terms=", ".join(wish.terms),
            problem=problem,
            language=language_name(mission.locale.language),
        )
        name = prompt.id
        try:
            completion, call = await work.ask(WORD, prompt)
        except ThinkTwiceError:
            if not calls:
                raise
            break
        calls.append(call)
        text = mend(completion, wish, mission.locale.language)
        problem = find_fault(text, wish, mission.locale.language, completion)
        if not problem:
            return Outcome(text, Reason("paper-worded", {"attempts": len(calls)}), tuple(calls), name)
    return Outcome("", Reason("paper-unworded", {"problem": problem}), tuple(calls), name)


def mend(completion: Completion, wish: Wish, language: str) -> str:
    """Return what a model wrote without the faults that need no model to mend."""
    text = completion.text.strip()
    return checks.repair(text, _check(text, wish, language, completion)).strip()


def find_fault(text: str, wish: Wish, language: str, completion: Completion) -> str:
    """Return what is wrong with the wording of a clause, as the model is told it; empty if nothing."""
    told = "\n".join(f"{title}: {words}" for title, words in wish.stated)
    if faults := [one for one in _check(text, wish, language, completion) if one.severity == "critical"]:
        return str(faults[0].description)
    if _MARKUP.search(text) or normalise(wish.prompt) in normalise(text):
        return "it must be plain text, the clause and nothing else"
    if lacking := [title for title, words in wish.stated if not states(text, words, language)]:
        return f"it does not state, as given: {', '.join(lacking)}"
    known = "\n".join((told, wish.prompt, ", ".join(wish.terms)))
    if invented := missing(units(text, language), known):
        return f"this is not among the facts: {', '.join(dict.fromkeys(one.text for one in invented))}"
    if holds_phrase(text, "negation") != holds_phrase(told, "negation"):
        return "it denies something that the facts do not, or leaves a denial out"
    return ""


def _check(text: str, wish: Wish, language: str, completion: Completion) -> tuple[Finding, ...]:
    told = "\n".join(f"{title}: {words}" for title, words in wish.stated)
    return checks.run(
        text, language=language, finish_reason=completion.finish_reason, asked=wish.prompt, known=told
    )
