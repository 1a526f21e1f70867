from __future__ import annotations

from dataclasses import replace

import pytest

from bot.telegram.rendering import Part
from bot.texts import TEXTS
from rag.reasons import Reason, as_written
from rag.values import Answer, Failure, Label, Savings, StepTrace, Usage, Verdict
from tests.support.shown import trail_parts


def drawn(part: Part) -> str:
    """The part of the text that is folded."""
    (entity,) = [entity for entity in part.entities if entity.type == "expandable_blockquote"]
    return part.text.encode("utf-16-le")[2 * entity.offset : 2 * (entity.offset + entity.length)].decode(
        "utf-16-le"
    )


def test_trail_tells_everybody_first_and_engineers_below(verified: Answer) -> None:
    (part,) = trail_parts(replace(verified, usage=replace(verified.usage, cost=0.0123), score=0.8), "en")
    assert part.text == (
        "The first draft did not hold up, so the answer was rewritten from 2 documents; "
        "each numbered citation was checked against its source. The passages support it.\n"
        "\n"
        "Steps and figures\n"
        "Reading the message (0 ms)\n"
        "   a question (English): it stands alone\n"
        "Searching the documents (78 ms)\n"
        "   passages: 20\n"
        "Drafting (2.6 s, 298 tok)\n"
        "   91 characters without documents\n"
        "Checking (52 ms)\n"
        "   claims something that the documents do not support (96 %): no passage states `db_root`\n"
        "Reading the documents (9 ms)\n"
        "   passages: 5, documents: 2\n"
        "Writing from the documents (17.6 s, 920 tok)\n"
        "   passages read: 5\n"
        "Checking (60 ms)\n"
        "   good (99 %): the passages support it\n"
        "\n"
        "Verdict: good (99 % sure, by comparison with the documents)\n"
        "2 model calls · 1,218 tokens · 20.3 s · corrections: 1 · cost: 0.012\n"
        "Not reviewed in this mode (balanced).\n"
        "Critic’s score: 80 %\n"
        "Saved by free checks: 2 judge calls, about 840 tokens (evidence 1, repairs 1)\n"
        "\n"
        "draft@1#e043024e\n"
        "regenerate@1#ae338a7e"
    )
    assert [entity.type for entity in part.entities] == ["bold", "expandable_blockquote", "code"]


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize(
    ("label", "uses_documents", "retries", "steps", "message"),
    [
        pytest.param("verified", True, 1, "probe", "why-corrected", id="corrected"),
        pytest.param("verified", True, 0, "retrieve", "why-read", id="documents first"),
        pytest.param("verified", False, 0, "probe", "why-confirmed", id="confirmed draft"),
        pytest.param("general", False, 0, "probe", "why-general", id="general"),
        pytest.param("general", False, 0, "draft", "why-small-talk", id="small talk"),
        pytest.param("unverified", True, 2, "probe", "why-unverified", id="unverified"),
        pytest.param("not_in_documents", True, 2, "probe", "why-not-found", id="not found"),
        pytest.param("partly", True, 1, "probe", "why-partly", id="verified in part"),
        pytest.param("conversation", False, 0, "probe", "why-conversation", id="from the conversation"),
    ],
)
def test_first_sentence_says_how_the_answer_came_about(
    verified: Answer,
    language: str,
    label: Label,
    uses_documents: bool,
    retries: int,
    steps: str,
    message: str,
) -> None:
    answer = replace(
        verified,
        label=label,
        used_documents=uses_documents,
        retries=retries,
        trace=(StepTrace(steps, 1, as_written("x")),),
    )
    (part,) = trail_parts(answer, language)
    assert part.text.startswith(TEXTS.text(message, language, documents=2))


def test_answer_that_no_model_wrote_says_so_first(verified: Answer) -> None:
    answer = replace(verified, failure=Failure("unavailable", as_written("nobody there")), label="unverified")
    assert trail_parts(answer, "en")[0].text.startswith("No language model could write an answer")


def test_what_was_not_judged_has_no_certainty(verified: Answer) -> None:
    answer = replace(
        verified, verdict=Verdict("unchecked", as_written("the judge failed"), 0.0, "judge"), savings=Savings(), trace=(), usage=Usage(calls=1)
    )  # fmt: skip
    (part,) = trail_parts(answer, "en")
    assert part.text.split("\n\n")[1] == (
        "Steps and figures\nNot judged\n1 model call · 0 tokens · 20.3 s · corrections: 1\nNot reviewed in this mode (balanced)."
    )


def test_step_of_a_former_version_is_shown_by_its_name_and_sentence(verified: Answer) -> None:
    (part,) = trail_parts(replace(verified, trace=(StepTrace("old_step", 5, as_written("all done")),)), "ru")
    assert "Old step" in drawn(part)
    assert "all done" in drawn(part)


@pytest.mark.parametrize("language", [one for one in TEXTS.languages if one != "en"])
def test_no_step_of_the_trail_stays_english_for_another_reader(verified: Answer, language: str) -> None:
    for step in verified.trace:
        told = [
            drawn(trail_parts(replace(verified, trace=(step,)), code)[0]).split(maxsplit=1)[1]
            for code in ("en", language)
        ]
        assert told[0] != told[1]


def test_long_trail_is_cut_between_its_lines(verified: Answer) -> None:
    found = trail_parts(replace(verified, trace=verified.trace * 24), "en")
    assert len(found) > 1
    assert "\n".join(part.text for part in found).count("Searching the documents (78 ms)") == 24


def test_issues_of_the_reviewer_stand_whole_below_their_step(verified: Answer) -> None:
    reviewed = StepTrace(
        "review",
        9,
        Reason("reviewed", {"status": "pass_with_flags", "reason": Reason("reviewer-silent")}),
        notes=(
            Reason(
                "review-issue-at",
                {"type": "logic", "severity": "complex", "text": "It says 17 and 21.", "place": "line 2"},
            ),
            Reason("review-issue", {"type": "hygiene", "severity": "info", "text": "A stray star."}),
        ),
    )
    (part,) = trail_parts(replace(verified, mode="careful", trace=(reviewed,)), "en")
    shown = " ".join(drawn(part).split())
    assert "- contradiction, for the judge: It says 17 and 21. (line 2)" in shown
    assert "- form, a remark: A stray star." in shown
    assert "reviewed" not in part.text.lower()


@pytest.mark.parametrize("language", TEXTS.languages)
def test_text_before_a_refinement_is_shown_beside_the_answer(verified: Answer, language: str) -> None:
    (part,) = trail_parts(replace(verified, unrefined="It may need Java 17."), language)
    (quote,) = [entity for entity in part.entities if entity.type == "blockquote"]
    assert "It may need Java 17." in part.text
    assert quote.length == len("It may need Java 17.")
    (other,) = trail_parts(verified, language)
    assert TEXTS.text("why-unrefined", language) not in other.text
