"""Writes the record of a council for other programs: in its events, in ``--json``, in the console.

Names are those of the contract (``original_response``, ``corrected_response``); `CouncilRecord` is what is
stored and read back. A time is in whole milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rag.reasons import Reason
from rag.values.council import (
    Conclusion,
    Correction,
    CouncilRecord,
    Degradation,
    Response,
    Review,
    Seat,
    Skip,
    StageName,
    Standing,
)


def to_json(record: CouncilRecord) -> dict[str, Any]:
    """Return a whole record: the parts of all stages, and what did not go as it should."""
    whole: dict[str, Any] = {"start_value": record.start_value}
    for part in _PARTS.values():
        whole |= part(record)
    return {
        **whole,
        "degraded": [_degradation(one) for one in record.degraded],
        "skipped": [_skip(one) for one in record.skipped],
    }


def stage_to_json(record: CouncilRecord, stage: StageName) -> dict[str, Any]:
    """Return what one stage has left; ``skipped`` says what of it was left out."""
    about = {"stage2": {"stage2", "ranking"}}.get(stage, {stage})
    return {
        **_PARTS[stage](record),
        "degraded": [_degradation(one) for one in record.degraded if one.stage == stage],
        "skipped": [_skip(one) for one in record.skipped if one.stage in about],
    }


def describe(one: Degradation) -> Reason:
    """Say what did not go as it should, with the name of the member."""
    seat, status = one.seat or "models.default", one.reason
    match one.stage:
        case "stage1":
            return Reason("council-not-answered", {"seat": seat, "status": status})
        case "stage2":
            return Reason("council-abstained", {"seat": seat, "status": status})
        case "stage2_5":
            return Reason("council-kept", {"seat": seat, "status": status})
        case "stage3":
            return Reason("council-not-concluded", {"seat": seat})


def _stage1(record: CouncilRecord) -> dict[str, Any]:
    return {"stage1": [_response(one) for one in record.stage1]}


def _stage2(record: CouncilRecord) -> dict[str, Any]:
    models = _models(record)
    return {
        "stage2": [_review(one, models) for one in record.stage2],
        "aggregate": [_standing(one, models) for one in record.standings],
    }


def _stage2_5(record: CouncilRecord) -> dict[str, Any]:
    models = _models(record)
    return {"stage2_5": [_correction(one, models) for one in record.stage2_5]}


def _stage3(record: CouncilRecord) -> dict[str, Any]:
    return {"stage3": None if record.stage3 is None else _conclusion(record.stage3)}


_PARTS: Mapping[StageName, Callable[[CouncilRecord], dict[str, Any]]] = {
    "stage1": _stage1,
    "stage2": _stage2,
    "stage2_5": _stage2_5,
    "stage3": _stage3,
}


def _models(record: CouncilRecord) -> dict[Seat, str]:
    """The model of each member; only those that answered take part in later stages."""
    return {one.seat: one.model for one in record.stage1}


def _response(one: Response) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "model": one.model,
        "response": one.text,
        "status": one.status,
        **_spent(one),
    }


def _review(one: Review, models: Mapping[Seat, str]) -> dict[str, Any]:
    ballot = one.ballot
    return {
        "seat": one.reviewer,
        "model": models.get(one.reviewer, ""),
        "label_map": dict(one.letters),
        "ranking": list(ballot.ranking) or None if ballot else None,
        "critiques": [
            {"label": critique.letter, "strengths": critique.strengths, "issues": list(critique.issues)}
            for critique in (ballot.critiques if ballot is not None else ())
        ],
        "evaluation": one.text,
        "abstained": one.abstention,
        **_spent(one),
    }


def _standing(one: Standing, models: Mapping[Seat, str]) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "model": models.get(one.seat, ""),
        "place": one.place,
        "score": round(one.score, 4),
        "ballots": one.ballots,
    }


def _correction(one: Correction, models: Mapping[Seat, str]) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "model": models.get(one.seat, ""),
        "original_response": one.original,
        "peer_critiques": one.feedback,
        "corrected_response": one.corrected,
        "is_fallback": one.fallback is not None,
        "reason": one.fallback,
        "is_changed": one.is_changed,
        "is_shortened": one.is_shortened,
        **_spent(one),
    }


def _conclusion(one: Conclusion) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "model": one.model,
        "response": one.text,
        "is_single_answer": one.is_single_answer,
        **_spent(one),
    }


def _spent(one: Response | Review | Correction | Conclusion) -> dict[str, int]:
    return {"ms": round(one.seconds * 1000), "tokens": one.tokens}


def _degradation(one: Degradation) -> dict[str, str]:
    return {"stage": one.stage, "seat": one.seat, "reason": one.reason}


def _skip(one: Skip) -> dict[str, Any]:
    return {"stage": one.stage, "reason": one.reason.to_json()}
