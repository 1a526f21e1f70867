"""Requests go to the model of their role, and the list of models says what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from rag.errors import ModelUnavailableError, OperatorError
from rag.models.chat import ChatRequest, Message, ModelRole
from rag.models.roles import ROLES, ModelStatus, RoleModels, with_environment
from rag.settings import Council, Models, Seat
from tests.support.loopback import Recorded
from tests.support.servers import Fail, FakeOpenAI, Hang, HangUp, Raw, Say

UNUSED = "http://127.0.0.1:9/v1"


def request(role: ModelRole) -> ChatRequest:
    return ChatRequest(role=role, instructions="", messages=(Message("user", "Hi"),), max_tokens=50)


def settings(**changes: Any) -> Models:
    return Models(**changes)


def model_name(asked: Recorded) -> Say:
    return Say(str(asked.body["model"]))


async def test_role_has_its_own_model_or_the_default(tmp_path: Path) -> None:
    with FakeOpenAI(model_name) as server:
        models = RoleModels(
            settings(default="openai:small", judge="openai:large", openai_base_url=server.base_url), tmp_path
        )
        said = {role: (await models.complete(request(role))).text for role in ROLES}
        await models.aclose()
    assert said == dict.fromkeys(ROLES, "small") | {"judge": "large", "reader": "large"}
    assert (models.name("judge"), models.name("draft")) == ("openai:large", "openai:small")


async def test_reader_has_its_own_model_or_the_one_of_the_judge(tmp_path: Path) -> None:
    with FakeOpenAI(model_name) as server:
        models = RoleModels(
            settings(
                default="openai:small",
                judge="openai:large",
                reader="openai:tiny",
                openai_base_url=server.base_url,
            ),
            tmp_path,
        )
        said = {role: (await models.complete(request(role))).text for role in ROLES}
        await models.aclose()
    assert said == dict.fromkeys(ROLES, "small") | {"judge": "large", "reader": "tiny"}


async def test_model_that_a_request_names_is_asked_instead_of_the_one_of_its_role(tmp_path: Path) -> None:
    with FakeOpenAI(model_name) as server:
        models = RoleModels(
            settings(default="openai:small", choices=("openai:large",), openai_base_url=server.base_url),
            tmp_path,
        )
        said = [
            (await models.complete(replace(request("writer"), model=name))).text
            for name in ("", "openai:large", "openai:small")
        ]
        listed = [(status.role, status.name) for status in await models.describe()]
        await models.aclose()
    assert said == ["small", "large", "small"]
    assert ("writer", "openai:large") in listed


def test_choice_without_a_known_provider_is_refused_with_its_setting(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match=r"models\.choices names no model that is known"):
        RoleModels(settings(default="embedded", choices=("large",)), tmp_path)


async def test_ollama_is_asked_at_its_own_address_without_the_key(tmp_path: Path) -> None:
    with FakeOpenAI(model_name) as server:
        models = RoleModels(
            settings(
                default="ollama:qwen3:8b",
                ollama_base_url=server.base_url,
                openai_api_key=SecretStr("sk-secret"),
            ),
            tmp_path,
        )
        assert (await models.complete(request("draft"))).text == "qwen3:8b"
        await models.aclose()
    assert "authorization" not in server.requests[0].headers


async def test_server_without_a_key_works(tmp_path: Path) -> None:
    with FakeOpenAI(model_name) as server:
        models = RoleModels(settings(default="openai:m", openai_base_url=f"{server.base_url}/"), tmp_path)
        await models.start()
        assert (await models.complete(request("draft"))).text == "m"
        await models.aclose()


async def test_nothing_configured_means_the_embedded_model(tmp_path: Path) -> None:
    models = RoleModels(settings(), tmp_path)
    assert {models.name(role) for role in ROLES} == {"embedded"}
    with pytest.raises(ModelUnavailableError, match=r"RoleModels\.pull\(\)"):
        await models.complete(request("draft"))
    await models.aclose()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param(
            {"default": "openai:gpt-5-mini"},
            "set models.openai_api_key, or models.openai_base_url",
            id="no key",
        ),
        pytest.param({"default": "gpt-5-mini"}, "models.default names no model", id="no provider"),
        pytest.param({"judge": "openai:"}, "models.judge names no model", id="no name"),
        pytest.param({"critic": "claude:opus"}, "models.critic names no model", id="unknown provider"),
        pytest.param(
            {"default": "openai:m", "openai_base_url": "localhost:8000"},
            "models.openai_base_url is not an http or https address",
            id="address without http",
        ),
        pytest.param(
            {"default": "ollama:m", "ollama_base_url": ""},
            "models.ollama_base_url is not an http or https address",
            id="no address",
        ),
    ],
)
def test_wrong_setting_is_named_before_the_first_question(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(OperatorError, match=message):
        RoleModels(settings(**changes), tmp_path)


def test_wrong_name_of_a_role_does_not_show_the_key(tmp_path: Path) -> None:
    with pytest.raises(OperatorError) as caught:
        RoleModels(settings(default="nobody:m", openai_api_key=SecretStr("sk-secret")), tmp_path)
    assert "sk-secret" not in str(caught.value)


async def described(changes: dict[str, Any], folder: Path) -> ModelStatus:
    models = RoleModels(settings(**changes), folder)
    statuses = await models.describe()
    await models.aclose()
    assert [status.role for status in statuses] == list(ROLES)
    return statuses[0]


async def test_reachable_server_is_asked_once_for_all_roles(tmp_path: Path) -> None:
    with FakeOpenAI(models=["m"], key="sk-1") as server:
        status = await described(
            {"default": "openai:m", "openai_base_url": server.base_url, "openai_api_key": SecretStr("sk-1")},
            tmp_path,
        )
    assert status == ModelStatus("draft", "openai:m", server.base_url, reachable=True, reason=None)
    assert server.listings == 1
    assert server.requests == []


@pytest.mark.parametrize(
    ("server", "changes", "reachable", "reason"),
    [
        pytest.param(
            {"models": ["x"]}, {}, False, "does not list m: check models.default", id="unknown model"
        ),
        pytest.param({"key": "sk-1"}, {}, False, "wants a key: set models.openai_api_key", id="key missing"),
        pytest.param(
            {"key": "sk-1"}, {"openai_api_key": SecretStr("sk-2")}, False, "refuses the key", id="wrong key"
        ),
        pytest.param({"listing": Raw(b"no", status=404)}, {}, True, "does not list its", id="no listing"),
        pytest.param({"listing": Raw(b"{oops")}, {}, True, "does not list its models", id="garbage"),
        pytest.param({"listing": Raw(b"", status=502)}, {}, False, "has failed (502)", id="failing"),
        pytest.param({"listing": HangUp()}, {}, False, "cannot be reached: is it running?", id="hangs up"),
    ],
)
async def test_description_says_what_is_wrong(
    server: dict[str, Any], changes: dict[str, Any], reachable: bool, reason: str, tmp_path: Path
) -> None:
    with FakeOpenAI(**server) as fake:
        status = await described(
            {"default": "openai:m", "openai_base_url": fake.base_url} | changes, tmp_path
        )
    assert status.reachable is reachable
    assert reason in str(status.reason)


async def test_dead_server_and_missing_ollama_model_are_described(tmp_path: Path) -> None:
    dead = await described({"default": "openai:m", "openai_base_url": UNUSED}, tmp_path)
    assert (dead.reachable, dead.address) == (False, UNUSED)
    with FakeOpenAI(models=["llama3:latest"]) as fake:
        missing = await described({"default": "ollama:qwen3", "ollama_base_url": fake.base_url}, tmp_path)
        there = await described({"default": "ollama:llama3", "ollama_base_url": fake.base_url}, tmp_path)
    assert "`ollama pull qwen3`" in str(missing.reason)
    assert (missing.reachable, there.reachable) == (False, True)


async def test_missing_embedded_model_is_described_with_its_path(tmp_path: Path) -> None:
    status = await described({}, tmp_path)
    assert not status.reachable
    assert status.address.startswith(str(tmp_path))
    assert "RoleModels.pull()" in str(status.reason)


async def test_address_is_described_without_its_password(tmp_path: Path) -> None:
    status = await described(
        {"default": "openai:m", "openai_base_url": "http://me:secret@127.0.0.1:9/v1"}, tmp_path
    )
    assert status.address == UNUSED


def seats(server: FakeOpenAI, other: FakeOpenAI) -> Council:
    return Council(
        members=("openai:m", "strict", "free"),
        chairman="strict",
        seats={
            "strict": Seat(model="openai:m", temperature=0.0, answer_tokens=20),
            "free": Seat(
                model="openai:m", base_url=other.base_url, api_key=SecretStr("sk-other"), temperature=1.0
            ),
        },
    )


async def test_seat_is_asked_at_its_own_server_with_its_own_key_temperature_and_length(
    tmp_path: Path,
) -> None:
    with FakeOpenAI(model_name, key="sk-1") as server, FakeOpenAI(model_name, key="sk-other") as other:
        chosen = settings(
            default="openai:m", openai_base_url=server.base_url, openai_api_key=SecretStr("sk-1")
        )
        models = RoleModels(chosen, tmp_path, seats(server, other))
        for seat in ("openai:m", "strict", "free"):
            await models.complete(replace(request("member"), seat=seat))
        await models.aclose()
    assert [asked.body["temperature"] for asked in server.requests] == [0.0, 0.0]
    assert [asked.body["max_tokens"] for asked in server.requests] == [50, 20]
    assert [asked.body["temperature"] for asked in other.requests] == [1.0]


async def test_seat_has_a_time_limit_of_its_own(tmp_path: Path) -> None:
    with FakeOpenAI([Hang()]) as server:
        chosen = settings(default="openai:m", openai_base_url=server.base_url, attempts=1)
        council = Council(members=("quick",), seats={"quick": Seat(model="openai:m", timeout_seconds=0.3)})
        models = RoleModels(chosen, tmp_path, council)
        with pytest.raises(ModelUnavailableError) as caught:
            await models.complete(replace(request("member"), seat="quick"))
        await models.aclose()
    assert caught.value.timed_out


async def test_key_of_all_models_is_not_sent_to_the_server_of_a_seat(tmp_path: Path) -> None:
    with FakeOpenAI(model_name) as server:
        council = Council(
            members=("there",), seats={"there": Seat(model="openai:m", base_url=server.base_url)}
        )
        models = RoleModels(settings(openai_api_key=SecretStr("sk-secret")), tmp_path, council)
        await models.complete(replace(request("member"), seat="there"))
        await models.aclose()
    assert "authorization" not in server.requests[0].headers


async def test_everybody_who_sits_in_the_council_is_described(tmp_path: Path) -> None:
    with FakeOpenAI(models=["m"]) as server, FakeOpenAI(models=["x"]) as other:
        chosen = settings(default="openai:m", openai_base_url=server.base_url)
        models = RoleModels(chosen, tmp_path, seats(server, other))
        described = (await models.describe())[len(ROLES) :]
        await models.aclose()
    assert [(status.role, status.name, status.reachable) for status in described] == [
        ("member", "openai:m", True),
        ("member", "strict", True),
        ("member", "free", False),
    ]


async def test_name_that_nobody_sits_under_is_refused(tmp_path: Path) -> None:
    models = RoleModels(settings(), tmp_path)
    with pytest.raises(LookupError, match="'strict' has no seat"):
        await models.complete(replace(request("member"), seat="strict"))


def test_member_that_is_no_model_is_named_before_the_first_question(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match=r"council\.members names no model"):
        RoleModels(settings(), tmp_path, Council(members=("claude",)))


@pytest.mark.parametrize(
    ("behaves", "reachable", "code"),
    [
        pytest.param({"models": ["m"]}, True, None, id="listed and answers"),
        pytest.param({"models": ["x"]}, True, None, id="not listed and answers"),
        pytest.param({"behaviours": [Fail(500)], "models": ["m"]}, False, "model-failed", id="listed only"),
        pytest.param(
            {"behaviours": [Fail(404)], "listing": Fail(404)}, False, "model-unknown-there", id="another path"
        ),
        pytest.param({"behaviours": [Say("", "length")], "models": ["m"]}, True, None, id="thinks too long"),
    ],
)
async def test_tried_model_is_asked_a_tiny_question(
    behaves: dict[str, Any], reachable: bool, code: str | None, tmp_path: Path
) -> None:
    with FakeOpenAI(**behaves) as server:
        chosen = settings(default="openai:m", openai_base_url=server.base_url, attempts=1)
        models = RoleModels(chosen, tmp_path)
        status, *_ = await models.describe(is_tried=True)
        await models.aclose()
    assert (status.reachable, status.reason and status.reason.code) == (reachable, code)
    assert all(request.body["max_tokens"] <= 100 for request in server.requests[:1])


@pytest.mark.parametrize(
    "listing", [["m"], {"models": [{"name": "m"}]}, [{"model": "m"}], {"data": [{"id": "m"}]}]
)
async def test_list_of_models_is_read_in_every_form(listing: object, tmp_path: Path) -> None:
    with FakeOpenAI(listing=Raw(json.dumps(listing).encode())) as server:
        models = RoleModels(settings(default="openai:m", openai_base_url=server.base_url), tmp_path)
        status, *_ = await models.describe()
        await models.aclose()
    assert (status.reachable, status.reason) == (True, None)
    assert server.requests == []


@pytest.mark.parametrize("key", ["sk-äbc", "sk-a\u200bc", "sk- bc"])
def test_key_with_a_foreign_character_names_the_setting_and_the_place(key: str, tmp_path: Path) -> None:
    with pytest.raises(
        OperatorError, match=r"models.openai_api_key has a character .* at place [45]"
    ) as caught:
        RoleModels(settings(default="openai:m", openai_api_key=SecretStr(key)), tmp_path)
    assert key not in str(caught.value)


def test_variables_of_openai_are_read_where_the_settings_name_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    found = with_environment(Models(), "openai:m")
    assert (found.default, found.openai_base_url) == ("openai:m", "http://127.0.0.1:9/v1")
    assert found.openai_api_key.get_secret_value() == "sk-environment"
    # A key is sent to the address that it was given with.
    own = Models(openai_base_url="http://127.0.0.1:8/v1")
    assert with_environment(own).openai_api_key.get_secret_value() == ""
    own = Models(openai_api_key=SecretStr("sk-settings"))
    assert with_environment(own).openai_base_url == ""
    # The long names are those of the command line; address and key come from one pair.
    monkeypatch.setenv("THINKTWICE_MODELS__OPENAI_BASE_URL", "http://127.0.0.1:7/v1")
    monkeypatch.setenv("THINKTWICE_MODEL", "openai:named")
    found = with_environment(Models())
    assert (found.default, found.openai_base_url) == ("openai:named", "http://127.0.0.1:7/v1")
    assert found.openai_api_key.get_secret_value() == ""
    assert with_environment(Models(default="embedded")).default == "embedded"
