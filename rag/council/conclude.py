"""Stage 3: the chairman writes one answer from the corrected answers and the rankings of the first drafts."""

from __future__ import annotations

from functools import partial
from string import ascii_uppercase

from rag.council.corrections import is_echo
from rag.council.members import Assignment, Reply, announce_member, ask_member, model_of
from rag.errors import ThinkTwiceError
from rag.language.detect import language_name
from rag.language.scripts import dominant_script
from rag.language.words import content_terms
from rag.prompting.untrusted import labelled, number_passages
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values.council import Conclusion, ConclusionStatus, Correction, Degradation, Seat, Standing


async def conclude(
    run: Run,
    assignment: Assignment,
    corrections: tuple[Correction, ...],
    standings: tuple[Standing, ...],
    chairman: Seat,
) -> tuple[Conclusion, tuple[Degradation, ...]]:
    """Return the final text, and whoever failed to write it.

    The chairman is asked first, then the members, the best-ranked first. If all of them fail, the best-ranked
    corrected answer stands as what it is: one member's answer.

    Args:
        corrections: The corrected answers, at least one.
        standings: The common ranking of the first drafts; may be empty.
        chairman: Who concludes; empty for the default model.
    """
    ranked = _ranked(corrections, standings)
    degraded: list[Degradation] = []
    for seat in dict.fromkeys((chairman, *(correction.seat for correction in ranked))):
        try:
            found, status = await run.step(
                "conclude", partial(_conclude, run, assignment, ranked, standings, seat)
            )
        except ThinkTwiceError:
            announce_member(run, "stage3", seat, "failed", 0.0, 0)
            degraded.append(Degradation("stage3", seat, "failed"))
            continue
        announce_member(run, "stage3", seat, status, found.seconds, found.tokens)
        if status == "answered":
            return found, tuple(degraded)
        degraded.append(Degradation("stage3", seat, status))
    best = ranked[0]
    single = Conclusion(best.seat, best.corrected, is_single_answer=True, model=model_of(run, best.seat))
    return single, tuple(degraded)


def _ranked(corrections: tuple[Correction, ...], standings: tuple[Standing, ...]) -> tuple[Correction, ...]:
    order = {standing.seat: number for number, standing in enumerate(standings)}
    return tuple(sorted(corrections, key=lambda one: order.get(one.seat, len(order))))


async def _conclude(
    run: Run,
    assignment: Assignment,
    ranked: tuple[Correction, ...],
    standings: tuple[Standing, ...],
    seat: Seat,
) -> Outcome[tuple[Conclusion, ConclusionStatus]]:
    classification = assignment.reading
    letters = {one.seat: letter for letter, one in zip(ascii_uppercase, ranked, strict=False)}
    prompt = run.tools.prompts.render(
        "council_conclude",
        passages=number_passages(assignment.passages) if assignment.passages else "",
        question=classification.standalone,
        answers=labelled("answer", [(letters[one.seat], one.corrected) for one in ranked]),
        ranking=_describe_ranking(ranked, standings, letters),
        language=language_name(classification.language),
    )
    reply = await ask_member(run, "conclude", seat, prompt)
    status = _status(reply, ranked, prompt.instructions, classification.language)
    name = seat or "default"
    detail = (
        Reason("council-concluded", {"seat": name, "characters": len(reply.text or "")})
        if status == "answered"
        else Reason("council-not-concluded", {"seat": name})
    )
    found = Conclusion(seat, reply.text or "", False, model_of(run, seat), reply.tokens, reply.seconds)
    return Outcome((found, status), detail, reply.calls, prompt.id)


def _status(
    reply: Reply, ranked: tuple[Correction, ...], instructions: str, language: str
) -> ConclusionStatus:
    """Return whether a conclusion may stand in place of the answers that it was made from.

    Small models copy their instructions here as well, and all answers of the members would be lost.
    """
    if reply.status != "answered" or reply.text is None:
        return reply.status
    answers = "\n".join(one.corrected for one in ranked)
    if is_echo(reply.text, instructions, answers):
        return "echo"
    if dominant_script(reply.text) not in {dominant_script(one.corrected) for one in ranked}:
        return "other_language"
    if set(content_terms(reply.text, language)).isdisjoint(content_terms(answers, language)):
        return "unrelated"
    return "answered"


def _describe_ranking(
    ranked: tuple[Correction, ...], standings: tuple[Standing, ...], letters: dict[Seat, str]
) -> str:
    """Say how the first drafts were ranked, and whose correction was not used, without names."""
    lines = [
        f"{standing.place}. Response {letters[standing.seat]} (mean score {standing.score:.2f} "
        f"of {standing.ballots} ballots)"
        for standing in standings
        if standing.seat in letters
    ]
    lines = lines or ["The first drafts were not ranked."]
    if kept := [letters[one.seat] for one in ranked if one.fallback is not None]:
        lines.append(f"Not corrected, so still the first draft: {', '.join(kept)}.")
    return "\n".join(lines)
