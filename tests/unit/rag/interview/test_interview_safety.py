"""What a model says of its own work, in `safety`: it is logged, and makes nothing looser."""

from __future__ import annotations

from itertools import product

from rag.interview.documents import AskUser, Safety
from rag.interview.events import TurnApplied, fold, hash_state
from rag.interview.turns import open_question
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import FACTS, attentive_text, changes, objects, passes
from tests.support.talks import Interview

FLAGS = tuple(Safety.model_fields)
LAST = ", ".join(value for path, value in FACTS.items() if path not in {"/product", "/version"})


async def hold(
    safety: dict[str, bool], objection: str = ""
) -> tuple[list[str], list[AskUser | None], Interview]:
    """Hold an interview in which a model says `safety` of each of its replies.

    The model invents a version, contradicts what the person has confirmed, erases it, asks what has been
    asked, and wants to end at once: each is a thing that a looser engine would let through.

    Returns:
        The hash of the state and the open question after each message, and the interview.
    """

    def script(request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return {**(objects(objection) if objection else passes()), "safety": safety}
        said = request.messages[-1].text.rpartition("<last_message>")[2]
        reply = attentive_text(request.messages[-1].text)
        if "Hello" in said:
            asked = {"question_text": "Which product?", "path": "/product"}
            reply["next_action"] = {"kind": "ask_user", "ask_user": asked}
        if "the viewer" in said:
            reply = changes({"/product": "the viewer"})
        if "by itself" in said:
            reply = changes({"/product": "a printer"})
            reply["patch"]["ops"].append({"op": "remove", "path": "/domain/product", "quote": ""})
            reply["patch"]["ops"].append({"op": "add", "path": "/domain/version", "value": "9"})
            reply["next_action"] = {"kind": "proceed_to_skeleton"}
        return {**reply, "safety": safety}

    interview = Interview(script)
    hashes, questions = [], []
    says = ("Hello", "Hello again", "the editor", "the viewer", "1", "It does so by itself", LAST, "1", "yes")
    for text in says:
        await interview.says(text)
        state = fold(interview.events)
        hashes.append(hash_state(state))
        questions.append(open_question(state))
    return hashes, questions, interview


async def test_no_flag_of_a_model_changes_a_state_a_question_or_the_gate() -> None:
    plain, asked, interview = await hold({})
    state = fold(interview.events)
    assert state.domain["product"] == "the editor"
    assert state.facts["/product"].status == "confirmed"
    assert {question.facet for question in asked if question} == {"value", "conflict", "confirm"}
    assert state.meta.status == "ready"
    for values in product((False, True), repeat=len(FLAGS)):
        hashes, questions, _ = await hold(dict(zip(FLAGS, values, strict=True)))
        assert (hashes, questions) == (plain, asked), values


async def test_no_flag_of_a_gate_check_takes_its_objection_back() -> None:
    plain, asked, interview = await hold({}, "/version")
    assert fold(interview.events).meta.status == "collecting"
    assert asked[-1] is not None
    assert asked[-1].facet == "objection"
    for values in product((False, True), repeat=len(FLAGS)):
        hashes, questions, _ = await hold(dict(zip(FLAGS, values, strict=True)), "/version")
        assert (hashes, questions) == (plain, asked), values


async def test_flags_of_both_steps_are_logged() -> None:
    _, _, interview = await hold({"repeat_question_risk": True})
    said = [
        (line["decision"], line["safety"])
        for event in interview.events
        if isinstance(event, TurnApplied)
        for line in event.trace
        if "safety" in line
    ]
    assert {decision for decision, _ in said} == {"the model's own words", "gate check"}
    flags = Safety(repeat_question_risk=True).model_dump()
    assert all(safety == flags for _, safety in said)
