from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog

from bot import serve_fleet
from bot.logs import setup
from bot.serve import _tell_state, _work
from bot.service.owner_claim import Claim
from bot.settings.tree import Settings


@pytest.fixture(autouse=True)
def _default_log() -> Iterator[None]:
    yield
    structlog.reset_defaults()


class Access:
    """A bot that nobody owns, or somebody does."""

    def __init__(self, *, is_claimable: bool) -> None:
        self._is_claimable = is_claimable

    async def is_claimable(self) -> bool:
        return self._is_claimable


@pytest.mark.parametrize("is_claimable", [True, False], ids=["nobody owns it", "somebody owns it"])
async def test_log_shows_a_command_to_copy_while_nobody_owns_the_bot(
    capsys: pytest.CaptureFixture[str], is_claimable: bool
) -> None:
    setup.configure()
    app: Any = SimpleNamespace(
        knowledge=SimpleNamespace(is_empty=False), models=SimpleNamespace(name=lambda _role: "openai:test")
    )
    access: Any = Access(is_claimable=is_claimable)
    claim = Claim()
    await _tell_state(app, access, claim)
    told = capsys.readouterr().err
    # Nothing behind it, no quotes around it: the end of the line is what is copied.
    assert told.endswith(f" send /claim {claim.code}\n") is is_claimable
    assert bool(told) is is_claimable


@pytest.mark.parametrize("mode", ["private", "groups"])
async def test_log_warns_where_whoever_adds_the_bot_to_a_group_opens_the_documents(
    mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_settings: Settings) -> str:
        raise InterruptedError

    setup.configure()
    monkeypatch.setattr(serve_fleet, "name_machine", stop)  # the start goes no further
    with pytest.raises(InterruptedError):
        await _work(Settings.load(data_dir=tmp_path, access={"mode": mode}), None)
    assert ("access.mode=groups" in capsys.readouterr().err) is (mode == "groups")
