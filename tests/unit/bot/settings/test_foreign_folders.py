"""Settings files of foreign folders are not read, and no key goes to an address from another place."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.settings import files
from bot.settings.faults import BadSettingError
from bot.settings.tree import Settings
from tests.support.settings_files import config


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
        (
            {"THINKTWICE_MODELS__VERIFIER_API_KEY": "k"},
            '[models]\nverifier_base_url = "https://evil.example"\n',
        ),
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
