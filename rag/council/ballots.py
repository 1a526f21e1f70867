"""Reads a review. A ranking counts only if it names every shown letter exactly once; prose is never searched.

A model that leaves out an answer, names one twice or ranks an answer it was not shown casts no vote: half a
vote would favour the answers it happened to name. What it criticises counts all the same.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

import regex
from pydantic import BaseModel, ConfigDict, Field

from rag.checks.language import TO_LATIN
from rag.values.council import Ballot, Critique, Letter

MAX_ISSUES = 20
MAX_ISSUE_CHARACTERS = 2_000


class CritiqueReply(BaseModel):
    """What a reviewer writes of one answer."""

    model_config = ConfigDict(extra="forbid")

    label: str = Field(description="The letter of the answer, for example A.")
    strengths: str = Field(default="", description="What the answer does well, in one sentence.")
    issues: list[str] = Field(default_factory=list, description="Each fault of the answer, a sentence each.")


class BallotReply(BaseModel):
    """A review as a model writes it."""

    model_config = ConfigDict(extra="forbid")

    critiques: list[CritiqueReply] = Field(description="One entry for each answer.")
    ranking: list[str] = Field(description="The letters of all answers, best first.")


def describe_problem(reply: BallotReply, letters: Sequence[Letter]) -> str:
    """Say in one sentence what a model has to mend in its review, or return an empty string."""
    wanted = ", ".join(letters)
    ranked = Counter(_letter(label) for label in reply.ranking)
    if ranked != Counter(letters):
        return f"`ranking` must name each of these letters exactly once, best first: {wanted}."
    criticised = Counter(_letter(critique.label) for critique in reply.critiques)
    if strangers := set(criticised) - set(letters):
        return f"`critiques` speaks of {', '.join(sorted(strangers))}; the answers are {wanted}."
    if any(times > 1 for times in criticised.values()):
        return "`critiques` must have at most one entry for each letter."
    return ""


def read_ballot(reply: BallotReply, letters: Sequence[Letter]) -> Ballot:
    """Return the vote of a review, without a ranking if it is none of all letters, and its critiques.

    Of several critiques of one letter, the last counts; those of letters that were not shown are left out.
    """
    critiques = {_letter(critique.label): critique for critique in reply.critiques}
    ranking = tuple(_letter(label) for label in reply.ranking)
    return Ballot(
        ranking=ranking if Counter(ranking) == Counter(letters) else (),
        critiques=tuple(
            Critique(letter, critiques[letter].strengths.strip(), _issues(critiques[letter]))
            for letter in letters
            if letter in critiques
        ),
    )


_LONE_LETTER = regex.compile(r"(?<!\p{Latin})\p{Latin}(?!\p{Latin})|(?<!\p{L})\p{Cyrillic}(?!\p{L})")


def _letter(label: str) -> Letter:
    """Return the letter of a label, or an empty one if the label names none or several.

    Models write ``B``, ``b``, ``Response B``, a Russian word with the Cyrillic letter that looks like B,
    and a Chinese word that the letter follows without a space, for one answer.
    """
    found = _LONE_LETTER.findall(unicodedata.normalize("NFKC", label))
    return Letter(found[0].upper().translate(TO_LATIN) if len(found) == 1 else "")


def _issues(critique: CritiqueReply) -> tuple[str, ...]:
    issues = (" ".join(issue.split())[:MAX_ISSUE_CHARACTERS] for issue in critique.issues)
    return tuple(issue for issue in issues if issue)[:MAX_ISSUES]
