from __future__ import annotations

import pytest
from pydantic import ValidationError

from rag.models.roles import ROLES
from rag.models.scripted import ScriptedModel
from rag.settings import EMBEDDED, Models
from rag.verifier.blind import BlindVerifier
from rag.verifier.bundled import BundledReader
from rag.verifier.decisions import DecisionVerifier
from rag.verifier.opening import open_verifier
from tests.support.verifying import JAVA, work


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param("bundled", BundledReader, id="bundled"),
        pytest.param("systemone:nimble", DecisionVerifier, id="decision model"),
        pytest.param("openai-decisions:gpt-6-luna", DecisionVerifier, id="OpenAI's decisions"),
        pytest.param("chat", BlindVerifier, id="the reader"),
        pytest.param("chat:ollama:qwen3:8b", BlindVerifier, id="a chat model"),
    ],
)
def test_setting_chooses_the_verifier(name: str, kind: type) -> None:
    settings = Models(verifier=name)
    assert isinstance(open_verifier(settings)(work(ScriptedModel(""))), kind)


def test_bundled_reader_is_one_for_the_process() -> None:
    first, second = (open_verifier(Models())(work(ScriptedModel(""))) for _ in range(2))
    assert first is second


async def test_chat_verifiers_of_one_process_know_what_was_read() -> None:
    opened = open_verifier(Models(verifier="chat"))
    model = ScriptedModel("Java 17")
    for _ in range(2):
        await opened(work(model, verifier="chat")).find("Which Java?", [JAVA])
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "name", ["", "sytemone:clef", "systemone", "systemone: ", "chat:", "openai:gpt", "Bundled", "bundled:x"]
)
def test_misspelt_verifier_is_refused_with_what_can_be_written(name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Models(verifier=name)
    message = caught.value.errors()[0]["msg"]
    assert f"{name!r} is no verifier; write `bundled`, `systemone:NAME`" in message


@pytest.mark.parametrize(
    ("changes", "reader", "verifier"),
    [
        pytest.param({}, EMBEDDED, "bundled", id="default"),
        pytest.param(
            {"verifier": "systemone:clef", "reader": "openai:a"}, "openai:a", "systemone:clef", id="decision"
        ),
        pytest.param({"verifier": "chat", "judge": "openai:j"}, "openai:j", "openai:j", id="the reader"),
        pytest.param({"verifier": "chat:openai:v", "reader": "openai:a"}, "openai:v", "openai:v", id="chat"),
    ],
)
def test_chat_verifier_is_the_model_of_the_reader(
    changes: dict[str, str], reader: str, verifier: str
) -> None:
    settings = Models(**changes)
    assert (settings.named("reader"), settings.named("verifier")) == (reader, verifier)


def test_verifier_is_no_role_of_a_chat_model() -> None:
    assert "verifier" not in ROLES
    assert "reader" in ROLES
