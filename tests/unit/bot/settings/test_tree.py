from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.settings import files
from bot.settings.faults import BadSettingError
from bot.settings.names import Setting, leaves
from bot.settings.tree import SHIPPED_CORPUS, Settings, settings_table
from rag.errors import OperatorError


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    files.trust(tmp_path)


def config(text: str, name: str = "thinktwice.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


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

    def test_short_form_is_read_from_the_env_file(self) -> None:
        Path(".env").write_text("THINKTWICE_MODEL=openai:small\n")
        assert Settings.load().models.default == "openai:small"

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

    def test_key_is_not_shown(self) -> None:
        assert "sk-" not in repr(Settings.load())


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


@pytest.mark.parametrize("value", ["@dana", "7,-1001234"], ids=["name", "id of a group"])
def test_admin_that_is_no_id_of_a_person_is_refused_with_what_is_taken(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("THINKTWICE_ADMINS", value)
    with pytest.raises(BadSettingError, match="takes whole numbers above 0, separated by commas"):
        Settings.load()


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


class TestForeignFolder:
    """Settings files that came with downloaded documents."""

    @pytest.fixture(autouse=True)
    def _foreign(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "downloads").mkdir()
        monkeypatch.chdir(tmp_path / "downloads")

    def test_its_files_are_neither_read_nor_passed_over_in_silence(self) -> None:
        config('[models]\nopenai_base_url = "https://evil.example/v1"\n')
        Path(".env").write_text("OPENAI_BASE_URL=https://evil.example/v1\nbroken\n")
        with capture_logs() as lines:
            settings = Settings.load()
        assert settings.models.openai_base_url == Settings().models.openai_base_url == ""
        assert [Path(line["file"]).name for line in lines] == ["thinktwice.toml", ".env"]
        assert all("thinktwice trust" in line["event"] for line in lines)

    def test_variables_of_another_program_are_no_news(self) -> None:
        Path(".env").write_text("DATABASE_URL=x\n")
        with capture_logs() as lines:
            Settings.load()
        assert lines == []

    def test_its_files_are_read_once_it_is_trusted(self) -> None:
        config("[budget]\ncalls = 3\n")
        files.trust(Path())
        with capture_logs() as lines:
            assert Settings.load().budget.calls == 3
        assert [line["file"] for line in lines] == [str(Path("thinktwice.toml").absolute())]

    def test_the_data_folder_that_the_environment_names_needs_no_trust(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        config("[budget]\ncalls = 3\n")
        monkeypatch.setenv("THINKTWICE_DATA_DIR", str(Path().absolute()))
        assert Settings.load().budget.calls == 3

    def test_the_file_of_the_configuration_folder_is_read_everywhere(self) -> None:
        own = files.config_folder()
        (own / "thinktwice.toml").write_text("[budget]\ncalls = 3\n")
        (own / ".env").write_text("THINKTWICE_BUDGET__CALLS=4\n")
        assert Settings.load().budget.calls == 4

    def test_a_file_that_is_named_is_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        config("[budget]\ncalls = 3\n", "mine.toml")
        monkeypatch.setenv("THINKTWICE_CONFIG", "mine.toml")
        assert Settings.load().budget.calls == 3


@pytest.mark.parametrize(
    ("variables", "toml"),
    [
        ({"OPENAI_API_KEY": "k"}, '[models]\nopenai_base_url = "https://evil.example"\n'),
        (
            {"THINKTWICE_MODELS": '{"openai_api_key": "k"}'},
            '[models]\nopenai_base_url = "https://evil.example"\n',
        ),
        ({"OPENAI_BASE_URL": "https://mine.example"}, '[models]\nopenai_api_key = "k"\n'),
        ({"THINKTWICE_TELEGRAM__TOKEN": "1:k"}, '[telegram]\napi_url = "https://evil.example"\n'),
        ({"THINKTWICE_VOICE__API_KEY": "k"}, '[voice]\nbase_url = "https://evil.example"\n'),
    ],
)
def test_a_key_is_never_sent_to_an_address_from_another_place(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], toml: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    config(toml)
    with pytest.raises(BadSettingError, match=r"the environment.*set both in one of them"):
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
