"""A decision model: typed questions about a state, answered with probabilities.

The message of the chat request is the JSON of the state and its questions, in the words of the System One
protocol (``POST /v1/systemone``), and the text of the reply is the JSON of the answers. So the budget, the
time limits, the ledger and recorded replies work as they do for a chat model. OpenAI's Decisions API asks the
same questions in another shape (``POST /v1/decisions``).
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, TypeAlias

import httpx2
from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError

from rag.models import failures
from rag.models.client import Call, ServerModel
from rag.models.failures import Failure
from rag.models.quirks import Quirks
from rag.models.replies import Reply

_Probability: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class _Question(BaseModel):
    type: Literal["noul", "choice"]
    instructions: str
    criteria: dict[str, str] = {}


class _Asked(BaseModel):
    state: JsonValue
    questions: dict[str, _Question]


class _Noul(BaseModel):
    type: Literal["noul"]
    noul: _Probability

    def fits(self, question: _Question) -> bool:
        return question.type == "noul"


class _Choice(BaseModel):
    type: Literal["choice"]
    choice: str
    confidence: _Probability
    probabilities: dict[str, _Probability]

    def fits(self, question: _Question) -> bool:
        likely, options = self.probabilities, question.criteria
        is_whole = abs(sum(likely.values()) - 1) <= 0.01 + 0.005 * len(likely)  # rounded to two places
        return question.type == "choice" and likely.keys() == options.keys() and is_whole


class _Usage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0


class _Decided(BaseModel):
    answers: dict[str, Annotated[_Noul | _Choice, Field(discriminator="type")]]
    usage: _Usage = _Usage()


_OBJECT: Final = TypeAdapter(dict[str, JsonValue])


class DecisionModel(ServerModel):
    """Asks one decision model. The protocol has one way of asking, and nothing is streamed."""

    def _address(self, asked: Quirks) -> str:  # noqa: ARG002 - no other path is known
        is_ours = self.endpoint.kind == "systemone"
        return f"{self.endpoint.base_url}/{'systemone' if is_ours else 'decisions'}"

    def _body(self, call: Call, asked: Quirks) -> dict[str, Any]:  # noqa: ARG002 - nothing is left out
        request = _Asked.model_validate_json(call.request.messages[-1].text)
        model = {"model": self.endpoint.model}
        if self.endpoint.kind == "systemone":
            return model | request.model_dump(exclude_unset=True)
        questions = [_translate(name, question) for name, question in request.questions.items()]
        return model | {"input": json.dumps(request.state, ensure_ascii=False), "questions": questions}

    def _with_next(self, failure: Failure, call: Call, asked: Quirks) -> Failure:  # noqa: ARG002
        return failure

    async def _receive(self, call: Call, asked: Quirks, response: httpx2.Response) -> Reply | Failure:  # noqa: ARG002
        body = await response.aread()
        questions = _Asked.model_validate_json(call.request.messages[-1].text).questions
        try:
            said = _OBJECT.validate_json(body)
            if isinstance(listed := said.get("answers"), list):
                said["answers"] = {str(one.get("name")): _translate_back(one) for one in listed}  # type: ignore[union-attr]
            decided = _Decided.model_validate(said)
        except (ValidationError, AttributeError, TypeError, KeyError):
            return failures.no_chat(call.endpoint)
        answers, usage = decided.answers, decided.usage
        if answers.keys() != questions.keys() or not all(
            answer.fits(questions[name]) for name, answer in answers.items()
        ):
            return failures.no_chat(call.endpoint)
        text = json.dumps({name: answer.model_dump() for name, answer in answers.items()})
        # No output tokens is a count here: such a model writes nothing.
        return Reply(text, "stop", input_tokens=usage.input_tokens or None, output_tokens=usage.output_tokens)


def _translate(name: str, question: _Question) -> dict[str, JsonValue]:
    """Return a question in the shape of OpenAI's API, which has no field for the meaning of yes and no."""
    if question.type == "choice":
        choices: list[JsonValue] = [
            {"value": value, "description": meaning} for value, meaning in question.criteria.items()
        ]
        return {"type": "choice", "name": name, "instructions": question.instructions, "choices": choices}
    meanings = {"true": "yes", "false": "no"}
    shown = {"question": question.instructions}
    shown |= {meanings.get(value, value): meaning for value, meaning in question.criteria.items()}
    instructions = json.dumps(shown, ensure_ascii=False) if question.criteria else question.instructions
    return {"type": "predicate", "name": name, "instructions": instructions}


def _translate_back(answer: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    if answer["type"] == "predicate":
        return {"type": "noul", "noul": answer["probability"]}
    likely = {one["value"]: one["probability"] for one in answer["probabilities"]}
    return {**answer, "probabilities": likely}
