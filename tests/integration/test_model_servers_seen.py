"""More ways of model servers, each as an issue of a server or of a client of it tells."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from rag.errors import ModelError
from tests.support.loopback import Recorded
from tests.support.server_model import Model, text_request
from tests.support.servers import Behaviour, FakeOpenAI, Raw, Say

ANSWER = "Java 17 [1]."


class Verdict(BaseModel):
    quality: str


def raw(value: Any, status: int = 200) -> Raw:
    return Raw(json.dumps(value).encode(), status=status)


def events(*values: object) -> Raw:
    said = "".join(one if isinstance(one, str) else f"data: {json.dumps(one)}\n\n" for one in values)
    return Raw(said.encode(), "text/event-stream")


def delta(content: Any = None, finish: Any = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": content, **more}, "finish_reason": finish}]}


def choice(finish: Any = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": finish, **fields}]}


def whole(content: Any, finish: str = "stop") -> dict[str, Any]:
    return choice(finish, message={"role": "assistant", "content": content})


def error(message: Any, status: int, **more: Any) -> Raw:
    return raw({"error": {"message": message, **more}}, status)


class Without:
    """Refuses requests with a field, and answers the others."""

    def __init__(self, field: str, refusal: Behaviour) -> None:
        self.field = field
        self.refusal = refusal

    def __call__(self, request: Recorded) -> Behaviour:
        roles = {message["role"] for message in request.body["messages"]}
        return self.refusal if self.field in {*request.body, *roles} else Say(ANSWER)


def only_stream(refusal: Behaviour) -> Any:
    return lambda request: Say(ANSWER) if request.body.get("stream") else refusal


def above(most: int, refusal: Behaviour) -> Any:
    return lambda request: refusal if request.body["max_tokens"] > most else Say(ANSWER)


STREAM = (delta("Java "), delta("17 [1]."))
STOP = delta(finish="stop")
PING = ": ping - 2024-05-02 12:00:00.000000\r\n\r\n"
MISTRAL = [
    {"type": "extra_forbidden", "loc": ["body", "temperature"], "msg": "Extra inputs are not permitted"}
]
AZURE = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
TGI = "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 512. Given: 400 `inputs` tokens and 200 `max_new_tokens`"

# Each way, and what comes of it: the answer, or a part of the message.
WAYS: dict[str, tuple[Any, str]] = {
    "DeepSeek ends without a delta (osaurus 2148)": ([events(*STREAM, choice("stop"))], ANSWER),
    "Azure ends with delta null (agent-framework 5734)": ([events(*STREAM, choice("stop", delta=None))], ANSWER),
    "a null between the events (pi 2466)": ([events("data: null\n\n", *STREAM, STOP)], ANSWER),
    "two objects in one event (llama.cpp 14268)": (
        [events(*(f"data: {json.dumps(one)}\n" for one in (*STREAM, STOP)))],
        ANSWER,
    ),
    "Ollama's empty finish reason in each event (ollama 4357)": ([events(delta("Java ", ""), delta("17 [1].", ""), STOP)], ANSWER),
    "usage behind the end, without choices (xiaozhi 734)": ([events(*STREAM, STOP, {"choices": [], "usage": {"prompt_tokens": 9}})], ANSWER),
    "text-generation-webui's pings": ([events(PING, *STREAM, PING, STOP)], ANSWER),
    "delta beside the message so far (Perplexity)": (
        [events(*({"choices": [{**one["choices"][0], "message": {"content": "J"}}]} for one in STREAM), STOP)],
        ANSWER,
    ),
    "the message so far in each event": ([events(whole("Java ", ""), whole("Java 17", ""), whole(ANSWER))], ANSWER),
    "references between the parts (Mistral)": (
        [raw(whole([{"type": "text", "text": "Java 17 "}, {"type": "reference", "reference_ids": [1]}, {"type": "text", "text": "[1]."}]))],
        ANSWER,
    ),
    "a token of the template behind the text (llama.cpp)": ([Say(f"{ANSWER}<|im_end|>\n<|im_start|>user")], ANSWER),
    "another one (LM Studio)": ([Say(f"{ANSWER}<|eot_id|>")], ANSWER),
    "reasoning in between the text (vLLM, open-webui 24697)": (
        [events(delta("Java "), delta(None, reasoning="11? 17?"), delta("17 [1]."), STOP)],
        ANSWER,
    ),
    "Gemini uses up the limit without a message (litellm 36881)": ([raw(choice("length")), Say(ANSWER)], ANSWER),
    "an error in an event with choices (OpenRouter, vercel/ai 2720)": (
        [events({**delta("", "error"), "error": {"code": 502, "message": "Provider disconnected"}}), Say(ANSWER)],
        ANSWER,
    ),
    "finish reason error and no word (OpenRouter, houston 1211)": ([events(delta("Java "), delta("", "error")), Say(ANSWER)], ANSWER),
    "vLLM aborts": ([events(delta("Java "), delta("", "abort")), Say(ANSWER)], ANSWER),
    "DeepSeek runs out of machines": ([raw(whole("Java", "insufficient_system_resource")), Say(ANSWER)], ANSWER),
    "TGI is overloaded": ([raw({"error": "Model is overloaded", "error_type": "overloaded"}, 429), Say(ANSWER)], ANSWER),
    "TGI fails in its generation": ([raw({"error": "Request failed during generation", "error_type": "generation"}, 424), Say(ANSWER)], ANSWER),
    "a time-out of Cloudflare": ([Raw(b"<html>error code: 524</html>", "text/html", 524), Say(ANSWER)], ANSWER),
    "LocalAI's backend dies": ([error("rpc error: code = Unavailable desc = EOF", 500, code=500, type=""), Say(ANSWER)], ANSWER),
    "Anthropic is overloaded": ([raw({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, 529), Say(ANSWER)], ANSWER),
    "Gemini's errors are a list (PromptFuzz 42)": (
        Without("temperature", raw([{"error": {"code": 400, "message": 'Unknown name "temperature": Cannot find field.'}}], 400)),
        ANSWER,
    ),
    "Mistral's message is an object (eca 231)": (Without("temperature", raw({"object": "error", "message": {"detail": MISTRAL}}, 422)), ANSWER),
    "Mistral's message is JSON in a text (platform-docs 7)": (
        Without("temperature", raw({"object": "error", "message": json.dumps({"detail": MISTRAL})}, 422)),
        ANSWER,
    ),
    "OpenAI wants another temperature": (
        Without("temperature", error("Unsupported value: 'temperature' does not support 0.0 with this model.", 400, param="temperature")),
        ANSWER,
    ),
    "OpenAI takes no system message": (
        Without("system", error("Unsupported value: 'messages[0].role' does not support 'system' with this model.", 400)),
        ANSWER,
    ),
    "OpenAI streams for verified organisations": (
        Without("stream", error("Your organization must be verified to stream this model.", 400, param="stream", code="unsupported_value")),
        ANSWER,
    ),
    "Qwen only streams": (only_stream(error("This model only support stream mode, please enable the stream parameter.", 400)), ANSWER),
    "Qwen thinks only in a stream": (only_stream(error("parameter.enable_thinking must be set to false for non-streaming calls", 400)), ANSWER),
    "a limit by its new name only": (
        Without("max_tokens", error("Unrecognized request argument supplied: max_tokens", 400)),
        ANSWER,
    ),
    "a limit lower than the one that was said": (
        lambda request: next(
            (error(f"max_tokens must be at most {most}", 400) for most in (150, 100) if request.body["max_tokens"] > most), Say(ANSWER)
        ),
        ANSWER,
    ),
    "TGI counts the prompt": (
        lambda request: raw({"error": TGI, "error_type": "validation"}, 422) if request.body["max_tokens"] > 112 else Say(ANSWER),
        ANSWER,
    ),
    "llama.cpp's context is full (textgen 7257)": (
        [error("the request exceeds the available context size.", 200, code=400, type="exceed_context_size_error", n_ctx=8192)],
        "longer than",
    ),
    "llama-cpp-python's window is full (llama-cpp-python 416)": ([error("Requested tokens (2285) exceed context window of 2048", 400)], "longer than"),
    "Groq counts the tokens of a minute": (
        [error("Request too large for model: Limit 6000, Requested 7180, please reduce your message size", 413, code="rate_limit_exceeded")],
        "longer than",
    ),
    "LiteLLM in front of Azure's filter (litellm 16231)": ([error(f"litellm.BadRequestError: AzureException - {AZURE}", 400, code="400")], "filter"),
    "OpenRouter's moderation": ([error("This model requires moderation. Your input was flagged", 403, metadata={"reasons": ["x"]})], "filter"),
    "Gemini names its filter": ([raw(whole("", "content_filter: PROHIBITED_CONTENT"))], "filter"),
    "Gemini fails to call a function": ([raw(whole("", "function_call_filter: MALFORMED_FUNCTION_CALL"))], "tool call"),
    "Vertex names the first limit that is too high": (
        above(128, raw([{"error": {"message": "a maxOutputTokens value of 200 but the supported range is from 1 (inclusive) to 129 (exclusive)"}}], 400)),
        ANSWER,
    ),
    "Cohere's longest reply": (above(128, error("too many tokens: max tokens must be less than or equal to 128, the maximum output length", 400)), ANSWER),
    "Bedrock's longest reply": (
        above(127, error("The maximum tokens you requested exceeds the model limit of 128. Try again with a maximum tokens value that is lower than 128.", 400)),
        ANSWER,
    ),
    "SiliconFlow names no number": (above(128, raw({"code": 20015, "message": "max_tokens (200) must be less than or equal to max_seq_len"}, 400)), ANSWER),
    "Moonshot's limit of tokens": (above(128, error("Your request exceeded model token limit: 1024", 400)), ANSWER),
    "OpenRouter says how many tokens the credit is for": (
        above(128, error("This request requires more credits, or fewer max_tokens. You requested up to 200 tokens, but can only afford 128.", 402)),
        ANSWER,
    ),
    "a page in the place of a reply, once": ([Raw(b"<html>Service is restarting</html>", "text/html"), Say(ANSWER)], ANSWER),
    "a stream without an event": (lambda request: events("data: [DONE]\n\n") if request.body.get("stream") else Say(ANSWER), ANSWER),
    "a stream without a byte": (lambda request: events() if request.body.get("stream") else Say(ANSWER), ANSWER),
    "a stream without a byte, once": ([events(), Say(ANSWER)], ANSWER),
    "DashScope inspects": ([error("Output data may contain inappropriate content.", 400, code="data_inspection_failed")], "filter"),
    "Zhipu inspects": ([error("系统检测到输入或生成内容可能包含不安全或敏感内容", 400, code="1301")], "filter"),
    "DeepSeek inspects": ([error("Content Exists Risk", 400, type="invalid_request_error")], "filter"),
    "DeepSeek inspects in a stream": ([events({"error": {"message": "Content Exists Risk"}})], "filter"),
    "xAI inspects": ([raw({"code": "no permission", "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"}, 403)], "filter"),
    "Bedrock's guardrail": ([raw(whole("", "guardrail_intervened"))], "filter"),
    "Groq stops a call of a tool": ([error("Failed to call a function. Please adjust your prompt.", 400, code="tool_use_failed")], "tool call"),
    "a call of a tool as JSON": ([Say('{"name": "search", "parameters": {"query": "Java"}}')], "tool call"),
    "a call of a tool behind a sentence": ([Say('I will search.\n\n<tool_call>\n{"name": "search"}\n</tool_call>')], "tool call"),
    "a refusal in words": ([Say("I’m sorry, but I can’t help with that.")], "declined"),
    "OpenRouter has no credit": ([error("Insufficient credits. Add more using https://openrouter.ai/credits", 402)], "no credit"),
}  # fmt: skip


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("way", WAYS)
async def test_way_of_a_server_has_its_right_result(way: str, streamed: bool) -> None:
    behaviour, right = WAYS[way]
    pieces: list[str] = []
    with FakeOpenAI(behaviour) as server:
        try:
            came = (
                await Model(server).client.complete(text_request(), pieces.append if streamed else None)
            ).text
        except ModelError as exc:
            came = str(exc)
    if right == ANSWER:
        assert came == ANSWER
        assert "".join(pieces) == (ANSWER if streamed else "")
    else:
        assert right in came
        assert pieces == []


async def test_typed_reply_that_groq_does_not_let_through_is_asked_for_in_words() -> None:
    refused = error("Failed to generate JSON. Please adjust your prompt.", 400, code="json_validate_failed")

    def behave(request: Recorded) -> Behaviour:
        return refused if "response_format" in request.body else Say({"quality": "good"})

    with FakeOpenAI(behave) as server:
        completion = await Model(server).client.complete(text_request(role="judge", output=Verdict))
    assert completion.parsed == Verdict(quality="good")
    assert server.requests[-1].body["messages"][0]["role"] == "system"


async def test_ollama_that_has_only_loaded_its_model_is_asked_again() -> None:
    loaded = raw({"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "load"})
    said = raw({"message": {"role": "assistant", "content": ANSWER}, "done": True, "done_reason": "stop"})
    with FakeOpenAI([loaded, said]) as server:
        assert (await Model(server, kind="ollama").client.complete(text_request())).text == ANSWER
