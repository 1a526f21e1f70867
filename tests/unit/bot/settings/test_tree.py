"""Where a setting comes from: an argument, a variable or a file; how its value is written; the table of settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.settings.names import Setting, leaves
from bot.settings.tree import SHIPPED_CORPUS, Settings, settings_table
from tests.support.settings_files import config


def test_defaults_are_the_documented_ones(tmp_path: Path) -> None:
    settings = Settings.load()

    assert settings.data_dir == tmp_path / "home/.local/share/thinktwice"
    assert settings.corpus == (SHIPPED_CORPUS,)
    assert settings.models.default == ""
    correction = settings.self_correction
    assert (correction.enabled, correction.max_retries, correction.evaluation_threshold) == (True, 2, 0.7)
    assert (correction.fast_path, correction.history_limit) == ("always", 10)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("/srv/data", "/srv/data/thinktwice"), ("relative", "{home}/.local/share/thinktwice")],
    ids=["absolute", "relative is ignored"],
)
def test_xdg_data_home_moves_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, expected: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", value)
    assert str(Settings.load().data_dir) == expected.format(home=tmp_path / "home")


def test_first_source_that_names_a_setting_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    config('data_dir = "/toml"\n[models]\njudge = "toml"\nwriter = "toml"\ncritic = "toml"\n')
    Path(".env").write_text("THINKTWICE_MODELS__JUDGE=dotenv\nTHINKTWICE_MODELS__WRITER=dotenv\n")
    monkeypatch.setenv("THINKTWICE_MODELS__JUDGE", "environment")
    monkeypatch.setenv("THINKTWICE_DATA_DIR", "/environment")

    settings = Settings.load(data_dir=Path("/argument"))

    assert settings.data_dir == Path("/argument")
    assert settings.models.judge == "environment"
    assert settings.models.writer == "dotenv"
    assert settings.models.critic == "toml"
    assert settings.models.draft == ""


def test_argument_that_is_none_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKTWICE_DATA_DIR", "/environment")
    assert Settings.load(data_dir=None).data_dir == Path("/environment")


def test_blank_variable_is_not_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THINKTWICE_DATA_DIR", " ")
    assert Settings.load().data_dir == tmp_path / "home/.local/share/thinktwice"


def test_tilde_is_the_home_folder_in_a_file(tmp_path: Path) -> None:
    config('data_dir = "~/here"\ncorpus = ["~/docs"]\n[prompts]\nfolder = "~/prompts"\n')
    settings = Settings.load()

    assert settings.data_dir == tmp_path / "home/here"
    assert settings.corpus == (tmp_path / "home/docs",)
    assert settings.prompts.folder == tmp_path / "home/prompts"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("/one", ["/one"], id="one path"),
        pytest.param(f"/one{os.pathsep}two words", ["/one", "two words"], id="separated"),
        pytest.param(f"/one{os.pathsep}", ["/one"], id="trailing separator"),
        pytest.param('["/one", "/a:b"]', ["/one", "/a:b"], id="JSON"),
    ],
)
def test_corpus_variable_holds_one_or_more_paths(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: list[str]
) -> None:
    monkeypatch.setenv("THINKTWICE_CORPUS", value)
    assert Settings.load().corpus == tuple(Path(path) for path in expected)


class TestModelShortForm:
    def test_short_form_sets_the_default_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("THINKTWICE_MODEL", "openai:gpt-5-mini")
        monkeypatch.setenv("THINKTWICE_MODELS__JUDGE", "ollama:qwen3")

        models = Settings.load().models
        assert (models.default, models.judge, models.draft) == ("openai:gpt-5-mini", "ollama:qwen3", "")

    def test_long_form_beside_it_wins(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("THINKTWICE_MODEL", "openai:short")
        monkeypatch.setenv("THINKTWICE_MODELS__DEFAULT", "openai:long")
        assert Settings.load().models.default == "openai:long"

    def test_environment_wins_over_the_env_file_in_either_form(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("THINKTWICE_MODELS__DEFAULT=openai:file\n")
        monkeypatch.setenv("THINKTWICE_MODEL", "openai:environment")
        assert Settings.load().models.default == "openai:environment"


class TestOpenAIVariables:
    @pytest.fixture(autouse=True)
    def _variables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-$ecret")

    def test_they_name_server_and_key_but_no_model(self) -> None:
        models = Settings.load().models
        assert models.openai_base_url == "http://127.0.0.1:1/v1"
        assert models.openai_api_key.get_secret_value() == "sk-$ecret"
        assert models.default == ""

    def test_explicit_settings_win(self) -> None:
        config('[models]\nopenai_base_url = "http://127.0.0.1:2/v1"\nopenai_api_key = "other"\n')
        models = Settings.load().models
        assert models.openai_base_url == "http://127.0.0.1:2/v1"
        assert models.openai_api_key.get_secret_value() == "other"


def test_tables_are_read_from_variables_and_file(monkeypatch: pytest.MonkeyPatch) -> None:
    config('[knowledge.langchain_loaders]\n".csv" = "langchain_community.document_loaders:CSVLoader"\n')
    monkeypatch.setenv("THINKTWICE_PROMPTS__VERSIONS", '{"evaluate": 2}')
    settings = Settings.load()
    assert settings.prompts.versions == {"evaluate": 2}
    assert settings.knowledge.langchain_loaders == {".csv": "langchain_community.document_loaders:CSVLoader"}


def test_config_variable_names_the_settings_file(monkeypatch: pytest.MonkeyPatch) -> None:
    config("[budget]\ncalls = 3\n", "other.toml")
    config("[budget]\ncalls = 4\n")
    monkeypatch.setenv("THINKTWICE_CONFIG", "other.toml")
    assert Settings.load().budget.calls == 3


def test_env_file_is_read_as_it_stands() -> None:
    Path(".env").write_text('# mine\nexport OTHER\nexport THINKTWICE_MODEL="openai:a$b"  # the model\n')
    assert Settings.load().models.default == "openai:a$b"


def test_environment_of_python_in_the_place_of_the_env_file_is_no_fault() -> None:
    Path(".env").mkdir()
    Settings.load()


@pytest.mark.parametrize("space", ["\n", " ", "\r\n"], ids=["line end", "blank", "Windows"])
def test_white_space_around_a_copied_token_is_no_part_of_it(
    monkeypatch: pytest.MonkeyPatch, space: str
) -> None:
    monkeypatch.setenv("THINKTWICE_TELEGRAM__TOKEN", f"{space}1:token{space}")
    assert Settings.load().telegram.token.get_secret_value() == "1:token"


@pytest.mark.parametrize("setting", tuple(leaves(Settings)), ids=lambda setting: setting.name)
def test_every_setting_is_in_the_table_with_a_sentence(setting: Setting) -> None:
    row = next(row for row in settings_table().splitlines() if row.startswith(f"| `{setting.name}` |"))
    cells = [cell.strip() for cell in row.strip("|").split(" | ")]
    assert len(cells) == 5
    assert cells[1] == f"`{setting.variable}`"
    assert all(cells)


def test_table_is_the_same_on_every_machine() -> None:
    assert str(Path.home()) not in settings_table()
    assert str(SHIPPED_CORPUS) not in settings_table()


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("self_correction.evaluation_threshold", "number from 0.0 to 1.0"),
        ("self_correction.fast_path", "one of `always`, `auto`, `never`"),
        ("budget.seconds", "number above 0"),
        ("models.embedded_path", "path"),
        ("models.openai_api_key", "text"),
        ("corpus", "paths"),
        ("prompts.versions", "table"),
    ],
)
def test_table_says_what_a_setting_takes(name: str, takes: str) -> None:
    assert next(setting for setting in leaves(Settings) if setting.name == name).takes == takes


@pytest.mark.parametrize(
    ("value", "expected"),
    [("7,8", (7, 8)), (" 7 , 8 ,", (7, 8)), ("7", (7,)), ("[7, 8]", (7, 8))],
    ids=["commas", "white space", "one", "JSON"],
)
def test_admins_are_ids_in_one_variable(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: tuple[int, ...]
) -> None:
    monkeypatch.setenv("THINKTWICE_ADMINS", value)
    assert Settings.load().admins == expected


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        pytest.param("Wiki.example.org", ("wiki.example.org",), id="one, in capitals"),
        pytest.param("a.org, .b.org", ("a.org", ".b.org"), id="commas"),
        pytest.param('["a.org"]', ("a.org",), id="json"),
        pytest.param("", (), id="none"),
    ],
)
def test_hosts_that_readers_may_open_are_names_in_one_variable(
    monkeypatch: pytest.MonkeyPatch, value: str, hosts: tuple[str, ...]
) -> None:
    monkeypatch.setenv("THINKTWICE_TELEGRAM__LINK_HOSTS", value)
    assert Settings.load().telegram.link_hosts == hosts
