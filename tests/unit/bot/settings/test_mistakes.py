"""A mistake in a setting is named where it stands, in one sentence, and without a secret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.settings.faults import BadSettingError
from bot.settings.tree import Settings
from rag.errors import OperatorError
from tests.support.settings_files import config


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        pytest.param(
            "[self_correction]\nmax_retry = 2",
            "/thinktwice.toml names the setting 'self_correction.max_retry', "
            "which does not exist; did you mean self_correction.max_retries?",
            id="misspelt",
        ),
        pytest.param(
            "[self-correction]\nmax_retries = 2", "did you mean self_correction?", id="misspelt section"
        ),
        pytest.param(
            "zzz = 1", "'zzz', which does not exist; the README lists all of them", id="nothing near"
        ),
        pytest.param("x =", "/thinktwice.toml is not valid TOML: ", id="no TOML"),
        pytest.param("budget = 5", "the setting budget cannot be used", id="value for a section"),
    ],
)
def test_mistake_in_the_file_is_named(toml: str, message: str) -> None:
    config(toml)
    with pytest.raises(BadSettingError, match=re.escape(message)) as caught:
        Settings.load()
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, OperatorError)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        pytest.param(
            "THINKTWICE_SELF_CORRECTION__MAX_RETRYS",
            "1",
            "the variable THINKTWICE_SELF_CORRECTION__MAX_RETRYS names a setting that does not exist; "
            "did you mean THINKTWICE_SELF_CORRECTION__MAX_RETRIES?",
            id="misspelt",
        ),
        pytest.param(
            "THINKTWICE_DATADIR", "/x", "did you mean THINKTWICE_DATA_DIR?", id="misspelt at the top"
        ),
        pytest.param(
            "THINKTWICE_SELF_CORRECTION__MAX_RETRIES",
            "many",
            "the setting self_correction.max_retries (THINKTWICE_SELF_CORRECTION__MAX_RETRIES) is 'many', "
            "but takes a whole number from 0 to 10",
            id="no number",
        ),
        pytest.param("THINKTWICE_SELF_CORRECTION__MAX_RETRIES", "11", "is '11', but takes", id="too much"),
        pytest.param(
            "THINKTWICE_SELF_CORRECTION__FAST_PATH",
            "maybe",
            "takes one of always, auto, never",
            id="no choice",
        ),
        pytest.param("THINKTWICE_SELF_CORRECTION__ENABLED", "da", "takes true or false", id="no boolean"),
        pytest.param(
            "THINKTWICE_MODELS__VERIFIER",
            "sytemone:clef",
            "the setting models.verifier (THINKTWICE_MODELS__VERIFIER) cannot be used: "
            "'sytemone:clef' is no verifier; write `bundled`, `systemone:NAME`, `openai-decisions:NAME`",
            id="no verifier",
        ),
        pytest.param(
            "THINKTWICE_CORPUS", "[1", "the setting corpus (THINKTWICE_CORPUS) is '[1'", id="no JSON"
        ),
        pytest.param(
            "THINKTWICE_PROMPTS__VERSIONS",
            "evaluate=2",
            "the variable THINKTWICE_PROMPTS__VERSIONS does not hold a table written as JSON: "
            """write it like '{"evaluate": 2}'""",
            id="no JSON table",
        ),
        pytest.param(
            "THINKTWICE_PRICES__MODELS",
            "[1]",
            """'{"openai:NAME": {"input": 0.5, "output": 2.0}}'""",
            id="JSON but no table",
        ),
        pytest.param(
            "THINKTWICE_BUDGET", "5", "one by one, e.g. THINKTWICE_BUDGET__CALLS", id="no JSON section"
        ),
        pytest.param(
            "THINKTWICE_PROMPTS__VERSIONS",
            '{"evaluate": "x"}',
            "the setting prompts.versions (THINKTWICE_PROMPTS__VERSIONS) has 'x' for 'evaluate', which should",
            id="bad table",
        ),
        pytest.param(
            "THINKTWICE_PRICES__MODELS",
            '{"openai:x": {"input": 1}}',
            "the setting prices.models (THINKTWICE_PRICES__MODELS) lacks 'output' for 'openai:x'",
            id="entry lacks a part",
        ),
        pytest.param(
            "THINKTWICE_PRICES__MODELS",
            '{"openai:x": {"input": 1, "output": -2}}',
            "has -2 as 'output' for 'openai:x', which should be greater",
            id="bad part of an entry",
        ),
        pytest.param(
            "THINKTWICE_PRICES__MODELS",
            '{"openai:x": {"input": 1, "output": 2, "cached": 1}}',
            "has 'cached' for 'openai:x', which does not exist there",
            id="unknown part of an entry",
        ),
        pytest.param(
            "THINKTWICE_PRICES__MODELS__X",
            "1",
            "has 1 for 'x', which should be a table",
            id="entry that is no table",
        ),
        pytest.param(
            "THINKTWICE_CONFIG", "none.toml", "none.toml does not exist; correct THINKTWICE_CONFIG", id="file"
        ),
    ],
)
def test_mistake_in_a_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, message: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadSettingError, match=re.escape(message)) as caught:
        Settings.load()
    assert "\n" not in str(caught.value)


def test_mistake_in_the_env_file_is_named() -> None:
    Path(".env").write_text("THINKTWICE_MODELZ=x\nOTHER=1\n")
    with pytest.raises(BadSettingError, match="THINKTWICE_MODELZ"):
        Settings.load()


@pytest.mark.parametrize(
    ("text", "line"),
    [('A=1\nTHINKTWICE_MODEL="openai:x\n', 2), ("=x\n", 1)],
    ids=["quote that is not closed", "no name"],
)
def test_line_of_the_env_file_that_says_nothing_is_refused(tmp_path: Path, text: str, line: int) -> None:
    Path(".env").write_text(text)
    with pytest.raises(BadSettingError) as caught:
        Settings.load()
    assert str(caught.value).startswith(f"line {line} of the file {tmp_path / '.env'} cannot be read: write")


def test_env_file_that_is_no_text_is_refused() -> None:
    Path(".env").write_bytes(b"A=\xff\xfe\n")
    with pytest.raises(BadSettingError, match=r"the file .*/\.env cannot be read"):
        Settings.load()


def test_unknown_argument_is_refused() -> None:
    with pytest.raises(BadSettingError, match=r"the argument names the setting 'data_dri'.*data_dir"):
        Settings.load(data_dri="/x")


def test_wrong_secret_is_not_repeated() -> None:
    config("[models]\nopenai_api_key = 12345\n")
    with pytest.raises(BadSettingError, match=r"models\.openai_api_key") as caught:
        Settings.load()
    assert "12345" not in str(caught.value)


@pytest.mark.parametrize("value", ["@dana", "7,-1001234"], ids=["name", "id of a group"])
def test_admin_that_is_no_id_of_a_person_is_refused_with_what_is_taken(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("THINKTWICE_ADMINS", value)
    with pytest.raises(BadSettingError, match="takes whole numbers above 0, separated by commas"):
        Settings.load()


@pytest.mark.parametrize(
    "loader",
    [
        "runpy:run_path",
        "os:system",
        "langchain_community.document_loaders:os",
        "langchain_community.x:ALoader",
    ],
)
def test_only_a_loader_of_langchain_community_can_be_set(loader: str) -> None:
    config(f'[knowledge.langchain_loaders]\n".csv" = "{loader}"\n')
    with pytest.raises(BadSettingError, match=r"knowledge\.langchain_loaders"):
        Settings.load()


def test_a_long_value_in_the_wrong_place_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKTWICE_BUDGET__CALLS", "sk-0123456789abcdefghijklmnop")
    with pytest.raises(BadSettingError, match="a value of 29 characters, but takes") as caught:
        Settings.load()
    assert "sk-" not in str(caught.value)
