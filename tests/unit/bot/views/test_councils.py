"""A council in words: in every language, whatever its members did, and whatever comes in what order."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.rendering import draw
from bot.texts import TEXTS
from bot.views import councils
from bot.views.blocks import Blocks
from bot.views.councils import CouncilProgress
from rag.events import CouncilEvent
from rag.reasons import Reason
from rag.values.council import (
    Ballot,
    Conclusion,
    ConclusionStatus,
    Correction,
    CouncilRecord,
    Degradation,
    FallbackReason,
    Letter,
    Response,
    ResponseStatus,
    Review,
    Seat,
    Skip,
    StageName,
    Standing,
)

every_language = pytest.mark.parametrize("language", TEXTS.languages)

ANNA, BORIS, CHEN = Seat("anna"), Seat("boris"), Seat("chen")


def record(**changed: object) -> CouncilRecord:
    whole: dict[str, object] = {
        "stage1": tuple(Response(seat, "Java 17.", model="openai:x") for seat in (ANNA, BORIS, CHEN)),
        "stage2": (
            Review(ANNA, ((Letter("A"), CHEN), (Letter("B"), BORIS)), Ballot((Letter("B"), Letter("A")))),
            Review(BORIS, ((Letter("A"), ANNA), (Letter("B"), CHEN)), abstention="not_a_ranking"),
        ),
        "standings": (Standing(BORIS, 1.0, 1, 1), Standing(CHEN, 0.0, 2, 1)),
        "stage2_5": (
            Correction(ANNA, "Java 17.", "…", "Java 17 or newer."),
            Correction(BORIS, "Java 17.", "…", "Java 17."),
            Correction(CHEN, "Java 17.", "…", "Java 17.", "too_short"),
        ),
        "stage3": Conclusion(ANNA, "Java 17."),
    }
    return CouncilRecord(1, **{**whole, **changed})  # type: ignore[arg-type]  # fields by name


def said_by(blocks: Blocks) -> str:
    """What a reader of Telegram reads."""
    return "\n".join(part.text for part in draw(blocks))


@every_language
def test_every_fault_has_words_that_name_the_member(language: str) -> None:
    reasons: dict[StageName, tuple[str, ...]] = {
        "stage1": get_args(ResponseStatus),
        "stage2": ("no_reply", "not_a_ranking"),
        "stage2_5": get_args(FallbackReason),
        "stage3": get_args(ConclusionStatus),
    }
    for stage, codes in reasons.items():
        for code in codes:
            said = said_by(councils.faults(record(degraded=(Degradation(stage, BORIS, code),)), language))
            assert said.startswith("⚠")
            assert "boris" in said
    assert said_by(councils.faults(record(), language)) == ""


@every_language
def test_what_happened_to_several_members_is_said_once(language: str) -> None:
    kept = tuple(Degradation("stage2_5", seat, "failed") for seat in (ANNA, CHEN))
    unfinished = (Degradation("stage3", BORIS, "failed"), Degradation("stage3", ANNA, "echo"))
    said = said_by(councils.faults(record(degraded=(*kept, *unfinished)), language))
    assert "anna, chen" in said
    assert "boris, anna" in said
    assert said.count("chen") == said.count("boris") == 1


@every_language
def test_single_answer_is_named_before_the_faults(language: str) -> None:
    alone = record(
        stage3=Conclusion(BORIS, "Java 17.", is_single_answer=True),
        degraded=(Degradation("stage3", ANNA, "failed"),),
    )
    first, second = said_by(councils.faults(alone, language)).splitlines()
    assert "boris" in first
    assert "anna" in second


@every_language
def test_members_texts_and_the_ranking_have_words(language: str) -> None:
    shown = [said_by(councils.member(record(), number, "corrected", language)) for number in range(3)]
    assert [text.splitlines()[-1] for text in shown] == ["Java 17 or newer.", "Java 17.", "Java 17."]
    assert all("(openai:x)" in text.splitlines()[0] for text in shown)
    skipped = (Skip("ranking", Reason("council-two-answers")),)
    *_, first, second, _blank, ranked, abstained, left_out = said_by(
        councils.ranking(record(skipped=skipped), language)
    ).splitlines()
    assert first.split() == ["1", "boris", "100", "%", "1"]
    assert second.split() == ["2", "chen", "0", "%", "1"]
    assert "boris > chen" in ranked
    assert "boris" in abstained
    assert left_out
    assert councils.member(record(), 3, "original", language) == ()
    assert "Java 17." in said_by(councils.member(record(), 0, "original", language))


def fed(*events: CouncilEvent, language: str = "en") -> str:
    progress = CouncilProgress()
    for event in events:
        progress.feed(event)
    return progress.line(language)


START = CouncilEvent("stage1_start", {"seats": ["a", "b", "c", "d"]})


def done(stage: str, seat: str, status: str = "answered") -> CouncilEvent:
    return CouncilEvent(f"{stage}_model", {"seat": seat, "status": status, "ms": 1, "tokens": 1})


@every_language
def test_state_counts_members_stage_by_stage(language: str) -> None:
    answered = [START, *(done("stage1", seat) for seat in "abc"), done("stage1", "d", "failed")]
    reviewing = [*answered, CouncilEvent("stage2_start", {}), done("stage2", "a", "reviewed")]
    correcting = [*reviewing, CouncilEvent("stage2_5_start", {})]
    concluding = [*correcting, CouncilEvent("stage3_start", {})]
    lines = [fed(*events, language=language) for events in (answered, reviewing, correcting, concluding)]
    assert len(set(lines)) == 4
    assert "3" in lines[0]
    assert "4" in lines[0]
    assert all(number in lines[1] for number in "134")
    assert fed(*concluding, CouncilEvent("stage3_complete", {}), language=language) == ""


@given(
    st.lists(
        st.builds(
            CouncilEvent,
            st.sampled_from(
                [
                    f"{stage}_{what}"
                    for stage in get_args(StageName)
                    for what in ("start", "model", "complete")
                ]
                + ["complete", "", "stage9_start", "model"]
            ),
            st.fixed_dictionaries({}, optional={"seats": st.lists(st.text()), "status": st.text()}),
        )
    ),
    st.sampled_from(TEXTS.languages),
)
def test_any_order_of_events_has_a_line_or_none(events: list[CouncilEvent], language: str) -> None:
    assert isinstance(fed(*events, language=language), str)
