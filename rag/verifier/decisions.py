"""A decision model as the verifier: typed questions about the passages, answered with probabilities.

All questions about one answer go in one request, because the model reads the state once for all of them. What
users and documents wrote stands in the state; the questions name it by its key and hold none of it, so that
a text can't pose as an instruction. A reply that leaves a question open counts as no reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError

from rag.errors import ModelReplyError
from rag.language.sentences import Sentence, sentences
from rag.prompting.library import RenderedPrompt
from rag.reasons import Reason
from rag.values import ModelCall, Passage, Place
from rag.verifier import Carried, Claim, Found
from rag.verifier.asking import PATIENCE_SECONDS, Asker

_NONE: Final = "none"
_MAX_SENTENCES: Final = 200
"""Sentences of a passage that can be chosen: servers take up to 208 options. What follows is not read."""

_Probability: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class _Question(BaseModel):
    type: Literal["noul", "choice"]
    instructions: str
    criteria: dict[str, str]


class _Asked(BaseModel):
    state: dict[str, JsonValue]
    questions: dict[str, _Question]


class _Noul(BaseModel):
    noul: _Probability


class _Choice(BaseModel):
    choice: str
    probabilities: dict[str, _Probability]


_REPLY: Final = TypeAdapter(dict[str, JsonValue])


class DecisionVerifier:
    """Reads passages with a decision model; a call is abandoned `patience_seconds` after its usual time."""

    def __init__(self, asker: Asker, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._asker = asker
        self._patience_seconds = patience_seconds

    async def find(self, question: str, passages: Sequence[Passage]) -> Found:
        """Return which sentence of each passage answers, and how probably one does; see `Verifier`."""
        read = {f"p{n}": sentences(one.text)[:_MAX_SENTENCES] for n, one in enumerate(passages, 1)}
        shown: dict[str, JsonValue] = {}
        covers: dict[str, _Question] = {}
        which: dict[str, _Question] = {}
        for (key, parts), passage in zip(read.items(), passages, strict=True):
            if parts:
                numbered = {f"s{n}": _plain(one.text) for n, one in enumerate(parts, 1)}
                shown[key] = {**_name(passage), "sentences": {**numbered}}
                covers[key] = self._noul("decide_covers", passage=key)
                which[f"{key}_sentence"] = self._choice(key, list(numbered))
        if not shown:
            return Found(tuple(Place(passage.id, 0, 0, 0.0) for passage in passages))
        state: dict[str, JsonValue] = {"question": _plain(question), "passages": shown}
        probable, chosen, call = await self._decide("decide_covers", state, covers, which)
        places = (
            _place(passage, parts, probable.get(key, 0.0), chosen.get(f"{key}_sentence"))
            for (key, parts), passage in zip(read.items(), passages, strict=True)
        )
        return Found(tuple(places), (call,))

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        """Return how probably each claim's passage states it; see `Verifier`."""
        if not claims:
            return Carried(())
        keys = {passage: f"p{n}" for n, passage in enumerate(dict.fromkeys(one.passage for one in claims), 1)}
        named = {f"c{n}": claim for n, claim in enumerate(claims, 1)}
        state: dict[str, JsonValue] = {
            "passages": {key: {**_name(one), "text": _plain(one.text)} for one, key in keys.items()},
            "claims": {
                name: {"question": _plain(claim.question), "text": _plain(claim.text)}
                for name, claim in named.items()
            },
        }
        questions = {
            name: self._noul("decide_carries", passage=keys[claim.passage], claim=name)
            for name, claim in named.items()
        }
        probable, _, call = await self._decide("decide_carries", state, questions, {})
        return Carried(tuple(probable[name] for name in named), (call,))

    def _noul(self, prompt: str, **keys: str) -> _Question:
        asked = self._asker.tools.prompts.render(prompt, **keys)
        meanings = zip(("true", "false"), asked.instructions.split("\n\n"), strict=False)
        return _Question(type="noul", instructions=asked.message, criteria=dict(meanings))

    def _choice(self, passage: str, options: Sequence[str]) -> _Question:
        asked = self._asker.tools.prompts.render("decide_sentence", passage=passage)
        criteria = {option: f"`passages.{passage}.sentences.{option}`" for option in options}
        criteria[_NONE] = asked.instructions
        return _Question(type="choice", instructions=asked.message, criteria=criteria)

    async def _decide(
        self,
        prompt: str,
        state: dict[str, JsonValue],
        nouls: Mapping[str, _Question],
        choices: Mapping[str, _Question],
    ) -> tuple[dict[str, float], dict[str, _Choice], ModelCall]:
        asked = _Asked(state=state, questions={**nouls, **choices})
        rendered = RenderedPrompt(
            "", asked.model_dump_json(), self._asker.tools.prompts.prompt(prompt).id, "verifier"
        )
        completion, call = await self._asker.ask("verify", rendered, patience=self._patience_seconds)
        try:
            reply = _REPLY.validate_json(completion.text)
            probable = {name: _Noul.model_validate(reply.get(name)).noul for name in nouls}
            return probable, {name: _Choice.model_validate(reply.get(name)) for name in choices}, call
        except ValidationError as exc:
            error = ModelReplyError(Reason("model-no-decision", {"model": call.model}))
            error.spent = (call,)
            raise error from exc


def _place(passage: Passage, parts: Sequence[Sentence], covers: float, chosen: _Choice | None) -> Place:
    """Return the likeliest sentence; none if the model says that none answers."""
    if chosen is None:
        return Place(passage.id, 0, 0, 0.0)
    probable = [chosen.probabilities.get(f"s{n}", 0.0) for n in range(1, len(parts) + 1)]
    if chosen.choice == _NONE or not any(probable):
        # Both questions have to say that the passage answers.
        return Place(passage.id, 0, 0, min(covers, sum(probable)))
    best = max(range(len(parts)), key=probable.__getitem__)
    return Place(passage.id, parts[best].start, parts[best].end, covers)


def _name(passage: Passage) -> dict[str, JsonValue]:
    return {"document": _plain(passage.document), "section": _plain(passage.section)}


def _plain(text: str) -> str:
    """Return a text without halves of characters, which JSON cannot hold."""
    return text.encode("utf-8", "replace").decode()
