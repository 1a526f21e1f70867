"""The committed figures of ``bench/judging.json`` as Markdown, for the docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.markdown import percent, table

_LAYERS = {
    "reviewer": "reviewer",
    "critic": "critic and refiner, texts of any length",
    "critic_within_reach": "critic and refiner, texts that the product shows them",
}


def free(committed: Mapping[str, Any]) -> str:
    """What the free checks caught, by kind of fault, and how often they were wrong about clean texts."""
    found = committed["free"]
    rows = [(name, *_counted(counts)) for name, counts in found["caught"].items()]
    rows += [("all faults", *_counted(found["all_caught"]))]
    rows += [("clean texts with a false alarm", *_counted(found["all_alarms"]))]
    if short := found.get("too_short"):
        rows += [
            ("two words where more was asked for (a flag)", *_counted(short["caught"])),
            ("whole answers flagged as too short", *_counted(short["alarms"])),
        ]
    languages = [
        (name, _share(found["caught_by_language"][name]), _share(found["alarms_by_language"][name]))
        for name in found["caught_by_language"]
    ]
    own = found["own"]
    made = [(name.replace("_", " "), *_counted(counts)) for name, counts in own["caught"].items()]
    made += [("all faults", *_counted(own["all_caught"]))]
    made += [("whole texts with a false alarm", *_counted(own["alarms"]))]
    return "\n\n".join(
        [
            table(("made by the embedded model", "caught", "of", "share"), made),
            table(("inserted into real texts", "caught", "of", "share"), rows),
            table(("language", "faults caught", "false alarms"), languages),
        ]
    )


def savings(committed: Mapping[str, Any]) -> str:
    """The judge's tokens on the mixed stream, with and without the free layers."""
    found = committed["stream"]
    rows = [
        (
            name,
            str(group["questions"]),
            str(group["texts"]),
            str(group["open"]),
            str(group["tokens"]),
            str(group["open_tokens"]),
        )
        for name, group in found["groups"].items()
    ]
    headings = ("talk", "questions", "texts", "left to the judge", "tokens for judging all", "tokens needed")
    saved = f"Judge tokens saved on a stream that is half documents, a quarter small talk and a quarter general knowledge: {percent(found['saved'])}."  # noqa: E501
    return f"{table(headings, rows)}\n\n{saved}"


def effects(committed: Mapping[str, Any]) -> str:
    """What reviewer and critic changed, and what they would have changed unchecked."""
    found = {**committed["layers"], "critic_within_reach": committed["critic_within_reach"]}
    rows = [
        (
            title,
            str(found[name]["texts"]),
            *(str(found[name][key]) for key in ("proposed", "proposed_better", "proposed_worse")),
            *(str(found[name][key]) for key in ("changed", "better", "worse")),
            percent(found[name]["worse_bound"]),
        )
        for name, title in _LAYERS.items()
    ]
    costs = [
        (
            title,
            f"{found[name]['calls']:.2f}",
            str(found[name]["tokens"]),
            f"{found[name]['tokens_ratio']:.2f}",
            f"{found[name]['seconds']:.1f}",
        )
        for name, title in _LAYERS.items()
    ]
    wrote = ("versions written", "better", "worse")
    sent = ("answers changed", "better", "worse", "worse at most (95 %)")
    return "\n\n".join(
        [
            table(("layer", "texts", *wrote, *sent), rows),
            table(
                ("layer", "calls added", "tokens added", "tokens added / spent before", "seconds (median)"),
                costs,
            ),
        ]
    )


def thresholds(committed: Mapping[str, Any]) -> str:
    """What every value of ``critique.threshold`` would have sent back."""
    rows = [
        (f"{one['threshold']:.2f}", *(percent(one[key]) for key in ("accepted", "wrong", "lost")))
        for one in committed["threshold"]["choices"]
    ]
    headings = ("`critique.threshold`", "left as they are", "of these not right", "right ones sent back")
    return table(headings, rows)


def _counted(counts: Sequence[int]) -> tuple[str, str, str]:
    return str(counts[0]), str(counts[1]), _share(counts)


def _share(counts: Sequence[int]) -> str:
    return percent(counts[0] / counts[1]) if counts[1] else "–"
