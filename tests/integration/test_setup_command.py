"""``thinktwice setup`` as a newcomer meets it: options, a terminal, mistakes, and a file that is there already."""

from __future__ import annotations

import asyncio
import os
import pty
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support import programs
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

KEY = "sk-a-key-that-nobody-should-see"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config" / "thinktwice" / "thinktwice.toml"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "java.md").write_text("# FxStore\n\nFxStore needs Java 17.\n", encoding="utf-8")
    return folder


def variables(tmp_path: Path, **more: str) -> dict[str, str]:
    own = {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "THINKTWICE_DATA_DIR": str(tmp_path / "data"),
    }
    return programs.environment(**own | more)


def run(tmp_path: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return programs.run("setup", *words, variables=variables(tmp_path, **more))


def test_options_are_checked_and_written_for_this_user_alone(
    tmp_path: Path, config: Path, documents: Path
) -> None:
    with FakeOpenAI(key=KEY) as server:
        done = run(
            tmp_path, "--documents", str(documents), "--model", "openai:test-model", "--key", KEY,
            OPENAI_BASE_URL=server.base_url,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 documents." in done.stdout
    assert "It answers." in done.stdout
    assert KEY not in done.stdout + done.stderr
    assert tomllib.loads(config.read_text("utf-8")) == {
        "corpus": [str(documents)],
        "models": {"default": "openai:test-model", "openai_api_key": KEY},
    }
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    # What was written is what the program reads.
    listed = programs.run("index", variables=variables(tmp_path))
    assert "Documents: 1" in listed.stderr


async def test_token_is_checked_with_telegram(tmp_path: Path, config: Path) -> None:
    async with FakeTelegram() as telegram:
        # Its loop must go on while the program asks it.
        address = {"THINKTWICE_TELEGRAM__API_URL": telegram.url}
        wrong = await asyncio.to_thread(run, tmp_path, "--token", "1234567:" + "A" * 35, **address)
        done = await asyncio.to_thread(run, tmp_path, "--token", telegram.token, **address)
    assert wrong.returncode == 3
    assert "Telegram does not know this token" in wrong.stderr
    assert done.returncode == 0, done.stderr
    assert f"The bot is @{telegram.bot.username}." in done.stdout
    assert telegram.token not in done.stdout + done.stderr + wrong.stderr
    text = await asyncio.to_thread(config.read_text, "utf-8")
    assert tomllib.loads(text) == {"telegram": {"token": telegram.token}}


def test_file_that_is_there_keeps_its_settings_and_comments(tmp_path: Path, config: Path) -> None:
    config.parent.mkdir(parents=True)
    config.write_text(
        "# mine\n[limits]\nuser_per_minute = 3 # few\n\n[models]\njudge = 'embedded'\n", "utf-8"
    )
    done = run(tmp_path, "--model", "openrouter:some/model", "--key", KEY)
    assert done.returncode == 0, done.stderr
    text = config.read_text("utf-8")
    assert "# mine" in text
    assert "user_per_minute = 3 # few" in text
    assert tomllib.loads(text)["models"] == {
        "judge": "embedded",
        "default": "openrouter:some/model",
        "keys": {"openrouter": KEY},
    }


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(("--documents", "/no/such/folder"), "does not exist", id="folder that is not there"),
        pytest.param(("--model", "gpt"), "names no model that is known", id="model without a provider"),
        pytest.param(("--model", "openrouter:x"), "set OPENROUTER_API_KEY", id="no key"),
        pytest.param(("--token", "nonsense"), "no token of a bot", id="token"),
        pytest.param((), "there is nothing to write", id="nothing, and no terminal"),
    ],
)
def test_mistake_is_one_sentence_and_nothing_is_written(
    words: tuple[str, ...], sentence: str, tmp_path: Path, config: Path
) -> None:
    done = run(tmp_path, *words)
    assert done.returncode in {2, 3}
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not config.exists()


def test_terminal_asks_again_until_it_can_be_used(tmp_path: Path, config: Path, documents: Path) -> None:
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.cli", "setup"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=variables(tmp_path),
        cwd=Path(__file__).resolve().parents[2],
    )
    os.close(terminal)
    seen = ""

    def answer(question: str, text: str) -> None:
        nonlocal seen
        while question not in seen:
            seen += os.read(master, 4096).decode("utf-8", "replace")
        seen = seen.split(question, 1)[1]
        os.write(master, f"{text}\n".encode())

    answer("Folder: ", "/no/such/folder")
    answer("Folder: ", str(documents))
    answer("Model [embedded]: ", "")
    answer("Token: ", "")
    assert process.wait(timeout=programs.SECONDS) == 0
    os.close(master)
    written = tomllib.loads(config.read_text("utf-8"))
    assert written == {"corpus": [str(documents)], "models": {"default": "embedded"}}
