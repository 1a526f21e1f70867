"""The steps of an interview that ask a model.

A capable model reads a message as a whole and replies with changes and a question (`interpret`). A small one
cannot write such a reply, but it can copy words: it is asked for one fact at a time (`extract`), and code
makes the changes of what it copied.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

from pydantic import JsonValue

from rag.errors import ThinkTwiceError
from rag.interview.documents import (
    AddOrReplace,
    DialogueTurn,
    JsonPatch,
    NextAction,
    State,
    StepOutput,
)
from rag.interview.gate import missing_paths
from rag.interview.missions import Mission, list_choices, schema_at, show
from rag.interview.patch import DOMAIN
from rag.interview.quotes import is_quoted, normalise
from rag.interview.replies import ModelReply, ask_for_output
from rag.language.detect import language_name
from rag.prompting.untrusted import dialogue
from rag.reasons import Reason
from rag.runs.work import Outcome, Work
from rag.values import Turn
from rag.verifier.blind import understood

MAX_EXTRACTIONS = 12
"""Facts that are looked for in one message; each costs a short call."""

_EXTRACTED_TOKENS = 60
_SHORT_ANSWER_WORDS = 6
_LONGEST_WHOLE_ANSWER_WORDS = 20


async def interpret(
    work: Work,
    state: State,
    mission: Mission,
    turns: Sequence[DialogueTurn],
    problem: Callable[[StepOutput], str],
) -> Outcome[ModelReply]:
    """Have a model turn a message into changes and a question; errors are those of `ask_for_output`.

    Args:
        turns: The person's messages that no turn has taken up; the last one is new.
        problem: Says what is wrong with a reply of the right form; an empty string if nothing is.
    """
    recent = state.dialogue.history[-state.control.limits.recent_turns :]
    prompt = work.tools.prompts.render(
        "interpret",
        persona=mission.persona,
        wanted="\n".join(f"{path}: {mission.title_of(path)}" for path in list_open_paths(state, mission)),
        domain_json=json.dumps(state.domain, ensure_ascii=False),
        issues_json=json.dumps(
            [one.model_dump(mode="json", exclude_none=True) for one in state.issues if one.status == "open"],
            ensure_ascii=False,
        ),
        recent_history=dialogue([Turn(one.role, one.text) for one in recent if one.role != "system"]),
        last_message="\n".join(turn.text for turn in turns),
        llm_output_schema=json.dumps(mission.domain_schema, ensure_ascii=False),
        language=language_name(mission.locale.language),
    )
    return await ask_for_output(work, "interpret", prompt, problem)


async def extract_all(
    work: Work,
    state: State,
    mission: Mission,
    turns: Sequence[DialogueTurn],
    paths: Sequence[str],
    corrected: Sequence[str] = (),
) -> StepOutput:
    """Have a model copy the words that state each fact; what is not a copy is dropped.

    A short answer is looked through for the fact that was asked for, and no other: each costs a call. Where
    the model finds the fact in it, the whole answer is the value; if the words that it writes are no copy,
    the person is asked to confirm it. If the model does not find the fact and the question may not be asked
    again, the whole answer becomes a value that the person must confirm. Small models overlook some facts,
    such as dates.

    Args:
        paths: The facts to look for, at most `MAX_EXTRACTIONS`.
        corrected: The facts that the message corrects by name; only these are looked for, if there are any.

    Raises:
        ThinkTwiceError: no call succeeded.
    """
    said = "\n".join(turn.text for turn in turns)
    question = state.next_action.ask_user if state.next_action else None
    asked = question.question_text if question else ""
    answered = question.path if question is not None and question.facet == "value" else ""
    words_said = len(said.split())
    looked_for = list(paths)[:MAX_EXTRACTIONS]
    if corrected:
        looked_for, answered = list(corrected), ""
    elif answered and words_said <= _SHORT_ANSWER_WORDS:
        looked_for = [answered]
    found = await work.steps(
        "extract", [partial(_extract, work, mission, said, asked, path) for path in looked_for]
    )
    errors = [one for one in found if isinstance(one, ThinkTwiceError)]
    if errors and len(errors) == len(found):
        raise errors[0]
    quotes: dict[str, tuple[JsonValue, str]] = {}
    whole = said.strip().rstrip(".")
    is_short = words_said <= _LONGEST_WHOLE_ANSWER_WORDS and not whole.endswith("?")
    is_whole = is_short and _is_plain(mission, answered)
    for path, words in zip(looked_for, found, strict=True):
        if not isinstance(words, str):
            continue
        is_copied = is_quoted(words, said)
        if path == answered and is_whole and words:
            # A small model cuts a copy short; whatever it wrote, it found that the answer is one.
            quotes[path] = (whole, whole if is_copied else "")
        elif path == answered and is_whole and _is_last_ask(state, path):
            quotes[path] = (whole, "")
        elif path == answered and is_short and list_choices(mission, path):
            # What fits no choice is told to the person, with what is possible.
            value = _read_choice(mission, path, words) or _read_choice(mission, path, whole)
            quotes[path] = (value or (words if is_copied else whole), words if is_copied else whole)
        elif is_copied and (value := _read_choice(mission, path, words)) is not None:
            # Only the answer to a question is taken at its word: a small model copies words of one fact for
            # another one, so what else it finds is confirmed by the person.
            is_asked = path in corrected or (question is not None and path == question.path)
            quotes[path] = (value, words if is_asked else "")
    ops = tuple(
        AddOrReplace(op="add", path=f"/{DOMAIN}{path}", value=value, quote=quote)
        for path, (value, quote) in quotes.items()
    )
    return StepOutput(
        step="INTERPRET",
        patch=JsonPatch(format="json_patch", ops=ops),
        next_action=NextAction(kind="proceed_to_gate"),
    )


async def _extract(work: Work, mission: Mission, said: str, asked: str, path: str) -> Outcome[str]:
    prompt = work.tools.prompts.render("extract", message=said, question=asked, wanted=mission.title_of(path))
    completion, call = await work.ask("extract", prompt, max_tokens=_EXTRACTED_TOKENS)
    words = understood(completion.text).strip("\"'“”«».")
    detail = (
        Reason("interview-stated", {"path": path, "words": words})
        if words
        else Reason("interview-not-stated", {"path": path})
    )
    return Outcome(words, detail, (call,), prompt.id)


def list_open_paths(state: State, mission: Mission) -> list[str]:
    """Return the paths that the pack still needs, in its order, each once."""
    return list(
        dict.fromkeys(path for category in mission.categories for path in missing_paths(state, category))
    )


def _is_last_ask(state: State, path: str) -> bool:
    asked = sum(one.path == path and one.facet == "value" for one in state.dialogue.asked)
    return asked >= state.control.limits.max_asks_per_path


def _is_plain(mission: Mission, path: str) -> bool:
    """Whether any text fits the schema at a path."""
    described = schema_at(mission.domain_schema, path)
    return isinstance(described, dict) and not described.keys() & {"enum", "const", "pattern", "format"}


def _read_choice(mission: Mission, path: str, words: str) -> str | None:
    """Return the words, or the choice that they name; None where there are choices and they name none."""
    choices = list_choices(mission, path)
    if not choices:
        return words or None
    said = normalise(words)
    named = (one for one in choices if any(normalise(each) in said for each in (show(one.value), one.label)))
    return next((show(one.value) for one in named), None)
